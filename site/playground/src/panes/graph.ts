// The references between objects. The picture is an image, so nothing in it can run or load anything.

import { element } from "../dom";
import { Viewer } from "../viewer";
import type { Pane, PaneHost } from "./pane";

export class GraphPane implements Pane {
  readonly id = "graph";
  readonly title = "Graph";
  readonly element = element("div", { className: "pane" });
  readonly #host: PaneHost;
  readonly #picture = element("div", { className: "picture", tabIndex: 0, role: "group", ariaLabel: "Picture" });
  readonly #viewer = new Viewer("Graph as Mermaid");
  readonly #asText = element("input", { type: "checkbox", onchange: () => void this.update() });
  #address = "";

  constructor(host: PaneHost) {
    this.#host = host;
    this.element.append(
      element("div", { className: "bar" }, element("label", {}, this.#asText, "As Mermaid")),
      this.#picture,
      this.#viewer.element,
    );
  }

  async update(): Promise<void> {
    const answer = await this.#host.compiler.ask("graph", { input: this.#host.input() });
    if (!answer) return;
    const isText = this.#asText.checked;
    this.#picture.hidden = isText;
    this.#viewer.element.hidden = !isText;
    if (isText) this.#viewer.show(answer.mermaid, "text");
    else if (answer.svg?.includes("<text")) this.#show(answer.svg);
    else this.#picture.replaceChildren(answer.problem ?? "The output has no objects.");
  }

  #show(svg: string): void {
    URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const alt = "References between the objects; as text with “As Mermaid”";
    this.#picture.replaceChildren(element("img", { src: this.#address, alt }));
  }
}
