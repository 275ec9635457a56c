// Text that is only read, such as the output: it can have hundreds of thousands of lines.

import { yaml } from "@codemirror/lang-yaml";
import { foldGutter } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, keymap } from "@codemirror/view";
import { element } from "./dom";
import { editorIn } from "./shadow";
import { theme } from "./theme";

export type Language = "yaml" | "diff" | "text";

export class Viewer {
  readonly element = element("div", { className: "viewer" });
  readonly #language = new Compartment();
  readonly #view: EditorView;

  constructor(label: string) {
    this.#view = editorIn(this.element, [
      this.#language.of([]),
      theme,
      search(),
      keymap.of(searchKeymap),
      EditorView.editable.of(false),
      EditorState.readOnly.of(true),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
    ]);
  }

  show(text: string, language: Language): void {
    const { state } = this.#view;
    const effects = this.#language.reconfigure(languages[language]);
    if (state.sliceDoc() === text) {
      this.#view.dispatch({ effects });
      return;
    }
    this.#view.dispatch({ changes: { from: 0, to: state.doc.length, insert: text }, effects });
  }
}

const marks: Record<string, Decoration> = {
  "-": Decoration.line({ class: "diff-old" }),
  "+": Decoration.line({ class: "diff-new" }),
};

/** Colors the lines that begin with a sign. */
const signs = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = signed(view);
    }

    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = signed(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function signed({ visibleRanges, state }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      const mark = marks[line.text.trimStart().charAt(0)];
      if (mark) builder.add(line.from, line.from, mark);
      at = line.to + 1;
    }
  }
  return builder.finish();
}

const languages: Record<Language, Extension> = {
  yaml: [yaml(), foldGutter()],
  diff: signs,
  text: [],
};
