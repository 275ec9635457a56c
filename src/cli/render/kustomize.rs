//! What kustomize builds.
//!
//! Without the options that allow it, kustomize runs no functions, plugins or Helm. It does fetch any file or
//! directory whose path is an address, so all that a kustomization names is read before it runs.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use sandboxc::{
    KUSTOMIZATION_FILES, KustomizeFile, KustomizePart, KustomizePartKind, TEMPLATE_COMMENT,
    is_remote_directory, is_remote_file, kustomize_parts,
};

use super::limit::Limit;
use super::{called, refused, rendered_by};
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::programs::Programs;
use crate::cli::projects::relative;
use sandboxc_files::{Kind, canonical, working_directory};

/// The maximum number of kustomizations that lead to each other.
const MOST_KUSTOMIZATIONS: usize = 10_000;

/// Where kustomize may read files: at or below the kustomization that names them.
const RESTRICTED: &str = "--load-restrictor=LoadRestrictionsRootOnly";

/// The objects of a kustomization.
pub(super) fn objects(programs: &Programs, directory: &Path) -> Result<Vec<u8>, Failure> {
    check(directory)?;
    let found = programs.find("kustomize").map(|it| (it, "build"));
    let found = found.or_else(|| Some((programs.find("kubectl")?, "kustomize")));
    let (program, command) = found.ok_or_else(|| {
        let problem = "neither `kustomize` nor `kubectl` is installed: they are not in the `PATH`";
        let directory = directory.display();
        let help = format!(
            "install one of them, or build elsewhere: `kustomize build {directory} | sandboxc check -`"
        );
        Failure::usage(problem, help)
    })?;
    let arguments = vec![command.into(), RESTRICTED.into(), "--".into(), called(directory).into()];
    // Addresses are found above. If one was not, these let git and HTTP fail.
    let nowhere = "http://127.0.0.1:9";
    let environment = vec![
        ("GIT_ALLOW_PROTOCOL".into(), "none".into()),
        ("GIT_TERMINAL_PROMPT".into(), "0".into()),
        ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ("HTTP_PROXY".into(), nowhere.into()),
        ("HTTPS_PROXY".into(), nowhere.into()),
        ("KUBECONFIG".into(), programs.home().path().join("kubeconfig").into()),
    ];
    let text = rendered_by(programs, &program, arguments, environment)?;
    Ok(with_sources(&text, directory))
}

/// The annotation of an object with the file that it is from, if `buildMetadata` requests it.
const ORIGIN: &[u8] = b"config.kubernetes.io/origin:";

/// The text with the source of each object in a comment, as Helm writes it: its file if an annotation names it, or
/// else the kustomization.
fn with_sources(text: &[u8], directory: &Path) -> Vec<u8> {
    let current = working_directory();
    let mut names = KUSTOMIZATION_FILES.iter().map(|name| directory.join(name));
    let whole = names.find(|file| file.is_file()).unwrap_or_default();
    let mut out = Vec::with_capacity(text.len());
    for document in documents(text) {
        let file = origin(document).map(|path| directory.join(path));
        let file = file.filter(|file| file.is_file()).unwrap_or_else(|| whole.clone());
        let file = relative(&canonical(&file), &current).to_string_lossy().into_owned();
        let (separator, rest) = match document.strip_prefix(SEPARATOR) {
            Some(rest) => (SEPARATOR, rest),
            None => (&b""[..], document),
        };
        out.extend_from_slice(separator);
        if !file.contains(['\n', '\r']) {
            out.extend_from_slice(format!("{TEMPLATE_COMMENT}{file}\n").as_bytes());
        }
        out.extend_from_slice(rest);
    }
    out
}

/// The line between two objects.
const SEPARATOR: &[u8] = b"---\n";

/// The objects, each with the separator before it.
fn documents(text: &[u8]) -> Vec<&[u8]> {
    let mut documents = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if line == SEPARATOR && at > start {
            documents.extend(text.get(start..at));
            start = at;
        }
        at += line.len();
    }
    documents.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    documents
}

/// The path in the annotation of an object with its origin.
fn origin(document: &[u8]) -> Option<&str> {
    let mut lines = document.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| line.starts_with(ORIGIN))?;
    let path = lines.next()?.strip_prefix(b"path: ")?;
    std::str::from_utf8(path).ok()
}

/// Checks all that a kustomization leads to.
fn check(directory: &Path) -> Result<(), Failure> {
    let limit = Limit::around(directory)?;
    let mut walk = Walk { limit, seen: BTreeSet::new(), open: Vec::new(), faults: Vec::new() };
    walk.enter(directory, KustomizeFile::Kustomization);
    while let Some((directory, file)) = walk.open.pop() {
        walk.kustomization(&directory, file)?;
    }
    let help = format!(
        "name local files, or build it elsewhere: `kustomize build {} | sandboxc check -`",
        directory.display()
    );
    let mut faults = walk.faults;
    faults.sort();
    let current = working_directory();
    let mut faults = faults.into_iter().map(|(file, line, problem)| {
        let place = format!("{}:{line}", relative(&file, &current).display());
        refused(&format!("{place}: {problem}"), &help)
    });
    let Some(last) = faults.next_back() else { return Ok(()) };
    faults.for_each(|fault| output::complain(&fault.describe()));
    Err(last)
}

/// A walk over kustomizations.
struct Walk {
    limit: Limit,
    /// The kustomizations that were found, by their canonical directories.
    seen: BTreeSet<(PathBuf, bool)>,
    open: Vec<(PathBuf, KustomizeFile)>,
    /// The canonical path of a file, a line in it, and what is wrong there.
    faults: Vec<(PathBuf, u32, String)>,
}

impl Walk {
    fn enter(&mut self, directory: &Path, file: KustomizeFile) {
        if self.seen.insert((canonical(directory), file == KustomizeFile::KustomizationOfPlugins)) {
            self.open.push((directory.to_owned(), file));
        }
    }

    fn kustomization(&mut self, directory: &Path, file: KustomizeFile) -> Result<(), Failure> {
        if self.seen.len() > MOST_KUSTOMIZATIONS {
            return Err(refused(
                &format!("more than {MOST_KUSTOMIZATIONS} kustomizations name each other"),
                "name fewer",
            ));
        }
        for name in KUSTOMIZATION_FILES {
            let path = directory.join(name);
            if path.symlink_metadata().is_ok() {
                self.file(&path, directory, file)?;
            }
        }
        Ok(())
    }

    /// Reads a file that names others, which are relative to a directory.
    fn file(&mut self, path: &Path, directory: &Path, file: KustomizeFile) -> Result<(), Failure> {
        let text = self.limit.read(path).map_err(Failure::file("read", path))?;
        match kustomize_parts(&text, file) {
            Ok(parts) => parts.iter().try_for_each(|part| self.part(part, path, directory, file)),
            Err((line, cause)) => {
                self.faults.push((canonical(path), line, cause));
                Ok(())
            }
        }
    }

    fn part(
        &mut self,
        part: &KustomizePart,
        path: &Path,
        directory: &Path,
        file: KustomizeFile,
    ) -> Result<(), Failure> {
        let KustomizePart { kind, name, line, .. } = part;
        let problem = match kind {
            KustomizePartKind::Chart => Some(format!("`{name}` runs Helm, which can fetch charts")),
            KustomizePartKind::Function => Some(format!("`{name}` runs a function or a plugin")),
            // kustomize tries the path of a directory as an address even if there is a file.
            KustomizePartKind::Objects | KustomizePartKind::Plugins
                if is_remote_directory(name) || is_remote_file(name) =>
            {
                Some(format!("`{name}` is fetched from the network"))
            }
            // A patch can be written in place of its path.
            KustomizePartKind::File if name.contains('\n') => None,
            _ if is_remote_file(name) => Some(format!("`{name}` is fetched from the network")),
            _ => self.local(part, path, directory, file)?,
        };
        self.faults.extend(problem.map(|problem| (canonical(path), *line, problem)));
        Ok(())
    }

    /// Follows the path of a local file or directory, and returns its fault.
    fn local(
        &mut self,
        part: &KustomizePart,
        from: &Path,
        directory: &Path,
        file: KustomizeFile,
    ) -> Result<Option<String>, Failure> {
        let KustomizePart { kind, name, .. } = part;
        let path = directory.join(name);
        let is_directory_read = *kind != KustomizePartKind::File;
        let found = match self.limit.kind(&path) {
            Ok(found) => Some(found),
            // kustomize names what is missing.
            Err(error) if is_missing(&error) => None,
            Err(error) => return Ok(Some(format!("cannot read `{name}`: {error}"))),
        };
        let of_plugins =
            *kind == KustomizePartKind::Plugins || file == KustomizeFile::KustomizationOfPlugins;
        match found {
            Some(Kind::Directory) if is_directory_read => {
                let file = if of_plugins {
                    KustomizeFile::KustomizationOfPlugins
                } else {
                    KustomizeFile::Kustomization
                };
                self.enter(&path, file);
            }
            Some(_) if of_plugins && is_directory_read && path != from => {
                self.file(&path, directory, KustomizeFile::Plugins)?;
            }
            _ => {}
        }
        Ok(None)
    }
}

/// Whether nothing has this path, also because its parts cannot be names.
fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput
    )
}
