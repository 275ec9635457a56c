//! A client of the language server: the built binary, over its pipes.

use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use crate::support::binary;

/// The time after which a message that does not arrive is missing. The machine may be busy.
const LONG: Duration = Duration::from_mins(2);

/// A session with the server.
pub(crate) struct Client {
    child: Child,
    stdin: Option<BufWriter<ChildStdin>>,
    messages: Receiver<Message>,
    /// The messages that arrived while another one was awaited.
    early: Vec<Message>,
    last_id: i32,
}

/// What a client without special abilities says.
pub(crate) fn plain() -> Value {
    json!({"textDocument": {"publishDiagnostics": {"relatedInformation": true}},
           "workspace": {"workspaceEdit": {"documentChanges": true}}})
}

/// The URI of a file in a directory.
pub(crate) fn uri(folder: &Path, name: &str) -> String {
    format!("file://{}", folder.join(name).display())
}

impl Client {
    /// Starts a server and shakes hands. Returns the capabilities of the server as well.
    pub(crate) fn start(folder: &Path, capabilities: &Value) -> (Self, Value) {
        let mut client = Self::spawn(&[]);
        let params = json!({
            "processId": null,
            "rootUri": null,
            "workspaceFolders": [{"uri": uri(folder, "").trim_end_matches('/'), "name": "w"}],
            "capabilities": capabilities,
        });
        let result = client.ask("initialize", params);
        client.notify("initialized", json!({}));
        (client, result["capabilities"].clone())
    }

    /// Starts a server without a handshake.
    pub(crate) fn spawn(arguments: &[&str]) -> Self {
        let mut command = Command::new(binary());
        command.arg("lsp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut stdout) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take().map(BufWriter::new);
        Self { child, stdin, messages, early: Vec::new(), last_id: 0 }
    }

    pub(crate) fn send(&mut self, message: &Message) {
        message.write(self.stdin.as_mut().unwrap()).unwrap();
    }

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&mut self, text: &str) {
        use std::io::Write as _;
        let stdin = self.stdin.as_mut().unwrap();
        write!(stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&Message::Notification(Notification { method: method.to_owned(), params }));
    }

    /// Sends a request without awaiting its answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> RequestId {
        self.last_id += 1;
        let id = RequestId::from(self.last_id);
        self.send(&Message::Request(Request { id: id.clone(), method: method.to_owned(), params }));
        id
    }

    /// Sends a request and awaits its answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.answer(&id).unwrap()
    }

    /// Awaits the answer to a request.
    pub(crate) fn answer(&mut self, id: &RequestId) -> Result<Value, i32> {
        let is_answer = |it: &Message| matches!(it, Message::Response(it) if it.id == *id);
        match self.next(is_answer) {
            Message::Response(Response { response_result, .. }) => {
                response_result.map_err(|it| it.code)
            }
            _ => unreachable!(),
        }
    }

    /// Awaits the error that answers a request: its code and its message.
    pub(crate) fn failure(&mut self, id: &RequestId) -> (i32, String) {
        let is_answer = |it: &Message| matches!(it, Message::Response(it) if it.id == *id);
        match self.next(is_answer) {
            Message::Response(Response { response_result: Err(error), .. }) => {
                (error.code, error.message)
            }
            other => panic!("{other:?}"),
        }
    }

    /// Awaits a notification.
    pub(crate) fn notification(&mut self, method: &str) -> Value {
        let is_it = |it: &Message| matches!(it, Message::Notification(it) if it.method == method);
        match self.next(is_it) {
            Message::Notification(it) => it.params,
            _ => unreachable!(),
        }
    }

    /// Awaits the message of a notification that contains a text.
    pub(crate) fn message(&mut self, method: &str, text: &str) -> String {
        loop {
            let params = self.notification(method);
            let message = params["message"].as_str().unwrap();
            if message.contains(text) {
                return message.to_owned();
            }
        }
    }

    /// Awaits a request of the server.
    pub(crate) fn asked(&mut self, method: &str) -> Value {
        let is_it = |it: &Message| matches!(it, Message::Request(it) if it.method == method);
        match self.next(is_it) {
            Message::Request(it) => it.params,
            _ => unreachable!(),
        }
    }

    /// Awaits the findings of a document, for one of its versions.
    pub(crate) fn findings(&mut self, uri: &str, version: Option<i32>) -> Vec<Value> {
        let is_it = |it: &Message| {
            matches!(it, Message::Notification(it) if it.method == "textDocument/publishDiagnostics"
                && it.params["uri"] == uri
                && version.is_none_or(|version| it.params["version"] == version))
        };
        match self.next(is_it) {
            Message::Notification(it) => it.params["diagnostics"].as_array().unwrap().clone(),
            _ => unreachable!(),
        }
    }

    fn next(&mut self, is_it: impl Fn(&Message) -> bool) -> Message {
        if let Some(at) = self.early.iter().position(&is_it) {
            return self.early.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(LONG).expect("the server sends a message");
            if is_it(&message) {
                return message;
            }
            self.early.push(message);
        }
    }

    /// The messages so far that nothing has awaited.
    pub(crate) fn unread(&mut self) -> Vec<Message> {
        self.early.extend(self.messages.try_iter());
        std::mem::take(&mut self.early)
    }

    pub(crate) fn open(&mut self, uri: &str, version: i32, text: &str) {
        let document = json!({"uri": uri, "languageId": "yaml", "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Replaces a range of lines and characters.
    pub(crate) fn change(&mut self, uri: &str, version: i32, range: [u32; 4], text: &str) {
        let [line, character, end_line, end] = range;
        let range = json!({"start": {"line": line, "character": character},
                           "end": {"line": end_line, "character": end}});
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": version},
                   "contentChanges": [{"range": range, "text": text}]}),
        );
    }

    pub(crate) fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }

    /// Ends the session. Returns the exit status.
    pub(crate) fn stop(mut self) -> i32 {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.exit()
    }

    /// Ends the session at once. Returns the exit status.
    pub(crate) fn exit(mut self) -> i32 {
        self.notify("exit", Value::Null);
        self.stdin = None;
        self.child.wait().unwrap().code().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // After a failed assertion the server may still run.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
