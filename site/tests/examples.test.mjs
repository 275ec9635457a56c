// Each example that the site opens in the playground: the compiler of the playground finds there what its
// page says.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { initSync, run } from "../playground/generated/sandboxc_wasm.js";
import { examplesOf } from "../stage/examples.mjs";
import { ROOT, pages, textOf } from "../stage/main.mjs";

/** Examples of rules that raise another rule, as the tests of the program allow them to. */
const RAISE_ANOTHER = ["list-item-without-key", "override-type-mismatch"];
/** Rules without a link: of other commands, or with settings, bytes or files that the playground has not. */
const WITHOUT_LINK = [
  "autoscaling-without-controller",
  "file-too-large",
  "file-unreadable",
  "import-default",
  "import-empty",
  "import-kept",
  "import-lossy",
  "import-not-recognized",
  "import-project",
  "import-setting-unused",
  "internal",
  "invalid-utf8",
  "kelos-resource-invalid",
  "migration-default",
  "migration-doubtful",
  "nodepool-file-invalid",
  "nodepool-part-not-imported",
  "not-migrated",
  "start-request-invalid",
  "test-failed",
  "value-not-declared",
  "values-invalid",
  "wide-encoding",
];
/** Errors that a page explains, or that only the cluster of the reader can resolve. */
const WITH_ERRORS = {
  "docs/guide.md": ["unknown-field", "wrong-type", "selector-mismatch", "api-version-removed"],
  "docs/osa.md": [
    "persistent-volume-claim-not-found",
    "secret-not-found",
    "service-account-not-found",
    "osa-namespace-not-found",
  ],
};

before(() => {
  initSync({ module: readFileSync(path.join(ROOT, "site/playground/generated/sandboxc_wasm_bg.wasm")) });
});

function ask(command, fields) {
  const answer = JSON.parse(run(JSON.stringify({ command, ...fields })));
  assert.ok(answer.ok, JSON.stringify(answer.error));
  return answer.ok;
}

function examples(page) {
  return [...examplesOf(page, textOf(page)).values()];
}

/** The rules that the command finds, or the text of another pane. */
function found({ files, settings, pane, base }) {
  const input = { files, settings };
  if (pane === "diff") return ask("diff", { old: { files: base, settings }, input }).text;
  if (pane === "effective") return ask("effective", { input }).text;
  return ask("check", { input }).findings.map((it) => it.rule);
}

test("the example of a rule raises it, and the repaired one does not", () => {
  const withoutLink = [];
  for (const page of pages().filter((it) => it.startsWith("docs/rules/"))) {
    const rule = path.basename(page, ".md");
    if (rule === "README") continue;
    const [example, repaired] = examples(page).map(found);
    if (!repaired) {
      withoutLink.push(rule);
      continue;
    }
    if (typeof example === "string") {
      assert.notEqual(example, repaired, page);
      continue;
    }
    // The page lists a limited number of findings.
    const isListed = example.length < 1000;
    assert.ok(example.includes(rule) || RAISE_ANOTHER.includes(rule) || !isListed, `${page}: ${example}`);
    assert.ok(!repaired.includes(rule), page);
  }
  assert.deepEqual(withoutLink, WITHOUT_LINK);
});

test("other examples have no errors but those of their page", () => {
  let count = 0;
  for (const page of pages().filter((it) => !it.startsWith("docs/rules/"))) {
    for (const { files, settings } of examples(page)) {
      count++;
      const { findings } = ask("check", { input: { files, settings } });
      const errors = findings.filter((it) => it.severity === "error").map((it) => it.rule);
      const unexpected = errors.filter((it) => !WITH_ERRORS[page]?.includes(it));
      assert.deepEqual(unexpected, [], `${page}: ${files[0].name}`);
    }
  }
  assert.ok(count > 20, `${count}`);
});

test("an example of the README is its file in the folder", () => {
  const [{ files }] = examples("README.md");
  assert.deepEqual(files[0].name, "templates.yaml");
  assert.ok(files.some((it) => it.name === "sandboxc.yaml"));
});
