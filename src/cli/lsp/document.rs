//! An open document: the text that the editor shows, which may not be in a file yet.

use std::sync::{Arc, OnceLock};

use gen_lsp_types as lsp;
use sandboxc::ide::Outline;
use sandboxc::{LARGEST_FILE, LineIndex};

use super::position::{Encoding, Lines};

/// A text of the editor.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// Its address, as the client writes it.
    pub(super) uri: String,
    /// The version that the client has given to the text.
    pub(super) version: i32,
    pub(super) text: Arc<str>,
    /// The outline of the text, once something has needed it.
    outline: Arc<OnceLock<Arc<Outline>>>,
    /// The last outline of an earlier text.
    earlier: Option<Arc<Outline>>,
}

impl Document {
    pub(super) fn new(uri: String, version: i32, text: impl Into<Arc<str>>) -> Self {
        Self { uri, version, text: text.into(), outline: Arc::default(), earlier: None }
    }

    /// Whether its size exceeds the limit of a file. That is its only finding, and it has no outline.
    pub(super) fn is_too_large(&self) -> bool {
        self.text.len() > LARGEST_FILE
    }

    pub(super) fn outline(&self) -> Arc<Outline> {
        let new = || {
            if self.is_too_large() {
                return Arc::new(Outline::new("".into()));
            }
            let text = Arc::clone(&self.text);
            Arc::new(match &self.earlier {
                Some(earlier) => earlier.edited(text),
                None => Outline::new(text),
            })
        };
        Arc::clone(self.outline.get_or_init(new))
    }

    /// Discards its outlines.
    pub(super) fn renew(&mut self) {
        (self.outline, self.earlier) = (Arc::default(), None);
    }

    /// Applies changes, each to the result of the one before.
    pub(super) fn change(
        &mut self,
        version: i32,
        changes: Vec<lsp::TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        use lsp::TextDocumentContentChangeEvent as Event;
        self.version = version;
        let mut text = self.text.to_string();
        for change in changes {
            match change {
                Event::TextDocumentContentChangeWholeDocument(whole) => text = whole.text,
                Event::TextDocumentContentChangePartial(part) => {
                    let index = LineIndex::new(&text);
                    let lines = Lines { text: &text, index: &index, encoding };
                    let range = lines.offsets(part.range);
                    text.replace_range(range, &part.text);
                }
            }
        }
        self.text = text.into();
        let outline = std::mem::take(&mut self.outline);
        self.earlier = outline.get().cloned().or_else(|| self.earlier.take());
    }
}

#[cfg(test)]
mod tests {
    use lsp_server::Notification;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::cli::lsp::harness::{Harness, URI};

    fn changed(text: &str, changes: serde_json::Value, encoding: Encoding) -> String {
        let mut document = Document::new(String::new(), 0, text);
        document.change(1, serde_json::from_value(changes).unwrap(), encoding);
        document.text.to_string()
    }

    fn part(from: [u32; 2], to: [u32; 2], text: &str) -> serde_json::Value {
        let position = |[line, character]: [u32; 2]| json!({"line": line, "character": character});
        json!({"range": {"start": position(from), "end": position(to)}, "text": text})
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let changes = json!([part([1, 0], [1, 1], "cc"), part([1, 2], [1, 2], "\nd")]);
        assert_eq!(changed("a\nb\n", changes, Encoding::Utf16), "a\ncc\nd\n");
        let changes = json!([part([0, 0], [0, 1], ""), {"text": "x"}, part([9, 9], [9, 9], "y")]);
        assert_eq!(changed("a", changes, Encoding::Utf16), "xy");
        assert_eq!(changed("😀b", json!([part([0, 2], [0, 3], "c")]), Encoding::Utf16), "😀c");
    }

    #[test]
    fn a_document_beyond_the_limit_is_not_checked_after_each_key() {
        let harness = Harness::new();
        let change = |change: serde_json::Value| {
            harness.server.notification(Notification {
                method: "textDocument/didChange".to_owned(),
                params: json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": [change]}),
            });
        };
        let line = format!("# {}\n", " ".repeat(400));
        let text = "apiVersion: v1\nkind: Pod\n".to_owned() + &line.repeat(LARGEST_FILE / 400);
        harness.open(&text);
        assert!(harness.checker.step() && harness.checker.step());
        let shown = harness.notification("textDocument/publishDiagnostics");
        let finding = &shown["diagnostics"][0];
        assert_eq!(finding["code"], "file-too-large");
        assert_eq!(finding["range"]["start"], json!({"line": 0, "character": 0}));
        change(part([0, 0], [0, 0], "a: 1\n"));
        assert!(!harness.has_task());
        {
            let state = harness.server.shared.lock();
            let open = state.documents.values().next().unwrap();
            assert_eq!(open.document.text.len(), text.len() + 5);
            assert_eq!(open.document.outline().text(), "");
        }

        change(part([1, 0], [u32::MAX, 0], ""));
        assert!(harness.checker.step());
        let shown = harness.notification("textDocument/publishDiagnostics");
        assert_eq!(shown["diagnostics"], json!([]));
    }

    proptest! {
        #[test]
        fn a_change_replaces_the_range_that_its_positions_name(
            text in "[a-cé😀\r\n]{0,20}",
            new in "[a-cé😀\n]{0,4}",
            places in (0_usize..24, 0_usize..24),
            is_utf8: bool,
        ) {
            let encoding = if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
            let index = LineIndex::new(&text);
            let lines = Lines { text: &text, index: &index, encoding };
            // A position cannot name the place between the two characters of a line break.
            let place = |at: usize| {
                let at = text.floor_char_boundary(at);
                if text[..at].ends_with('\r') && text[at..].starts_with('\n') { at - 1 } else { at }
            };
            let (start, end) = (place(places.0.min(places.1)), place(places.0.max(places.1)));
            let range = serde_json::to_value(lines.range(&(start..end))).unwrap();
            let mut expected = text.clone();
            expected.replace_range(start..end, &new);
            let changes = json!([{"range": range, "text": new}]);
            prop_assert_eq!(changed(&text, changes, encoding), expected);
        }
    }
}
