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
    use std::path::Path;
    use std::sync::Arc;

    use lsp_server::{ErrorCode, Message, Request, RequestId, Response};
    use sandboxc::compile;
    use serde_json::json;

    use crate::cli::lsp::harness::{Harness, URI};

    const FAULTY: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndate: {}\n";

    #[test]
    fn a_panic_ends_one_answer() {
        let harness = Harness::new();
        let server = &harness.server;
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
        let mut failed: Vec<_> = (0..5).map(|_| harness.next()).collect();
        failed.retain(|it| match it {
            Message::Response(Response { response_result: Err(it), .. }) => {
                it.code == ErrorCode::InternalError as i32 && it.message.ends_with("for a test")
            }
            _ => false,
        });
        assert_eq!(failed.len(), 5);

        harness.open(FAULTY);
        let params = json!({"textDocument": {"uri": URI}});
        let method = "textDocument/documentSymbol".to_owned();
        server.request(Request { id: 9.into(), method, params });
        assert_eq!(harness.answer(9).unwrap()[0]["name"], "a");
    }

    #[test]
    fn a_panic_ends_one_check() {
        let mut harness = Harness::new();
        harness.checker.check = |workspace, options| {
            let text = workspace.ids().map(|file| workspace.file(file).text());
            assert!(!text.collect::<String>().contains("# panic"), "for a test");
            compile(workspace, options)
        };
        let harness = harness;
        let request = |id: i32| {
            let params = json!({"textDocument": {"uri": URI}});
            let method = "textDocument/diagnostic".to_owned();
            harness.server.request(Request { id: id.into(), method, params });
        };
        harness.open(FAULTY);
        // The first step reads the files.
        assert!(harness.checker.step() && harness.checker.step());
        let shown = harness.notification("textDocument/publishDiagnostics");
        assert_eq!(shown["diagnostics"][0]["code"], "unknown-field");

        harness.open(&FAULTY.replace("\nkind", " # panic\nkind"));
        request(1);
        assert!(harness.checker.step());
        let log = harness.notification("window/logMessage");
        assert!(log["message"].as_str().unwrap().ends_with("for a test"));
        let failed = Err(ErrorCode::InternalError as i32);
        assert_eq!(harness.answer(1), failed);
        assert!(!harness.has_task(), "the same text is not checked again");
        request(2);
        assert_eq!(harness.answer(2), failed);
        {
            let state = harness.server.shared.lock();
            let project = &state.projects[&state.documents[Path::new(URI)].root];
            assert_eq!(project.published.len(), 1, "the earlier findings stay");
        }

        harness.open(&FAULTY.replace("date: {}\n", ""));
        request(3);
        assert!(harness.checker.step());
        let shown = harness.notification("textDocument/publishDiagnostics");
        assert_eq!(shown["diagnostics"], json!([]));
        assert_eq!(harness.answer(3).unwrap()["items"], json!([]));
    }
}
