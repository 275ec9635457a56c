//! The options of a run.

use std::error::Error;
use std::fmt;

use super::Cancellation;
use crate::dialect::DIALECTS;
use crate::discovery::Scope;
use crate::findings::grouping::Grouping;
use crate::findings::levels::Level;
use crate::lower::{self, Override};
use crate::pod_security::PodSecurityLevel;
use crate::schema::Versions;
use crate::source::Span;

/// The options of a run.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
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
    /// What the run is for.
    pub purpose: Purpose,
    /// Which findings become one.
    pub grouping: Grouping,
    /// The request to end the run early, for example because its input has changed.
    pub cancellation: Cancellation,
    /// Whether findings keep the values of secrets, until [`Compilation::hide_secrets`](super::Compilation::hide_secrets).
    pub(crate) keeps_secrets: bool,
    /// Fields of the systems' blocks of the Project.
    overrides: Vec<Override>,
}

/// What a run is for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Purpose {
    /// The objects, and the findings.
    #[default]
    Build,
    /// As [`Build`](Self::Build), and the summaries of the systems.
    Summarize,
    /// Only the findings, so that the compilation has no objects. The findings are the same, except that manifests
    /// with one name in several files are a single warning, because folders that are checked can contain alternatives.
    Check,
    /// The objects, which are only read to be compared: see [`diff`](crate::diff()). Input without definitions is not
    /// checked, except that it must be readable.
    Compare,
    /// The objects that controllers would create from those of the input.
    Effective,
    /// The objects of a case of a test, with its definitions and values. The span is that of the case.
    Test(Span),
}

impl Purpose {
    /// The case of a test.
    pub(crate) fn case(self) -> Option<Span> {
        match self {
            Self::Test(case) => Some(case),
            _ => None,
        }
    }
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
