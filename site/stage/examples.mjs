// A link to the playground under each example that is complete input.

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import { toRoot } from "./links.mjs";
import { code, parts } from "./markdown.mjs";

const ROOT = path.resolve(import.meta.dirname, "../..");
const DEFAULTS = { kubernetes: "", policy: "", environment: "" };
/** Settings in the first lines of an example that the playground has. */
const SETTINGS = ["kubernetes", "policy", "environment"];
/** Settings that it has not: with them, an example has no link. */
const OTHER = /^# (target|set|values|unreadable|agent-sandbox): /m;

/** Pages whose examples are excerpts, or need files that they do not show. */
const NO_INPUT = ["docs/ci.md", "docs/crds.md", "docs/effective.md", "docs/integrations.md"];
/** The folder of `examples/` that the examples of a page are from. */
const FOLDERS = { "README.md": "quickstart" };
/** Rules of commands that the playground has not. */
const OTHER_COMMANDS = /^docs\/rules\/(import-|migration-|not-migrated|test-failed)/;
/** Longer input takes too long to open. */
const MAX_LENGTH = 4 << 20;

/** A page with its links. */
export function withPlaygroundLinks(page, text) {
  const all = examplesOf(page, text);
  const link = (example) =>
    `\n<p class="open-example"><a href="${toRoot(page)}playground/index.html${encoded(example)}">Open in the playground</a></p>\n`;
  const lines = [...parts(text)].flatMap((part, at) => {
    const example = all.get(at);
    return example ? [...part.lines, link(example)] : part.lines;
  });
  return lines.join("\n");
}

/** What the playground opens for the parts of a page that are complete input. */
export function examplesOf(page, text) {
  const examples = new Map();
  if (NO_INPUT.includes(page) || OTHER_COMMANDS.test(page)) return examples;
  const earlier = new Map();
  for (const [at, part] of [...parts(text)].entries()) {
    const of = page.startsWith("docs/rules/") ? ofRule : page in FOLDERS ? ofFolder(FOLDERS[page]) : ofPage;
    const example = of(part, earlier);
    if (example) examples.set(at, example);
  }
  return examples;
}

/**
 * An example of the page of a rule: one or more files, with settings in their first lines. Nothing if it has
 * settings that the playground has not.
 */
function ofRule(part) {
  if (part.info !== "yaml" && part.info !== "yaml escaped") return undefined;
  const text = part.info === "yaml" ? code(part) : unescaped(code(part));
  if (text === undefined || text.length > MAX_LENGTH || OTHER.test(text)) return undefined;
  const { verb, kubernetes = "", policy = "", environment = "" } = settingsOf(text);
  if (verb === "import") return undefined;
  const settings = { kubernetes, policy, environment };
  const [input, stored] = text.split("\n--- # against\n");
  const files = filesOf(stored === undefined ? input : `${input}\n`);
  if (stored === undefined) return { files, settings, pane: verb === "effective" ? "effective" : "findings" };
  return { files, settings, pane: "diff", base: [{ name: "input.yaml", text: stored, role: "named" }] };
}

/**
 * An example of another page. If its first line is a comment with a name, it is a file of the page: earlier
 * files belong to it if they have the same Project, or declare what it refers to.
 */
function ofPage(part, earlier) {
  if (part.info !== "yaml") return undefined;
  const text = code(part);
  if (!/^apiVersion:/m.test(text) || !/^kind:/m.test(text)) return undefined;
  const settings = DEFAULTS;
  const [, name] = text.match(/^# (\S+\.yaml)\n/) ?? [];
  if (!name) return { files: [{ name: "input.yaml", text, role: "named" }], settings, pane: "findings" };
  const folder = path.posix.dirname(name);
  const others = [...earlier.values()].filter((it) => path.posix.dirname(it.name) === folder && it.name !== name);
  const files = [{ name, text, role: "found" }];
  const isProject = others.some((it) => path.posix.basename(it.name) === "sandboxc.yaml");
  const belongs = (it, file) => isProject || isNamed(it, file);
  for (const file of files) files.push(...others.filter((it) => !files.includes(it) && belongs(it, file)));
  earlier.set(name, files[0]);
  return { files, settings, pane: "findings" };
}

/** An object that is a part of a folder of `examples/`: its file is the first. */
function ofFolder(name) {
  return (part) => {
    if (part.info !== "yaml") return undefined;
    const folder = path.join(ROOT, "examples", name);
    const names = readdirSync(folder).filter((it) => it.endsWith(".yaml"));
    const files = names.map((it) => ({ name: it, text: readFileSync(path.join(folder, it), "utf8"), role: "found" }));
    const [, object] = code(part).match(/\bname: *([\w-]+)/) ?? [];
    const own = files.find((it) => new RegExp(`\\bname: *${object}\\b(?!-)`).test(it.text));
    if (!own) return undefined;
    return { files: [own, ...files.filter((it) => it !== own)], settings: DEFAULTS, pane: "findings" };
  };
}

/** Whether a file declares a name that another file mentions. */
function isNamed(file, other) {
  const names = [...file.text.matchAll(/^(?:metadata: *\{ *| +)name: *([\w-]+)/gm)].map(([, it]) => it);
  return names.some((it) => new RegExp(`: *${it}(?![\\w:.-])`).test(other.text.replace(/\bname:.*/g, "")));
}

/** The settings in the first lines. */
function settingsOf(text) {
  const settings = {};
  for (const line of text.split("\n")) {
    const [, name, value] = line.match(/^# ([a-z]+): (.*)$/) ?? [];
    if (!line.startsWith("#")) break;
    if (SETTINGS.includes(name) || name === "verb") settings[name] = value;
  }
  return settings;
}

/** The files of an example: each starts with a line `# file: name`. */
function filesOf(text) {
  const files = text.split(/^# file: /m).slice(1);
  if (files.length === 0) return [{ name: "input.yaml", text, role: "named" }];
  return files.map((file) => {
    const [, name, rest] = file.match(/^(.*)\n([^]*)$/);
    return { name, text: rest, role: "found" };
  });
}

/**
 * The text of a block with escapes: `<U+00A0>` is a character, `<0xE9>` a byte, `<x, 300 times>` a repeated
 * string, and `<end>` the end of the file. Nothing if it has bytes that are not UTF-8, which the
 * playground replaces.
 */
function unescaped(text) {
  if (/<0x[89A-F]/i.test(text)) return undefined;
  const character = (hex) => String.fromCodePoint(Number.parseInt(hex, 16));
  return text
    .replace(/<end>[^]*/, "")
    .replace(/<(?:U\+|0x)([0-9A-F]+)>|<(.+?), (\d+) times>/gi, (_, hex, repeated, times) =>
      hex ? character(hex) : repeated.repeat(Number(times)),
    );
}

/** The fragment of a share link, as `site/playground/src/share.ts` reads it. */
export function encoded(example) {
  const packed = deflateRawSync(Buffer.from(JSON.stringify(example)), { level: 9 });
  return `#v1,${packed.toString("base64url")}`;
}
