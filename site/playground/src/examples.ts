// The folders of `examples/`, which are built in.

import examples from "examples:";
import type { FileText } from "./protocol";

export interface Example {
  /** The name of the folder. */
  name: string;
  title: string;
  files: FileText[];
}

/** The example of a visitor without a share link: its findings show what the program does. */
export const FIRST = "mistakes";

export function all(): readonly Example[] {
  return examples;
}

export function byName(name: string): Example | undefined {
  return examples.find((it) => it.name === name);
}
