// The tools of the page: open, share, format, and the color scheme.

import { button, byId, element } from "./dom";
import { selected } from "./drop";
import type { FileText } from "./protocol";

export interface ToolsHost {
  take(files: FileText[]): void;
  share(): void;
  format(): void;
}

const THEMES = ["auto", "light", "dark"];

export function addTools(parent: HTMLElement, host: ToolsHost): void {
  parent.append(
    picker("Open files", false, host),
    picker("Open folder", true, host),
    button("Format", () => host.format(), "Write all files in their canonical layout"),
    button("Share", () => host.share(), "Copy a link that contains the files"),
    theme(),
  );
}

/** A button that selects files. */
function picker(text: string, isFolder: boolean, host: ToolsHost): HTMLElement {
  const input = element("input", { type: "file", multiple: true, hidden: true });
  input.webkitdirectory = isFolder;
  if (!isFolder) input.accept = ".yaml,.yml,.json";
  input.onchange = () => {
    if (input.files) void selected(input.files).then((files) => host.take(files));
    input.value = "";
  };
  const open = button(text, () => input.click());
  open.append(input);
  return open;
}

/** A button that selects the next color scheme. */
function theme(): HTMLElement {
  const root = document.documentElement;
  const current = () => root.dataset["theme"] ?? "auto";
  const next = button("", () => {
    const following = THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length] ?? "auto";
    if (following === "auto") delete root.dataset["theme"];
    else root.dataset["theme"] = following;
    show();
  });
  const show = () => {
    next.textContent = `Theme: ${current()}`;
  };
  show();
  return next;
}

/** Shows what happened at the bottom of the page. */
export function status(text: string, isError = false): void {
  const line = byId("status");
  line.textContent = text;
  line.dataset["state"] = isError ? "error" : "";
}
