//! Reads the arguments as a workspace: files, directories, globs and standard input.

mod content;
mod context;
mod globs;

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ignore::overrides::Override;
use sandboxc::{FileId, FileRole, MANIFEST_EXTENSIONS, STDIN, Scope, Workspace};

use self::content::{BATCH, small};
use self::context::{Project, Roles, by_position};
pub(super) use self::globs::excluded;
use super::archive::{self, Manifest, is_archive};
use super::arguments::{Given, Inputs, KnownKinds, Options, SetValue};
use super::failure::{Failure, missing_target};
use super::files::Root;
use super::output_file::OutputFile;
use super::progress::Progress;
use super::projects::{Choice, directory_of};
use super::threads::try_map;
use super::walk::{Found, Ignored, Walk, Walked, extent};

/// The files of a run.
pub(crate) struct Files {
    pub(crate) workspace: Workspace,
    /// The projects, if there are several.
    pub(crate) scopes: Vec<Scope>,
    /// The file whose Project applies to all, if the command line selects it.
    pub(crate) project: Option<FileId>,
}

/// Reads all inputs, each file once, in the given order, and sorted by name within a directory or
/// glob.
pub(crate) fn read(
    inputs: &Inputs,
    options: &Options,
    progress: &Progress,
) -> Result<Workspace, Failure> {
    Ok(read_all(inputs, &Choice::of(options)?, options, progress)?.workspace)
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
    let choice = Choice::of(options)?;
    let mut reader = read_all(inputs, &choice, options, progress)?;
    let projects = match &choice {
        Choice::None => Vec::new(),
        Choice::File(file) => {
            vec![Project { file: Some(file.clone()), is_named: true, inputs: reader.all() }]
        }
        Choice::Nearest => reader.projects(),
    };
    let mut project_file = None;
    for project in &projects {
        reader.scope = Some(Roles::new());
        let file = reader.project(project)?;
        if project.is_named {
            project_file = file;
        }
        let scope = reader.scope.take().unwrap_or_default();
        reader.scopes.push(scope);
    }
    reader.in_role(FileRole::KnownKinds, crds, ("CustomResourceDefinition", "definitions"))?;
    reader.in_role(FileRole::Policies, policies, ("AdmissionPolicy", "policies"))?;
    for path in &options.values {
        let bytes = content::whole(path).map_err(Failure::file("read", path))?;
        let file = reader.workspace.add_values(path.to_string_lossy(), Vec::new(), bytes);
        reader.share(file, FileRole::Values);
    }
    for SetValue { path, value } in &options.set {
        let name = format!("--set {}", path.join("."));
        let file = reader.workspace.add_values(name, path.clone(), value.as_str());
        reader.share(file, FileRole::Values);
    }
    for Given { name, content, .. } in inputs.given.iter().filter(|it| it.is_values) {
        let file = reader.workspace.add_values(name.as_str(), Vec::new(), content.as_slice());
        reader.share(file, FileRole::Values);
    }
    let Reader { workspace, scopes, .. } = reader;
    let scopes = if scopes.len() < 2 { Vec::new() } else { by_position(&workspace, &scopes) };
    Ok(Files { workspace, scopes, project: project_file })
}

fn read_all<'p>(
    inputs: &Inputs,
    choice: &Choice,
    options: &Options,
    progress: &'p Progress,
) -> Result<Reader<'p>, Failure> {
    let is_empty = inputs.all().next().is_none() && inputs.given.is_empty();
    let default = if is_empty { vec![choice.directory()?] } else { Vec::new() };
    let mut reader = Reader::of(inputs, options, progress)?;
    inputs.given.iter().filter(|it| !it.is_values).for_each(|it| reader.given(it));
    for path in inputs.all().chain(&default) {
        reader.input(path)?;
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
    /// The project that all further files belong to.
    scope: Option<Roles>,
    /// The projects so far.
    scopes: Vec<Roles>,
    excluded: Override,
    /// The canonical path of the output of an earlier build.
    committed: Option<PathBuf>,
    /// The file that standard output is redirected to.
    output: Option<OutputFile>,
    /// Whether the files in archives are read.
    has_archives: bool,
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
            scope: None,
            scopes: Vec::new(),
            excluded: globs::excluded(&inputs.exclude)?,
            committed: options.committed.as_deref().map(canonical),
            output: OutputFile::of_process(),
            has_archives: false,
            progress,
        })
    }

    fn input(&mut self, input: &Path) -> Result<(), Failure> {
        if input == Path::new("-") {
            return self.stdin();
        }
        match fs::metadata(input) {
            Ok(metadata) if metadata.is_dir() => self.directory(input),
            Ok(_) => self.file(input, FileRole::Named).map_err(Failure::file("read", input)),
            Err(_) if is_glob(input) => self.glob(input),
            Err(error) => Err(Failure::file("read", input)(error)),
        }
    }

    fn stdin(&mut self) -> Result<(), Failure> {
        let identity = PathBuf::from("-");
        if self.was_read(&identity) {
            return Ok(());
        }
        let bytes = standard_input()?;
        let directory = env::current_dir().unwrap_or_default();
        self.add(identity, &directory, STDIN.to_owned(), bytes, FileRole::Named);
        Ok(())
    }

    fn given(&mut self, Given { name, content, directory, .. }: &Given) {
        let file = self.workspace.add_text(name.clone(), content.clone());
        self.set_role(file, FileRole::Named);
        let directory = directory.as_deref().map(canonical);
        let directory = directory.unwrap_or_else(|| env::current_dir().unwrap_or_default());
        self.directories.insert(file, directory);
    }

    fn file(&mut self, path: &Path, role: FileRole) -> io::Result<()> {
        let identity = canonical(path);
        if self.was_read(&identity) {
            return Ok(());
        }
        if self.output.as_ref().is_some_and(|it| it.is(path)) {
            return Err(io::Error::other("standard output is redirected to it"));
        }
        let directory = canonical(&directory_of(path));
        if self.has_archives && is_archive(path) {
            return self.archive(&identity, path, &directory);
        }
        let bytes = content::whole(path)?;
        self.add(identity, &directory, shown(path), bytes, role);
        Ok(())
    }

    /// Reads files of a directory. If that fails for one, the others are still checked.
    fn found(&mut self, root: &Root, mut files: Vec<Found>) -> Result<(), Failure> {
        files.retain(|it| !self.was_read(&it.identity));
        let is_archive = |it: &mut Found| self.has_archives && is_archive(&it.path);
        let archives: Vec<_> = files.extract_if(.., is_archive).collect();
        for Found { path, identity, directory, .. } in archives {
            if let Err(error) = self.archive(&identity, &path, &directory) {
                self.add_unreadable(identity, &path, &error);
            }
        }
        for batch in files.chunks(BATCH) {
            let contents = try_map(batch, |it| Ok(it.open(root).and_then(small)))?;
            for (found, small) in batch.iter().zip(contents) {
                let Found { path, identity, directory, .. } = found;
                // Several links can lead to one file.
                if self.was_read(identity) {
                    continue;
                }
                let whole = || found.open(root).and_then(content::all_of);
                match small.and_then(|small| small.map_or_else(whole, Ok)) {
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
    fn archive(&mut self, identity: &Path, path: &Path, directory: &Path) -> io::Result<()> {
        for Manifest { path: inner, content } in archive::manifests(path)? {
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
        let role = self.role.unwrap_or(FileRole::Found);
        self.set_role(file, role);
        if self.role.is_none() {
            self.directories.insert(file, canonical(&directory_of(path)));
        }
        self.seen.insert(identity.into_os_string(), file);
    }

    /// Whether a file was read before. A fixed role restricts that of an earlier file; but a file
    /// that the user named is never reduced to context.
    fn was_read(&mut self, identity: &Path) -> bool {
        let Some(file) = self.seen.get(identity.as_os_str()).copied() else { return false };
        if let Some(role @ (FileRole::KnownKinds | FileRole::Policies | FileRole::External)) =
            self.role
        {
            self.set_role(file, role);
        }
        true
    }

    /// Sets the role of a file, in the current project if there is one.
    fn set_role(&mut self, file: FileId, role: FileRole) {
        self.workspace.set_role(file, role);
        if let Some(scope) = &mut self.scope {
            scope.insert(file, role);
        }
    }

    /// Makes a file part of all projects.
    fn share(&mut self, file: FileId, role: FileRole) {
        for scope in &mut self.scopes {
            scope.insert(file, role);
        }
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
        self.set_role(file, self.role.unwrap_or(role));
        if self.role.is_none() {
            self.directories.insert(file, directory.to_owned());
        }
        self.seen.insert(identity.into_os_string(), file);
        self.progress.files(self.seen.len());
    }

    fn directory(&mut self, root: &Path) -> Result<(), Failure> {
        if self.role.is_none() {
            self.walked.push(canonical(root));
        }
        let mut files = self.files_below(root, Ignored::Left, None)?;
        files.retain(|it| is_input(&it.path) || self.has_archives && is_archive(&it.path));
        let is_empty = files.is_empty();
        // A shell creates the file before the command starts.
        files.retain(|it| self.output.as_ref().is_none_or(|output| !output.is(&it.path)));
        let limit = Root::around(root).map_err(Failure::file("read", root))?;
        self.found(&limit, files)?;
        if is_empty {
            return Err(Failure::usage(
                format!("no *.yaml, *.yml or *.json files in `{}`", root.display()),
                "name a directory with definitions, or name the files",
            ));
        }
        Ok(())
    }

    /// All files below a directory. Adds the directories that cannot be read.
    fn files_below(
        &mut self,
        root: &Path,
        ignored: Ignored,
        levels: Option<usize>,
    ) -> Result<Vec<Found>, Failure> {
        let is_context = self.role == Some(FileRole::Context);
        let (excluded, left_out) = (&self.excluded, self.committed.as_deref());
        let walk = Walk { root, ignored, levels, excluded, is_context, left_out };
        let Walked { files, unreadable, .. } = walk.files()?;
        for (path, cause) in unreadable {
            self.unreadable(&path, &cause);
        }
        Ok(files)
    }

    fn glob(&mut self, pattern: &Path) -> Result<(), Failure> {
        let text = pattern.to_string_lossy();
        let text = text.strip_prefix("./").unwrap_or(&text);
        let glob = globs::matcher(text)?;
        let (base, levels) = extent(text);
        let mut files = if base.is_dir() {
            self.files_below(&base, Ignored::Read, levels)?
        } else {
            Vec::new()
        };
        let is_left = |path: &Path| is_snapshot(path) && !is_snapshot(pattern);
        files.retain(|it| {
            glob.is_match(it.path.strip_prefix(".").unwrap_or(&it.path)) && !is_left(&it.path)
        });
        if files.is_empty() {
            return Err(Failure::usage(
                format!("no file matches `{text}`"),
                "`*` matches a part of a name, `**` matches any directories; hidden files are never matched",
            ));
        }
        let limit = Root::around(&base).map_err(Failure::file("read", &base))?;
        self.found(&limit, files)
    }
}

/// All of standard input, within the limit of a file.
pub(super) fn standard_input() -> Result<Vec<u8>, Failure> {
    content::standard_input()
        .map_err(|source| Failure::Stream { action: "read standard input", source })
}

/// The canonical path. A path that cannot be resolved, such as a pipe, has no second name.
pub(super) fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The name of a file in messages.
fn shown(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned()
}

/// Whether a file is read from a directory.
pub(super) fn is_input(path: &Path) -> bool {
    !is_snapshot(path)
        && path.extension().is_some_and(|it| MANIFEST_EXTENSIONS.iter().any(|known| it == *known))
}

/// Whether a file is the output of a test, which would repeat the objects of its input.
fn is_snapshot(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".snap.yaml")
}

pub(super) fn is_glob(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[', '{'])
}
