// The parts of a Markdown file.

/** The lines of a page in turns: prose, and code blocks with their fences. */
export function* parts(text) {
  let part = { info: undefined, lines: [] };
  for (const line of text.split("\n")) {
    const isFence = line.startsWith("```");
    if (isFence && part.info === undefined) {
      yield part;
      part = { info: line.slice(3), lines: [line] };
    } else if (isFence) {
      part.lines.push(line);
      yield part;
      part = { info: undefined, lines: [] };
    } else {
      part.lines.push(line);
    }
  }
  yield part;
}

/** The code of a block. */
export function code({ lines }) {
  return lines.slice(1, -1).map((it) => `${it}\n`).join("");
}
