// The worker: holds an instance of the compiler, and answers one request at a time.

import { initSync, run } from "../generated/sandboxc_wasm.js";

/** The first message: the compiled module. */
interface Start {
  module: WebAssembly.Module;
}

interface Question {
  id: number;
  request: string;
}

let panic = "";

Object.assign(globalThis, {
  sandboxcPanicked(message: string) {
    panic = message;
  },
});

onmessage = ({ data }: MessageEvent<Start | Question>) => {
  if ("module" in data) {
    initSync({ module: data.module });
    return;
  }
  try {
    postMessage({ id: data.id, answer: run(data.request) });
  } catch (error) {
    // The instance is unusable now: the page starts another worker.
    postMessage({ id: data.id, failure: panic || String(error) });
  }
};
