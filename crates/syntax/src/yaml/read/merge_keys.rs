//! Merge keys: `<<: *base` adds the entries of another map to this one.

use lean_string::LeanStr;
use thin_vec::thin_vec;

use super::anchors::UNKNOWN_ALIAS;
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileSpan, Span};
use crate::tree::{Entry, Map, Node, Value};

declare_rules! {
    MERGE_KEY_INVALID = "merge-key-invalid", Error;
    KEY_BEFORE_MERGE = "key-before-merge", Warning;
}

/// A `<<` and its value.
#[derive(Debug)]
pub(super) struct Merge {
    pub(super) key: FileSpan,
    pub(super) value: Node,
}

/// Adds the entries of merged maps after the explicit ones. As in go-yaml, the last value of a key
/// wins: that of a merge key replaces an explicit one before it. In a list of maps, the first one
/// wins.
pub(super) fn apply(entries: &mut Vec<Entry>, merges: Vec<Merge>, sink: &mut Sink) {
    let mut known: SortedMap<LeanStr, usize> =
        entries.iter().enumerate().map(|(at, entry)| (entry.key.text().clone(), at)).collect();
    let explicit = entries.len();
    for Merge { key, value } in merges {
        let mut seen = SortedSet::new();
        for entry in maps_to_merge(value, key, sink).into_iter().flat_map(Map::into_entries) {
            if !seen.insert(entry.key.text().clone()) {
                continue;
            }
            let Some(at) = known.get(entry.key.text()).copied() else {
                known.insert(entry.key.text().clone(), entries.len());
                entries.push(entry);
                continue;
            };
            let Some(written) = entries.get_mut(at) else { continue };
            if at < explicit && written.key_origin().span() < key.into() {
                report_order(written, &entry, key, sink);
            }
            if at >= explicit || written.key_origin().span() < key.into() {
                written.value = entry.value;
            }
        }
    }
}

/// The maps that a `<<` merges.
fn maps_to_merge(value: Node, key: FileSpan, sink: &mut Sink) -> Vec<Map> {
    // A list that is an alias is written before the key, and rejected.
    let is_written_here = value.span() > key.into();
    let candidates = match value.value {
        Value::List(items) if is_written_here => items,
        _ => thin_vec![value],
    };
    let mut maps = Vec::new();
    for candidate in candidates {
        let span = candidate.span();
        match candidate.value {
            Value::Map(map) => maps.push(map),
            _ => report_invalid(span, key, sink),
        }
    }
    maps
}

fn report_invalid(value: Span, key: FileSpan, sink: &mut Sink) {
    // The value of an unknown alias is not known, which is reported.
    if sink.iter().any(|finding| finding.rule == &UNKNOWN_ALIAS && finding.primary.span == value) {
        return;
    }
    sink.error(
        Diagnostic::new(&MERGE_KEY_INVALID, value, "value of merge key `<<` is not a map")
            .label(key, "merge key")
            .help(
                "write `<<: *name`, where `&name` is the anchor of a map, or quote the key: \
                `\"<<\"`",
            ),
    );
}

fn report_order(first: &Entry, merged: &Entry, key: FileSpan, sink: &mut Sink) {
    sink.report(
        Diagnostic::new(
            &KEY_BEFORE_MERGE,
            first.key_origin().span(),
            message!("key `{}` precedes a merge key that also contains it", first.key),
        )
        .label(key, "merge key")
        .label(merged.key_origin().span(), "value from the merge key")
        .note("in Kubernetes' parser the last value wins, in all others the explicit key")
        .help("move the `<<` line before the key"),
    );
}
