// The dialog that asks for the name of a file.

import { button, byId, element } from "./dom";

/** Asks for a name; `accept` returns what is wrong with it. */
export function askName(label: string, value: string, accept: (name: string) => string | undefined): void {
  const dialog = byId("dialog") as HTMLDialogElement;
  const input = element("input", { type: "text", value, spellcheck: false, id: "dialog-input" });
  const problem = element("p", { className: "problem", role: "alert" });
  const form = element(
    "form",
    {},
    element("label", { id: "dialog-label", htmlFor: "dialog-input", textContent: label }),
    input,
    problem,
    element(
      "div",
      { className: "bar" },
      element("button", { type: "submit", textContent: "OK" }),
      button("Cancel", () => dialog.close()),
    ),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    problem.textContent = accept(input.value.trim()) ?? "";
    if (problem.textContent === "") dialog.close();
  };
  dialog.replaceChildren(form);
  dialog.showModal();
  input.select();
}
