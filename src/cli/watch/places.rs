//! The files and directories whose changes matter.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use sandboxc::{FileId, FileRole, IGNORE_FILE, PROJECT_FILE, Workspace, World, discover};

use crate::cli::arguments::Options;
use crate::cli::failure::Failure;
use crate::cli::input::{excluded, extent, is_glob};
use crate::cli::output_file::OutputFile;
use crate::cli::projects::{choice_of, default_directory, directory_of};
use sandboxc_files::{
    GIT_IGNORE_FILE, Ignored, Kind, Root, Walk, canonical, current_directory, is_input,
    is_project_root, is_snapshot, kind_of_named, read_named, strip_directory, working_directory,
};

/// The command line, as far as it names files.
pub(in crate::cli) struct Watched<'w> {
    /// The inputs; by default, the project around the current directory.
    pub(in crate::cli) inputs: Vec<&'w Path>,
    pub(in crate::cli) exclude: &'w [String],
    /// Further files and directories.
    pub(in crate::cli) known: Vec<&'w Path>,
    pub(in crate::cli) options: &'w Options,
    /// The directory to which the command writes.
    pub(in crate::cli) output: Option<&'w Path>,
}

impl Watched<'_> {
    /// Standard input cannot be read again.
    pub(super) fn refuse_stdin(&self) -> Result<(), Failure> {
        if self.inputs.contains(&Path::new("-")) {
            return Err(Failure::usage(
                "`--watch` with standard input",
                "name files and directories: they are read again when they change",
            ));
        }
        Ok(())
    }

    /// The named files and directories.
    fn named(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut named: Vec<_> = self.inputs.iter().copied().map(Path::to_owned).collect();
        if named.is_empty() {
            named.push(default_directory(&choice_of(self.options)?)?);
        }
        Ok(named)
    }
}

/// What an event changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// Nothing that a run reads.
    Nothing,
    /// The content of files.
    Files,
    /// Possibly which directories and files are read.
    Directories,
}

/// The files and directories that a run reads, by canonical paths.
#[derive(Default)]
pub(super) struct Places {
    /// Directories in which each file can be input.
    searched: BTreeSet<PathBuf>,
    /// Single files. They need not exist.
    files: BTreeSet<PathBuf>,
    /// All directories to watch.
    watched: BTreeSet<PathBuf>,
    /// Files and directories that the run writes.
    written: BTreeSet<PathBuf>,
    /// The file that standard output is redirected to.
    output: Option<OutputFile>,
}

impl Places {
    /// Searches for the files and directories of a command line.
    pub(super) fn of(watched: &Watched<'_>) -> Result<Self, Failure> {
        let Watched { exclude, known, options, output, .. } = watched;
        let mut search = Search {
            places: Self { output: OutputFile::of_process(), ..Self::default() },
            exclude,
            projects: Workspace::new(),
        };
        let reports = options.report.iter().map(|report| report.path.as_path());
        search.places.written.extend(output.iter().copied().chain(reports).map(place));
        let named = watched.named()?;
        if let Some(output) = output
            && named.iter().any(|path| canonical(path).starts_with(place(output)))
        {
            return Err(Failure::usage(
                "`--watch` with an output directory that contains the input",
                "write the output to another directory",
            ));
        }
        let values = options.values.iter().map(PathBuf::as_path);
        for path in named.iter().map(PathBuf::as_path).chain(known.iter().copied()).chain(values) {
            search.add(path)?;
        }
        let inputs = named.iter().map(|path| {
            let directory = if path.is_dir() { path.clone() } else { directory_of(path) };
            // Where an input is, and not what it contains, says what its project is.
            (search.projects.add(path.to_string_lossy(), ""), canonical(&directory))
        });
        let inputs: Vec<_> = inputs.collect();
        discover(&mut search, &choice_of(options)?, inputs)?;
        Ok(search.places)
    }

    /// The directories to watch, each without those below it.
    pub(super) fn directories(&self) -> impl Iterator<Item = &PathBuf> {
        self.watched.iter()
    }

    /// What a change of a file or directory changes.
    pub(super) fn change(&self, path: &Path) -> Change {
        let is_written = self.written.iter().any(|it| path.starts_with(it))
            || self.output.as_ref().is_some_and(|it| it.is(path));
        if is_written {
            return Change::Nothing;
        }
        let name = path.file_name();
        if self.watched.contains(path) || name.is_some_and(|name| name == PROJECT_FILE) {
            return Change::Directories;
        }
        if self.files.contains(path) {
            return Change::Files;
        }
        if !path.parent().is_some_and(|it| self.searched.contains(it)) {
            return Change::Nothing;
        }
        if name.is_some_and(is_ignore_file) {
            return Change::Directories;
        }
        if name.is_some_and(is_hidden) {
            return Change::Nothing;
        }
        // Only `test` reads snapshots.
        let is_file = is_input(path) || is_snapshot(path);
        match path.extension() {
            _ if is_file => Change::Files,
            // The name does not say whether what was removed was a directory.
            None => Change::Directories,
            Some(_) if path.is_dir() => Change::Directories,
            Some(_) => Change::Nothing,
        }
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

fn is_ignore_file(name: &OsStr) -> bool {
    name == GIT_IGNORE_FILE || name == IGNORE_FILE
}

/// A search for the places of a run.
struct Search<'s> {
    places: Places,
    exclude: &'s [String],
    /// The files of Projects.
    projects: Workspace,
}

impl World for Search<'_> {
    type Failure = Failure;

    fn workspace(&self) -> &Workspace {
        &self.projects
    }

    fn is_root(&self, directory: &Path) -> bool {
        is_project_root(directory)
    }

    fn known(&self, _: &Path) -> Option<FileId> {
        None
    }

    fn read_project(&mut self, file: &Path) -> Result<Vec<FileId>, Failure> {
        self.file(file);
        self.directory(&directory_of(file), Ignored::Left, None)?;
        let text = read_named(file).unwrap_or_default();
        Ok(vec![self.projects.add(file.to_string_lossy(), text)])
    }

    fn read_named(
        &mut self,
        project: FileId,
        _: FileRole,
        path: &str,
    ) -> Result<Vec<FileId>, Failure> {
        let project = PathBuf::from(self.projects.file(project).name());
        if let Ok(root) = Root::around(&directory_of(&project)) {
            self.add_below(&root, &project.with_file_name(path))?;
        }
        Ok(Vec::new())
    }
}

impl Search<'_> {
    /// Adds what an argument names.
    fn add(&mut self, path: &Path) -> Result<(), Failure> {
        match kind_of_named(path) {
            Ok(Kind::Directory) => self.directory(path, Ignored::Left, None),
            Err(_) if is_glob(path) => {
                let (base, levels) = extent(strip_directory(path, "."));
                self.directory(&base, Ignored::Read, levels)
            }
            _ => {
                self.file(path);
                Ok(())
            }
        }
    }

    /// Adds what a Project names, unless it leads out of a root.
    fn add_below(&mut self, root: &Root, path: &Path) -> Result<(), Failure> {
        let (base, _) = extent(path);
        let place = working_directory().join(if is_glob(path) { &base } else { path });
        match root.resolve(&place) {
            Ok(_) => self.add(path),
            Err(_) => Ok(()),
        }
    }

    /// Adds a file, under its own name and that of the file that a link leads to.
    fn file(&mut self, path: &Path) {
        for path in [place(path), canonical(path)] {
            let above = path.ancestors().skip(1).find(|it| it.is_dir());
            self.places.watched.extend(above.map(Path::to_owned));
            self.places.files.insert(path);
        }
    }

    /// Adds a directory and those below it. The run reports what cannot be read.
    fn directory(
        &mut self,
        directory: &Path,
        ignored: Ignored,
        levels: Option<usize>,
    ) -> Result<(), Failure> {
        let excluded = excluded(self.exclude)?;
        let walked = || {
            let root = &Root::around(directory)?;
            let below = &root.resolve(&canonical(directory))?;
            let excluded = Some(&excluded);
            let walk = Walk { ignored, levels, excluded, ..Walk::of(directory, root, below) };
            walk.files().map(|walked| walked.directories)
        };
        // The run reports a directory that cannot be read.
        let found = walked().into_iter().flatten();
        for directory in found.chain([canonical(directory)]) {
            self.places.watched.insert(directory.clone());
            self.places.searched.insert(directory);
        }
        Ok(())
    }
}

/// The path of a file in its canonical directory. The file need not exist.
fn place(path: &Path) -> PathBuf {
    let absolute = current_directory().join(path);
    match (absolute.parent(), absolute.file_name()) {
        (Some(directory), Some(name)) => canonical(directory).join(name),
        _ => absolute,
    }
}
