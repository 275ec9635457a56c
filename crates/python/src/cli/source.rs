//! The files of a path, selected as the command selects them.

use std::collections::BTreeSet;
use std::env;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use ignore::overrides::Override;
use sandboxc::{PROJECT_FILE, Workspace, files_of_projects};
use serde_json::{Value, json};

use super::files::{
    Ignored, Kind, NotWalked, Root, Walk, canonical, content, is_input, is_project_root,
    kind_of_named, open_named,
};

/// A file that cannot be read.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) path: String,
    pub(crate) error: io::Error,
}

/// The files of a path as JSON: those of the path, the Projects at or above them, and what those name.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let kind = kind_of_named(path).map_err(failure(path))?;
    let named = canonical(path);
    let mut files = Files { current: env::current_dir().unwrap_or_default(), ..Files::default() };
    let mut walked = None;
    if kind == Kind::Directory {
        let root = Root::around(&named).map_err(failure(path))?;
        files.add_all(&root, &named)?;
        walked = Some(named);
    } else {
        files.add(named, "named", || open_named(path))?;
    }
    // The Projects of the files, and what they name.
    let mut projects = BTreeSet::new();
    for file in &files.known {
        let mut above = file.ancestors().skip(1);
        projects.extend(above.find(|it| is_project_root(it)).map(Path::to_owned));
    }
    for directory in projects {
        let mut root = Root::around(&directory).map_err(failure(&directory))?;
        if let Some(walked) = walked.as_ref().filter(|it| root.path().starts_with(it)) {
            root = Root::at(walked).map_err(failure(walked))?;
        }
        files.add_project(&root, &directory)?;
    }
    Ok(Value::from(files.list).to_string())
}

#[derive(Default)]
struct Files {
    /// The working directory, to which names are relative if they are below it.
    current: PathBuf,
    known: BTreeSet<PathBuf>,
    list: Vec<Value>,
}

impl Files {
    /// Adds the Project of a directory, and the files that it names below a root.
    fn add_project(&mut self, root: &Root, directory: &Path) -> Result<(), Failure> {
        let project = directory.join(PROJECT_FILE);
        self.add(project.clone(), "found", || root.open(&project))?;
        let text = root.open(&project).and_then(content::all_of).map_err(failure(&project))?;
        let mut workspace = Workspace::new();
        let id = workspace.add(PROJECT_FILE, text);
        for (_, _, named) in files_of_projects(&workspace, [id]) {
            let named = directory.join(named);
            let below = root.resolve(&named).map_err(failure(&named))?;
            let place = root.path().join(&below);
            if root.kind(&below).is_ok_and(|it| it == Kind::Directory) {
                self.add_all(root, &place)?;
            } else {
                self.add(place, "found", || root.open_resolved(&below))?;
            }
        }
        Ok(())
    }

    /// Adds the files below a canonical directory of a root.
    fn add_all(&mut self, root: &Root, directory: &Path) -> Result<(), Failure> {
        let (ignored, levels, is_context, left_out) = (Ignored::Left, None, false, None);
        let below = &root.resolve(directory).map_err(failure(directory))?;
        let excluded = &Override::empty();
        let walk = Walk { directory, root, below, ignored, levels, excluded, is_context, left_out };
        let walked = walk.files().map_err(|cause| failure(directory)(error_of(cause)))?;
        if let Some((path, error)) = walked.unreadable.into_iter().next() {
            return Err(failure(&path)(error));
        }
        for found in walked.files.iter().filter(|it| is_input(&it.path)) {
            self.add(found.path.clone(), "found", || found.open(root))?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        path: PathBuf,
        role: &str,
        open: impl FnOnce() -> io::Result<File>,
    ) -> Result<(), Failure> {
        if self.known.contains(&path) {
            return Ok(());
        }
        let bytes = open().and_then(content::all_of).map_err(failure(&path))?;
        // Only the command has a finding for it: a string of the protocol is valid.
        let text = String::from_utf8(bytes).map_err(|it| failure(&path)(not_utf8(&it)))?;
        let name = path.strip_prefix(&self.current).unwrap_or(&path).to_string_lossy();
        let name = name.replace('\\', "/");
        self.list.push(json!({
            "name": name,
            "text": text,
            "role": role,
        }));
        self.known.insert(path);
        Ok(())
    }
}

fn error_of(cause: NotWalked) -> io::Error {
    match cause {
        NotWalked::Unreadable(error) => error,
        NotWalked::IgnoreFilesTooLarge => {
            io::Error::other("the files that list ignored files in it are too large")
        }
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
