// The program that is started: `npm test`.

import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const { findProgram, thisMachine } = require("../out/program.js");

const machine = (searched, programs, isWindows = false) => ({
  isWindows,
  searched,
  isProgram: (file) => programs.includes(file),
});

test("the program is the first on the path that no folder contains", () => {
  const programs = ["sandboxc", "/work/a/bin/sandboxc", "/work/sandboxc", "/usr/bin/sandboxc"];
  const find = (searched, folders) => findProgram("", folders, machine(searched, programs));
  assert.equal(find(":.:bin:/work/a/bin:/usr/bin", ["/work/a"]), "/usr/bin/sandboxc");
  assert.equal(find("/work/a/../a/bin:/usr/bin", ["/work/a"]), "/usr/bin/sandboxc");
  assert.equal(find("/work/a:/work:/usr/bin", ["/work/a"]), "/work/sandboxc");
  assert.throws(() => find(".:/work/a/bin", ["/work/a"]), /not on the `PATH`/);
  assert.throws(() => find("", []), /not on the `PATH`/);
});

test("on Windows, a folder is not searched either", () => {
  const programs = ["sandboxc.exe", "C:\\work\\sandboxc.exe", "C:\\bin\\sandboxc.exe"];
  const windows = machine(".;;C:\\WORK;C:\\bin", programs, true);
  assert.equal(findProgram("", ["c:\\work"], windows), "C:\\bin\\sandboxc.exe");
});

test("the setting is an absolute path", () => {
  const none = machine("", []);
  assert.equal(findProgram("/opt/sandboxc", [], none), "/opt/sandboxc");
  for (const setting of ["sandboxc", "./sandboxc", "bin/sandboxc", "~/sandboxc"]) {
    assert.throws(() => findProgram(setting, [], none), /must be an absolute path/);
  }
});

test("a file that is not executable is not the program", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sandboxc-"));
  const file = path.join(folder, "sandboxc");
  fs.writeFileSync(file, "");
  fs.chmodSync(file, 0o644);
  const found = () => thisMachine().isProgram(file);
  assert.equal(found(), false);
  fs.chmodSync(file, 0o755);
  assert.equal(found(), true);
  assert.equal(thisMachine().isProgram(folder), false);
  fs.rmSync(folder, { recursive: true });
});
