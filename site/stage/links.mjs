// Links to files that are no pages of the site.

import { readFileSync } from "node:fs";
import path from "node:path";
import { parts } from "./markdown.mjs";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** The address of the repository's files, from the package or, in CI, from GitHub. */
function repository() {
  const manifest = readFileSync(path.join(ROOT, "Cargo.toml"), "utf8");
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return manifest.match(/^repository = "(https:.*)"$/m)?.[1] ?? (server && name && `${server}/${name}`);
}

/**
 * A page whose links only lead to pages: the README of the playground becomes the playground, and other
 * files are in the repository. Without an address of the repository only the text remains. Images are staged.
 */
export function withoutLinksOutside(page, text, pages, address = repository()) {
  const link = (whole, image, label, target) => {
    if (image || /^(https?:|#)/.test(target)) return whole;
    const file = path.posix.normalize(path.posix.join(path.posix.dirname(page), target.replace(/#.*/, "")));
    // mdBook calls these pages `index.html`, but does not change the links to them.
    if (pages.has(file)) return `[${label}](${target.replace(/README\.md(#|$)/, "index.md$1")})`;
    if (file === "site/playground/README.md") return `[${label}](${toRoot(page)}playground/index.html)`;
    return address ? `[${label}](${address}/blob/main/${file})` : label;
  };
  const prose = (line) => line.replace(/(!?)\[((?:`[^`]*`|[^\]`])*)\]\(([^)]*)\)/g, link);
  return [...parts(text)].flatMap(({ info, lines }) => (info === undefined ? lines.map(prose) : lines)).join("\n");
}

/** The path from a page to the root of the site. */
export function toRoot(page) {
  return "../".repeat(page.split("/").length - 1);
}
