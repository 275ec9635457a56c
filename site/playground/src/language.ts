// What the editor knows about the language: descriptions and completions.

import {
  type Completion as Offered,
  type CompletionContext,
  type CompletionResult,
  autocompletion,
  snippet,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type EditorView, type Tooltip, hoverTooltip } from "@codemirror/view";
import type { Compiler } from "./compiler";
import { element } from "./dom";
import { render } from "./markdown";
import { offset, offsets, position } from "./positions";
import type { Completion, Input } from "./protocol";

/** The files, and the one that is shown. */
export type Shown = () => { input: Input; file: string };

/** Hover and completion. A failure is reported by the next check. */
export function language(compiler: Compiler, shown: Shown): Extension {
  const hover = async (view: EditorView, at: number): Promise<Tooltip | null> => {
    const text = view.state.doc;
    const question = { ...shown(), position: position(text, at) };
    const answer = await compiler.ask("hover", question).catch(() => null);
    if (!answer || view.state.doc !== text) return null;
    const { from, to } = offsets(text, answer);
    const dom = element("div", { className: "hover" }, markdown(answer.text));
    return { pos: from, end: to, above: true, create: () => ({ dom }) };
  };
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc;
    if (!context.explicit && !context.matchBefore(/[\w.:/-]+|[:{,-] /)) return null;
    const question = { ...shown(), position: position(text, context.pos) };
    const found = await compiler.ask("complete", question).catch(() => undefined);
    const first = found?.[0];
    if (!found || !first || context.aborted) return null;
    const options = found.map((it, rank) => option(it, found.length - rank));
    return { from: offset(text, first.start), to: context.pos, options, validFor: /^[\w.-]*$/ };
  };
  return [hoverTooltip(hover), autocompletion({ override: [complete] })];
}

function option(completion: Completion, boost: number): Offered {
  const { label, detail, docs, kind, text, beside } = completion;
  const offered: Offered = {
    label,
    detail,
    type: kind,
    // The compiler has sorted them; the boost is at most 99.
    boost: Math.min(boost, 99),
    apply: (view, chosen, from, to) => {
      if (beside) {
        const at = offset(view.state.doc, beside.at);
        view.dispatch({ changes: { from: at, insert: beside.text } });
        if (at <= from) [from, to] = [from + beside.text.length, to + beside.text.length];
      }
      if (completion.snippet) snippet(template(completion.snippet))(view, chosen, from, to);
      else view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length } });
    },
  };
  if (docs) offered.info = () => element("div", {}, markdown(docs));
  return offered;
}

/** A snippet of the language server protocol as one of CodeMirror: `$1` is `${1}` there, and `$0` the last. */
function template(snippet: string): string {
  return snippet.replace(/\\\$/g, "$").replace(/\$(\d+)/g, "${$1}");
}

function markdown(text: string): DocumentFragment {
  return render(text, {
    rule: () => {},
    code: (code) => element("pre", { textContent: code }),
  });
}
