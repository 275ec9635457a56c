//! The difference for people: each object, its fields, both values and their lines.

use std::fmt::Write as _;

use super::groups::groups;
use super::lines::{Sign, changed_lines, lines_of, listed};
use super::words::{field_count, finding, path, place, place_of_value, title, totals};
use crate::diff::model::{Diff, Difference, Fate, FieldChange, ObjectAt, ObjectChange, Shown};
use crate::report::{Paint, visible_line};

/// The maximum number of lines of a value; of a longer one, the rest is counted.
const LONGEST: usize = 40;
/// The column at which places start, at the earliest.
const PLACES_AT: usize = 40;
/// The column after which a place is not moved to the right.
const LAST_COLUMN: usize = 72;

/// Renders a difference for people: objects, their fields with both values and lines, and a summary. With
/// `is_summary`, one line for each object. Empty if there is no difference.
#[must_use]
pub fn render_diff_human(diff: &Diff, is_summary: bool, paint: Paint) -> String {
    if diff.objects.is_empty() {
        return String::new();
    }
    let mut report = Report { text: String::new(), paint, labels: &diff.labels };
    if is_summary {
        report.summary(diff);
    } else {
        for group in groups(diff) {
            report.group(&group);
        }
        report.space();
    }
    let _ = writeln!(report.text, "{}", totals(diff));
    report.text
}

#[derive(Clone, Copy)]
enum Ink {
    Old,
    New,
    Changed,
    Path,
    Faint,
    Strong,
}

impl Ink {
    const fn code(self) -> &'static str {
        match self {
            Self::Old => "\u{1b}[31m",
            Self::New => "\u{1b}[32m",
            Self::Changed => "\u{1b}[1;33m",
            Self::Path => "\u{1b}[36m",
            Self::Faint => "\u{1b}[2m",
            Self::Strong => "\u{1b}[1m",
        }
    }

    const fn of(fate: Fate) -> Self {
        match fate {
            Fate::Added => Self::New,
            Fate::Removed => Self::Old,
            Fate::Changed | Fate::Renamed => Self::Changed,
        }
    }
}

struct Report<'d> {
    text: String,
    paint: Paint,
    labels: &'d [String; 2],
}

impl Report<'_> {
    fn write(&mut self, ink: Ink, text: &str) {
        match self.paint {
            Paint::Plain => self.text.push_str(text),
            Paint::Coloured => {
                let _ = write!(self.text, "{}{text}\u{1b}[0m", ink.code());
            }
        }
    }

    fn summary(&mut self, diff: &Diff) {
        let titles: Vec<_> = diff.objects.iter().map(title).collect();
        let width = titles.iter().map(|it| it.chars().count()).max().unwrap_or(0).min(60);
        for (object, title) in diff.objects.iter().zip(titles) {
            self.write(Ink::of(object.fate), &format!("{} {title:width$}", object.fate.sign()));
            let _ = write!(self.text, "  {:18}", field_count(object));
            if let Some(outcome) = &object.outcome {
                let _ = write!(self.text, "  {}", outcome.text);
            }
            self.end_line();
        }
    }

    /// Ends a line, without spaces at its end.
    fn end_line(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
    }

    /// Objects with the same differences.
    fn group(&mut self, group: &[&ObjectChange]) {
        let Some(first) = group.first() else { return };
        let has_details = !first.fields.is_empty() || first.outcome.is_some();
        if has_details {
            self.space();
        }
        for object in group {
            self.title(object);
        }
        if let Some(outcome) = &first.outcome {
            self.text.push_str("  ");
            self.write(Ink::Strong, &outcome.text);
            self.text.push('\n');
            for detail in &outcome.details {
                let _ = writeln!(self.text, "    * {}", visible_line(detail));
            }
            for command in &outcome.commands {
                let _ = writeln!(self.text, "    $ {command}");
            }
        }
        for it in &first.findings {
            let _ = writeln!(self.text, "  {}", finding(it));
        }
        first.fields.iter().for_each(|it| self.field(it));
        if has_details {
            self.space();
        }
    }

    /// An empty line, unless there is one.
    fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn title(&mut self, object: &ObjectChange) {
        self.write(Ink::of(object.fate), &format!("{} {}", object.fate.sign(), title(object)));
        let [old, new] = self.labels;
        let place_of = |label, at: &Option<ObjectAt>| at.as_ref().map(|it| place(label, &it.place));
        let is_same_line =
            object.old.as_ref().map(|it| &it.place) == object.new.as_ref().map(|it| &it.place);
        let places = match (place_of(old, &object.old), place_of(new, &object.new)) {
            (Some(old), Some(new)) if !is_same_line => format!("{old} \u{2192} {new}"),
            (old, new) => new.or(old).unwrap_or_default(),
        };
        self.write(Ink::Faint, &format!("  {places}"));
        self.end_line();
    }

    fn field(&mut self, change: &FieldChange) {
        self.text.push_str("  ");
        self.write(Ink::Path, &path(change));
        match change.difference {
            _ if change.is_hidden => self.text.push_str("  (the values are hidden)"),
            Difference::Order => self.text.push_str("  (another order)"),
            _ => {}
        }
        self.text.push('\n');
        if let Some(lines) = changed_lines(change) {
            self.places_of_lines(change);
            self.lines(&lines);
            return;
        }
        if change.difference == Difference::Order
            && let (Some(old), Some(new)) = (listed(&change.old), listed(&change.new))
        {
            self.value(Sign::Old, &old);
            self.value(Sign::New, &new);
            return;
        }
        for shown in &change.old {
            self.value(Sign::Old, shown);
        }
        for shown in &change.new {
            self.value(Sign::New, shown);
        }
    }

    /// Where two long strings are written.
    fn places_of_lines(&mut self, change: &FieldChange) {
        let [old, new] = self.labels;
        let first = |label: &str, of: &[Shown]| of.first().map(|it| place_of_value(label, it));
        let (old, new) = (first(old, &change.old), first(new, &change.new));
        self.write(
            Ink::Faint,
            &format!("    {} \u{2192} {}", old.unwrap_or_default(), new.unwrap_or_default()),
        );
        self.text.push('\n');
    }

    fn lines(&mut self, lines: &[(Sign, String)]) {
        let (mut shown, mut hidden) = (0, 0);
        for (sign, line) in lines {
            if shown == 2 * LONGEST {
                hidden += 1;
                continue;
            }
            shown += 1;
            match sign {
                Sign::Old => self.write(Ink::Old, &format!("    - {line}")),
                Sign::New => self.write(Ink::New, &format!("    + {line}")),
                Sign::Both => self.write(Ink::Faint, &format!("      {line}")),
                Sign::Gap => self.write(Ink::Faint, "      ..."),
            }
            self.end_line();
        }
        self.rest(hidden);
    }

    fn value(&mut self, sign: Sign, shown: &Shown) {
        let [old, new] = self.labels;
        let (ink, mark, label) =
            if sign == Sign::Old { (Ink::Old, '-', old) } else { (Ink::New, '+', new) };
        let place = place_of_value(label, shown);
        let lines = lines_of(&shown.node);
        for (index, line) in lines.iter().take(LONGEST).enumerate() {
            let mark = if index == 0 { mark } else { ' ' };
            let text = format!("    {mark} {line}");
            self.write(ink, &text);
            if index == 0 && !place.is_empty() {
                let width = text.chars().count();
                let is_near = (PLACES_AT..=LAST_COLUMN).contains(&width);
                let column = if is_near { LAST_COLUMN } else { PLACES_AT };
                let room = column.saturating_sub(width).max(2);
                let _ = write!(self.text, "{:room$}", "");
                self.write(Ink::Faint, &place);
            }
            self.end_line();
        }
        self.rest(lines.len().saturating_sub(LONGEST));
    }

    /// The number of lines that are left out.
    fn rest(&mut self, count: usize) {
        if count > 0 {
            let lines = if count == 1 { "line" } else { "lines" };
            self.write(Ink::Faint, &format!("      ... {count} more {lines}"));
            self.text.push('\n');
        }
    }
}
