// The result of `build`, and other forms of the input.

import { choice, element } from "../dom";
import { Viewer } from "../viewer";
import type { Pane, PaneHost } from "./pane";

const FORMS: [string, string][] = [
  ["yaml", "YAML"],
  ["origins", "YAML with origins"],
  ["json", "JSON"],
  ["documents", "Documents of the file"],
];

export class OutputPane implements Pane {
  readonly id = "output";
  readonly title = "Output";
  readonly element = element("div", { className: "pane" });
  readonly #host: PaneHost;
  readonly #viewer = new Viewer("Output");
  readonly #form: HTMLSelectElement;

  constructor(host: PaneHost) {
    this.#host = host;
    const { label, select } = choice("Form", FORMS, () => void this.update());
    this.#form = select;
    this.element.append(element("div", { className: "bar" }, label), this.#viewer.element);
  }

  async update(): Promise<void> {
    const [compiler, input] = [this.#host.compiler, this.#host.input()];
    const form = this.#form.value;
    if (form === "documents") {
      const answer = await compiler.ask("split", { input, file: this.#host.selected() });
      if (!answer) return;
      const title = (kind: string, name: string) => [kind, name].filter(Boolean).join("/") || "no object";
      const parts = answer.parts.map(
        (it, at) => `# Document ${at + 1} of ${answer.parts.length}: ${title(it.kind, it.name)}\n${it.text}`,
      );
      this.#viewer.show(parts.join("\n"), "yaml");
      return;
    }
    const to = form === "json" ? "json" : "yaml";
    const answer = await compiler.ask("build", { input, to, isAnnotated: form === "origins" });
    if (answer) this.#viewer.show(answer.text, answer.hasErrors ? "text" : "yaml");
  }
}
