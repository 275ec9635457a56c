// Modules that the build makes: see `build/plugins.mjs`.

declare module "worker:*" {
  /** The source of the worker, bundled. */
  const source: string;
  export default source;
}

declare module "examples:" {
  /** The folders of `examples/`. */
  const examples: import("./examples").Example[];
  export default examples;
}
