//! The files of a revision of the working tree, read with the command `git`.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use sandboxc::{GENERATED_FILES, IGNORE_FILE, MANIFEST_EXTENSIONS};
use tempfile::TempDir;

use super::failure::Failure;

/// The files that a run can read: manifests, and lists of ignored and of generated files.
const NAMES: [&str; 4] = [".gitignore", ".ignore", IGNORE_FILE, GENERATED_FILES];

/// A revision in a temporary directory, which is removed with this value.
pub(crate) struct Revision {
    folder: TempDir,
    /// The current directory, relative to the root of the working tree.
    prefix: PathBuf,
}

impl Revision {
    /// Writes the files of a revision, such as `HEAD~1`. Neither the working tree nor its index
    /// changes.
    pub(crate) fn check_out(revision: &str) -> Result<Self, Failure> {
        let root = git(&["rev-parse", "--show-toplevel"], None)?;
        let prefix = git(&["rev-parse", "--show-prefix"], None)?;
        let tree = format!("{revision}^{{tree}}");
        let tree = git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &tree], None)
            .map_err(|_| {
                Failure::usage(
                    format!("`{revision}` is not a revision of this repository"),
                    "name a commit, a branch or a tag: `--git HEAD~1`, `--git origin/main`",
                )
            })?;
        let failed = |source| Failure::Stream { action: "create a temporary directory", source };
        let folder = tempfile::tempdir().map_err(failed)?;
        let index = folder.path().join("index");
        let files = folder.path().join("files");
        // Files below a directory with `.git` are read with the `.gitignore` of their directories.
        fs::create_dir_all(files.join(".git")).map_err(failed)?;
        let root = PathBuf::from(line(&root));
        let within = Some((root.as_path(), index.as_path()));
        git_in(within, &[OsStr::new("read-tree"), OsStr::new(&line(&tree))], None)?;
        let all = git_in(within, &["ls-files", "-z"].map(OsStr::new), None)?;
        let read: Vec<u8> = all
            .split_inclusive(|byte| *byte == 0)
            .filter(|name| is_read(name.strip_suffix(&[0]).unwrap_or(name)))
            .flatten()
            .copied()
            .collect();
        let mut target = files.into_os_string();
        target.push("/");
        let mut to = std::ffi::OsString::from("--prefix=");
        to.push(&target);
        let arguments =
            [OsStr::new("checkout-index"), OsStr::new("-z"), OsStr::new("--stdin"), &to];
        git_in(within, &arguments, Some(&read))?;
        Ok(Self { folder, prefix: PathBuf::from(line(&prefix)) })
    }

    /// Runs `read` in the directory of the revision that corresponds to the current one.
    pub(crate) fn within<T>(
        &self,
        read: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let entering = |source| Failure::Stream { action: "change the directory", source };
        let current = env::current_dir().map_err(entering)?;
        let directory = self.folder.path().join("files").join(&self.prefix);
        // The revision may not have it yet.
        fs::create_dir_all(&directory).map_err(entering)?;
        env::set_current_dir(directory).map_err(entering)?;
        let result = read();
        env::set_current_dir(current).map_err(entering)?;
        result
    }
}

/// Whether a run can read a file.
fn is_read(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    NAMES.iter().any(|it| it.as_bytes() == name)
        || MANIFEST_EXTENSIONS
            .iter()
            .any(|it| name.strip_suffix(it.as_bytes()).is_some_and(|before| before.ends_with(b".")))
}

/// The output of `git` without its line feed.
fn line(output: &[u8]) -> String {
    String::from_utf8_lossy(output).trim_end_matches(['\n', '\r']).to_owned()
}

/// Runs `git` in the current directory.
pub(super) fn git(arguments: &[&str], input: Option<&[u8]>) -> Result<Vec<u8>, Failure> {
    let arguments: Vec<_> = arguments.iter().map(OsStr::new).collect();
    git_in(None, &arguments, input)
}

/// Runs `git`, in a working tree with an index of its own if one is given.
fn git_in(
    within: Option<(&std::path::Path, &std::path::Path)>,
    arguments: &[&OsStr],
    input: Option<&[u8]>,
) -> Result<Vec<u8>, Failure> {
    let failed = |source| Failure::Stream { action: "run `git`", source };
    let mut command = Command::new("git");
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some((root, index)) = within {
        command.current_dir(root).env("GIT_INDEX_FILE", index);
    }
    let mut child = command.spawn().map_err(failed)?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        let writer = scope.spawn(|| match (stdin, input) {
            (Some(mut stdin), Some(input)) => stdin.write_all(input),
            _ => Ok(()),
        });
        let output = child.wait_with_output();
        // `git` reports why it did not read its input.
        let _ = writer.join();
        output
    });
    let output = output.map_err(failed)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let message = message.lines().next().unwrap_or("it failed").to_owned();
    Err(failed(io::Error::other(message)))
}
