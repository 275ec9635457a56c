// The compiler for the page: cargo, wasm-bindgen, gzip. After `wasm-opt` the module is smaller, but not the
// download: compressed it is a tenth larger.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const PLAYGROUND = path.resolve(import.meta.dirname, "..");
const ROOT = path.resolve(PLAYGROUND, "../..");
/** What wasm-bindgen writes, and the compressed module. */
export const GENERATED = path.join(PLAYGROUND, "generated");
const TARGET = path.join(process.env.CARGO_TARGET_DIR ?? path.join(ROOT, "target"), "wasm32-unknown-unknown/wasm");
/** The maximum size of the download. */
const MAX_BYTES = 3_000_000;

function run(command, ...args) {
  execFileSync(command, args, { cwd: ROOT, stdio: "inherit" });
}

/** Checks the command before the build, which takes minutes. Its version must be that of the crate. */
function checkGlue() {
  const lock = readFileSync(path.join(ROOT, "Cargo.lock"), "utf8");
  const [, version] = /name = "wasm-bindgen"\nversion = "(.*)"/.exec(lock);
  const { stdout } = spawnSync("wasm-bindgen", ["--version"], { encoding: "utf8" });
  if (stdout?.split(/\s/)[1] !== version) {
    console.error(`wasm-bindgen ${version} is required: cargo install wasm-bindgen-cli --version ${version}`);
    process.exit(1);
  }
}

/** The compressed module. */
export const COMPILER = path.join(GENERATED, "compiler.bin");

/** Builds `generated/`, unless it is newer than the program. */
export function buildCompiler() {
  checkGlue();
  const options = ["--package", "sandboxc-wasm", "--profile", "wasm", "--target", "wasm32-unknown-unknown"];
  run("cargo", "build", "--locked", ...options);
  const built = path.join(TARGET, "sandboxc_wasm.wasm");
  if (!existsSync(COMPILER) || statSync(COMPILER).mtimeMs < statSync(built).mtimeMs) {
    mkdirSync(GENERATED, { recursive: true });
    run("wasm-bindgen", "--target", "web", "--out-dir", GENERATED, "--out-name", "sandboxc_wasm", built);
    const module = readFileSync(path.join(GENERATED, "sandboxc_wasm_bg.wasm"));
    writeFileSync(COMPILER, gzipSync(module, { level: 9 }));
  }
  const { size } = statSync(COMPILER);
  console.log(`compiler: ${(size / 1e6).toFixed(2)} MB compressed`);
  if (size > MAX_BYTES) throw new Error(`the compiler exceeds ${MAX_BYTES / 1e6} MB compressed`);
}
