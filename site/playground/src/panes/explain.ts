// The pages of rules, and the descriptions of kinds and fields.

import { button, element } from "../dom";
import { type Links, render } from "../markdown";
import type { Explanation } from "../protocol";
import type { Pane, PaneHost } from "./pane";

export class ExplainPane implements Pane {
  readonly id = "explain";
  readonly title = "Explain";
  readonly element = element("div", { className: "pane" });
  readonly #host: PaneHost;
  readonly #subject = element("input", {
    type: "search",
    placeholder: "unknown-field, Template.network, deploy.spec",
    spellcheck: false,
    oninput: () => void this.update(),
  });
  readonly #page = element("div", { className: "page", tabIndex: 0, role: "region", ariaLabel: "Explanation" });
  #shown: string | undefined;

  constructor(host: PaneHost) {
    this.#host = host;
    const label = element("label", {}, element("span", { textContent: "Rule, kind or field" }), this.#subject);
    this.element.append(element("div", { className: "bar" }, label), this.#page);
  }

  show(subject: string): void {
    this.#subject.value = subject;
  }

  async update(): Promise<void> {
    const subject = this.#subject.value.trim();
    if (subject === this.#shown) return;
    const listed = await this.#rules(subject);
    if (listed) {
      this.#show(subject, listed);
      return;
    }
    const answer = await this.#host.compiler.ask("explain", { subject, apiVersion: null });
    if (answer) this.#show(subject, [this.#content(answer)]);
  }

  #show(subject: string, content: Node[]): void {
    this.#shown = subject;
    this.#page.replaceChildren(...content);
    this.#page.scrollTop = 0;
  }

  /** The list of rules that contain the subject, unless it is the name of one, a kind or a field. */
  async #rules(subject: string): Promise<Node[] | undefined> {
    if (/^[A-Z]|\./.test(subject)) return undefined;
    const answer = await this.#host.compiler.ask("explain", { subject: null, apiVersion: null });
    const rules = answer?.rules ?? [];
    const found = rules.filter((it) => it.name.includes(subject));
    if (found.length === 0 || found.some((it) => it.name === subject)) return undefined;
    const items = found.map(({ name, severity, summary }) =>
      element(
        "li",
        {},
        element("span", { className: `severity ${severity}`, textContent: severity }),
        this.#link(name),
        element("p", { textContent: summary.replaceAll("`", "") }),
      ),
    );
    return [element("ul", { className: "rules" }, ...items)];
  }

  #content(answer: Explanation): Node {
    if (answer.page === undefined) return element("pre", { textContent: answer.text ?? "" });
    const links: Links = {
      rule: (name) => this.#host.explain(name),
      code: (text, language) => this.#code(text, language),
    };
    return render(answer.page, links);
  }

  #code(text: string, language: string): HTMLElement {
    const code = element("div", { className: "code" }, element("pre", { textContent: text }));
    if (language === "yaml") {
      const file = { name: "example.yaml", text, role: "named" as const };
      code.append(button("Open in the editor", () => this.#host.add(file)));
    }
    return code;
  }

  #link(name: string): HTMLElement {
    const created = button(name, () => this.#host.explain(name));
    created.className = "link";
    return created;
  }
}
