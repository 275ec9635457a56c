// The objects that controllers create.

import { element } from "../dom";
import { Viewer } from "../viewer";
import type { Pane, PaneHost } from "./pane";

export class EffectivePane implements Pane {
  readonly id = "effective";
  readonly title = "Effective";
  readonly element = element("div", { className: "pane" });
  readonly #host: PaneHost;
  readonly #viewer = new Viewer("Effective objects");

  constructor(host: PaneHost) {
    this.#host = host;
    const text = "The objects that controllers create from the output.";
    this.element.append(element("p", { className: "bar", textContent: text }), this.#viewer.element);
  }

  async update(): Promise<void> {
    const answer = await this.#host.compiler.ask("effective", { input: this.#host.input() });
    if (answer) this.#viewer.show(answer.text, answer.hasErrors ? "text" : "yaml");
  }
}
