//! Completions, descriptions and names, as a client asks for them.

use serde_json::{Value, json};

use super::client::{Client, plain, uri};
use crate::cli::Folder;
use crate::support::sampled;

const TEMPLATE: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: python}\n\
    spec: {image: 'python:3.13'}\n";
const POOL: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nmetadata: {name: pool}\nspec:\n  \
    template: python\n  \n";
const PROJECT: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {}\n";

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

fn labels(items: &Value) -> Vec<&str> {
    items["items"].as_array().unwrap().iter().map(|it| it["label"].as_str().unwrap()).collect()
}

/// A session with a pool in the editor, and a Template on the disk.
fn session() -> (Folder, Client, String) {
    let folder = Folder::new(&[("sandboxc.yaml", PROJECT), ("templates.yaml", TEMPLATE)]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "pool.yaml");
    client.open(&uri, 1, POOL);
    client.findings(&uri, Some(1));
    (folder, client, uri)
}

#[test]
fn fields_and_names_are_completed() {
    let (_folder, mut client, uri) = session();
    let items = client.ask("textDocument/completion", at(&uri, 5, 2));
    assert_eq!(labels(&items), ["autoscaling", "replicas", "updateStrategy"]);
    let replicas = &items["items"][1];
    assert_eq!(replicas["detail"], "integer");
    assert_eq!(replicas["textEdit"]["newText"], "replicas: ");
    let place = json!({"line": 5, "character": 2});
    assert_eq!(replicas["textEdit"]["range"], json!({"start": place, "end": place}));
    let items = client.ask("textDocument/completion", at(&uri, 4, 14));
    assert_eq!(labels(&items), ["python"]);
    // Half a document: the bracket is never closed.
    client.change(&uri, 2, [5, 2, 5, 2], "autoscaling: {max");
    let items = client.ask("textDocument/completion", at(&uri, 5, 19));
    assert!(labels(&items).contains(&"maxReplicas"), "{items}");
    assert_eq!(client.stop(), 0);
}

#[test]
fn columns_are_in_the_unit_of_the_client() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    client.open(&uri, 1, "apiVersion: v1\nkind: Pod\nspec: {hostname: '😀', rest\n");
    let items = client.ask("textDocument/completion", at(&uri, 2, 27));
    let item = items["items"].as_array().unwrap().iter().find(|it| it["label"] == "restartPolicy");
    let range = &item.unwrap()["textEdit"]["range"];
    assert_eq!(range["start"], json!({"line": 2, "character": 23}));
    assert_eq!(range["end"], json!({"line": 2, "character": 27}));
}

#[test]
fn a_field_is_described_with_its_value() {
    let (_folder, mut client, uri) = session();
    // The answer contains the value in effect once the project is checked.
    let hover = client.ask("textDocument/hover", at(&uri, 4, 4));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("Name of the Template of the sandboxes"), "{text}");
    assert!(text.contains("SandboxWarmPool/pool spec.sandboxTemplateRef.name: python"), "{text}");
    assert_eq!(client.ask("textDocument/hover", at(&uri, 5, 0)), Value::Null);
}

#[test]
fn names_lead_to_their_objects_and_back() {
    let (folder, mut client, pool) = session();
    let templates = uri(folder.path(), "templates.yaml");
    let found = client.ask("textDocument/definition", at(&pool, 4, 14));
    assert_eq!(found[0]["uri"], templates.as_str());
    assert_eq!(found[0]["range"]["start"], json!({"line": 2, "character": 17}));
    let mut params = at(&pool, 4, 14);
    params["context"] = json!({"includeDeclaration": true});
    let found = client.ask("textDocument/references", params);
    assert_eq!(found.as_array().unwrap().len(), 2);

    let mut params = at(&pool, 4, 14);
    params["newName"] = json!("cpython");
    let edit = client.ask("textDocument/rename", params.clone());
    let changes = edit["documentChanges"].as_array().unwrap();
    let files: Vec<_> = changes.iter().map(|it| &it["textDocument"]["version"]).collect();
    // The Template is not open.
    assert_eq!(files.len(), 2);
    assert!(files.contains(&&Value::Null) && files.contains(&&json!(1)), "{edit}");
    params["newName"] = json!("not: a name");
    let id = client.request("textDocument/rename", params);
    assert!(client.answer(&id).is_err());
}

#[test]
fn files_have_symbols_folds_and_selections() {
    let (_folder, mut client, uri) = session();
    let document = json!({"textDocument": {"uri": uri}});
    let symbols = client.ask("textDocument/documentSymbol", document.clone());
    assert_eq!(symbols[0]["name"], "pool");
    assert_eq!(symbols[0]["detail"], "WarmPool");
    let found = client.ask("workspace/symbol", json!({"query": "python"}));
    assert_eq!(found[0]["containerName"], "Template");
    let folds = client.ask("textDocument/foldingRange", document.clone());
    assert!(folds.as_array().unwrap().contains(&json!({"startLine": 3, "endLine": 4})), "{folds}");
    let params = json!({"textDocument": {"uri": uri}, "positions": [{"line": 4, "character": 14}]});
    let selections = client.ask("textDocument/selectionRange", params);
    assert_eq!(selections[0]["range"]["start"], json!({"line": 4, "character": 12}));
    assert!(selections[0]["parent"]["parent"].is_object());
    assert_eq!(client.ask("textDocument/documentLink", document), json!([]));
    assert_eq!(client.stop(), 0);
}

#[test]
fn hints_can_be_turned_off() {
    let folder = Folder::new(&[("sandboxc.yaml", PROJECT), ("pool.yaml", POOL)]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "templates.yaml");
    client.open(&uri, 1, TEMPLATE);
    client.findings(&uri, Some(1));
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let params = json!({"textDocument": {"uri": uri}, "range": range});
    let hints = client.ask("textDocument/inlayHint", params.clone());
    let place = json!({"line": 2, "character": 23});
    let expected = json!([{"position": place, "label": "used by 1 WarmPool", "paddingLeft": true}]);
    assert_eq!(hints, expected);
    let settings = json!({"settings": {"sandboxc": {"hints": {"uses": false}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(client.ask("textDocument/inlayHint", params), json!([]));
}

#[test]
fn the_built_objects_are_shown() {
    let (_folder, mut client, uri) = session();
    let command = |name: &str| json!({"command": name, "arguments": [uri]});
    let built = client.ask("workspace/executeCommand", command("sandboxc.built"));
    assert!(built.as_str().unwrap().contains("kind: SandboxWarmPool\n"), "{built}");
    assert!(!built.as_str().unwrap().contains("kind: SandboxTemplate\n"), "{built}");
    client.change(&uri, 2, [5, 2, 5, 2], "replicas: 7");
    let built = client.ask("workspace/executeCommand", command("sandboxc.effective"));
    assert_eq!(built.as_str().unwrap().matches("kind: Pod\n").count(), 7);
    let unknown = client.request("workspace/executeCommand", command("sandboxc.other"));
    assert!(client.answer(&unknown).is_err());
}

#[test]
fn a_missing_object_is_declared_in_the_project() {
    let folder = Folder::new(&[("sandboxc.yaml", PROJECT)]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let project = uri(folder.path(), "sandboxc.yaml");
    let uri = uri(folder.path(), "a.yaml");
    let sandbox = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: a}\nspec:\n  \
        image: b:1\n  imagePullSecrets: [{name: creds}]\n";
    client.open(&uri, 1, sandbox);
    client.findings(&uri, Some(1));
    let place = json!({"line": 5, "character": 29});
    let params = json!({"textDocument": {"uri": uri}, "range": {"start": place, "end": place},
                        "context": {"diagnostics": []}});
    let actions = client.ask("textDocument/codeAction", params);
    let action = actions.as_array().unwrap().iter();
    let action = action.clone().find(|it| it["title"] == "Declare Secret `creds` as external");
    let change = &action.unwrap()["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": project, "version": null}));
    assert_eq!(change["edits"][0]["newText"], "external: [secret/creds]");
    let titles: Vec<_> = actions.as_array().unwrap().iter().map(|it| &it["title"]).collect();
    assert!(titles.contains(&&json!("Extract a base Template `a-base`")), "{titles:?}");
}

#[test]
fn a_misspelled_name_of_an_object_is_corrected() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: registry-token}\n";
    let folder = Folder::new(&[("secret.yaml", secret)]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    let sandbox = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: a}\nspec:\n  \
        image: b:1\n  imagePullSecrets: [{name: registry-tokn}]\n";
    client.open(&uri, 1, sandbox);
    let [start, end] = [28, 41].map(|it| json!({"line": 5, "character": it}));
    let params = json!({"textDocument": {"uri": uri}, "range": {"start": start, "end": start},
                        "context": {"diagnostics": []}});
    let actions = client.ask("textDocument/codeAction", params);
    let title = "Did you mean `registry-token` (may change the meaning)";
    let action = actions.as_array().unwrap().iter().find(|it| it["title"] == title);
    let action = action.unwrap_or_else(|| panic!("{actions}"));
    assert_eq!(action["diagnostics"][0]["code"], "secret-not-found");
    let edit = json!([{"range": {"start": start, "end": end}, "newText": "registry-token"}]);
    assert_eq!(action["edit"]["documentChanges"][0]["edits"], edit);
}

#[test]
fn the_files_of_a_project_are_known_from_the_start() {
    let folder = Folder::new(&[("sandboxc.yaml", PROJECT), ("templates.yaml", TEMPLATE)]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "pool.yaml");
    client.open(&uri, 1, POOL);
    // Nothing has been awaited: the files are still being read.
    let items = client.ask("textDocument/completion", at(&uri, 4, 14));
    assert_eq!(labels(&items), ["python"]);
}

#[test]
fn changes_of_other_files_are_confirmed() {
    let folder = Folder::new(&[("sandboxc.yaml", PROJECT), ("templates.yaml", TEMPLATE)]);
    let support = json!({"documentChanges": true, "changeAnnotationSupport": {}});
    let capabilities = json!({"workspace": {"workspaceEdit": support}});
    let (mut client, _) = Client::start(folder.path(), &capabilities);
    let uri = uri(folder.path(), "pool.yaml");
    client.open(&uri, 1, POOL);
    let mut params = at(&uri, 4, 14);
    params["newName"] = json!("cpython");
    let edit = client.ask("textDocument/rename", params);
    let expected = json!({"label": "Rename to `cpython`", "needsConfirmation": true});
    assert_eq!(edit["changeAnnotations"]["sandboxc"], expected);
    for change in edit["documentChanges"].as_array().unwrap() {
        assert_eq!(change["edits"][0]["annotationId"], "sandboxc");
    }
}

#[test]
fn edits_have_the_line_breaks_of_their_file() {
    let folder = Folder::new(&[("sandboxc.yaml", PROJECT)]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    let text = TEMPLATE.replace("spec: {image: 'python:3.13'}", "spec:\n  image: python:3.13");
    client.open(&uri, 1, &text.replace('\n', "\r\n"));
    let mut params = at(&uri, 4, 4);
    params["range"] = json!({"start": params["position"], "end": params["position"]});
    params["context"] = json!({"diagnostics": [], "only": ["refactor"]});
    let actions = client.ask("textDocument/codeAction", params);
    let new = actions[0]["edit"]["documentChanges"][0]["edits"][1]["newText"].as_str().unwrap();
    assert!(new.contains("\r\n  image: python:3.13\r\n"), "{new:?}");
    assert_eq!(new.replace("\r\n", "").matches(['\r', '\n']).count(), 0, "{new:?}");
    client.open(&uri, 2, &text.replace("  image: python:3.13\n", "  ").replace('\n', "\r\n"));
    let items = client.ask("textDocument/completion", at(&uri, 4, 2));
    let ports = items["items"].as_array().unwrap().iter().find(|it| it["label"] == "ports");
    assert_eq!(ports.unwrap()["textEdit"]["newText"], "ports:\r\n    - ");
}

/// An editor may ask anything about any text: `[` a hundred thousand times has as many levels.
#[test]
fn deep_documents_end_nothing() {
    let folder = Folder::new(&[]);
    let (mut client, _) = Client::start(folder.path(), &plain());
    let uri = uri(folder.path(), "a.yaml");
    let texts = ["{a: ".repeat(30_000), "[".repeat(100_000), "- ".repeat(100_000)];
    for text in sampled(texts, 3) {
        client.open(&uri, 1, &text);
        let end = u32::try_from(text.len()).unwrap();
        let mut params = at(&uri, 0, end);
        params["positions"] = json!([params["position"]]);
        params["range"] = json!({"start": params["position"], "end": params["position"]});
        for method in
            ["completion", "hover", "selectionRange", "documentSymbol", "foldingRange", "inlayHint"]
        {
            let id = client.request(&format!("textDocument/{method}"), params.clone());
            assert!(client.answer(&id).is_ok(), "{method}");
        }
        client.close(&uri);
    }
    assert_eq!(client.stop(), 0);
}
