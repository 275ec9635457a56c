// The objects of a document, in an editor of their own that follows its edits.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

import { previewed } from "./settings";

const SCHEME = "sandboxc";
const DELAY = 300;

/** The title of the objects of a file: it must differ from that of the file itself. */
function title(command: string, name: string): string {
  return command === "sandboxc.built" ? `Built: ${name}` : `Created: ${name}`;
}

/** Shows what `sandboxc.built` and `sandboxc.effective` return. */
export class Preview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly disposables: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  readonly onDidChange = this.changed.event;

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.disposables = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(() => this.schedule()),
    ];
  }

  /** Opens the objects of the active document beside it. */
  async show(command: string): Promise<void> {
    const source = vscode.window.activeTextEditor?.document.uri;
    if (source === undefined) {
      return;
    }
    const name = source.path.split("/").pop() ?? "";
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      // The last part is the title of the tab, and its end selects the language.
      path: `/${title(command, name)}`,
      query: JSON.stringify([command, source.toString()]),
    });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const shown = previewed(uri.query);
    if (shown === undefined) {
      return "";
    }
    const parameters = { command: shown.command, arguments: [shown.source] };
    const text = await this.client()?.sendRequest<string>("workspace/executeCommand", parameters);
    return text ?? "";
  }

  /** Asks again once the typing pauses. */
  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const { uri } of vscode.workspace.textDocuments) {
        if (uri.scheme === SCHEME) {
          this.changed.fire(uri);
        }
      }
    }, DELAY);
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.disposables).dispose();
  }
}
