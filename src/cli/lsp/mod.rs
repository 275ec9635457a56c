//! `lsp`: the language server, over standard input and output.
//!
//! The main thread handles messages (`server.rs`), one thread checks projects (`checker.rs`), and some
//! answer requests (`jobs.rs`). What they say comes from `sandboxc::ide`.

mod address;
mod answers;
mod changes;
mod checker;
mod client;
mod commands;
mod convert;
mod document;
mod files;
mod framing;
#[cfg(test)]
mod harness;
mod indexed;
mod insights;
mod isolation;
mod jobs;
mod position;
mod question;
mod server;
mod state;
mod watching;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Message, Request, Response};
use sandboxc::{Grouping, Options, Purpose, compile};
use serde_json::Value;

use self::address::path_of;
use self::answers::FIX_ALL;
use self::checker::Checker;
use self::client::{Abilities, Client, Connection, Outgoing, failure};
use self::jobs::Jobs;
use self::position::Encoding;
use self::server::Server;
use self::state::Shared;
use super::Outcome;
use super::arguments::Lsp;
use super::failure::Failure;

pub(crate) fn run(arguments: &Lsp) -> Result<Outcome, Failure> {
    let Connection { sender, receiver, writer } = Connection::of_process();
    let is_shut_down = serve(sender.clone(), &receiver, options(arguments)) == Some(true);
    // If the writer has ended, an error is the reason.
    let _ = sender.send(None);
    match writer.join() {
        Ok(Err(source)) => Err(Failure::Stream { action: "write to standard output", source }),
        Ok(Ok(())) if is_shut_down => Ok(Outcome::Clean),
        // The protocol requires the status 1 if the session ends without a request to shut down.
        Ok(Ok(())) | Err(_) => Ok(Outcome::InputHasErrors),
    }
}

/// The options of each check.
fn options(arguments: &Lsp) -> Options {
    let mut options = Options::default();
    options.kubernetes = arguments.versions();
    options.policy = arguments.policy;
    options.environment.clone_from(&arguments.environment);
    // Not each project of an editor has the same environments.
    options.environment_is_optional = true;
    options.purpose = Purpose::Check;
    options.grouping = Grouping::None;
    options
}

/// Serves one session. `None` if the editor has left before it began.
fn serve(sender: Sender<Outgoing>, messages: &Receiver<Message>, options: Options) -> Option<bool> {
    let Request { id, params, .. } = initialize(&sender, messages)?;
    let abilities = Abilities::of(&params);
    let result = lsp::InitializeResult {
        capabilities: capabilities(abilities),
        server_info: Some(lsp::ServerInfo {
            name: "sandboxc".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    let response_result = Ok(client::value_of(result));
    sender.send(Some(Message::Response(Response { id, response_result }))).ok()?;
    let client = Arc::new(Client::new(sender, abilities));
    let shared = Arc::new(Shared::default());
    {
        let mut state = shared.lock();
        state.folders = folders(&params);
        state.hints_off =
            params.get("initializationOptions").map_or_else(Vec::new, commands::hints_off);
    }
    let jobs = Jobs::start(&client, &shared);
    let (checker, server) = (Arc::clone(&shared), Arc::clone(&client));
    let (checks, of_checks) = (Arc::clone(&jobs), options.clone());
    Checker { shared: checker, client: server, jobs: checks, options: of_checks, check: compile }
        .start();
    Some(Server { client, shared, jobs, options }.run(messages))
}

/// Waits for the first request. All others before it are rejected, as the protocol requires.
fn initialize(sender: &Sender<Outgoing>, messages: &Receiver<Message>) -> Option<Request> {
    for message in messages {
        match message {
            Message::Request(request) if request.method == "initialize" => return Some(request),
            Message::Request(Request { id, .. }) => {
                let error = failure(ErrorCode::ServerNotInitialized, "`initialize` is missing");
                let response = Response { id, response_result: Err(error) };
                sender.send(Some(Message::Response(response))).ok()?;
            }
            Message::Notification(it) if it.method == "exit" => return None,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    None
}

/// The folders of the editor.
fn folders(params: &Value) -> Vec<PathBuf> {
    let folders = params.get("workspaceFolders").and_then(Value::as_array);
    let uris = folders.into_iter().flatten().filter_map(|folder| folder.get("uri")?.as_str());
    let mut found: Vec<_> = uris.filter_map(path_of).collect();
    if found.is_empty() {
        found.extend(params.get("rootUri").and_then(Value::as_str).and_then(path_of));
    }
    found
}

fn capabilities(abilities: Abilities) -> lsp::ServerCapabilities {
    let encoding = match abilities.encoding {
        Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
        Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
    };
    let kinds = ["quickfix", "refactor.extract", "refactor.inline", FIX_ALL];
    let kinds = kinds.map(lsp::CodeActionKind::new).to_vec();
    lsp::ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(lsp::TextDocumentSync::Options(lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::Incremental),
            save: Some(lsp::Save::Bool(true)),
            ..lsp::TextDocumentSyncOptions::default()
        })),
        code_action_provider: Some(lsp::CodeActionProvider::CodeActionOptions(
            lsp::CodeActionOptions {
                code_action_kinds: Some(kinds),
                ..lsp::CodeActionOptions::default()
            },
        )),
        document_formatting_provider: Some(true.into()),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some([" ", ".", "{", "[", "/"].map(str::to_owned).to_vec()),
            ..lsp::CompletionOptions::default()
        }),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        rename_provider: Some(lsp::RenameProvider::RenameOptions(lsp::RenameOptions {
            prepare_provider: Some(true),
            ..lsp::RenameOptions::default()
        })),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        document_link_provider: Some(lsp::DocumentLinkOptions::default()),
        inlay_hint_provider: Some(true.into()),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: commands::NAMES.map(str::to_owned).to_vec(),
            ..lsp::ExecuteCommandOptions::default()
        }),
        diagnostic_provider: abilities.pulls.then(|| {
            lsp::DiagnosticProvider::DiagnosticOptions(lsp::DiagnosticOptions {
                identifier: Some("sandboxc".to_owned()),
                inter_file_dependencies: true,
                ..lsp::DiagnosticOptions::default()
            })
        }),
        workspace: Some(lsp::WorkspaceOptions {
            workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(lsp::ChangeNotifications::Bool(true)),
            }),
            file_operations: Some(watching::file_operations()),
            ..lsp::WorkspaceOptions::default()
        }),
        ..lsp::ServerCapabilities::default()
    }
}
