//! How kelos is set up in a Project.

use crate::decode::{Choice, choice, definition};

choice! {
    /// What Tasks are compiled to.
    pub(crate) enum Target {
        /// Plain objects, for a cluster without kelos.
        Jobs = "jobs",
        /// Custom resources, for the controller of kelos.
        Resources = "resources",
    }
}

definition! {
    /// What is particular to kelos.
    pub(crate) struct KelosSettings in "Project.spec.kelos" {
        /// What definitions are compiled to: `jobs` (the default), for clusters without kelos, or
        /// `resources`, the custom resources of kelos.
        "target" optional target: Choice<Target>,
    }
}
