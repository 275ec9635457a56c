// Editors live in shadow roots: there they use constructed style sheets, which the Content-Security-Policy
// allows, and elsewhere inline ones, which it blocks.

import type { Extension } from "@codemirror/state";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Creates an editor as the content of an element. */
export function editorIn(host: HTMLElement, extensions: Extension): EditorView {
  const root = host.attachShadow({ mode: "open" });
  const state = EditorState.create({ extensions });
  const view = new EditorView({ state, root, parent: root });
  return view;
}
