//! Isolation of panics: one ends the answer or the check in which it happens, and not the session.
//!
//! It is a fault of the program, and the text that caused it may be different after the next key. The
//! profile `release` aborts on a panic; `dist`, that of the packages, does not.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs an answer or a check. If it panics, the result is the message of the panic; its place is on
/// standard error.
///
/// What it has changed meanwhile must be discarded: the caches of documents
/// ([`renew`](super::state::State::renew)). Everything else that outlives it is replaced as a whole, under a lock
/// that ignores poisoning.
pub(super) fn isolated<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        format!("internal error of sandboxc, please report it: {text}")
    })
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::sync::mpsc::{self, Receiver};

    use lsp_server::{ErrorCode, Message, Request, RequestId, Response};
    use sandboxc::{Options, compile};
    use serde_json::{Value, json};

    use crate::cli::lsp::checker::Checker;
    use crate::cli::lsp::client::{Abilities, Client, Outgoing};
    use crate::cli::lsp::document::Document;
    use crate::cli::lsp::jobs::Jobs;
    use crate::cli::lsp::server::Server;
    use crate::cli::lsp::state::Shared;

    const URI: &str = "untitled:a";
    const FAULTY: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndate: {}\n";

    /// A server without its loop and without the thread of its checks.
    fn server() -> (Server, Receiver<Outgoing>) {
        let (sender, sent) = mpsc::channel();
        let client = Arc::new(Client::new(sender, Abilities::of(&Value::Null)));
        let shared = Arc::new(Shared::default());
        let jobs = Jobs::start(&client, &shared);
        (Server { client, shared, jobs, options: Options::default() }, sent)
    }

    fn open(server: &Server, text: &str) {
        let document = Document::new(URI.to_owned(), 1, text);
        server.shared.lock().open(PathBuf::from(URI), false, document);
    }

    /// The next message; a server that has stopped sends none.
    fn next(sent: &Receiver<Outgoing>) -> Message {
        sent.recv_timeout(std::time::Duration::from_mins(1)).unwrap().unwrap()
    }

    fn answer(sent: &Receiver<Outgoing>, id: i32) -> Result<Value, i32> {
        match next(sent) {
            Message::Response(Response { id: of, response_result })
                if of == RequestId::from(id) =>
            {
                response_result.map_err(|it| it.code)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_panic_ends_one_answer() {
        let (server, sent) = server();
        // More than there are threads.
        for id in 0..5 {
            let id = RequestId::from(id);
            server.client.begin(&id);
            let shared = Arc::clone(&server.shared);
            server.jobs.add(id, move || {
                let _poisoned = shared.lock();
                panic!("for a test")
            });
        }
        let mut failed: Vec<_> = (0..5).map(|_| next(&sent)).collect();
        failed.retain(|it| match it {
            Message::Response(Response { response_result: Err(it), .. }) => {
                it.code == ErrorCode::InternalError as i32 && it.message.ends_with("for a test")
            }
            _ => false,
        });
        assert_eq!(failed.len(), 5);

        open(&server, FAULTY);
        let params = json!({"textDocument": {"uri": URI}});
        let method = "textDocument/documentSymbol".to_owned();
        server.request(Request { id: 9.into(), method, params });
        assert_eq!(answer(&sent, 9).unwrap()[0]["name"], "a");
    }

    #[test]
    fn a_panic_ends_one_check() {
        let (server, sent) = server();
        let checker = Checker {
            shared: Arc::clone(&server.shared),
            client: Arc::clone(&server.client),
            jobs: Arc::clone(&server.jobs),
            options: Options::default(),
            check: |workspace, options| {
                let text = workspace.ids().map(|it| workspace.file(it).text());
                assert!(!text.collect::<String>().contains("# panic"), "for a test");
                compile(workspace, options)
            },
        };
        let step = || checker.step();
        open(&server, FAULTY);
        // The first step reads the files.
        assert!(step() && step());
        let shown = next(&sent);
        assert!(format!("{shown:?}").contains("unknown-field"), "{shown:?}");

        open(&server, &FAULTY.replace("\nkind", " # panic\nkind"));
        let params = json!({"textDocument": {"uri": URI}});
        let request = |id: i32| Request {
            id: id.into(),
            method: "textDocument/diagnostic".to_owned(),
            params: params.clone(),
        };
        server.request(request(1));
        assert!(step());
        let Message::Notification(log) = next(&sent) else { panic!("a notification") };
        assert_eq!(log.method, "window/logMessage");
        assert!(log.params["message"].as_str().unwrap().ends_with("for a test"));
        assert_eq!(answer(&sent, 1), Err(ErrorCode::InternalError as i32));
        // The same text is not checked again.
        assert!(server.shared.lock().task().is_none());
        server.request(request(2));
        assert_eq!(answer(&sent, 2), Err(ErrorCode::InternalError as i32));
        let uri = server.shared.lock().documents.get(Path::new(URI)).map(|it| it.root.clone());
        let published = server.shared.lock().projects[&uri.unwrap()].published.len();
        assert_eq!(published, 1, "the earlier findings stay");

        open(&server, &FAULTY.replace("date: {}\n", ""));
        server.request(request(3));
        assert!(step());
        let shown = next(&sent);
        assert!(format!("{shown:?}").contains("publishDiagnostics"), "{shown:?}");
        assert_eq!(answer(&sent, 3).unwrap()["items"], json!([]));
    }
}
