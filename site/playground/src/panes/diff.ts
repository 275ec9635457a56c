// The objects of the files, compared with those of a pinned version.

import { button, element } from "../dom";
import { Viewer } from "../viewer";
import type { Pane, PaneHost } from "./pane";

export class DiffPane implements Pane {
  readonly id = "diff";
  readonly title = "Diff";
  readonly element = element("div", { className: "pane" });
  readonly #host: PaneHost;
  readonly #viewer = new Viewer("Differences");
  readonly #state = element("span", { role: "status" });

  constructor(host: PaneHost) {
    this.#host = host;
    const pin = button("Pin this version", () => {
      this.#host.pin();
      void this.update();
    });
    pin.title = "Compare later changes with the files as they are now";
    this.element.append(element("div", { className: "bar" }, pin, this.#state), this.#viewer.element);
  }

  async update(): Promise<void> {
    const input = this.#host.input();
    const old = { ...input, files: this.#host.pinned() };
    const answer = await this.#host.compiler.ask("diff", { old, input });
    if (!answer) return;
    const { text, hasErrors, side, changes } = answer;
    this.#state.textContent = hasErrors
      ? `The ${side} version has errors.`
      : `${changes} changed ${changes === 1 ? "object" : "objects"} since the pinned version`;
    this.#viewer.show(text, hasErrors ? "text" : "diff");
  }
}
