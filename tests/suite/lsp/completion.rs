//! Completions as editors use them: they compare the text before the cursor with what is searched, and replace a
//! range.

use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, plain, uri};
use crate::cli::Folder;

/// A session, and the text of its document with the cursor at `^`.
struct Session {
    client: Client,
    uri: String,
    version: i32,
    _folder: Folder,
}

/// What an editor gets at the cursor, and its text.
struct Offered {
    answer: Value,
    text: String,
}

impl Session {
    fn new(files: &[(&str, &str)], name: &str) -> Self {
        let folder = Folder::new(files);
        let (client, _) = Client::start(folder.path(), &plain());
        let uri = uri(folder.path(), name);
        Self { client, uri, version: 0, _folder: folder }
    }

    /// The completions at `^` of a text.
    fn at(&mut self, marked: &str) -> Offered {
        let (before, after) = marked.split_once('^').unwrap();
        let text = format!("{before}{after}");
        self.version += 1;
        self.client.open(&self.uri, self.version, &text);
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap().encode_utf16().count();
        let params = json!({"textDocument": {"uri": self.uri},
                            "position": {"line": line, "character": character}});
        let answer = self.client.ask("textDocument/completion", params);
        let offered = Offered { answer, text };
        offered.assert_searchable(line, character);
        offered
    }
}

impl Offered {
    fn items(&self) -> &[Value] {
        self.answer["items"].as_array().unwrap()
    }

    fn labels(&self) -> Vec<&str> {
        self.items().iter().map(|it| it["label"].as_str().unwrap()).collect()
    }

    /// The offsets of the range of an item.
    fn range(&self, item: &Value) -> (usize, usize) {
        let place = |name: &str| {
            let place = &item["textEdit"]["range"][name];
            let line = usize::try_from(place["line"].as_u64().unwrap()).unwrap();
            let start: usize = self.text.split_inclusive('\n').take(line).map(str::len).sum();
            start + usize::try_from(place["character"].as_u64().unwrap()).unwrap()
        };
        (place("start"), place("end"))
    }

    /// Each item starts with what is written before the cursor, as VS Code and Neovim require.
    fn assert_searchable(&self, line: usize, character: usize) {
        for item in self.items() {
            let filter = item["filterText"].as_str().unwrap().to_lowercase();
            let start = self.range(item).0;
            let lines: usize = self.text.split_inclusive('\n').take(line).map(str::len).sum();
            let typed = self.text[start..lines + character].to_lowercase();
            let mut letters = filter.chars();
            let is_found = typed.chars().all(|wanted| letters.any(|letter| letter == wanted));
            assert!(is_found, "{typed:?}: {item}");
            assert!(!typed.starts_with(['"', '\'']), "{item}");
        }
    }

    /// The text after an item is accepted.
    fn accepted(&self, label: &str) -> String {
        let item = self.items().iter().find(|it| it["label"] == label);
        let item = item.unwrap_or_else(|| panic!("{label}: {:?}", self.labels()));
        let (start, end) = self.range(item);
        let new = item["textEdit"]["newText"].as_str().unwrap();
        format!("{}{new}{}", &self.text[..start], &self.text[end..])
    }
}

const CONTAINER: &str =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n    - name: a\n      ";

#[test]
fn a_value_in_quotes_is_completed_between_them() {
    let mut session = Session::new(&[], "a.yaml");
    for (written, accepted) in [
        ("imagePullPolicy: \"^\"", "imagePullPolicy: \"Always\""),
        ("imagePullPolicy: '^'", "imagePullPolicy: 'Always'"),
        ("imagePullPolicy: \"al^\"", "imagePullPolicy: \"Always\""),
        ("imagePullPolicy: \"Alw^", "imagePullPolicy: \"Always\""),
        ("imagePullPolicy: ^", "imagePullPolicy: Always"),
    ] {
        let offered = session.at(&format!("{CONTAINER}{written}\n"));
        assert_eq!(offered.accepted("Always"), format!("{CONTAINER}{accepted}\n"));
    }
}

#[test]
fn keys_of_json_are_completed() {
    let mut session = Session::new(&[], "a.json");
    let json = |spec: &str| {
        format!("{{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"spec\": {{{spec}}}}}\n")
    };
    let offered = session.at(&json("\"rest^\""));
    assert_eq!(offered.labels(), ["restartPolicy"]);
    assert_eq!(offered.accepted("restartPolicy"), json("\"restartPolicy\": "));
    let offered = session.at(&json("\"host^\": true"));
    assert_eq!(offered.accepted("hostNetwork"), json("\"hostNetwork\": true"));
    let offered = session.at(&json("\"restartPolicy\": \"^\""));
    assert_eq!(offered.labels(), ["Always", "Never", "OnFailure"]);
    assert_eq!(offered.accepted("Never"), json("\"restartPolicy\": \"Never\""));
    let offered = session.at(&json("\"hostPID\": true, ^"));
    assert_eq!(offered.accepted("hostIPC"), json("\"hostPID\": true, \"hostIPC\": "));
}

#[test]
fn items_begin_with_what_is_typed() {
    let mut session = Session::new(&[], "a.yaml");
    let offered = session.at("kind: Depl^");
    assert_eq!(offered.labels(), ["Deployment"]);
    assert_eq!(offered.answer["isIncomplete"], true);
    let offered = session.at("kind: ^");
    assert!(offered.items().len() > 100);
    assert_eq!(offered.answer["isIncomplete"], false);
    // No field begins with these letters, so they can be anywhere in it.
    let offered = session.at(&format!("{CONTAINER}pullpol^\n"));
    assert_eq!(offered.labels(), ["imagePullPolicy"]);
}

#[test]
fn templates_of_helm_have_no_expressions() {
    let chart = "apiVersion: v2\nname: a\nversion: 1.0.0\n";
    let mut session = Session::new(&[("chart/Chart.yaml", chart)], "chart/templates/a.yaml");
    for text in [
        "data: {k: \"{{ .Values.x }} {{ v^ }}\"}\n",
        "apiVersion: v1\nkind: ConfigMap\ndata: {k: \"{{ v^ }}\"}\n",
        "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: {{ .Values.name }}}\nspec: {image: '{{ v^'}\n",
        "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\n{{- if true }}\nspec: {image: '{{ v^'}\n{{- end }}\n",
    ] {
        assert_eq!(session.at(text).labels(), Vec::<&str>::new(), "{text}");
    }
    let own = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nspec: {image: '{{ v^ }}'}\n";
    assert_eq!(session.at(own).labels(), ["values"]);
}

#[test]
fn items_of_a_list_are_documents() {
    let mut session = Session::new(&[], "a.yaml");
    let list = |pod: &str| {
        format!(
            "apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: Pod\n    metadata: {{name: p}}\n    spec:\n      \
             containers:\n        - name: a\n          image: b:1\n{pod}  - apiVersion: v1\n    kind: ConfigMap\n    \
             metadata: {{name: cm}}\n"
        )
    };
    let typed = list("          envFrom: [{configMapRef: {name: ^}}]\n");
    assert_eq!(session.at(&typed).labels(), ["cm"]);
    let typed = list("          imagePullP^\n");
    assert_eq!(session.at(&typed).labels(), ["imagePullPolicy"]);
    let typed = list("  - kind: Depl^\n");
    let offered = session.at(&typed);
    assert_eq!(offered.labels(), ["Deployment"]);
    let beside = &offered.items()[0]["additionalTextEdits"][0]["newText"];
    assert_eq!(*beside, "apiVersion: apps/v1\n    ");
    let typed = list("  - ^\n");
    assert!(session.at(&typed).labels().contains(&"apiVersion"));
}

/// VS Code takes a plain scalar of YAML for a string, in which it suggests nothing by default.
#[test]
fn vs_code_suggests_in_scalars_of_yaml() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode/package.json");
    let manifest: Value = serde_json::from_slice(&std::fs::read(manifest).unwrap()).unwrap();
    let defaults = &manifest["contributes"]["configurationDefaults"]["[yaml]"];
    assert_eq!(defaults["editor.quickSuggestions"]["strings"], true);
}
