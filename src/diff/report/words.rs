//! The words and numbers that the formats share.

use std::fmt::Write as _;

use crate::diag::Diagnostic;
use crate::diff::model::{Diff, Fate, FieldChange, ObjectAt, ObjectChange, Place, Shown};
use crate::limits::thousands;
use crate::markup::visible_line;

impl Fate {
    /// The sign in front of an object.
    pub(super) const fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Changed => '~',
            Self::Renamed => '>',
            Self::Removed => '-',
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
            Self::Removed => "removed",
        }
    }
}

/// The number of objects of each fate.
pub(super) fn counts(diff: &Diff) -> [(Fate, usize); 4] {
    [Fate::Changed, Fate::Renamed, Fate::Added, Fate::Removed].map(|fate| {
        let count = diff.objects.iter().filter(|it| it.fate == fate).count();
        (fate, count)
    })
}

/// `2 changed, 1 added; 14 unchanged`.
pub(super) fn totals(diff: &Diff) -> String {
    let counts = counts(diff);
    let some = counts.iter().filter(|(_, count)| *count > 0);
    let parts: Vec<_> =
        some.map(|(fate, count)| format!("{} {}", thousands(*count), fate.name())).collect();
    let mut text = if parts.is_empty() { "no differences".to_owned() } else { parts.join(", ") };
    if diff.unchanged > 0 {
        let _ = write!(text, "; {} unchanged", thousands(diff.unchanged));
    }
    if !diff.not_compared.is_empty() {
        let _ = write!(text, "; {} not compared", thousands(diff.not_compared.len()));
    }
    text
}

/// What is left out of a list: `1 more command`, `1,990 more commands`.
pub(super) fn hidden_count(count: usize, noun: &str) -> String {
    format!("{} more {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// The name of an object; of a renamed one, both names.
pub(super) fn title(object: &ObjectChange) -> String {
    let name_of = |at: &ObjectAt| visible_line(&at.describe()).into_owned();
    match (&object.old, &object.new) {
        (Some(old), Some(new)) if object.fate == Fate::Renamed => {
            let (old_name, new_name) = (name_of(old), name_of(new));
            if old_name == new_name {
                format!("{new_name} ({} \u{2192} {})", old.api_version, new.api_version)
            } else {
                format!("{old_name} \u{2192} {new_name}")
            }
        }
        _ => object.object().map_or_else(String::new, name_of),
    }
}

/// `2 fields`.
pub(super) fn field_count(object: &ObjectChange) -> String {
    match (object.fate, object.fields.len()) {
        (Fate::Added | Fate::Removed, _) => object.fate.name().to_owned(),
        (Fate::Renamed, 0) => "renamed".to_owned(),
        (Fate::Renamed, 1) => "renamed, 1 field".to_owned(),
        (Fate::Renamed, count) => format!("renamed, {} fields", thousands(count)),
        (Fate::Changed, 1) => "1 field".to_owned(),
        (Fate::Changed, count) => format!("{} fields", thousands(count)),
    }
}

/// The path, with what differs if that is not the value.
pub(super) fn path(change: &FieldChange) -> String {
    visible_line(&change.path.to_string()).into_owned()
}

/// `web.yaml:8`, with the layer or the expression that set a value.
pub(super) fn place(label: &str, place: &Place) -> String {
    let Place { file, line, layer, source, .. } = place;
    let mut text = format!("{label}{file}:{line}");
    if let Some(layer) = layer {
        let _ = write!(text, " ({})", layer.describe());
    }
    if let Some(source) = source {
        let _ = write!(text, ": {source}");
    }
    visible_line(&text).into_owned()
}

/// Where a value is written.
pub(super) fn place_of_value(label: &str, shown: &Shown) -> String {
    match &shown.place {
        Some(it) => place(label, it),
        None if shown.is_default => "default".to_owned(),
        None => String::new(),
    }
}

/// The headline of a finding.
pub(super) fn headline(finding: &Diagnostic) -> &str {
    finding.messages().next().map_or("", |it| it.as_prose())
}

/// A finding about a change, in one line.
pub(super) fn finding(finding: &Diagnostic) -> String {
    let line =
        format!("{}[{}]: {}", finding.severity.as_str(), finding.rule.name, headline(finding));
    visible_line(&line).into_owned()
}
