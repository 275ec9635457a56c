// Drives `sandboxc lsp` with the protocol library of VS Code's client, under Node:
// tools/editors/node.sh target/release/sandboxc

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import protocol from "vscode-languageserver-protocol/node.js";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sandboxc-"));
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
const uri = (name) => pathToFileURL(path.join(folder, name)).href;
const head = "apiVersion: sandboxc.dev/v1alpha1\n";

write("sandboxc.yaml", `${head}kind: Project\nspec: {}\n`);
write("templates.yaml", `${head}kind: Template\nmetadata: {name: python}\nspec: {image: 'python:3.13'}\n`);
const pool = `${head}kind: WarmPool\nmetadata: {name: pool}\nspec:\n  template: python\n  \n`;

const server = spawn(process.argv[2], ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const reader = new protocol.StreamMessageReader(server.stdout);
const writer = new protocol.StreamMessageWriter(server.stdin);
const connection = protocol.createProtocolConnection(reader, writer);
const complaints = [];
const published = new Map();
connection.onNotification(protocol.LogMessageNotification.type, (it) => complaints.push(it.message));
connection.onNotification(protocol.PublishDiagnosticsNotification.type, (it) => {
  published.set(it.uri, it.diagnostics);
});
connection.onRequest(protocol.RegistrationRequest.type, () => {});
connection.listen();

const capabilities = {
  workspace: {
    workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: {
    completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } },
    diagnostic: {},
  },
};
const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: "test" }];
const parameters = { processId: process.pid, rootUri: null, capabilities, workspaceFolders };
const started = await connection.sendRequest(protocol.InitializeRequest.type, parameters);
assert.equal(started.serverInfo.name, "sandboxc");
await connection.sendNotification(protocol.InitializedNotification.type, {});

const document = { uri: uri("pool.yaml") };
await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
  textDocument: { ...document, languageId: "yaml", version: 1, text: pool },
});
const at = (line, character) => ({ textDocument: document, position: { line, character } });
const ask = (type, params) => connection.sendRequest(type, params);

const check = async (what, test) => {
  await test();
  console.log(`ok: ${what}`);
};

await check("findings are pulled", async () => {
  const report = await ask(protocol.DocumentDiagnosticRequest.type, { textDocument: document });
  assert.deepEqual(report.items.filter((it) => it.severity === protocol.DiagnosticSeverity.Error), []);
});
await check("fields are completed with their types", async () => {
  const { items } = await ask(protocol.CompletionRequest.type, at(5, 2));
  const replicas = items.find((it) => it.label === "replicas");
  assert.equal(replicas.detail, "integer");
  assert.equal(replicas.textEdit.newText, "replicas: ");
});
await check("names are completed", async () => {
  const { items } = await ask(protocol.CompletionRequest.type, at(4, 12));
  assert.deepEqual(items.map((it) => it.label), ["python"]);
});
await check("a field is described", async () => {
  const hover = await ask(protocol.HoverRequest.type, at(4, 4));
  assert.match(hover.contents.value, /Name of the Template/);
});
await check("a name leads to its declaration", async () => {
  const [location] = await ask(protocol.DefinitionRequest.type, at(4, 14));
  assert.equal(location.uri, uri("templates.yaml"));
});
await check("a name is changed everywhere", async () => {
  const edit = await ask(protocol.RenameRequest.type, { ...at(4, 14), newName: "cpython" });
  assert.equal(edit.documentChanges.length, 2);
});
await check("the built objects are returned", async () => {
  const command = { command: "sandboxc.built", arguments: [document.uri] };
  assert.match(await ask(protocol.ExecuteCommandRequest.type, command), /kind: SandboxWarmPool/);
});
await check("a whole file is typed key by key", async () => {
  let version = 1;
  const change = (range, text) =>
    connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
      textDocument: { ...document, version: ++version },
      contentChanges: [range === undefined ? { text } : { range, text }],
    });
  await change(undefined, "");
  let [line, character] = [0, 0];
  for (const key of pool) {
    const place = { line, character };
    await change({ start: place, end: place }, key);
    [line, character] = key === "\n" ? [line + 1, 0] : [line, character + key.length];
    await ask(protocol.CompletionRequest.type, at(line, character));
  }
  const report = await ask(protocol.DocumentDiagnosticRequest.type, { textDocument: document });
  assert.deepEqual(report.items.filter((it) => it.severity === protocol.DiagnosticSeverity.Error), []);
});
assert.deepEqual(complaints, []);

await connection.sendRequest(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);
const status = await new Promise((resolve) => server.on("exit", resolve));
assert.equal(status, 0);
console.log("ok: the server ends");
fs.rmSync(folder, { recursive: true });
process.exit(0);
