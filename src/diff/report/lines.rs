//! The lines of values, and the lines of strings that differ.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::diff::masking::MASK;
use crate::diff::meaning::scalar_text;
use crate::diff::model::{Difference, FieldChange, Shown};
use crate::markup::visible;
use crate::source::Slice as _;
use crate::tree::{Node, Value};
use crate::yaml::print_document;

/// The number of unchanged lines around a changed one.
const CONTEXT: usize = 2;
/// The number of lines above which both strings are shown in full: the time of a minimal difference
/// grows with the square of the number of changes.
const LARGE: usize = 5_000;

/// A line of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// Both sides have it.
    Both,
    /// Only the old side has it.
    Old,
    /// Only the new side has it.
    New,
    /// Lines are left out here.
    Gap,
}

/// The lines of a value as YAML; one line for a scalar.
pub(super) fn lines_of(node: &Node) -> Vec<String> {
    match &node.value {
        Value::String(text) if text.contains('\n') => {
            text.lines().map(|it| visible(it).into_owned()).collect()
        }
        Value::String(text) if meaning_of_string(text) => vec![visible(text).into_owned()],
        _ => {
            let mut text = String::new();
            print_document(node, &mut text);
            visible(text.trim_end_matches('\n')).lines().map(ToOwned::to_owned).collect()
        }
    }
}

/// Whether a string is clear without quotes although YAML needs them: it is not another value.
fn meaning_of_string(text: &str) -> bool {
    let is_clear = |c: char| !c.is_control() && c != '\u{feff}';
    let first = text.chars().next();
    let looks_like_a_word = first.is_some_and(|it| it.is_alphabetic() || matches!(it, '/' | '-'));
    let is_other_value = matches!(
        text.to_ascii_lowercase().as_str(),
        "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "null"
    );
    (looks_like_a_word || text == MASK)
        && !is_other_value
        && text.chars().all(is_clear)
        && text.trim() == text
}

/// All lines of a difference, each with its side.
pub(super) fn signed_lines(change: &FieldChange) -> Vec<(Sign, String)> {
    if let Some(lines) = changed_lines(change) {
        return lines
            .into_iter()
            .map(
                |(sign, line)| {
                    if sign == Sign::Gap { (sign, "...".to_owned()) } else { (sign, line) }
                },
            )
            .collect();
    }
    let mut lines = Vec::new();
    for (sign, side) in [(Sign::Old, &change.old), (Sign::New, &change.new)] {
        let listed = (change.difference == Difference::Order).then(|| listed(side)).flatten();
        for shown in listed.as_ref().map_or(side.as_slice(), std::slice::from_ref) {
            lines.extend(lines_of(&shown.node).into_iter().map(|it| (sign, it)));
        }
    }
    lines
}

/// Several scalars as one value: `a, b`.
pub(super) fn listed(of: &[Shown]) -> Option<Shown> {
    let first = of.first()?;
    let names: Option<Vec<_>> = of.iter().map(|it| scalar_text(&it.node)).collect();
    let text = names?.join(", ");
    let node = first.node.with_value(Value::String(text.as_str().into()));
    Some(Shown { node, ..first.clone() })
}

/// The lines that differ between two long strings, with some around them; `None` if one is not a
/// string with several lines.
pub(super) fn changed_lines(change: &FieldChange) -> Option<Vec<(Sign, String)>> {
    let ([old], [new]) = (&change.old[..], &change.new[..]) else { return None };
    let text = |shown: &Shown| shown.node.as_str().map(ToOwned::to_owned);
    let (old, new) = (text(old)?, text(new)?);
    if !old.contains('\n') && !new.contains('\n') {
        return None;
    }
    let [of_old, of_new] = [&old, &new].map(|it| it.lines().collect::<Vec<_>>());
    if of_old == of_new {
        let ending = |it: &str| if it.ends_with('\n') { "with" } else { "without" };
        let words = |it: &str| format!("(the text ends {} a line feed)", ending(it));
        return Some(vec![(Sign::Old, words(&old)), (Sign::New, words(&new))]);
    }
    if of_old.len().max(of_new.len()) > LARGE {
        return None;
    }
    let mut lines = Vec::new();
    let mut add = |sign, of: &[&str]| {
        lines.extend(of.iter().map(|it| (sign, visible(it).into_owned())));
    };
    let operations = capture_diff_slices(Algorithm::Myers, &of_old, &of_new);
    let last = operations.len().saturating_sub(1);
    for (index, operation) in operations.iter().enumerate() {
        let old = of_old.slice(operation.old_range());
        let new = of_new.slice(operation.new_range());
        if operation.tag() != DiffTag::Equal {
            add(Sign::Old, old);
            add(Sign::New, new);
            continue;
        }
        let before = if index == 0 { 0 } else { CONTEXT.min(old.len()) };
        let after = if index == last { 0 } else { CONTEXT.min(old.len() - before) };
        add(Sign::Both, old.slice(..before));
        if before + after < old.len() {
            add(Sign::Gap, &[""]);
        }
        add(Sign::Both, old.slice(old.len() - after..));
    }
    Some(lines)
}
