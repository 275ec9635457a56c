//! The loop that handles the messages of the editor, one after the other. It never waits for a check.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, ResponseError};
use sandboxc::{Options, PROJECT_FILE};
use serde_json::{Value, json};

use super::address::path_of;
use super::answers::{self, read};
use super::changes;
use super::client::{Answer, Client, failure};
use super::commands;
use super::document::Document;
use super::indexed::Indexed;
use super::insights;
use super::jobs::{Job, Jobs};
use super::question::Question;
use super::state::{Checked, Project, Shared, State};
use super::watching;

/// The server, after the handshake.
pub(super) struct Server {
    pub(super) client: Arc<Client>,
    pub(super) shared: Arc<Shared>,
    pub(super) jobs: Arc<Jobs>,
    pub(super) options: Options,
}

impl Server {
    /// Handles messages until the session ends. Returns whether the editor has ended it properly.
    pub(super) fn run(&self, messages: &Receiver<Message>) -> bool {
        let mut is_shut_down = false;
        for message in messages {
            match message {
                Message::Request(request) if is_shut_down => {
                    let error = failure(ErrorCode::InvalidRequest, "the server was shut down");
                    self.client.begin(&request.id);
                    self.client.answer(request.id, Err(error));
                }
                Message::Request(Request { id, method, .. }) if method == "shutdown" => {
                    is_shut_down = true;
                    self.client.begin(&id);
                    self.client.answer(id, Ok(Value::Null));
                }
                Message::Request(request) => self.request(request),
                Message::Notification(it) if it.method == "exit" => break,
                Message::Notification(notification) => self.notification(notification),
                // An older client answers a registration with an error, and is not watched.
                Message::Response(_) => {}
            }
        }
        self.shared.lock().is_ended = true;
        self.shared.changed.notify_all();
        is_shut_down
    }

    pub(super) fn request(&self, Request { id, method, params }: Request) {
        self.client.begin(&id);
        let abilities = self.client.abilities;
        let path = params.pointer("/textDocument/uri").and_then(Value::as_str).map(key);
        match method.as_str() {
            "workspace/symbol" => return self.workspace_symbols(id, &params),
            "workspace/executeCommand" => return self.command(id, &params),
            "initialize" => {
                let error = failure(ErrorCode::InvalidRequest, "the session has begun already");
                return self.client.answer(id, Err(error));
            }
            _ => {}
        }
        let Some(path) = path else {
            let error = if is_about_document(&method) {
                failure(ErrorCode::InvalidParams, "missing parameter `textDocument`")
            } else {
                unknown_method(&method)
            };
            return self.client.answer(id, Err(error));
        };
        match method.as_str() {
            "textDocument/diagnostic" => self.when_checked(id, path, move |checked, file| {
                Ok(answers::diagnostics(checked, file, abilities))
            }),
            "textDocument/codeAction" => {
                let snapshot = self.shared.lock().snapshot(&path);
                let (kubernetes, shared) = (self.options.kubernetes, Arc::clone(&self.shared));
                self.when_checked(id, path.clone(), move |checked, file| {
                    let params = read(params)?;
                    let mut actions = answers::code_actions(checked, file, &params, abilities);
                    if let Some(mut snapshot) = snapshot {
                        // The check has read the files since.
                        shared.complete(&mut snapshot);
                        let indexed = Indexed::new(snapshot, kubernetes, abilities.encoding);
                        let more =
                            changes::of(&indexed, (checked, file, &path), &params, abilities);
                        actions.extend(more);
                    }
                    Ok(Value::Array(actions))
                });
            }
            "textDocument/formatting" => {
                self.about_text(id, &path, move |text| Ok(answers::formatting(text, abilities)));
            }
            _ => self.about_project(id, &method, path, params),
        }
    }

    /// Answers a request from the outlines of a project, which needs no check.
    fn about_project(&self, id: RequestId, method: &str, path: PathBuf, params: Value) {
        let Some(question) = Question::of(method) else {
            return self.client.answer(id, Err(unknown_method(method)));
        };
        let (snapshot, off) = {
            let state = self.shared.lock();
            (state.snapshot(&path), state.hints_off.clone())
        };
        let Some(snapshot) = snapshot else { return self.client.answer(id, Err(not_open())) };
        let (abilities, options) = (self.client.abilities, self.options.clone());
        let shared = Arc::clone(&self.shared);
        self.jobs.add_urgent(id, move || {
            let mut snapshot = snapshot;
            shared.complete(&mut snapshot);
            let indexed = Indexed::new(snapshot, options.kubernetes, abilities.encoding);
            let file = indexed.number(&path).ok_or_else(not_open)?;
            question.answer(&indexed, (file, &path), &params, &options, (abilities, &off))
        });
    }

    /// Runs a command: the objects of a document as `build` or `effective` prints them.
    fn command(&self, id: RequestId, params: &Value) {
        let command = commands::Show::of(params);
        let (Some(command), options) = (command, self.options.clone()) else {
            let error = failure(ErrorCode::InvalidParams, "unknown command, or no document");
            return self.client.answer(id, Err(error));
        };
        let encoding = self.client.abilities.encoding;
        self.when_checked(id, key(&command.uri), move |checked, file| {
            Ok(command.text(checked, file, &options, encoding))
        });
    }

    fn workspace_symbols(&self, id: RequestId, params: &Value) {
        let query = params.get("query").and_then(Value::as_str).unwrap_or("").to_owned();
        let snapshots = self.shared.lock().snapshots();
        let (kubernetes, encoding) = (self.options.kubernetes, self.client.abilities.encoding);
        self.jobs.add(id, move || {
            let indexed = snapshots.into_iter().map(|it| Indexed::new(it, kubernetes, encoding));
            Ok(insights::workspace_symbols(&indexed.collect::<Vec<_>>(), &query))
        });
    }

    /// Answers a request once the project of a document has been checked in its current state.
    fn when_checked(
        &self,
        id: RequestId,
        path: PathBuf,
        answer: impl FnOnce(&Checked, sandboxc::FileId) -> Answer + Send + 'static,
    ) {
        let mut state = self.shared.lock();
        let root = state.documents.get(&path).map(|open| open.root.clone());
        let Some(project) = root.and_then(|it| state.projects.get_mut(&it)) else {
            drop(state);
            return self.client.answer(id, Err(not_open()));
        };
        let answer: Box<dyn FnOnce(&Checked) -> Answer + Send> =
            Box::new(move |checked| match checked.texts.file(&path) {
                Some(file) => answer(checked, file),
                None => Err(not_open()),
            });
        let current = project.checked.clone().filter(|it| it.generation == project.generation);
        if let Some(checked) = current {
            self.jobs.add(id, move || answer(&checked));
        } else if project.has_failed() {
            drop(state);
            let error = failure(ErrorCode::InternalError, "the check of this text has failed");
            self.client.answer(id, Err(error));
        } else {
            let generation = project.generation;
            project.waiting.push(Job { id, generation, answer });
        }
    }

    /// Answers a request about the text of a document.
    fn about_text(
        &self,
        id: RequestId,
        path: &PathBuf,
        answer: impl FnOnce(&str) -> Answer + Send + 'static,
    ) {
        let text = self.shared.lock().documents.get(path).map(|open| open.document.text.clone());
        match text {
            Some(text) => self.jobs.add(id, move || answer(&text)),
            None => self.client.answer(id, Err(not_open())),
        }
    }

    pub(super) fn notification(&self, Notification { method, params }: Notification) {
        let handled = match method.as_str() {
            "initialized" => {
                self.watch();
                Ok(())
            }
            "$/cancelRequest" => {
                if let Some(id) = insights::parameter(&params, "/id") {
                    self.client.cancel(id);
                }
                Ok(())
            }
            "textDocument/didOpen" => read(params).map(|it| self.open(it)),
            "textDocument/didChange" => read(params).map(|it| self.change(it)),
            "textDocument/didClose" => read(params).map(|it| self.close(&it)),
            "textDocument/didSave" => read(params).map(|it| self.save(&it)),
            "workspace/didChangeWatchedFiles" => {
                read(params).map(|it: lsp::DidChangeWatchedFilesParams| {
                    let paths = it.changes.iter().filter_map(|it| path_of(&it.uri.0));
                    self.files_changed(&paths.collect::<Vec<_>>());
                })
            }
            "workspace/didCreateFiles"
            | "workspace/didRenameFiles"
            | "workspace/didDeleteFiles" => {
                self.files_changed(&watching::moved(&params));
                Ok(())
            }
            "workspace/didChangeConfiguration" => {
                if let Some(settings) = params.pointer("/settings/sandboxc") {
                    self.shared.lock().hints_off = commands::hints_off(settings);
                }
                Ok(())
            }
            "workspace/didChangeWorkspaceFolders" => read(params).map(|it| self.folders(&it)),
            // Notifications that are not known are ignored, as the protocol requires.
            _ => Ok(()),
        };
        if let Err(ResponseError { message, .. }) = handled {
            self.client.log(&format!("{method}: {message}"));
        }
        self.shared.changed.notify_all();
    }

    /// Asks the editor to watch the files that a check reads.
    fn watch(&self) {
        if self.client.abilities.watches {
            watching::register(&self.client);
        }
    }

    fn open(
        &self,
        lsp::DidOpenTextDocumentParams { text_document }: lsp::DidOpenTextDocumentParams,
    ) {
        let lsp::TextDocumentItem { uri, version, text, .. } = text_document;
        let (path, is_file) = (key(&uri.0), path_of(&uri.0).is_some());
        let document = Document::new(uri.0, version, text);
        let mut state = self.shared.lock();
        state.open(path, is_file, document);
        self.reread(&mut state);
    }

    fn change(&self, params: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { version, text_document_identifier } =
            params.text_document;
        let path = key(&text_document_identifier.uri.0);
        let mut state = self.shared.lock();
        if let Some(open) = state.documents.get_mut(&path) {
            let was_too_large = open.document.is_too_large();
            open.document.change(version, params.content_changes, self.client.abilities.encoding);
            // Its only finding stays.
            if !(was_too_large && open.document.is_too_large()) {
                let root = open.root.clone();
                state.touch(&root);
            }
        }
    }

    fn close(&self, params: &lsp::DidCloseTextDocumentParams) {
        let mut state = self.shared.lock();
        let closed = state.close(&key(&params.text_document.uri.0));
        self.leave(&state, closed);
    }

    /// Takes back the findings of projects without open documents, except for those that other projects
    /// have.
    fn leave(&self, state: &State, projects: impl IntoIterator<Item = Project>) {
        for Project { published, waiting, .. } in projects {
            for uri in published.into_keys() {
                if !state.shows(&uri) {
                    let params = json!({"uri": uri, "diagnostics": []});
                    self.client.notify("textDocument/publishDiagnostics", params);
                }
            }
            for job in waiting {
                self.client.answer(job.id, Err(not_open()));
            }
        }
    }

    fn save(&self, params: &lsp::DidSaveTextDocumentParams) {
        let path = key(&params.text_document.uri.0);
        let mut state = self.shared.lock();
        // A Project can name other files.
        if path.file_name().is_some_and(|it| it == PROJECT_FILE) {
            let left = state.find_roots();
            self.leave(&state, left);
        }
        self.reread(&mut state);
    }

    /// Reads all files again for a client that does not watch them.
    fn reread(&self, state: &mut State) {
        if !self.client.abilities.watches {
            state.forget_files();
        }
    }

    fn files_changed(&self, paths: &[PathBuf]) {
        let mut state = self.shared.lock();
        let left = state.files_changed(paths);
        self.leave(&state, left);
    }

    fn folders(&self, params: &lsp::DidChangeWorkspaceFoldersParams) {
        let paths = |folders: &[lsp::WorkspaceFolder]| -> Vec<PathBuf> {
            folders.iter().filter_map(|folder| path_of(folder.uri.as_ref())).collect()
        };
        let removed = paths(&params.event.removed);
        let mut state = self.shared.lock();
        state.folders.retain(|it| !removed.contains(it));
        state.folders.extend(paths(&params.event.added));
        let left = state.find_roots();
        self.leave(&state, left);
    }
}

/// The path of a document, or its URI if it is not a file.
fn key(uri: &str) -> PathBuf {
    path_of(uri).unwrap_or_else(|| PathBuf::from(uri))
}

/// Whether a method is a request about a document.
fn is_about_document(method: &str) -> bool {
    let is_of_check = ["diagnostic", "codeAction", "formatting"];
    let name = method.strip_prefix("textDocument/");
    Question::of(method).is_some() || name.is_some_and(|name| is_of_check.contains(&name))
}

fn unknown_method(method: &str) -> ResponseError {
    failure(ErrorCode::MethodNotFound, format!("no method `{method}`"))
}

fn not_open() -> ResponseError {
    failure(ErrorCode::InvalidParams, "the document is not open")
}
