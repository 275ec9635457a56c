// `npm run build`: the page in `dist/`, which any server of static files can serve. With `--page` the
// compiler is that of the last build.

import { copyFileSync, mkdirSync, rmSync } from "node:fs";
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
for (const file of ["index.html", "icon.svg"]) {
  copyFileSync(path.join(SRC, file), path.join(DIST, file));
}
