//! Suggestions for JSON: what they write must be JSON as well, which is a part of YAML.

use std::ops::Range;
use std::path::Path;

use crate::diag::{Diagnostic, Sink};
use crate::sorted::SortedMap;
use crate::source::{FileId, Workspace};
use crate::tree::Content;
use crate::yaml;
use serde::de::IgnoredAny;

/// Rewrites the suggestions for JSON documents, and for files that should be JSON, as JSON.
pub(super) fn rewrite_suggestions(
    workspace: &Workspace,
    mut findings: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut known: SortedMap<FileId, Vec<(Range<usize>, bool)>> = SortedMap::new();
    for finding in &mut findings {
        for at in 0..finding.details().suggestions.len() {
            let Some(suggestion) = finding.details().suggestions.get(at) else { continue };
            let (file, span) = workspace.file_and_span(suggestion.span);
            let documents = known.entry(file.id()).or_insert_with(|| documents(file.text()));
            let is_json = is_json_at(documents, span.range().start);
            let extension = Path::new(file.name()).extension();
            if !is_json && extension.is_none_or(|it| it != "json") {
                continue;
            }
            let rewritten =
                rewritten(file.id(), file.text(), &span.range(), &suggestion.replacement);
            if let Some(rewritten) = rewritten
                && let Some(suggestion) = finding.details_mut().suggestions.get_mut(at)
            {
                suggestion.replacement = rewritten;
            }
        }
    }
    findings
}

/// Whether an offset is in a document that is JSON. `documents` are in source order.
fn is_json_at(documents: &[(Range<usize>, bool)], offset: usize) -> bool {
    let after = documents.partition_point(|(range, _)| range.start <= offset);
    let document = after.checked_sub(1).and_then(|it| documents.get(it));
    document.is_some_and(|(range, is_json)| *is_json && range.contains(&offset))
}

/// Whether each document of `before` that is JSON is JSON in `after`, too.
pub(crate) fn stays_json(before: &str, after: &str) -> bool {
    let (before, after) = (documents(before), documents(after));
    let is_any = before.iter().any(|it| it.1);
    let mut pairs = before.iter().zip(&after);
    !is_any || before.len() == after.len() && pairs.all(|(before, after)| after.1 || !before.1)
}

/// The documents of a file, and whether each is JSON. JSON has no line that begins with `---`.
fn documents(text: &str) -> Vec<(Range<usize>, bool)> {
    const MARKER: &str = "---";
    let mut starts = vec![0];
    let mut ends = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let is_marker = line
            .strip_prefix(MARKER)
            .is_some_and(|it| it.is_empty() || it.starts_with(char::is_whitespace));
        if is_marker {
            ends.push(offset);
            starts.push(offset + MARKER.len());
        }
        offset += line.len();
    }
    ends.push(text.len());
    let ranges = starts.into_iter().zip(ends).map(|(start, end)| start..end);
    ranges.map(|it| (it.clone(), text.get(it).is_some_and(is_json))).collect()
}

fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim();
    text.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The replacement as JSON, if it replaces a whole key or value and is not JSON yet.
fn rewritten(file: FileId, text: &str, span: &Range<usize>, replacement: &str) -> Option<String> {
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    let before = text.get(..span.start)?.trim_end();
    let is_whole = before.is_empty() || before.ends_with(['{', '[', ',', ':']);
    if !is_whole || !is_json(text.get(span.clone())?) {
        return None;
    }
    let is_key = text.get(span.end..)?.trim_start().starts_with(':');
    if is_json(replacement) && (!is_key || replacement.starts_with('"')) {
        return None;
    }
    let read = yaml::documents(file, replacement, &mut Sink::unused()).read;
    let [document] = read.as_slice() else { return None };
    let value = match document.root.content() {
        Content::String(text) => text.into(),
        _ if is_key => replacement.into(),
        _ => document.root.to_json(),
    };
    Some(serde_json::Value::to_string(&value))
}
