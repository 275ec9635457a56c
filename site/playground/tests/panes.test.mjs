// Each pane shows the result of the files.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after as end, before, test } from "node:test";
import { after, drop, dropFromDisk, findings, pane, screenshot, start } from "./browser.mjs";

const BOX = `apiVersion: sandboxc.dev/v1alpha1
kind: Sandbox
metadata: {name: dev}
spec: {image: 'python:3.13'}
`;

const POD = `apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers:
    - name: a
      image: b:1
      imagePullPolicy: always
`;

let browser;
before(async () => {
  browser = await start();
});
end(() => browser.stop());

test("findings are listed, explained and fixed", async () => {
  const page = await browser.open();
  assert.deepEqual(await findings(page), [
    "pool.yaml:6:32 quantity-invalid",
    "pool.yaml:11:18 template-not-found",
    "pool.yaml:11:26 unknown-field",
  ]);
  await screenshot(page, "findings");
  await page.click(".finding >> nth=2");
  await page.waitForSelector(".details .finding-action");
  await screenshot(page, "finding-opened");
  await after(page, () => page.click(".details .finding-action"));
  assert.equal((await findings(page)).length, 2);
  await drop(page, [{ name: "pod.yaml", text: POD }]);
  await after(page, () => page.click("text=Fix all"));
  await page.locator("#pane-findings [role=status]:has-text('1 fixed')").waitFor();
  assert.match(await page.textContent("#editor .cm-content"), /imagePullPolicy: Always/);
  await page.check("text=As text");
  await page.waitForSelector("#pane-findings .cm-line");
  await screenshot(page, "findings-text");
  assert.deepEqual(page.problems, []);
});

test("a finding in the editor has its fixes and its page", async () => {
  const page = await browser.open();
  await page.hover(".cm-lintRange-error >> nth=2");
  await page.waitForSelector(".cm-tooltip .finding-action");
  await screenshot(page, "tooltip");
  await after(page, () => page.click(".cm-tooltip .finding-action"));
  assert.equal((await findings(page)).length, 2);
  await page.hover(".cm-lintRange-error >> nth=0");
  await page.click(".cm-tooltip .finding-rule");
  await page.waitForSelector("#pane-explain h3:has-text('quantity-invalid')");
  await screenshot(page, "explain");
  assert.deepEqual(page.problems, []);
});

test("the other panes show objects", async () => {
  const page = await browser.open();
  await drop(page, [{ name: "box.yaml", text: BOX }]);
  const output = await pane(page, "output");
  await output.locator(".cm-line:has-text('kind: Sandbox')").first().waitFor();
  await screenshot(page, "output");
  for (const [form, text] of [["origins", "# box.yaml:"], ["json", '"kind": "List"'], ["documents", "Document 1 of 1: Sandbox/dev"]]) {
    await output.locator("select").selectOption(form);
    await output.locator(`.cm-line:has-text('${text}')`).first().waitFor();
  }
  const effective = await pane(page, "effective");
  await effective.locator(".cm-line:has-text('kind: Pod')").first().waitFor();
  await screenshot(page, "effective");
  const why = await pane(page, "why");
  await why.locator(".cm-line:has-text('python:3.13')").first().waitFor();
  await screenshot(page, "why");
  assert.deepEqual(page.problems, []);
});

test("the graph is a picture, or text", async () => {
  const page = await browser.open();
  await after(page, () => page.selectOption("#settings select >> nth=0", "quickstart"));
  const graph = await pane(page, "graph");
  await graph.locator("img").waitFor();
  const width = await graph.locator("img").evaluate(async (it) => (await it.decode(), it.naturalWidth));
  assert.ok(width > 100);
  await screenshot(page, "graph");
  await graph.locator("input").check();
  await graph.locator(".cm-line:has-text('flowchart')").waitFor();
  assert.deepEqual(page.problems, []);
});

test("diff compares with the pinned version", async () => {
  const page = await browser.open();
  await drop(page, [{ name: "box.yaml", text: BOX }]);
  const diff = await pane(page, "diff");
  await diff.locator("text=0 changed objects").waitFor();
  await page.click("#editor .cm-line >> nth=1");
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
  await diff.locator("text=1 changed object").waitFor();
  await screenshot(page, "diff");
  await diff.locator("text=Pin this version").click();
  await diff.locator("text=0 changed objects").waitFor();
  assert.deepEqual(page.problems, []);
});

test("the editor describes fields and completes them", async () => {
  const page = await browser.open();
  await drop(page, [{ name: "box.yaml", text: BOX }]);
  await page.hover("#editor .cm-line >> text=image >> nth=0");
  await page.locator("#editor .cm-line span", { hasText: "image" }).first().hover();
  await page.waitForSelector(".cm-tooltip .hover");
  await screenshot(page, "hover");
  await page.mouse.move(5, 5);
  await page.click("#editor .cm-line >> nth=0");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("---\napiVersion: v1\nkind: Pod\nspec:\n  ho", { delay: 20 });
  await page.keyboard.press("Control+Space");
  await page.locator(".cm-completionLabel:has-text('hostNetwork')").waitFor();
  await screenshot(page, "completion");
  assert.deepEqual(page.problems, []);
});

test("settings change the findings", async () => {
  const page = await browser.open();
  await after(page, () => page.selectOption("#settings select >> nth=0", "platform"));
  const environment = page.locator("#settings select >> nth=3");
  await environment.locator("option[value=production]").waitFor({ state: "attached" });
  await after(page, () => environment.selectOption("production"));
  await after(page, () => page.selectOption("#settings select >> nth=1", "1.34"));
  assert.match(await page.textContent("#status"), /for Kubernetes 1\.34$/);
  assert.deepEqual(page.problems, []);
});

test("files are added, renamed and deleted", async () => {
  const page = await browser.open();
  const tabs = () => page.locator("#file-tabs [role=tab]").allTextContents();
  const name = async (button, value) => {
    await page.click(`#file-tools >> text=${button}`);
    await page.fill("#dialog-input", value);
    await page.keyboard.press("Enter");
  };
  const first = await page.locator("#editor .cm-line").allTextContents();
  await name("Add", "pool.yaml");
  await page.waitForSelector("dialog .problem:has-text('there is another file')");
  await page.click("dialog >> text=Cancel");
  assert.deepEqual(await page.locator("#editor .cm-line").allTextContents(), first);
  await name("Add", "b.yaml");
  assert.deepEqual(await tabs(), ["pool.yaml", "b.yaml"]);
  await name("Rename", "pool.yaml");
  await page.waitForSelector("dialog .problem:has-text('there is another file')");
  await page.fill("#dialog-input", "c.yaml");
  await after(page, () => page.keyboard.press("Enter"));
  assert.deepEqual(await tabs(), ["pool.yaml", "c.yaml"]);
  await after(page, () => page.click("#file-tools >> text=Delete"));
  assert.deepEqual(await tabs(), ["pool.yaml"]);
  assert.deepEqual(page.problems, []);
});

test("a folder is opened as the command reads it, and its files are listed", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "playground-"));
  for (let at = 0; at < 8; at++) {
    mkdirSync(path.join(folder, `app/${at}`), { recursive: true });
    writeFileSync(path.join(folder, `app/${at}/web.yaml`), `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${at}}\n`);
  }
  mkdirSync(path.join(folder, "app/.github"));
  writeFileSync(path.join(folder, "app/.github/ci.yaml"), "on: push\n");
  writeFileSync(path.join(folder, "app/.lint.yaml"), "a: 1\n");
  writeFileSync(path.join(folder, "app/notes.txt"), "a\n");
  const page = await browser.open();
  await after(page, async () => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("text=Open folder")]);
    await chooser.setFiles(path.join(folder, "app"));
  });
  const expected = Array.from({ length: 8 }, (_, at) => `${at}/web.yaml`);
  assert.deepEqual(await page.locator("#file-tabs [role=tab]").allTextContents(), expected);
  assert.match(await page.textContent("#status"), /^0 errors/);
  await after(page, () => page.selectOption("#settings select >> nth=0", "mistakes"));
  await dropFromDisk(page, [path.join(folder, "app")]);
  assert.deepEqual(await page.locator("#file-tabs [role=tab]").allTextContents(), expected);
  await page.getByRole("combobox", { name: "Selected file" }).selectOption("app/7/web.yaml");
  assert.equal(await page.textContent("#file-tabs [aria-selected=true]"), "7/web.yaml");
  await page.locator("#editor .cm-line", { hasText: "c7" }).waitFor();
  await screenshot(page, "folder");
  assert.deepEqual(page.problems, []);
  rmSync(folder, { recursive: true });
});

test("without objects the graph says so", async () => {
  const page = await browser.open();
  await drop(page, [{ name: "a.yaml", text: "# nothing\n" }]);
  const graph = await pane(page, "graph");
  await graph.locator("text=The output has no objects.").waitFor();
  await page.waitForSelector("#pane-graph .pane[aria-busy=false]");
  assert.deepEqual(page.problems, []);
});
