// The stages of the build: links, examples and the check of links.

import assert from "node:assert/strict";
import { test } from "node:test";
import { linksOf, problem } from "../stage/check-links.mjs";
import { examplesOf, withPlaygroundLinks } from "../stage/examples.mjs";
import { withoutLinksOutside } from "../stage/links.mjs";
import { summaryWithRules, withoutTests } from "../stage/rules.mjs";

test("links to files outside of the site lead to the repository", () => {
  const pages = new Set(["docs/a.md", "docs/b.md"]);
  const staged = (text, address) => withoutLinksOutside("docs/a.md", text, pages, address);
  assert.equal(staged("[b](b.md#c) [d](#d) [e](https://e)"), "[b](b.md#c) [d](#d) [e](https://e)");
  assert.equal(staged("[`f`](../tools/f)", "https://x/y"), "[`f`](https://x/y/blob/main/tools/f)");
  assert.equal(staged("[`f`](../tools/f)", undefined), "`f`");
  assert.equal(staged("[p](../site/playground/README.md)"), "[p](../playground/index.html)");
  assert.equal(staged("![`a` b](c.svg)"), "![`a` b](c.svg)");
  assert.equal(staged("```yaml\n[f](../f)\n```"), "```yaml\n[f](../f)\n```");
});

test("only complete input has a link", () => {
  const links = (block) => withPlaygroundLinks("docs/a.md", block).match(/\.\.\/playground\/index\.html#v1,/g)?.length ?? 0;
  assert.equal(links("```yaml\napiVersion: v1\nkind: Pod\n```\n"), 1);
  assert.equal(links("```yaml\nspec: {}\n```\n"), 0);
  assert.equal(links("```console\napiVersion: v1\nkind: Pod\n```\n"), 0);
});

test("an example has its settings and files", () => {
  const of = (text) => [...examplesOf("docs/rules/a.md", text).values()];
  const [settings] = of("```yaml\n# kubernetes: 1.33\n# policy: baseline\na: 1\n# environment: no\n```\n");
  assert.deepEqual(settings.settings, { kubernetes: "1.33", policy: "baseline", environment: "" });
  const [files] = of("```yaml\n# file: a/b.yaml\nc: 1\n# file: d.yaml\ne: 2\n```\n");
  assert.deepEqual(files.files, [
    { name: "a/b.yaml", text: "c: 1\n", role: "found" },
    { name: "d.yaml", text: "e: 2\n", role: "found" },
  ]);
  const [escaped] = of("```yaml escaped\na: <U+00A0><b, 3 times><end>\n```\n");
  assert.equal(escaped.files[0].text, "a: \u00a0bbb");
  const [stored] = of("```yaml\na: 1\n--- # against\na: 2\n```\n");
  assert.deepEqual([stored.files[0].text, stored.base[0].text, stored.pane], ["a: 1\n", "a: 2\n", "diff"]);
  assert.deepEqual(of("```yaml\n# verb: import\na: 1\n```\n"), []);
});

test("a file of a page comes with the files that it refers to", () => {
  const block = (name, text) => `\`\`\`yaml\n# ${name}\napiVersion: a/v1\nkind: A\n${text}\n\`\`\`\n`;
  const page = block("a.yaml", "metadata: {name: one}") + block("b.yaml", "metadata: {name: two}") + block("c.yaml", "spec: {a: one}");
  const names = [...examplesOf("docs/a.md", page).values()].map(({ files }) => files.map((it) => it.name).join());
  assert.deepEqual(names, ["a.yaml", "b.yaml", "c.yaml,a.yaml"]);
});

test("broken links are found", () => {
  const ids = { "a/b.html": new Set(["c"]), "d.js": new Set(), "playground/index.html": new Set() };
  const found = (html) => linksOf(html).map((it) => problem("a/b.html", it, (file) => ids[file]));
  assert.deepEqual(found('<a href="#c"></a><a href="b.html#c"></a><a href="https://e"></a>'), [undefined, undefined, undefined]);
  assert.deepEqual(found('<a href="#d"></a><a class="e" href="e.html"></a>'), ["leads to no id", "leads to no file"]);
  assert.deepEqual(found('<script src="https://e/f.js"></script>'), ["is loaded from another site"]);
  assert.deepEqual(found('<script src="../d.js"></script><a href="/d.js"></a>'), [undefined, "is absolute"]);
  assert.match(found('<a href="../playground/index.html#v1,%%%"></a>')[0], /cannot be read/);
  assert.deepEqual(found('<!-- <a href="f"> --><script>"<a href=g>"</script>'), []);
});

test("the tests of a rule are not shown", () => {
  assert.equal(withoutTests("# a\n\n## Use instead\nb\n\n## Tests\n\n### err_c\n"), "# a\n\n## Use instead\nb\n");
  assert.equal(withoutTests("# a\n"), "# a\n");
});

test("the summary lists each rule", () => {
  const summary = summaryWithRules("- [Rules](docs/rules/README.md)\n- [b](c)\n", [{ name: "d" }]);
  assert.equal(summary, "- [Rules](docs/rules/README.md)\n  - [d](docs/rules/d.md)\n- [b](c)\n");
  assert.throws(() => summaryWithRules("- [b](c)\n", []));
});
