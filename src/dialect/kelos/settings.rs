//! The settings of kelos in a Project.

use crate::decode::{Choice, choice, definition};

choice! {
    /// The output of Tasks.
    pub(crate) enum Target {
        /// Plain objects, for a cluster without kelos.
        Jobs = "jobs",
        /// Custom resources, for the controller of kelos.
        Resources = "resources",
    }
}

definition! {
    /// Settings of kelos.
    pub(crate) struct KelosSettings in "Project.spec.kelos" {
        /// Output of definitions: `jobs` (the default), for clusters without kelos, or `resources`,
        /// the custom resources of kelos.
        "target" optional target: Choice<Target>,
    }
}
