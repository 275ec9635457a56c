//! The files of a path, selected and opened as the command does: what a folder contains is hostile.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use sandboxc::{Choice, FileId, FileRole, LARGEST_FILE, Workspace, World, discover};
use sandboxc_files::{
    Found, Kind, NotWalked, Root, Walk, canonical, content, is_input, is_project_root,
    kind_of_named, open_named, resolved, strip_directory, working_directory,
};
use serde_json::{Value, json};

/// A file that cannot be read.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) path: String,
    pub(crate) error: io::Error,
}

/// The files of a path as JSON: those of the path, the Projects at or above them, and what those name.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let mut files = Files { current: working_directory(), ..Files::default() };
    // The program names the path, as a command line does.
    if kind_of_named(path).map_err(failure(path))? == Kind::Directory {
        let root = Root::around(path).map_err(failure(path))?;
        let below = root.resolve(&canonical(path)).map_err(failure(path))?;
        files.directory(&root, &below)?;
    } else {
        let place = resolved(path).map_err(failure(path))?;
        files.add(&place, FileRole::Named, || open_named(path))?;
    }
    let directory = |(place, file): (&PathBuf, &FileId)| Some((*file, place.parent()?.to_owned()));
    let inputs: Vec<_> = files.known.iter().filter_map(directory).collect();
    discover(&mut files, &Choice::Nearest, inputs)?;
    Ok(files.into_json())
}

#[derive(Default)]
struct Files {
    /// The working directory, to which names are relative if they are below it.
    current: PathBuf,
    workspace: Workspace,
    /// The files by their canonical paths.
    known: BTreeMap<PathBuf, FileId>,
}

impl World for Files {
    type Failure = Failure;

    fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    fn is_root(&self, directory: &Path) -> bool {
        is_project_root(directory)
    }

    fn known(&self, path: &Path) -> Option<FileId> {
        self.known.get(path).copied()
    }

    /// The request has no role for the files around a Project.
    fn read_project(&mut self, file: &Path) -> Result<Vec<FileId>, Failure> {
        let root = Root::around(&directory_of(file)).map_err(failure(file))?;
        self.below(&root, file)
    }

    fn read_named(
        &mut self,
        project: FileId,
        _: FileRole,
        path: &str,
    ) -> Result<Vec<FileId>, Failure> {
        let place = self.known.iter().find(|(_, file)| **file == project);
        let directory = place.map(|(place, _)| directory_of(place)).unwrap_or_default();
        let root = Root::around(&directory).map_err(failure(&directory))?;
        self.below(&root, &directory.join(path))
    }
}

impl Files {
    /// Adds a file or directory that the input names, below a root. Returns its files.
    fn below(&mut self, root: &Root, path: &Path) -> Result<Vec<FileId>, Failure> {
        let below = root.resolve(path).map_err(failure(path))?;
        if root.kind(&below).map_err(failure(path))? == Kind::Directory {
            return self.directory(root, &below);
        }
        let open = || root.open_resolved(&below);
        Ok(vec![self.add(&root.place(&below), FileRole::Found, open)?])
    }

    /// Adds the files below a directory, which has this path from the root, without links.
    fn directory(&mut self, root: &Root, below: &Path) -> Result<Vec<FileId>, Failure> {
        let directory = &root.place(below);
        let walked = Walk::of(directory, root, below).files().map_err(|reason| match reason {
            NotWalked::Unreadable(error) => failure(directory)(error),
            NotWalked::IgnoreFilesTooLarge => {
                failure(directory)(io::Error::other("its files with ignored names are too large"))
            }
        })?;
        if let Some((path, error)) = walked.unreadable.into_iter().next() {
            return Err(failure(&path)(error));
        }
        let inputs = walked.files.iter().filter(|found| is_input(&found.path));
        let add = |found: &Found| self.add(&found.identity, FileRole::Found, || found.open(root));
        inputs.map(add).collect()
    }

    fn add(
        &mut self,
        place: &Path,
        role: FileRole,
        open: impl FnOnce() -> io::Result<File>,
    ) -> Result<FileId, Failure> {
        if let Some(known) = self.known.get(place) {
            return Ok(*known);
        }
        let bytes = open().and_then(content::all_of).map_err(failure(place))?;
        if bytes.len() > LARGEST_FILE {
            let error = io::Error::other(format!("it has more than {LARGEST_FILE} bytes"));
            return Err(failure(place)(error));
        }
        // Only the command has a finding for it: a string of the protocol is valid.
        let text = String::from_utf8(bytes).map_err(|error| failure(place)(not_utf8(&error)))?;
        let name = strip_directory(place, &self.current).to_string_lossy();
        let file = self.workspace.add(name.replace('\\', "/"), text);
        self.workspace.set_role(file, role);
        self.known.insert(place.to_owned(), file);
        Ok(file)
    }

    /// The list of files of a request.
    fn into_json(self) -> String {
        let files = self.workspace.ids().map(|id| self.workspace.file(id));
        let files = files.map(|file| {
            let role = if file.role() == FileRole::Named { "named" } else { "found" };
            json!({ "name": file.name(), "text": file.text(), "role": role })
        });
        files.collect::<Value>().to_string()
    }
}

/// The directory of a canonical path.
fn directory_of(file: &Path) -> PathBuf {
    file.parent().unwrap_or(file).to_owned()
}

fn not_utf8(error: &FromUtf8Error) -> io::Error {
    let position = error.utf8_error().valid_up_to();
    let text = format!("invalid UTF-8 at byte {position}: save the file as UTF-8");
    io::Error::new(io::ErrorKind::InvalidData, text)
}

fn failure(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    let path = path.to_string_lossy().into_owned();
    move |error| Failure { path, error }
}
