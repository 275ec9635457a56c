//! `build --check`: whether committed output is what the definitions give now.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use sandboxc::markup::{shell_word, visible_line};
use sandboxc::{EmittedFile, Paint, format, mask_secrets};

use super::Outcome;
use super::arguments::Options;
use super::failure::Failure;
use super::manifest::{self, Manifest};
use super::output;
use super::unified::{self, Side};
use sandboxc_files::{Entry, Kind, Root, content, kind_of_named, read_named, working_directory};

/// The name of the other side of a file that one side does not have.
const ABSENT: &str = "/dev/null";

/// The output of an earlier build, and what differs from that of this run.
pub(crate) struct Committed {
    path: PathBuf,
    /// The root that the files of a directory do not leave; `None` for a file.
    root: Option<Root>,
    /// The numbers of files.
    missing: usize,
    changed: usize,
    current: usize,
    /// The number of files of an earlier build that this one does not write.
    stale: usize,
    /// Those that are not in the list of its files, so that a build does not remove them.
    unlisted: Vec<PathBuf>,
    /// Files that no build has written.
    others: Vec<PathBuf>,
    /// The directories of environments that the Project does not have.
    environments: Vec<PathBuf>,
}

impl Committed {
    /// The file or directory at a path.
    pub(crate) fn find(path: &Path) -> Result<Self, Failure> {
        let kind = kind_of_named(path).map_err(|error| Self::absent(path, error))?;
        let root = (kind == Kind::Directory).then(|| Root::around(path)).transpose();
        Ok(Self {
            path: path.to_owned(),
            root: root.map_err(Failure::file("read", path))?,
            missing: 0,
            changed: 0,
            current: 0,
            stale: 0,
            unlisted: Vec::new(),
            others: Vec::new(),
            environments: Vec::new(),
        })
    }

    /// The failure for a path that cannot be read, which is usually a first run.
    fn absent(path: &Path, error: io::Error) -> Failure {
        // The target of a link can be missing too.
        if error.kind() != io::ErrorKind::NotFound || path.is_symlink() {
            return Failure::file("read", path)(error);
        }
        let path = path.display();
        Failure::usage(
            format!("cannot read `{path}`: it does not exist"),
            format!(
                "write and commit it first: `build ... -o {path}`, or `build ... > {path}` for a file"
            ),
        )
    }

    /// The directory; `None` for a file.
    pub(crate) fn directory(&self) -> Option<PathBuf> {
        self.root.as_ref().map(|_| self.path.clone())
    }

    /// Compares the file with the output, and prints the changes.
    pub(crate) fn compare_stream(&mut self, expected: &str) -> Result<(), Failure> {
        let path = self.path.clone();
        self.compare(&path, expected)
    }

    /// Compares a directory with files, and prints the changes.
    pub(crate) fn compare_files(
        &mut self,
        directory: &Path,
        files: Vec<EmittedFile>,
    ) -> Result<(), Failure> {
        for file in &files {
            self.compare(&directory.join(&file.name), &file.content)?;
        }
        let expected: BTreeSet<_> = files.into_iter().map(|it| it.name).collect();
        let Some(names) = self.names_in(directory)? else { return Ok(()) };
        let manifest = self.read(&directory.join(manifest::FILE_NAME))?;
        let manifest = manifest.as_deref().map_or_else(Manifest::default, Manifest::parse_or_empty);
        for name in names.into_iter().filter(|it| !expected.contains(it)) {
            let path = directory.join(&name);
            let is_listed = manifest.lists(&name);
            if is_listed || has_generated_name(&name) {
                let text = self.read(&path)?.unwrap_or_default();
                print(&path, Some(&text), None)?;
                self.stale += 1;
                self.unlisted.extend((!is_listed).then_some(path));
            } else if has_objects(&name) {
                self.others.push(path);
            }
        }
        Ok(())
    }

    /// Finds directories of environments that the Project no longer has.
    pub(crate) fn find_other_environments(
        &mut self,
        directory: &Path,
        names: &[&str],
    ) -> Result<(), Failure> {
        let Some(root) = &self.root else { return Ok(()) };
        let below = root.resolve(&place(directory)).map_err(Failure::file("read", directory))?;
        let entries = root.list(&below).map_err(Failure::file("read", directory))?;
        let is_generated =
            |entry: &Entry| root.has(&below.join(&entry.name).join(manifest::FILE_NAME));
        let is_other = |entry: &Entry| !names.iter().any(|name| entry.name == *name);
        let others = entries.iter().filter(|entry| is_other(entry) && is_generated(entry));
        self.environments.extend(others.map(|it| directory.join(&it.name)));
        self.environments.sort_unstable();
        Ok(())
    }

    fn compare(&mut self, path: &Path, expected: &str) -> Result<(), Failure> {
        match self.read(path)? {
            // `fmt` may have changed its layout since.
            Some(text) if text == expected || format(expected).is_ok_and(|it| it == text) => {
                self.current += 1;
                Ok(())
            }
            Some(text) => {
                self.changed += 1;
                print(path, Some(&text), Some(expected))
            }
            None => {
                self.missing += 1;
                print(path, None, Some(expected))
            }
        }
    }

    /// Prints the summary to standard error, and returns the outcome.
    pub(crate) fn report(&self, options: &Options) -> Outcome {
        let Self { path, missing, changed, current, stale, unlisted, others, environments, .. } =
            self;
        let is_current = missing + changed + stale + environments.len() == 0;
        let counts = [
            (*missing, "missing"),
            (*changed, "changed"),
            (*stale, "stale"),
            (*current, "current"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> = counts.map(|(count, what)| format!("{count} {what}")).collect();
        let counts = if counts.is_empty() { "no files".to_owned() } else { counts.join(", ") };
        let (shown, word) = (path.display().to_string(), path.to_string_lossy());
        let word = shell_word(&word);
        let how = match (is_current, self.root.is_some()) {
            (true, _) => String::new(),
            (false, true) => format!("; write it again: `build ... -o {word}`"),
            (false, false) => format!("; write it again: `build ... > {word}`"),
        };
        let unlisted_why = format!("stale and not in {}: delete it", manifest::FILE_NAME);
        let remarks = environments.iter().map(|path| (path, "no environment of the Project"));
        let remarks = remarks.chain(unlisted.iter().map(|path| (path, unlisted_why.as_str())));
        let remarks = remarks.chain(others.iter().map(|path| (path, "not a file of `build`")));
        let remarks = remarks.map(|(path, why)| format!("{}: {why}", path.display()));
        let lines = std::iter::once(format!("{shown}: {counts}{how}")).chain(remarks);
        let text: String = lines.map(|line| visible_line(&line).into_owned() + "\n").collect();
        if !options.quiet {
            output::complain(&text);
        }
        if is_current { Outcome::Clean } else { Outcome::Differs }
    }

    /// The content of a file; `None` if there is none.
    fn read(&self, path: &Path) -> Result<Option<String>, Failure> {
        let bytes = match &self.root {
            Some(root) => root.open(&place(path)).and_then(content::all_of),
            None => read_named(path),
        };
        match bytes {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::file("read", path)(error)),
        }
    }

    /// The sorted names of the visible files in a directory; `None` if it does not exist.
    fn names_in(&self, directory: &Path) -> Result<Option<Vec<String>>, Failure> {
        let Some(root) = &self.root else { return Ok(None) };
        let failed = |error| Failure::file("read", directory)(error);
        let below = match root.resolve(&place(directory)) {
            Ok(below) => below,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let files = root.list(&below).map_err(failed)?.into_iter();
        let files = files.filter(|entry| matches!(entry.kind, Kind::File | Kind::Link));
        let names = files.map(|file| file.name.to_string_lossy().into_owned());
        Ok(Some(names.filter(|it| !it.starts_with('.')).collect()))
    }
}

/// The absolute path of a file or directory, as far as the command line names it.
fn place(path: &Path) -> PathBuf {
    working_directory().join(path)
}

/// Whether `kubectl apply -f` would read a file.
fn has_objects(name: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|it| name.ends_with(it))
}

/// Whether a name is one that `build` gives: two digits, a kind, and a name. The list of files may not be
/// committed, or have lost a line in a merge.
fn has_generated_name(name: &str) -> bool {
    name.split_once('_').is_some_and(|(rank, rest)| {
        rank.len() == 2 && rank.bytes().all(|byte| byte.is_ascii_digit()) && has_objects(rest)
    })
}

/// Prints the changes of a file from what is committed to what the definitions give.
fn print(path: &Path, before: Option<&str>, after: Option<&str>) -> Result<(), Failure> {
    let name = path.display().to_string();
    let sides = [before, after].map(|text| (text, text.map_or_else(String::new, mask_secrets)));
    let diff = unified::between(sides.each_ref().map(|(text, shown)| Side {
        name: if text.is_some() { &name } else { ABSENT },
        text: text.unwrap_or_default(),
        shown,
    }));
    output::show(&diff, Paint::Plain)
}
