//! `--watch`: runs a command again when one of its files changes.
//!
//! Each run is a process of its own with the same arguments: it prints and uses exactly what it would
//! without `--watch`, and its memory is released. This process only waits.

mod places;

use std::env;
use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use sandboxc::markup::Control;

pub(super) use self::places::Watched;
use self::places::{Change, Places};
use super::arguments::Options;
use super::failure::Failure;
use super::{Outcome, output, programs};

/// The option, which the runs do not have.
const OPTION: &str = "--watch";

/// A pause without events after which a change is complete: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(10);

/// The time after which a run starts even if there are always events.
const LONGEST: usize = 50;

/// Runs the command of this process after each change, until a signal ends it.
pub(super) fn run(watched: &Watched<'_>, options: &Options) -> Result<Outcome, Failure> {
    watched.refuse_stdin()?;
    let (sender, events) = mpsc::channel();
    // If the receiver is gone, the process ends.
    let send = move |event| drop(sender.send(event));
    let system = notify::recommended_watcher(send).map_err(failed)?;
    let mut changes = Watcher { system, events, places: Places::default() };
    changes.watch(Places::of(watched)?)?;
    loop {
        clear();
        run_once()?;
        if !options.quiet {
            output::complain("watching for changes; Ctrl-C ends\n");
        }
        if changes.wait()? == Change::Directories {
            // The run reports what is missing.
            if let Ok(places) = Places::of(watched) {
                changes.watch(places)?;
            }
        }
    }
}

/// Waits for changes.
struct Watcher {
    system: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    places: Places,
}

impl Watcher {
    /// Watches directories, also those that were watched before: one of them may have been replaced by
    /// another with the same name.
    fn watch(&mut self, places: Places) -> Result<(), Failure> {
        self.places = places;
        for directory in self.places.directories() {
            match self.system.watch(directory, RecursiveMode::NonRecursive) {
                // It was removed in the meantime, which is an event of the directory above it.
                Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) => {}
                other => other.map_err(failed)?,
            }
        }
        Ok(())
    }

    /// Waits until files have changed, and no further ones do.
    fn wait(&self) -> Result<Change, Failure> {
        let ended = || failed(notify::Error::generic("the watcher has ended"));
        let mut change = Change::Nothing;
        while change == Change::Nothing {
            let event = self.events.recv().map_err(|_| ended())?;
            change = self.change(event);
        }
        for _ in 0..LONGEST {
            match self.events.recv_timeout(QUIET) {
                Ok(event) => change = change.max(self.change(event)),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
            }
        }
        Ok(change)
    }

    /// What an event changes.
    fn change(&self, event: notify::Result<Event>) -> Change {
        // Events that were lost can have been any.
        let Ok(event) = event else { return Change::Directories };
        if event.need_rescan() {
            return Change::Directories;
        }
        if matches!(event.kind, EventKind::Access(_)) {
            return Change::Nothing;
        }
        event.paths.iter().map(|path| self.places.change(path)).fold(Change::Nothing, Change::max)
    }
}

/// Runs the command without `--watch`.
fn run_once() -> Result<(), Failure> {
    let failed = |source| Failure::Stream { action: "start a run", source };
    let mut arguments: Vec<_> = env::args_os().skip(1).collect();
    let mut options = arguments.iter().take_while(|argument| *argument != "--");
    if let Some(at) = options.position(|argument| argument == OPTION) {
        arguments.remove(at);
    }
    // The findings of the input and failures are on standard error, whatever the status.
    programs::run_itself(&arguments).map(drop).map_err(failed)
}

/// Clears the terminal, if there is one.
fn clear() {
    let is_dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
    if !is_dumb && io::stderr().is_terminal() {
        output::erase(Control::ClearScreen);
    }
}

fn failed(error: notify::Error) -> Failure {
    Failure::Stream { action: "watch files", source: io::Error::other(error) }
}
