//! The files of a path, selected and opened as the command does: what a folder contains is hostile.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use sandboxc::{LARGEST_FILE, PROJECT_FILE, Workspace, files_of_projects};
use sandboxc_files::{
    Kind, NotWalked, Root, Walk, canonical, content, is_input, is_project_root, kind_of_named,
    open_named, resolved, working_directory,
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
        files.add(&place, "named", || open_named(path))?;
    }
    for project in files.projects() {
        files.project(&project)?;
    }
    Ok(Value::from(files.list).to_string())
}

#[derive(Default)]
struct Files {
    /// The working directory, to which names are relative if they are below it.
    current: PathBuf,
    /// The positions of the files in the list, by their canonical paths.
    known: BTreeMap<PathBuf, usize>,
    list: Vec<Value>,
}

impl Files {
    /// The directories of the Projects at or above the files.
    fn projects(&self) -> BTreeSet<PathBuf> {
        let nearest = |file: &PathBuf| {
            file.ancestors().skip(1).find(|above| is_project_root(above)).map(Path::to_owned)
        };
        self.known.keys().filter_map(nearest).collect()
    }

    /// Adds a Project, and the files that it names.
    fn project(&mut self, directory: &Path) -> Result<(), Failure> {
        let root = Root::around(directory).map_err(failure(directory))?;
        let place = self.below(&root, &directory.join(PROJECT_FILE))?;
        let text = self.known.get(&place).and_then(|at| self.list.get(*at)?.get("text")?.as_str());
        let mut workspace = Workspace::new();
        let id = workspace.add(PROJECT_FILE, text.unwrap_or_default());
        for (_, _, named) in files_of_projects(&workspace, [id]) {
            self.below(&root, &directory.join(named))?;
        }
        Ok(())
    }

    /// Adds a file or directory that the input names, below a root. Returns its canonical path.
    fn below(&mut self, root: &Root, path: &Path) -> Result<PathBuf, Failure> {
        let below = root.resolve(path).map_err(failure(path))?;
        let place = root.place(&below);
        match root.kind(&below).map_err(failure(path))? {
            Kind::Directory => self.directory(root, &below)?,
            _ => self.add(&place, "found", || root.open_resolved(&below))?,
        }
        Ok(place)
    }

    /// Adds the files below a directory, which has this path from the root, without links.
    fn directory(&mut self, root: &Root, below: &Path) -> Result<(), Failure> {
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
        for found in walked.files.iter().filter(|found| is_input(&found.path)) {
            self.add(&found.identity, "found", || found.open(root))?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        path: &Path,
        role: &str,
        open: impl FnOnce() -> io::Result<File>,
    ) -> Result<(), Failure> {
        if self.known.contains_key(path) {
            return Ok(());
        }
        let bytes = open().and_then(content::all_of).map_err(failure(path))?;
        if bytes.len() > LARGEST_FILE {
            let error = io::Error::other(format!("it has more than {LARGEST_FILE} bytes"));
            return Err(failure(path)(error));
        }
        // Only the command has a finding for it: a string of the protocol is valid.
        let text = String::from_utf8(bytes).map_err(|it| failure(path)(not_utf8(&it)))?;
        let name = path.strip_prefix(&self.current).unwrap_or(path).to_string_lossy();
        let name = name.replace('\\', "/");
        self.known.insert(path.to_owned(), self.list.len());
        self.list.push(json!({ "name": name, "text": text, "role": role }));
        Ok(())
    }
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
