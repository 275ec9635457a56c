// A pane shows one result of the current files.

import type { Compiler } from "../compiler";
import type { FileText, Findings, Input, Place } from "../protocol";
import type { FindingHost } from "../finding-message";

/** What panes ask the page. */
export interface PaneHost extends Omit<FindingHost, "actions"> {
  readonly compiler: Compiler;
  input(): Input;
  /** The selected file. */
  selected(): string;
  /** The files that `diff` compares with. */
  pinned(): FileText[];
  pin(): void;
  /** The last findings, or those that are being computed. */
  findings(): Promise<Findings | undefined>;
  actions(place: Place): ReturnType<FindingHost["actions"]>;
  reveal(place: Place): void;
  /** Replaces the text of files. */
  replace(files: { name: string; text: string }[]): void;
  /** Adds a file and selects it. */
  add(file: FileText): void;
}

export interface Pane {
  readonly id: string;
  readonly title: string;
  readonly element: HTMLElement;
  /** Shows the current files. Called when the pane is shown, and after each change while it is. */
  update(): Promise<void>;
}
