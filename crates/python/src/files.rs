//! The files of a path, selected as the command selects them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use std::{env, fs, io};

use ignore::WalkBuilder;
use sandboxc::{
    GENERATED_FILES, IGNORE_FILE, MANIFEST_EXTENSIONS, PROJECT_FILE, Workspace, files_of_projects,
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
    let path = fs::canonicalize(path).map_err(failure(path))?;
    let is_directory = path.is_dir();
    let mut files = Files { current: env::current_dir().unwrap_or_default(), ..Files::default() };
    files.add_all(&path, if is_directory { "found" } else { "named" })?;
    // The Projects of the files, and what they name.
    let mut roots = BTreeSet::new();
    for file in &files.known {
        let mut above = file.ancestors().skip(1);
        roots.extend(above.find(|it| it.join(PROJECT_FILE).is_file()).map(Path::to_owned));
    }
    for root in roots {
        let project = root.join(PROJECT_FILE);
        files.add(&project, "found")?;
        let text = fs::read(&project).map_err(failure(&project))?;
        let mut workspace = Workspace::new();
        let id = workspace.add(PROJECT_FILE, text);
        for (_, _, named) in files_of_projects(&workspace, [id]) {
            let named = root.join(named);
            files.add_all(&fs::canonicalize(&named).map_err(failure(&named))?, "found")?;
        }
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
    /// Adds a file, or the files below a directory.
    fn add_all(&mut self, path: &Path, role: &str) -> Result<(), Failure> {
        if !path.is_dir() {
            return self.add(path, role);
        }
        let mut walk = WalkBuilder::new(path);
        walk.standard_filters(false).hidden(true).git_ignore(true).parents(true);
        walk.add_custom_ignore_filename(IGNORE_FILE).sort_by_file_name(Ord::cmp);
        walk.filter_entry(|it| it.depth() == 0 || !it.path().join(GENERATED_FILES).is_file());
        for entry in walk.build() {
            let entry = entry.map_err(|it| {
                let error = it.into_io_error().unwrap_or(io::ErrorKind::Other.into());
                failure(path)(error)
            })?;
            let extension = entry.path().extension().and_then(|it| it.to_str());
            if extension.is_some_and(|it| MANIFEST_EXTENSIONS.contains(&it))
                && entry.path().is_file()
            {
                self.add(entry.path(), role)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, role: &str) -> Result<(), Failure> {
        if !self.known.insert(path.to_owned()) {
            return Ok(());
        }
        let bytes = fs::read(path).map_err(failure(path))?;
        // Only the command has a finding for it: a string of the protocol is valid.
        let text = String::from_utf8(bytes).map_err(|it| failure(path)(not_utf8(&it)))?;
        let name = path.strip_prefix(&self.current).unwrap_or(path).to_string_lossy();
        let name = name.replace('\\', "/");
        self.list.push(json!({
            "name": name,
            "text": text,
            "role": role,
        }));
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
