//! Comments: the names of rules in an exception.

use super::{Completion, CompletionContext, CompletionKind};
use crate::findings::exception;
use crate::rules;
use crate::source::Slice as _;

pub(super) fn of_comment(cx: &CompletionContext<'_>) -> Vec<Completion> {
    let before = cx.outline.text().slice(cx.cursor.range.start..cx.offset);
    let text = before.trim_start_matches('#').trim_start();
    let Some(rest) = text.strip_prefix(exception::WORD) else {
        let is_begun = !text.is_empty() && exception::WORD.starts_with(text);
        let start = cx.offset - text.len();
        let text = format!("{} allow ", exception::WORD);
        let kind = CompletionKind::Rule;
        let offer = || Completion {
            text: text.clone(),
            ..Completion::new(kind, text.trim_end(), &(start..cx.offset))
        };
        return is_begun.then(offer).into_iter().collect();
    };
    let Some(names) = rest.trim_start().strip_prefix("allow ") else { return Vec::new() };
    if names.contains(" because ") {
        return Vec::new();
    }
    let word = names.rsplit_once([' ', ',']).map_or(names, |(_, word)| word);
    let rest = cx.outline.text().slice(cx.offset..cx.cursor.range.end);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let length = rest.len() - rest.trim_start_matches(is_name).len();
    let range = cx.offset - word.len()..cx.offset + length;
    let of = |rule: &'static crate::diag::Rule| Completion {
        detail: format!("{:?}", rule.severity).to_lowercase(),
        docs: rules::summary(rule),
        ..Completion::new(CompletionKind::Rule, rule.name, &range)
    };
    rules::all().into_iter().map(of).collect()
}
