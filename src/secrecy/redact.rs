//! Removes secret values that a finding quotes.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::diag::{Details, Diagnostic};
use crate::source::{Span, Workspace};

/// The replacement of a secret value.
const REDACTED: &str = "***";

/// The minimum length, in bytes, of a value that is recognized anywhere. A shorter one is only
/// recognized in backquotes, because it can be part of any word.
const RECOGNIZABLE: usize = 6;

/// The maximum distance, in bytes, between a finding and a value that it quotes.
const NEAR: u32 = 4096;

/// The minimum length, in bytes, of a quoted part of a value that is recognized.
const SHORTEST_PART: usize = 3;

/// The number of bytes of values in which quoted parts are searched. A value can have megabytes, and
/// thousands of findings can be about parts of it. Afterwards, all that such a finding quotes is
/// removed.
const MAX_SEARCHED: usize = 1 << 28;

/// The number of values that are compared with the words of findings. Thousands of values can start
/// alike, next to thousands of findings that contain their start. Afterwards, all after such a start is
/// removed.
const MAX_COMPARED: usize = 1 << 22;

/// The values of all secrets, indexed so that the ones that a finding can quote are looked up: a
/// file can have as many secrets as findings.
pub(super) struct Secrets<'w> {
    /// The spans, sorted, without duplicates.
    spans: Vec<Span>,
    values: Vec<&'w str>,
    /// The values that are recognized anywhere: their first bytes and their indexes, sorted.
    starts: Vec<(u64, usize)>,
    /// For each pair of bytes, whether one of these values starts with it.
    pairs: Vec<bool>,
    /// The other values.
    short: BTreeMap<&'w str, Vec<usize>>,
    /// The number of bytes that are still searched.
    left: Cell<usize>,
    /// The number of values that are still compared.
    compared_left: Cell<usize>,
}

impl<'w> Secrets<'w> {
    pub(super) fn new(workspace: &'w Workspace, spans: &[Span]) -> Self {
        let mut secrets = Self {
            spans: spans.to_vec(),
            values: Vec::with_capacity(spans.len()),
            starts: Vec::new(),
            pairs: vec![false; 1 << 16],
            short: BTreeMap::new(),
            left: Cell::new(MAX_SEARCHED),
            compared_left: Cell::new(MAX_COMPARED),
        };
        secrets.spans.sort_unstable();
        secrets.spans.dedup();
        for (number, span) in secrets.spans.iter().enumerate() {
            let value = workspace.slice(*span).trim().trim_matches(['"', '\'']);
            secrets.values.push(value);
            match value.as_bytes().get(..RECOGNIZABLE) {
                Some(start) => {
                    secrets.starts.push((packed(start), number));
                    if let Some(pair) = secrets.pairs.get_mut(pair(start)) {
                        *pair = true;
                    }
                }
                None if value.is_empty() => {}
                None => secrets.short.entry(value).or_default().push(number),
            }
        }
        secrets.starts.sort_unstable();
        secrets
    }

    /// The range of the values that start with these bytes.
    fn starting(&self, start: &[u8], range: &Range<usize>) -> impl Iterator<Item = usize> {
        let is_known = self.pairs.get(pair(start)).is_some_and(|it| *it);
        let starts = if is_known { self.starts.as_slice() } else { &[] };
        let key = packed(start);
        let first = starts.partition_point(|it| *it < (key, range.start));
        let rest = starts.get(first..).unwrap_or_default().iter();
        let end = range.end;
        rest.take_while(move |it| it.0 == key && it.1 < end).map(|it| it.1)
    }

    /// Removes the values of the secrets near a finding. A suggestion that contains one is replaced by
    /// words.
    pub(super) fn remove_from(&self, finding: &mut Diagnostic) {
        let values = self.quoted_by(finding);
        if values.is_empty() {
            return;
        }
        let redact = |text: &mut String| {
            for value in &values {
                if let Some(without) = value.removed_from(text) {
                    *text = without;
                }
            }
        };
        let Diagnostic { primary, details, .. } = finding;
        let finding = Arc::make_mut(details);
        redact(&mut finding.message);
        for label in std::iter::once(primary).chain(&mut finding.secondary) {
            let mut text = label.text.to_string();
            redact(&mut text);
            label.text = text.into();
        }
        for mut suggestion in std::mem::take(&mut finding.suggestions) {
            redact(&mut suggestion.text);
            let mut replacement = suggestion.replacement.clone();
            redact(&mut replacement);
            if replacement == suggestion.replacement && !self.changes_one(suggestion.span) {
                finding.suggestions.push(suggestion);
            } else {
                finding.help.push(suggestion.text);
            }
        }
        finding.notes.iter_mut().chain(&mut finding.help).for_each(redact);
    }

    /// The secrets near a finding that its text can quote, longest first, because a shorter one can
    /// be part of a longer one.
    fn quoted_by<'s>(&'s self, finding: &Diagnostic) -> Vec<Secret<'s>> {
        let about = finding.primary.span;
        let mut places = vec![about];
        places.extend(finding.secondary.iter().map(|label| label.span));
        places.extend(finding.suggestions.iter().map(|it| it.span));
        let near = merged(places.into_iter().map(|place| self.near(place)).collect());
        let mut found = BTreeMap::new();
        for text in words_of(finding) {
            self.find_starts(text, &near, &mut found);
            for numbers in quoted(text).filter_map(|it| self.short.get(it)) {
                let numbers = near.iter().flat_map(|near| those_in(numbers, near));
                found.extend(self.texts(numbers).map(|it| (it, Role::Value)));
            }
        }
        let subjects = self.near(about).filter(|it| self.is_subject(*it, about));
        found.extend(self.texts(subjects).map(|it| (it, Role::Subject)));
        let secret = |(text, role)| Secret { text, role, left: &self.left };
        let mut found: Vec<_> = found.into_iter().map(secret).collect();
        found.sort_by_key(|it| Reverse(it.text.len()));
        found
    }

    /// Finds the values in these ranges that a text contains, or of which it contains a truncated
    /// start. One value is enough to remove such a start, so only the first one is found: thousands
    /// can start alike.
    fn find_starts(&self, text: &str, near: &[Range<usize>], found: &mut BTreeMap<&'w str, Role>) {
        let starts = quoted(text).filter_map(|it| it.strip_suffix('…'));
        for start in starts.filter(|it| (SHORTEST_PART..RECOGNIZABLE).contains(&it.len())) {
            let value = self.texts(near.iter().cloned().flatten()).find(|it| it.starts_with(start));
            found.extend(value.map(|it| (it, Role::Value)));
        }
        for (at, start) in text.as_bytes().windows(RECOGNIZABLE).enumerate() {
            let rest = text.as_bytes().get(at..).unwrap_or_default();
            let mut is_removed = false;
            for value in self.texts(near.iter().flat_map(|near| self.starting(start, near))) {
                let Some(left) = self.compared_left.get().checked_sub(1) else {
                    let start = value.split_at(value.floor_char_boundary(RECOGNIZABLE)).0;
                    found.insert(start, Role::Start);
                    break;
                };
                self.compared_left.set(left);
                let is_whole = rest.starts_with(value.as_bytes());
                if is_whole || !is_removed && is_cut(rest, value) {
                    is_removed |= !is_whole;
                    found.insert(value, Role::Value);
                }
            }
        }
    }

    /// The values with these numbers, except empty ones.
    fn texts(&self, numbers: impl Iterator<Item = usize>) -> impl Iterator<Item = &'w str> {
        numbers.filter_map(|it| self.values.get(it).copied()).filter(|it| !it.is_empty())
    }

    fn is_subject(&self, number: usize, about: Span) -> bool {
        let is_it = |it: &Span| it.contains(about.start_point()) || about.contains(*it);
        self.spans.get(number).is_some_and(is_it)
    }

    /// The secrets near a span, because a finding at a key can quote its value.
    fn near(&self, place: Span) -> Range<usize> {
        let first = self.spans.partition_point(|it| *it < place && !is_near(*it, place));
        let rest = self.spans.get(first..).unwrap_or_default();
        first..first + rest.partition_point(|it| is_near(*it, place))
    }

    /// Whether an edit of this span changes a secret.
    fn changes_one(&self, span: Span) -> bool {
        let mut near = self.near(span).filter_map(|it| self.spans.get(it));
        near.any(|secret| span.has_begin_of(*secret) || secret.contains(span))
    }
}

fn is_near(secret: Span, place: Span) -> bool {
    secret.distance(place) <= NEAR || place.has_begin_of(secret)
}

/// The parts of a text in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a text begins with the start of a value and a mark for the rest.
fn is_cut(text: &[u8], value: &str) -> bool {
    let mark = "…".as_bytes();
    let common = text.iter().zip(value.as_bytes()).take_while(|(a, b)| a == b).count();
    let end = text.len().min(common + mark.len());
    text.get(..end).is_some_and(|it| memchr::memmem::find(it, mark).is_some())
}

/// Ranges without those that overlap.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|it| it.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges.into_iter().filter(|it| !it.is_empty()) {
        match merged.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
}

/// The first bytes of a value as a number.
fn packed(start: &[u8]) -> u64 {
    start.iter().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

/// The first two bytes as a number.
fn pair(start: &[u8]) -> usize {
    start.iter().take(2).fold(0, |all, byte| all << 8 | usize::from(*byte))
}

/// The numbers of a sorted slice that are in a range.
fn those_in<'n>(numbers: &'n [usize], range: &Range<usize>) -> impl Iterator<Item = usize> + 'n {
    let first = numbers.partition_point(|it| *it < range.start);
    let end = numbers.partition_point(|it| *it < range.end);
    numbers.get(first..end).unwrap_or_default().iter().copied()
}

/// All strings of a finding.
fn words_of(finding: &Diagnostic) -> impl Iterator<Item = &str> {
    let Details { message, secondary, notes, help, suggestions, .. } = &**finding;
    let labels = std::iter::once(&finding.primary).chain(secondary).map(|it| &*it.text);
    let suggested = suggestions.iter().flat_map(|it| [&it.text, &it.replacement]);
    let texts = std::iter::once(message).chain(suggested).chain(notes).chain(help);
    labels.chain(texts.map(String::as_str))
}

/// What a secret is to a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// A value that the finding can quote.
    Value,
    /// The value that the finding is about.
    Subject,
    /// The start of values that were not compared.
    Start,
}

/// A secret value.
struct Secret<'v> {
    text: &'v str,
    role: Role,
    left: &'v Cell<usize>,
}

impl Secret<'_> {
    /// The text without the value, if it can contain it.
    fn removed_from(&self, text: &str) -> Option<String> {
        let Self { text: value, .. } = *self;
        let mut parts = quoted(text);
        if !text.contains('…') && !text.contains(value) && !parts.any(|it| self.has_part(it)) {
            return None;
        }
        let mut parts: Vec<String> = Vec::new();
        for (number, part) in text.split('`').enumerate() {
            if self.role == Role::Start
                && let Some((before, _)) = part.split_once(value)
            {
                parts.push(format!("{before}{REDACTED}"));
                continue;
            }
            let is_quoted = number % 2 == 1;
            // A long value is truncated in messages.
            let start = part.strip_suffix('…');
            let is_start =
                start.is_some_and(|it| it.len() >= SHORTEST_PART && value.starts_with(it));
            parts.push(if is_quoted && (part == value || is_start || self.has_part(part)) {
                REDACTED.to_owned()
            } else if let Some(before) = start.and_then(|it| without_start_of(value, it)) {
                format!("{before}{REDACTED}")
            } else if (RECOGNIZABLE..=part.len()).contains(&value.len()) {
                part.replace(value, REDACTED)
            } else {
                part.to_owned()
            });
        }
        Some(parts.join("`"))
    }

    /// Whether the finding is about the value, and `part` is a part of it.
    fn has_part(&self, part: &str) -> bool {
        if self.role != Role::Subject || part.len() < SHORTEST_PART || part.len() > self.text.len()
        {
            return false;
        }
        let Some(left) = self.left.get().checked_sub(self.text.len()) else { return true };
        self.left.set(left);
        memchr::memmem::find(self.text.as_bytes(), part.as_bytes()).is_some()
    }
}

/// The text before the start of a value, if `text` ends in a truncated value.
fn without_start_of<'t>(value: &str, text: &'t str) -> Option<&'t str> {
    let first = value.get(..RECOGNIZABLE)?;
    let mut ends = text.match_indices(first).map(|(at, _)| text.split_at(at));
    ends.find(|(_, end)| value.starts_with(end)).map(|(before, _)| before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(secret: &Secret<'_>, text: &str) -> String {
        secret.removed_from(text).unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn values_and_quoted_parts_are_redacted() {
        let redacted = |text, value| {
            without(&Secret { text: value, role: Role::Subject, left: &Cell::new(1000) }, text)
        };
        assert_eq!(redacted("`hunter22` is not base64", "hunter22"), "`***` is not base64");
        assert_eq!(redacted("`r22` at the end", "hunter22"), "`***` at the end");
        assert_eq!(redacted("did you mean hunter22=?", "hunter22"), "did you mean ***=?");
        assert_eq!(redacted("a key `data` has a value", "a"), "a key `data` has a value");
    }

    #[test]
    fn a_text_can_contain_the_start_of_a_value() {
        for (text, is_it) in [
            ("hunter22…", true),
            ("hunte…` is", true),
            ("hunter22", false),
            ("hunter2x…", false),
            ("hunter22\u{2026}", true),
            ("…", true),
            ("", false),
        ] {
            assert_eq!(is_cut(text.as_bytes(), "hunter22-hunter22"), is_it, "{text}");
        }
        assert!(is_cut("abc…".as_bytes(), "abc…def"));
        assert_eq!(merged(vec![4..6, 0..2, 8..9, 1..3, 5..5, 3..4]), [0..6, 8..9]);
        assert_eq!(merged(vec![4..6, 0..2]), [0..2, 4..6]);
    }

    #[test]
    fn a_truncated_value_is_redacted() {
        let secret = Secret { text: "hunter2-hunter2", role: Role::Value, left: &Cell::new(1000) };
        let redacted = |text| without(&secret, text);
        assert_eq!(redacted("`hunter2-h…` is too long"), "`***` is too long");
        assert_eq!(redacted("a value that is cut: hunter2-h…"), "a value that is cut: ***");
        assert_eq!(redacted("a value that is cut: hunter…"), "a value that is cut: ***");
        assert_eq!(redacted("another value: hunt…"), "another value: hunt…");
    }

    #[test]
    fn all_after_the_start_of_values_is_redacted() {
        let secret = Secret { text: "hunter", role: Role::Start, left: &Cell::new(1000) };
        let redacted = |text| without(&secret, text);
        assert_eq!(redacted("`a-hunter2` is not `b`"), "`a-***` is not `b`");
        assert_eq!(redacted("did you mean hunter2 or hunter3?"), "did you mean ***");
        assert_eq!(redacted("`hunte` and `unter2`"), "`hunte` and `unter2`");
    }

    #[test]
    fn values_that_start_alike_are_compared_a_limited_number_of_times() {
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", "hunter11 hunter22 hunter33 hünter44");
        let spans = [0, 9, 18, 27].map(|at| Span::new(file, at, at + 8));
        let text = "`hunter22` and `hunter2x`, hünter44";
        let of = |compared| {
            let secrets = Secrets::new(&workspace, &spans);
            secrets.compared_left.set(compared);
            let mut found = BTreeMap::new();
            let all = 0..4;
            secrets.find_starts(text, std::slice::from_ref(&all), &mut found);
            found.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(of(7), [("hunter22", Role::Value), ("hünter4", Role::Value)]);
        assert_eq!(of(6), [("hunter22", Role::Value), ("hünte", Role::Start)]);
        assert_eq!(of(0), [("hunter", Role::Start), ("hünte", Role::Start)]);
    }

    #[test]
    fn a_finding_about_something_else_keeps_its_text() {
        let secret = Secret { text: "data=", role: Role::Value, left: &Cell::new(1000) };
        assert_eq!(without(&secret, "`data` is not `data=`"), "`data` is not `***`");
    }

    #[test]
    fn after_many_searches_all_quoted_parts_are_redacted() {
        let left = &Cell::new(32);
        let redacted =
            |text| without(&Secret { text: "hunter22", role: Role::Subject, left }, text);
        assert_eq!(redacted("`data` is a key"), "`data` is a key");
        assert_eq!(redacted("`data` and `ter` are keys"), "`data` and `***` are keys");
        assert_eq!(redacted("`data` is a key"), "`***` is a key");
        assert_eq!(redacted("`a` is a key"), "`a` is a key");
    }
}
