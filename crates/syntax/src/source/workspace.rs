//! The files of one run, in memory.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::limits;

use super::{FileId, FileSpan, LineColumn, LineIndex, Span, offset};

/// The name of standard input.
pub const STDIN: &str = "<stdin>";

/// The role of a file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum FileRole {
    /// The user named it: everything in it is compiled, and a document that is not an object is an
    /// error.
    #[default]
    Named,
    /// It was found in a folder: compiled like a named file if it contains Kubernetes objects or
    /// definitions, else skipped.
    Found,
    /// It belongs to the project around the named files: references to its definitions resolve, but
    /// its objects are not part of the output and its findings are not reported.
    Context,
    /// It belongs to another project of the run, and has no part in this compilation.
    OtherProject,
    /// Only its custom resource definitions are used, and they are not part of the output.
    KnownKinds,
    /// Its objects exist in the cluster: admission policies with what they refer to. They are
    /// checked, and are not part of the output.
    Policies,
    /// Its objects exist in the cluster, as `external` of the Project says: references to them
    /// resolve. They are neither checked nor part of the output.
    External,
    /// It contains values that take precedence over those of the Project
    /// ([`add_values`](Workspace::add_values)).
    Values,
}

/// One input: its name as shown to the user, and its bytes.
#[derive(Debug)]
pub struct SourceFile {
    id: FileId,
    name: String,
    text: String,
    invalid_utf8_at: Option<u32>,
    is_left_out: bool,
    is_file: bool,
    is_kept: bool,
    unreadable: Option<String>,
    role: FileRole,
    lines: OnceLock<LineIndex>,
}

impl SourceFile {
    fn new(id: FileId, name: String, bytes: Vec<u8>) -> Self {
        let (text, invalid_utf8_at) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let at = offset(error.utf8_error().valid_up_to());
                (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(at))
            }
        };
        Self {
            id,
            is_file: name != STDIN,
            name,
            text,
            invalid_utf8_at,
            is_left_out: false,
            is_kept: false,
            unreadable: None,
            role: FileRole::default(),
            lines: OnceLock::new(),
        }
    }

    /// Drops its text if its offsets would exceed `last`.
    fn fit(mut self, last: u32) -> Self {
        let end = u64::from(self.id.0).saturating_add(self.text.len() as u64);
        if end >= u64::from(last) && !self.text.is_empty() {
            (self.text, self.is_left_out) = (String::new(), true);
        }
        self
    }

    /// The ID of the file.
    #[must_use]
    pub fn id(&self) -> FileId {
        self.id
    }

    /// The offset of the next file, which differs from the end of this one.
    fn behind(&self) -> u32 {
        let length = offset(self.text.len());
        self.id.0.saturating_add(length).saturating_add(1)
    }

    /// The name shown in messages: a path as the user gave it, or `<stdin>`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the name is that of a file; standard input, and the output of another program, have
    /// none.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.is_file
    }

    /// The text. Bytes that were not UTF-8 are replaced with the replacement character.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The offset of the first byte that is not UTF-8. Up to there, the text is unchanged.
    #[must_use]
    pub fn invalid_utf8_at(&self) -> Option<u32> {
        self.invalid_utf8_at
    }

    /// Whether its text was dropped because all files together exceed 4 GiB.
    #[must_use]
    pub fn is_left_out(&self) -> bool {
        self.is_left_out
    }

    /// Why the file could not be read. Its text is empty then.
    #[must_use]
    pub fn unreadable(&self) -> Option<&str> {
        self.unreadable.as_deref()
    }

    /// Whether a command can edit the file: it is part of the input, and is not [kept](Workspace::keep).
    #[must_use]
    pub fn can_change(&self) -> bool {
        matches!(self.role, FileRole::Named | FileRole::Found) && !self.is_kept
    }

    /// The role of the file.
    #[must_use]
    pub fn role(&self) -> FileRole {
        self.role
    }

    /// The index of its lines, computed at the first call.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        self.lines().line_column(&self.text, offset)
    }

    /// Line and column of a byte offset, with the column in UTF-16 code units.
    pub fn line_column_utf16(&self, offset: u32) -> LineColumn {
        self.lines().line_column_utf16(&self.text, offset)
    }
}

/// The maximum end of the last file, as an offset among all files. Some space is reserved for files
/// without text.
const LAST: u32 = limits::RUN_BYTES.most;

/// All files of one run. The only source of [`FileId`]s.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The files, in the order in which they were added, which is that of their IDs.
    files: Vec<SourceFile>,
    /// The files with values, each with the path that its value is for.
    values: Vec<(FileId, Vec<String>)>,
}

impl Workspace {
    /// An empty workspace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. `name` is what messages show.
    pub fn add(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> FileId {
        self.add_before(LAST, name.into(), bytes.into())
    }

    /// Adds a text that is in no file, such as the output of another program. `name` is what messages
    /// show.
    pub fn add_text(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> FileId {
        let id = self.add(name, bytes);
        if let Some(file) = self.files.last_mut() {
            file.is_file = false;
        }
        id
    }

    /// Adds a file that could not be read, and the reason, which becomes an error: the other files of
    /// a directory can still be checked.
    pub fn add_unreadable(&mut self, name: impl Into<String>, reason: impl Into<String>) -> FileId {
        let id = self.add(name, Vec::new());
        if let Some(file) = self.files.last_mut() {
            file.unreadable = Some(reason.into());
        }
        id
    }

    fn add_before(&mut self, last: u32, name: String, bytes: Vec<u8>) -> FileId {
        let id = FileId(self.files.last().map_or(1, SourceFile::behind));
        self.files.push(SourceFile::new(id, name, bytes).fit(last));
        id
    }

    /// Adds a YAML document with values that take precedence over those of the Project, and over those
    /// that were added before: a map, or the value under the keys of `path`. `name` is what messages show.
    ///
    /// ```
    /// # use sandboxc_syntax::source::Workspace;
    /// let mut workspace = Workspace::new();
    /// workspace.add("t.yaml", "spec: {image: \"python:{{ values.tag }}\"}\n");
    /// let file = workspace.add_values("--set tag", vec!["tag".to_owned()], "3.14-slim");
    /// assert_eq!(workspace.file(file).text(), "3.14-slim");
    /// ```
    pub fn add_values(
        &mut self,
        name: impl Into<String>,
        path: Vec<String>,
        bytes: impl Into<Vec<u8>>,
    ) -> FileId {
        let id = self.add(name, bytes);
        self.set_role(id, FileRole::Values);
        self.values.push((id, path));
        id
    }

    /// The files with values, in the order in which they were added.
    pub fn values(&self) -> &[(FileId, Vec<String>)] {
        &self.values
    }

    /// The file with an ID of this workspace.
    ///
    /// # Panics
    /// If the ID belongs to another workspace.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        #[expect(clippy::indexing_slicing, reason = "ids are made by `add` alone")]
        &self.files[self.index_at(id.0)]
    }

    /// Sets the role of a file.
    pub fn set_role(&mut self, id: FileId, role: FileRole) {
        let index = self.index_at(id.0);
        if let Some(file) = self.files.get_mut(index) {
            file.role = role;
        }
    }

    /// Makes a command that edits its input leave a file as it is.
    pub fn keep(&mut self, id: FileId) {
        let index = self.index_at(id.0);
        if let Some(file) = self.files.get_mut(index) {
            file.is_kept = true;
        }
    }

    /// The role of the file that contains `span`.
    #[must_use]
    pub fn role_at(&self, span: Span) -> FileRole {
        self.file_at(span).role
    }

    /// The same files, some of them with another text, by their positions.
    #[must_use]
    pub fn with_texts(&self, mut texts: BTreeMap<usize, String>) -> Self {
        let mut workspace = Self::new();
        for (position, file) in self.files.iter().enumerate() {
            let text = texts.remove(&position);
            let is_changed = text.is_some();
            let id = workspace.add(file.name.clone(), text.unwrap_or_else(|| file.text.clone()));
            workspace.set_role(id, file.role);
            if let Some(copy) = workspace.files.last_mut() {
                copy.is_file = file.is_file;
                copy.is_kept = file.is_kept;
                if !is_changed {
                    copy.invalid_utf8_at = file.invalid_utf8_at;
                    copy.is_left_out = file.is_left_out;
                    copy.unreadable.clone_from(&file.unreadable);
                }
            }
            let values = self.values.iter().filter(|(of, _)| *of == file.id);
            workspace.values.extend(values.map(|(_, path)| (id, path.clone())));
        }
        workspace
    }

    /// The size of all files in bytes.
    pub fn bytes(&self) -> usize {
        self.files.last().map_or(0, |file| file.behind() as usize)
    }

    /// Replaces the text of `spans` by mask characters of the same length, so that no excerpt shows
    /// it. Spans, lines and columns do not change.
    pub fn mask(&mut self, spans: &[Span]) {
        for span in spans {
            let index = self.index_at(span.parts().0);
            if let Some(file) = self.files.get_mut(index) {
                let range = span.within(file.id).range();
                if let Some(hidden) = file.text.get(range.clone()) {
                    let mask: String = hidden.chars().map(mask_char).collect();
                    file.text.replace_range(range, &mask);
                }
            }
        }
    }

    /// All IDs, in the order in which the files were added.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        let ids: Vec<_> = self.files.iter().map(|file| file.id).collect();
        ids.into_iter()
    }

    /// The start of the first file: the position of findings about the whole run.
    #[must_use]
    pub fn start(&self) -> Span {
        Span::new(self.files.first().map_or(FileId(1), |file| file.id), 0, 0)
    }

    /// The file that contains a span.
    ///
    /// # Panics
    /// If no file contains it.
    #[must_use]
    pub fn file_at(&self, place: Span) -> &SourceFile {
        #[expect(clippy::indexing_slicing, reason = "a span always has a file")]
        &self.files[self.index_at(place.parts().0)]
    }

    /// A span in offsets of its file.
    #[must_use]
    pub fn locate(&self, place: Span) -> FileSpan {
        self.file_and_span(place).1
    }

    /// The file that contains a span, and the span in offsets of that file.
    #[must_use]
    pub fn file_and_span(&self, place: Span) -> (&SourceFile, FileSpan) {
        let file = self.file_at(place);
        (file, place.within(file.id))
    }

    /// The text of a span; empty if the span is out of range.
    #[must_use]
    pub fn slice(&self, span: impl Into<Span>) -> &str {
        let (file, span) = self.file_and_span(span.into());
        file.text().get(span.range()).unwrap_or("")
    }

    /// Whether a span begins its line, after whitespace. It does not read the rest of the line,
    /// which can be the whole file.
    pub fn begins_line(&self, span: Span) -> bool {
        let (file, span) = self.file_and_span(span);
        let before = file.text().get(..span.start as usize).unwrap_or("");
        let before = before.trim_end_matches([' ', '\t', '\r']);
        before.is_empty() || before.ends_with('\n')
    }

    /// The last file that does not begin after `start`, an offset through all files.
    fn index_at(&self, start: u32) -> usize {
        self.files.partition_point(|file| file.id.0 <= start).saturating_sub(1)
    }
}

/// A mark with as many bytes as `c`; whitespace is kept, because lines and indentation depend on
/// it.
const fn mask_char(c: char) -> char {
    match c {
        ' ' | '\t' | '\n' | '\r' => c,
        _ => match c.len_utf8() {
            1 => '*',
            2 => '\u{b7}',
            3 => '\u{2022}',
            _ => '\u{1f512}',
        },
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn masked_text_keeps_its_positions() {
        let mut workspace = Workspace::new();
        let text = "a: \"p\u{e9} \u{20ac}\u{1f600}\"\nb: c\n";
        let file = workspace.add("a", text);
        let end = u32::try_from(text.find('\n').expect("a line")).expect("short");
        workspace.mask(&[Span::new(file, 3, end)]);
        assert_eq!(workspace.file(file).text(), "a: **\u{b7} \u{2022}\u{1f512}*\nb: c\n");
    }

    #[test]
    fn only_whitespace_before_a_span_is_read() {
        let mut workspace = Workspace::new();
        let text = format!("a:\n \t {{}}\r\n  - {{{}}}", " ".repeat(4_000_000));
        let file = workspace.add("a", text.clone());
        let begins = |at: usize| {
            let at = u32::try_from(at).unwrap();
            workspace.begins_line(Span::new(file, at, at))
        };
        let dash = text.find('-').unwrap();
        assert_eq!(
            [0, 1, 6, 7, dash, dash + 2].map(begins),
            [true, false, true, false, true, false]
        );
        let time = |at: usize| {
            let start = Instant::now();
            assert!((0..1_000).all(|_| !begins(at)));
            start.elapsed()
        };
        let (early, late) = (time(dash + 2), time(text.len()));
        assert!(late < 50 * early + Duration::from_millis(20), "{early:?}, {late:?}");
    }

    #[test]
    fn each_span_has_one_file() {
        let mut workspace = Workspace::new();
        let texts = ["ab", "", "", "cde"];
        let ids: Vec<_> = texts.into_iter().map(|text| workspace.add("x", text)).collect();
        for (id, text) in ids.iter().zip(texts) {
            let length = u32::try_from(text.len()).expect("short");
            for at in 0..=length {
                let place = FileSpan::new(*id, at, length);
                assert_eq!(workspace.locate(place.into()), place);
                assert_eq!(workspace.slice(place), &text[at as usize..]);
            }
        }
        assert_eq!(workspace.ids().collect::<Vec<_>>(), ids);
    }

    #[test]
    fn a_file_beyond_the_last_offset_is_left_out() {
        let mut workspace = Workspace::new();
        let mut add = |text: &str| workspace.add_before(11, "x".to_owned(), text.into());
        let ids = [add("12345"), add("1234"), add("12"), add("")];
        let left_out = ids.map(|id| workspace.file(id).is_left_out());
        assert_eq!(left_out, [false, true, false, false]);
        for id in ids {
            assert_eq!(workspace.locate(Span::new(id, 0, 0)).file, id);
        }
    }
}
