// Starts `sandboxc lsp` for YAML and JSON files.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

import { Preview } from "./preview";
import { hints, needsRestart, serverArguments } from "./settings";

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("sandboxc");
  const server: ServerOptions = {
    command: settings.get<string>("path", "") || "sandboxc",
    args: serverArguments(settings),
  };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "yaml" },
      { scheme: "file", language: "json" },
      { scheme: "untitled", language: "yaml" },
    ],
    initializationOptions: hints(settings),
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
  );
  await start();
}

export function deactivate(): Promise<void> {
  return stop();
}
