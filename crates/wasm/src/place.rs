//! Positions in files as editors in browsers count them.

use sandboxc::{FileSpan, SourceFile, Workspace};
use serde::{Deserialize, Serialize};

/// A line and a column from 1; the column counts code units of UTF-16.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// The positions of a range.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

/// A range of a file.
#[derive(Serialize, Debug)]
pub(crate) struct Place<'w> {
    pub(crate) file: &'w str,
    #[serde(flatten)]
    pub(crate) range: Range,
}

impl Position {
    fn of(file: &SourceFile, offset: usize) -> Self {
        let offset = file.text().floor_char_boundary(offset);
        let place = file.line_column_utf16(u32::try_from(offset).unwrap_or(u32::MAX));
        Self { line: place.line, column: place.column }
    }

    /// The offset in bytes. A position after the end of its line is the end of the line, and one after
    /// the last line is the end of the text.
    pub(crate) fn offset(self, file: &SourceFile) -> usize {
        let (text, lines) = (file.text(), file.lines());
        let line = self.line.max(1) as usize;
        if line > lines.len() {
            return text.len();
        }
        let start = lines.line_start(line) as usize;
        let line = text.get(start..).unwrap_or("").split(['\n', '\r']).next().unwrap_or("");
        let mut column = 1;
        for (at, character) in line.char_indices() {
            column += character.len_utf16();
            if column > self.column as usize {
                return start + at;
            }
        }
        start + line.len()
    }
}

impl Range {
    pub(crate) fn of(file: &SourceFile, range: &std::ops::Range<usize>) -> Self {
        Self { start: Position::of(file, range.start), end: Position::of(file, range.end) }
    }

    /// The offsets in bytes.
    pub(crate) fn offsets(self, file: &SourceFile) -> std::ops::Range<usize> {
        let (start, end) = (self.start.offset(file), self.end.offset(file));
        start.min(end)..start.max(end)
    }
}

impl<'w> Place<'w> {
    pub(crate) fn of(workspace: &'w Workspace, span: FileSpan) -> Self {
        let file = workspace.file(span.file);
        Self { file: file.name(), range: Range::of(file, &span.range()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Workspace {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        workspace
    }

    #[test]
    fn an_offset_and_its_position_are_the_same_place() {
        let workspace = file("é: 😀x\r\nb\rc\n");
        let file = workspace.file(workspace.ids().next().unwrap());
        for (offset, _) in file.text().char_indices().filter(|character| character.1 != '\n') {
            assert_eq!(Position::of(file, offset).offset(file), offset);
        }
        assert_eq!(Position::of(file, 8), Position { line: 1, column: 6 });
    }

    #[test]
    fn a_position_outside_the_text_is_the_nearest_one_inside() {
        let workspace = file("a😀\nb");
        let file = workspace.file(workspace.ids().next().unwrap());
        let offset = |line, column| Position { line, column }.offset(file);
        assert_eq!([offset(1, 99), offset(9, 1), offset(2, 9), offset(1, 3)], [5, 7, 7, 1]);
        assert_eq!([offset(0, 0), offset(1, 0)], [0, 0]);
    }
}
