//! Sessions: the handshake, findings of texts that are not saved, projects, cancellation and the end.

use std::collections::BTreeMap;
use std::fs;

use lsp_server::Message;
use serde_json::{Value, json};

use super::client::{Client, plain, uri};
use crate::cli::Folder;

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {container: []}\n";
const CLEAN: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n";

fn codes(findings: &[Value]) -> Vec<&str> {
    findings.iter().map(|it| it["code"].as_str().unwrap()).collect()
}

#[test]
fn a_session_begins_and_ends_as_the_protocol_says() {
    let mut client = Client::spawn(&[]);
    let early = client.request("textDocument/hover", json!({}));
    assert_eq!(client.answer(&early), Err(-32002));
    let capabilities = json!({"general": {"positionEncodings": ["utf-16", "utf-8"]}});
    let result = client.ask("initialize", json!({"capabilities": capabilities}));
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(result["serverInfo"]["name"], "sandboxc");
    assert_eq!(client.ask("shutdown", Value::Null), Value::Null);
    let late = client.request("textDocument/formatting", json!({}));
    assert_eq!(client.answer(&late), Err(-32600));
    assert_eq!(client.exit(), 0);

    let folder = Folder::new(&[]);
    let (client, capabilities) = Client::start(folder.path(), &plain());
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    assert_eq!(capabilities["diagnosticProvider"], Value::Null);
    assert_eq!(client.exit(), 1);
}

#[test]
fn findings_follow_the_text_of_the_editor() {
    let folder = Folder::new(&[("pod.yaml", CLEAN)]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "pod.yaml");
    client.open(&uri, 1, POD);
    let findings = client.findings(&uri, Some(1));
    assert_eq!(codes(&findings), ["unknown-field"]);
    let finding = &findings[0];
    assert_eq!(finding["source"], "sandboxc");
    assert_eq!(finding["severity"], 1);
    assert_eq!(
        finding["range"],
        json!({"start": {"line": 3, "character": 7}, "end": {"line": 3, "character": 16}})
    );
    assert!(finding["message"].as_str().unwrap().contains("did you mean `containers`"));

    client.change(&uri, 2, [3, 6, 3, 21], "\n  containers: [{name: a, image: 'b:1'}]");
    assert!(!codes(&client.findings(&uri, Some(2))).contains(&"unknown-field"));
    // The file itself has no findings.
    client.close(&uri);
    assert_eq!(client.findings(&uri, None), Vec::<Value>::new());
    assert_eq!(client.stop(), 0);
}

#[test]
fn columns_are_those_of_the_encoding() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {é😀: 'x', k: 1}\n";
    for (encodings, character) in [(json!(["utf-8"]), 23), (json!(null), 20)] {
        let folder = Folder::new(&[]);
        let capabilities = json!({"general": {"positionEncodings": encodings}});
        let (mut client, _) = Client::start(folder.path(), &capabilities);
        let uri = uri(folder.path(), "a.yaml");
        client.open(&uri, 1, text);
        let findings = client.findings(&uri, Some(1));
        let at = findings.iter().find(|it| it["code"] == "wrong-type").unwrap();
        assert_eq!(at["range"]["start"]["character"], character);
    }
}

#[test]
fn related_places_name_their_file() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a b.yaml").replace(' ', "%20");
    client.open(&uri, 7, &CLEAN.replace("\ndata:", "\ndata: {}\ndata:"));
    let findings = client.findings(&uri, Some(7));
    assert_eq!(codes(&findings), ["duplicate-key"]);
    let related = &findings[0]["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], uri.as_str());
    assert_eq!(related["location"]["range"]["start"]["line"], 3);
}

#[test]
fn each_file_belongs_to_the_nearest_project() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {kubernetes: '1.33'}\n";
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  serviceAccountName: web\n  \
               containers: [{name: a, image: 'b:1'}]\n";
    let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web}\n";
    let folder = Folder::new(&[
        ("one/sandboxc.yaml", project),
        ("one/pod.yaml", pod),
        ("one/two/sandboxc.yaml", project),
        ("one/two/pod.yaml", pod),
        ("one/two/account.yaml", account),
    ]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let (outer, inner) =
        (uri(folder.path(), "one/pod.yaml"), uri(folder.path(), "one/two/pod.yaml"));
    client.open(&outer, 1, pod);
    client.open(&inner, 1, pod);
    let missing = "service-account-not-found";
    assert!(codes(&client.findings(&outer, Some(1))).contains(&missing));
    assert!(!codes(&client.findings(&inner, Some(1))).contains(&missing));

    // The account exists in the other project too, once it is written there.
    let new = uri(folder.path(), "one/account.yaml");
    client.open(&new, 1, account);
    assert!(!codes(&client.findings(&outer, Some(1))).contains(&missing));
    client.close(&new);
    assert!(codes(&client.findings(&outer, Some(1))).contains(&missing));
    fs::write(folder.path().join("one/account.yaml"), account).unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": new, "type": 1}]}));
    assert!(!codes(&client.findings(&outer, Some(1))).contains(&missing));
}

/// The last findings of each file that the server has sent.
fn shown(client: &mut Client) -> BTreeMap<String, Value> {
    let mut shown = BTreeMap::new();
    for message in client.unread() {
        if let Message::Notification(it) = message
            && it.method == "textDocument/publishDiagnostics"
        {
            let uri = it.params["uri"].as_str().unwrap().to_owned();
            shown.insert(uri, it.params["diagnostics"].clone());
        }
    }
    shown
}

#[test]
fn files_keep_their_findings_when_they_get_a_project() {
    for opened in [&["a.yaml", "sub/b.yaml"][..], &["sub/b.yaml"]] {
        let of = |name: &str| POD.replace("name: a", &format!("name: {name}"));
        let (b, c) = (of("b"), of("c"));
        let folder = Folder::new(&[("a.yaml", POD), ("sub/b.yaml", &b), ("sub/c.yaml", &c)]);
        let (mut client, _) = Client::start(folder.path(), &plain());
        let uri = |name: &str| uri(folder.path(), name);
        let check = |client: &mut Client| {
            for name in opened {
                let document = json!({"textDocument": {"uri": uri(name)}});
                client.ask("textDocument/diagnostic", document);
            }
        };
        for name in opened {
            client.open(&uri(name), 1, if *name == "a.yaml" { POD } else { &b });
        }
        check(&mut client);
        let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {}\n";
        fs::write(folder.path().join("sub/sandboxc.yaml"), project).unwrap();
        let change = json!({"uri": uri("sub/sandboxc.yaml"), "type": 1});
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
        check(&mut client);
        let shown = shown(&mut client);
        let codes = |name: &str| codes(shown[&uri(name)].as_array().unwrap()).join(" ");
        assert_eq!(codes("sub/b.yaml"), "unknown-field");
        assert_eq!(codes("sub/c.yaml"), "unknown-field");
        // Without an open document next to it, the file is in no project.
        let is_open = opened.contains(&"a.yaml");
        assert_eq!(codes("a.yaml"), if is_open { "unknown-field" } else { "" });
    }
}

#[test]
fn files_of_the_project_that_are_not_open_have_findings_too() {
    let folder = Folder::new(&[("a.yaml", CLEAN), ("b.yaml", POD)]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let [a, b] = ["a.yaml", "b.yaml"].map(|it| uri(folder.path(), it));
    client.open(&a, 1, CLEAN);
    assert_eq!(codes(&client.findings(&b, None)), ["unknown-field"]);
    client.close(&a);
    assert_eq!(client.findings(&b, None), Vec::<Value>::new());
}

#[test]
fn a_client_can_ask_for_findings() {
    let folder = Folder::new(&[]);
    let capabilities = json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": true},
                      "didChangeWatchedFiles": {"dynamicRegistration": true}},
    });
    let (mut client, server) = Client::start(folder.path(), &capabilities);
    assert_eq!(server["diagnosticProvider"]["interFileDependencies"], true);
    let registration = client.asked("client/registerCapability");
    assert_eq!(registration["registrations"][0]["method"], "workspace/didChangeWatchedFiles");
    let uri = uri(folder.path(), "a.yaml");
    client.open(&uri, 1, POD);
    let document = json!({"textDocument": {"uri": uri}});
    let report = client.ask("textDocument/diagnostic", document.clone());
    assert_eq!(report["kind"], "full");
    assert_eq!(codes(report["items"].as_array().unwrap()), ["unknown-field"]);
    // The answer is about the text after all changes before the request.
    client.change(&uri, 2, [0, 0, 4, 0], CLEAN);
    let report = client.ask("textDocument/diagnostic", document);
    assert_eq!(report["items"], json!([]));
    client.asked("workspace/diagnostic/refresh");
}

#[test]
fn what_is_not_understood_ends_nothing() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    client.send_raw("{\"jsonrpc\": \"2.0\", ");
    assert!(client.notification("window/logMessage")["message"].is_string());
    client.notify("textDocument/didOpen", json!({"textDocument": 3}));
    assert!(client.notification("window/logMessage")["message"].is_string());
    client.notify("$/unknown", json!({}));
    client.notify("$/cancelRequest", json!({"id": 99}));
    client.change("file:///nowhere/a.yaml", 1, [0, 0, 9, 9], "x");
    let unknown = client.request("textDocument/unknown", json!({"textDocument": {"uri": "a"}}));
    assert_eq!(client.answer(&unknown), Err(-32601));
    let uri = uri(folder.path(), "a.yaml");
    client.open(&uri, 1, POD);
    assert_eq!(codes(&client.findings(&uri, Some(1))), ["unknown-field"]);
    client.open("untitled:Untitled-1", 1, POD);
    assert_eq!(codes(&client.findings("untitled:Untitled-1", Some(1))), ["unknown-field"]);
    assert_eq!(client.stop(), 0);
}

#[test]
fn a_parameter_that_is_missing_is_named() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    client.open(&uri, 1, POD);
    let document = json!({"textDocument": {"uri": uri}});
    let place = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}});
    for (method, params, missing) in [
        ("textDocument/hover", json!({}), "textDocument"),
        ("textDocument/formatting", json!({}), "textDocument"),
        ("textDocument/codeAction", json!([]), "textDocument"),
        ("textDocument/diagnostic", json!({"textDocument": {}}), "textDocument"),
        ("textDocument/completion", document.clone(), "position"),
        ("textDocument/references", document.clone(), "position"),
        ("textDocument/rename", document, "position"),
        ("textDocument/rename", place, "newName"),
    ] {
        let id = client.request(method, params);
        let (code, message) = client.failure(&id);
        assert_eq!(
            (code, message.as_str()),
            (-32602, &*format!("missing parameter `{missing}`")),
            "{method}"
        );
    }
    let unknown = client.request("textDocument/unknown", json!({}));
    assert_eq!(client.answer(&unknown), Err(-32601));
}

#[test]
fn half_an_emoji_keeps_the_positions_after_it() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    client.open(
        &uri,
        1,
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: \"xx\"}\n",
    );
    let change = |version: i32, [line, from, to]: [u32; 3], text: &str| {
        format!(
            "{{\"jsonrpc\": \"2.0\", \"method\": \"textDocument/didChange\", \"params\": {{\"textDocument\": \
             {{\"uri\": \"{uri}\", \"version\": {version}}}, \"contentChanges\": [{{\"range\": {{\"start\": \
             {{\"line\": {line}, \"character\": {from}}}, \"end\": {{\"line\": {line}, \"character\": {to}}}}}, \
             \"text\": \"{text}\"}}]}}}}"
        )
    };
    client.send_raw(&change(2, [3, 11, 11], "\\ud83d"));
    client.send_raw(&change(3, [3, 12, 12], "\\ude00"));
    // The first `x`, after two units.
    client.send_raw(&change(4, [3, 13, 14], "y:  1"));
    client.send_raw(&change(5, [0, 0, 0], "# a\\n"));
    let built = client
        .ask("workspace/executeCommand", json!({"command": "sandboxc.built", "arguments": [uri]}));
    assert!(built.as_str().unwrap().contains("\u{fffd}\u{fffd}y:  1x"), "{built}");
    assert!(
        client
            .unread()
            .iter()
            .all(|it| !matches!(it, Message::Notification(it) if it.method == "window/logMessage"))
    );
}

#[test]
fn a_canceled_request_is_answered_once() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    client.open(&uri, 1, POD);
    let params = json!({"textDocument": {"uri": uri}, "context": {"diagnostics": []},
                        "range": {"start": {"line": 3, "character": 8},
                                  "end": {"line": 3, "character": 8}}});
    let ids: Vec<_> =
        (0..20).map(|_| client.request("textDocument/codeAction", params.clone())).collect();
    for id in &ids {
        client.notify("$/cancelRequest", json!({"id": id}));
    }
    for id in &ids {
        let answer = client.answer(id);
        assert!(matches!(answer, Ok(_) | Err(-32800)), "{answer:?}");
    }
    assert_eq!(client.stop(), 0);
}
