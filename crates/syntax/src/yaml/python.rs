//! Trees as PyYAML's safe loader reads them, for files of systems that are written in Python.

use lean_string::LeanStr;

use super::scalar;
use crate::source::Workspace;
use crate::tree::{Node, Value};

/// Replaces the value of each plain scalar that PyYAML reads differently from Kubernetes. Dates
/// remain strings, and remain ambiguous.
pub fn read_as_python(node: &mut Node, workspace: &Workspace) {
    if node.is_ambiguous() {
        if let Some(value) = scalar::python_value(workspace.slice(node.span())) {
            *node = node.with_value(value).with_ambiguity(false);
        }
        return;
    }
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|it| read_as_python(it, workspace)),
        Value::Map(map) => {
            map.edit(|entries| {
                for entry in entries {
                    let written = workspace.slice(entry.key_origin().span());
                    // Kubernetes does not read numbers in base 60. Other keys that it does not change
                    // have a tag.
                    if (entry.key != written || written.contains(':'))
                        && let Some(key) = key_of(written)
                    {
                        entry.rename(key);
                    }
                    read_as_python(&mut entry.value, workspace);
                }
            });
        }
        _ => {}
    }
}

/// The key that Python's `json` writes for a plain scalar, or `None` for other keys, and if
/// Kubernetes reads the same key.
fn key_of(written: &str) -> Option<LeanStr> {
    match scalar::python_value(written)? {
        Value::String(text) if text.starts_with(['"', '\'', '&', '*', '!']) => None,
        Value::String(text) => Some(text),
        Value::Bool(value) => Some(value.to_string().into()),
        Value::Int(value) => Some(value.to_string().into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sink;
    use crate::yaml::documents;

    fn json(text: &str) -> serde_json::Value {
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", text);
        let mut sink = Sink::new();
        let mut read = documents(file, workspace.file(file).text(), &mut sink).read;
        let mut root = read.remove(0).root;
        read_as_python(&mut root, &workspace);
        root.to_json()
    }

    #[test]
    fn keys_are_the_strings_of_python() {
        let text = |text: &str| json(text).to_string();
        assert_eq!(text("{y: 1, N: 2, 'y ': 4}"), r#"{"y":1,"N":2,"y ":4}"#);
        assert_eq!(text("{yes: 3, off: 4}"), r#"{"true":3,"false":4}"#);
        assert_eq!(text("{1:30: 5, 010: 6, 1e3: 7}"), r#"{"90":5,"8":6,"1e3":7}"#);
        assert_eq!(text("{'1:30': 5, &a b: 6, !!str 010: 7}"), r#"{"1:30":5,"b":6,"010":7}"#);
    }

    /// The values are those of `yaml.safe_load` of PyYAML 6.
    #[test]
    fn plain_scalars_have_the_values_of_python() {
        for (text, expected) in [
            ("1e3", serde_json::json!("1e3")),
            ("1.5e3", serde_json::json!("1.5e3")),
            ("1.5e+3", serde_json::json!(1500)),
            ("034e0116", serde_json::json!("034e0116")),
            ("0777", serde_json::json!(511)),
            ("0o17", serde_json::json!("0o17")),
            ("08", serde_json::json!("08")),
            ("1:30", serde_json::json!(90)),
            ("-1:30:00", serde_json::json!(-5400)),
            ("1:30.5", serde_json::json!(90.5)),
            ("-1:30.5", serde_json::json!(-90.5)),
            ("1_0:30", serde_json::json!(630)),
            ("yes", serde_json::json!(true)),
            ("Off", serde_json::json!(false)),
            ("y", serde_json::json!("y")),
            ("1_000", serde_json::json!(1000)),
            ("2026-01-31", serde_json::json!("2026-01-31")),
            ("'1:30'", serde_json::json!("1:30")),
            ("!!str 1:30", serde_json::json!("1:30")),
        ] {
            assert_eq!(json(&format!("a: {text}\n"))["a"], expected, "{text}");
            assert_eq!(json(&format!("a: [&x {text}, *x]\n"))["a"][1], expected, "{text}");
        }
    }
}
