// The editor: YAML with findings, hover and completion.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, linter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, type Text } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { findingMessage } from "./finding-message";
import { offset, offsets } from "./positions";
import type { Action, Edit, Finding, Position, Range } from "./protocol";
import { editorIn } from "./shadow";
import { theme } from "./theme";

/** What the editor asks the page. */
export interface EditorHost {
  changed(): void;
  actions(range: Range): Promise<Action[]>;
  apply(edits: Edit[]): void;
  explain(rule: string): void;
  /** Hover and completion. */
  language: Extension;
}

export class Editor {
  readonly #host: EditorHost;
  readonly #view: EditorView;

  constructor(parent: HTMLElement, host: EditorHost) {
    this.#host = host;
    this.#view = editorIn(parent, this.#extensions(""));
  }

  /** The state for a text, with its line breaks. */
  create(text: string): EditorState {
    return EditorState.create({ doc: text, extensions: this.#extensions(text) });
  }

  get state(): EditorState {
    return this.#view.state;
  }

  show(state: EditorState): void {
    this.#view.setState(state);
  }

  focus(): void {
    this.#view.focus();
  }

  /** Selects the start of a range, and moves the focus to it. */
  reveal(place: Position): void {
    const anchor = offset(this.#view.state.doc, place);
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.#view.focus();
  }

  edit(edits: Edit[]): void {
    this.#view.dispatch({ changes: changes(this.#view.state.doc, edits), userEvent: "input.fix" });
  }

  showFindings(findings: Finding[]): void {
    const text = this.#view.state.doc;
    const shown = findings.filter((it) => it.isInline).map((it) => this.#diagnostic(text, it));
    this.#view.dispatch(setDiagnostics(this.#view.state, shown));
  }

  #diagnostic(text: Text, finding: Finding): Diagnostic {
    const diagnostic: Diagnostic = {
      ...offsets(text, finding),
      severity: finding.severity === "note" ? "info" : finding.severity,
      source: finding.rule,
      message: `${finding.severity}: ${finding.title}`,
      renderMessage: () => findingMessage(finding, this.#host),
    };
    if (finding.tag) diagnostic.markClass = `cm-${finding.tag}`;
    return diagnostic;
  }

  #extensions(text: string): Extension {
    return [
      text.includes("\r\n") ? EditorState.lineSeparator.of("\r\n") : [],
      lineNumbers(),
      lintGutter(),
      foldGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      // The page sets the findings; this only keeps the panel and the positions.
      linter(null),
      yaml(),
      theme,
      this.#host.language,
      EditorView.contentAttributes.of({ "aria-label": "Source of the selected file", tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.#host.changed();
      }),
      keymap.of([
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...defaultKeymap,
        // Escape, then Tab, leaves the editor.
        indentWithTab,
      ]),
    ];
  }
}

/** Edits of the compiler as changes of the editor. */
export function changes(text: Text, edits: Edit[]): { from: number; to: number; insert: string }[] {
  return edits.map((edit) => ({ ...offsets(text, edit), insert: edit.text }));
}

