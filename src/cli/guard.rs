//! Protection of an output directory against other runs, signals, and a crash of the machine.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;

use super::failure::Failure;

/// A lock of the directory for this run, until it is dropped.
pub(crate) struct Lock {
    _handle: Option<File>,
}

impl Lock {
    /// Locks a directory, or fails if another run has it.
    #[cfg(unix)]
    pub(crate) fn take(directory: &Path) -> Result<Self, Failure> {
        use std::fs::{self, TryLockError};
        use std::os::unix::fs::MetadataExt as _;
        let read = || Failure::file("read", directory);
        loop {
            let handle = File::open(directory).map_err(read())?;
            match handle.try_lock() {
                Ok(()) => {
                    // Another run may have replaced this directory by a new one.
                    let locked = handle.metadata().map_err(read())?;
                    let found = fs::metadata(directory).map_err(read())?;
                    if (locked.dev(), locked.ino()) == (found.dev(), found.ino()) {
                        return Ok(Self { _handle: Some(handle) });
                    }
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(Failure::usage(
                        format!("another run is writing into `{}`", directory.display()),
                        "wait for it to finish; nothing was written",
                    ));
                }
                // Some file systems have no locks.
                Err(TryLockError::Error(_)) => return Ok(Self { _handle: None }),
            }
        }
    }

    /// Only Unix can lock a directory.
    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
    pub(crate) fn take(_directory: &Path) -> Result<Self, Failure> {
        Ok(Self { _handle: None })
    }
}

/// Writes the entries of a directory to the disk.
pub(crate) fn sync(directory: &Path) -> Result<(), Failure> {
    let sync = || {
        step(Step::Sync)?;
        if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
    };
    sync().map_err(Failure::file("write into", directory))
}

/// More files than this are written to the disk together.
const MANY: usize = 100;

/// Writes the content of one of `count` new files to the disk, or leaves that to
/// [`sync_contents`].
pub(crate) fn sync_content(file: &File, count: usize) -> io::Result<()> {
    if cfg!(target_os = "linux") && count > MANY {
        return Ok(());
    }
    step(Step::Sync)?;
    file.sync_all()
}

/// Writes the contents of `count` new files in a directory to the disk, unless [`sync_content`] has
/// written them. A call for each of thousands of files takes longer than everything else.
pub(crate) fn sync_contents(directory: &Path, count: usize) -> Result<(), Failure> {
    if count <= MANY {
        return Ok(());
    }
    let sync = || {
        #[cfg(target_os = "linux")]
        {
            step(Step::Sync)?;
            rustix::fs::syncfs(File::open(directory)?)?;
        }
        Ok(())
    };
    sync().map_err(Failure::file("write into", directory))
}

/// Writes the contents of `count` new files in several directories to the disk, as
/// [`sync_contents`] does, once for each file system.
pub(crate) fn sync_file_systems<'d>(
    directories: impl Iterator<Item = &'d Path>,
    count: usize,
) -> Result<(), Failure> {
    let mut synced = BTreeSet::new();
    for directory in directories {
        let device = device(directory).map_err(Failure::file("read", directory))?;
        if synced.insert(device) {
            sync_contents(directory, count)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn device(directory: &Path) -> io::Result<u64> {
    use std::os::unix::fs::MetadataExt as _;
    Ok(std::fs::metadata(directory)?.dev())
}

/// Elsewhere each file is written on its own.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
fn device(_directory: &Path) -> io::Result<u64> {
    Ok(0)
}

pub(crate) use signals::Guard;

#[cfg(unix)]
mod signals {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, MutexGuard, Once, PoisonError};
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// The temporary directory that a signal removes.
    static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);
    static HANDLER: Once = Once::new();

    /// While it exists, a signal leaves no partial output.
    pub(crate) struct Guard {
        waits: Option<MutexGuard<'static, Option<PathBuf>>>,
    }

    impl Guard {
        /// Makes a signal remove this directory and end the run.
        pub(crate) fn over(temporary: &Path) -> Self {
            listen();
            *temporary_directory() = Some(temporary.to_owned());
            Self { waits: None }
        }

        /// Defers signals from here on. If one came first, its handler removes the directory and
        /// ends the run, and this never returns: the two cannot overlap.
        pub(crate) fn into_commit(mut self) -> Self {
            let mut temporary = temporary_directory();
            *temporary = None;
            self.waits = Some(temporary);
            self
        }

        /// Defers signals until the guard is dropped.
        pub(crate) fn commit() -> Self {
            listen();
            Self { waits: Some(temporary_directory()) }
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            if self.waits.is_none() {
                *temporary_directory() = None;
            }
        }
    }

    fn temporary_directory() -> MutexGuard<'static, Option<PathBuf>> {
        TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles the signals that end a run, in a separate thread.
    fn listen() {
        HANDLER.call_once(|| {
            // Without a handler, a signal ends the run at once.
            let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
            thread::spawn(move || {
                if let Some(signal) = signals.forever().next() {
                    let temporary = temporary_directory();
                    if let Some(path) = temporary.as_deref() {
                        // The next run removes the rest.
                        let _ = fs::remove_dir_all(path);
                    }
                    let _ = emulate_default_handler(signal);
                }
            });
        });
    }
}

#[cfg(not(unix))]
mod signals {
    use std::path::Path;

    /// Other systems end a run at once; the next run removes its remains.
    pub(crate) struct Guard;

    impl Guard {
        pub(crate) fn over(_temporary: &Path) -> Self {
            Self
        }

        pub(crate) fn into_commit(self) -> Self {
            self
        }

        pub(crate) fn commit() -> Self {
            Self
        }
    }
}

/// The steps of replacing files, each of which can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Write,
    Sync,
    Rename,
    Remove,
}

/// Called before each step; tests make one fail.
#[cfg(not(test))]
#[allow(clippy::unnecessary_wraps, reason = "it fails in the tests")]
pub(crate) fn step(_step: Step) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(crate) use injected::{fail_at, kill_at, step};

#[cfg(test)]
mod injected {
    use std::cell::Cell;
    use std::io;
    use std::process;

    use super::Step;

    thread_local! {
        /// The number of steps before one fails.
        static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
        /// Whether the process ends there, instead of a failure.
        static IS_KILLED: Cell<bool> = const { Cell::new(false) };
    }

    /// Ends the process at the step with this number, without any clean-up.
    pub(crate) fn kill_at(step: usize) {
        LEFT.set(Some(step));
        IS_KILLED.set(true);
    }

    /// Makes the step with this number and all later ones fail, as if the run ended there.
    pub(crate) fn fail_at(step: Option<usize>) {
        LEFT.set(step);
    }

    pub(crate) fn step(step: Step) -> io::Result<()> {
        match LEFT.get() {
            Some(0) if IS_KILLED.get() => process::abort(),
            Some(0) => Err(io::Error::other(format!("injected: {step:?}"))),
            Some(left) => {
                LEFT.set(Some(left - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }
}
