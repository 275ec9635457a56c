// Markdown of the rule pages as elements: headings, paragraphs, lists, code and links to rules. Markup
// in the text is never parsed.

import { element } from "./dom";

/** What the page does with parts of the text. */
export interface Links {
  /** Shows another rule. */
  rule(name: string): void;
  /** The element for a code block. */
  code(text: string, language: string): HTMLElement;
}

export function render(markdown: string, links: Links): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const lines = markdown.split("\n");
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) fragment.append(block(paragraph, links));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const heading = /^(#{1,3}) (.*)/.exec(line);
    if (line.startsWith("```")) {
      flush();
      const end = lines.indexOf("```", at + 1);
      const code = lines.slice(at + 1, end < 0 ? undefined : end).join("\n");
      fragment.append(links.code(`${code}\n`, line.slice(3).trim()));
      at = end < 0 ? lines.length : end;
    } else if (heading) {
      flush();
      // The page has a heading of level 1, and the pane one of level 2.
      const tag = heading[1] === "#" ? "h3" : "h4";
      fragment.append(element(tag, {}, ...inline(heading[2] ?? "", links)));
    } else if (line.trim() === "") {
      flush();
    } else {
      paragraph.push(line);
    }
  }
  flush();
  return fragment;
}

function block(lines: string[], links: Links): HTMLElement {
  if (!lines[0]?.startsWith("- ")) return element("p", {}, ...inline(lines.join(" "), links));
  const items: string[] = [];
  for (const line of lines) {
    if (line.startsWith("- ")) items.push(line.slice(2));
    else items.push(`${items.pop()} ${line.trim()}`);
  }
  return element("ul", {}, ...items.map((it) => element("li", {}, ...inline(it, links))));
}

function inline(text: string, links: Links): (Node | string)[] {
  const parts = text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/);
  return parts.filter((it) => it !== "").map((part) => {
    if (part.startsWith("`")) return element("code", { textContent: part.slice(1, -1) });
    const link = /^\[([^\]]+)\]\((?:\.\/)?([a-z0-9-]+)\.md\)$/.exec(part);
    if (!link) return part;
    const name = link[2] ?? "";
    const label = (link[1] ?? "").replaceAll("`", "");
    return element("button", {
      type: "button",
      className: "link",
      textContent: label,
      onclick: () => links.rule(name),
    });
  });
}
