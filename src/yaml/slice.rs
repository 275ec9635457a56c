//! The part of a file that holds one document.

use crate::source::{FileId, Span};

/// The part of a file that holds one document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DocumentSlice {
    /// From the comments and directives before its marker to the next document.
    pub(crate) span: Span,
}

/// Cuts a text before each line that begins with `---`, comments and directives before it included.
pub(crate) fn slices(file: FileId, text: &str) -> Vec<DocumentSlice> {
    let mut slices = Vec::new();
    let (mut start, mut leading, mut at) = (0, Some(0), 0);
    for line in text.split_inclusive('\n') {
        let is_marker = line
            .strip_prefix("---")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']));
        let is_leading = line.trim().is_empty() || line.starts_with(['#', '%']);
        if is_marker {
            let cut = leading.unwrap_or(at);
            slices.push((start, cut));
            start = cut;
            leading = None;
        } else if is_leading {
            leading = leading.or(Some(at));
        } else {
            leading = None;
        }
        at += line.len();
    }
    slices.push((start, at));
    slices
        .into_iter()
        .filter(|(start, end)| start < end)
        .map(|(start, end)| {
            let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
            DocumentSlice { span: Span::new(file, offset(start), offset(end)) }
        })
        .collect()
}
