//! Finds the line with wrong indentation: the one where the parser stopped, one above it, or a
//! whole block.
//!
//! Each candidate repair is tried on a copy of the text. The one after which the document can be
//! read furthest, with the smallest number of other faults, is most likely the mistake.

use std::cmp::Reverse;
use std::ops::Range;

use super::colons::{MISSING_COLON, MISSING_SPACE_AFTER_DASH};
use super::layout::{LIST_AND_MAP_MIXED, WRONG_INDENTATION, blanks, is_block_header};
use super::line::Line;
use super::quotes::reads_like_key;
use super::repair::Repairs;
use super::tabs::{self, TAB_INDENTATION};
use super::{Fault, Stop, YAML_SYNTAX, candidates};
use crate::diag::{Diagnostic, Sink, Words, message};
use crate::sorted::SortedMap;
use crate::source::{FileId, Slice as _, Span, offset};

/// The maximum size of a document, in bytes, for which candidate repairs are tried.
const MAX_BYTES: usize = 1 << 16;

/// The maximum number of lines that move along with the key after a dash; more of them are not
/// repaired.
const MAX_ALIGNED: usize = 2_000;

/// A finding and the change that repairs its fault.
pub(super) struct Repair {
    pub(super) finding: Diagnostic,
    /// Ranges of the text and their replacements, in order of position.
    pub(super) edits: Vec<(Range<usize>, String)>,
    /// Whether the lines around the moved one have its new column.
    pub(super) is_between: bool,
}

/// The likeliest mistake that `finding` may represent.
pub(super) fn likeliest(
    file: FileId,
    body: &str,
    finding: Diagnostic,
    fault: &Fault,
    repairs: &mut Repairs,
    read: &impl Fn(&str, &mut Sink) -> Option<Stop>,
) -> Repair {
    let is_stray = finding.rule == &YAML_SYNTAX && *fault == Fault::Layout;
    let line = Line::at(body, finding.primary.span.within(file).start as usize);
    let is_tab = finding.rule == &TAB_INDENTATION && line.text.starts_with(['\t', ' ']);
    let is_indentation = finding.rule == &WRONG_INDENTATION || is_tab;
    let is_mixed = finding.rule == &LIST_AND_MAP_MIXED || is_stray;
    let finding_rule = finding.rule;
    let mut first = as_suggested(file, finding);
    if finding_rule == &MISSING_SPACE_AFTER_DASH {
        // The other keys of the item move along, where they are aligned with the first one.
        let column = line.indent() + 1;
        let below = std::iter::successors(line.next(body), |it| it.next(body));
        let aligned = below.take_while(|next| next.indent() >= column);
        if line.next(body).is_some_and(|next| next.indent() == column) {
            let aligned = aligned.take(MAX_ALIGNED);
            first.edits.extend(aligned.map(|next| (next.start..next.start, " ".to_owned())));
        }
        return first;
    }
    // A line that is indented too far continues the item above it as one string.
    let next =
        line.next(body).filter(|below| below.indent() > line.indent() && reads_like_key(*below));
    let is_continued = finding_rule == &MISSING_COLON && line.content().starts_with("- ");
    let is_continued = is_continued && next.is_some();
    // A string between the items of a list of strings.
    let is_undashed = finding_rule == &MISSING_COLON
        && !line.content().contains(' ')
        && candidates::is_list_below(body, line);
    let is_mixed = is_mixed || is_undashed;
    let is_open = is_mixed || is_continued || is_indentation && !first.edits.is_empty();
    if !is_open || body.len() > MAX_BYTES {
        return first;
    }
    let others = if is_tab {
        tabs::repairs(file, body, line, &first.finding)
    } else if is_mixed {
        candidates::near(file, body, line)
    } else if is_continued {
        next.into_iter().flat_map(|it| candidates::near(file, body, it)).collect()
    } else {
        let old = line.indent();
        let new = first.edits.first().map_or(old, |(_, blanks)| blanks.len());
        let above = line_above(file, body, line).into_iter().chain(line_between(file, body, line));
        let near = candidates::near(file, body, line);
        above.chain([repair_of_block(body, line, new, &first.finding)]).chain(near).collect()
    };
    if !repairs.take(body.len()) {
        return Repair { edits: Vec::new(), ..first };
    }
    let before = count_swallowed_lines(body);
    let mut best = (score_repair(&edited(body, &first.edits), &first, read), first);
    for repair in others {
        if !repairs.take(body.len()) {
            break;
        }
        let copy = edited(body, &repair.edits);
        // A line that becomes part of a value is not repaired.
        if count_swallowed_lines(&copy) > before {
            continue;
        }
        let reached = score_repair(&copy, &repair, read);
        if reached > best.0 {
            best = (reached, repair);
        }
    }
    best.1
}

/// The change that the finding suggests.
fn as_suggested(file: FileId, finding: Diagnostic) -> Repair {
    let suggested = finding.details().suggestions.first();
    let edits = suggested
        .map(|suggestion| (suggestion.span.within(file).range(), suggestion.replacement.clone()));
    let edits = edits.into_iter().collect();
    Repair { finding, edits, is_between: false }
}

/// The quality of a repair, compared in this order: the number of lines that can be parsed, whether
/// no key becomes part of a block scalar, the number of other faults, the irregularity of the
/// layout, whether the moved line is aligned with its neighbors, and the number of changed lines.
type Score = (usize, Reverse<usize>, Reverse<usize>, Reverse<Irregularity>, bool, Reverse<usize>);

/// A text with replaced pieces, which are in order of position.
pub(super) fn edited(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let (mut copy, mut from) = (String::with_capacity(text.len()), 0);
    for (range, replacement) in edits {
        if let Some(piece) = text.get(from..range.start)
            && text.get(range.clone()).is_some()
        {
            copy.push_str(piece);
            copy.push_str(replacement);
            from = range.end;
        }
    }
    copy.push_str(text.slice(from..));
    copy
}

fn score_repair(
    copy: &str,
    repair: &Repair,
    read: &impl Fn(&str, &mut Sink) -> Option<Stop>,
) -> Score {
    let mut others = Sink::new();
    let lines = match read(copy, &mut others) {
        None => usize::MAX,
        Some(stop) => {
            let before = copy.slice(..copy.floor_char_boundary(stop.at as usize));
            before.matches('\n').count()
        }
    };
    let irregularity = Reverse(irregularity_of_layout(copy));
    let changed = Reverse(repair.edits.len());
    let hidden = Reverse(hidden_keys(copy));
    (lines, hidden, Reverse(others.len()), irregularity, repair.is_between, changed)
}

/// The number of lines in block scalars that read like a key.
fn hidden_keys(text: &str) -> usize {
    let (mut count, mut line, mut header) = (0, Line::first(text), None);
    while let Some(it) = line {
        line = it.next(text);
        if header.is_some_and(|column| it.indent() > column) {
            count += usize::from(reads_like_key(it));
            continue;
        }
        let column = it.column(it.item_start());
        header = it.key_value().filter(|field| is_block_header(field.value)).map(|_| column);
    }
    count
}

/// The number of keys without a value above a line of the same level or of one above, of lines
/// indented by an odd number of spaces, of levels whose width is not the usual one, and of lists
/// that are not indented like most of them.
type Irregularity = (usize, usize, usize, usize);

/// The width of a level, if several are equally frequent.
const USUAL_WIDTH: usize = 2;

fn irregularity_of_layout(text: &str) -> Irregularity {
    let odd =
        text.lines().filter(|line| (line.len() - line.trim_start_matches(' ').len()) % 2 == 1);
    let (mut empty, mut widths) = (0, SortedMap::<usize, usize>::new());
    let (mut flush, mut indented) = (0_usize, 0_usize);
    let mut line = Line::first(text);
    while let Some(it) = line {
        line = it.next(text);
        let (Some(next), Some(found)) = (line, it.key_value()) else { continue };
        if !found.value.is_empty() {
            continue;
        }
        let is_item = next.content().starts_with("- ");
        let column = it.column(it.item_start());
        match next.indent().checked_sub(column) {
            Some(0) if is_item => flush += 1,
            Some(0) | None => empty += 1,
            Some(width) => {
                indented += usize::from(is_item);
                *widths.entry(width).or_default() += 1;
            }
        }
    }
    let usual = widths.iter().max_by_key(|(width, count)| (**count, **width == USUAL_WIDTH));
    let regular = usual.map_or(0, |(_, count)| *count);
    // A single level does not show what is usual.
    let is_odd = widths.len() == 1 && regular == 1 && !widths.contains_key(&USUAL_WIDTH);
    let unusual = widths.values().sum::<usize>() - regular + usize::from(is_odd);
    (empty, odd.count(), unusual, flush.min(indented))
}

/// The number of lines that continue an unquoted value of the line before.
fn count_swallowed_lines(text: &str) -> usize {
    let (mut count, mut line) = (0, Line::first(text));
    while let Some(it) = line {
        line = it.next(text);
        let Some(next) = line else { continue };
        let item = it.item_start();
        let (value, column) = match it.key_value() {
            Some(found) => (found.value, it.column(item)),
            None if it.content().starts_with("- ") => (it.rest(item), it.indent()),
            None => {
                let is_item = next.content().starts_with("- ") && next.indent() >= it.indent();
                count += usize::from(is_item);
                continue;
            }
        };
        let is_open = value.starts_with(['|', '>', '"', '\'', '[', '{', '&', '!', '*']);
        count += usize::from(!value.is_empty() && !is_open && next.indent() > column);
    }
    count
}

/// Considers the line before `line`, if `line` continues the structure above both, or if the
/// indentation is off by one space.
fn line_between(file: FileId, body: &str, line: Line<'_>) -> Option<Repair> {
    let before = line.previous(body)?;
    let (column, own) = (line.indent(), before.column(before.item_start()));
    let mut above = before.previous(body);
    let mut is_between = false;
    while let Some(it) = above.filter(|other| other.column(other.item_start()) >= column) {
        is_between |= it.column(it.item_start()) == column;
        above = it.previous(body);
    }
    let is_near = own.abs_diff(column) == 1;
    let indent = (before.indent() + column).checked_sub(own)?;
    let is_other = own != column && (is_between && own < column || is_near);
    is_other.then(|| Repair { is_between, ..blame(file, before, line, indent) })
}

/// Considers the line above that is indented less than `line` and belongs below a key without a
/// value, or the one that is indented more.
fn line_above(file: FileId, body: &str, line: Line<'_>) -> Vec<Repair> {
    let column = line.indent();
    let open = line.open_above(body);
    let deeper = open.iter().rfind(|above| above.indent() > column);
    let is_parent = |it: &Line<'_>, column: usize| {
        let is_empty = it.key_value().is_some_and(|field| field.value.is_empty());
        is_empty && it.column(it.item_start()) == column
    };
    let is_beside_parent =
        |it: &&Line<'_>| it.previous(body).is_some_and(|above| is_parent(&above, it.indent()));
    let outer = open.iter().find(|above| above.indent() < column).filter(is_beside_parent);
    [outer, deeper].into_iter().flatten().map(|above| blame(file, *above, line, column)).collect()
}

/// The repair that indents `above` by `new` spaces, so that it fits the lines from `line` on.
pub(super) fn blame(file: FileId, above: Line<'_>, line: Line<'_>, new: usize) -> Repair {
    let (indent, column) = (above.indent(), line.indent());
    let what = if above.content().starts_with("- ") { "item" } else { "key" };
    let message = if indent == column || above.start == line.start {
        message!(
            "inconsistent indentation: this {} is indented by {}, not by {new}",
            Words(what),
            blanks(indent)
        )
    } else {
        message!(
            "inconsistent indentation: this {} is indented by {}, the lines after it by {}",
            Words(what),
            blanks(indent),
            blanks(column)
        )
    };
    let span = |start: usize, end: usize| Span::new(file, offset(start), offset(end));
    let whole = |it: Line<'_>| span(it.content_start(), it.content_start() + it.content().len());
    let finding = Diagnostic::new(&WRONG_INDENTATION, whole(above), message);
    let finding = if above.start == line.start {
        finding
    } else if indent == column {
        finding.label(whole(line), "does not fit the lines above it")
    } else {
        finding.label(whole(line), message!("indented by {}", blanks(column)))
    };
    let finding = finding.suggest(
        span(above.start, above.content_start()),
        " ".repeat(new),
        message!("indent the line by {}", blanks(new)),
    );
    as_suggested(file, finding)
}

/// Moves the lines below `line` that are indented at least as much along with it.
fn repair_of_block(body: &str, line: Line<'_>, new: usize, finding: &Diagnostic) -> Repair {
    let old = line.indent();
    let mut edits = Vec::new();
    let mut next = Some(line);
    while let Some(it) = next.filter(|below| below.indent() >= old) {
        let indent = " ".repeat(it.indent() - old + new);
        edits.push((it.start..it.content_start(), indent));
        next = it.next(body);
    }
    Repair { finding: finding.clone(), edits, is_between: false }
}
