//! Objects as a JSON list.

use std::io::{self, Write};

use serde::Serialize;

use crate::kube::Object;
use crate::markup::write_pretty_json;
use crate::tree::Node;

/// A list as `kubectl get -o json` prints it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List<'o> {
    api_version: &'static str,
    kind: &'static str,
    items: Vec<&'o Node>,
}

impl<'o> List<'o> {
    fn of(objects: &'o [Object]) -> Self {
        let items = objects.iter().map(|it| &it.root).collect();
        Self { api_version: "v1", kind: "List", items }
    }
}

/// The objects as one `List` in JSON, in the given order, with a final line feed.
#[must_use]
pub fn emit_list(objects: &[Object]) -> String {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write_list(objects, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// Writes the list of [`emit_list`] without holding all of it in memory.
///
/// # Errors
/// Returns the errors of `out`.
pub fn write_list(objects: &[Object], out: &mut dyn Write) -> io::Result<()> {
    write_pretty_json(&List::of(objects), out)
}
