//! `Source`: a Job that fetches records from an upstream service.

use super::identity::Role;
use super::job::{self, JobFields, Run, RunFields, Work};
use super::pod::Variable;
use super::rules::{names, runs};
use crate::decode::{Anything, Integer, Mapped, Raw, Text, definition};
use crate::diag::{Reported, Sink};
use crate::lower::{Definition, Faults, Lowering};
use crate::workload::PodFields;

definition! {
    /// One run of a source.
    pub(crate) struct SourceRun in "Source.spec.run" {
        flatten fields: RunFields,
        /// Directory of the record files on the data volume, as the server sees it. The container sees it as
        /// `/osa/files`.
        "filesDir" required files_dir: Text,
        /// Time since which fetched records must have changed: `2026-01-01T00:00:00Z`.
        "since" optional since: Text,
        /// Maximum number of records.
        "limit" optional limit: Integer,
        /// Number of records to skip. Defaults to 0.
        "offset" optional offset: Integer,
        /// State of an earlier run. The server writes it to `/osa/in/session.json`; the Job does
        /// not contain it.
        "session" optional session: Raw<Mapped<Anything>>,
    }
}

definition! {
    /// Schedule of a source.
    pub(crate) struct Schedule in "Source.spec.schedule" {
        /// Cron schedule.
        "cron" required cron: Text,
        /// Maximum number of records per run.
        "limit" optional limit: Integer,
    }
}

definition! {
    /// Settings of the first run of a source.
    pub(crate) struct InitialRun in "Source.spec.initialRun" {
        /// Maximum number of records.
        "limit" optional limit: Integer,
    }
}

definition! {
    /// A container that fetches records over the network. The main container is named `ingester`.
    pub(crate) struct SourceSpec in "Source.spec" {
        flatten pod: PodFields,
        flatten job: JobFields,
        /// Convention of the records: its slug, or its resource name with a version.
        "convention" optional convention: Text,
        /// Schedule of the source. The Job does not contain it.
        "schedule" optional schedule: Raw<Schedule>,
        /// Settings of the first run of the source. The Job does not contain them.
        "initialRun" optional initial_run: Raw<InitialRun>,
        /// The run to compile. Without one the source is only checked.
        "run" optional run: SourceRun,
    }
}

/// Lowers a source to its Job.
pub(super) fn lower(
    definition: Definition<SourceSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, SourceSpec { pod, job, convention, schedule, initial_run, run }) =
        definition.open();
    let session = run.as_ref().and_then(|run| run.session.as_ref());
    for (field, map) in [("config", job.config.as_ref()), ("session", session)] {
        if let Some(map) = map {
            runs::report_file(field, &map.node, lowering.sink);
        }
    }
    for (field, value) in [
        ("schedule", schedule.as_ref().map(|it| &it.node)),
        ("initialRun", initial_run.as_ref().map(|it| &it.node)),
    ] {
        if let Some(value) = value {
            runs::report_schedule(field, value, lowering.sink);
        }
    }
    let mut faults = Faults::default();
    let convention = faults.or_none(convention.map(|name| names::convention(&name, lowering.sink)));
    let run = run.map(|run| Run { convention, ..read_run(run, &mut faults, lowering.sink) });
    let work = Work { role: Role::Source, hook: None, pod, fields: job, run, faults };
    job::lower(work, &frame, lowering)
}

fn read_run(run: SourceRun, faults: &mut Faults, sink: &mut Sink) -> Run {
    let variables = variables_of_run(&run, faults, sink);
    let SourceRun { fields, files_dir, .. } = run;
    let files_dir = Some(files_dir);
    Run { fields, files_dir, deposition: None, convention: None, variables }
}

/// The variables of a run. A limit of 0 is set; an offset of 0 is omitted.
fn variables_of_run(run: &SourceRun, faults: &mut Faults, sink: &mut Sink) -> Vec<Variable> {
    let since = run.since.as_ref().map(|since| runs::check_since(since, sink));
    let limit = run.limit.as_ref().map(|limit| runs::check_count("limit", limit, sink));
    let offset = run.offset.as_ref().map(|offset| runs::check_count("offset", offset, sink));
    let values = [
        ("OSA_SINCE", faults.or_none(since)),
        ("OSA_LIMIT", faults.or_none(limit).map(|limit| limit.to_string())),
        (
            "OSA_OFFSET",
            faults.or_none(offset).filter(|offset| *offset != 0).map(|offset| offset.to_string()),
        ),
    ];
    values.into_iter().filter_map(|(name, value)| Some(Variable { name, value: value? })).collect()
}
