//! The options of a run.

use std::error::Error;
use std::fmt;

use super::{Cancellation, Level};
use crate::dialect::DIALECTS;
use crate::discovery::Scope;
use crate::lower::{self, Override};
use crate::pod_security::PodSecurityLevel;
use crate::schema::Versions;
use crate::source::Span;

/// The options of a run.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Options {
    /// The versions whose API servers must accept the output. `None`: those of the Project, else
    /// the newest.
    pub kubernetes: Versions,
    /// The level of the Pod Security Standards that all Pods are checked against. `None`: that of
    /// the Project, else none.
    pub policy: Option<PodSecurityLevel>,
    /// The Project that applies.
    pub project: ProjectChoice,
    /// The projects of the workspace, if it has several: each is compiled on its own.
    pub scopes: Vec<Scope>,
    /// The environment of the Project whose values apply.
    pub environment: Option<String>,
    /// Whether a Project may lack the environment: of several projects, not each has all of them.
    pub environment_is_optional: bool,
    /// Levels of rules, which take precedence over those of the Project; later ones over earlier ones.
    /// `warnings` with [`Level::Deny`] makes the run strict: see [`Compilation::is_strict`](super::Compilation::is_strict).
    pub levels: Vec<(String, Level)>,
    /// Whether only the findings are required, so that the compilation has no objects. The findings
    /// are the same, except that manifests with one name in several files are a single warning,
    /// because folders that are checked can contain alternatives.
    pub findings_alone: bool,
    /// Whether objects that are only checked are kept until the compilation is dropped, unless there are many
    /// findings. To release them takes as long as a part of the checks, and a process that ends soon need not.
    pub keeps_checked: bool,
    /// Which findings become one.
    pub grouping: Grouping,
    /// Whether the summaries of the systems are required.
    pub is_summarized: bool,
    /// Whether the objects of the compilation are replaced by those that controllers would create
    /// from them.
    pub is_effective: bool,
    /// Whether the objects are only read to compare them: see [`diff`](crate::diff()). Input without
    /// definitions is not checked then, except that it must be readable.
    pub is_compared: bool,
    /// The request to end the run early, for example because its input has changed.
    pub cancellation: Cancellation,
    /// Whether findings keep the values of secrets, until [`Compilation::hide_secrets`](super::Compilation::hide_secrets).
    pub(crate) keeps_secrets: bool,
    /// The case of a test that is compiled, with its definitions and values.
    pub(crate) case: Option<Span>,
    /// Fields of the systems' blocks of the Project.
    overrides: Vec<Override>,
}

/// Which findings of a rule become one: the first one, which counts the others.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Grouping {
    /// Those with one cause, for people.
    #[default]
    ByCause,
    /// Those that say the same about one place, for programs, which compare places.
    ByPlace,
    /// None.
    None,
}

/// The Project of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum ProjectChoice {
    /// The one in the files.
    #[default]
    InFiles,
    /// The one in the file with this name; others are ignored.
    File(String),
    /// None: those in the files are ignored.
    None,
}

/// A setting that no system has, or a value that it does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownSetting {
    message: String,
}

impl fmt::Display for UnknownSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for UnknownSetting {}

impl Options {
    /// The fields set with [`set`](Self::set).
    pub(crate) fn overrides(&self) -> &[Override] {
        &self.overrides
    }

    /// Sets a field of a system's block of the Project, which takes precedence over the Project:
    /// `target` of `kelos` to `resources`.
    ///
    /// # Errors
    /// If the system, the field or the value does not exist. The message lists the existing ones.
    pub fn set(&mut self, system: &str, field: &str, value: &str) -> Result<(), UnknownSetting> {
        let setting = lower::Override::find(DIALECTS, system, field, value);
        self.overrides.push(setting.map_err(|message| UnknownSetting { message })?);
        Ok(())
    }
}
