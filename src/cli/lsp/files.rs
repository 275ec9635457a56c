//! The files of a project on the disk, as a check of its directory reads them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use sandboxc::ide::Outline;
use sandboxc::{Choice, FileId, FileRole, LARGEST_FILE, Workspace, World, discover};

use sandboxc_files::{
    Found, Kind, Root, Walk, canonical, content, is_input, is_project_root, strip_directory,
    without_dots,
};

/// The maximum number of files of a folder without a Project: an editor can open a home directory.
const MOST: usize = 20_000;

/// The files of a project.
#[derive(Clone, Default, Debug)]
pub(super) struct Files {
    pub(super) stored: Vec<Arc<Stored>>,
    /// The position of each file.
    pub(super) positions: BTreeMap<PathBuf, usize>,
    /// The files and directories outside of the directory that Projects name.
    pub(super) outside: Vec<PathBuf>,
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

/// A search for the files of a project.
struct Search<'s> {
    /// The directory of the project.
    root: &'s Path,
    limit: Root,
    files: Files,
    /// The stored files, in their order.
    workspace: Workspace,
    ids: Vec<FileId>,
}

impl World for Search<'_> {
    type Failure = Infallible;

    fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    fn is_root(&self, directory: &Path) -> bool {
        is_project_root(directory)
    }

    fn known(&self, path: &Path) -> Option<FileId> {
        self.ids.get(*self.files.positions.get(path)?).copied()
    }

    /// All files below the directory are inputs.
    fn read_project(&mut self, _: &Path) -> Result<Vec<FileId>, Infallible> {
        Ok(Vec::new())
    }

    fn read_named(
        &mut self,
        project: FileId,
        _: FileRole,
        path: &str,
    ) -> Result<Vec<FileId>, Infallible> {
        let project = Path::new(self.workspace.file(project).name());
        let path = self.root.join(project.with_file_name(path));
        let below = self.limit.resolve(&path);
        let named = without_dots(&path);
        if !named.starts_with(self.root) {
            self.files.outside.push(named.clone());
        }
        Ok(match below {
            Ok(below) if self.limit.kind(&below).is_ok_and(|kind| kind == Kind::Directory) => {
                self.add_all(&walked(&self.limit, &named, &below))
            }
            _ => vec![self.add(&named, |limit| limit.open(&path))],
        })
    }
}

impl Search<'_> {
    fn add_all(&mut self, found: &[Found]) -> Vec<FileId> {
        found.iter().map(|found| self.add(&found.path, |limit| found.open(limit))).collect()
    }

    /// Reads a file, unless it was read.
    fn add(&mut self, path: &Path, open: impl FnOnce(&Root) -> io::Result<File>) -> FileId {
        if let Some(known) = self.known(path) {
            return known;
        }
        let stored = Stored::read(self.root, path, FileRole::Found, || open(&self.limit));
        let content = stored.content.as_deref().unwrap_or_default();
        let id = self.workspace.add(path.to_string_lossy(), content);
        self.workspace.set_role(id, FileRole::Found);
        self.ids.push(id);
        self.files.positions.insert(stored.path.clone(), self.files.stored.len());
        self.files.stored.push(Arc::new(stored));
        id
    }
}

impl Files {
    /// Reads the files below a directory that do not belong to a project of their own, and the files
    /// that its Project names.
    pub(super) fn read(root: &Path) -> Self {
        let files = Self::default();
        let Ok(limit) = Root::around(root) else { return files };
        let Ok(below) = limit.resolve(&canonical(root)) else { return files };
        let found = walked(&limit, root, &below);
        if found.len() > MOST && !is_project_root(root) {
            return files;
        }
        let (workspace, ids) = (Workspace::new(), Vec::new());
        let mut search = Search { root, limit, files, workspace, ids };
        let inputs = search.add_all(&found).into_iter().map(|file| (file, root.to_owned()));
        let Ok(discovered) = discover(&mut search, &Choice::Nearest, inputs.collect::<Vec<_>>());
        let Search { mut files, mut workspace, ids, .. } = search;
        // All inputs are in one project.
        let _ = discovered.into_scopes(&mut workspace);
        for (stored, id) in files.stored.iter_mut().zip(ids) {
            if let Some(stored) = Arc::get_mut(stored) {
                stored.role = workspace.file(id).role();
            }
        }
        files
    }

    /// Whether a change at a path can change what is read: at a file or a directory of a check, and at one with
    /// files that are known.
    pub(super) fn are_at(&self, root: &Path, path: &Path) -> bool {
        let is_within = |place: &PathBuf| path.starts_with(place);
        if !path.starts_with(root) && !self.outside.iter().any(is_within) {
            return false;
        }
        let next = self.positions.range(path.to_owned()..).next();
        is_input(path) || next.is_some_and(|(known, _)| known.starts_with(path)) || path.is_dir()
    }

    /// Reads a file again; `None` if the set of files has changed.
    pub(super) fn refreshed(&self, root: &Path, path: &Path) -> Option<Self> {
        let position = self.positions.get(path)?;
        let known = self.stored.get(*position)?;
        let limit = Root::around(root).ok()?;
        let file = limit.open(path).ok()?;
        let mut files = self.clone();
        let stored = Stored::read(root, path, known.role, || Ok(file));
        *files.stored.get_mut(*position)? = Arc::new(stored);
        Some(files)
    }
}

impl Stored {
    fn read(
        root: &Path,
        path: &Path,
        role: FileRole,
        open: impl FnOnce() -> io::Result<File>,
    ) -> Self {
        let content = open().and_then(content::all_of).map_err(|error| error.to_string());
        let (name, path) = (name(root, path), path.to_owned());
        Self { name, path, role, content, outline: OnceLock::new() }
    }

    /// The outline of its content; empty for a file that cannot be read or is too large.
    pub(super) fn outline(&self) -> Arc<Outline> {
        let outline = self.outline.get_or_init(|| {
            let text = match &self.content {
                Ok(content) if content.len() <= LARGEST_FILE => std::str::from_utf8(content),
                _ => Ok(""),
            };
            Arc::new(Outline::new(text.unwrap_or("").into()))
        });
        Arc::clone(outline)
    }
}

/// The name of a file in messages.
pub(super) fn name(root: &Path, path: &Path) -> String {
    strip_directory(path, root).to_string_lossy().into_owned()
}

/// The files below a directory that a check reads. `below` is its path from the root.
fn walked(root: &Root, directory: &Path, below: &Path) -> Vec<Found> {
    let walk = Walk { is_context: true, ..Walk::of(directory, root, below) };
    // A directory that cannot be read has no files.
    let mut found = walk.files().map_or_else(|_| Vec::new(), |it| it.files);
    found.retain(|it| is_input(&it.path));
    found
}
