//! What an editor shows and inserts: descriptions and completions of hostile definitions, names and values.

use proptest::prelude::*;
use rayon::prelude::*;
use sandboxc::ide::{self, Completion, CompletionKind, Index};
use sandboxc::markup::pretty_json;
use sandboxc::{Options, Versions, Workspace};
use serde_json::{Value, json};

use super::hostile::{NASTY, hostile};
use super::readers::{assert_without_references, page};
use crate::support::sampled;

/// A definition with a text as the name and the description of a required field, and as a value of it; its kind
/// is the text as well if `has_kind` is set.
fn definition(text: &str, has_kind: bool) -> Value {
    let kind = if has_kind { text } else { "Widget" };
    let field = json!({"type": "string", "description": text, "enum": [text, "b"]});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"kind": kind, "plural": "widgets"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {
                    "type": "object", "description": text,
                    "properties": {"spec": {
                        "type": "object", "description": text, "required": [text],
                        "properties": {text: field, "mode": field},
                    }},
                }},
            }],
        },
    })
}

/// Markdown that is prose, code and lists of these.
fn assert_prose(markdown: &str) {
    let page = page(markdown);
    let is_plain = |it: &String| ["paragraph", "list", "item"].iter().any(|end| it.ends_with(end));
    assert!(page.blocks.iter().all(is_plain), "{:?}: {markdown}", page.blocks);
    assert_without_references(&page);
}

/// The text that a snippet inserts, without its places to fill in.
fn inserted(snippet: &str) -> String {
    let mut text = String::new();
    let mut characters = snippet.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.extend(characters.next_if(|it| "\\$}".contains(*it)).or(Some('\\'))),
            '$' => {
                let mut digits = 0;
                while characters.next_if(char::is_ascii_digit).is_some() {
                    digits += 1;
                }
                assert!(digits > 0, "{snippet}");
            }
            other => text.push(other),
        }
    }
    text
}

/// Asserts that a completion shows and inserts text.
fn assert_item(item: &Completion) {
    assert_prose(&item.docs);
    if !item.snippet.is_empty() {
        assert_eq!(inserted(&item.snippet), item.text);
    }
    let label = Value::from(item.label.as_str());
    let read: Option<Value> = match item.kind {
        CompletionKind::Field => {
            let map: Value = serde_yaml::from_str(&format!("{}\n", item.text.trim_end())).unwrap();
            map.as_object().and_then(|it| it.keys().next()).map(|it| json!(it))
        }
        CompletionKind::Value if item.text != "true" && item.text != "false" => {
            serde_yaml::from_str(&item.text).ok()
        }
        _ => return,
    };
    assert_eq!(read, Some(label), "{}", item.text);
}

fn check(text: &str) {
    let versions = Versions::NONE;
    for has_kind in [false, true] {
        let mut workspace = Workspace::new();
        let kind = pretty_json(&json!(if has_kind { text } else { "Widget" }));
        let head = format!("apiVersion: example.com/v1\nkind: {}\n", kind.trim());
        let key = json!(text).to_string();
        let fields = format!("{head}spec:\n  {key}: b\n  mode: b\n  \n");
        workspace.add("a.yaml", fields.as_str());
        workspace.add("new.yaml", "\n");
        workspace.add("kind.yaml", "kind: ");
        workspace.add("b.yaml", pretty_json(&definition(text, has_kind)));
        let index = Index::of(&workspace, versions);
        for word in ["kind", "spec", "mode"] {
            let at = fields.find(word).unwrap();
            for offset in [at, at + word.len() + 2] {
                let hover = ide::hover(&index, 0, offset);
                if let Some(text) = hover {
                    assert_prose(&text.text);
                }
            }
        }
        let hover = ide::hover(&index, 0, head.len() + "spec:\n  \"".len());
        if let Some(text) = hover {
            assert_prose(&text.text);
        }
        let places =
            [(0, fields.len() - 1), (0, fields.find("mode: ").unwrap() + 6), (1, 0), (2, 6)];
        for (file, offset) in places {
            ide::completion(&index, file, offset)
                .iter()
                .filter(|it| is_own(it))
                .for_each(assert_item);
        }
    }
    check_names(text);
}

/// Whether a completion is from the input: those of Kubernetes are the same in each case.
fn is_own(item: &Completion) -> bool {
    item.kind != CompletionKind::Snippet && item.kind != CompletionKind::Kind
        || item.detail == "example.com/v1"
}

/// Names and values of environments, and names of objects.
fn check_names(text: &str) {
    let mut workspace = Workspace::new();
    let template = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: a}\nspec: {image: '{{ values.tag }}', \
        imagePullSecrets: [{name: b}]}\n";
    let file = workspace.add("a.yaml", template);
    let project = json!({
        "apiVersion": "sandboxc.dev/v1alpha1", "kind": "Project", "metadata": {"name": "p"},
        "spec": {"values": {"tag": text}, "environments": {text: {"values": {"tag": text}}}},
    });
    workspace.add("sandboxc.yaml", pretty_json(&project));
    let secret = |name: &str, namespace: &str| {
        pretty_json(
            &json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name, "namespace": namespace}}),
        )
    };
    workspace.add("b.yaml", secret("b", text));
    workspace.add("c.yaml", secret(text, "default"));
    let index = Index::of(&workspace, Versions::NONE);
    let at = template.find("values").unwrap();
    let shown = ide::effective(&workspace, &Options::default(), (&index, 0), file, at);
    if let Some(text) = &shown {
        assert_prose(text);
    }
    let at = template.find("{name: b").unwrap() + 7;
    let hover = ide::hover(&index, 0, at).unwrap();
    assert_prose(&hover.text);
    for completion in ide::completion(&index, 0, at) {
        assert_prose(&completion.docs);
    }
}

#[test]
fn nasty_text_is_text_in_an_editor() {
    sampled(NASTY, 12).par_iter().for_each(|text| check(text));
}

#[test]
fn names_of_the_input_are_inserted_as_names() {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", "\n");
    workspace.add("b.yaml", pretty_json(&definition("$CLIPBOARD}\n${1:a}\\", false)));
    let index = Index::of(&workspace, Versions::NONE);
    let found = ide::completion(&index, 0, 0);
    let widget = found.iter().find(|it| it.label == "Widget").unwrap();
    assert!(widget.text.contains("\n  \"$CLIPBOARD}\\n${1:a}\\\\\": "), "{}", widget.text);
    assert!(widget.snippet.contains(r#""\$CLIPBOARD\}\\n\${1:a\}\\\\": $2"#), "{}", widget.snippet);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(super::random(48)) })]

    #[test]
    fn text_is_text_in_an_editor(text in hostile()) {
        check(&text);
    }
}
