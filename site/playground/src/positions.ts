// Positions of the compiler as offsets of the editor.

import type { Text } from "@codemirror/state";
import type { Position, Range } from "./protocol";

/** The offset of a position. The text can have changed since, so it is clamped. */
export function offset(text: Text, { line, column }: Position): number {
  const found = text.line(Math.max(1, Math.min(line, text.lines)));
  return Math.min(found.from + column - 1, found.to);
}

/** The position of an offset. */
export function position(text: Text, offset: number): Position {
  const line = text.lineAt(offset);
  return { line: line.number, column: offset - line.from + 1 };
}

/** The offsets of a range. */
export function offsets(text: Text, { start, end }: Range): { from: number; to: number } {
  const from = offset(text, start);
  return { from, to: Math.max(from, offset(text, end)) };
}
