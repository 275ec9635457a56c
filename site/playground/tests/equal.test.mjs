// The page finds what the program finds: in all examples, and in a hundred fixtures.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after as end, before, test } from "node:test";
import { readExamples } from "../build/plugins.mjs";
import { ROOT, after, checkWithProgram, checked, drop, findings, start } from "./browser.mjs";

const FIXTURES = 100;

let browser;
before(async () => {
  browser = await start();
});
end(() => browser.stop());

/** The findings of a report as the page lists them; editors show the first line of a place. */
function listed({ diagnostics }, folder = "") {
  return diagnostics.map((it) => `${it.file.replace(folder, "")} ${it.rule} ${it.severity} ${it.message}`).sort();
}

async function shown(page) {
  const places = await findings(page);
  const severities = await page.locator("#pane-findings .finding .severity").allTextContents();
  const titles = await page.locator("#pane-findings .finding .title").allTextContents();
  const file = (place) => place.replace(/:\d+:\d+ (\S+)$/, " $1");
  return places.map((place, at) => `${file(place)} ${severities[at]} ${titles[at]}`).sort();
}

test("in all examples", async () => {
  const page = await browser.open();
  for (const { name } of await readExamples()) {
    await after(page, () => page.selectOption("#settings select >> nth=0", name));
    const folder = `examples/${name}/`;
    const args = name === "policies" ? [`${folder}web.yaml`, "--policies", `${folder}cluster`] : [folder];
    // Messages name files with their folders.
    const program = listed(checkWithProgram(args, ROOT), folder).map((it) => it.replaceAll(folder, ""));
    assert.deepEqual(await shown(page), program, name);
  }
});

test(`in ${FIXTURES} fixtures`, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "playground-"));
  const page = await browser.open();
  let compared = 0;
  for (const fixture of spread(fixtures(folder), FIXTURES)) {
    const text = readFileSync(fixture, "utf8");
    writeFileSync(path.join(folder, "input.yaml"), text);
    await drop(page, [{ name: "input.yaml", text }]);
    await checked(page);
    assert.deepEqual(await shown(page), listed(checkWithProgram(["input.yaml"], folder)), fixture);
    compared++;
  }
  rmSync(folder, { recursive: true });
  assert.equal(compared, FIXTURES);
});

/** The fixtures of rules that are one file without settings, written below a folder. */
function fixtures(parent) {
  execFileSync(path.join(ROOT, "tools/cases.py"), [parent, "diag"]);
  const folder = path.join(parent, "diag");
  const all = readdirSync(folder, { recursive: true }).filter((it) => path.basename(it).startsWith("err_"));
  const isPlain = (file) => !/^(# (kubernetes|policy|environment|verb|file)|--- # against)/m.test(readFileSync(file, "utf8"));
  return all.sort().map((it) => path.join(folder, it)).filter((it) => it.endsWith(".yaml")).filter(isPlain);
}

function spread(all, count) {
  return Array.from({ length: count }, (_, it) => all[Math.floor((it * all.length) / count)]);
}
