// Starts `sandboxc lsp` for YAML and JSON files.

import { homedir } from "node:os";

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

import { Preview } from "./preview";
import { findProgram, thisMachine } from "./program";
import { hints, isLinkAllowed, MARKDOWN, needsRestart, serverArguments } from "./settings";

let client: LanguageClient | undefined;

/** The server. It starts in the home directory: Windows also searches the working directory for libraries. */
function server(settings: vscode.WorkspaceConfiguration): ServerOptions {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const command = findProgram(
    settings.get<string>("path", ""),
    folders.map((folder) => folder.uri.fsPath),
    thisMachine(),
  );
  return { command, args: serverArguments(settings), options: { cwd: homedir() } };
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("sandboxc");
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "yaml" },
      { scheme: "file", language: "json" },
      { scheme: "untitled", language: "yaml" },
    ],
    initializationOptions: hints(settings),
    markdown: MARKDOWN,
    middleware: {
      provideDocumentLinks: async (document, token, next) => {
        const links = await next(document, token);
        return links?.filter((link) => isLinkAllowed(link.target?.scheme));
      },
    },
  };
  try {
    const started = new LanguageClient("sandboxc", "sandboxc", server(settings), options);
    client = started;
    await started.start();
  } catch (error) {
    client = undefined;
    const choice = await vscode.window.showErrorMessage(
      `sandboxc cannot be started: ${String(error)}. Install it, or set its path.`,
      "Settings",
    );
    if (choice === "Settings") {
      await vscode.commands.executeCommand("workbench.action.openSettings", "sandboxc.path");
    }
  }
}

async function stop(): Promise<void> {
  const stopped = client;
  client = undefined;
  await stopped?.stop();
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

async function configure(change: vscode.ConfigurationChangeEvent): Promise<void> {
  if (needsRestart((name) => change.affectsConfiguration(`sandboxc.${name}`))) {
    await restart();
  } else if (change.affectsConfiguration("sandboxc.hints")) {
    const settings = { sandboxc: hints(vscode.workspace.getConfiguration("sandboxc")) };
    await client?.sendNotification("workspace/didChangeConfiguration", { settings });
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const preview = new Preview(() => client);
  context.subscriptions.push(
    preview,
    vscode.commands.registerCommand("sandboxc.restart", restart),
    vscode.commands.registerCommand("sandboxc.showBuilt", () => preview.show("sandboxc.built")),
    vscode.commands.registerCommand("sandboxc.showEffective", () =>
      preview.show("sandboxc.effective"),
    ),
    vscode.workspace.onDidChangeConfiguration(configure),
    // The settings of a folder apply once it is trusted.
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
  );
  await start();
}

export function deactivate(): Promise<void> {
  return stop();
}
