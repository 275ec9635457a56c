//! The scan of a value in brackets, which can have several lines.

use super::scan::Scan;
use super::{Kind, Style};
use crate::source::Slice as _;

/// The maximum depth of brackets. No manifest needs it.
const DEEPEST: usize = 200;

/// An open bracket.
struct Bracket {
    /// Whether it is a list.
    is_list: bool,
    /// The number of open entries in which it is.
    depth: usize,
    start: usize,
}

/// Scans the value of the innermost open entry, which begins with a bracket. Returns the offset after it.
/// Brackets that are not closed end before a line that looks like a field around them.
pub(super) fn flow(scan: &mut Scan<'_>, start: usize) -> usize {
    let outer = scan.open.len();
    let column = scan.open.last().and_then(|at| scan.entries.get(*at)).map_or(0, |it| it.column);
    let mut brackets: Vec<Bracket> = Vec::new();
    let mut at = start;
    while let Some(character) = scan.text.get(at..).and_then(|it| it.chars().next()) {
        match character {
            // Deeper ones are skipped with all that is in them, up to their end.
            '{' | '[' if brackets.len() >= DEEPEST => at += 1,
            '{' | '[' => {
                if brackets.last().is_some_and(|it| it.is_list) {
                    item(scan, &brackets, column, at);
                }
                let depth = scan.open.len();
                brackets.push(Bracket { is_list: character == '[', depth, start: at });
                scan.set(at..at + 1, Style::Brackets);
                at += 1;
            }
            '}' | ']' => {
                at += 1;
                let Some(bracket) = brackets.pop() else { break };
                scan.close(bracket.depth);
                scan.set(bracket.start..at, Style::Brackets);
                if brackets.is_empty() {
                    break;
                }
            }
            ',' => {
                let depth = brackets.last().map_or(outer, |it| it.depth);
                scan.close(depth);
                at += 1;
            }
            '\n' | '\r' => {
                let next = scan.next_line(at);
                if next < scan.text.len() && scan.begins_entry(next, column) {
                    break;
                }
                at = next;
            }
            '#' if scan.slice(0..at).ends_with([' ', '\t', '\n']) => {
                let end = scan.line_end(at);
                scan.comments.push(at..end);
                at = end;
            }
            it if it.is_whitespace() => at += it.len_utf8(),
            _ => at = token(scan, &brackets, column, at),
        }
    }
    scan.last = scan.last.max(scan.slice(start..at).trim_end().len() + start);
    while let Some(bracket) = brackets.pop() {
        scan.close(bracket.depth);
        let end = scan.last;
        scan.set(bracket.start..end, Style::Brackets);
    }
    at
}

/// Adds an item to the list of the innermost bracket, unless one has begun.
fn item(scan: &mut Scan<'_>, brackets: &[Bracket], column: usize, at: usize) {
    if brackets.last().is_some_and(|it| it.depth == scan.open.len()) {
        scan.add(Kind::Item(0), column, at..at);
    }
}

/// Scans a key or a scalar. Returns the offset after it.
fn token(scan: &mut Scan<'_>, brackets: &[Bracket], column: usize, start: usize) -> usize {
    let rest = scan.text.slice(start..);
    let quote = rest.chars().next().filter(|it| matches!(it, '"' | '\''));
    let mut end = match quote {
        Some(quote) => scan.quoted(start, quote),
        None => start + plain_length(rest),
    };
    // A colon alone ends a key that was not read as one.
    end = end.max(start + rest.chars().next().map_or(0, char::len_utf8));
    let after = scan.text.slice(end..);
    let spaces = after.len() - after.trim_start_matches([' ', '\t']).len();
    let has_colon = after.get(spaces..).is_some_and(|it| it.starts_with(':'));
    let Some(bracket) = brackets.last() else { return end };
    let is_begun = scan.open.len() > bracket.depth;
    if bracket.is_list && !is_begun {
        scan.add(Kind::Item(0), column, start..start);
    }
    if has_colon && (!is_begun || bracket.is_list) {
        scan.add(Kind::Field, column, start..end);
        return end + spaces + 1;
    }
    if scan.open.len() > bracket.depth {
        scan.set(start..end, Style::Scalar);
    } else {
        scan.add(Kind::Loose, column, start..end);
    }
    end
}

/// The length of a plain scalar in brackets.
fn plain_length(rest: &str) -> usize {
    let mut before = ' ';
    for (at, it) in rest.char_indices() {
        let after = rest.get(at + it.len_utf8()..).and_then(|it| it.chars().next());
        let is_end = match it {
            ',' | '[' | ']' | '{' | '}' | '\n' | '\r' => true,
            ':' => after.is_none_or(|it| it.is_whitespace() || ",[]{}".contains(it)),
            '#' => before.is_whitespace(),
            _ => false,
        };
        if is_end {
            return rest.slice(..at).trim_end().len();
        }
        before = it;
    }
    rest.trim_end().len()
}
