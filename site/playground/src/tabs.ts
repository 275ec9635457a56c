// Tabs, as the ARIA practices describe them: arrow keys, Home and End select; one tab is in the order of
// focus.

import { element } from "./dom";

export interface Tab {
  id: string;
  title: string;
  /** What the title leaves out. */
  hint?: string;
  /** The ID of the panel. */
  panel: string;
}

export class Tabs {
  readonly element: HTMLElement;
  #tabs: Tab[] = [];
  #selected = "";
  readonly #select: (id: string) => void;
  readonly #remove: ((id: string) => void) | undefined;

  constructor(label: string, select: (id: string) => void, remove?: (id: string) => void) {
    this.element = element("div", { className: "tabs", role: "tablist", ariaLabel: label });
    this.element.onkeydown = (event) => this.#pressed(event);
    this.#select = select;
    this.#remove = remove;
  }

  show(tabs: Tab[], selected: string): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.#tabs = tabs;
    this.#selected = selected;
    this.element.replaceChildren(...tabs.map((tab) => this.#button(tab)));
    const current = this.element.querySelector<HTMLElement>('[aria-selected="true"]');
    current?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (hadFocus) current?.focus();
  }

  #button({ id, title, hint = "", panel }: Tab): HTMLButtonElement {
    const isSelected = id === this.#selected;
    const created = element("button", {
      type: "button",
      role: "tab",
      textContent: title,
      title: hint === title ? "" : hint,
      tabIndex: isSelected ? 0 : -1,
      onclick: () => this.#select(id),
    });
    created.setAttribute("aria-selected", String(isSelected));
    created.setAttribute("aria-controls", panel);
    created.dataset["tab"] = id;
    return created;
  }

  #pressed(event: KeyboardEvent): void {
    const at = this.#tabs.findIndex((it) => it.id === this.#selected);
    const last = this.#tabs.length - 1;
    const targets: Record<string, number> = {
      ArrowLeft: at > 0 ? at - 1 : last,
      ArrowRight: at < last ? at + 1 : 0,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (event.key === "Delete") this.#remove?.(this.#selected);
    else if (target !== undefined) this.#select(this.#tabs[target]?.id ?? this.#selected);
    else return;
    event.preventDefault();
  }
}
