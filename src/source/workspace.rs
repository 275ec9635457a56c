//! The texts of one run, in memory.

use std::sync::OnceLock;

use super::{FileId, LineColumn, LineIndex, Span};

/// What standard input is called where a file has its name.
pub const STDIN: &str = "<stdin>";

/// One input: its name as shown to the user, and its bytes.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    invalid_utf8_at: Option<u32>,
    is_known: bool,
    lines: OnceLock<LineIndex>,
}

impl SourceFile {
    fn new(name: String, bytes: Vec<u8>) -> Self {
        let (text, invalid_utf8_at) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let at = u32::try_from(error.utf8_error().valid_up_to()).unwrap_or(u32::MAX);
                (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(at))
            }
        };
        Self { name, text, invalid_utf8_at, is_known: false, lines: OnceLock::new() }
    }

    /// The name shown in messages: a path as the user gave it, or `<stdin>`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the name is that of a file; standard input has none.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.name != STDIN
    }

    /// The text. Where the bytes were not UTF-8, the replacement character stands in for them.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Offset (bytes) of the first byte that is not UTF-8. The text is the same up to there.
    #[must_use]
    pub fn invalid_utf8_at(&self) -> Option<u32> {
        self.invalid_utf8_at
    }

    /// The index of its lines, made at the first call.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        self.lines().line_column(&self.text, offset)
    }

    /// Line and column of a byte offset, the column in code units of UTF-16.
    pub fn line_column_utf16(&self, offset: u32) -> LineColumn {
        self.lines().line_column_utf16(&self.text, offset)
    }
}

/// All texts of one run. The only source of [`FileId`]s.
#[derive(Debug, Default)]
pub struct Workspace {
    files: Vec<SourceFile>,
}

impl Workspace {
    /// An empty workspace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. `name` is what messages show.
    pub fn add(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile::new(name.into(), bytes.into()));
        id
    }

    /// The file behind an id of this workspace.
    ///
    /// # Panics
    /// If the id was made by another workspace.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        #[expect(clippy::indexing_slicing, reason = "ids are made by `add` alone")]
        &self.files[id.index()]
    }

    /// Makes a file one whose custom resource definitions are known, and no part of the output; nothing
    /// else in it is looked at.
    pub fn set_known(&mut self, id: FileId) {
        if let Some(file) = self.files.get_mut(id.index()) {
            file.is_known = true;
        }
    }

    /// Whether only the custom resource definitions of a file are looked at.
    #[must_use]
    pub fn is_known(&self, id: FileId) -> bool {
        self.files.get(id.index()).is_some_and(|file| file.is_known)
    }

    /// All ids, in the order in which the files were added.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..u32::try_from(self.files.len()).unwrap_or(u32::MAX)).map(FileId)
    }

    /// The start of the first text: the place of what concerns the run as a whole.
    #[must_use]
    pub fn start(&self) -> Span {
        Span::new(FileId(0), 0, 0)
    }

    /// The text under a span; empty where the span leaves the text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.file(span.file).text().get(span.range()).unwrap_or("")
    }
}
