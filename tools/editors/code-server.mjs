// Drives the extension in code-server, a VS Code in the browser, as a person does: findings, a description, a
// repair, a completion, a declaration, and the built objects. `code-server.sh` starts it.

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [address, folder, pictures] = process.argv.slice(2);
const { chromium } = createRequire(path.join(process.cwd(), "x"))("playwright-core");

const head = "apiVersion: sandboxc.dev/v1alpha1\n";
fs.writeFileSync(
  path.join(folder, "pool.yaml"),
  `${head}kind: Template\nmetadata: {name: python}\nspec: {image: 'python:3.13'}\n---\n` +
    `${head}kind: WarmPool\nmetadata: {name: pool}\nspec: {template: python, replica: 5}\n`,
);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
const press = async (...keys) => {
  for (const key of keys) {
    await page.keyboard.press(key);
  }
};

/** Waits for an element with a text. */
const shown = (selector, text) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor({ timeout: 60_000 });

/** Takes the only entry of a list that is searched by typing: files, places and commands. */
const pick = async (text) => {
  await page.locator(".quick-input-widget .quick-input-box input").first().waitFor();
  await page.keyboard.type(text);
  await page.waitForTimeout(1_000);
  await press("Enter");
};

const goto = async (place) => {
  await press("Control+G");
  await pick(place);
};

const check = async (what, test) => {
  try {
    await test();
  } catch (error) {
    await page.screenshot({ path: "code-server-failure.png" });
    throw new Error(`failed: ${what}`, { cause: error });
  }
  if (pictures) {
    await page.screenshot({ path: path.join(pictures, `${what.replaceAll(" ", "-")}.png`) });
  }
  console.log(`ok: ${what}`);
};

await page.goto(`${address}/?folder=${folder}`);
await page.locator(".monaco-workbench").waitFor({ timeout: 120_000 });
await page.waitForTimeout(3_000);
await press("Control+P");
await pick("pool.yaml");

await check("a finding is shown", async () => {
  await press("Control+Shift+M");
  await shown(".markers-panel", "unknown field `replica`");
  await press("Control+Shift+M", "Control+1");
});
await check("a field is described", async () => {
  await goto("9:10");
  await press("Control+K", "Control+I");
  await shown(".monaco-hover", "Name of the Template");
  await press("Escape");
});
await check("a repair is applied", async () => {
  await goto("9:28");
  await press("Control+Period");
  await shown(".action-widget", "Did you mean `replicas`");
  await press("Enter");
  await shown(".view-line", /replicas:/);
});
await check("a field is completed", async () => {
  await goto("9:38");
  await press("End", "ArrowLeft");
  await page.keyboard.type(", ");
  await press("Control+Space");
  await shown(".suggest-widget", "updateStrategy");
  await press("Escape", "Control+Z", "Control+Z");
});
await check("a name leads to its declaration", async () => {
  await goto("9:20");
  await press("F12");
  await shown(".editor-statusbar-item, .statusbar-item", "Ln 3, Col 18");
});
await check("the built objects are shown", async () => {
  await press("F1");
  await pick("sandboxc: Show the Built Objects");
  await shown(".tab", "Built: pool.yaml");
  await shown(".view-line", /SandboxWarmPool/);
});
await check("they follow an edit", async () => {
  await goto("4:27");
  await press("End", "ArrowLeft", "ArrowLeft");
  await page.keyboard.type("-slim");
  await shown(".view-line", /image:.python:3\.13-slim$/);
});
await browser.close();
