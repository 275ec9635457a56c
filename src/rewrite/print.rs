//! Printing of what is new.

use crate::source::Slice as _;
use crate::tree::{Entry, Map, Node, Value};
use crate::yaml;

/// A key in block style.
pub(super) fn key(key: &str, is_json: bool, like: &Node) -> String {
    if is_json {
        return serde_json::Value::from(key).to_string();
    }
    let printed = printed(key, Node::new(Value::Null, like.origin()));
    printed.trim_end().trim_end_matches("null").trim_end().trim_end_matches(':').to_owned()
}

/// A scalar, or an empty map or list, on one line.
pub(super) fn scalar(node: &Node, is_json: bool) -> String {
    let json = || node.to_json().to_string();
    if is_json || node.as_str().is_some_and(|it| it.contains(['\n', '\r'])) {
        return json();
    }
    printed("k", node.clone()).trim_end().trim_start_matches("k:").trim_start().to_owned()
}

fn printed(key: &str, value: Node) -> String {
    let mut out = String::new();
    let entry = Entry::new(key, value.origin(), value);
    let origin = entry.key_origin();
    yaml::print_document(&Node::new(Value::Map(Map::from_iter([entry])), origin), &mut out);
    out
}

/// The text with another indentation of all lines after the first.
pub(crate) fn shifted(text: &str, from: usize, to: usize) -> String {
    if from == to || !text.contains('\n') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let is_empty = line.trim().is_empty();
        if index == 0 || is_empty {
            out.push_str(line);
        } else if to > from {
            out.extend(std::iter::repeat_n(' ', to - from));
            out.push_str(line);
        } else {
            let spaces = line.len() - line.trim_start_matches(' ').len();
            out.push_str(line.slice(spaces.min(from - to)..));
        }
    }
    out
}
