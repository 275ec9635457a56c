// Modules that esbuild makes from the repository.

import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const ROOT = path.resolve(import.meta.dirname, "../../..");

/** Titles of the folders of `examples/`, in the order of the list. */
const TITLES = {
  mistakes: "Mistakes and their fixes",
  manifests: "Ordinary manifests with mistakes",
  quickstart: "agent-sandbox: quickstart",
  platform: "agent-sandbox: a platform, with tests",
  kelos: "kelos: tasks of coding agents",
  osa: "OSA: hooks and runs",
  nodepool: "Nodepool: a pool of nodes",
  idegym: "IdeGYM: servers",
  policies: "Admission policies",
};

/** Folders of an example that exist in the cluster, as `--policies` names them. */
const POLICIES = ["policies/cluster/"];

/** `examples:`: the files of `examples/`. */
export const examples = {
  name: "examples",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^examples:/ }, ({ path }) => ({ path, namespace: "examples" }));
    onLoad({ filter: /.*/, namespace: "examples" }, async () => ({
      contents: JSON.stringify(await readExamples()),
      loader: "json",
    }));
  },
};

export async function readExamples() {
  const folder = path.join(ROOT, "examples");
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((it) => it.isDirectory()).map((it) => it.name);
  const unknown = names.filter((it) => !(it in TITLES));
  if (unknown.length > 0) throw new Error(`no title for examples/${unknown}: see build/plugins.mjs`);
  return Promise.all(
    Object.entries(TITLES).map(async ([name, title]) => {
      const below = await readdir(path.join(folder, name), { recursive: true });
      const files = below.filter((it) => /\.(yaml|yml|json)$/.test(it) && !it.endsWith(".snap.yaml"));
      // The input comes first, and the project with the settings last.
      files.sort((a, b) => rank(name, a) - rank(name, b) || (a < b ? -1 : 1));
      const texts = files.map(async (file) => ({
        name: file,
        text: await readFile(path.join(folder, name, file), "utf8"),
        role: isPolicy(name, file) ? "policies" : "found",
      }));
      return { name, title, files: await Promise.all(texts) };
    }),
  );
}

function isPolicy(example, file) {
  return POLICIES.some((it) => `${example}/${file}`.startsWith(it));
}

function rank(example, file) {
  return file === "sandboxc.yaml" ? 1 : isPolicy(example, file) ? 2 : 0;
}

/** `worker:`: the bundled source of a worker as text, so that it can be started without a request. */
export const worker = {
  name: "worker",
  setup({ onResolve, onLoad, initialOptions }) {
    onResolve({ filter: /^worker:/ }, (args) => ({
      path: path.resolve(args.resolveDir, args.path.slice("worker:".length)),
      namespace: "worker",
    }));
    onLoad({ filter: /.*/, namespace: "worker" }, async ({ path }) => {
      const { minify, target } = initialOptions;
      const { outputFiles } = await build({
        entryPoints: [path],
        bundle: true,
        format: "iife",
        minify,
        target,
        write: false,
        // Only for loading by address, which the worker does not do.
        define: { "import.meta.url": '""' },
      });
      return { contents: outputFiles[0].text, loader: "text", watchFiles: [path] };
    });
  },
};
