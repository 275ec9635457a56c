//! Comments: the names of rules in an exception.

use super::{Completion, CompletionKind, Cx};
use crate::findings::exception;
use crate::rules;

pub(super) fn of_comment(cx: &Cx<'_>) -> Vec<Completion> {
    let before = cx.outline.text().get(cx.cursor.range.start..cx.offset).unwrap_or("");
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
    let word = names.rsplit([' ', ',']).next().unwrap_or("");
    let rest = cx.outline.text().get(cx.offset..cx.cursor.range.end).unwrap_or("");
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '-';
    let length = rest.find(|it| !is_name(it)).unwrap_or(rest.len());
    let range = cx.offset - word.len()..cx.offset + length;
    let of = |rule: &'static crate::diag::Rule| Completion {
        detail: format!("{:?}", rule.severity).to_lowercase(),
        docs: rules::summary(rule),
        ..Completion::new(CompletionKind::Rule, rule.name, &range)
    };
    rules::all().into_iter().map(of).collect()
}
