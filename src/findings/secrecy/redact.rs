//! Masks the secret values that a finding quotes.
//!
//! A finding at a secret value, or in a document that cannot be read, only quotes words that the rest of
//! the text near it shows, and names of Kubernetes' fields: what it quotes can be a part of the value,
//! or be decoded from it. In other findings, values are found by comparison.

use std::cell::OnceCell;
use std::ops::Range;

use super::signs::is_field_or_kind;
use crate::diag::{Diagnostic, Message, PathStep, Suggestion};
use crate::sorted::SortedSet;
use crate::source::{Slice as _, Span, Workspace, offset};

/// The replacement of a secret value.
const MASK: &str = "***";

/// The minimum length, in bytes, of a value that is recognized in a longer quote.
const RECOGNIZABLE: usize = 6;

/// The minimum length, in bytes, of a quoted part of a value that is recognized.
const SHORTEST_PART: usize = 3;

/// The length, in bytes, of a value in which parts are searched. Of a longer one, which no Secret
/// can have, any quote can be a part.
const LONGEST_SEARCHED: usize = 1 << 20;

/// The maximum distance, in bytes, between a finding and a value that it quotes.
const NEAR: u32 = 4096;

/// The number of hidden spans before a position that are compared with it. They rarely overlap.
const MOST_NESTED: usize = 16;

/// Words that findings at secrets quote, and that are not of the input.
const WORDS: [&str; 15] = [
    "array", "base64", "boolean", "false", "integer", "item", "key", "list", "map", "null",
    "number", "object", "space", "spaces", "true",
];

/// The length, in bytes, of the longest shown text around which its own words are searched.
const LONGEST_SUBJECT: u32 = 300;

/// The values of all secrets, indexed so that the ones that a finding can quote are looked up: a
/// file can have as many secrets as findings.
pub(super) struct Secrets<'w> {
    workspace: &'w Workspace,
    /// The spans, sorted, without duplicates.
    spans: &'w [Span],
    /// The values, each with the number of its span, sorted.
    values: Vec<(&'w [u8], usize)>,
    /// For each pair of bytes, whether a value starts with it.
    pairs: Vec<bool>,
    /// Where findings only quote what the text shows: spans in order that do not overlap.
    guarded: Vec<Span>,
    /// The documents that cannot be read, in order: findings quote parts of their text, and nothing
    /// decoded.
    unread: Vec<Span>,
    /// The names of all files.
    files: OnceCell<SortedSet<&'w str>>,
}

impl<'w> Secrets<'w> {
    pub(super) fn new(
        workspace: &'w Workspace,
        spans: &'w [Span],
        [guarded, mut unread]: [Vec<Span>; 2],
    ) -> Self {
        let guarded = united(guarded);
        unread.sort_unstable();
        let values = spans.iter().map(|span| value(workspace, *span).as_bytes()).zip(0..);
        let mut values: Vec<_> = values.filter(|(value, _)| !value.is_empty()).collect();
        values.sort_unstable();
        let mut pairs = vec![false; 1 << 16];
        for (value, _) in &values {
            if let Some(is_start) = pair(value).and_then(|pair| pairs.get_mut(pair)) {
                *is_start = true;
            }
        }
        Self { workspace, spans, values, pairs, guarded, unread, files: OnceCell::new() }
    }

    /// Masks the secrets near a finding that it quotes. A suggestion that contains one is replaced by
    /// words.
    pub(super) fn mask(&self, finding: &mut Diagnostic) {
        let near = self.near(finding);
        if near.numbers.is_empty() && near.guards.is_empty() {
            return;
        }
        let is_secret = |quote: &str| near.masked(quote).is_some();
        if finding.messages().flat_map(Message::quotes).any(is_secret) {
            finding.messages_mut().for_each(|message| {
                message.replace_quotes(|quote| near.masked(quote));
            });
        }
        let path = finding.details().path.as_ref().map_or(&[][..], |path| path.steps());
        let is_hidden = |step: &PathStep| step.name().is_some_and(is_secret);
        let shown =
            path.iter().position(is_hidden).map(|step| path.iter().take(step).cloned().collect());
        if shown.is_some() {
            finding.details_mut().path = shown;
        }
        let is_shown = |suggestion: &Suggestion| {
            !self.is_changed_by(suggestion.span) && near.masked(&suggestion.replacement).is_none()
        };
        if !finding.details().suggestions.iter().all(is_shown) {
            let details = finding.details_mut();
            let suggestions = std::mem::take(&mut details.suggestions);
            let (shown, hidden) = suggestions.into_iter().partition(is_shown);
            details.suggestions = shown;
            details.help.extend(Vec::into_iter(hidden).map(|suggestion| suggestion.text));
        }
    }

    /// The secrets that a finding can quote.
    fn near(&self, finding: &Diagnostic) -> Near<'_, 'w> {
        let (about, details) = (finding.primary.span, finding.details());
        let labels = details.secondary.iter().map(|label| label.span);
        let edits = details.suggestions.iter().map(|suggestion| suggestion.span);
        let places: Vec<_> = std::iter::once(about).chain(labels).chain(edits).collect();
        let mut numbers: Vec<_> = places.iter().map(|place| self.numbers_near(*place)).collect();
        numbers.retain(|range| !range.is_empty());
        let spans = self.spans.slice(self.numbers_near(about)).iter().copied();
        let is_subject = |it: &Span| it.contains(about.start_point()) || about.contains(*it);
        let subjects = spans.filter(is_subject).map(|span| value(self.workspace, span)).collect();
        let is_guarded = places.iter().any(|place| holder(*place, &self.guarded).is_some());
        let (_, length) = about.parts();
        let is_shown = !is_guarded && length <= LONGEST_SUBJECT && !self.is_hidden(about);
        let shown = if is_shown { self.workspace.slice(about) } else { "" };
        let guards = if is_guarded { places } else { Vec::new() };
        Near { secrets: self, subjects, shown, numbers, guards }
    }

    /// The numbers of the secrets near a span, because a finding at a key can quote its value.
    fn numbers_near(&self, place: Span) -> Range<usize> {
        let first = self.spans.partition_point(|it| *it < place && !is_near(*it, place));
        let rest = self.spans.slice(first..);
        first..first + rest.partition_point(|it| is_near(*it, place))
    }

    /// Whether an edit of this span changes a secret. An insertion next to one does not.
    fn is_changed_by(&self, span: Span) -> bool {
        let mut near = self.spans.slice(self.numbers_near(span)).iter();
        near.any(|secret| overlaps(span, *secret))
    }

    /// Whether a word is one of this program: a document that cannot be read does not contain it, and
    /// has no escapes of which it could be decoded. Nor do the lines next to the document.
    fn is_of_program(&self, word: &str, place: Span) -> bool {
        let Some(document) = holder(place, &self.unread) else { return false };
        let file = self.workspace.file_at(document);
        let range = document.within(file.id()).range();
        let near = NEAR as usize;
        let text = file.text().as_bytes();
        let (from, to) = (range.start.saturating_sub(near), (range.end + near).min(text.len()));
        let text = text.slice(from..to);
        let has = |part: &[u8]| memchr::memmem::find(text, part).is_some();
        !has(b"\\") && !has(word.as_bytes())
    }

    /// Whether the text near a place shows a word.
    fn shows(&self, word: &str, place: Span) -> bool {
        let file = self.workspace.file_at(place);
        let text = file.text();
        let at = place.within(file.id()).range();
        let near = NEAR as usize;
        let from = text.floor_char_boundary(at.start.saturating_sub(near));
        let to = text.ceil_char_boundary(at.start.saturating_add(near).min(text.len()));
        let window = text.slice(from..to);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        memchr::memmem::find_iter(window.as_bytes(), word.as_bytes()).any(|found| {
            let (start, end) = (from + found, from + found + word.len());
            let (before, after) = (text.get(..start), text.get(end..));
            let is_whole = before.is_some_and(|it| !it.ends_with(is_part))
                && after.is_some_and(|it| !it.starts_with(is_part));
            is_whole && !self.is_hidden(Span::new(file.id(), offset(start), offset(end)))
        })
    }

    /// Whether a quote is the name of a file.
    fn is_file(&self, quote: &str) -> bool {
        let workspace = self.workspace;
        let names = || workspace.ids().map(|file| workspace.file(file).name()).collect();
        self.files.get_or_init(names).contains(quote)
    }

    /// Whether a part of a span is hidden.
    fn is_hidden(&self, span: Span) -> bool {
        let after = self.spans.partition_point(|hidden| hidden.start_point() < span.end_point());
        let before = self.spans.slice(..after).iter().rev().take(MOST_NESTED);
        before.into_iter().any(|it| overlaps(span, *it))
    }

    /// The values from the first that is not before `value`.
    fn values_from(&self, value: &[u8]) -> &[(&'w [u8], usize)] {
        let first = self.values.partition_point(|(it, _)| *it < value);
        self.values.slice(first..)
    }
}

/// The last of these spans that has a part of a place. They are in order, and do not overlap.
fn holder(place: Span, spans: &[Span]) -> Option<Span> {
    let after = spans.partition_point(|span| span.start_point() <= place.end_point());
    let last = after.checked_sub(1).and_then(|it| spans.get(it));
    last.copied().filter(|span| span.end_point() >= place.start_point())
}

/// The spans in order, without overlaps.
fn united(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut united: Vec<Span> = Vec::new();
    for span in spans {
        match united.last_mut() {
            Some(last) if span.start_point() <= last.end_point() => *last = last.to(span),
            _ => united.push(span),
        }
    }
    united
}

/// Whether two spans have a byte in common, or one is empty and inside the other.
fn overlaps(one: Span, other: Span) -> bool {
    one.start_point() < other.end_point() && other.start_point() < one.end_point()
}

/// Whether a part of a quote only belongs to names of fields or kinds.
fn is_in_name(quote: &str, part: Range<usize>) -> bool {
    let is_between = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'));
    let before = quote.get(..part.start).and_then(|text| text.rsplit(is_between).next());
    let after = quote.get(part.end..).and_then(|text| text.split(is_between).next());
    let length = |text: Option<&str>| text.map_or(0, str::len);
    let whole = quote.slice(part.start - length(before)..part.end + length(after));
    let mut words = whole.split(is_between).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && words.all(is_field_or_kind)
}

/// A value without its quotes.
fn value(workspace: &Workspace, span: Span) -> &str {
    workspace.slice(span).trim().trim_matches(['"', '\''])
}

fn is_near(secret: Span, place: Span) -> bool {
    secret.distance(place) <= NEAR || place.has_begin_of(secret)
}

/// The first two bytes as a number.
fn pair(text: &[u8]) -> Option<usize> {
    text.first_chunk().map(|pair| usize::from(u16::from_be_bytes(*pair)))
}

/// The secrets near a finding.
struct Near<'s, 'w> {
    secrets: &'s Secrets<'w>,
    /// The values that the finding is about.
    subjects: Vec<&'w str>,
    /// The text that the finding is about, if it is not secret.
    shown: &'w str,
    /// The numbers of the secrets, as ranges that can overlap.
    numbers: Vec<Range<usize>>,
    /// The places of a finding that only quotes what the text near them shows.
    guards: Vec<Span>,
}

impl Near<'_, '_> {
    /// The quote without the secrets in it, if there are any.
    fn masked(&self, quote: &str) -> Option<String> {
        if !quote.is_empty() && (self.shown.contains(quote) || self.secrets.is_file(quote)) {
            return None;
        }
        // A long value is truncated in messages.
        let (shown, is_cut) = quote.strip_suffix('…').map_or((quote, false), |it| (it, true));
        let is_start = is_cut && self.has_start(shown.as_bytes());
        let is_part = shown.len() >= SHORTEST_PART && (is_start || self.is_part_of_subject(shown));
        if is_part || self.has(quote.as_bytes()) || !self.shows(quote) {
            return Some(MASK.to_owned());
        }
        let (mut masked, mut from, mut at) = (String::new(), 0, 0);
        while let Some(rest) = shown.as_bytes().get(at..).filter(|it| it.len() >= RECOGNIZABLE) {
            let is_known =
                pair(rest).and_then(|it| self.secrets.pairs.get(it)).is_some_and(|it| *it);
            let found = if is_known { self.value_at(rest) } else { None };
            let length = match found.filter(|it| !is_in_name(quote, at..at + it)) {
                None if is_known && is_cut && self.has_start(rest) => quote.len() - at,
                None => 0,
                Some(length) => length,
            };
            if length > 0 {
                masked.push_str(quote.slice(from..at));
                masked.push_str(MASK);
                from = at + length;
            }
            at += length.max(1);
        }
        masked.push_str(quote.slice(from..));
        (from > 0).then_some(masked)
    }

    /// Whether a finding can quote these words.
    fn shows(&self, quote: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let is_shown = |word: &str| {
            let word = word.trim_matches('-');
            let is_short = word.len() < SHORTEST_PART
                || word.len() == SHORTEST_PART && word.bytes().all(|c| c.is_ascii_digit());
            is_short
                || is_field_or_kind(word)
                || WORDS.contains(&word)
                || self.guards.iter().any(|place| {
                    self.secrets.shows(word, *place) || self.secrets.is_of_program(word, *place)
                })
        };
        self.guards.is_empty() || quote.split(|c| !is_part(c)).all(is_shown)
    }

    /// Whether a secret has this value.
    fn has(&self, value: &[u8]) -> bool {
        self.numbers.iter().any(|range| {
            let values = &self.secrets.values;
            let at = values.partition_point(|it| *it < (value, range.start));
            values.get(at).is_some_and(|(it, number)| *it == value && *number < range.end)
        })
    }

    /// Whether the value of a secret starts with this text.
    fn has_start(&self, start: &[u8]) -> bool {
        let values = self.secrets.values_from(start);
        let count = values.partition_point(|(it, _)| it.starts_with(start));
        if count <= self.numbers.iter().map(ExactSizeIterator::len).sum::<usize>() {
            return values.iter().take(count).any(|(_, number)| self.contains(*number));
        }
        let spans =
            self.numbers.iter().filter_map(|numbers| self.secrets.spans.get(numbers.clone()));
        let mut near = spans.flatten().map(|span| value(self.secrets.workspace, *span).as_bytes());
        near.any(|it| it.starts_with(start))
    }

    /// The length of the longest recognizable value with which a text starts.
    fn value_at(&self, text: &[u8]) -> Option<usize> {
        let mut text = text;
        while text.len() >= RECOGNIZABLE {
            if self.has(text) {
                return Some(text.len());
            }
            // The next shorter value with which it starts is before it, and so are only values that
            // share at most as much with it.
            let before = self.secrets.values.partition_point(|(it, _)| *it < text);
            let (value, _) = self.secrets.values.get(before.checked_sub(1)?)?;
            let common = text.iter().zip(*value).take_while(|(a, b)| a == b).count();
            text = text.get(..common)?;
        }
        None
    }

    /// Whether the finding is about a value that contains this text.
    fn is_part_of_subject(&self, part: &str) -> bool {
        let mut long = self.subjects.iter().filter(|value| value.len() >= part.len());
        long.any(|value| value.len() > LONGEST_SEARCHED || value.contains(part))
    }

    fn contains(&self, number: usize) -> bool {
        self.numbers.iter().any(|range| range.contains(&number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Rule, Severity, Words, message};

    static RULE: Rule = Rule::new("a-rule", Severity::Error);

    /// The message of a finding at a range of a file, whose words are values of secrets.
    fn masked_at(values: &str, at: (u32, u32), message: &str) -> String {
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", values);
        let start_of = |word: &str| word.as_ptr() as usize - values.as_ptr() as usize;
        let whole = Span::new(file, 0, u32::MAX);
        let spans: Vec<_> = values
            .split(' ')
            .map(|word| whole.part(start_of(word)..start_of(word) + word.len()))
            .collect();
        let mut finding = Diagnostic::new(&RULE, Span::new(file, at.0, at.1), quoting(message));
        Secrets::new(&workspace, &spans, [Vec::new(), Vec::new()]).mask(&mut finding);
        finding.details().message.as_prose().to_string()
    }

    /// The message that quotes what is between backquotes.
    fn quoting(text: &str) -> Message {
        let parts = text.split('`').enumerate().map(|(number, part)| match number % 2 {
            0 => message!("{}", Words(String::from(part).leak())),
            _ => message!("`{part}`"),
        });
        Message::joined(parts, "")
    }

    /// The message of a finding about the value.
    fn about(value: &str, message: &str) -> String {
        masked_at(value, (0, 1), message)
    }

    /// The message of a finding about a key after the values.
    fn near(values: &str, message: &str) -> String {
        let values = format!("{values} -");
        let end = u32::try_from(values.len()).unwrap();
        masked_at(&values, (end - 1, end), message)
    }

    #[test]
    fn values_and_their_parts_are_masked_in_quotes() {
        assert_eq!(about("hunter22", "`hunter22` is not base64"), "`***` is not base64");
        assert_eq!(about("'hunter22'", "`r22` at the end"), "`***` at the end");
        assert_eq!(about("hunter22", "did you mean `hunter22=`?"), "did you mean `***=`?");
        assert_eq!(about("hunter22", "invalid `=` or `22`"), "invalid `=` or `22`");
        assert_eq!(near("data=", "`data` is not `data=`"), "`data` is not `***`");
        assert_eq!(near("a", "`data` is not `a`"), "`data` is not `***`");
        assert_eq!(
            near("volume-1 volume", "volume `a-volume-12` of `volume`s"),
            "volume `a-***2` of `***`s"
        );
    }

    #[test]
    fn truncated_values_are_masked() {
        let value = "hunter2-hunter2";
        assert_eq!(near(value, "`hunter2-h…` is too long"), "`***` is too long");
        assert_eq!(near(value, "cut: `a: hunter2-h…`"), "cut: `a: ***`");
        assert_eq!(near(value, "cut: `a: hunte…`"), "cut: `a: hunte…`");
        assert_eq!(about(value, "cut: `ter2-…`"), "cut: `***`");
    }

    #[test]
    fn the_longest_value_is_masked_among_those_that_start_alike() {
        let values = "hunter hunter2 hunter22 hunter23 hunter222";
        assert_eq!(near(values, "`a-hunter22.` `hunter3`"), "`a-***.` `***3`");
        assert_eq!(near(values, "`hunter222hunter23`"), "`******`");
        assert_eq!(near("hünter44", "`über hünter44`"), "`über ***`");
    }

    #[test]
    fn distant_values_are_not_masked() {
        let values = format!("hunter22 {}", "x".repeat(2 * NEAR as usize));
        let end = u32::try_from(values.len()).unwrap();
        assert_eq!(masked_at(&values, (end - 1, end), "`hunter22`"), "`hunter22`");
        assert_eq!(masked_at(&values, (0, end), "`hunter22`"), "`***`");
    }
}
