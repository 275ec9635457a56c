//! The few lines of a file that a message shows.
//!
//! An excerpt only contains the lines around its marks, so the cost of a message does not depend on
//! the size of the file. Its text is safe to print; ranges are byte ranges of that text, on
//! character boundaries.

use std::ops::Range;

use crate::markup::visible;
use crate::source::{Slice as _, SourceFile, Span, offset};

/// The length in bytes above which a line is cut to the surroundings of its marks.
const LONGEST_LINE: usize = 240;
/// The number of bytes kept around a mark in a line that is cut.
const SURROUNDINGS: usize = 36;
/// The number of bytes kept of the marked text in a line that is cut.
const LONGEST_MARK: usize = 120;
/// The distance in lines above which marks are shown in separate excerpts.
const WIDEST_GAP: usize = 60;

/// Lines of a file with marks on them.
#[derive(Debug)]
pub(super) struct Excerpt {
    /// The lines, each with a line feed. Lines that are not shown are empty.
    pub(super) text: String,
    /// The number of the first line, starting at 1.
    pub(super) first_line: usize,
    /// For each mark, its given number, and its range in `text`, which is always in one line.
    pub(super) marks: Vec<(usize, Range<usize>)>,
}

/// A mark on one line, in bytes of the file.
struct Mark {
    number: usize,
    line: usize,
    start: usize,
    end: usize,
}

/// The excerpts that show `spans`, all of which are in `file`; marks keep their index as number.
pub(super) fn excerpts(file: &SourceFile, spans: &[Span]) -> Vec<Excerpt> {
    let mut marks: Vec<_> =
        spans.iter().enumerate().map(|(number, span)| mark(file, number, *span)).collect();
    marks.sort_by_key(|mark| (mark.line, mark.number));
    marks.chunk_by(|a, b| b.line - a.line <= WIDEST_GAP).map(|marks| excerpt(file, marks)).collect()
}

/// The part of a span on its first line.
fn mark(file: &SourceFile, number: usize, span: Span) -> Mark {
    let text = file.text();
    let bytes = span.within(file.id()).range();
    let start = text.floor_char_boundary(bytes.start);
    let offset = offset(start);
    let line = file.lines().line_of(offset);
    let range = line_range(file, line);
    let start = start.min(range.end);
    let end = text.floor_char_boundary(bytes.end).clamp(start, range.end);
    let marked = text.slice(start..end).trim_end();
    Mark { number, line, start, end: start + marked.len() }
}

/// The bytes of a line without its line break.
pub(super) fn line_range(file: &SourceFile, line: usize) -> Range<usize> {
    let start = file.lines().line_start(line) as usize;
    let end = if line < file.lines().len() {
        file.lines().line_start(line + 1) as usize
    } else {
        file.text().len()
    };
    let text = file.text().slice(start..end);
    start..start + text.trim_end_matches(['\n', '\r']).len()
}

fn excerpt(file: &SourceFile, marks: &[Mark]) -> Excerpt {
    let first_line = marks.first().map_or(1, |mark| mark.line);
    let mut excerpt = Excerpt { text: String::new(), first_line, marks: Vec::new() };
    let mut previous = first_line;
    for on_line in marks.chunk_by(|a, b| a.line == b.line) {
        let line = on_line.first().map_or(first_line, |mark| mark.line);
        for between in previous + 1..line {
            // The renderer shows one line between two marked lines, and folds more.
            if line - previous == 2 {
                excerpt.push_line(file, between, &[]);
            }
            excerpt.text.push('\n');
        }
        excerpt.push_line(file, line, on_line);
        excerpt.text.push('\n');
        previous = line;
    }
    excerpt
}

impl Excerpt {
    fn push_line(&mut self, file: &SourceFile, line: usize, marks: &[Mark]) {
        let range = line_range(file, line);
        let mut at = range.start;
        for piece in pieces(file.text(), &range, marks) {
            if piece.start > at {
                self.text.push('…');
            }
            self.push_piece(file.text(), piece.clone(), marks);
            at = piece.end;
        }
        if at < range.end {
            self.text.push('…');
        }
    }

    /// Copies a piece of a line, and records the new positions of the marks that start in it.
    fn push_piece(&mut self, text: &str, piece: Range<usize>, marks: &[Mark]) {
        let base = self.text.len();
        let shown = |to: usize| visible(text.slice(piece.start..to));
        self.text.push_str(&shown(piece.end));
        let find = |offset: usize| base + shown(offset).len();
        for mark in marks {
            if self.marks.iter().all(|(number, _)| *number != mark.number)
                && (piece.start..=piece.end).contains(&mark.start)
            {
                self.marks.push((mark.number, find(mark.start)..find(mark.end.min(piece.end))));
            }
        }
    }
}

/// The parts of a line to show: the whole line, or the surroundings of its marks.
fn pieces(text: &str, line: &Range<usize>, marks: &[Mark]) -> Vec<Range<usize>> {
    if line.len() <= LONGEST_LINE {
        return vec![line.clone()];
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut wanted: Vec<_> = marks.iter().map(|mark| (mark.start, mark.end)).collect();
    wanted.sort_unstable();
    if wanted.is_empty() {
        wanted.push((line.start, line.start));
    }
    for (start, end) in wanted {
        let end = end.min(start + LONGEST_MARK) + SURROUNDINGS;
        let start = start.saturating_sub(SURROUNDINGS).max(line.start);
        let piece = text.floor_char_boundary(start)..text.ceil_char_boundary(end.min(line.end));
        match pieces.last_mut() {
            Some(last) if piece.start <= last.end => last.end = last.end.max(piece.end),
            _ => pieces.push(piece),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    fn show(text: &str, spans: &[(u32, u32)]) -> Vec<(usize, String, Vec<String>)> {
        let mut workspace = Workspace::new();
        let id = workspace.add("a.yaml", text);
        let spans: Vec<_> = spans.iter().map(|(start, end)| Span::new(id, *start, *end)).collect();
        excerpts(workspace.file(id), &spans)
            .into_iter()
            .map(|it| {
                let marks = it.marks.iter().map(|(_, range)| it.text[range.clone()].to_owned());
                (it.first_line, it.text.clone(), marks.collect())
            })
            .collect()
    }

    #[test]
    fn only_marked_lines_and_single_lines_between_them_are_kept() {
        let text = "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\n";
        let shown = show(text, &[(5, 6), (15, 16), (28, 29)]);
        let marks = vec!["b".to_owned(), "d".into(), "6".into()];
        assert_eq!(shown, [(2, "b: 2\nc: 3\nd: 4\ne: 5\nf: 6\n".to_owned(), marks)]);
        let shown = show(text, &[(0, 1), (15, 16)]);
        assert_eq!(shown[0].1, "a: 1\n\n\nd: 4\n");
    }

    #[test]
    fn distant_marks_get_an_excerpt_each() {
        let text = "x\n".repeat(200);
        let shown = show(&text, &[(0, 1), (300, 301)]);
        assert_eq!(shown.iter().map(|it| it.0).collect::<Vec<_>>(), [1, 151]);
    }

    #[test]
    fn a_long_line_is_truncated_around_its_marks() {
        let text = format!("{}HERE{}", "é".repeat(5000), "b".repeat(5000));
        let shown = show(&text, &[(10_000, 10_004)]);
        assert_eq!(shown[0].2, ["HERE"]);
        assert_eq!(shown[0].1, format!("…{}HERE{}…", "é".repeat(18), "b".repeat(36)) + "\n");
    }

    #[test]
    fn a_mark_ends_at_any_line_break() {
        assert_eq!(show("a: 1 \r\nb: 2\rc", &[(0, 12)])[0].2, ["a: 1"]);
        assert_eq!(
            show("a\rb: 2\rc", &[(2, 8)]),
            [(2, "b: 2\n".to_owned(), vec!["b: 2".to_owned()])]
        );
    }

    #[test]
    fn invalid_spans_do_not_panic() {
        assert_eq!(show("é", &[(1, 1)])[0].2, [""]);
        assert_eq!(show("", &[(0, 0)]), [(1, "\n".to_owned(), vec![String::new()])]);
        assert_eq!(show("ab\n", &[(90, 95)]), [(2, "\n".to_owned(), vec![String::new()])]);
    }

    #[test]
    fn several_marks_on_a_long_line_share_or_split_it() {
        let text = "0123456789".repeat(100);
        let shown = show(&text, &[(500, 510), (505, 507), (900, 901)]);
        assert_eq!(shown[0].2, ["0123456789", "56", "0"]);
        assert_eq!(shown[0].1.matches('…').count(), 3);
    }
}
