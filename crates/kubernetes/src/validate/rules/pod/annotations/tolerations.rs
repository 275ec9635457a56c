//! Tolerations in the former annotation of Pods.

use crate::diag::{PathStep, message};
use crate::tree::Node;
use crate::validate::rules::judge::{shown, text_at, text_of};
use crate::validate::rules::pod::judge::PodJudge;
use crate::validate::rules::tolerations::check_toleration;
use serde_json::Value;

/// The fields, which are case-insensitive, and whether they are strings.
const FIELDS: [(&str, bool); 5] = [
    ("key", true),
    ("operator", true),
    ("value", true),
    ("effect", true),
    ("tolerationSeconds", false),
];

pub(super) fn check(judge: &mut PodJudge<'_>, node: &Node) {
    let text = text_of(node);
    // An empty annotation counts as absent.
    if text.is_empty() {
        return;
    }
    let Some(tolerations) = read_tolerations(text, node) else {
        let text = (
            "annotation is not a JSON list of tolerations",
            "remove it, and set `tolerations` in the Pod",
        );
        return super::refuse(judge, node, text);
    };
    let minor = judge.minor;
    for (index, toleration) in tolerations.iter().enumerate() {
        let annotation = judge.path_of(node);
        judge.outside = annotation.join(&[PathStep::Index(index)].into_iter().collect());
        check_toleration(judge, toleration);
        let value = |field: &str| text_at(toleration, &[field]);
        let (operator, effect) = (value("operator"), value("effect"));
        let fault = if !matches!(operator, "" | "Equal" | "Exists" | "Lt" | "Gt") {
            message!("invalid toleration operator `{}`", shown(operator))
        } else if matches!(operator, "Lt" | "Gt") && minor < 35 {
            message!("invalid toleration operator `{operator}`")
        } else if !matches!(effect, "" | "NoSchedule" | "PreferNoSchedule" | "NoExecute") {
            message!("invalid taint effect `{}`", shown(effect))
        } else {
            continue;
        };
        super::refuse(judge, node, (fault, "remove it, and set `tolerations` in the Pod"));
    }
}

/// Parses the tolerations into maps of the known fields.
fn read_tolerations(text: &str, node: &Node) -> Option<Vec<Node>> {
    let list = match serde_json::from_str(text).ok()? {
        Value::Array(list) => list,
        Value::Null => Vec::new(),
        _ => return None,
    };
    list.into_iter().map(|value| read_toleration(value, node)).collect()
}

fn read_toleration(value: Value, node: &Node) -> Option<Node> {
    let mut known = serde_json::Map::new();
    let fields = match value {
        Value::Object(fields) => fields,
        Value::Null => serde_json::Map::new(),
        _ => return None,
    };
    for (name, value) in fields {
        let Some((field, is_text)) =
            FIELDS.iter().find(|(field, _)| field.eq_ignore_ascii_case(&name))
        else {
            continue;
        };
        let is_fitting = match &value {
            Value::Null => continue,
            Value::String(_) => *is_text,
            Value::Number(number) => !is_text && number.is_i64(),
            _ => false,
        };
        if !is_fitting {
            return None;
        }
        known.insert((*field).to_owned(), value);
    }
    Some(Node::from_json(Value::Object(known), node.origin()))
}
