// Files and folders that the visitor drops or selects.

import type { FileText } from "./protocol";

/** The extensions that the command reads from directories. */
const EXTENSIONS = [".yaml", ".yml", ".json"];
const MAX_FILES = 2_000;

interface Dropped {
  path: string;
  file: File;
  isInFolder: boolean;
}

/** Calls `take` with the files that are dropped onto an element. */
export function acceptDrops(target: HTMLElement, take: (files: FileText[]) => void): void {
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  // Before the editor, which would insert the content at the cursor.
  const early = { capture: true };
  target.addEventListener(
    "dragover",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      target.classList.add("dropping");
    },
    early,
  );
  target.addEventListener("dragleave", (event) => {
    if (!target.contains(event.relatedTarget as Node | null)) target.classList.remove("dropping");
  });
  target.addEventListener(
    "drop",
    (event) => {
      if (!event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      target.classList.remove("dropping");
      void dropped(event.dataTransfer).then(texts).then(take);
    },
    early,
  );
}

/** The files of an input element: those of a folder have a path. */
export function selected(files: FileList): Promise<FileText[]> {
  const list = [...files].map((file) => {
    const path = file.webkitRelativePath;
    return { path: path || file.name, file, isInFolder: path !== "" };
  });
  return texts(list.filter((it) => !isHidden(it.path)).slice(0, MAX_FILES));
}

async function dropped(transfer: DataTransfer): Promise<Dropped[]> {
  // The items are only valid during the event, so all entries are read before the first `await`.
  const items = [...transfer.items].filter((it) => it.kind === "file");
  const entries = items.map((it) => it.webkitGetAsEntry?.() ?? it.getAsFile());
  const found: Dropped[] = [];
  for (const entry of entries) {
    if (entry instanceof File) found.push({ path: entry.name, file: entry, isInFolder: false });
    else if (entry) await walk(entry, "", found);
  }
  return found;
}

/** Whether a file is in a hidden folder, or is hidden itself: the command skips them in directories. */
function isHidden(path: string): boolean {
  return path.includes("/") && path.split("/").some((it) => it.startsWith("."));
}

async function walk(entry: FileSystemEntry, folder: string, found: Dropped[]): Promise<void> {
  const path = folder + entry.name;
  if (found.length >= MAX_FILES || isHidden(path)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ path, file, isInFolder: folder !== "" });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return;
    for (const child of batch) await walk(child, `${path}/`, found);
  }
}

async function texts(files: Dropped[]): Promise<FileText[]> {
  const read = files
    .filter((it) => !it.isInFolder || EXTENSIONS.some((end) => it.path.endsWith(end)))
    .map(async ({ path, file, isInFolder }): Promise<FileText> => {
      const role = isInFolder ? "found" : "named";
      return { name: path, text: await file.text(), role };
    });
  const all = await Promise.all(read);
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}
