// The built site in a headless Chromium, in a folder of its server.

import assert from "node:assert/strict";
import path from "node:path";
import { after as end, before, test } from "node:test";
import { checked, findings, screenshot, start, violations } from "../playground/tests/browser.mjs";
import { SITE, readRules } from "../stage/main.mjs";

const PAGES = [
  "index.html",
  "CONTRIBUTING.html",
  "docs/guide.html",
  "docs/language.html",
  "docs/cli.html",
  "docs/architecture.html",
  "docs/conformance.html",
  "docs/rules/index.html",
  "docs/rules/unknown-field.html",
];
const SCREENSHOTS = path.join(SITE, "screenshots");

let browser;
before(async () => {
  browser = await start(SITE);
});
end(() => browser.stop());

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
for (const colorScheme of ["light", "dark"]) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    test(`axe finds nothing in ${colorScheme} colors on a ${size}`, async () => {
      for (const address of PAGES) {
        const page = await browser.visit(`dist/${address}`, { colorScheme, viewport });
        await page.waitForSelector(".site-links");
        assert.deepEqual(await violations(page), [], address);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, address);
        assert.deepEqual(page.problems, [], address);
        await screenshot(page, `${address.replace(/\W/g, "-")}-${colorScheme}-${size}`, SCREENSHOTS);
        await page.context().close();
      }
    });
  }
}

test("pages only load files of the site", async () => {
  const page = await browser.visit("dist/index.html");
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  for (const address of PAGES) await page.goto(`${browser.address}dist/${address}`);
  assert.ok(requests.length > PAGES.length);
  assert.deepEqual(requests.filter((it) => !it.startsWith(`${browser.address}dist/`)), []);
});

test("the search finds rules and sections", async () => {
  const page = await browser.visit("dist/docs/guide.html");
  await page.keyboard.press("/");
  for (const [words, address] of [["warm pool", "language.html"], ["quantity-invalid", "rules/quantity-invalid.html"], ["exit status", "cli.html"]]) {
    await page.fill("#mdbook-searchbar", "");
    await page.locator("#mdbook-searchbar").pressSequentially(words);
    await page.waitForSelector(`#mdbook-searchresults a[href*="${address}"]`);
  }
  assert.deepEqual(await violations(page), []);
  await screenshot(page, "search", SCREENSHOTS);
  await page.click(`#mdbook-searchresults a[href*="cli.html"] >> nth=0`);
  await page.waitForURL(/cli\.html/);
  assert.deepEqual(page.problems, []);
});

test("rules are filtered, and the address has the filter", async () => {
  const page = await browser.visit("dist/docs/rules/index.html");
  const rules = readRules();
  const shown = () => page.locator("#rules > li:visible > a").allTextContents();
  const names = (isShown) => rules.filter(isShown).map((it) => it.name);
  assert.equal((await shown()).length, rules.length);
  await page.selectOption("[name=subject]", "agent-sandbox");
  assert.deepEqual(await shown(), names((it) => it.subjects.includes("agent-sandbox")));
  await page.selectOption("[name=severity]", "warning");
  const expected = names((it) => it.subjects.includes("agent-sandbox") && it.severity === "warning");
  assert.deepEqual(await shown(), expected);
  assert.equal(await page.textContent("#rule-filters output"), `${expected.length} rules`);
  await page.reload();
  assert.deepEqual(await shown(), expected);
  await page.selectOption("[name=subject]", "");
  await page.selectOption("[name=severity]", "");
  await page.check("[name=fixable]");
  assert.deepEqual(await shown(), names((it) => it.fix !== null));
  await page.uncheck("[name=fixable]");
  await page.fill("[name=text]", "ReadWriteOncePod");
  assert.ok((await shown()).includes("access-mode-conflict"));
  assert.deepEqual(page.problems, []);
});

test("an example opens in the playground", async () => {
  const page = await browser.visit("dist/docs/rules/template-not-found.html");
  await page.click(".open-example a >> nth=0");
  await checked(page);
  assert.ok((await findings(page)).some((it) => it.endsWith(" template-not-found")));
  await page.goto(`${browser.address}dist/docs/guide.html`);
  await page.locator("pre:has-text('# pool.yaml') + .open-example a").click();
  await checked(page);
  assert.deepEqual(await page.locator("#file-tabs [role=tab]").allTextContents(), ["pool.yaml", "node.yaml"]);
  assert.match(await page.textContent("#status"), /^0 errors/);
  await page.goto(`${browser.address}dist/docs/rules/field-immutable.html`);
  await page.click(".open-example a >> nth=0");
  await page.locator("#pane-diff >> text=/changed object/").waitFor();
  await page.click("h1 a");
  await page.waitForURL(/dist\/index\.html$/);
  assert.deepEqual(page.problems, []);
});

test("the keyboard shows the table of contents, and scrolls code", async () => {
  const page = await browser.visit("dist/docs/guide.html", { viewport: SIZES.phone });
  const button = page.getByRole("button", { name: "Table of Contents" });
  await button.focus();
  assert.equal(await button.getAttribute("aria-expanded"), "false");
  await page.keyboard.press("Enter");
  assert.equal(await button.getAttribute("aria-expanded"), "true");
  await page.locator("#mdbook-sidebar a", { hasText: "Command line" }).waitFor();
  await page.waitForTimeout(400);
  assert.deepEqual(await violations(page), []);
  await screenshot(page, "contents-phone", SCREENSHOTS);
  assert.ok((await page.locator("main pre > code[tabindex='0']").count()) > 0);
});
