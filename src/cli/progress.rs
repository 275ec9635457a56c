//! The progress of a long run: one line on the terminal, which is erased at the end.
//!
//! The only module that uses a clock. It affects when progress is shown, never the findings.

use std::env;
use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use sandboxc::Stage;
use sandboxc::markup::Control;

use super::arguments::Options;
use super::output;

/// A run that is shorter than this shows nothing.
const DELAY: Duration = Duration::from_millis(500);

/// The interval between updates.
const STEP: Duration = Duration::from_millis(100);

/// The line, until it is dropped.
pub(crate) struct Progress {
    shown: Option<Shown>,
}

struct Shown {
    text: Arc<Mutex<String>>,
    /// The sender that stops the thread when it is dropped.
    end: mpsc::Sender<()>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// Starts the display, if standard error is a terminal that can erase a line.
    pub(crate) fn start(options: &Options) -> Self {
        let is_dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
        let is_wanted = !options.quiet && !is_dumb && io::stderr().is_terminal();
        Self { shown: is_wanted.then(Shown::start) }
    }

    /// Sets the number of files read so far.
    pub(crate) fn files(&self, count: usize) {
        self.say(|| format!("reading files: {}", grouped(count)));
    }

    /// Sets the current stage, and the number of its items.
    pub(crate) fn stage(&self, stage: Stage, count: usize) {
        self.say(|| describe(stage, count));
    }

    fn say(&self, text: impl FnOnce() -> String) {
        if let Some(Shown { text: shown, .. }) = &self.shown {
            *shown.lock().unwrap_or_else(PoisonError::into_inner) = text();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(Shown { end, thread, .. }) = self.shown.take() {
            drop(end);
            // After a panic in the thread there is nothing to erase.
            let _ = thread.join();
        }
    }
}

impl Shown {
    fn start() -> Self {
        let text = Arc::new(Mutex::new(String::new()));
        let (end, ended) = mpsc::channel();
        let to_show = Arc::clone(&text);
        let thread = thread::spawn(move || {
            let mut shown = String::new();
            let mut wait = DELAY;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let text = to_show.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if text != shown {
                    output::erase(Control::EraseLine);
                    output::complain(&text);
                    shown = text;
                }
                wait = STEP;
            }
            if !shown.is_empty() {
                output::erase(Control::EraseLine);
            }
        });
        Self { text, end, thread }
    }
}

/// The text of the line. It is short, because a narrow terminal would wrap it and only the last
/// line would be erased.
fn describe(stage: Stage, count: usize) -> String {
    let count = grouped(count);
    match stage {
        Stage::Read => format!("parsing files: {count}"),
        Stage::Expand => format!("expanding definitions: {count}"),
        Stage::Lower => format!("compiling definitions: {count}"),
        Stage::Validate => format!("checking objects: {count}"),
        _ => format!("sorting objects: {count}"),
    }
}

/// `12,345`.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        let counts = [0, 12, 999, 1000, 12_345, 1_234_567].map(grouped);
        assert_eq!(counts, ["0", "12", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn a_line_fits_a_narrow_terminal() {
        for stage in [Stage::Read, Stage::Expand, Stage::Lower, Stage::Validate, Stage::Order] {
            assert!(describe(stage, 100_000_000).len() < 40);
        }
    }
}
