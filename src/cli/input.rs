//! Reads the arguments as a workspace: files, directories, globs and standard input.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use globset::GlobBuilder;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};
use sandboxc::{
    FileId, FileRole, LARGEST_FILE, LARGEST_IGNORE_FILES, STDIN, Workspace, crds_of_projects,
    project_is_missing,
};

use super::arguments::{Inputs, KnownKinds, Options, SetValue};
use super::failure::Failure;
use super::manifest;
use super::progress::Progress;
use super::threads::try_map;

/// The file that marks the root directory of definitions.
pub(crate) const PROJECT_FILE: &str = "sandboxc.yaml";

/// The extensions of the files that are read from directories.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The maximum number of braces in a glob; deeply nested ones overflow the stack of the parser.
const MAX_ALTERNATIVES: usize = 32;

/// The file that lists ignored files and directories, in addition to `.gitignore`.
const IGNORE_FILE: &str = ".sandboxcignore";

/// Reads all inputs, each file once, in the given order, and sorted by name within a directory or
/// glob.
pub(crate) fn read(inputs: &Inputs, progress: &Progress) -> Result<Workspace, Failure> {
    Ok(read_all(inputs, progress)?.workspace)
}

/// Like `read`, and also reads the project of the inputs, and the custom resource definitions and
/// policies named by the arguments and the Project, which are not part of the output.
pub(crate) fn read_with_context(
    inputs: &Inputs,
    KnownKinds { crds, policies }: &KnownKinds,
    options: &Options,
    progress: &Progress,
) -> Result<Workspace, Failure> {
    let mut reader = read_all(inputs, progress)?;
    reader.project()?;
    let of_projects = crds_of_projects(&reader.workspace);
    let of_projects = of_projects.into_iter().map(|(file, path)| {
        let project = Path::new(reader.workspace.file(file).name());
        project.parent().unwrap_or(Path::new("")).join(path)
    });
    let crds: Vec<_> = crds.iter().cloned().chain(of_projects).collect();
    reader.role = Some(FileRole::KnownKinds);
    for path in crds {
        reader.input(&path)?;
    }
    reader.role = Some(FileRole::Policies);
    for path in policies {
        reader.input(path)?;
    }
    for path in &options.values {
        let bytes = File::open(path).and_then(bounded).map_err(Failure::file("read", path))?;
        reader.workspace.add_values(path.to_string_lossy(), Vec::new(), bytes);
    }
    for SetValue { path, value } in &options.set {
        let name = format!("--set {}", path.join("."));
        reader.workspace.add_values(name, path.clone(), value.as_str());
    }
    Ok(reader.workspace)
}

/// Whether the input is one regular file, and not what a pipe or a folder has.
pub(crate) fn is_one_file(inputs: &Inputs) -> bool {
    matches!(&inputs.inputs[..], [path] if path != Path::new("-") && path.is_file())
}

fn read_all<'p>(inputs: &Inputs, progress: &'p Progress) -> Result<Reader<'p>, Failure> {
    let current_directory = [PathBuf::from(".")];
    let paths = if !inputs.inputs.is_empty() {
        &inputs.inputs[..]
    } else if Path::new(PROJECT_FILE).is_file() {
        &current_directory
    } else {
        return Err(Failure::usage(
            format!("no input, and no `{PROJECT_FILE}` in the current directory"),
            "name files or directories, or write `-` for standard input: `sandboxc build definitions`",
        ));
    };
    let mut reader = Reader {
        workspace: Workspace::new(),
        seen: BTreeMap::new(),
        role: None,
        excluded: excluded(&inputs.exclude)?,
        progress,
    };
    for path in paths {
        reader.input(path)?;
    }
    Ok(reader)
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
    /// The role of all further files; if `None`, it depends on whether a file is named or found in
    /// a folder.
    role: Option<FileRole>,
    excluded: Override,
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
        self.add(identity, STDIN.to_owned(), bytes, FileRole::Named);
        Ok(())
    }

    fn file(&mut self, path: &Path, role: FileRole) -> io::Result<()> {
        let identity = identity(path);
        if self.was_read(&identity) {
            return Ok(());
        }
        let bytes = File::open(path).and_then(bounded)?;
        self.add(identity, shown(path), bytes, role);
        Ok(())
    }

    /// Reads files of a directory. If that fails for one, the others are still checked.
    fn found(&mut self, mut files: Vec<Found>) -> Result<(), Failure> {
        files.retain(|it| !self.was_read(&it.identity));
        for batch in files.chunks(BATCH) {
            let contents = try_map(batch, |it| Ok(small(&it.path)))?;
            for (Found { path, identity }, content) in batch.iter().zip(contents) {
                // Several links can lead to one file.
                if self.was_read(identity) {
                    continue;
                }
                let whole = || File::open(path).and_then(bounded);
                match content.and_then(|small| small.map_or_else(whole, Ok)) {
                    Ok(bytes) => self.add(identity.clone(), shown(path), bytes, FileRole::Found),
                    Err(error) => self.add_unreadable(identity.clone(), path, &error),
                }
            }
        }
        Ok(())
    }

    /// Adds a directory that cannot be read, or a file in it.
    fn unreadable(&mut self, path: &Path, error: &io::Error) {
        let identity = identity(path);
        if !self.was_read(&identity) {
            self.add_unreadable(identity, path, error);
        }
    }

    fn add_unreadable(&mut self, identity: PathBuf, path: &Path, error: &io::Error) {
        let file = self.workspace.add_unreadable(shown(path), error.to_string());
        self.workspace.set_role(file, self.role.unwrap_or(FileRole::Found));
        self.seen.insert(identity, file);
    }

    /// Whether a file was read before. A fixed role restricts that of an earlier file; but a file
    /// that the user named is never reduced to context.
    fn was_read(&mut self, identity: &Path) -> bool {
        let Some(file) = self.seen.get(identity) else { return false };
        if let Some(role @ (FileRole::KnownKinds | FileRole::Policies)) = self.role {
            self.workspace.set_role(*file, role);
        }
        true
    }

    fn add(&mut self, identity: PathBuf, name: String, bytes: Vec<u8>, role: FileRole) {
        let file = self.workspace.add(name, bytes);
        self.workspace.set_role(file, self.role.unwrap_or(role));
        self.seen.insert(identity, file);
        self.progress.files(self.seen.len());
    }

    /// Reads the project of the definitions if no input contains it: the folder of the nearest
    /// `sandboxc.yaml` above the first definition, as context.
    fn project(&mut self) -> Result<(), Failure> {
        let Some(file) = project_is_missing(&self.workspace) else { return Ok(()) };
        let name = self.workspace.file(file).name();
        let Ok(path) = fs::canonicalize(name) else { return Ok(()) };
        let current = env::current_dir().unwrap_or_default();
        let Some(root) = path.ancestors().skip(1).find(|it| it.join(PROJECT_FILE).is_file()) else {
            return Ok(());
        };
        self.role = Some(FileRole::Context);
        let shown = relative(root, &current);
        let outcome = self.directory(&shown);
        self.role = None;
        outcome
    }

    fn directory(&mut self, root: &Path) -> Result<(), Failure> {
        let mut files = self.files_below(root, Ignored::Left, None)?;
        files.retain(|it| is_input(&it.path));
        let is_empty = files.is_empty();
        self.found(files)?;
        if is_empty && self.role.is_some() {
            return Err(Failure::usage(
                format!("no *.yaml, *.yml or *.json files in `{}`", root.display()),
                "name a directory with definitions, or name the files",
            ));
        }
        if is_empty {
            // An empty file, so that an empty directory is the same as empty standard input.
            self.add(
                identity(root),
                root.to_string_lossy().into_owned(),
                Vec::new(),
                FileRole::Named,
            );
        }
        Ok(())
    }

    /// All files below a directory, down to a number of levels, sorted; hidden and excluded ones are
    /// skipped, and so are output directories of `build -o`. Adds the directories that cannot be read.
    fn files_below(
        &mut self,
        root: &Path,
        ignored: Ignored,
        levels: Option<usize>,
    ) -> Result<Vec<Found>, Failure> {
        let is_left = ignored == Ignored::Left;
        let mut walk = WalkBuilder::new(root);
        walk.max_depth(levels);
        // No configuration outside the folder and its repository applies: the result must not
        // depend on the user.
        walk.standard_filters(false).hidden(true).git_ignore(is_left).parents(is_left);
        if is_left {
            walk.add_custom_ignore_filename(IGNORE_FILE);
        }
        walk.overrides(self.excluded.clone());
        let lists = Arc::new(Lists::default());
        if is_left {
            lists.count(root);
        }
        let counted = Arc::clone(&lists);
        walk.filter_entry(move |entry| {
            let is_read = entry.depth() == 0 || !is_generated(entry);
            if is_read && is_left && entry.file_type().is_some_and(|it| it.is_dir()) {
                counted.count(entry.path());
            }
            is_read && !counted.is_over()
        });
        walk.sort_by_file_name(Ord::cmp);
        let canonical_root = identity(root);
        let mut files = Vec::new();
        if lists.is_over() {
            return Err(Lists::failure(root));
        }
        for entry in walk.build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = path_of(&error).unwrap_or(root).to_owned();
                    let cause = error.into_io_error().unwrap_or(io::ErrorKind::Other.into());
                    if path == root {
                        return Err(Failure::file("read", root)(cause));
                    }
                    self.unreadable(&path, &cause);
                    continue;
                }
            };
            // A link to a file is followed, because mounted volumes have them; a link to a
            // directory is not, because it could form a cycle. A link to nothing cannot be read.
            let is_file = match entry.file_type() {
                Some(kind) if !kind.is_symlink() => kind.is_file(),
                _ => fs::metadata(entry.path()).map_or(true, |it| it.is_file()),
            };
            if is_file {
                // Directories are not links below the root, so only a link has a second name.
                let identity = match entry.path().strip_prefix(root) {
                    Ok(below) if !entry.path_is_symlink() => canonical_root.join(below),
                    _ => identity(entry.path()),
                };
                files.push(Found { path: entry.into_path(), identity });
            }
        }
        if lists.is_over() { Err(Lists::failure(root)) } else { Ok(files) }
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

/// A file that was found in a directory.
struct Found {
    path: PathBuf,
    /// The canonical path.
    identity: PathBuf,
}

/// The directory below which a glob can match, and the maximum number of levels of a match; `None`
/// if it has any number. Directories below these levels are not read, so they need not be readable.
fn extent(glob: &str) -> (PathBuf, Option<usize>) {
    let is_literal = |part: &Component<'_>| !is_glob(Path::new(part.as_os_str()));
    let mut parts = Path::new(glob).components().peekable();
    let base: PathBuf = std::iter::from_fn(|| parts.next_if(is_literal)).collect();
    let base = if base.as_os_str().is_empty() { PathBuf::from(".") } else { base };
    let levels = (!glob.contains("**")).then(|| parts.count());
    (base, levels)
}

/// The treatment of files listed in `.gitignore` and `.sandboxcignore`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ignored {
    /// They are skipped.
    Left,
    /// They are read, because a glob selects them explicitly.
    Read,
}

/// The size of the files below a directory that list ignored files. Each pattern takes the memory
/// of a regular expression.
#[derive(Default)]
struct Lists {
    bytes: AtomicU64,
}

impl Lists {
    /// Adds those of a directory, before they are read.
    fn count(&self, directory: &Path) {
        for name in [".gitignore", IGNORE_FILE] {
            let size = fs::metadata(directory.join(name)).map_or(0, |it| it.len());
            self.bytes.fetch_add(size, Relaxed);
        }
    }

    fn is_over(&self) -> bool {
        usize::try_from(self.bytes.load(Relaxed)).is_ok_and(|it| it > LARGEST_IGNORE_FILES)
    }

    fn failure(root: &Path) -> Failure {
        Failure::usage(
            format!(
                "`.gitignore` and `{IGNORE_FILE}` files in `{}` exceed {LARGEST_IGNORE_FILES} bytes",
                root.display()
            ),
            "shorten them, or name the files",
        )
    }
}

/// `path` as the user would write it in the directory `current`: relative if it is an ancestor or
/// below, else absolute.
fn relative(path: &Path, current: &Path) -> PathBuf {
    let mut up = PathBuf::new();
    for ancestor in current.ancestors() {
        if let Ok(rest) = path.strip_prefix(ancestor) {
            let relative = up.join(rest);
            return if relative.as_os_str().is_empty() { PathBuf::from(".") } else { relative };
        }
        up.push("..");
    }
    path.to_owned()
}

/// The path of a file or directory that cannot be read.
fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } => path_of(err),
        _ => None,
    }
}

/// The canonical path. A path that cannot be resolved, such as a pipe, has no second name.
fn identity(path: &Path) -> PathBuf {
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

fn is_glob(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[', '{'])
}

fn is_generated(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|it| it.is_dir())
        && entry.path().join(manifest::FILE_NAME).is_file()
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

    #[test]
    fn a_glob_is_searched_as_deep_as_it_can_match() {
        let cases = [
            ("*.yaml", ".", Some(1)),
            ("teams/web/*.yaml", "teams/web", Some(1)),
            ("teams/*/a.yaml", "teams", Some(2)),
            ("teams/{a,b/c}/d.yaml", "teams", Some(3)),
            ("teams/**/a.yaml", "teams", None),
            ("/srv/*.yaml", "/srv", Some(1)),
        ];
        for (glob, base, levels) in cases {
            assert_eq!(extent(glob), (PathBuf::from(base), levels), "{glob}");
        }
    }
}
