//! `Hook`: a Job that validates a deposition or a batch of records, without network.

use super::identity::Role;
use super::job::{self, JobFields, Run, RunFields, Work};
use super::rules::{names, runs};
use crate::decode::{Text, definition};
use crate::diag::{Reported, Sink};
use crate::lower::{Definition, Faults, Lowering};
use crate::workload::PodFields;

definition! {
    /// One run of a hook. Without `runId`, the run is that of its subject.
    pub(crate) struct HookRun in "Hook.spec.run" {
        flatten fields: RunFields,
        /// Resource name of the deposition that the hook validates: `urn:osa:<domain>:dep:<id>`.
        "subject" optional subject: Text,
        /// Directory of the record files on the data volume, as the server sees it. The container sees it as
        /// `/osa/files`, read-only.
        "filesDir" optional files_dir: Text,
    }
}

definition! {
    /// A container that validates records and cannot reach the network. The main container is named
    /// `hook`.
    pub(crate) struct HookSpec in "Hook.spec" {
        flatten pod: PodFields,
        flatten job: JobFields,
        /// Name of the hook in the archive: up to 40 lowercase letters, digits and `_`. Defaults to the
        /// definition's name with `_` for `-`.
        "hookName" optional hook_name: Text,
        /// The run. Without one the hook is only checked.
        "run" optional run: HookRun,
    }
}

/// Lowers a hook to its Job.
pub(super) fn lower(
    definition: Definition<HookSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, HookSpec { pod, job, hook_name, run }) = definition.open();
    let mut faults = Faults::default();
    let hook = faults.or_none(Some(names::hook_name(&frame, hook_name.as_ref(), lowering.sink)));
    if let Some(config) = &job.config {
        runs::report_file("config", &config.node, lowering.sink);
    }
    let run = run.map(|run| read_run(run, &mut faults, lowering.sink));
    let work = Work { role: Role::Hook, hook, pod, fields: job, run, faults };
    job::lower(work, &frame, lowering)
}

fn read_run(run: HookRun, faults: &mut Faults, sink: &mut Sink) -> Run {
    let HookRun { fields, subject, files_dir } = run;
    faults.or(runs::check_named(&fields, subject.as_ref(), sink), || ());
    let deposition = faults.or_none(subject.map(|subject| names::deposition(&subject, sink)));
    Run { fields, files_dir, deposition, convention: None, variables: Vec::new() }
}
