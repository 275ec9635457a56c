//! Revisions of the repository around the working directory, read with the program `git`.
//!
//! git obeys the configuration of a repository, its hooks and attributes, and what looks like a repository. Here it
//! never sees one: it works in a directory with copies of the references and with settings that this module writes
//! (`copy.rs`), and only reads the objects of the repository, which are data. It runs no filter, hook or monitor, and
//! it fetches nothing.

mod copy;
mod repository;
mod tree;

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use self::copy::Copied;
use self::repository::Repository;
pub(super) use self::tree::{Entry, Mode};
use super::failure::Failure;
use super::programs::{Call, Program, Programs};
use sandboxc_files::{resolved, strip_directory};

/// The maximum length of the answers that have the length of the repository, in bytes.
const LONGEST_ANSWER: usize = 64 << 20;

/// Settings of a repository that are used: those that give a branch its upstream.
const USED: [(&str, &[&str]); 2] = [
    ("branch.", &["remote", "merge", "pushremote"]),
    ("remote.", &["fetch", "push", "pushdefault"]),
];

/// Names and values.
type Settings = Vec<(String, String)>;

/// A repository, and the program that reads it.
pub(super) struct Git {
    programs: Programs,
    program: Program,
    repository: Repository,
    /// The directory that git works with.
    directory: PathBuf,
    /// Settings of the repository.
    settings: Settings,
    /// The working directory, relative to the top of the working tree.
    prefix: PathBuf,
}

impl Git {
    /// Finds the repository of the working directory, and the program.
    pub(super) fn open() -> Result<Self, Failure> {
        let programs = Programs::new()?;
        let program = programs.find("git").ok_or_else(|| {
            Failure::usage("`git` is not installed: it is not in the `PATH`", "install git")
        })?;
        let current = env::current_dir().and_then(|path| resolved(&path)).map_err(unreadable)?;
        let repository = Repository::around(&current).map_err(unreadable)?;
        let prefix = strip_directory(&current, &repository.top).to_owned();
        let (directory, settings) = (PathBuf::new(), Vec::new());
        let mut git = Self { programs, program, repository, directory, settings, prefix };
        let copied = Copied::of(&git.repository, git.programs.home()).map_err(unreadable)?;
        git.directory.clone_from(&copied.directory);
        let (settings, extensions) = git.read_settings(&copied.configuration)?;
        copied.configure(&extensions).map_err(unreadable)?;
        git.settings = settings;
        Ok(git)
    }

    /// The working directory, relative to the top of the working tree.
    pub(super) fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// The tree of a revision, such as `HEAD~1`; `None` if there is no such revision.
    pub(super) fn tree_of(&self, revision: &str) -> Result<Option<String>, Failure> {
        let tree = format!("{revision}^{{tree}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &tree];
        let answer = self.run(&arguments, &[], LONGEST_ANSWER)?;
        let name = String::from_utf8_lossy(&answer.output).trim_end().to_owned();
        let is_name = !name.is_empty() && name.bytes().all(|it| it.is_ascii_hexdigit());
        Ok((answer.status.success() && is_name).then_some(name))
    }

    /// All files, links and submodules of a tree.
    pub(super) fn entries(&self, tree: &str) -> Result<Vec<Entry>, Failure> {
        let arguments = ["ls-tree", "-r", "-z", "-l", "--full-tree", "--end-of-options", tree];
        let listed = self.succeed(&arguments, &[], LONGEST_ANSWER)?;
        tree::entries(&listed).ok_or_else(|| unreadable(malformed("ls-tree")))
    }

    /// The contents of entries, in their order.
    pub(super) fn contents(&self, entries: &[&Entry]) -> Result<Vec<Vec<u8>>, Failure> {
        let mut names = String::new();
        for entry in entries {
            names.extend([entry.object.as_str(), "\n"]);
        }
        let sizes = entries.iter().map(|entry| entry.bytes() + 256);
        let listed = self.succeed(&["cat-file", "--batch"], names.as_bytes(), sizes.sum())?;
        tree::contents(&listed, entries).map_err(unreadable)
    }

    /// The short names of all branches and tags.
    pub(super) fn references(&self) -> Result<Vec<String>, Failure> {
        let arguments = [
            "for-each-ref",
            "--format=%(refname:short)",
            "refs/heads",
            "refs/remotes",
            "refs/tags",
        ];
        let names = self.succeed(&arguments, &[], LONGEST_ANSWER)?;
        Ok(String::from_utf8_lossy(&names).lines().map(str::to_owned).collect())
    }

    /// The settings of the repository that are used, and its extensions: how objects and references are stored.
    /// git reads the text from standard input, with no file that it includes.
    fn read_settings(&self, configuration: &[u8]) -> Result<(Settings, Settings), Failure> {
        let arguments = ["config", "--file", "-", "--no-includes", "--null", "--list"];
        let listed = self.succeed(&arguments, configuration, LONGEST_ANSWER)?;
        let (mut settings, mut extensions) = (Vec::new(), Vec::new());
        let mut leads_back = !self.repository.has_to_name_top;
        for setting in String::from_utf8_lossy(&listed).split_terminator('\0') {
            let Some((name, value)) = setting.split_once('\n') else { continue };
            let last = name.rsplit_once('.').map_or(name, |(_, last)| last);
            if name == "core.worktree" {
                leads_back |= self.repository.is_top(value);
            } else if let Some(extension) = copy::extension(name, value) {
                extensions.push((extension.to_owned(), value.to_owned()));
            } else if USED
                .iter()
                .any(|(start, ends)| name.starts_with(start) && ends.contains(&last))
            {
                settings.push((name.to_owned(), value.to_owned()));
            }
        }
        if leads_back {
            return Ok((settings, extensions));
        }
        let top = self.repository.top.display();
        Err(unreadable(io::Error::other(format!(
            "the directory that `{top}/.git` names does not name the working tree; `git config core.worktree \
             \"$PWD\"` does"
        ))))
    }

    /// The output of git, if it succeeds.
    fn succeed(
        &self,
        arguments: &[&str],
        input: &[u8],
        longest: usize,
    ) -> Result<Vec<u8>, Failure> {
        let answer = self.run(arguments, input, longest)?;
        if answer.status.success() {
            return Ok(answer.output);
        }
        let message = answer.messages.lines().next().unwrap_or("git: it failed").to_owned();
        Err(Failure::Stream { action: "read the repository", source: io::Error::other(message) })
    }

    fn run(
        &self,
        arguments: &[&str],
        input: &[u8],
        longest: usize,
    ) -> Result<super::programs::Answer, Failure> {
        let nothing = self.programs.home().path().join("nothing");
        let none = |name: &str| format!("{name}={}", nothing.display());
        let settings = [
            "safe.bareRepository=explicit".to_owned(),
            "core.fsmonitor=false".to_owned(),
            none("core.hooksPath"),
            none("core.attributesFile"),
            "protocol.allow=never".to_owned(),
        ];
        let mut all: Vec<OsString> = vec!["--no-pager".into()];
        for setting in settings {
            all.extend(["-c".into(), setting.into()]);
        }
        all.extend(arguments.iter().map(Into::into));
        let environment = self.environment(&nothing);
        let directory = Some(self.programs.home().path());
        let call = Call { arguments: all, environment, directory, input, longest };
        self.programs.run(&self.program, &call)
    }

    fn environment(&self, nothing: &Path) -> Vec<(OsString, OsString)> {
        let flag = |name: &str| (name.into(), "1".into());
        let mut variables: Vec<(OsString, OsString)> = vec![
            ("GIT_DIR".into(), self.directory.clone().into()),
            ("GIT_OBJECT_DIRECTORY".into(), self.repository.common.join("objects").into()),
            ("GIT_CEILING_DIRECTORIES".into(), self.programs.home().path().into()),
            ("GIT_CONFIG_GLOBAL".into(), nothing.into()),
            ("GIT_CONFIG_SYSTEM".into(), nothing.into()),
            flag("GIT_CONFIG_NOSYSTEM"),
            flag("GIT_ATTR_NOSYSTEM"),
            flag("GIT_NO_LAZY_FETCH"),
            flag("GIT_NO_REPLACE_OBJECTS"),
            ("GIT_ALLOW_PROTOCOL".into(), "none".into()),
            ("GIT_TERMINAL_PROMPT".into(), "0".into()),
            ("GIT_OPTIONAL_LOCKS".into(), "0".into()),
            ("GIT_CONFIG_COUNT".into(), self.settings.len().to_string().into()),
        ];
        for (at, (name, value)) in self.settings.iter().enumerate() {
            variables.push((format!("GIT_CONFIG_KEY_{at}").into(), name.into()));
            variables.push((format!("GIT_CONFIG_VALUE_{at}").into(), value.into()));
        }
        variables
    }
}

fn unreadable(source: io::Error) -> Failure {
    Failure::Stream { action: "read the git repository", source }
}

fn malformed(command: &str) -> io::Error {
    io::Error::other(format!("the answer of `git {command}` is malformed"))
}
