// Accessibility: axe on each view, the keyboard, and narrow windows.

import assert from "node:assert/strict";
import { after as end, before, test } from "node:test";
import { after, pane, screenshot, start, violations } from "./browser.mjs";

const PANES = ["findings", "output", "effective", "graph", "diff", "why", "explain"];

let browser;
before(async () => {
  browser = await start();
});
end(() => browser.stop());

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in ${colorScheme} colors`, async () => {
    // The Content-Security-Policy would block axe.
    const page = await browser.open("", { colorScheme, bypassCSP: true });
    await after(page, () => page.selectOption("#settings select >> nth=0", "quickstart"));
    for (const id of PANES) {
      await pane(page, id);
      await page.waitForTimeout(400);
      assert.deepEqual(await violations(page), [], id);
      if (colorScheme === "dark") await screenshot(page, `dark-${id}`);
    }
    await page.selectOption("#settings select >> nth=0", "mistakes");
    await pane(page, "findings");
    await page.click(".finding >> nth=0");
    await page.waitForSelector(".details .finding-action");
    await page.hover(".finding >> nth=1");
    await page.waitForTimeout(100);
    assert.deepEqual(await violations(page), []);
    await page.click("#file-tools >> text=Rename");
    assert.deepEqual(await violations(page), []);
  });
}

test("the page fits a phone", async () => {
  const page = await browser.open("", { viewport: { width: 390, height: 844 }, bypassCSP: true });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  for (const id of PANES) {
    await pane(page, id);
    await page.waitForTimeout(300);
    assert.ok((await overflow()) <= 0, id);
    await screenshot(page, `phone-${id}`);
  }
  assert.deepEqual(await violations(page), []);
});

test("the keyboard reaches everything", async () => {
  const page = await browser.open();
  await page.focus("#pane-tabs [aria-selected=true]");
  await page.keyboard.press("ArrowRight");
  const selected = () => page.textContent("#pane-tabs [aria-selected=true]");
  assert.equal(await selected(), "Output");
  await page.keyboard.press("End");
  assert.equal(await selected(), "Explain");
  await page.keyboard.press("ArrowRight");
  assert.equal(await selected(), "Findings");
  // Tab indents in the editor, and leaves it after Escape.
  await page.click("#editor .cm-line >> nth=0");
  const isInEditor = () => page.evaluate(() => document.activeElement.id === "editor");
  await page.keyboard.press("Tab");
  assert.ok(await isInEditor());
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.ok(!(await isInEditor()));
});
