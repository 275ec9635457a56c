// The files of the visitor. Each has an editor state, and so its own history and cursor.

import type { EditorState } from "@codemirror/state";
import type { FileText, Role } from "./protocol";

interface SourceFile {
  name: string;
  role: Role;
  state: EditorState;
}

/** The parts of an editor that the workspace uses. */
export interface States {
  create(text: string): EditorState;
}

export class Workspace {
  #files: SourceFile[] = [];
  #selected = 0;
  /** The files that `diff` compares with. */
  pinned: FileText[] = [];
  readonly #states: States;

  constructor(states: States) {
    this.#states = states;
  }

  /** Replaces all files, and the ones that `diff` compares with. */
  open(files: readonly FileText[], base: readonly FileText[]): void {
    this.#files = [];
    for (const file of files) this.#insert(file);
    if (this.#files.length === 0) this.#insert({ name: "input.yaml", text: "", role: "named" });
    this.#selected = 0;
    this.pinned = base.map((it) => ({ ...it }));
  }

  /** Adds files, and selects the first of them. One with a known name is replaced. */
  add(files: readonly FileText[]): void {
    for (const file of files) {
      const known = this.#files.find((it) => it.name === file.name);
      if (known) known.state = this.#states.create(file.text);
      else this.#insert(file);
    }
    if (files[0]) this.select(files[0].name);
  }

  #insert({ name, text, role }: FileText): void {
    this.#files.push({ name: this.#unused(name), role, state: this.#states.create(text) });
  }

  select(name: string): void {
    const found = this.#files.findIndex((it) => it.name === name);
    if (found >= 0) this.#selected = found;
  }

  /** Adds an empty file and selects it; returns what is wrong with the name. */
  create(name: string): string | undefined {
    const problem = this.#problem(name, undefined);
    if (!problem) this.#selected = this.#files.push({ name, role: "named", state: this.#states.create("") }) - 1;
    return problem;
  }

  /** Renames the selected file; returns what is wrong with the name. */
  rename(name: string): string | undefined {
    const current = this.#files[this.#selected];
    const problem = this.#problem(name, current);
    if (!problem && current) current.name = name;
    return problem;
  }

  /** Removes the selected file. There is always one. */
  remove(): void {
    this.#files.splice(this.#selected, 1);
    if (this.#files.length === 0) this.#insert({ name: "input.yaml", text: "", role: "named" });
    this.#selected = Math.min(this.#selected, this.#files.length - 1);
  }

  #problem(name: string, own: SourceFile | undefined): string | undefined {
    if (name.trim() === "") return "a file requires a name";
    if (name.length > 250) return "the name exceeds 250 characters";
    const parts = name.split("/");
    if (parts.some((it) => it === "" || it === "." || it === "..")) return "not a relative path";
    const taken = this.#files.some((it) => it.name === name && it !== own);
    return taken ? `there is another file \`${name}\`` : undefined;
  }

  /** A name that no file has. */
  #unused(name: string): string {
    const dot = name.lastIndexOf(".");
    const [start, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
    let candidate = name;
    for (let number = 2; this.#files.some((it) => it.name === candidate); number++) {
      candidate = `${start}-${number}${end}`;
    }
    return candidate;
  }

  get names(): string[] {
    return this.#files.map((it) => it.name);
  }

  get selected(): string {
    return this.#files[this.#selected]?.name ?? "";
  }

  /** The state of the selected file. */
  get state(): EditorState | undefined {
    return this.#files[this.#selected]?.state;
  }

  set state(state: EditorState) {
    const current = this.#files[this.#selected];
    if (current) current.state = state;
  }

  /** Edits a file that is not necessarily selected. */
  update(name: string, edit: (state: EditorState) => EditorState): void {
    const file = this.#files.find((it) => it.name === name);
    if (file) file.state = edit(file.state);
  }

  texts(): FileText[] {
    return this.#files.map(({ name, role, state }) => ({ name, role, text: state.sliceDoc() }));
  }
}
