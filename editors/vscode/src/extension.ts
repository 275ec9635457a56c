// Starts `sandboxc lsp` for YAML and JSON files.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** The arguments of the server for the settings of the editor. */
function serverArguments(settings: vscode.WorkspaceConfiguration): string[] {
  const options = ["kubernetes", "environment", "policy"];
  const given = options.flatMap((name) => {
    const value = settings.get<string>(name, "");
    return value === "" ? [] : [`--${name}`, value];
  });
  return ["lsp", ...given];
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("sandboxc");
  const server: ServerOptions = {
    command: settings.get<string>("path", "") || "sandboxc",
    args: serverArguments(settings),
  };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "yaml" }, { language: "json" }],
  };
  const started = new LanguageClient("sandboxc", "sandboxc", server, options);
  client = started;
  try {
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

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("sandboxc.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("sandboxc")) {
        await restart();
      }
    }),
  );
  await start();
}

export function deactivate(): Promise<void> {
  return stop();
}
