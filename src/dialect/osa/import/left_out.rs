//! Keys of an archive's configuration that no Job depends on.

use crate::lower::ImportCx;
use crate::sorted::SortedSet;
use crate::tree::Node;

/// The parts of the configuration that are read.
const PARTS: [&str; 7] =
    ["runner", "environment", "conventions", "hooks", "ingesters", "ingester", "title"];
/// The parts that have descriptions.
const DESCRIBED: [&str; 6] =
    ["conventions", "hooks", "ingesters", "ingester", "release", "runtime"];
/// The keys of the descriptions.
const DESCRIPTIONS: [&str; 6] =
    ["description", "docs", "feature", "file_requirements", "schema", "source_ref"];

/// Names the keys that are not imported.
pub(super) fn report(root: &Node, cx: &mut ImportCx<'_>) {
    let mut descriptions = SortedSet::new();
    collect_descriptions(root, &mut descriptions);
    let is_other = |key: &str| !PARTS.contains(&key) && !DESCRIPTIONS.contains(&key);
    let entries = root.entries().iter().filter(|entry| !entry.value.is_null());
    let others = entries.filter(|entry| is_other(&entry.key)).map(|entry| entry.key.to_string());
    let is_of_runner = |key: &str| key.to_ascii_uppercase().starts_with("OSA_RUNNER");
    let environment = root.get("environment").map_or(&[][..], Node::entries).iter();
    let variables = environment
        .filter(|entry| !is_of_runner(&entry.key))
        .map(|entry| format!("environment.{}", entry.key.as_str()));
    cx.leave_out(&others.chain(variables).collect(), "other parts of the server");
    cx.leave_out(&descriptions, "descriptions, which no Job depends on");
}

fn collect_descriptions(node: &Node, found: &mut SortedSet<String>) {
    node.items().iter().for_each(|item| collect_descriptions(item, found));
    for entry in node.entries().iter().filter(|entry| !entry.value.is_null()) {
        let key = entry.key.as_str();
        if DESCRIPTIONS.contains(&key) {
            found.insert(key.to_owned());
        } else if DESCRIBED.contains(&key) {
            collect_descriptions(&entry.value, found);
        }
    }
}
