//! What a run is asked to do.

use std::error::Error;
use std::fmt;

use crate::dialect::DIALECTS;
use crate::lower::{self, Override};
use crate::schema::Versions;
use crate::workload::security::PodSecurityLevel;

/// What a run is asked to do.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The versions whose API servers must accept the output. None: the Project's, else the newest.
    pub kubernetes: Versions,
    /// The level of the Pod Security Standards that all Pods are checked against, whatever makes them.
    /// `None`: the Project's, else none.
    pub policy: Option<PodSecurityLevel>,
    /// The environment of the Project whose values hold.
    pub environment: Option<String>,
    /// Only the findings are wanted, and the compilation has no objects. The findings are the same,
    /// except that hand-written objects with one name in several files are one warning: folders that
    /// are checked may be alternatives. A large input takes a fraction of the memory.
    pub findings_alone: bool,
    /// What the systems count is required as well: the summaries of the compilation.
    pub is_summarized: bool,
    /// Fields of the systems' blocks of the Project.
    overrides: Vec<Override>,
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
    /// What [`set`](Self::set) set.
    pub(crate) fn overrides(&self) -> &[Override] {
        &self.overrides
    }

    /// Sets a field of a system's block of the Project, whatever the Project says: `target` of
    /// `kelos` to `resources`.
    ///
    /// # Errors
    /// If there is no such system, no such field, or no such value of it. The message lists what
    /// exists.
    pub fn set(&mut self, system: &str, field: &str, value: &str) -> Result<(), UnknownSetting> {
        let setting = lower::Override::find(DIALECTS, system, field, value);
        self.overrides.push(setting.map_err(|message| UnknownSetting { message })?);
        Ok(())
    }
}
