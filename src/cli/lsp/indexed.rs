//! The outlines of a project: what answers need that do not wait for a check.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use gen_lsp_types as lsp;
use sandboxc::Versions;
use sandboxc::ide::{FileRange, Index, Outline};
use serde_json::{Value, json};

use super::address::uri_of;
use super::client::Abilities;
use super::document::Document;
use super::files::Files;
use super::position::{Encoding, Lines};
use super::state::{Checked, Snapshot};

/// The index of a project, with the paths of its files.
pub(super) struct Indexed {
    index: Arc<OnceLock<Index>>,
    kubernetes: Versions,
    files: Arc<Files>,
    documents: BTreeMap<PathBuf, Document>,
    /// The open documents that are not among the files of the disk.
    others: Vec<PathBuf>,
    pub(super) encoding: Encoding,
    pub(super) checked: Option<Arc<Checked>>,
}

impl Indexed {
    pub(super) fn new(snapshot: Snapshot, kubernetes: Versions, encoding: Encoding) -> Self {
        let Snapshot { files, documents, index, checked, .. } = snapshot;
        let files = files.unwrap_or_default();
        let is_other = |it: &&PathBuf| !files.positions.contains_key(*it);
        let others = documents.keys().filter(is_other).cloned().collect();
        Self { index, kubernetes, files, documents, others, encoding, checked }
    }

    pub(super) fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let on_disk = self.files.stored.iter().map(|file| {
                let open = self.documents.get(&file.path);
                open.map_or_else(|| file.outline(), Document::outline)
            });
            let others = self.others.iter().filter_map(|it| self.documents.get(it));
            let outlines: Vec<Arc<Outline>> =
                on_disk.chain(others.map(Document::outline)).collect();
            Index::new(outlines, self.kubernetes)
        })
    }

    /// The number of the file at a path.
    pub(super) fn number(&self, path: &Path) -> Option<usize> {
        let other = || {
            let position = self.others.iter().position(|it| it == path)?;
            Some(self.files.stored.len() + position)
        };
        self.files.positions.get(path).copied().or_else(other)
    }

    fn path(&self, number: usize) -> Option<&Path> {
        match self.files.stored.get(number) {
            Some(stored) => Some(&stored.path),
            None => self.others.get(number - self.files.stored.len()).map(PathBuf::as_path),
        }
    }

    /// The document of a file, if it is open.
    fn document(&self, number: usize) -> Option<&Document> {
        self.documents.get(self.path(number)?)
    }

    /// The address of a file, as the client writes it.
    pub(super) fn uri(&self, number: usize) -> Option<String> {
        let path = self.path(number)?;
        Some(self.documents.get(path).map_or_else(|| uri_of(path), |document| document.uri.clone()))
    }

    /// The lines of a file.
    fn lines(&self, number: usize) -> Option<Lines<'_>> {
        let outline = self.index().outline(number)?;
        let encoding = self.encoding;
        Some(Lines { text: outline.text(), index: outline.lines(), encoding })
    }

    /// A text with the line breaks of a file: not each editor converts those of an edit.
    pub(super) fn with_breaks_of<'t>(&self, number: usize, text: &'t str) -> Cow<'t, str> {
        let own = || self.index().outline(number).map_or("", Outline::text);
        if !text.contains('\n') || !has_carriage_returns(own()) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(text.replace("\r\n", "\n").replace('\n', "\r\n"))
    }

    /// The offset of a position in a file.
    pub(super) fn offset(&self, number: usize, position: lsp::Position) -> usize {
        self.lines(number).map_or(0, |it| it.offset(position))
    }

    /// The ranges of parts of a file.
    pub(super) fn ranges<'r>(
        &self,
        number: usize,
        parts: impl IntoIterator<Item = &'r Range<usize>>,
    ) -> Vec<lsp::Range> {
        let lines = self.lines(number);
        let range = |it: &Range<usize>| lines.map(|lines| lines.range(it));
        parts.into_iter().filter_map(range).collect()
    }

    /// Edits of files, as a `WorkspaceEdit`.
    pub(super) fn workspace_edit(
        &self,
        edits: &[(FileRange, String)],
        abilities: Abilities,
    ) -> Value {
        let mut files: BTreeMap<usize, Vec<&(FileRange, String)>> = BTreeMap::new();
        for edit in edits {
            files.entry(edit.0.file).or_default().push(edit);
        }
        let edits = files.into_iter().filter_map(|(file, edits)| {
            let ranges = self.ranges(file, edits.iter().map(|it| &it.0.range));
            let edit = |(range, it): (lsp::Range, &&(FileRange, String))| {
                json!({"range": range, "newText": self.with_breaks_of(file, &it.1)})
            };
            let edits: Vec<_> = ranges.into_iter().zip(&edits).map(edit).collect();
            Some((file, self.uri(file)?, edits))
        });
        if !abilities.versioned_edits {
            let changes: BTreeMap<_, _> = edits.map(|(_, uri, edits)| (uri, edits)).collect();
            return json!({"changes": changes});
        }
        let changes = edits.map(|(file, uri, edits)| {
            let version = self.document(file).map(|it| it.version);
            json!({"textDocument": {"uri": uri, "version": version}, "edits": edits})
        });
        json!({"documentChanges": changes.collect::<Vec<_>>()})
    }

    /// The locations of places.
    pub(super) fn locations(&self, places: &[FileRange]) -> Vec<lsp::Location> {
        let location = |it: &FileRange| {
            let range = self.ranges(it.file, [&it.range]).pop()?;
            Some(lsp::Location { uri: self.uri(it.file)?.into(), range })
        };
        places.iter().filter_map(location).collect()
    }
}

/// Whether the first line of a text ends with both characters of a line break.
fn has_carriage_returns(text: &str) -> bool {
    text.find('\n').and_then(|at| text.get(..at)).is_some_and(|it| it.ends_with('\r'))
}
