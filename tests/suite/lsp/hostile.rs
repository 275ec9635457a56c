//! Clients with faults: whatever they send, each request has an answer, and the session goes on.

use lsp_server::RequestId;
use serde_json::{Map, Value, json};

use super::client::{Client, plain};
use crate::cli::Folder;

const URI: &str = "untitled:a";
const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: a} # 😀\nspec: {container: []}\n";

/// The requests about a document.
const METHODS: [&str; 16] = [
    "codeAction",
    "completion",
    "definition",
    "diagnostic",
    "documentHighlight",
    "documentLink",
    "documentSymbol",
    "foldingRange",
    "formatting",
    "hover",
    "inlayHint",
    "prepareRename",
    "references",
    "rename",
    "selectionRange",
    "unknown",
];

/// The parameters of all of them, and of those about the workspace.
fn params(position: &Value) -> Value {
    json!({
        "textDocument": {"uri": URI},
        "position": position,
        "positions": [position],
        "range": {"start": position, "end": {"line": 3, "character": 9}},
        "context": {"diagnostics": [], "only": ["quickfix"], "includeDeclaration": true},
        "options": {"tabSize": 2, "insertSpaces": true},
        "newName": "b",
        "query": "a",
        "command": "sandboxc.built",
        "arguments": [URI, position],
    })
}

/// Values of other types than a parameter has, and out of its range.
fn junk() -> Vec<Value> {
    let position = |line: Value| json!({"line": line, "character": u32::MAX});
    vec![
        Value::Null,
        json!(-1),
        json!(1e300),
        json!("x"),
        json!([[]]),
        json!({}),
        position(json!(u32::MAX)),
        position(json!(-1)),
        position(json!(0.5)),
    ]
}

/// The value with each of its parts replaced by junk, or removed.
fn variants(value: &Value) -> Vec<Value> {
    let mut variants = junk();
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let with = |new: Option<Value>| {
                    let mut fields: Map<_, _> = fields.clone();
                    match new {
                        Some(new) => drop(fields.insert(name.clone(), new)),
                        None => drop(fields.remove(name)),
                    }
                    Value::Object(fields)
                };
                variants.extend(variants_of(field).map(with));
            }
        }
        Value::Array(items) => {
            if let Some(first) = items.first() {
                variants.extend(variants_of(first).flatten().map(|it| json!([it])));
            }
        }
        _ => {}
    }
    variants
}

fn variants_of(value: &Value) -> impl Iterator<Item = Option<Value>> {
    variants(value).into_iter().map(Some).chain([None])
}

fn start() -> Client {
    let folder = Folder::new(&[]);
    Client::start(folder.path(), &plain()).0
}

/// The findings of a document, by a request.
fn codes(client: &mut Client, uri: &str) -> Vec<String> {
    let report = client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
    let items = report["items"].as_array().unwrap();
    items.iter().map(|it| it["code"].as_str().unwrap().to_owned()).collect()
}

/// Awaits the answers, and checks that the session goes on.
fn all_answered(client: &mut Client, ids: &[RequestId]) {
    for id in ids {
        // An error is an answer, but not one of the program itself.
        assert_ne!(client.answer(id), Err(-32603));
    }
    client.open("untitled:b", 1, POD);
    assert_eq!(codes(client, "untitled:b"), ["unknown-field"]);
    client.close("untitled:b");
}

#[test]
fn parameters_of_any_type_have_an_answer() {
    let mut client = start();
    client.open(URI, 1, POD);
    let params = params(&json!({"line": 1, "character": 3}));
    let methods = METHODS.map(|it| format!("textDocument/{it}"));
    let others = ["workspace/symbol", "workspace/executeCommand", "initialize", "", "$/x"];
    for method in methods.iter().map(String::as_str).chain(others) {
        let of_each = variants(&params).into_iter().map(|it| client.request(method, it));
        let ids: Vec<_> = of_each.collect();
        all_answered(&mut client, &ids);
    }
    assert_eq!(client.stop(), 0);
}

#[test]
fn positions_outside_the_text_have_an_answer() {
    for text in [POD, "", "\u{feff}a: b", "a: \0b\r\n\0", "a\r: b", "a: 'x\n  {{ é😀"] {
        let mut client = start();
        client.open(URI, 1, text);
        let mut ids = Vec::new();
        // Column 23 of the third line is in a surrogate pair.
        for (line, character) in [(2, 23), (0, u32::MAX), (u32::MAX, 0), (9, 9), (0, 1)] {
            let params = params(&json!({"line": line, "character": character}));
            for method in METHODS {
                ids.push(client.request(&format!("textDocument/{method}"), params.clone()));
            }
        }
        all_answered(&mut client, &ids);
        assert_eq!(client.stop(), 0);
    }
}

#[test]
fn notifications_of_any_content_end_nothing() {
    let mut client = start();
    let [from, to] = [json!({"line": 0, "character": 1}), json!({"line": 3, "character": 9})];
    let change = json!({"range": {"start": from, "end": to}, "rangeLength": 3, "text": "x"});
    let document =
        json!({"uri": URI, "languageId": "yaml", "version": 1, "text": POD, "settings": 3});
    let folder = json!({"uri": "file:///nowhere", "name": "n"});
    let params = json!({
        "textDocument": document,
        "contentChanges": [change],
        "changes": [{"uri": URI, "type": 1}],
        "settings": {"sandboxc": {"hints": {"uses": false}}},
        "event": {"added": [folder], "removed": [folder]},
        "id": 3,
    });
    for method in [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didSave",
        "textDocument/didClose",
        "workspace/didChangeWatchedFiles",
        "workspace/didChangeConfiguration",
        "workspace/didChangeWorkspaceFolders",
        "$/cancelRequest",
        "initialized",
        "",
    ] {
        for variant in variants(&params) {
            client.notify(method, variant);
        }
        all_answered(&mut client, &[]);
    }
    assert_eq!(client.stop(), 0);
}

#[test]
fn documents_are_opened_changed_and_closed_in_any_order() {
    let mut client = start();
    client.change(URI, 1, [0, 0, 9, 9], "x");
    client.close(URI);
    client.open(URI, 1, "x");
    client.open(URI, 9, POD);
    assert_eq!(codes(&mut client, URI), ["unknown-field"]);
    // A range that ends before it starts is the range between both.
    client.change(URI, 10, [3, 16, 3, 7], "containers");
    assert_eq!(codes(&mut client, URI), ["containers-empty"]);
    client.close(URI);
    client.close(URI);
    client.change(URI, 11, [0, 0, 0, 0], "x");
    let id = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": URI}}));
    assert_eq!(client.answer(&id), Err(-32602));
    client.notify("$/cancelRequest", json!({"id": id}));
    client.notify("$/cancelRequest", json!({"id": "never"}));
    all_answered(&mut client, &[]);
    assert_eq!(client.stop(), 0);
}

#[test]
fn documents_have_addresses_of_any_kind() {
    let mut client = start();
    let long = format!("file:///{}", "a/".repeat(5_000));
    for uri in [
        "",
        "file:",
        "file://",
        "file:///",
        "file:///%zz",
        "file:///%ff%fe",
        "file:///a%00b.yaml",
        "file://host/a.yaml",
        "file:///dev/zero",
        "relative/a.yaml",
        "git:/a.yaml?x#y",
        "\0",
        &long,
    ] {
        client.open(uri, 1, POD);
        assert_eq!(codes(&mut client, uri), ["unknown-field"], "{uri:?}");
        let mut params = params(&json!({"line": 3, "character": 9}));
        params["textDocument"]["uri"] = json!(uri);
        let ids = METHODS.map(|it| client.request(&format!("textDocument/{it}"), params.clone()));
        client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
        let change = json!({"changes": [{"uri": uri, "type": 2}]});
        client.notify("workspace/didChangeWatchedFiles", change);
        client.close(uri);
        all_answered(&mut client, &ids);
    }
    assert_eq!(client.stop(), 0);
}

#[test]
fn messages_that_cannot_be_read_end_nothing() {
    let mut client = start();
    for text in ["", "[]", "3", "\u{0}", "{\"id\": 1.5, \"method\": \"x\"}", &"[".repeat(100_000)] {
        client.send_raw(text);
    }
    client.send_raw("{\"id\": 71, \"method\": 7}");
    assert_eq!(client.answer(&71.into()), Err(-32600));
    // A message with its whole text in an error would be as large as it.
    let large = json!({"textDocument": "x".repeat(1 << 20)});
    client.notify("textDocument/didOpen", large);
    let log = client.message("window/logMessage", "didOpen");
    assert!(log.len() < 2_000, "{}", log.len());
    let params = params(&json!(null));
    let id = client.request("textDocument/codeAction", params);
    all_answered(&mut client, &[id]);
    let again = client.request("initialize", json!({"capabilities": {}}));
    assert_eq!(client.answer(&again), Err(-32600));
    assert_eq!(client.stop(), 0);
}
