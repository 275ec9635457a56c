// The compiler in a worker: questions in order, each with a time limit.

import workerSource from "worker:./worker.ts";
import { type Command, type Commands, Refusal } from "./protocol";

/** After this time a question has no answer, and the worker is replaced. */
const TIME_LIMIT = 20_000;

interface Question {
  id: number;
  command: Command;
  request: string;
  resolve(answer: unknown): void;
  reject(reason: unknown): void;
}

interface Message {
  id: number;
  answer?: string;
  failure?: string;
}

export class Compiler {
  readonly #module: WebAssembly.Module;
  readonly #source = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
  readonly #timeLimit: number;
  #worker: Worker;
  #waiting: Question[] = [];
  #asked: Question | undefined;
  #timer = 0;
  #next = 1;

  constructor(module: WebAssembly.Module, timeLimit = TIME_LIMIT) {
    this.#module = module;
    this.#timeLimit = timeLimit;
    this.#worker = this.#start();
  }

  /** Loads the compiler, which is the last request of the page. */
  static async load(address: string): Promise<Compiler> {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
    const bytes = await response.arrayBuffer();
    const start = new Uint8Array(bytes, 0, 2);
    // A server can also send the file decompressed.
    const isCompressed = start[0] === 0x1f && start[1] === 0x8b;
    const unpacked = isCompressed
      ? new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()
      : bytes;
    return new Compiler(await WebAssembly.compile(await unpacked));
  }

  /**
   * Answers a question. A later question of the same command replaces one that still waits, whose
   * answer is then `undefined`.
   */
  ask<C extends Command>(
    command: C,
    body: Commands[C]["request"],
  ): Promise<Commands[C]["answer"] | undefined> {
    const request = JSON.stringify({ command, ...body });
    const replaced = this.#waiting.findIndex((it) => it.command === command);
    if (replaced >= 0) this.#waiting.splice(replaced, 1)[0]?.resolve(undefined);
    return new Promise((resolve, reject) => {
      const settle = resolve as (answer: unknown) => void;
      this.#waiting.push({ id: this.#next++, command, request, resolve: settle, reject });
      this.#continue();
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#source);
    worker.onmessage = ({ data }: MessageEvent<Message>) => this.#answered(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#replace(`the compiler failed: ${event.message}`);
    };
    worker.postMessage({ module: this.#module });
    return worker;
  }

  #continue(): void {
    if (this.#asked) return;
    this.#asked = this.#waiting.shift();
    if (!this.#asked) return;
    const { id, request } = this.#asked;
    this.#worker.postMessage({ id, request });
    this.#timer = window.setTimeout(
      () => this.#replace(`no answer within ${this.#timeLimit / 1000} seconds`),
      this.#timeLimit,
    );
  }

  #answered({ id, answer, failure }: Message): void {
    const asked = this.#asked;
    if (!asked || asked.id !== id) return;
    if (answer === undefined) {
      this.#replace(`the compiler failed: ${failure}`);
      return;
    }
    clearTimeout(this.#timer);
    this.#asked = undefined;
    const { ok, error } = JSON.parse(answer);
    if (error) asked.reject(new Refusal(error.message, error.help));
    else asked.resolve(ok);
    this.#continue();
  }

  /** Replaces the worker, whose current question has no answer. */
  #replace(message: string): void {
    clearTimeout(this.#timer);
    this.#worker.terminate();
    this.#worker = this.#start();
    this.#asked?.reject(new Refusal(message, "use the command `sandboxc` for this input"));
    this.#asked = undefined;
    this.#continue();
  }
}
