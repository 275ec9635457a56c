//! The difference for people: each object, its fields, both values and their lines.

use super::groups::{Group, groups};
use super::lines::{Sign, changed_lines, lines_of, listed};
use super::words::{field_count, finding, hidden_count, path, place, place_of_value, totals};
use crate::diff::model::{Diff, Difference, Fate, FieldChange, ObjectAt, ObjectChange, Shown};
use crate::markup;
use crate::markup::{Ink, Inked, Markup, Terminal};
use crate::report::Paint;

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
    if diff.is_empty() {
        return String::new();
    }
    let mut report = Report { text: Markup::new(), paint, labels: &diff.labels };
    for [old, new] in &diff.namespaces {
        markup!(report.text, "namespace: {} \u{2192} {}\n", old, new);
    }
    if is_summary {
        report.summary(diff);
    } else {
        for group in groups(diff) {
            report.group(&group);
        }
        report.space();
    }
    markup!(report.text, "{}\n", totals(diff));
    report.text.into_string()
}

/// The color of the fate of an object.
const fn ink_of(fate: Fate) -> Ink {
    match fate {
        Fate::Added => Ink::Green,
        Fate::Removed => Ink::Red,
        Fate::Changed | Fate::Renamed => Ink::BoldYellow,
    }
}

struct Report<'d> {
    text: Markup<Terminal>,
    paint: Paint,
    labels: &'d [String; 2],
}

impl Report<'_> {
    fn write(&mut self, ink: Ink, text: &str) {
        let ink = match self.paint {
            Paint::Plain => Ink::Plain,
            Paint::Coloured => ink,
        };
        self.text.push(&Inked(ink, text));
    }

    fn summary(&mut self, diff: &Diff) {
        let groups = groups(diff);
        let lines: Vec<_> = groups.iter().flat_map(Group::named).collect();
        let width =
            lines.iter().map(|(title, _)| title.chars().count()).fold(0, usize::max).min(60);
        for (title, object) in lines {
            self.write(ink_of(object.fate), &format!("{} {title:width$}", object.fate.sign()));
            markup!(self.text, "  {}", format!("{:18}", field_count(object)));
            if let Some(outcome) = &object.outcome {
                markup!(self.text, "  {}", outcome.text);
            }
            self.end_line();
        }
    }

    /// Ends a line, without spaces at its end.
    fn end_line(&mut self) {
        self.text.trim_end();
        self.text.literal("\n");
    }

    /// Objects with the same differences.
    fn group(&mut self, group: &Group<'_>) {
        let first = group.first;
        let has_details = !first.fields.is_empty() || first.outcome.is_some();
        if has_details {
            self.space();
        }
        for (title, object) in group.named() {
            self.title(&title, object);
        }
        if let Some(outcome) = &first.outcome {
            self.text.literal("  ");
            self.write(Ink::Bold, &outcome.text);
            self.text.literal("\n");
            for detail in &outcome.details {
                markup!(self.text, "    * {}\n", detail);
            }
            let (commands, hidden) = group.commands();
            for command in commands {
                markup!(self.text, "    $ {}\n", command);
            }
            if hidden > 0 {
                markup!(self.text, "    and {}\n", hidden_count(hidden, "command"));
            }
        }
        for it in &first.findings {
            markup!(self.text, "  {}\n", finding(it));
        }
        first.fields.iter().for_each(|it| self.field(it));
        if has_details {
            self.space();
        }
    }

    /// An empty line, unless there is one.
    fn space(&mut self) {
        if !self.text.is_empty() && !self.text.as_str().ends_with("\n\n") {
            self.text.literal("\n");
        }
    }

    fn title(&mut self, title: &str, object: &ObjectChange) {
        self.write(ink_of(object.fate), &format!("{} {title}", object.fate.sign()));
        let [old, new] = self.labels;
        let place_of = |label, at: &Option<ObjectAt>| at.as_ref().map(|it| place(label, &it.place));
        let is_same_line =
            object.old.as_ref().map(|it| &it.place) == object.new.as_ref().map(|it| &it.place);
        let places = match (place_of(old, &object.old), place_of(new, &object.new)) {
            (Some(old), Some(new)) if !is_same_line => format!("{old} \u{2192} {new}"),
            (_, Some(place)) | (Some(place), None) => place,
            (None, None) => String::new(),
        };
        self.write(Ink::Faint, &format!("  {places}"));
        self.end_line();
    }

    fn field(&mut self, change: &FieldChange) {
        self.text.literal("  ");
        self.write(Ink::Cyan, &path(change));
        match change.difference {
            _ if change.is_hidden => self.text.literal("  (the values are hidden)"),
            Difference::Order => self.text.literal("  (another order)"),
            Difference::Quantity => self.text.literal("  (the same quantity)"),
            _ => {}
        }
        self.text.literal("\n");
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
        let first = |label: &str, of: &[Shown]| {
            of.first().map_or_else(String::new, |shown| place_of_value(label, shown))
        };
        let (old, new) = (first(old, &change.old), first(new, &change.new));
        self.write(Ink::Faint, &format!("    {old} \u{2192} {new}"));
        self.text.literal("\n");
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
                Sign::Old => self.write(Ink::Red, &format!("    - {line}")),
                Sign::New => self.write(Ink::Green, &format!("    + {line}")),
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
            if sign == Sign::Old { (Ink::Red, '-', old) } else { (Ink::Green, '+', new) };
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
                self.text.push(&" ".repeat(room));
                self.write(Ink::Faint, &place);
            }
            self.end_line();
        }
        self.rest(lines.len().saturating_sub(LONGEST));
    }

    /// The number of lines that are left out.
    fn rest(&mut self, count: usize) {
        if count > 0 {
            self.write(Ink::Faint, &format!("      ... {}", hidden_count(count, "line")));
            self.text.literal("\n");
        }
    }
}
