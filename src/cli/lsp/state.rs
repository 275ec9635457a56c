//! What the server knows: open documents, the projects that they belong to, and the last check of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use sandboxc::ide::{HintKind, Index};
use sandboxc::{Cancellation, Compilation, FileId, FileRole, Options, PROJECT_FILE, Workspace};

use super::address::uri_of;
use super::document::Document;
use super::files::{Files, name};
use super::jobs::Job;
use crate::cli::projects::nearest_root;

/// The number of checks of a project that are canceled in a row: requests may wait for one of them.
const MOST_CANCELED: u32 = 3;

/// How long an answer waits for the files of a project. Without them, only the open documents are known.
const PATIENCE: Duration = Duration::from_secs(1);

/// The state, and the signal that a project must be checked.
#[derive(Default)]
pub(super) struct Shared {
    state: Mutex<State>,
    pub(super) changed: Condvar,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the files of a project that has just been opened, but not for long.
    pub(super) fn complete(&self, snapshot: &mut Snapshot) {
        if snapshot.files.is_some() {
            return;
        }
        let is_reading = |it: &mut State| {
            let project = it.projects.get(&snapshot.root);
            !it.is_ended && project.is_some_and(|it| it.files.is_none() && !it.has_failed())
        };
        let waited = self.changed.wait_timeout_while(self.lock(), PATIENCE, is_reading);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let project = state.projects.get(&snapshot.root);
        snapshot.files = project.and_then(|project| project.files.clone());
        snapshot.index = Arc::default();
    }
}

/// The state of the server.
#[derive(Default)]
pub(super) struct State {
    /// The open documents, by their paths; one without a file has its URI as path.
    pub(super) documents: BTreeMap<PathBuf, Open>,
    pub(super) projects: BTreeMap<Root, Project>,
    /// The folders that the editor shows.
    pub(super) folders: Vec<PathBuf>,
    /// The hints that the editor does not want.
    pub(super) hints_off: Vec<HintKind>,
    /// Whether the session is over.
    pub(super) is_ended: bool,
    /// The files and directories outside of projects that the editor watches.
    watched: BTreeSet<PathBuf>,
    /// The number of changes so far.
    changes: u64,
    /// The project that is being checked.
    pub(super) running: Option<(Root, Cancellation)>,
}

/// An open document.
pub(super) struct Open {
    pub(super) document: Document,
    pub(super) root: Root,
}

/// What is checked together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Root {
    /// The files below a directory with a `sandboxc.yaml`, or of a folder without one.
    Directory(PathBuf),
    /// A single document.
    Alone(PathBuf),
}

/// A project with open documents.
#[derive(Default)]
pub(super) struct Project {
    /// Its files on the disk; `None` if they must be read.
    pub(super) files: Option<Arc<Files>>,
    /// The number of changes on the disk so far.
    pub(super) disk: u64,
    /// The number of the last change of one of its files.
    pub(super) generation: u64,
    /// The last complete check.
    pub(super) checked: Option<Arc<Checked>>,
    /// The number of the last change whose check has panicked.
    failed: u64,
    /// The number of checks that were canceled since then.
    pub(super) canceled: u32,
    /// The requests that need a check of the current state.
    pub(super) waiting: Vec<Job>,
    /// The index of the current state, once an answer has needed it.
    index: Arc<OnceLock<Index>>,
    /// The findings that the editor shows, by URI.
    pub(super) published: BTreeMap<String, String>,
}

/// A check of a project.
pub(super) struct Checked {
    pub(super) generation: u64,
    pub(super) texts: Texts,
    pub(super) options: Options,
    pub(super) compilation: Compilation,
}

/// The files of a project at one time.
pub(super) struct Texts {
    pub(super) workspace: Workspace,
    files: Arc<Files>,
    /// The files of the workspace, those of the disk first.
    ids: Vec<FileId>,
    /// The open documents of the project.
    documents: BTreeMap<PathBuf, Document>,
    /// The open documents that are not among the files of the disk.
    others: Vec<PathBuf>,
}

/// The files of a project at one time, for answers that need no check.
pub(super) struct Snapshot {
    root: Root,
    /// `None` if they are being read.
    pub(super) files: Option<Arc<Files>>,
    pub(super) documents: BTreeMap<PathBuf, Document>,
    /// Their index, once an answer has needed it.
    pub(super) index: Arc<OnceLock<Index>>,
    /// The last check, if nothing has changed since.
    pub(super) checked: Option<Arc<Checked>>,
}

/// A project to be checked.
pub(super) struct Task {
    pub(super) root: Root,
    pub(super) generation: u64,
    /// `None` if the files must be read first.
    pub(super) files: Option<Arc<Files>>,
    /// The number of changes on the disk so far.
    pub(super) disk: u64,
    pub(super) documents: BTreeMap<PathBuf, Document>,
}

impl State {
    /// The root of a path.
    fn root_of(&self, path: &Path, is_file: bool) -> Root {
        if !is_file {
            return Root::Alone(path.to_owned());
        }
        let of_project = path.parent().and_then(nearest_root);
        let mut directories = path.ancestors().skip(1).map(Path::to_owned);
        let folder = || directories.find(|directory| self.folders.contains(directory));
        match of_project.or_else(folder) {
            Some(directory) => Root::Directory(directory),
            None => Root::Alone(path.to_owned()),
        }
    }

    /// Opens a document. `is_file` says whether its path is that of a file.
    pub(super) fn open(&mut self, path: PathBuf, is_file: bool, document: Document) {
        let root = self.root_of(&path, is_file);
        self.documents.insert(path, Open { document, root: root.clone() });
        self.touch(&root);
    }

    /// Closes a document. Returns the project that has no open documents any more.
    pub(super) fn close(&mut self, path: &Path) -> Option<Project> {
        let Open { root, .. } = self.documents.remove(path)?;
        if self.documents.values().any(|it| it.root == root) {
            if let Some(project) = self.projects.get_mut(&root) {
                // The text of the editor may not have been saved.
                refresh(project, &root, path);
            }
            self.touch(&root);
            return None;
        }
        // Nothing waits for its check.
        if let Some((_, running)) = self.running.as_ref().filter(|(running, _)| *running == root) {
            running.cancel();
        }
        self.projects.remove(&root)
    }

    /// Notes a change of a project.
    pub(super) fn touch(&mut self, root: &Root) {
        self.changes += 1;
        let project = self.projects.entry(root.clone()).or_default();
        project.generation = self.changes;
        project.index = Arc::default();
        self.cancel(root);
    }

    /// Cancels the check of a project, unless too many of its checks were canceled.
    pub(super) fn cancel(&self, root: &Root) {
        let canceled = self.projects.get(root).map_or(0, |it| it.canceled);
        if let Some((running, cancellation)) = &self.running
            && running == root
            && canceled < MOST_CANCELED
        {
            cancellation.cancel();
        }
    }

    /// Notes changes of files on the disk. Returns the projects that have no open documents any more.
    pub(super) fn files_changed(&mut self, paths: &[PathBuf]) -> Vec<Project> {
        let is_project = |it: &PathBuf| it.file_name().is_some_and(|it| it == PROJECT_FILE);
        let left = if paths.iter().any(is_project) { self.find_roots() } else { Vec::new() };
        let mut touched = Vec::new();
        for (root, project) in &mut self.projects {
            let Root::Directory(directory) = root else { continue };
            for path in paths {
                let is_relevant = match &project.files {
                    Some(files) => files.are_at(directory, path),
                    None => path.starts_with(directory),
                };
                if !is_relevant {
                    continue;
                }
                refresh(project, root, path);
                touched.push(root.clone());
            }
        }
        for root in &touched {
            self.touch(root);
        }
        left
    }

    /// The files and directories outside of projects that Projects name, and whether the editor watches others,
    /// if that has changed.
    pub(super) fn newly_watched(&mut self) -> Option<(BTreeSet<PathBuf>, bool)> {
        let files = self.projects.values().filter_map(|project| project.files.as_ref());
        let named: BTreeSet<_> = files.flat_map(|files| files.outside.iter().cloned()).collect();
        if named == self.watched {
            return None;
        }
        let before = std::mem::replace(&mut self.watched, named.clone());
        Some((named, !before.is_empty()))
    }

    /// Reads the files of all projects again at the next check.
    pub(super) fn forget_files(&mut self) {
        let roots: Vec<_> = self.projects.keys().cloned().collect();
        for root in roots {
            if let Some(project) = self.projects.get_mut(&root) {
                project.files = None;
                project.disk += 1;
            }
            self.touch(&root);
        }
    }

    /// Finds the project of each document again. Returns the projects that have no open documents any more.
    pub(super) fn find_roots(&mut self) -> Vec<Project> {
        let paths: Vec<_> = self.documents.keys().cloned().collect();
        for path in paths {
            let Some(open) = self.documents.get(&path) else { continue };
            let is_file = open.document.uri.starts_with("file:");
            let root = self.root_of(&path, is_file);
            if let Some(open) = self.documents.get_mut(&path).filter(|it| it.root != root) {
                open.root = root.clone();
                self.touch(&root);
            }
        }
        let has_documents = |root: &Root| self.documents.values().any(|it| it.root == *root);
        let left: Vec<_> =
            self.projects.keys().filter(|root| !has_documents(root)).cloned().collect();
        let left = left.iter().filter_map(|it| self.projects.remove(it)).collect();
        self.forget_files();
        left
    }

    /// Whether a project has findings of a file, which the editor shows. The file can have come from another
    /// project.
    pub(super) fn shows(&self, uri: &str) -> bool {
        self.projects.values().any(|it| it.published.contains_key(uri))
    }

    /// The files of the project of a document. Before the first check they are only the open documents.
    pub(super) fn snapshot(&self, path: &Path) -> Option<Snapshot> {
        let root = &self.documents.get(path)?.root;
        let project = self.projects.get(root)?;
        let documents = self.documents.iter().filter(|(_, it)| it.root == *root);
        let checked = project.checked.clone();
        Some(Snapshot {
            root: root.clone(),
            files: project.files.clone(),
            documents: documents.map(|(path, it)| (path.clone(), it.document.clone())).collect(),
            index: Arc::clone(&project.index),
            checked: checked.filter(|it| it.generation == project.generation),
        })
    }

    /// The projects with open documents.
    pub(super) fn snapshots(&self) -> Vec<Snapshot> {
        let of_root = |root: &Root| self.documents.iter().find(|(_, it)| it.root == *root);
        let paths = self.projects.keys().filter_map(of_root).map(|(path, _)| path);
        paths.filter_map(|it| self.snapshot(it)).collect()
    }

    /// Discards what was made of the documents: a panic may have left it incomplete.
    pub(super) fn renew(&mut self) {
        for open in self.documents.values_mut() {
            open.document.renew();
        }
        for project in self.projects.values_mut() {
            project.index = Arc::default();
        }
    }

    /// Notes that a check of a project has panicked. Returns the requests that need it.
    pub(super) fn fail(&mut self, root: &Root, generation: u64) -> Vec<Job> {
        self.renew();
        let Some(project) = self.projects.get_mut(root) else { return Vec::new() };
        project.failed = generation;
        let waiting = std::mem::take(&mut project.waiting);
        let (failed, waiting) = waiting.into_iter().partition(|it| it.generation <= generation);
        project.waiting = waiting;
        failed
    }

    /// The project that must be checked next: the one with the last change.
    pub(super) fn task(&self) -> Option<Task> {
        let is_stale = |it: &Project| {
            let checked = it.checked.as_ref().map_or(0, |it| it.generation);
            checked.max(it.failed) < it.generation
        };
        let stale = self.projects.iter().filter(|(_, it)| is_stale(it));
        let (root, project) = stale.max_by_key(|(_, it)| it.generation)?;
        let documents = self.documents.iter().filter(|(_, it)| it.root == *root);
        let documents = documents.map(|(path, it)| (path.clone(), it.document.clone()));
        Some(Task {
            root: root.clone(),
            generation: project.generation,
            files: project.files.clone(),
            disk: project.disk,
            documents: documents.collect(),
        })
    }
}

/// Reads a file of a project again, or all of them if others exist now.
fn refresh(project: &mut Project, root: &Root, path: &Path) {
    project.disk += 1;
    if let Root::Directory(directory) = root {
        project.files =
            project.files.as_ref().and_then(|it| it.refreshed(directory, path)).map(Arc::new);
    }
}

impl Project {
    /// Whether the check of its current state has panicked.
    pub(super) fn has_failed(&self) -> bool {
        self.failed == self.generation
    }

    /// Sets the files that were read.
    pub(super) fn set_files(&mut self, files: Files) {
        self.files = Some(Arc::new(files));
        self.index = Arc::default();
    }
}

impl Task {
    /// The files of the project: open documents take precedence over those on the disk.
    pub(super) fn texts(self, files: Arc<Files>) -> Texts {
        let Self { root, documents, .. } = self;
        let mut workspace = Workspace::new();
        let mut ids = Vec::with_capacity(files.stored.len() + documents.len());
        for file in &files.stored {
            let id = match (documents.get(&file.path), &file.content) {
                (Some(open), _) => workspace.add(&*file.name, open.text.as_bytes()),
                (None, Ok(content)) => workspace.add(&*file.name, content.as_slice()),
                (None, Err(reason)) => workspace.add_unreadable(&*file.name, &**reason),
            };
            workspace.set_role(id, file.role);
            ids.push(id);
        }
        let is_other = |it: &&PathBuf| !files.positions.contains_key(*it);
        let others: Vec<_> = documents.keys().filter(is_other).cloned().collect();
        for path in &others {
            let name = match &root {
                Root::Directory(directory) => name(directory, path),
                Root::Alone(path) => {
                    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
                }
            };
            let text = documents.get(path).map_or("", |it| &*it.text);
            let id = workspace.add(name, text);
            workspace.set_role(id, FileRole::Found);
            ids.push(id);
        }
        Texts { workspace, files, ids, documents, others }
    }
}

impl Texts {
    /// The file at a path.
    pub(super) fn file(&self, path: &Path) -> Option<FileId> {
        let on_disk = self.files.positions.get(path).copied();
        let other = || {
            let position = self.others.iter().position(|it| it == path)?;
            Some(self.files.stored.len() + position)
        };
        self.ids.get(on_disk.or_else(other)?).copied()
    }

    /// The path of a file; `None` for one without a path, such as a value of the command line.
    fn path(&self, file: FileId) -> Option<&Path> {
        let position = self.ids.binary_search(&file).ok()?;
        match self.files.stored.get(position) {
            Some(stored) => Some(&stored.path),
            None => self.others.get(position - self.files.stored.len()).map(PathBuf::as_path),
        }
    }

    /// The open documents.
    pub(super) fn open(&self) -> impl Iterator<Item = FileId> {
        self.documents.keys().filter_map(|it| self.file(it))
    }

    /// The document of a file, if it is open.
    pub(super) fn document(&self, file: FileId) -> Option<&Document> {
        self.documents.get(self.path(file)?)
    }

    /// The address of a file, as the client writes it.
    pub(super) fn uri(&self, file: FileId) -> Option<String> {
        let path = self.path(file)?;
        Some(self.documents.get(path).map_or_else(|| uri_of(path), |document| document.uri.clone()))
    }
}
