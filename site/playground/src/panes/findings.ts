// The findings, as a list or as the command prints them.

import { button, element } from "../dom";
import { actionsOf } from "../finding-message";
import type { Finding, Findings } from "../protocol";
import { Viewer } from "../viewer";
import type { Pane, PaneHost } from "./pane";

export class FindingsPane implements Pane {
  readonly id = "findings";
  readonly title = "Findings";
  readonly element = element("div", { className: "pane" });
  readonly #host: PaneHost;
  readonly #list = element("ol", { className: "findings" });
  readonly #viewer = new Viewer("Findings as text");
  readonly #asText = element("input", { type: "checkbox", onchange: () => void this.update() });
  readonly #result = element("span", { role: "status" });
  /** The list shows these. */
  #shown: Findings | undefined;

  constructor(host: PaneHost) {
    this.#host = host;
    this.element.append(
      element(
        "div",
        { className: "bar" },
        element("label", {}, this.#asText, "As text"),
        button("Fix all", () => void this.#fix(), "Apply all safe fixes: Kubernetes reads the same, or it was an error"),
        this.#result,
      ),
      this.#list,
      this.#viewer.element,
    );
  }

  async update(): Promise<void> {
    const findings = await this.#host.findings();
    if (!findings) return;
    this.#list.hidden = this.#asText.checked;
    this.#viewer.element.hidden = !this.#asText.checked;
    if (this.#asText.checked) this.#viewer.show(findings.text, "text");
    else if (this.#shown !== findings) this.#showList(findings);
  }

  #showList(findings: Findings): void {
    this.#shown = findings;
    const items = findings.findings.map((it) => this.#item(it));
    if (items.length === 0) items.push(element("li", { className: "empty", textContent: "No findings." }));
    if (findings.hidden > 0) {
      items.push(element("li", { className: "empty", textContent: `${findings.hidden} more findings are not listed.` }));
    }
    this.#list.replaceChildren(...items);
  }

  #item(finding: Finding): HTMLLIElement {
    const place = `${finding.file}:${finding.start.line}:${finding.start.column}`;
    const details = element("div", { className: "details", hidden: true });
    const summary: HTMLElement = element(
      "button",
      { type: "button", className: "finding", onclick: () => this.#open(finding, summary, details) },
      element("span", { className: `severity ${finding.severity}`, textContent: finding.severity }),
      element("span", { className: "title", textContent: finding.title }),
      element("span", { className: "place", textContent: `${place} ${finding.rule}` }),
    );
    summary.ariaExpanded = "false";
    return element("li", {}, summary, details);
  }

  /** Selects the place in the editor, and shows or hides the details. */
  #open(finding: Finding, summary: HTMLElement, details: HTMLElement): void {
    details.hidden = !details.hidden;
    summary.ariaExpanded = String(!details.hidden);
    if (details.hidden) return;
    const host = { ...this.#host, actions: () => this.#host.actions(finding) };
    details.replaceChildren(
      ...finding.remarks.map((textContent) => element("p", { textContent })),
      ...finding.related.map((it) =>
        button(`${it.file}:${it.start.line}: ${it.text}`, () => this.#host.reveal(it)),
      ),
      element(
        "div",
        { className: "bar" },
        button("Show in the editor", () => this.#host.reveal(finding)),
        button(`Explain ${finding.rule}`, () => this.#host.explain(finding.rule)),
      ),
      actionsOf(finding, { ...host, apply: (edits) => this.#host.apply(edits), explain: (rule) => this.#host.explain(rule) }),
    );
  }

  async #fix(): Promise<void> {
    const { compiler } = this.#host;
    const answer = await compiler.ask("fix", { input: this.#host.input(), isUnsafe: false });
    if (!answer) return;
    this.#host.replace(answer.changes);
    const unsafe = answer.unsafeLeft > 0 ? `, ${answer.unsafeLeft} fixes can change the meaning` : "";
    this.#result.textContent = `${answer.applied} fixed${unsafe}`;
  }
}
