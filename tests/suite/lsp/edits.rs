//! Changes that the server offers, and typing: key by key, and at random.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, plain, uri};
use crate::cli::Folder;
use crate::support::sampled;

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {container: []}\n";

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({"start": {"line": line, "character": from}, "end": {"line": line, "character": to}})
}

#[test]
fn a_finding_has_its_repair() {
    let folder = Folder::new(&[]);
    let (mut client, capabilities) = Client::start(folder.path(), &plain());
    let kinds = &capabilities["codeActionProvider"]["codeActionKinds"];
    let expected = ["quickfix", "refactor.extract", "refactor.inline", "source.fixAll.sandboxc"];
    assert_eq!(*kinds, json!(expected));
    let uri = uri(folder.path(), "a.yaml");
    client.open(&uri, 3, POD);
    let mut params = json!({"textDocument": {"uri": uri}, "range": range(3, 8, 8),
                            "context": {"diagnostics": []}});
    let actions = client.ask("textDocument/codeAction", params.clone());
    let action = &actions[0];
    assert_eq!(action["title"], "Did you mean `containers` (may change the meaning)");
    assert_eq!(action["kind"], "quickfix");
    assert_eq!(action["isPreferred"], false);
    assert_eq!(action["diagnostics"][0]["code"], "unknown-field");
    let edit = json!([{"textDocument": {"uri": uri, "version": 3},
                       "edits": [{"range": range(3, 7, 16), "newText": "containers"}]}]);
    assert_eq!(action["edit"]["documentChanges"], edit);

    params["context"]["only"] = json!(["source"]);
    let actions = client.ask("textDocument/codeAction", params);
    assert!(actions.as_array().unwrap().iter().all(|it| it["kind"] == "source.fixAll.sandboxc"));
}

#[test]
fn safe_repairs_are_applied_together() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: 1, l: 2}\n";
    let folder = Folder::new(&[("other.yaml", &text.replace("name: a", "name: b"))]);
    let (mut client, _) = Client::start(folder.path(), &json!({}));
    let uri = uri(folder.path(), "a.yaml");
    client.open(&uri, 1, text);
    let params = json!({"textDocument": {"uri": uri}, "range": range(0, 0, 0),
                        "context": {"diagnostics": [], "only": ["source.fixAll"]}});
    let actions = client.ask("textDocument/codeAction", params);
    let changes = actions[0]["edit"]["changes"].as_object().unwrap();
    assert_eq!(changes.keys().collect::<Vec<_>>(), [uri.as_str()]);
    let fixed = text.replace(": 1", ": \"1\"").replace(": 2", ": \"2\"");
    assert_eq!(changes[&uri][0]["newText"], fixed.as_str());
}

#[test]
fn a_document_gets_its_layout() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    client.open(&uri, 1, "a:\n- b\n-  c\n");
    let params =
        json!({"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": true}});
    let edits = client.ask("textDocument/formatting", params.clone());
    let lines = json!({"start": {"line": 1, "character": 0}, "end": {"line": 3, "character": 0}});
    assert_eq!(edits, json!([{"range": lines, "newText": "  - b\n  - c\n"}]));
    client.change(&uri, 2, [0, 0, 0, 0], "x: [");
    assert_eq!(client.ask("textDocument/formatting", params), json!([]));
}

/// A file in which each kind of line of YAML occurs.
const TYPED: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web # a name\nspec:\n  \
    selector: {matchLabels: {app: \"web\"}}\n  template:\n    metadata:\n      labels: {app: web}\n    \
    spec:\n      containers:\n        - name: web\n          image: 'web:1'\n          command:\n            \
    - sh\n            - |\n              echo é 😀\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\n\
    spec:\n  selector: {app: web}\n  ports: [{port: 80}]\n";

#[test]
fn a_file_can_be_typed_key_by_key() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    let examples = ["quickstart/pool.yaml", "mistakes/pool.yaml", "osa/archive.yaml"].map(|name| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
        fs::read_to_string(path).unwrap()
    });
    for text in sampled(std::iter::once(TYPED).chain(examples.iter().map(String::as_str)), 4) {
        client.open(&uri, 0, "");
        let (mut line, mut character, mut version) = (0, 0, 0);
        let mut asked = Vec::new();
        for key in text.chars() {
            version += 1;
            client.change(&uri, version, [line, character, line, character], &key.to_string());
            if key == '\n' {
                (line, character) = (line + 1, 0);
            } else {
                character += u32::try_from(key.len_utf16()).unwrap();
            }
            let place = json!({"textDocument": {"uri": uri},
                               "position": {"line": line, "character": character}});
            asked.push(client.request("textDocument/completion", place.clone()));
            if version % 8 == 0 {
                asked.push(client.request("textDocument/hover", place));
            }
        }
        let document = json!({"textDocument": {"uri": uri}});
        asked.push(client.request("textDocument/formatting", document));
        for id in &asked {
            assert!(client.answer(id).is_ok());
        }
        let typed = settled(&mut client, &uri);
        client.close(&uri);
        client.open(&uri, 1, text);
        assert_eq!(settled(&mut client, &uri), typed);
        client.close(&uri);
    }
    let complaints: Vec<_> = client.unread().into_iter().filter(is_complaint).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    assert_eq!(client.stop(), 0);
}

/// The findings of the current text, by a request that waits for them.
fn settled(client: &mut Client, uri: &str) -> Vec<Value> {
    let params = json!({"textDocument": {"uri": uri}});
    let report = client.ask("textDocument/diagnostic", params);
    report["items"].as_array().unwrap().clone()
}

fn is_complaint(message: &lsp_server::Message) -> bool {
    matches!(message, lsp_server::Message::Notification(it) if it.method.starts_with("window/"))
}

/// Edits of one text, each to the result of the one before.
#[test]
fn after_any_edits_the_findings_are_those_of_a_fresh_session() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let (edited, fresh) = (uri(folder.path(), "x/a.yaml"), uri(folder.path(), "y/a.yaml"));
    let mut random = Random(7);
    for _ in 0..12 {
        let mut text = TYPED.to_owned();
        client.open(&edited, 0, &text);
        for version in 1..40 {
            let at = text.floor_char_boundary(random.below(text.len()));
            let end = text.floor_char_boundary((at + random.below(12)).min(text.len()));
            let words =
                ["", "x", "\n", "  ", ": ", "- ", "[", "\"", "&a ", "{{ ", "é😀", "\t", "#"];
            let new = words[random.below(words.len())];
            let [start, stop] = [at, end].map(|at| {
                let before = &text[..at];
                let line = u32::try_from(before.matches('\n').count()).unwrap();
                let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
                [line, u32::try_from(column).unwrap()]
            });
            client.change(&edited, version, [start[0], start[1], stop[0], stop[1]], new);
            text.replace_range(at..end, new);
        }
        let after_edits = settled(&mut client, &edited);
        client.close(&edited);
        client.open(&fresh, 0, &text);
        let at_once = settled(&mut client, &fresh);
        client.close(&fresh);
        let [after_edits, at_once] = [(after_edits, &edited), (at_once, &fresh)]
            .map(|(it, uri)| json!(it).to_string().replace(uri.as_str(), "uri"));
        assert_eq!(after_edits, at_once, "{text}");
    }
    assert_eq!(client.stop(), 0);
}

/// Numbers that only depend on the first (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }
}
