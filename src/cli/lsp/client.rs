//! The connection to the editor, and the abilities that it has.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use serde::Serialize;
use serde_json::{Value, json};

use super::framing::{self, Fault};
use super::position::Encoding;

/// A message to write; `None` after the last one.
pub(super) type Outgoing = Option<Message>;

/// The result of a request, or the reason why there is none.
pub(super) type Answer = Result<Value, ResponseError>;

/// The maximum length of a message about a fault, in bytes.
const LONGEST: usize = 1_000;

/// The editor.
pub(super) struct Client {
    sender: Sender<Outgoing>,
    pub(super) abilities: Abilities,
    /// The requests without an answer so far.
    pending: Mutex<BTreeSet<RequestId>>,
    last_id: AtomicI32,
}

/// What the editor can do.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an ability of its own")]
pub(super) struct Abilities {
    pub(super) encoding: Encoding,
    /// It requests the findings of open documents.
    pub(super) pulls: bool,
    /// It requests them again when the server reports that they have changed.
    pub(super) refreshes: bool,
    /// It watches files for the server.
    pub(super) watches: bool,
    /// An edit can name the version of a document.
    pub(super) versioned_edits: bool,
    /// It shows changes before it makes them, if they have a label.
    pub(super) annotations: bool,
    /// It shows related places.
    pub(super) related: bool,
    /// It fills in the places of a snippet.
    pub(super) snippets: bool,
}

/// A value of the protocol as JSON. Serialization only fails for a map with keys that are not strings.
pub(super) fn value_of(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

impl Abilities {
    /// Reads the parameters of `initialize`. They are read leniently: clients differ in details that are
    /// never used here.
    pub(super) fn of(params: &Value) -> Self {
        let at = |path: &str| params.pointer(&format!("/capabilities/{path}"));
        let is = |path: &str| at(path).and_then(Value::as_bool) == Some(true);
        let encodings = at("general/positionEncodings").and_then(Value::as_array);
        let has_utf8 = encodings.is_some_and(|it| it.iter().any(|it| it == "utf-8"));
        Self {
            encoding: if has_utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            pulls: at("textDocument/diagnostic").is_some_and(Value::is_object),
            refreshes: is("workspace/diagnostics/refreshSupport")
                || is("workspace/diagnostic/refreshSupport"),
            watches: is("workspace/didChangeWatchedFiles/dynamicRegistration"),
            versioned_edits: is("workspace/workspaceEdit/documentChanges"),
            annotations: is("workspace/workspaceEdit/documentChanges")
                && at("workspace/workspaceEdit/changeAnnotationSupport")
                    .is_some_and(Value::is_object),
            related: is("textDocument/publishDiagnostics/relatedInformation")
                || is("textDocument/diagnostic/relatedInformation"),
            snippets: is("textDocument/completion/completionItem/snippetSupport"),
        }
    }
}

impl Client {
    pub(super) fn new(sender: Sender<Outgoing>, abilities: Abilities) -> Self {
        Self { sender, abilities, pending: Mutex::default(), last_id: AtomicI32::new(0) }
    }

    fn pending(&self) -> MutexGuard<'_, BTreeSet<RequestId>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request, which is answered once.
    pub(super) fn begin(&self, id: &RequestId) {
        self.pending().insert(id.clone());
    }

    /// Whether a request still has to be answered.
    pub(super) fn waits_for(&self, id: &RequestId) -> bool {
        self.pending().contains(id)
    }

    /// Answers a request, unless it was answered or canceled.
    pub(super) fn answer(&self, id: RequestId, response_result: Answer) {
        if self.pending().remove(&id) {
            self.send(Message::Response(Response { id, response_result }));
        }
    }

    /// Ends a request that the editor has canceled.
    pub(super) fn cancel(&self, id: RequestId) {
        self.answer(id, Err(failure(ErrorCode::RequestCanceled, "canceled by the client")));
    }

    pub(super) fn notify(&self, method: &str, params: impl Serialize) {
        let params = value_of(params);
        self.send(Message::Notification(Notification { method: method.to_owned(), params }));
    }

    /// Adds an error to the log that the editor keeps of the server.
    pub(super) fn log(&self, message: &str) {
        self.send(log(message));
    }

    /// Sends a request. Its answer is not used.
    pub(super) fn request(&self, method: &str, params: Value) {
        let id = RequestId::from(format!("sandboxc-{}", self.last_id.fetch_add(1, Relaxed)));
        self.send(Message::Request(Request { id, method: method.to_owned(), params }));
    }

    fn send(&self, message: Message) {
        // The writer only ends with the connection.
        let _ = self.sender.send(Some(message));
    }
}

/// The reason why a request has no result.
pub(super) fn failure(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    let mut message = message.into();
    // It can quote what the client has sent.
    message.truncate(message.floor_char_boundary(LONGEST));
    ResponseError { code: code as i32, message, data: None }
}

/// An error in the log that the editor keeps of the server.
fn log(message: &str) -> Message {
    let message = message.get(..message.floor_char_boundary(LONGEST));
    let params = json!({"type": 1, "message": message});
    Message::Notification(Notification { method: "window/logMessage".to_owned(), params })
}

/// The two directions of standard input and output.
pub(super) struct Connection {
    pub(super) sender: Sender<Outgoing>,
    pub(super) receiver: Receiver<Message>,
    pub(super) writer: JoinHandle<io::Result<()>>,
}

impl Connection {
    /// Starts to read and write messages.
    pub(super) fn of_process() -> Self {
        let (sender, to_write) = mpsc::channel::<Outgoing>();
        let (to_handle, receiver) = mpsc::channel();
        let writer = thread::spawn(move || {
            let mut stdout = io::stdout().lock();
            to_write.into_iter().map_while(|it| it).try_for_each(|it| it.write(&mut stdout))
        });
        let complaints = sender.clone();
        thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            loop {
                match framing::read(&mut stdin) {
                    Ok(Some(Ok(message))) => {
                        if to_handle.send(message).is_err() {
                            return;
                        }
                    }
                    // A message that cannot be read ends neither the session nor the ones after it.
                    Ok(Some(Err(Fault { id, reason }))) => {
                        let _ = complaints.send(Some(match id {
                            Some(id) => {
                                let error = failure(ErrorCode::InvalidRequest, reason);
                                Message::Response(Response { id, response_result: Err(error) })
                            }
                            None => log(&reason),
                        }));
                    }
                    Ok(None) => return,
                    Err(error) => {
                        let _ = complaints.send(Some(log(&error.to_string())));
                        return;
                    }
                }
            }
        });
        Self { sender, receiver, writer }
    }
}
