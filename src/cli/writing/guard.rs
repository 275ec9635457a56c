//! Protection of an output directory against other runs, signals, and a crash of the machine.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;

use cap_std::fs::Dir;

use crate::cli::failure::Failure;

/// A lock of the directory for this run, until it is dropped.
pub(super) struct Lock {
    _handle: Option<File>,
}

impl Lock {
    /// Locks a directory, or fails if another run has it. `shown` is its name in messages.
    #[cfg(unix)]
    pub(super) fn take(directory: &Dir, shown: &Path) -> Result<Self, Failure> {
        use std::fs::TryLockError;
        let handle = readable(directory).map_err(Failure::file("read", shown))?;
        match handle.try_lock() {
            Ok(()) => Ok(Self { _handle: Some(handle) }),
            Err(TryLockError::WouldBlock) => Err(Failure::usage(
                format!("another run is writing into `{}`", shown.display()),
                "wait for it to finish; nothing was written",
            )),
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => Ok(Self { _handle: None }),
        }
    }

    /// Only Unix can lock a directory.
    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
    pub(super) fn take(_directory: &Dir, _shown: &Path) -> Result<Self, Failure> {
        Ok(Self { _handle: None })
    }
}

/// A handle that can be locked and written to the disk: that of the directory can only be resolved from.
#[cfg(unix)]
fn readable(directory: &Dir) -> io::Result<File> {
    Ok(directory.open(".")?.into_std())
}

/// Writes the entries of a directory to the disk.
pub(super) fn sync(directory: &Dir, shown: &Path) -> Result<(), Failure> {
    let sync = || {
        step(Step::Sync)?;
        #[cfg(unix)]
        readable(directory)?.sync_all()?;
        #[cfg(not(unix))]
        let _ = directory;
        Ok(())
    };
    sync().map_err(Failure::file("write into", shown))
}

/// More files than this are written to the disk together.
const MANY: usize = 100;

/// Writes the content of one of `count` new files to the disk, or leaves that to
/// [`sync_contents`].
pub(super) fn sync_content(file: &File, count: usize) -> io::Result<()> {
    if cfg!(target_os = "linux") && count > MANY {
        return Ok(());
    }
    step(Step::Sync)?;
    file.sync_all()
}

/// Writes the contents of `count` new files in a directory to the disk, unless [`sync_content`] has
/// written them. A call for each of thousands of files takes longer than everything else.
pub(super) fn sync_contents(directory: &Dir, shown: &Path, count: usize) -> Result<(), Failure> {
    if count <= MANY {
        return Ok(());
    }
    let sync = || {
        #[cfg(target_os = "linux")]
        {
            step(Step::Sync)?;
            rustix::fs::syncfs(readable(directory)?)?;
        }
        #[cfg(not(target_os = "linux"))]
        let _ = directory;
        Ok(())
    };
    sync().map_err(Failure::file("write into", shown))
}

/// Writes the contents of `count` new files in one of several directories to the disk, as
/// [`sync_contents`] does, unless that was done for another directory of its file system.
pub(super) fn sync_file_system(
    directory: &Dir,
    shown: &Path,
    synced: &mut BTreeSet<u64>,
    count: usize,
) -> Result<(), Failure> {
    let device = device(directory).map_err(Failure::file("read", shown))?;
    if synced.insert(device) { sync_contents(directory, shown, count) } else { Ok(()) }
}

#[cfg(unix)]
fn device(directory: &Dir) -> io::Result<u64> {
    use cap_std::fs::MetadataExt as _;
    Ok(directory.dir_metadata()?.dev())
}

/// Elsewhere each file is written on its own.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
fn device(_directory: &Dir) -> io::Result<u64> {
    Ok(0)
}

pub(super) use signals::Guard;

#[cfg(unix)]
mod signals {
    use std::ffi::{OsStr, OsString};
    use std::io;
    use std::sync::{Mutex, MutexGuard, Once, PoisonError};
    use std::thread;

    use cap_std::fs::Dir;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// The temporary directory that a signal removes.
    static TEMPORARY: Mutex<Option<Removed>> = Mutex::new(None);
    static HANDLER: Once = Once::new();

    /// A directory in another.
    struct Removed {
        parent: Dir,
        name: OsString,
    }

    /// While it exists, a signal leaves no partial output.
    pub(in crate::cli::writing) struct Guard {
        waits: Option<MutexGuard<'static, Option<Removed>>>,
    }

    impl Guard {
        /// Makes a signal remove this directory and end the run.
        pub(in crate::cli::writing) fn over(parent: &Dir, name: &OsStr) -> io::Result<Self> {
            let removed = Removed { parent: parent.try_clone()?, name: name.to_owned() };
            listen();
            *temporary_directory() = Some(removed);
            Ok(Self { waits: None })
        }

        /// Defers signals from here on. If one came first, its handler removes the directory and
        /// ends the run, and this never returns: the two cannot overlap.
        pub(in crate::cli::writing) fn into_commit(mut self) -> Self {
            let mut temporary = temporary_directory();
            *temporary = None;
            self.waits = Some(temporary);
            self
        }

        /// Defers signals until the guard is dropped.
        pub(in crate::cli::writing) fn commit() -> Self {
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

    fn temporary_directory() -> MutexGuard<'static, Option<Removed>> {
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
                    if let Some(Removed { parent, name }) = &*temporary {
                        // The next run removes the rest.
                        let _ = parent.remove_dir_all(name);
                    }
                    let _ = emulate_default_handler(signal);
                }
            });
        });
    }
}

#[cfg(not(unix))]
mod signals {
    use std::ffi::OsStr;
    use std::io;

    use cap_std::fs::Dir;

    /// Other systems end a run at once; the next run removes its remains.
    pub(in crate::cli::writing) struct Guard;

    impl Guard {
        #[allow(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
        pub(in crate::cli::writing) fn over(_parent: &Dir, _name: &OsStr) -> io::Result<Self> {
            Ok(Self)
        }

        pub(in crate::cli::writing) fn into_commit(self) -> Self {
            self
        }

        pub(in crate::cli::writing) fn commit() -> Self {
            Self
        }
    }
}

/// The steps of replacing files, each of which can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Write,
    Sync,
    Rename,
    Remove,
}

/// Called before each step; tests make one fail.
#[cfg(not(test))]
#[allow(clippy::unnecessary_wraps, reason = "it fails in the tests")]
pub(super) fn step(_step: Step) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(super) use injected::{fail_at, fail_once_at, kill_at, step};

#[cfg(test)]
mod injected {
    use std::cell::Cell;
    use std::io;
    use std::process;

    use super::Step;

    thread_local! {
        /// The number of steps before one fails.
        static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
        /// Whether only one fails.
        static IS_ONE: Cell<bool> = const { Cell::new(false) };
        /// Whether the process ends there, instead of a failure.
        static IS_KILLED: Cell<bool> = const { Cell::new(false) };
    }

    /// Ends the process at the step with this number, without any clean-up.
    pub(in crate::cli::writing) fn kill_at(step: usize) {
        LEFT.set(Some(step));
        IS_KILLED.set(true);
    }

    /// Makes only the step with this number fail.
    pub(in crate::cli::writing) fn fail_once_at(step: usize) {
        LEFT.set(Some(step));
        IS_ONE.set(true);
    }

    /// Makes the step with this number and all later ones fail, as if the run ended there.
    pub(in crate::cli::writing) fn fail_at(step: Option<usize>) {
        LEFT.set(step);
        IS_ONE.set(false);
    }

    pub(in crate::cli::writing) fn step(step: Step) -> io::Result<()> {
        match LEFT.get() {
            Some(0) if IS_KILLED.get() => process::abort(),
            Some(0) => {
                if IS_ONE.get() {
                    LEFT.set(None);
                }
                Err(io::Error::other(format!("injected: {step:?}")))
            }
            Some(left) => {
                LEFT.set(Some(left - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }
}
