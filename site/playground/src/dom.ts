// Elements of the page.

type Child = Node | string;

/** Creates an element with properties and children. No markup is ever parsed. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<Omit<HTMLElementTagNameMap[K], "style">> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}

/** A button that runs an action. */
export function button(text: string, action: () => void, title = ""): HTMLButtonElement {
  const created = element("button", { type: "button", textContent: text, onclick: action });
  if (title) created.title = title;
  return created;
}

/** A labeled list of choices. */
export function choice(
  label: string,
  options: [value: string, text: string][],
  changed: (value: string) => void,
): { label: HTMLLabelElement; select: HTMLSelectElement } {
  const select = element("select", { onchange: () => changed(select.value) });
  select.append(...options.map(([value, text]) => new Option(text, value)));
  return { label: element("label", {}, element("span", { textContent: label }), select), select };
}

/** The element of the page with an ID. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element \`${id}\``);
  return found;
}

/** Calls a function once, when no call has come for a while. */
export function debounced(wait: number, action: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(action, wait);
  };
}
