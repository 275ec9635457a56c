//! Reads the arguments as a workspace: files, directories, globs and standard input.

mod context;
mod globs;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use ignore::overrides::Override;
use sandboxc::{
    Choice, FileId, FileRole, IGNORE_FILE, LARGEST_IGNORE_FILES, ProjectSource, STDIN, Scope,
    Workspace, discover,
};

pub(super) use self::globs::{excluded, extent, is_glob};
use super::archive::{self, Manifest, is_archive};
use super::arguments::{Given, Inputs, KnownKinds, NamedPath, Options, SetValue};
use super::failure::{Failure, missing_target};
use super::output_file::OutputFile;
use super::progress::Progress;
use super::projects::{choice_of, default_directory, directory_of, relative};
use super::threads::try_map;
use sandboxc_files::{
    Found, Ignored, Kind, NotWalked, Root, Skipped, Walk, Walked, canonical, content,
    current_directory, is_input, is_link_of_input, is_snapshot, kind_of_named, open_named,
    read_named, strip_directory, working_directory,
};

/// The files of a run.
pub(crate) struct Files {
    pub(crate) workspace: Workspace,
    /// The projects, if there are several.
    pub(crate) scopes: Vec<Scope>,
    /// The Projects of the inputs and of their context.
    pub(crate) projects: Vec<ProjectSource>,
    /// The file whose Project applies to all, if the command line selects it.
    pub(crate) project: Option<FileId>,
    /// The files that are not read.
    pub(crate) skipped: Skipped,
}

/// Reads all inputs, each file once, in the given order, and sorted by name within a directory or
/// glob.
pub(crate) fn read(
    inputs: &Inputs,
    options: &Options,
    progress: &Progress,
) -> Result<Workspace, Failure> {
    Ok(read_all(inputs, &choice_of(options)?, options, progress)?.workspace)
}

/// Like `read`, and also reads the files in archives.
pub(crate) fn read_with_archives(
    inputs: &Inputs,
    options: &Options,
    progress: &Progress,
) -> Result<Workspace, Failure> {
    let mut reader = Reader::of(inputs, options, progress)?;
    reader.has_archives = true;
    inputs.all().try_for_each(|it| reader.input(it))?;
    Ok(reader.workspace)
}

/// Like `read`, and also reads the projects of the inputs, and the custom resource definitions and
/// policies named by the arguments and the Projects, which are not part of the output.
pub(crate) fn read_with_context(
    inputs: &Inputs,
    KnownKinds { crds, policies }: &KnownKinds,
    options: &Options,
    progress: &Progress,
) -> Result<Files, Failure> {
    let choice = choice_of(options)?;
    let mut reader = read_all(inputs, &choice, options, progress)?;
    let directories = reader.directories.clone();
    let mut discovered = discover(&mut reader, &choice, directories)?;
    let kind = "CustomResourceDefinition";
    for file in reader.in_role(FileRole::KnownKinds, crds, (kind, "definitions"))? {
        discovered.share(file, FileRole::KnownKinds);
    }
    for file in reader.in_role(FileRole::Policies, policies, ("AdmissionPolicy", "policies"))? {
        discovered.share(file, FileRole::Policies);
    }
    for file in reader.values(inputs, options)? {
        discovered.share(file, FileRole::Values);
    }
    let Reader { mut workspace, skipped, .. } = reader;
    let projects = std::mem::take(&mut discovered.projects);
    let project = discovered.selected;
    let scopes = discovered.into_scopes(&mut workspace);
    Ok(Files { workspace, scopes, projects, project, skipped })
}

fn read_all<'p>(
    inputs: &Inputs,
    choice: &Choice,
    options: &Options,
    progress: &'p Progress,
) -> Result<Reader<'p>, Failure> {
    let Inputs { given, found, .. } = inputs;
    let is_empty = inputs.all().next().is_none() && given.is_empty() && found.is_empty();
    let default = if is_empty { vec![default_directory(choice)?] } else { Vec::new() };
    let mut reader = Reader::of(inputs, options, progress)?;
    inputs.given.iter().filter(|it| !it.is_values).for_each(|it| reader.given(it));
    for path in inputs.all().chain(&default) {
        reader.input(path)?;
    }
    for NamedPath { directory, path } in &inputs.found {
        let place = working_directory().join(path);
        if !reader.input_below(&reader.root_of(directory)?, path, &place)? {
            return Err(Failure::file("read", path)(io::ErrorKind::NotFound.into()));
        }
    }
    Ok(reader)
}

struct Reader<'p> {
    workspace: Workspace,
    /// The files read so far, by their canonical paths. Paths as such are compared by their components, which
    /// takes ten times as long.
    seen: BTreeMap<OsString, FileId>,
    /// The canonical directory of each input.
    directories: BTreeMap<FileId, PathBuf>,
    /// The canonical directories whose files were read.
    walked: Vec<PathBuf>,
    /// The role of all further files; if `None`, it depends on whether a file is named or found in
    /// a folder.
    role: Option<FileRole>,
    /// The files that the current step reads, or finds to be read.
    reached: Vec<FileId>,
    excluded: Override,
    /// The canonical path of the output of an earlier build.
    committed: Option<PathBuf>,
    /// The file that standard output is redirected to.
    output: Option<OutputFile>,
    /// Whether the files in archives are read.
    has_archives: bool,
    /// The files of the inputs that are not read.
    skipped: Skipped,
    /// Whether the input names what is being read. Only manifests are, because all else is not for its author to
    /// see: what earlier steps of a workflow have left in its directory, such as credentials.
    is_of_input: bool,
    progress: &'p Progress,
}

impl<'p> Reader<'p> {
    /// A reader that has read nothing.
    fn of(inputs: &Inputs, options: &Options, progress: &'p Progress) -> Result<Self, Failure> {
        Ok(Self {
            workspace: Workspace::new(),
            seen: BTreeMap::new(),
            directories: BTreeMap::new(),
            walked: Vec::new(),
            role: None,
            reached: Vec::new(),
            excluded: globs::excluded(&inputs.exclude)?,
            committed: options.committed.as_deref().map(canonical),
            output: OutputFile::of_process(),
            has_archives: false,
            skipped: Skipped::default(),
            is_of_input: false,
            progress,
        })
    }

    /// Reads a path that the command line names.
    fn input(&mut self, input: &Path) -> Result<(), Failure> {
        if input == Path::new("-") {
            return self.stdin();
        }
        let failed = Failure::file("read", input);
        match kind_of_named(input) {
            Ok(Kind::Directory) => {
                let root = Root::around(input).map_err(failed)?;
                let below =
                    root.resolve(&canonical(input)).map_err(Failure::file("read", input))?;
                self.directory(input, &root, &below)
            }
            Ok(_) => self.named_file(input, FileRole::Named).map_err(failed),
            Err(_) if is_glob(input) => {
                let (base, _) = extent(input);
                let exists = match kind_of_named(&base) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(Failure::file("read", &base)(error));
                    }
                    other => other.is_ok_and(|it| it == Kind::Directory),
                };
                let base = if exists { base.as_path() } else { Path::new(".") };
                let root = Root::around(base).map_err(Failure::file("read", base))?;
                self.glob(input, &root)
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Reads a path that the input names, below a root. `place` is the path in a canonical directory. Returns
    /// whether it exists.
    fn input_below(&mut self, root: &Root, input: &Path, place: &Path) -> Result<bool, Failure> {
        self.is_of_input = true;
        let exists = self.below(root, input, place);
        self.is_of_input = false;
        exists
    }

    fn below(&mut self, root: &Root, input: &Path, place: &Path) -> Result<bool, Failure> {
        let below = match root.resolve(place) {
            Ok(below) => below,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if is_glob(input) {
                    return self.glob(input, root).map(|()| true);
                }
                return Ok(false);
            }
            Err(error) => {
                self.unreadable(input, &error);
                return Ok(true);
            }
        };
        if root.kind(&below).is_ok_and(|it| it == Kind::Directory) {
            self.directory(input, root, &below)?;
            return Ok(true);
        }
        let identity = root.place(&below);
        let directory = directory_of(&identity);
        let open = || root.open_resolved(&identity);
        if let Err(error) = self.file(input, &identity, &directory, FileRole::Named, open) {
            self.unreadable(input, &error);
        }
        Ok(true)
    }

    /// The root for what the files in a directory name: its repository, or else its project, or a directory of the
    /// command line that contains it.
    fn root_of(&self, directory: &Path) -> Result<Root, Failure> {
        let failed = |error| Failure::file("read", directory)(error);
        let root = Root::around(directory).map_err(failed)?;
        let is_outer = |directory: &&PathBuf| {
            root.path().starts_with(directory) && root.path() != directory.as_path()
        };
        let around = self.walked.iter().filter(is_outer);
        match around.min_by_key(|directory| directory.as_os_str().len()) {
            Some(named) => Root::at(named).map_err(failed),
            None => Ok(root),
        }
    }

    fn stdin(&mut self) -> Result<(), Failure> {
        let identity = PathBuf::from("-");
        if self.was_read(&identity) {
            return Ok(());
        }
        let bytes = standard_input()?;
        self.add(identity, &current_directory(), STDIN.to_owned(), bytes, FileRole::Named);
        Ok(())
    }

    /// Reads the files and options with values.
    fn values(&mut self, inputs: &Inputs, options: &Options) -> Result<Vec<FileId>, Failure> {
        let workspace = &mut self.workspace;
        let mut files = Vec::new();
        for path in &options.values {
            let bytes = read_named(path).map_err(Failure::file("read", path))?;
            files.push(workspace.add_values(path.to_string_lossy(), Vec::new(), bytes));
        }
        for SetValue { path, value } in &options.set {
            let name = format!("--set {}", path.join("."));
            files.push(workspace.add_values(name, path.clone(), value.as_str()));
        }
        for Given { name, content, .. } in inputs.given.iter().filter(|given| given.is_values) {
            files.push(workspace.add_values(name.as_str(), Vec::new(), content.as_slice()));
        }
        Ok(files)
    }

    fn given(&mut self, Given { name, content, directory, .. }: &Given) {
        let file = self.workspace.add_text(name.clone(), content.clone());
        let directory = directory.as_deref().map(canonical);
        self.directories.insert(file, directory.unwrap_or_else(current_directory));
    }

    fn named_file(&mut self, path: &Path, role: FileRole) -> io::Result<()> {
        let directory = canonical(&directory_of(path));
        self.is_of_input = is_link_of_input(path);
        let read = self.file(path, &canonical(path), &directory, role, || open_named(path));
        self.is_of_input = false;
        read
    }

    fn file(
        &mut self,
        path: &Path,
        identity: &Path,
        directory: &Path,
        role: FileRole,
        open: impl FnOnce() -> io::Result<File>,
    ) -> io::Result<()> {
        if self.was_read(identity) {
            return Ok(());
        }
        if self.output.as_ref().is_some_and(|it| it.is(path)) {
            return Err(io::Error::other("standard output is redirected to it"));
        }
        if self.has_archives && is_archive(path) {
            return self.archive(identity, path, directory, open()?);
        }
        let bytes = content::all_of(open()?)?;
        if let Some(missing) = self.missing_word(&bytes) {
            return Err(io::Error::other(format!("it has no `{missing}`")));
        }
        self.add(identity.to_owned(), directory, shown(path), bytes, role);
        Ok(())
    }

    /// The word that a file lacks to be what the input names it for.
    fn missing_word(&self, bytes: &[u8]) -> Option<&'static str> {
        let word = match self.role {
            Some(FileRole::KnownKinds) => "CustomResourceDefinition",
            // The run has a finding at the path.
            Some(FileRole::External) => return None,
            _ => "apiVersion",
        };
        let has_word = || memchr::memmem::find(bytes, word.as_bytes()).is_some();
        (self.is_of_input && !has_word()).then_some(word)
    }

    /// Reads files of a directory. If that fails for one, the others are still checked.
    fn found(&mut self, root: &Root, mut files: Vec<Found>) -> Result<(), Failure> {
        files.retain(|it| !self.was_read(&it.identity));
        // A file has its own name, and not that of a link to it, which is not written through.
        let real = files.iter().filter(|it| !it.is_link()).map(|it| it.identity.clone());
        let real: BTreeSet<_> =
            if files.iter().any(Found::is_link) { real.collect() } else { BTreeSet::new() };
        files.retain(|file| !file.is_link() || !real.contains(&file.identity));
        let is_archive = |it: &mut Found| self.has_archives && is_archive(&it.path);
        let archives: Vec<_> = files.extract_if(.., is_archive).collect();
        for found in archives {
            let Found { path, identity, directory, .. } = &found;
            let unpacked =
                found.open(root).and_then(|file| self.archive(identity, path, directory, file));
            if let Err(error) = unpacked {
                self.add_unreadable(identity.clone(), path, &error);
            }
        }
        for batch in files.chunks(content::BATCH) {
            let contents = try_map(batch, |file| Ok(file.open(root).and_then(content::small)))?;
            for (found, small) in batch.iter().zip(contents) {
                let Found { path, identity, directory, .. } = found;
                // Several links can lead to one file.
                if self.was_read(identity) {
                    continue;
                }
                let whole = || found.open(root).and_then(content::all_of);
                match small.and_then(|small| small.map_or_else(whole, Ok)) {
                    Ok(bytes) if self.missing_word(&bytes).is_some() => {}
                    Ok(bytes) => {
                        let name = shown(path);
                        self.add(identity.clone(), directory, name, bytes, FileRole::Found);
                    }
                    Err(error) => self.add_unreadable(identity.clone(), path, &error),
                }
            }
        }
        Ok(())
    }

    /// Adds the files in an archive, as if it was a directory.
    fn archive(
        &mut self,
        identity: &Path,
        path: &Path,
        directory: &Path,
        file: File,
    ) -> io::Result<()> {
        for Manifest { path: inner, content } in archive::manifests(file)? {
            let name = shown(&path.join(&inner));
            self.add(identity.join(inner), directory, name, content, FileRole::Found);
        }
        Ok(())
    }

    /// Adds a directory that cannot be read, or a file in it.
    fn unreadable(&mut self, path: &Path, error: &io::Error) {
        let identity = canonical(path);
        if !self.was_read(&identity) {
            self.add_unreadable(identity, path, error);
        }
    }

    fn add_unreadable(&mut self, identity: PathBuf, path: &Path, error: &io::Error) {
        let cause = missing_target(path, error).unwrap_or_else(|| error.to_string());
        let file = self.workspace.add_unreadable(shown(path), cause);
        self.keep(file, identity, &canonical(&directory_of(path)), FileRole::Found);
    }

    /// Whether a file was read before.
    fn was_read(&mut self, identity: &Path) -> bool {
        let known = self.seen.get(identity.as_os_str()).copied();
        self.reached.extend(known);
        known.is_some()
    }

    fn add(
        &mut self,
        identity: PathBuf,
        directory: &Path,
        name: String,
        bytes: Vec<u8>,
        role: FileRole,
    ) {
        let file = self.workspace.add(name, bytes);
        self.keep(file, identity, directory, role);
        self.progress.files(self.seen.len());
    }

    /// Notes a file that was added. `role` is that of an input.
    fn keep(&mut self, file: FileId, identity: PathBuf, directory: &Path, role: FileRole) {
        if let Some(role_in_context) = self.role {
            self.workspace.set_role(file, role_in_context);
        } else {
            self.workspace.set_role(file, role);
            self.directories.insert(file, directory.to_owned());
        }
        self.seen.insert(identity.into_os_string(), file);
        self.reached.push(file);
    }

    /// Reads the files of a directory, `below` a root without links.
    fn directory(&mut self, directory: &Path, root: &Root, below: &Path) -> Result<(), Failure> {
        if self.role.is_none() {
            self.walked.push(root.place(below));
        }
        let mut files = self.files_below(directory, root, below, (Ignored::Left, None))?;
        files.retain(|found| is_input(&found.path) || self.has_archives && is_archive(&found.path));
        let is_empty = files.is_empty();
        // A shell creates the file before the command starts.
        files.retain(|found| self.output.as_ref().is_none_or(|output| !output.is(&found.path)));
        self.found(root, files)?;
        if is_empty {
            return Err(Failure::usage(
                format!("no *.yaml, *.yml or *.json files in `{}`", directory.display()),
                "name a directory with definitions, or name the files",
            ));
        }
        Ok(())
    }

    /// All files below a directory. Adds the directories that cannot be read.
    fn files_below(
        &mut self,
        directory: &Path,
        root: &Root,
        below: &Path,
        (ignored, levels): (Ignored, Option<usize>),
    ) -> Result<Vec<Found>, Failure> {
        let is_context = self.role == Some(FileRole::Context);
        let (excluded, left_out) = (Some(&self.excluded), self.committed.as_deref());
        let walk = Walk { directory, root, below, ignored, levels, excluded, is_context, left_out };
        let walked = walk.files().map_err(|it| not_walked(directory, it))?;
        let Walked { files, unreadable, skipped, .. } = walked;
        for (path, cause) in unreadable {
            // A list of ignored files can be above the directory.
            let is_above = path.is_absolute() && directory.is_relative();
            let path = if is_above { relative(&path, &working_directory()) } else { path };
            self.unreadable(&path, &cause);
        }
        if self.role.is_none() {
            self.skipped.extend(&skipped);
        }
        Ok(files)
    }

    fn glob(&mut self, pattern: &Path, root: &Root) -> Result<(), Failure> {
        let relative: PathBuf = strip_directory(pattern, ".").components().collect();
        let text = relative.to_string_lossy();
        let glob = globs::matcher(&text)?;
        let (base, levels) = extent(&relative);
        let base_place =
            if self.is_of_input { working_directory().join(&base) } else { canonical(&base) };
        let mut files = match root.resolve(&base_place) {
            Ok(below) if root.kind(&below).is_ok_and(|it| it == Kind::Directory) => {
                self.files_below(&base, root, &below, (Ignored::Read, levels))?
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                self.unreadable(pattern, &error);
                return Ok(());
            }
            _ => Vec::new(),
        };
        let is_left = |path: &Path| is_snapshot(path) && !is_snapshot(pattern);
        files.retain(|found| {
            glob.is_match(strip_directory(&found.path, ".")) && !is_left(&found.path)
        });
        if files.is_empty() {
            return Err(Failure::usage(
                format!("no file matches `{text}`"),
                "`*` matches a part of a name, `**` matches any directories; hidden files are never matched",
            ));
        }
        self.found(root, files)
    }
}

/// The failure for a directory that has not been searched.
pub(super) fn not_walked(directory: &Path, cause: NotWalked) -> Failure {
    match cause {
        NotWalked::Unreadable(error) => Failure::file("read", directory)(error),
        NotWalked::IgnoreFilesTooLarge => Failure::usage(
            format!(
                "`.gitignore` and `{IGNORE_FILE}` files in `{}` exceed {LARGEST_IGNORE_FILES} bytes",
                directory.display()
            ),
            "shorten them, or name the files",
        ),
    }
}

/// All of standard input, within the limit of a file.
pub(super) fn standard_input() -> Result<Vec<u8>, Failure> {
    content::standard_input()
        .map_err(|source| Failure::Stream { action: "read standard input", source })
}

/// The name of a file in messages.
fn shown(path: &Path) -> String {
    strip_directory(path, ".").to_string_lossy().into_owned()
}
