// `npm run build`: the module and its glue, with the build of the playground.

import { copyFileSync } from "node:fs";
import path from "node:path";
import { GENERATED, buildCompiler } from "../../../site/playground/build/compiler.mjs";

buildCompiler();
for (const file of ["sandboxc_wasm.js", "sandboxc_wasm_bg.wasm"]) {
  copyFileSync(path.join(GENERATED, file), path.join(import.meta.dirname, file));
}
