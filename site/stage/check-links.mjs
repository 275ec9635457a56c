// Checks the links of `dist/`: files and ids exist, share links can be read, and nothing is loaded from
// elsewhere. All of them are relative, so the site works in any folder.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { inflateRawSync } from "node:zlib";

const DIST = path.resolve(import.meta.dirname, "../dist");

/** The links of a page, with the names of their attributes. */
export function linksOf(html) {
  const text = html.replace(/<script>[^]*?<\/script>|<!--[^]*?-->/g, "");
  return [...text.matchAll(/<([a-z][\w-]*)\b[^>]*?\s(href|src)="([^"]*)"/g)].map(([, element, , target]) => ({
    target: target.replaceAll("&amp;", "&"),
    isLoaded: element !== "a",
  }));
}

/** What is wrong with a link; `page` is its path in the site. */
export function problem(page, { target, isLoaded }, idsOf) {
  if (/^(https?|mailto):/.test(target)) return isLoaded ? "is loaded from another site" : undefined;
  if (target.startsWith("/")) return "is absolute";
  const [file, fragment] = target.split(/#(.*)/, 2);
  const found = file === "" ? page : path.posix.join(path.posix.dirname(page), decodeURIComponent(file));
  const ids = idsOf(found);
  if (!ids) return "leads to no file";
  if (!fragment) return undefined;
  if (found === "playground/index.html") return shareProblem(fragment);
  return ids.has(decodeURIComponent(fragment)) ? undefined : "leads to no id";
}

function shareProblem(fragment) {
  try {
    const bytes = Buffer.from(fragment.replace(/^v1,/, ""), "base64url");
    const { files } = JSON.parse(inflateRawSync(bytes).toString());
    return files.length > 0 ? undefined : "has no files";
  } catch (error) {
    return `cannot be read: ${error.message}`;
  }
}

/** The ids of a file of a folder; `undefined` if there is no such file. */
export function reader(folder) {
  const known = new Map();
  return (file) => {
    const address = path.join(folder, file);
    if (!address.startsWith(folder) || !existsSync(address) || statSync(address).isDirectory()) return undefined;
    if (!known.has(file)) {
      const text = file.endsWith(".html") ? readFileSync(address, "utf8") : "";
      known.set(file, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)));
    }
    return known.get(file);
  };
}

if (process.argv[1] === import.meta.filename) {
  const pages = readdirSync(DIST, { recursive: true }).filter((it) => it.endsWith(".html"));
  const idsOf = reader(DIST);
  let count = 0;
  for (const page of pages) {
    for (const link of linksOf(readFileSync(path.join(DIST, page), "utf8"))) {
      count++;
      const found = problem(page, link, idsOf);
      if (!found) continue;
      console.error(`${page}: the link \`${link.target.slice(0, 100)}\` ${found}`);
      process.exitCode = 1;
    }
  }
  console.log(`site: ${pages.length} pages, ${count} links`);
}
