// The package as its users call it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { InputError, SandboxcError, load } from "../index.js";

const POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: é😀}\nspec: {container: []}\n";
const BOX =
  "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: dev}\nspec: {image: 'python:{{ values.tag }}'}\n";
const PROJECT =
  "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {name: a}\n" +
  "spec: {environments: {staging: {values: {tag: '3.12'}}, production: {values: {tag: '3.13'}}}}\n";

const compiler = await load();

test("a finding has its place and its repair", () => {
  const findings = compiler.check(POD);
  const finding = findings.find((it) => it.rule === "unknown-field");
  const { severity, file, line, column, endColumn } = finding;
  assert.deepEqual([severity, file, line, column, endColumn], ["error", "input.yaml", 4, 8, 17]);
  assert.equal(finding.message, "unknown field `container` in `spec`");
  const bytes = Buffer.from(POD);
  const [{ startByte, endByte, replacement }] = finding.suggestions;
  const repaired = bytes.subarray(0, startByte) + replacement + bytes.subarray(endByte);
  assert.equal(repaired, POD.replace("container:", "containers:"));
});

test("a valid object has no findings", () => {
  assert.deepEqual(compiler.check("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {key: text}\n"), []);
});

test("definitions are compiled in an environment of their Project", () => {
  const files = { "sandboxc.yaml": PROJECT, "dev.yaml": BOX };
  const [sandbox] = compiler.objects(files, { environment: "staging" });
  assert.equal(sandbox.kind, "Sandbox");
  assert.match(compiler.build(files, { environment: "production" }), /image: python:3\.13/);
});

test("input with errors is an exception with the findings", () => {
  const isRight = (error) =>
    error instanceof InputError &&
    error.message.includes("--> pod.yaml:4:8") &&
    error.findings.some((it) => it.rule === "unknown-field");
  assert.throws(() => compiler.build({ "pod.yaml": POD }), isRight);
});

test("an unknown setting is an exception", () => {
  const isRight = (error) => error instanceof SandboxcError && error.message.includes("`2.0`") && error.help !== "";
  assert.throws(() => compiler.check(POD, { kubernetes: "2.0" }), isRight);
});

test("any text has an answer", () => {
  for (const text of ["", "\0", "a: [", "\ufeff", "\ud800", "&a [*a]", "- ".repeat(100_000), "[".repeat(1_000_000)]) {
    assert.ok(Array.isArray(compiler.check(text)));
  }
  assert.throws(() => compiler.check({ a: 1 }), TypeError);
});

test("other types are rejected", () => {
  // Without entries, they would pass as input without faults.
  for (const source of [undefined, null, 1, () => POD, [POD], new Map([["a.yaml", POD]]), Buffer.from(POD)]) {
    assert.throws(() => compiler.check(source), { name: "TypeError", message: /^expected a string, or strings by / });
  }
});

test("rules and fields are explained", () => {
  assert.match(compiler.explain("unknown-field"), /Severity: error/);
  assert.throws(() => compiler.explain(""), SandboxcError);
  assert.throws(() => compiler.explain("unknown-fild"), SandboxcError);
});

test("the compiler is loaded once", async () => {
  assert.equal(await load(), compiler);
  assert.match(compiler.version, /^\d+\.\d+\.\d+/);
});

test("a compiler that could not be loaded is loaded again", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sandboxc-"));
  try {
    const module = path.join(folder, "index.mjs");
    copyFileSync(path.join(import.meta.dirname, "../index.js"), module);
    writeFileSync(path.join(folder, "package.json"), '{"type": "module"}');
    writeFileSync(path.join(folder, "sandboxc_wasm.js"), "export const run = () => ''; export default async () => {};");
    const { load } = await import(module);
    await assert.rejects(load(), { code: "ENOENT" });
    writeFileSync(path.join(folder, "sandboxc_wasm_bg.wasm"), "");
    assert.equal(await load(), await load());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a build without wasm-bindgen fails at once", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sandboxc-"));
  try {
    writeFileSync(path.join(folder, "cargo"), `#!/bin/sh\n: >'${folder}/built'\n`, { mode: 0o755 });
    const script = path.join(import.meta.dirname, "../build.mjs");
    const { status, stderr } = spawnSync(process.execPath, [script], { env: { PATH: folder }, encoding: "utf8" });
    assert.equal(status, 1);
    assert.match(stderr, /wasm-bindgen 0\.2\.\d+ is required: cargo install wasm-bindgen-cli --version 0\.2\.\d+/);
    assert.ok(!existsSync(path.join(folder, "built")));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
