//! The files of a project on the disk, as a check of its directory reads them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ignore::overrides::Override;
use sandboxc::ide::Outline;
use sandboxc::{FileRole, LARGEST_FILE, PROJECT_FILE, Workspace, files_of_projects};

use crate::cli::input::is_input;
use crate::cli::walk::{Ignored, Walk};

/// The maximum number of files of a folder without a Project: an editor can open a home directory.
const MOST: usize = 20_000;

/// The files of a project.
#[derive(Clone, Default, Debug)]
pub(super) struct Files {
    pub(super) files: Vec<Arc<Stored>>,
    /// The position of each file.
    pub(super) positions: BTreeMap<PathBuf, usize>,
}

/// A file on the disk.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) path: PathBuf,
    /// Its name in messages: relative to the directory of the project.
    pub(super) name: String,
    pub(super) role: FileRole,
    /// Its content, or the reason why it cannot be read.
    pub(super) content: Result<Vec<u8>, String>,
    /// The outline of the content, once something has needed it.
    outline: OnceLock<Arc<Outline>>,
}

impl Files {
    /// Reads the files below a directory that do not belong to a project of their own, and the files
    /// that its Project names.
    pub(super) fn read(root: &Path) -> Self {
        let mut files = Self::default();
        let found = walked(root);
        if found.len() > MOST && !root.join(PROJECT_FILE).is_file() {
            return files;
        }
        for path in found {
            files.add(root, path, FileRole::Found);
        }
        for (path, role) in files.named(root) {
            let of_path = if path.is_dir() { walked(&path) } else { vec![path] };
            for path in of_path {
                files.add(root, path, role);
            }
        }
        files
    }

    fn add(&mut self, root: &Path, path: PathBuf, role: FileRole) {
        let stored = Arc::new(Stored::read(root, path, role));
        if let Some(position) = self.positions.get(&stored.path).copied() {
            if let Some(known) = self.files.get_mut(position) {
                *known = stored;
            }
        } else {
            self.positions.insert(stored.path.clone(), self.files.len());
            self.files.push(stored);
        }
    }

    /// The paths that Projects name, each with the role of its files.
    fn named(&self, root: &Path) -> Vec<(PathBuf, FileRole)> {
        let mut workspace = Workspace::new();
        for stored in &self.files {
            if let Ok(content) = &stored.content {
                workspace.add(stored.path.to_string_lossy(), content.as_slice());
            }
        }
        let named = files_of_projects(&workspace, workspace.ids()).into_iter();
        let named = named.map(|(file, role, path)| {
            let project = Path::new(workspace.file(file).name());
            (root.join(project.with_file_name(path)), role)
        });
        named.collect()
    }

    /// Reads a file again; `None` if the set of files has changed.
    pub(super) fn refreshed(&self, root: &Path, path: &Path) -> Option<Self> {
        let position = self.positions.get(path)?;
        let known = self.files.get(*position)?;
        if !path.is_file() {
            return None;
        }
        let mut files = self.clone();
        let stored = Stored::read(root, path.to_owned(), known.role);
        *files.files.get_mut(*position)? = Arc::new(stored);
        Some(files)
    }
}

impl Stored {
    fn read(root: &Path, path: PathBuf, role: FileRole) -> Self {
        let content = content(&path).map_err(|error| error.to_string());
        Self { name: name(root, &path), path, role, content, outline: OnceLock::new() }
    }

    /// The outline of its content; empty for a file that cannot be read or is too large.
    pub(super) fn outline(&self) -> Arc<Outline> {
        let text = || {
            let content = self.content.as_deref().ok().filter(|it| it.len() <= LARGEST_FILE)?;
            std::str::from_utf8(content).ok()
        };
        let new = || Arc::new(Outline::new(text().unwrap_or("").into()));
        Arc::clone(self.outline.get_or_init(new))
    }
}

/// The name of a file in messages.
pub(super) fn name(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

/// The files below a directory that a check reads.
fn walked(root: &Path) -> Vec<PathBuf> {
    let nothing = Override::empty();
    let walk = Walk {
        root,
        ignored: Ignored::Left,
        levels: None,
        excluded: &nothing,
        is_context: true,
        left_out: None,
    };
    // A directory that cannot be read has no files.
    let found = walk.files().map_or_else(|_| Vec::new(), |it| it.files);
    found.into_iter().map(|it| it.path).filter(|it| is_input(it)).collect()
}

/// The content of a file, up to its size limit and one byte more.
fn content(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(LARGEST_FILE).unwrap_or(u64::MAX);
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
