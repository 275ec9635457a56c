// Writes `staged/`, the input of mdBook: the Markdown files of the repository at their paths, with links to
// the playground under the examples, and their images.

import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withPlaygroundLinks } from "./examples.mjs";
import { withoutLinksOutside } from "./links.mjs";
import { listOfRules, summaryWithRules, withoutTests } from "./rules.mjs";

export const SITE = path.resolve(import.meta.dirname, "..");
export const ROOT = path.dirname(SITE);
const STAGED = path.join(SITE, "staged");

/** The paths of all pages. */
export function pages() {
  const markdown = (folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((it) => it.endsWith(".md"))
      .map((it) => `${folder}/${it}`);
  return ["README.md", "CONTRIBUTING.md", ...markdown("docs"), ...markdown("docs/rules")];
}

/** The paths of the images in pages. */
function images() {
  return readdirSync(path.join(ROOT, "docs"))
    .filter((it) => it.endsWith(".svg"))
    .map((it) => `docs/${it}`);
}

/** The text of a page: the site does not show the tests of rules. */
export function textOf(page) {
  const text = readFileSync(path.join(ROOT, page), "utf8");
  return page.startsWith("docs/rules/") ? withoutTests(text) : text;
}

/** A page as mdBook reads it. */
export function staged(page, rules, all = new Set(pages())) {
  if (page === "docs/rules/README.md") return listOfRules(rules);
  return withPlaygroundLinks(page, withoutLinksOutside(page, textOf(page), all));
}

export function readRules() {
  return JSON.parse(readFileSync(path.join(SITE, "rules.json"), "utf8"));
}

function write(page, text) {
  const file = path.join(STAGED, page);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

if (process.argv[1] === import.meta.filename) {
  const [rules, all] = [readRules(), new Set(pages())];
  rmSync(STAGED, { recursive: true, force: true });
  for (const page of all) write(page, staged(page, rules, all));
  for (const image of images()) copyFileSync(path.join(ROOT, image), path.join(STAGED, image));
  write("SUMMARY.md", summaryWithRules(readFileSync(path.join(SITE, "SUMMARY.md"), "utf8"), rules));
}
