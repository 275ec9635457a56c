//! The door to other programs: where they are found, what they are given, and what is shown of them.
//!
//! The command line and the environment are trusted, and what is in a directory is not. A program is therefore only
//! searched in the absolute directories of the `PATH`, which no input can add to, and it gets an environment and a
//! home of its own: settings of the user, tokens, and variables such as `GIT_DIR` or `HELM_PLUGINS` do not reach it.
//! No other module starts a process; `tests/suite/tidy` checks it.

mod quote;

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write as _};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;

use self::quote::quoted;
use super::failure::Failure;
use super::writing::Scratch;

/// Variables that the system itself requires, on Windows.
const OF_SYSTEM: [&str; 3] = ["SystemRoot", "SystemDrive", "windir"];

/// Variables with the directory of settings or of temporary files, which are an empty one.
const OF_HOME: [&str; 7] =
    ["HOME", "TMPDIR", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA"];

/// The maximum length of the messages of a program that are read, in bytes.
const LONGEST_MESSAGES: u64 = 64 << 10;

/// The programs that are installed.
pub(super) struct Programs {
    /// The directory of all that the programs write, which is removed with this value.
    home: Scratch,
    /// The directories of the `PATH`.
    directories: Vec<PathBuf>,
}

/// A program that was found.
pub(super) struct Program {
    name: &'static str,
    path: PathBuf,
}

impl Program {
    /// Its name.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }
}

/// What a program is started with.
#[derive(Default)]
pub(super) struct Call<'c> {
    pub(super) arguments: Vec<OsString>,
    /// Variables in addition to those that each program has.
    pub(super) environment: Vec<(OsString, OsString)>,
    /// The working directory; that of this process by default.
    pub(super) directory: Option<&'c Path>,
    /// Its standard input.
    pub(super) input: &'c [u8],
    /// The maximum length of its output, in bytes.
    pub(super) longest: usize,
}

/// What a program has answered.
pub(super) struct Answer {
    pub(super) status: ExitStatus,
    pub(super) output: Vec<u8>,
    /// What it wrote to standard error, as a quote that is safe to print.
    pub(super) messages: String,
}

impl Programs {
    pub(super) fn new() -> Result<Self, Failure> {
        let directories = directories(env::var_os("PATH").as_deref());
        Ok(Self { home: Scratch::new()?, directories })
    }

    /// The home of the programs, which is empty at first.
    pub(super) fn home(&self) -> &Scratch {
        &self.home
    }

    /// A program, if it is installed.
    pub(super) fn find(&self, name: &'static str) -> Option<Program> {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        let path =
            self.directories.iter().map(|path| path.join(&file)).find(|path| is_program(path))?;
        Some(Program { name, path })
    }

    /// Runs a program to its end.
    pub(super) fn run(&self, program: &Program, call: &Call<'_>) -> Result<Answer, Failure> {
        let failed = |source| Failure::File { action: "run", path: program.name.into(), source };
        let mut command = Command::new(&program.path);
        command.args(&call.arguments).env_clear().envs(self.environment());
        command.envs(call.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = call.directory {
            command.current_dir(directory);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let exchanged = exchange(&mut child, call.input, call.longest);
        let status = child.wait().map_err(failed)?;
        let (output, messages) = exchanged.map_err(failed)?;
        Ok(Answer { status, output, messages: quoted(program.name, &messages) })
    }

    /// The variables that each program has.
    fn environment(&self) -> Vec<(OsString, OsString)> {
        let system = OF_SYSTEM.iter().filter_map(|name| Some((name.into(), env::var_os(name)?)));
        let home = OF_HOME.iter().map(|name| (name.into(), self.home.path().into()));
        let path = env::join_paths(&self.directories).unwrap_or_default();
        // The messages, which people read, are the same everywhere.
        let own = [("PATH".into(), path), ("LC_ALL".into(), "C".into())];
        system.chain(home).chain(own).collect()
    }
}

/// The directories of a `PATH` in which programs are searched. An empty entry means the working directory, and a
/// relative one is below it, where the input is.
fn directories(path: Option<&OsStr>) -> Vec<PathBuf> {
    let all = path.into_iter().flat_map(env::split_paths);
    all.filter(|it| it.is_absolute()).collect()
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Writes the input of a process, and reads its output and its messages at the same time. A process whose output is
/// too long is ended.
fn exchange(child: &mut Child, input: &[u8], longest: usize) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(move || {
            // A process that does not read its input says why.
            stdin.map(|mut it| it.write_all(input))
        });
        let messages = scope.spawn(move || {
            let mut messages = Vec::new();
            let Some(mut stderr) = stderr else { return messages };
            let _ = stderr.by_ref().take(LONGEST_MESSAGES).read_to_end(&mut messages);
            // The rest is read as well, so that the process does not wait.
            let _ = io::copy(&mut stderr, &mut io::sink());
            messages
        });
        let mut output = Vec::new();
        let mut read = Ok(());
        if let Some(stdout) = stdout {
            read =
                stdout.take((longest as u64).saturating_add(1)).read_to_end(&mut output).map(drop);
        }
        if read.is_ok() && output.len() > longest {
            let text = format!("its output has more than {longest} bytes");
            read = Err(io::Error::other(text));
        }
        if read.is_err() {
            let _ = child.kill();
        }
        let messages = messages.join().unwrap_or_else(|panic| resume_unwind(panic));
        read.map(|()| (output, messages))
    })
}

/// Runs this program itself with other arguments, in its own environment and on its own streams.
pub(super) fn run_itself(arguments: &[OsString]) -> io::Result<ExitStatus> {
    Command::new(env::current_exe()?).args(arguments).stdin(Stdio::null()).status()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_searched_in_absolute_directories() {
        let absolute = env::temp_dir();
        let relative = ["", ".", "bin", "./bin", "../bin"].map(PathBuf::from);
        let all = env::join_paths(relative.iter().chain([&absolute]).chain(&relative)).unwrap();
        assert_eq!(directories(Some(&all)), [absolute]);
        assert!(directories(None).is_empty());
    }
}
