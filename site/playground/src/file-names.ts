// The names of many files: short ones for tabs, and a list to select from.

import { element } from "./dom";

/** With more files, tabs alone are not enough. */
const MANY = 6;

/** The end of each path that no other path has. */
export function shortNames(paths: readonly string[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    for (const end of ends(path)) counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return new Map(paths.map((path) => [path, ends(path).find((it) => counts.get(it) === 1) ?? path]));
}

/** The name of the file, the name with its folder, and so on. */
function ends(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, at) => parts.slice(-at - 1).join("/"));
}

/** A list of all files, which is shown if there are many. */
export class FileList {
  readonly element: HTMLSelectElement;

  constructor(select: (name: string) => void) {
    this.element = element("select", { ariaLabel: "Selected file", hidden: true });
    this.element.onchange = () => select(this.element.value);
  }

  show(names: readonly string[], selected: string): void {
    this.element.hidden = names.length <= MANY;
    if (this.element.hidden) this.element.replaceChildren();
    else this.element.replaceChildren(...names.map((it) => new Option(it, it, false, it === selected)));
  }
}
