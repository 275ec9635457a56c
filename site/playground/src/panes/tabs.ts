// The panes, of which one is shown and up to date.

import { element } from "../dom";
import { Tabs } from "../tabs";
import { DiffPane } from "./diff";
import { EffectivePane } from "./effective";
import { ExplainPane } from "./explain";
import { FindingsPane } from "./findings";
import { GraphPane } from "./graph";
import { OutputPane } from "./output";
import type { Pane, PaneHost } from "./pane";
import { WhyPane } from "./why";

export class PaneTabs {
  readonly #tabs: Tabs;
  readonly #panes: readonly Pane[];
  readonly #explain: ExplainPane;
  /** The number of updates of each pane, of which the last one counts. */
  readonly #updates = new Map<HTMLElement, number>();
  #selected: Pane;

  constructor(strip: HTMLElement, parent: HTMLElement, host: PaneHost) {
    const findings = new FindingsPane(host);
    this.#explain = new ExplainPane(host);
    this.#panes = [
      findings,
      new OutputPane(host),
      new EffectivePane(host),
      new GraphPane(host),
      new DiffPane(host),
      new WhyPane(host),
      this.#explain,
    ];
    this.#selected = findings;
    this.#tabs = new Tabs("Results", (id) => {
      this.select(id);
      void this.update();
    });
    strip.append(this.#tabs.element);
    parent.append(
      ...this.#panes.map(({ id, title, element: content }) =>
        element("div", { id: `pane-${id}`, role: "tabpanel", ariaLabel: title, hidden: true }, content),
      ),
    );
    this.select(findings.id);
  }

  get selected(): string {
    return this.#selected.id;
  }

  /** Shows a pane, without an update. */
  select(id: string): void {
    this.#selected = this.#panes.find((it) => it.id === id) ?? this.#selected;
    for (const pane of this.#panes) {
      const panel = pane.element.parentElement;
      if (panel) panel.hidden = pane !== this.#selected;
    }
    const tabs = this.#panes.map(({ id, title }) => ({ id, title, panel: `pane-${id}` }));
    this.#tabs.show(tabs, this.#selected.id);
  }

  /** Updates the pane that is shown, which is marked meanwhile. */
  async update(): Promise<void> {
    const { element } = this.#selected;
    const current = this.#updates.get(element) ?? 0;
    this.#updates.set(element, current + 1);
    element.ariaBusy = "true";
    try {
      await this.#selected.update();
    } finally {
      if (this.#updates.get(element) === current + 1) element.ariaBusy = "false";
    }
  }

  /** Shows the page of a rule, or the description of a field. */
  explain(subject: string): void {
    this.#explain.show(subject);
    this.select(this.#explain.id);
    void this.update();
  }
}
