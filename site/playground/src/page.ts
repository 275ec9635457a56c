// The page: files on one side, results on the other, and the compiler between them.

import type { Compiler } from "./compiler";
import { askName } from "./dialog";
import { button, byId, debounced } from "./dom";
import { acceptDrops } from "./drop";
import { Editor, changes } from "./editor";
import { all, byName } from "./examples";
import { FileList, shortNames } from "./file-names";
import { language } from "./language";
import { PaneTabs } from "./panes/tabs";
import { type Edit, type FileText, type Findings, type Place, Refusal } from "./protocol";
import { SettingsBar } from "./settings";
import { type Shared, encode } from "./share";
import { Tabs } from "./tabs";
import { addTools, status } from "./tools";
import { Workspace } from "./workspace";

/** After this time without a key, the files are checked. */
const PAUSE = 120;

export class Page {
  readonly #compiler: Compiler;
  readonly #workspace: Workspace;
  readonly #editor: Editor;
  readonly #tabs: Tabs;
  readonly #list: FileList;
  readonly #settings: SettingsBar;
  readonly #panes: PaneTabs;
  readonly #checkSoon = debounced(PAUSE, () => this.check());
  #findings: Promise<Findings | undefined> = Promise.resolve(undefined);
  /** The findings that the editor shows. */
  #shown: Findings | undefined;

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
    this.#editor = new Editor(byId("editor"), {
      changed: () => this.#edited(),
      actions: (range) => this.#actions({ ...range, file: this.#workspace.selected }),
      apply: (edits) => this.#apply(edits),
      explain: (subject) => this.#panes.explain(subject),
      language: language(compiler, () => ({ input: this.input(), file: this.#workspace.selected })),
    });
    this.#workspace = new Workspace(this.#editor);
    this.#tabs = new Tabs("Files", (name) => this.#select(name), () => this.#remove());
    byId("file-tabs").append(this.#tabs.element);
    this.#list = new FileList((name) => this.#select(name));
    byId("file-tools").append(
      this.#list.element,
      button("Add", () => this.#add(), "Add a file"),
      button("Rename", () => this.#rename(), "Rename the selected file"),
      button("Delete", () => this.#remove(), "Delete the selected file"),
    );
    this.#settings = new SettingsBar(byId("settings"), all(), {
      changed: () => this.check(),
      open: (name) => this.openExample(name),
    });
    this.#panes = new PaneTabs(byId("pane-tabs"), byId("panes"), {
      compiler,
      input: () => this.input(),
      selected: () => this.#workspace.selected,
      pinned: () => this.#workspace.pinned,
      pin: () => {
        this.#workspace.pinned = this.#workspace.texts();
      },
      findings: () => this.#findings,
      actions: (place) => this.#actions(place),
      apply: (edits) => this.#apply(edits),
      explain: (subject) => this.#panes.explain(subject),
      reveal: (place) => this.#reveal(place),
      replace: (files) => this.#replace(files),
      add: (file) => this.#take([file]),
    });
    addTools(byId("tools"), {
      take: (files) => this.open(files),
      share: () => void this.#share(),
      format: () => void this.#format(),
    });
    acceptDrops(byId("files"), (files) => this.open(files));
  }

  async start(): Promise<void> {
    const info = await this.#compiler.ask("info", {});
    if (info) this.#settings.offer(info);
  }

  /** The files and settings. */
  input() {
    this.#workspace.state = this.#editor.state;
    return { files: this.#workspace.texts(), settings: this.#settings.values };
  }

  openExample(name: string): void {
    const example = byName(name);
    if (!example) return;
    this.#settings.values = { kubernetes: "", policy: "", environment: "" };
    this.open(example.files);
    this.#settings.example = name;
  }

  openShared({ files, settings, pane, base }: Shared): void {
    this.#settings.values = settings;
    this.#panes.select(pane);
    this.open(files, base);
  }

  /** Replaces all files, and the ones that `diff` compares with. */
  open(files: readonly FileText[], base: readonly FileText[] = files): void {
    if (files.length === 0) {
      status("These are no files that the compiler reads: *.yaml, *.yml or *.json", true);
      return;
    }
    this.#settings.example = "";
    this.#workspace.open(files, base);
    this.#showFile();
    this.check();
  }

  /** Checks the files, and updates the pane that is shown. */
  check(): void {
    this.#findings = this.#compiler.ask("check", { input: this.input() });
    this.#findings.then(
      (findings) => {
        if (!findings) return;
        this.#shown = findings;
        this.#showFindings();
        if (findings.findings.length > 0) performance.mark("first-finding");
        this.#settings.offerEnvironments(findings.environments);
        const { errors, warnings, notes } = findings;
        const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
        const counts = [count(errors, "error"), count(warnings, "warning"), count(notes, "note")];
        status(`${counts.join(", ")} for Kubernetes ${findings.kubernetes.join(", ")}`, errors > 0);
      },
      (reason: unknown) => report(reason),
    );
    void this.#panes.update().catch(report);
  }

  #edited(): void {
    this.#settings.example = "";
    this.#checkSoon();
  }

  /** Shows the selected file and the tabs. */
  #showFile(): void {
    const { state, names, selected } = this.#workspace;
    if (state) this.#editor.show(state);
    const titles = shortNames(names);
    const tabs = names.map((name) => ({ id: name, title: titles.get(name) ?? name, hint: name, panel: "editor" }));
    this.#tabs.show(tabs, selected);
    this.#list.show(names, selected);
    this.#showFindings();
  }

  #showFindings(): void {
    const own = this.#shown?.findings.filter((it) => it.file === this.#workspace.selected);
    this.#editor.showFindings(own ?? []);
  }

  #select(name: string): void {
    this.#workspace.state = this.#editor.state;
    this.#workspace.select(name);
    this.#showFile();
    void this.#panes.update().catch(report);
  }

  #add(): void {
    askName("Name of the new file", "new.yaml", (name) => {
      this.#workspace.state = this.#editor.state;
      const problem = this.#workspace.create(name);
      if (!problem) {
        this.#showFile();
        this.#edited();
        this.#editor.focus();
      }
      return problem;
    });
  }

  #take(files: FileText[]): void {
    this.#workspace.state = this.#editor.state;
    this.#workspace.add(files);
    this.#showFile();
    this.#edited();
  }

  #rename(): void {
    askName("New name of the file", this.#workspace.selected, (name) => {
      const problem = this.#workspace.rename(name);
      if (!problem) {
        this.#showFile();
        this.check();
      }
      return problem;
    });
  }

  #remove(): void {
    this.#workspace.remove();
    this.#showFile();
    this.check();
  }

  #reveal(place: Place): void {
    if (place.file !== this.#workspace.selected) this.#select(place.file);
    this.#editor.reveal(place.start);
  }

  async #actions(place: Place) {
    const { file, start, end } = place;
    const range = { start, end };
    return (await this.#compiler.ask("actions", { input: this.input(), file, range })) ?? [];
  }

  #apply(edits: Edit[]): void {
    for (const file of new Set(edits.map((it) => it.file))) {
      const own = edits.filter((it) => it.file === file);
      if (file === this.#workspace.selected) this.#editor.edit(own);
      else this.#workspace.update(file, (state) => state.update({ changes: changes(state.doc, own) }).state);
    }
    this.#checkSoon();
  }

  /** Replaces texts as edits, which can be undone. */
  #replace(files: { name: string; text: string }[]): void {
    this.#workspace.state = this.#editor.state;
    for (const { name, text } of files) {
      this.#workspace.update(name, (state) => {
        const edit = { from: 0, to: state.doc.length, insert: state.toText(text) };
        return state.update({ changes: edit, userEvent: "input.replace" }).state;
      });
    }
    this.#showFile();
    if (files.length > 0) this.#edited();
  }

  async #format(): Promise<void> {
    const answer = await this.#compiler.ask("format", { input: this.input() });
    if (!answer) return;
    this.#replace(answer.changes);
    status(answer.text ? "Files with errors are not formatted" : `${answer.changes.length} formatted`, answer.text !== "");
  }

  /** Puts the files into the address, and copies it. */
  async #share(): Promise<void> {
    const pane = this.#panes.selected;
    const base = pane === "diff" ? this.#workspace.pinned : undefined;
    const fragment = await encode({ ...this.input(), pane, base });
    history.replaceState(null, "", fragment);
    const size = `${Math.ceil(fragment.length / 1024)} KB`;
    try {
      await navigator.clipboard.writeText(location.href);
      status(`The link is copied (${size})`);
    } catch {
      status(`The address of the page is the link (${size})`);
    }
  }
}

/** Shows why a question has no answer. */
function report(reason: unknown): void {
  if (reason instanceof Refusal) status(`${reason.message}: ${reason.help}`, true);
  else status(String(reason), true);
}
