//! Reads the arguments as a workspace: files, directories, globs and standard input.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use ignore::overrides::{Override, OverrideBuilder};
use sandboxc::{
    FileId, FileRole, LARGEST_FILE, STDIN, Scope, Workspace, crds_of_projects, has_project,
};

use super::arguments::{Inputs, KnownKinds, Options, SetValue};
use super::failure::Failure;
use super::output_file::OutputFile;
use super::progress::Progress;
use super::projects::{Choice, PROJECT_FILE, Roots, directory_of, relative};
use super::threads::try_map;
use super::walk::{Found, Ignored, Walk, Walked, extent};

/// The extensions of the files that are read from directories.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The maximum number of braces in a glob; deeply nested ones overflow the stack of the parser.
const MAX_ALTERNATIVES: usize = 32;

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
    Ok(read_all(inputs, &Choice::of(options)?, progress)?.workspace)
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
    let mut reader = read_all(inputs, &choice, progress)?;
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
        let bytes = File::open(path).and_then(bounded).map_err(Failure::file("read", path))?;
        let file = reader.workspace.add_values(path.to_string_lossy(), Vec::new(), bytes);
        reader.share(file, FileRole::Values);
    }
    for SetValue { path, value } in &options.set {
        let name = format!("--set {}", path.join("."));
        let file = reader.workspace.add_values(name, path.clone(), value.as_str());
        reader.share(file, FileRole::Values);
    }
    let Reader { workspace, scopes, .. } = reader;
    let scopes = if scopes.len() < 2 { Vec::new() } else { by_position(&workspace, &scopes) };
    Ok(Files { workspace, scopes, project: project_file })
}

fn read_all<'p>(
    inputs: &Inputs,
    choice: &Choice,
    progress: &'p Progress,
) -> Result<Reader<'p>, Failure> {
    let default =
        if inputs.all().next().is_none() { vec![choice.directory()?] } else { Vec::new() };
    let mut reader = Reader {
        workspace: Workspace::new(),
        seen: BTreeMap::new(),
        directories: BTreeMap::new(),
        walked: Vec::new(),
        role: None,
        scope: None,
        scopes: Vec::new(),
        excluded: excluded(&inputs.exclude)?,
        output: OutputFile::of_process(),
        progress,
    };
    for path in inputs.all().chain(&default) {
        reader.input(path)?;
    }
    Ok(reader)
}

/// The roles of the files of each project.
type Roles = BTreeMap<FileId, FileRole>;

/// The files of each project, by their positions in the workspace.
fn by_position(workspace: &Workspace, scopes: &[Roles]) -> Vec<Scope> {
    let positions: BTreeMap<_, _> = workspace.ids().zip(0..).collect();
    let position = |(file, role): (&FileId, &FileRole)| Some((*positions.get(file)?, *role));
    let scope = |roles: &Roles| Scope { roles: roles.iter().filter_map(position).collect() };
    scopes.iter().map(scope).collect()
}

/// A project of a run.
struct Project {
    /// Its `sandboxc.yaml`; `None` for inputs without one.
    file: Option<PathBuf>,
    /// Whether the command line names the file.
    is_named: bool,
    /// The inputs that belong to it.
    inputs: Vec<FileId>,
}

/// The files that `--exclude` removes from directories and globs.
fn excluded(globs: &[String]) -> Result<Override, Failure> {
    let mut overrides = OverrideBuilder::new(".");
    let malformed = |error: ignore::Error| {
        Failure::usage(
            format!("`--exclude`: {error}"),
            "write a glob as in `.gitignore`: `--exclude vendor`, `--exclude '*.values.yaml'`",
        )
    };
    for glob in globs {
        if glob.matches('{').count() > MAX_ALTERNATIVES {
            return Err(Failure::usage(
                format!("`--exclude`: a glob has more than {MAX_ALTERNATIVES} `{{`"),
                "split the glob, and repeat `--exclude`",
            ));
        }
        // In an override a pattern selects files, and a pattern with `!` excludes them.
        overrides.add(&format!("!{glob}")).map_err(malformed)?;
    }
    overrides.build().map_err(malformed)
}

struct Reader<'p> {
    workspace: Workspace,
    /// The files read so far, by their canonical paths.
    seen: BTreeMap<PathBuf, FileId>,
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
    /// The file that standard output is redirected to.
    output: Option<OutputFile>,
    progress: &'p Progress,
}

impl Reader<'_> {
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
        let bytes = bounded(io::stdin().lock())
            .map_err(|source| Failure::Stream { action: "read standard input", source })?;
        let directory = env::current_dir().unwrap_or_default();
        self.add(identity, &directory, STDIN.to_owned(), bytes, FileRole::Named);
        Ok(())
    }

    fn file(&mut self, path: &Path, role: FileRole) -> io::Result<()> {
        let identity = canonical(path);
        if self.was_read(&identity) {
            return Ok(());
        }
        if self.output.as_ref().is_some_and(|it| it.is(path)) {
            return Err(io::Error::other("standard output is redirected to it"));
        }
        let bytes = File::open(path).and_then(bounded)?;
        let directory = canonical(&directory_of(path));
        self.add(identity, &directory, shown(path), bytes, role);
        Ok(())
    }

    /// Reads files of a directory. If that fails for one, the others are still checked.
    fn found(&mut self, mut files: Vec<Found>) -> Result<(), Failure> {
        files.retain(|it| !self.was_read(&it.identity));
        for batch in files.chunks(BATCH) {
            let contents = try_map(batch, |it| Ok(small(&it.path)))?;
            for (Found { path, identity, directory }, content) in batch.iter().zip(contents) {
                // Several links can lead to one file.
                if self.was_read(identity) {
                    continue;
                }
                let whole = || File::open(path).and_then(bounded);
                match content.and_then(|small| small.map_or_else(whole, Ok)) {
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

    /// Adds a directory that cannot be read, or a file in it.
    fn unreadable(&mut self, path: &Path, error: &io::Error) {
        let identity = canonical(path);
        if !self.was_read(&identity) {
            self.add_unreadable(identity, path, error);
        }
    }

    fn add_unreadable(&mut self, identity: PathBuf, path: &Path, error: &io::Error) {
        let file = self.workspace.add_unreadable(shown(path), error.to_string());
        let role = self.role.unwrap_or(FileRole::Found);
        self.set_role(file, role);
        if self.role.is_none() {
            self.directories.insert(file, canonical(&directory_of(path)));
        }
        self.seen.insert(identity, file);
    }

    /// Whether a file was read before. A fixed role restricts that of an earlier file; but a file
    /// that the user named is never reduced to context.
    fn was_read(&mut self, identity: &Path) -> bool {
        let Some(file) = self.seen.get(identity).copied() else { return false };
        if let Some(role @ (FileRole::KnownKinds | FileRole::Policies)) = self.role {
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
        self.seen.insert(identity, file);
        self.progress.files(self.seen.len());
    }

    /// Reads files that all projects share. Each path has an object of a kind, for which it was named:
    /// without one the path is wrong, and everything would silently be judged without it.
    fn in_role(
        &mut self,
        role: FileRole,
        paths: &[PathBuf],
        (kind, what): (&str, &str),
    ) -> Result<(), Failure> {
        self.role = Some(role);
        self.scope = Some(Roles::new());
        for path in paths {
            let before: BTreeSet<_> = self.scope.iter().flat_map(|it| it.keys().copied()).collect();
            self.input(path)?;
            let read = self.scope.iter().flatten().map(|(file, _)| *file);
            let mut read = read.filter(|it| !before.contains(it)).peekable();
            let may_have = |it| {
                let file = self.workspace.file(it);
                file.unreadable().is_some() || file.text().contains(kind)
            };
            if read.peek().is_some() && !read.any(may_have) {
                return Err(Failure::usage(
                    format!("no {kind} in `{}`", shown(path)),
                    format!("name the file or directory with the {what}"),
                ));
            }
        }
        self.role = None;
        for (file, role) in self.scope.take().unwrap_or_default() {
            self.share(file, role);
        }
        Ok(())
    }

    /// All inputs.
    fn all(&self) -> Vec<FileId> {
        self.directories.keys().copied().collect()
    }

    /// The projects of the inputs. Inputs without one belong to that of the others if those have one
    /// in common.
    fn projects(&self) -> Vec<Project> {
        let mut roots = Roots::default();
        let mut inputs: BTreeMap<Option<PathBuf>, Vec<FileId>> = BTreeMap::new();
        for (file, directory) in &self.directories {
            inputs.entry(roots.of(directory)).or_default().push(*file);
        }
        if inputs.len() == 2
            && let Some(without) = inputs.remove(&None)
        {
            for files in inputs.values_mut() {
                files.extend(&without);
            }
        }
        let projects = inputs.into_iter().map(|(root, inputs)| {
            let file = root.map(|it| it.join(PROJECT_FILE));
            // The user can also name a file with another name.
            let is_read = file.as_ref().is_some_and(|it| self.seen.contains_key(&canonical(it)));
            let is_apart = !is_read && has_project(&self.workspace, inputs.iter().copied());
            Project { file: file.filter(|_| !is_apart), is_named: false, inputs }
        });
        projects.collect()
    }

    /// Reads a project as context: its `sandboxc.yaml`, and all files below that do not belong to a
    /// project of their own; then the custom resource definitions that it names. Returns its file.
    fn project(&mut self, project: &Project) -> Result<Option<FileId>, Failure> {
        for file in &project.inputs {
            let role = self.workspace.file(*file).role();
            self.set_role(*file, role);
        }
        let mut found = None;
        if let Some(file) = &project.file {
            self.role = Some(FileRole::Context);
            let current = env::current_dir().unwrap_or_default();
            let file = if project.is_named { file.clone() } else { relative(file, &current) };
            self.file(&file, FileRole::Context).map_err(Failure::file("read", &file))?;
            found = self.seen.get(&canonical(&file)).copied();
            let root = directory_of(&file);
            let identity = canonical(&root);
            if !self.walked.iter().any(|it| identity.starts_with(it)) {
                self.context(&root)?;
            }
        }
        let files: BTreeSet<_> = self.scope.iter().flat_map(|it| it.keys().copied()).collect();
        let of_project = match found {
            Some(file) if project.is_named => crds_of_projects(&self.workspace, [file]),
            _ => crds_of_projects(&self.workspace, files),
        };
        self.role = Some(FileRole::KnownKinds);
        for (file, path) in of_project {
            let path = Path::new(self.workspace.file(file).name()).with_file_name(path);
            self.input(&path)?;
        }
        self.role = None;
        Ok(found)
    }

    /// Reads the files of a project around the inputs.
    fn context(&mut self, root: &Path) -> Result<(), Failure> {
        let mut files = self.files_below(root, Ignored::Left, None)?;
        files.retain(|it| is_input(&it.path));
        self.found(files)
    }

    fn directory(&mut self, root: &Path) -> Result<(), Failure> {
        if self.role.is_none() {
            self.walked.push(canonical(root));
        }
        let mut files = self.files_below(root, Ignored::Left, None)?;
        files.retain(|it| is_input(&it.path));
        let is_empty = files.is_empty();
        // A shell creates the file before the command starts.
        files.retain(|it| self.output.as_ref().is_none_or(|output| !output.is(&it.path)));
        self.found(files)?;
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
        let walk = Walk { root, ignored, levels, excluded: &self.excluded, is_context };
        let Walked { files, unreadable } = walk.files()?;
        for (path, cause) in unreadable {
            self.unreadable(&path, &cause);
        }
        Ok(files)
    }

    fn glob(&mut self, pattern: &Path) -> Result<(), Failure> {
        let text = pattern.to_string_lossy();
        let text = text.strip_prefix("./").unwrap_or(&text);
        if text.matches('{').count() > MAX_ALTERNATIVES {
            return Err(Failure::usage(
                format!("a glob has more than {MAX_ALTERNATIVES} `{{`"),
                "name several globs",
            ));
        }
        let glob = GlobBuilder::new(text)
            .literal_separator(true)
            .build()
            .map_err(|error| {
                Failure::usage(
                    format!("invalid glob `{text}`: {}", error.kind()),
                    "write a quoted glob: 'teams/*/sandboxes.yaml' or 'definitions/**/*.yaml'",
                )
            })?
            .compile_matcher();
        let (base, levels) = extent(text);
        let mut files = if base.is_dir() {
            self.files_below(&base, Ignored::Read, levels)?
        } else {
            Vec::new()
        };
        files.retain(|it| glob.is_match(it.path.strip_prefix(".").unwrap_or(&it.path)));
        if files.is_empty() {
            return Err(Failure::usage(
                format!("no file matches `{text}`"),
                "`*` matches a part of a name, `**` matches any directories; hidden files are never matched",
            ));
        }
        self.found(files)
    }
}

/// The canonical path. A path that cannot be resolved, such as a pipe, has no second name.
pub(super) fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The name of a file in messages.
fn shown(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned()
}

/// The number of files of a directory that are read before the first of them is added.
const BATCH: usize = 4_096;

/// The size below which a file is read then, in bytes. A larger one is read when it is added: not all of
/// a batch may be within the limit of all files.
const SMALL: usize = 64 << 10;

/// The content of a small file; `None` for a larger one.
fn small(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(SMALL).unwrap_or(u64::MAX);
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|it| it.len() < SMALL))
}

/// Reads a file up to its size limit and one byte more, because its size may be unbounded.
fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(LARGEST_FILE).unwrap_or(u64::MAX);
    source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_input(path: &Path) -> bool {
    path.extension().is_some_and(|it| EXTENSIONS.iter().any(|known| it == *known))
}

pub(super) fn is_glob(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[', '{'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_are_read_before_the_others() {
        let directory = tempfile::tempdir().unwrap();
        for (size, is_small) in [(0, true), (SMALL - 1, true), (SMALL, false), (SMALL + 1, false)] {
            let path = directory.path().join(size.to_string());
            fs::write(&path, "x".repeat(size)).unwrap();
            let content = small(&path).unwrap();
            assert_eq!(content.map(|it| it.len()), is_small.then_some(size));
        }
    }
}
