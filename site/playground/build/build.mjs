// `npm run build`: the page in `dist/`, which any server of static files can serve. With `--page` the
// compiler is that of the last build; with `--site` the page is a folder of the site, and links to it.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { COMPILER, buildCompiler } from "./compiler.mjs";
import { examples, worker } from "./plugins.mjs";

const PLAYGROUND = path.resolve(import.meta.dirname, "..");
const [SRC, DIST] = ["src", "dist"].map((it) => path.join(PLAYGROUND, it));

if (!process.argv.includes("--page")) buildCompiler();
rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST);
await build({
  entryPoints: [path.join(SRC, "main.ts"), path.join(SRC, "style.css")],
  outdir: DIST,
  bundle: true,
  format: "esm",
  minify: true,
  target: ["es2023", "chrome123", "firefox121", "safari17.5"],
  plugins: [examples, worker],
});
copyFileSync(COMPILER, path.join(DIST, "compiler.bin"));
copyFileSync(path.join(SRC, "icon.svg"), path.join(DIST, "icon.svg"));
const page = readFileSync(path.join(SRC, "index.html"), "utf8");
const title = process.argv.includes("--site") ? '<h1><a href="../index.html">sandboxc</a> ' : "<h1>sandboxc ";
writeFileSync(path.join(DIST, "index.html"), page.replace("<h1>sandboxc ", title));
