//! The difference as Markdown that fits a comment on a pull request: a table of the objects, then
//! the fields of each object, folded.

use std::fmt::Write as _;

use super::groups::groups;
use super::lines::{Sign, signed_lines};
use super::words::{field_count, finding, path, place, title, totals};
use crate::diff::model::{Diff, FieldChange, ObjectChange};
use crate::limits::thousands;
use crate::report::visible_line;

/// The maximum length of a comment on GitHub is 65,536 characters. The rest is reserved for what a
/// workflow adds.
const LONGEST: usize = 64_000;
/// The part of it for the table.
const LONGEST_TABLE: usize = 24_000;
/// The maximum number of lines of a field.
const MOST_LINES: usize = 80;

/// Renders a difference as Markdown of at most 65,536 characters. With `is_summary`, only the table.
#[must_use]
pub fn render_diff_markdown(diff: &Diff, is_summary: bool) -> String {
    let mut text = format!("### {}\n", sentence(&totals(diff)));
    if diff.objects.is_empty() {
        return text;
    }
    table(diff, &mut text);
    if !is_summary {
        details(diff, &mut text);
    }
    text
}

fn sentence(totals: &str) -> String {
    let mut characters = totals.chars();
    let first = characters.next().map(|it| it.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

fn table(diff: &Diff, text: &mut String) {
    let has_outcomes = diff.objects.iter().any(|it| it.outcome.is_some());
    text.push_str("\n| | Object | Difference |");
    text.push_str(if has_outcomes { " What happens |\n" } else { "\n" });
    text.push_str("|---|---|---|");
    text.push_str(if has_outcomes { "---|\n" } else { "\n" });
    for (index, object) in diff.objects.iter().enumerate() {
        let mut row = format!(
            "| `{}` | {} | {} |",
            object.fate.sign(),
            code(&title(object)).replace('|', "\\|"),
            field_count(object)
        );
        if has_outcomes {
            let outcome = object.outcome.as_ref().map_or("", |it| it.text.as_str());
            let _ = write!(row, " {} |", prose(outcome));
        }
        if text.len() + row.len() > LONGEST_TABLE {
            let count = diff.objects.len() - index;
            let _ = writeln!(text, "\n{} more objects differ.", thousands(count));
            return;
        }
        text.push_str(&row);
        text.push('\n');
    }
}

/// The fields of each object, as far as there is space.
fn details(diff: &Diff, text: &mut String) {
    let mut left_out = 0;
    for group in groups(diff) {
        let Some(first) = group.first() else { continue };
        let has_commands = first.outcome.as_ref().is_some_and(|it| !it.commands.is_empty());
        if first.fields.is_empty() && !has_commands {
            continue;
        }
        let part = detail(diff, &group);
        if text.len() + part.len() > LONGEST {
            left_out += group.len();
        } else {
            text.push_str(&part);
        }
    }
    if left_out > 0 {
        let _ = writeln!(
            text,
            "\nThe fields of {} objects are left out: a comment has at most 65,536 characters.",
            thousands(left_out)
        );
    }
}

fn detail(diff: &Diff, group: &[&ObjectChange]) -> String {
    let Some(first) = group.first() else { return String::new() };
    let mut text = String::from("\n<details><summary>");
    let others = group.len() - 1;
    let more = match others {
        0 => String::new(),
        1 => " and 1 other object".to_owned(),
        _ => format!(" and {} other objects", thousands(others)),
    };
    let _ = writeln!(
        text,
        "{} <code>{}</code>{more}: {}</summary>\n",
        first.fate.sign(),
        html(&title(first)),
        field_count(first)
    );
    let [old, new] = &diff.labels;
    for object in group {
        let place = match (&object.new, &object.old) {
            (Some(at), _) => place(new, &at.place),
            (None, Some(at)) => place(old, &at.place),
            (None, None) => String::new(),
        };
        let name = if others > 0 { format!("{}: ", code(&title(object))) } else { String::new() };
        let item = if others > 0 { "- " } else { "" };
        let _ = writeln!(text, "{item}{name}{}", code(&place));
    }
    if let Some(outcome) = &first.outcome {
        let _ = writeln!(text, "\n{}", prose(&outcome.text));
        for (index, detail) in outcome.details.iter().enumerate() {
            let start = if index == 0 { "\n" } else { "" };
            let _ = writeln!(text, "{start}- {}", prose(&visible_line(detail)));
        }
        if !outcome.commands.is_empty() {
            let commands = outcome.commands.join("\n");
            let fence = fence(&commands);
            let _ = writeln!(text, "\n{fence}sh\n{commands}\n{fence}");
        }
    }
    for it in &first.findings {
        let _ = writeln!(text, "\n{}", prose(&finding(it)));
    }
    if !first.fields.is_empty() {
        let lines: String = first.fields.iter().map(lines_of_field).collect();
        let fence = fence(&lines);
        let _ = write!(text, "\n{fence}diff\n{lines}{fence}\n");
    }
    text.push_str("\n</details>\n");
    text
}

fn lines_of_field(change: &FieldChange) -> String {
    let mut text = format!("@@ {} @@\n", path(change));
    let lines = signed_lines(change);
    for (sign, line) in lines.iter().take(MOST_LINES) {
        let sign = match sign {
            Sign::Old => '-',
            Sign::New => '+',
            Sign::Both | Sign::Gap => ' ',
        };
        let _ = writeln!(text, "{sign}{line}");
    }
    let hidden = lines.len().saturating_sub(MOST_LINES);
    if hidden > 0 {
        let _ = writeln!(text, " ... {hidden} more lines");
    }
    text
}

/// A fence that is longer than any in the text.
fn fence(text: &str) -> String {
    let longest = text.lines().map(|line| {
        let line = line.trim_start_matches([' ', '+', '-']);
        line.len() - line.trim_start_matches('`').len()
    });
    "`".repeat(longest.max().unwrap_or(0).max(2) + 1)
}

/// A code span that can contain backquotes.
fn code(text: &str) -> String {
    if !text.contains('`') {
        return format!("`{text}`");
    }
    let runs = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(runs + 1);
    format!("{fence} {text} {fence}")
}

/// Words with quoted names, in a table.
fn prose(text: &str) -> String {
    html(text).replace('|', "\\|")
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
