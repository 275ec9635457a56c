//! A server for unit tests: without its loop, and without the thread of its checks.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use lsp_server::{Message, RequestId, Response};
use sandboxc::{Options, compile};
use serde_json::Value;

use super::checker::Checker;
use super::client::{Abilities, Client, Outgoing};
use super::document::Document;
use super::jobs::Jobs;
use super::server::Server;
use super::state::Shared;

pub(super) const URI: &str = "untitled:a";

/// A server, the checks of its documents, and what it sends.
pub(super) struct Harness {
    pub(super) server: Server,
    pub(super) checker: Checker,
    sent: Receiver<Outgoing>,
}

impl Harness {
    pub(super) fn new() -> Self {
        let (sender, sent) = mpsc::channel();
        let client = Arc::new(Client::new(sender, Abilities::of(&Value::Null)));
        let shared = Arc::new(Shared::default());
        let jobs = Jobs::start(&client, &shared);
        let options = Options::default();
        let checker = Checker {
            shared: Arc::clone(&shared),
            client: Arc::clone(&client),
            jobs: Arc::clone(&jobs),
            options: options.clone(),
            check: compile,
        };
        Self { server: Server { client, shared, jobs, options }, checker, sent }
    }

    pub(super) fn open(&self, text: &str) {
        let document = Document::new(URI.to_owned(), 1, text);
        self.server.shared.lock().open(PathBuf::from(URI), false, document);
    }

    /// Whether a project must be read or checked.
    pub(super) fn has_task(&self) -> bool {
        self.server.shared.lock().task().is_some()
    }

    /// The next message; a server that has stopped sends none.
    pub(super) fn next(&self) -> Message {
        self.sent.recv_timeout(Duration::from_mins(1)).unwrap().unwrap()
    }

    /// The parameters of the next message, a notification.
    pub(super) fn notification(&self, method: &str) -> Value {
        match self.next() {
            Message::Notification(it) if it.method == method => it.params,
            other => panic!("{other:?}"),
        }
    }

    /// The next message, an answer.
    pub(super) fn answer(&self, id: i32) -> Result<Value, i32> {
        match self.next() {
            Message::Response(Response { id: of, response_result })
                if of == RequestId::from(id) =>
            {
                response_result.map_err(|it| it.code)
            }
            other => panic!("{other:?}"),
        }
    }
}
