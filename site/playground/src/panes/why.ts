// The layers that set the fields of an object.

import { choice, element } from "../dom";
import { Viewer } from "../viewer";
import type { Pane, PaneHost } from "./pane";

export class WhyPane implements Pane {
  readonly id = "why";
  readonly title = "Why";
  readonly element = element("div", { className: "pane" });
  readonly #host: PaneHost;
  readonly #viewer = new Viewer("Origin of each field");
  readonly #object: HTMLSelectElement;
  readonly #path = element("input", {
    type: "text",
    placeholder: "spec.replicas",
    spellcheck: false,
    onchange: () => void this.update(),
  });

  constructor(host: PaneHost) {
    this.#host = host;
    const { label, select } = choice("Object", [], () => void this.update());
    this.#object = select;
    const path = element("label", {}, element("span", { textContent: "Field" }), this.#path);
    this.element.append(element("div", { className: "bar" }, label, path), this.#viewer.element);
  }

  async update(): Promise<void> {
    const [compiler, input] = [this.#host.compiler, this.#host.input()];
    const built = await compiler.ask("build", { input, to: "yaml", isAnnotated: false });
    if (!built) return;
    const selected = this.#object.value;
    this.#object.replaceChildren(...built.objects.map((it) => new Option(it, it, false, it === selected)));
    if (built.hasErrors || this.#object.value === "") {
      this.#viewer.show(built.hasErrors ? built.text : "The output has no objects.\n", "text");
      return;
    }
    const path = this.#path.value.trim() || null;
    const answer = await compiler.ask("why", { input, object: this.#object.value, path });
    if (answer) this.#viewer.show(answer.text, path ? "text" : "yaml");
  }
}
