// The settings, and that the manifest and the code have the same ones: `npm test`.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const { hints, isLinkAllowed, MARKDOWN, needsRestart, previewed, serverArguments } =
  require("../out/settings.js");
const { contributes, capabilities } = require("../package.json");

const settings = (values) => ({ get: (name, otherwise) => values[name] ?? otherwise });

test("options become arguments of the server", () => {
  assert.deepEqual(serverArguments(settings({})), ["lsp"]);
  const given = settings({ kubernetes: "1.34", policy: "restricted" });
  assert.deepEqual(serverArguments(given), ["lsp", "--kubernetes=1.34", "--policy=restricted"]);
});

test("a value is no option of its own, and no setting runs another program", () => {
  const given = settings({ environment: "--render", kubernetes: "-h", render: true, git: "HEAD" });
  assert.deepEqual(serverArguments(given), ["lsp", "--kubernetes=-h", "--environment=--render"]);
});

test("each kind of hint can be turned off", () => {
  const shown = hints(settings({ "hints.uses": false }));
  assert.deepEqual(shown, { hints: { uses: false, expansions: true, inherited: true } });
});

test("every setting of the manifest is used", () => {
  const names = Object.keys(contributes.configuration.properties);
  const used = names.filter((name) => {
    const own = name.replace(/^sandboxc\./, "");
    return needsRestart((it) => it === own) || own.replace(/^hints\./, "") in hints(settings({})).hints;
  });
  assert.deepEqual(used, names);
});

test("a workspace chooses no program, and an untrusted one no option", () => {
  const { properties } = contributes.configuration;
  assert.equal(properties["sandboxc.path"].scope, "machine");
  const { supported, restrictedConfigurations } = capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  const restart = Object.keys(properties).filter((name) =>
    needsRestart((own) => `sandboxc.${own}` === name),
  );
  assert.deepEqual(restrictedConfigurations.toSorted(), restart.toSorted());
});

test("what the server quotes runs nothing", () => {
  assert.deepEqual(MARKDOWN, { isTrusted: false, supportHtml: false });
  assert.deepEqual(["file", "https"].map(isLinkAllowed), [true, true]);
  for (const scheme of ["command", "vscode", "http", "sandboxc", undefined]) {
    assert.equal(isLinkAllowed(scheme), false, scheme);
  }
});

test("a preview asks for the objects of a document, and nothing else", () => {
  const source = "file:///a.yaml";
  const query = (value) => previewed(JSON.stringify(value));
  assert.deepEqual(query(["sandboxc.built", source]), { command: "sandboxc.built", source });
  assert.deepEqual(query(["sandboxc.effective", source])?.command, "sandboxc.effective");
  for (const value of [["other", source], ["sandboxc.built"], ["sandboxc.built", 1], {}, null, 1]) {
    assert.equal(query(value), undefined);
  }
  assert.equal(previewed("["), undefined);
});
