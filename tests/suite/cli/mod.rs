//! The command as users and scripts run it: the built binary, in a temporary directory.

#[cfg(unix)]
mod action;
mod against;
mod cases;
mod collect;
#[cfg(unix)]
mod comment;
mod committed;
mod completions;
mod crds;
#[cfg(unix)]
mod depfile;
mod diff;
mod directory;
mod effective;
mod environments;
mod fix;
mod fmt;
mod folders;
#[cfg(unix)]
mod fork;
mod graph;
mod grouping;
mod guide;
mod hostile;
mod inputs;
#[cfg(unix)]
mod integrations;
mod krm;
mod levels;
mod messages;
mod migrate;
mod neighbours;
mod options;
mod outside;
mod printed;
mod projects;
mod readme;
#[cfg(unix)]
mod render;
mod reports;
#[cfg(unix)]
mod revisions;
#[cfg(unix)]
mod runner;
mod secrets;
#[cfg(unix)]
mod terminal;
mod verbs;
#[cfg(unix)]
mod watch;
mod why;
#[cfg(unix)]
mod written;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::support::binary;

const OBJECT: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: default}\n";
const BROKEN: &str = "key: [a, b\nother: c\n";

/// A directory with files in which the command runs.
pub(crate) struct Folder {
    folder: TempDir,
}

/// The result of a run.
pub(crate) struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap()
    }

    /// The sorted names in a subdirectory.
    fn list(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path().join(path)).unwrap();
        let mut names: Vec<_> =
            entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::from(self.command(arguments).output().unwrap())
    }

    fn run_with_stdin(&self, arguments: &[&str], stdin: &str) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A run that fails because of its arguments does not read it.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        Run::from(child.wait_with_output().unwrap())
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Run {
    /// Checks the exit status, and returns standard output and standard error.
    #[track_caller]
    pub(crate) fn expect(self, status: i32) -> (String, String) {
        assert_eq!(self.status, status, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        (self.stdout, self.stderr)
    }
}
