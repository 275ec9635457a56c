// The look of editors. Colors are properties of the page, so one theme is both light and dark.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.typeName, tags.labelName, tags.meta], color: "var(--accent)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--code-size)", color: "var(--text)", backgroundColor: "var(--page)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--page)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection) !important",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--selection) !important" },
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--border)",
    borderRadius: "4px",
    maxWidth: "min(40rem, 90vw)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
  },
  ".cm-completionDetail": { color: "inherit", opacity: "0.8" },
  ".cm-completionInfo": { whiteSpace: "pre-wrap" },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--raised)" },
  ".cm-panel input, .cm-panel button, .cm-panel label": { font: "inherit", color: "inherit" },
  ".cm-textfield, .cm-button": {
    color: "var(--text)",
    background: "var(--page)",
    border: "1px solid var(--border)",
  },
  ".cm-diagnostic": { borderLeftWidth: "4px", padding: "4px 8px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--note)" },
  ".cm-lintRange-error": { ...wavy("--error") },
  ".cm-lintRange-warning": { ...wavy("--warning") },
  ".cm-lintRange-info": { ...wavy("--note") },
  ".cm-deprecated": { textDecorationLine: "line-through" },
  ".cm-unnecessary": { opacity: "0.6" },
  ".cm-lint-marker": { content: '""', width: "0.7em", height: "0.7em", marginTop: "0.4em", borderRadius: "50%" },
  ".cm-lint-marker-error": { content: '""', backgroundColor: "var(--error)" },
  ".cm-lint-marker-warning": { content: '""', backgroundColor: "var(--warning)", borderRadius: "0" },
  ".cm-lint-marker-info": { content: '""', backgroundColor: "var(--note)" },
  ".finding-rule, .finding-action": {
    font: "inherit",
    color: "var(--accent)",
    background: "none",
    border: "none",
    padding: "2px 0",
    marginRight: "1em",
    textAlign: "left",
    textDecoration: "underline",
    cursor: "pointer",
  },
  ".finding-title": { fontWeight: "600" },
  ".finding-actions": { display: "flex", flexDirection: "column", alignItems: "start" },
  ".hover": { padding: "4px 8px", whiteSpace: "pre-wrap", maxHeight: "40vh", overflow: "auto" },
  ".diff-old": { color: "var(--error)" },
  ".diff-new": { color: "var(--string)" },
});

function wavy(color: string) {
  return {
    backgroundImage: "none",
    textDecorationLine: "underline",
    textDecorationStyle: "wavy",
    textDecorationColor: `var(${color})`,
    textDecorationSkipInk: "none",
    textUnderlineOffset: "3px",
  };
}

export const theme = [look, syntaxHighlighting(colors)];
