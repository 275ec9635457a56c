// The compiler as functions. The answers are those of `crates/wasm`, from JSON to JSON.

import init, { run } from "./sandboxc_wasm.js";

/** A request that has no answer: an unknown setting, too much input. */
export class SandboxcError extends Error {
  name = "SandboxcError";

  constructor(message, help = "") {
    super(help === "" ? message : `${message}: ${help}`);
    this.help = help;
  }
}

/** Input with errors, which cannot be compiled. */
export class InputError extends SandboxcError {
  name = "InputError";

  constructor(text, findings) {
    super(text);
    this.findings = findings;
  }
}

let loading;

/** Loads the compiler once. After a failure, such as one of the network, the next call tries again. */
export function load() {
  loading ??= start().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start() {
  const address = new URL("sandboxc_wasm_bg.wasm", import.meta.url);
  if (address.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    await init({ module_or_path: await readFile(address) });
  } else {
    await init({ module_or_path: address });
  }
  return new Compiler();
}

class Compiler {
  #fault;

  get version() {
    return this.#ask({ command: "info" }).version;
  }

  check(source, settings = {}) {
    const report = this.#ask({ command: "report", input: input(source, settings) });
    return JSON.parse(report).diagnostics;
  }

  build(source, settings = {}) {
    return this.#build(source, settings, "yaml");
  }

  objects(source, settings = {}) {
    return JSON.parse(this.#build(source, settings, "json")).items;
  }

  explain(subject) {
    const { page, text } = this.#ask({ command: "explain", subject, apiVersion: null });
    if (page === undefined && text === undefined) throw new SandboxcError("no subject", "name a rule, kind or field");
    return page ?? text;
  }

  #build(source, settings, to) {
    const request = { command: "build", input: input(source, settings), to, isAnnotated: false };
    const { text, hasErrors } = this.#ask(request);
    if (hasErrors) throw new InputError(text, this.check(source, settings));
    return text;
  }

  #ask(request) {
    if (this.#fault !== undefined) throw this.#fault;
    const previous = globalThis.sandboxcPanicked;
    let message;
    globalThis.sandboxcPanicked = (it) => (message = it);
    let answer;
    try {
      answer = JSON.parse(run(JSON.stringify(request)));
    } catch (error) {
      // The instance has trapped, and its memory is not usable any more.
      this.#fault = new SandboxcError("internal error of sandboxc, please report it", message ?? String(error));
      throw this.#fault;
    } finally {
      globalThis.sandboxcPanicked = previous;
    }
    if (answer.error) throw new SandboxcError(answer.error.message, answer.error.help);
    return answer.ok;
  }
}

function input(source, { kubernetes = "", policy = "", environment = "" }) {
  const isRecord = typeof source === "object" && source !== null && !(Symbol.iterator in source);
  if (typeof source !== "string" && !isRecord) {
    throw new TypeError("expected a string, or strings by the names of their files");
  }
  const files =
    typeof source === "string"
      ? [{ name: "input.yaml", text: source, role: "named" }]
      : Object.entries(source).map(([name, text]) => ({ name, text, role: "found" }));
  for (const { name, text } of files) {
    if (typeof text !== "string") throw new TypeError(`the text of ${name} is not a string`);
    // JSON cannot carry halves of surrogate pairs, which no file contains.
    if (!text.isWellFormed()) return input(wellFormed(source), { kubernetes, policy, environment });
  }
  return { files, settings: { kubernetes, policy, environment } };
}

function wellFormed(source) {
  if (typeof source === "string") return source.toWellFormed();
  return Object.fromEntries(Object.entries(source).map(([name, text]) => [name, String(text).toWellFormed()]));
}
