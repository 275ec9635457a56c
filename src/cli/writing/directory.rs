//! An output directory: updated without ever showing a partial file or changing files of others.
//!
//! A new directory is prepared next to its path and appears by one rename; an existing one is
//! exchanged with a new one. If this is not possible, all new contents are written to temporary
//! files first; then each is renamed over its target, files that are no longer generated are
//! removed, and the manifest is updated.
//!
//! One run at a time writes to a directory. The remains of a killed run are removed by the next
//! one.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;

use super::exchange::Exchange;
use super::guard::{Guard, Lock, Step, step, sync, sync_contents};
use super::names::{find_collision, unusable_name};
use super::place::{Destination, Places};
use super::temporary::{self, Found, TEMPORARY, Temporary, look, sweep};
use crate::cli::failure::Failure;
use crate::cli::manifest::{self, Manifest};
use crate::cli::threads::try_map;
use sandboxc::markup::visible_line;

/// One file to write.
#[derive(Clone, Debug)]
pub(in crate::cli) struct File {
    pub(in crate::cli) name: String,
    pub(in crate::cli) content: Vec<u8>,
}

/// The treatment of a generated file that was edited by hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Edited {
    /// Keeps it and writes nothing.
    Keep,
    /// Replaces or removes it like any other generated file.
    Replace,
}

/// The numbers of written, removed and unchanged files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::cli) struct Changes {
    written: usize,
    removed: usize,
    unchanged: usize,
}

impl Changes {
    /// A summary for the user: `out: 3 files written, 1 removed, 12 unchanged`.
    pub(in crate::cli) fn describe(self, directory: &Path) -> String {
        let Self { written, removed, unchanged } = self;
        let directory = directory.display().to_string();
        let directory = visible_line(&directory);
        let files = if written == 1 { "file" } else { "files" };
        format!(
            "{directory}: {written} {files} written, {removed} removed, {unchanged} unchanged\n"
        )
    }
}

/// An output directory, which may not exist yet.
pub(in crate::cli) struct OutputDirectory {
    place: Destination,
}

/// A directory with its handle.
#[derive(Clone, Copy)]
pub(super) struct Opened<'d> {
    pub(super) handle: &'d Dir,
    /// Its path as the user wrote it.
    pub(super) shown: &'d Path,
}

impl OutputDirectory {
    /// Finds a directory that the command line names. Nothing is created.
    pub(in crate::cli) fn find(places: &Places, path: &Path) -> Result<Self, Failure> {
        Ok(Self { place: places.find_directory(path)? })
    }

    /// Its path as the user wrote it.
    pub(in crate::cli) fn shown(&self) -> &Path {
        &self.place.shown
    }

    /// Updates the directory so that its generated files are exactly these.
    pub(in crate::cli) fn replace(
        &self,
        files: &[File],
        edited: Edited,
    ) -> Result<Changes, Failure> {
        refuse_names(files)?;
        if self.open()?.is_some() {
            return self.update(files, edited);
        }
        let mut all = files.to_vec();
        let manifest = manifest_of(files).to_text().into_bytes();
        all.push(File { name: manifest::FILE_NAME.to_owned(), content: manifest });
        match self.create(&all) {
            // Another run created the directory first.
            Err(_) if self.open().is_ok_and(|it| it.is_some()) => self.update(files, edited),
            outcome => outcome.map(|()| Changes { written: files.len(), ..Changes::default() }),
        }
    }

    /// Opens the directory; `None` if it does not exist.
    fn open(&self) -> Result<Option<Dir>, Failure> {
        let shown = &self.place.shown;
        match self.place.open() {
            Ok(directory) => Ok(Some(directory)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(Failure::usage(
                format!("`{}` is not a directory", shown.display()),
                "name a directory, or omit `-o` to print to standard output",
            )),
            Err(error) => Err(Failure::file("read", shown)(error)),
        }
    }

    /// Opens and locks the directory.
    fn lock(&self) -> Result<(Dir, Lock), Failure> {
        let shown = &self.place.shown;
        loop {
            let missing = || Failure::file("read", shown)(io::ErrorKind::NotFound.into());
            let directory = self.open()?.ok_or_else(missing)?;
            let lock = Lock::take(&directory, shown)?;
            // Another run may have replaced this directory by a new one.
            if self.open()?.is_some_and(|it| is_same(&directory, &it)) {
                return Ok((directory, lock));
            }
        }
    }

    /// Creates the directory with these files in one step.
    pub(in crate::cli) fn create(&self, files: &[File]) -> Result<(), Failure> {
        let (path, place) = (&self.place.shown, &self.place);
        let shown = crate::cli::projects::directory_of(path);
        let parent = place.enter().map_err(Failure::file("create", &shown))?;
        let name = place.name.as_deref().unwrap_or_default();
        let prefix = prefix_for(name);
        sweep(&parent, &prefix);
        let into = |error| Failure::file("write to", &shown)(error);
        let temporary = Temporary::directory(&parent, &prefix).map_err(into)?;
        let guard = Guard::over(&parent, temporary.name()).map_err(into)?;
        let directory = parent.open_dir(temporary.name()).map_err(into)?;
        let opened = Opened { handle: &directory, shown: path };
        // While it is locked, no other run removes it.
        let lock = Lock::take(&directory, path)?;
        create_files(opened, files, None)?;
        sync_contents(&directory, path, files.len())?;
        sync(&directory, path)?;
        let guard = guard.into_commit();
        let placed =
            step(Step::Rename).and_then(|()| parent.rename(temporary.name(), &parent, name));
        placed.map_err(Failure::file("create", path))?;
        drop((guard, lock));
        // The directory has been renamed, so its owner must not remove it.
        let _ = temporary.keep();
        sync(&parent, &shown)
    }

    /// Writes files to an existing empty directory. All are complete before the first one appears.
    pub(in crate::cli) fn fill(&self, files: &[File]) -> Result<(), Failure> {
        let (directory, _lock) = self.lock()?;
        let opened = Opened { handle: &directory, shown: &self.place.shown };
        sweep(&directory, TEMPORARY);
        let exchange = Exchange::of(&self.place, opened);
        let fresh: Vec<_> = files.iter().collect();
        if let Some(exchange) = &exchange {
            exchange.sweep();
            if exchange.run(&fresh, &BTreeSet::new())? {
                return Ok(());
            }
        }
        let ready = temporary_files(opened, &fresh)?;
        let _guard = Guard::commit();
        for (temporary, name) in ready {
            persist(temporary, opened, name)?;
        }
        sync(opened.handle, opened.shown)
    }
}

/// Whether two handles have the same directory.
#[cfg(unix)]
fn is_same(one: &Dir, other: &Dir) -> bool {
    use cap_std::fs::MetadataExt as _;
    let identity = |it: &Dir| it.dir_metadata().map(|it| (it.dev(), it.ino())).ok();
    identity(one) == identity(other)
}

#[cfg(not(unix))]
fn is_same(_one: &Dir, _other: &Dir) -> bool {
    true
}

/// Rejects names that some system does not have, or takes for one another.
fn refuse_names(files: &[File]) -> Result<(), Failure> {
    let names = || files.iter().map(|file| file.name.as_str());
    let unusable = names().find_map(|name| unusable_name(name).map(|why| (name, why)));
    let problem = match (unusable, find_collision(names())) {
        (Some((name, why)), _) => format!("cannot write a file `{name}`: {why}"),
        (_, Some(found)) => {
            format!("`{}` and `{}` are one file on some systems", found.first, found.second)
        }
        _ => return Ok(()),
    };
    Err(Failure::usage(problem, "rename one of the objects; nothing was written"))
}

/// Writes files to a directory that no reader has found yet, with the modes and owners of those that they
/// replace. Several threads would wait for each other: a directory is locked while a file is added to it.
pub(super) fn create_files<'f>(
    Opened { handle, shown }: Opened<'_>,
    files: impl IntoIterator<Item = &'f File, IntoIter: ExactSizeIterator>,
    old: Option<&Dir>,
) -> Result<(), Failure> {
    let files = files.into_iter();
    let count = files.len();
    for file in files {
        let name = OsStr::new(&file.name);
        let write = || {
            let replaced = old.and_then(|folder| folder.symlink_metadata(name).ok());
            let replaced = replaced.filter(cap_std::fs::Metadata::is_file);
            temporary::create_file(handle, name, &file.content, replaced.as_ref(), count)
        };
        write().map_err(Failure::file("write", &shown.join(name)))?;
    }
    Ok(())
}

/// The prefix of the temporary directories for this one.
pub(super) fn prefix_for(name: &OsStr) -> String {
    format!("{TEMPORARY}{}-", name.to_string_lossy())
}

fn manifest_of(files: &[File]) -> Manifest {
    let mut manifest = Manifest::default();
    for file in files {
        manifest.add(&file.name, &file.content);
    }
    manifest
}

/// The steps of an update.
#[derive(Default)]
struct Plan<'f> {
    write: Vec<&'f File>,
    remove: Vec<&'f str>,
    edited: Vec<PathBuf>,
    foreign: Vec<PathBuf>,
}

impl OutputDirectory {
    fn update(&self, files: &[File], edited: Edited) -> Result<Changes, Failure> {
        let (directory, _lock) = self.lock()?;
        let opened = Opened { handle: &directory, shown: &self.place.shown };
        sweep(&directory, TEMPORARY);
        let exchange = Exchange::of(&self.place, opened);
        if let Some(exchange) = &exchange {
            exchange.sweep();
        }
        let old = read_manifest(opened)?;
        let new = manifest_of(files);
        let plan = plan(opened, files, &old, &new)?;
        refuse(&plan, edited)?;
        let changes = Changes {
            written: plan.write.len(),
            removed: plan.remove.len(),
            unchanged: files.len() - plan.write.len(),
        };
        if plan.write.is_empty() && plan.remove.is_empty() && old == new {
            return Ok(changes);
        }
        if let Some(exchange) = exchange {
            let manifest =
                File { name: manifest::FILE_NAME.to_owned(), content: new.to_text().into_bytes() };
            let fresh: Vec<_> = plan.write.iter().copied().chain([&manifest]).collect();
            let gone = plan.remove.iter().map(OsString::from).collect();
            if exchange.run(&fresh, &gone)? {
                return Ok(changes);
            }
        }
        replace_each(opened, &plan, &old, &new)?;
        Ok(changes)
    }
}

/// Replaces and removes files one by one.
fn replace_each(
    opened: Opened<'_>,
    plan: &Plan<'_>,
    old: &Manifest,
    new: &Manifest,
) -> Result<(), Failure> {
    let Opened { handle, shown } = opened;
    let ready = temporary_files(opened, &plan.write)?;
    // From here on a signal is deferred, so that the directory has either the old or the new
    // contents.
    let _guard = Guard::commit();
    write_manifest(opened, &old.with(new))?;
    sync(handle, shown)?;
    for (temporary, name) in ready {
        persist(temporary, opened, name)?;
    }
    for name in &plan.remove {
        let removed = step(Step::Remove).and_then(|()| handle.remove_file(name));
        removed.map_err(Failure::file("remove", &shown.join(name)))?;
    }
    sync(handle, shown)?;
    write_manifest(opened, new)?;
    sync(handle, shown)
}

fn plan<'f>(
    opened: Opened<'_>,
    files: &'f [File],
    old: &'f Manifest,
    new: &Manifest,
) -> Result<Plan<'f>, Failure> {
    let path = |name: &str| opened.shown.join(name);
    let mut plan = Plan::default();
    let states = try_map(files, |file| state(opened, &file.name, Some(&file.content), old))?;
    for (file, state) in files.iter().zip(states) {
        match state {
            State::Absent | State::Generated => plan.write.push(file),
            State::Current => {}
            State::Edited => {
                plan.write.push(file);
                plan.edited.push(path(&file.name));
            }
            State::Foreign => plan.foreign.push(path(&file.name)),
        }
    }
    let gone: Vec<_> = old.names().filter(|name| !new.lists(name)).collect();
    let states = try_map(&gone, |name| state(opened, name, None, old))?;
    for (name, state) in gone.into_iter().zip(states) {
        match state {
            State::Absent | State::Current => {}
            State::Generated => plan.remove.push(name),
            State::Edited => {
                plan.edited.push(path(name));
                plan.remove.push(name);
            }
            State::Foreign => plan.foreign.push(path(name)),
        }
    }
    Ok(plan)
}

/// The state of a file before an update.
enum State {
    Absent,
    /// It has the new content.
    Current,
    /// It has the content that an earlier run has written.
    Generated,
    /// It was changed after it was generated.
    Edited,
    /// It was not generated.
    Foreign,
}

/// The state of a file whose new content is `content`, if it is still generated.
fn state(
    opened: Opened<'_>,
    name: &str,
    content: Option<&Vec<u8>>,
    old: &Manifest,
) -> Result<State, Failure> {
    Ok(match read(opened, name)? {
        Content::Nothing => State::Absent,
        // A file with equal bytes counts as generated, for example if the manifest was lost.
        Content::File(found) if content == Some(&found) => State::Current,
        Content::File(_) if !old.lists(name) => State::Foreign,
        Content::File(found) if old.made(name, &found) => State::Generated,
        Content::File(_) => State::Edited,
        Content::Other => State::Foreign,
    })
}

/// The maximum number of files that a message names.
const MAX_NAMED: usize = 10;

fn refuse(plan: &Plan<'_>, edited: Edited) -> Result<(), Failure> {
    let list = |paths: &[PathBuf]| -> String {
        let paths: BTreeSet<_> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        let (all, few) = (paths.len(), paths.into_iter().take(MAX_NAMED));
        let named = few.collect::<Vec<_>>().join(", ");
        if all > MAX_NAMED { format!("{named} and {} more", all - MAX_NAMED) } else { named }
    };
    if !plan.foreign.is_empty() {
        return Err(Failure::usage(
            format!("{} would be replaced, but was not generated by sandboxc", list(&plan.foreign)),
            "move it, or name another directory; nothing was written",
        ));
    }
    if !plan.edited.is_empty() && edited == Edited::Keep {
        return Err(Failure::usage(
            format!("{} was edited after it was generated", list(&plan.edited)),
            "move the change into the definitions, then pass `--force`; nothing was written",
        ));
    }
    Ok(())
}

/// The content of a name in a directory.
enum Content {
    Nothing,
    File(Vec<u8>),
    Other,
}

fn read(Opened { handle, shown }: Opened<'_>, name: &str) -> Result<Content, Failure> {
    let read = || {
        Ok(match look(handle, name.as_ref(), false)? {
            Found::Nothing => Content::Nothing,
            Found::Other(_) => Content::Other,
            Found::File(mut file, _) => {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                Content::File(bytes)
            }
        })
    };
    read().map_err(Failure::file("read", &shown.join(name)))
}

fn read_manifest(opened: Opened<'_>) -> Result<Manifest, Failure> {
    let path = opened.shown.join(manifest::FILE_NAME);
    let damaged = |what: String| {
        Failure::usage(
            format!("`{}` {what}", path.display()),
            "restore it from version control, or name another directory; nothing was written",
        )
    };
    match read(opened, manifest::FILE_NAME)? {
        Content::Nothing => Ok(Manifest::default()),
        Content::Other => Err(damaged("is not a file".to_owned())),
        Content::File(content) => Manifest::parse(&String::from_utf8_lossy(&content))
            .map_err(|line| damaged(format!("is damaged at line {line}"))),
    }
}

fn write_manifest(opened: Opened<'_>, manifest: &Manifest) -> Result<(), Failure> {
    let name = OsStr::new(manifest::FILE_NAME);
    let temporary = temporary_file(opened, name, manifest.to_text().as_bytes(), 1)?;
    persist(temporary, opened, name)
}

/// Writes the contents of files to temporary ones, whose contents are on the disk. Returns them
/// with the names of the files.
fn temporary_files<'f>(
    opened: Opened<'f>,
    files: &[&'f File],
) -> Result<Vec<(Temporary<'f>, &'f OsStr)>, Failure> {
    let count = files.len();
    let mut ready = Vec::with_capacity(count);
    for file in files {
        let name = OsStr::new(&file.name);
        ready.push((temporary_file(opened, name, &file.content, count)?, name));
    }
    sync_contents(opened.handle, opened.shown, count)?;
    Ok(ready)
}

/// Writes one of `count` temporary files, with the mode and owner of the file that has the name.
fn temporary_file<'d>(
    Opened { handle, shown }: Opened<'d>,
    name: &OsStr,
    content: &[u8],
    count: usize,
) -> Result<Temporary<'d>, Failure> {
    let old = handle.symlink_metadata(name).ok().filter(cap_std::fs::Metadata::is_file);
    let temporary = Temporary::file(handle, content, old.as_ref(), count);
    temporary.map_err(Failure::file("write to", shown))
}

fn persist(temporary: Temporary<'_>, opened: Opened<'_>, name: &OsStr) -> Result<(), Failure> {
    temporary.persist(name).map_err(Failure::file("write", &opened.shown.join(name)))
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
