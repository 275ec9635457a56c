//! The difference as Markdown that fits a comment on a pull request: a table of the objects, then
//! the fields of each object, folded.

use super::groups::{Group, groups};
use super::lines::{Sign, signed_lines};
use super::words::{field_count, finding, hidden_count, path, place, title, totals};
use crate::diff::model::{Diff, Difference, Fate, FieldChange};
use crate::limits::thousands;
use crate::markup;
use crate::markup::{Code, Fenced, HtmlCode, Literal, Markdown, Markup};

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
    let mut text: Markup<Markdown> = Markup::new();
    markup!(text, "### {}\n", sentence(&totals(diff)));
    for [old, new] in &diff.namespaces {
        markup!(text, "\nNamespace: {} \u{2192} {}\n", Code(old), Code(new));
    }
    if diff.objects.is_empty() {
        return text.into_string();
    }
    table(diff, &mut text);
    if !is_summary {
        details(diff, &mut text);
    }
    text.into_string()
}

fn sentence(totals: &str) -> String {
    let mut characters = totals.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).collect()
}

fn table(diff: &Diff, text: &mut Markup<Markdown>) {
    let has_outcomes = diff.objects.iter().any(|it| it.outcome.is_some());
    text.literal("\n| | Object | Difference |");
    text.literal(if has_outcomes { " What happens |\n" } else { "\n" });
    text.literal("|---|---|---|");
    text.literal(if has_outcomes { "---|\n" } else { "\n" });
    let groups = groups(diff);
    let rows: Vec<_> = groups.iter().flat_map(Group::named).collect();
    for (index, (title, object)) in rows.iter().enumerate() {
        let mut row: Markup<Markdown> = Markup::new();
        let sign = object.fate.sign().to_string();
        markup!(row, "| {} | {} | {} |", Code(&sign), Code(title), field_count(object));
        if has_outcomes {
            let outcome = object.outcome.as_ref().map_or("", |it| it.text.as_str());
            markup!(row, " {} |", outcome);
        }
        if text.len() + row.len() > LONGEST_TABLE {
            markup!(*text, "\n{} not shown.\n", hidden_count(rows.len() - index, "row"));
            return;
        }
        markup!(*text, "{}\n", row);
    }
}

/// The fields of each object, as far as there is space.
fn details(diff: &Diff, text: &mut Markup<Markdown>) {
    let mut left_out = 0;
    for group in groups(diff) {
        let first = group.first;
        let has_commands = first.outcome.as_ref().is_some_and(|it| !it.commands.is_empty());
        if first.fields.is_empty() && !has_commands {
            continue;
        }
        let part = detail(diff, &group);
        if text.len() + part.len() > LONGEST {
            left_out += group.count_of_others() + 1;
        } else {
            text.push(&part);
        }
    }
    if left_out > 0 {
        markup!(
            *text,
            "\nThe fields of {} objects are left out: a comment has at most 65,536 characters.\n",
            thousands(left_out)
        );
    }
}

fn detail(diff: &Diff, group: &Group<'_>) -> Markup<Markdown> {
    let mut text = Markup::new();
    let first = group.first;
    let others = group.count_of_others();
    let more = match others {
        0 => String::new(),
        1 => " and 1 other object".to_owned(),
        _ => format!(" and {} other objects", thousands(others)),
    };
    markup!(
        text,
        "\n<details><summary>{} {}{}",
        Literal(sign_of(first.fate)),
        HtmlCode(&title(first)),
        more
    );
    markup!(text, ": {}</summary>\n\n", field_count(first));
    let [old, new] = &diff.labels;
    for (title, object) in group.named() {
        let place = match (&object.new, &object.old) {
            (Some(at), _) => place(new, &at.place),
            (None, Some(at)) => place(old, &at.place),
            (None, None) => String::new(),
        };
        if others > 0 {
            markup!(text, "- {}: ", Code(&title));
        }
        markup!(text, "{}\n", Code(&place));
    }
    if let Some(outcome) = &first.outcome {
        markup!(text, "\n{}\n", outcome.text);
        for (index, detail) in outcome.details.iter().enumerate() {
            text.literal(if index == 0 { "\n" } else { "" });
            markup!(text, "- {}\n", detail);
        }
        let (commands, hidden) = group.commands();
        if !commands.is_empty() {
            let commands = commands.join("\n");
            markup!(text, "\n{}", Fenced { language: "sh", text: &commands });
        }
        if hidden > 0 {
            markup!(text, "\nand {}\n", hidden_count(hidden, "command"));
        }
    }
    for it in &first.findings {
        markup!(text, "\n{}\n", finding(it));
    }
    if !first.fields.is_empty() {
        let lines: String = first.fields.iter().map(lines_of_field).collect();
        markup!(text, "\n{}", Fenced { language: "diff", text: &lines });
    }
    text.literal("\n</details>\n");
    text
}

const fn sign_of(fate: Fate) -> &'static str {
    match fate {
        Fate::Added => "+",
        Fate::Changed => "~",
        Fate::Renamed => "&gt;",
        Fate::Removed => "-",
    }
}

fn lines_of_field(change: &FieldChange) -> String {
    let note = match change.difference {
        Difference::Quantity => " (the same quantity)",
        _ => "",
    };
    let mut text = format!("@@ {}{note} @@\n", path(change));
    let lines = signed_lines(change);
    for (sign, line) in lines.iter().take(MOST_LINES) {
        text.push(match sign {
            Sign::Old => '-',
            Sign::New => '+',
            Sign::Both | Sign::Gap => ' ',
        });
        text.push_str(line);
        text.push('\n');
    }
    let hidden = lines.len().saturating_sub(MOST_LINES);
    if hidden > 0 {
        text.extend([" ... ", &hidden_count(hidden, "line"), "\n"]);
    }
    text
}
