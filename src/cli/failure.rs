//! Failures with exit status 2: wrong usage, and errors of files or the operating system.

use std::io;
use std::path::{Path, PathBuf};

use sandboxc::markup::visible_line;

use sandboxc_files::target_of_link;

/// The reason a command failed.
#[derive(thiserror::Error, Debug)]
#[non_exhaustive]
pub(crate) enum Failure {
    /// The command line is invalid.
    #[error("{problem}")]
    Usage { problem: String, help: String },
    /// The input cannot be processed.
    #[error("{problem}")]
    Input { problem: String, help: String },
    /// A file or directory cannot be used.
    #[error("cannot {action} `{}`", path.display())]
    File { action: &'static str, path: PathBuf, source: io::Error },
    /// Standard output or input fails.
    #[error("cannot {action}")]
    Stream { action: &'static str, source: io::Error },
}

impl Failure {
    pub(crate) fn usage(problem: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { problem: problem.into(), help: help.into() }
    }

    pub(crate) fn input(problem: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input { problem: problem.into(), help: help.into() }
    }

    /// The exit status of the program.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::Input { .. } => 1,
            Self::Usage { .. } | Self::File { .. } | Self::Stream { .. } => 2,
        }
    }

    /// For `map_err`: the failed action and its file.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| {
            let cause = missing_target(&path, &error);
            let source = cause.map_or(error, |it| io::Error::new(io::ErrorKind::NotFound, it));
            Self::File { action, path, source }
        }
    }

    /// Whether the reader of the output has closed it, which is not a failure.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Stream { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The message with its cause, without help.
    pub(crate) fn in_one_line(&self) -> String {
        match self {
            Self::Usage { .. } | Self::Input { .. } => self.to_string(),
            Self::File { source, .. } | Self::Stream { source, .. } => format!("{self}: {source}"),
        }
    }

    /// The message with its cause or its help.
    pub(crate) fn describe(&self) -> String {
        let problem = self.to_string();
        let problem = visible_line(&problem);
        match self {
            Self::Usage { help, .. } | Self::Input { help, .. } => {
                format!("error: {problem}\n  help: {}\n", visible_line(help))
            }
            Self::File { source, .. } | Self::Stream { source, .. } => {
                format!("error: {problem}: {}\n", visible_line(&source.to_string()))
            }
        }
    }
}

/// The cause of an error that the operating system reports as a missing file, though the path is a
/// link: its target is missing.
pub(crate) fn missing_target(path: &Path, error: &io::Error) -> Option<String> {
    if error.kind() != io::ErrorKind::NotFound {
        return None;
    }
    let target = target_of_link(path)?;
    Some(format!("it is a link to `{}`, which does not exist", target.display()))
}
