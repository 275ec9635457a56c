//! From arguments to a workspace: files, directories, globs and standard input.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use globset::GlobBuilder;
use sandboxc::{FileId, STDIN, Workspace, crds_of_projects};
use walkdir::{DirEntry, WalkDir};

use super::failure::Failure;
use super::manifest;
use super::progress::Progress;

/// The file that makes a directory the root of definitions.
pub(crate) const PROJECT_FILE: &str = "sandboxc.yaml";

/// What files of a directory are called that are read.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// Reads all inputs, each file once, in the order named; within a directory or glob by name.
pub(crate) fn read(inputs: &[PathBuf], progress: &Progress) -> Result<Workspace, Failure> {
    Ok(read_all(inputs, progress)?.workspace)
}

/// As `read`; and the custom resource definitions that the arguments and the Projects name, which are
/// known and no part of the output.
pub(crate) fn read_with_crds(
    inputs: &[PathBuf],
    crds: &[PathBuf],
    progress: &Progress,
) -> Result<Workspace, Failure> {
    let mut reader = read_all(inputs, progress)?;
    let of_projects = crds_of_projects(&reader.workspace);
    let of_projects = of_projects.into_iter().map(|(file, path)| {
        let project = Path::new(reader.workspace.file(file).name());
        project.parent().unwrap_or(Path::new("")).join(path)
    });
    let crds: Vec<_> = crds.iter().cloned().chain(of_projects).collect();
    reader.are_known = true;
    for path in crds {
        reader.input(&path)?;
    }
    Ok(reader.workspace)
}

fn read_all<'p>(inputs: &[PathBuf], progress: &'p Progress) -> Result<Reader<'p>, Failure> {
    let current_directory = [PathBuf::from(".")];
    let inputs = if !inputs.is_empty() {
        inputs
    } else if Path::new(PROJECT_FILE).is_file() {
        &current_directory
    } else {
        return Err(Failure::usage(
            format!("no input, and no `{PROJECT_FILE}` in the current directory"),
            "name files or directories, or write `-` for standard input: `sandboxc build definitions`",
        ));
    };
    let mut reader =
        Reader { workspace: Workspace::new(), seen: BTreeMap::new(), are_known: false, progress };
    for input in inputs {
        reader.input(input)?;
    }
    Ok(reader)
}

struct Reader<'p> {
    workspace: Workspace,
    /// What was read, each file once, whatever names it.
    seen: BTreeMap<PathBuf, FileId>,
    /// Whether only the custom resource definitions of what is read are wanted.
    are_known: bool,
    progress: &'p Progress,
}

impl Reader<'_> {
    fn input(&mut self, input: &Path) -> Result<(), Failure> {
        if input == Path::new("-") {
            return self.stdin();
        }
        match fs::metadata(input) {
            Ok(metadata) if metadata.is_dir() => self.directory(input),
            Ok(_) => self.file(input),
            Err(_) if is_glob(input) => self.glob(input),
            Err(error) => Err(Failure::file("read", input)(error)),
        }
    }

    fn stdin(&mut self) -> Result<(), Failure> {
        let identity = PathBuf::from("-");
        if self.was_read(&identity) {
            return Ok(());
        }
        let mut bytes = Vec::new();
        io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|source| Failure::Stream { action: "read standard input", source })?;
        self.add(identity, STDIN.to_owned(), bytes)
    }

    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        // What cannot be resolved, such as a pipe, has no second name either.
        let identity = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if self.was_read(&identity) {
            return Ok(());
        }
        let bytes = fs::read(path).map_err(Failure::file("read", path))?;
        let name = path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned();
        self.add(identity, name, bytes)
    }

    /// Whether a file was read before. Being known alone is the narrower use, and the one that counts.
    fn was_read(&mut self, identity: &Path) -> bool {
        let Some(file) = self.seen.get(identity) else { return false };
        if self.are_known {
            self.workspace.set_known(*file);
        }
        true
    }

    fn add(&mut self, identity: PathBuf, name: String, bytes: Vec<u8>) -> Result<(), Failure> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(Failure::usage(
                format!("`{name}` is larger than 4 GiB"),
                "split it into several files",
            ));
        }
        let file = self.workspace.add(name, bytes);
        if self.are_known {
            self.workspace.set_known(file);
        }
        self.seen.insert(identity, file);
        self.progress.files(self.seen.len());
        Ok(())
    }

    fn directory(&mut self, root: &Path) -> Result<(), Failure> {
        let mut is_empty = true;
        for path in files_below(root)? {
            if path.extension().is_some_and(|it| EXTENSIONS.iter().any(|known| it == *known)) {
                is_empty = false;
                self.file(&path)?;
            }
        }
        if is_empty {
            return Err(Failure::usage(
                format!("no *.yaml, *.yml or *.json in `{}`", root.display()),
                "name a directory that has definitions, or the files themselves",
            ));
        }
        Ok(())
    }

    fn glob(&mut self, pattern: &Path) -> Result<(), Failure> {
        let text = pattern.to_string_lossy();
        let text = text.strip_prefix("./").unwrap_or(&text);
        let glob = GlobBuilder::new(text)
            .literal_separator(true)
            .build()
            .map_err(|error| {
                Failure::usage(
                    format!("`{text}` is no glob: {}", error.kind()),
                    "write for example 'teams/*/sandboxes.yaml' or 'definitions/**/*.yaml', in quotes",
                )
            })?
            .compile_matcher();
        let is_literal = |part: &Component<'_>| !is_glob(Path::new(part.as_os_str()));
        let base: PathBuf = Path::new(text).components().take_while(is_literal).collect();
        let base = if base.as_os_str().is_empty() { PathBuf::from(".") } else { base };
        let files = if base.is_dir() { files_below(&base)? } else { Vec::new() };
        let mut is_empty = true;
        for path in files {
            if glob.is_match(path.strip_prefix(".").unwrap_or(&path)) {
                is_empty = false;
                self.file(&path)?;
            }
        }
        if is_empty {
            return Err(Failure::usage(
                format!("no file matches `{text}`"),
                "write `*` for a part of a name, `**` for any folders; hidden files are not matched",
            ));
        }
        Ok(())
    }
}

fn is_glob(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[', '{'])
}

/// All files below a directory, sorted; hidden ones are skipped, and so are directories that
/// `build -o` has made, for they hold output.
fn files_below(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let is_wanted = |entry: &DirEntry| {
        entry.depth() == 0 || !(is_hidden(entry.file_name()) || is_generated(entry))
    };
    let mut files = Vec::new();
    for entry in WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(is_wanted) {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(root).to_owned();
            let cause = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
            Failure::file("read", &path)(cause)
        })?;
        // A link to a file is read, as it is common in mounted volumes; a link to a directory
        // could lead round in circles.
        if entry.path().is_file() {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

fn is_generated(entry: &DirEntry) -> bool {
    entry.file_type().is_dir() && entry.path().join(manifest::FILE_NAME).is_file()
}
