//! `Source`: a Job that fetches records from an upstream service.

use super::identity::Role;
use super::job::{self, JobFields, Run, RunFields, Work};
use super::pod::Variable;
use super::rules::{names, runs};
use crate::decode::{Anything, Integer, Mapped, Raw, Text, definition};
use crate::diag::{Reported, Sink};
use crate::lower::{Definition, Lowering};
use crate::workload::PodFields;

definition! {
    /// One run of a source.
    pub(crate) struct SourceRun in "Source.spec.run" {
        flatten fields: RunFields,
        /// Directory of the record files on the data volume, as the server sees it. The container sees it as
        /// `/osa/files`.
        "filesDir" required files_dir: Text,
        /// Fetch only records changed since: `2026-01-01T00:00:00Z`.
        "since" optional since: Text,
        /// Maximum number of records.
        "limit" optional limit: Integer,
        /// Number of records to skip. Defaults to 0.
        "offset" optional offset: Integer,
        /// State that an earlier run left. The server writes it to `/osa/in/session.json`; the Job does not
        /// contain it.
        "session" optional session: Raw<Mapped<Anything>>,
    }
}

definition! {
    /// When the server runs a source.
    pub(crate) struct Schedule in "Source.spec.schedule" {
        /// Cron schedule.
        "cron" required cron: Text,
        /// Maximum number of records of each run.
        "limit" optional limit: Integer,
    }
}

definition! {
    /// How the server runs a source at its first start.
    pub(crate) struct InitialRun in "Source.spec.initialRun" {
        /// Maximum number of records.
        "limit" optional limit: Integer,
    }
}

definition! {
    /// A container that fetches records over the network.
    pub(crate) struct SourceSpec in "Source.spec" {
        flatten pod: PodFields,
        flatten job: JobFields,
        /// The convention that records are fetched for: its slug, or its resource name with a version.
        "convention" optional convention: Text,
        /// When the server runs the source. The Job does not contain it.
        "schedule" optional schedule: Raw<Schedule>,
        /// How the server runs the source at its first start. The Job does not contain it.
        "initialRun" optional initial_run: Raw<InitialRun>,
        /// The run. Without one the source is only checked.
        "run" optional run: SourceRun,
    }
}

/// The Job of a source.
pub(super) fn lower(
    definition: Definition<SourceSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, SourceSpec { pod, job, convention, schedule, initial_run, run }) =
        definition.open();
    let session = run.as_ref().and_then(|it| it.session.as_ref());
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
    let convention = convention.map(|it| names::convention(&it, lowering.sink)).transpose();
    let run = run.map(|run| read_run(run, lowering.sink)).transpose();
    let run = convention.and_then(|convention| Ok(run?.map(|run| Run { convention, ..run })));
    let work = Work { role: Role::Source, hook: Ok(None), pod, fields: job, run };
    job::lower(work, &frame, lowering)
}

fn read_run(run: SourceRun, sink: &mut Sink) -> Result<Run, Reported> {
    let variables = variables(&run, sink)?;
    let SourceRun { fields, files_dir, .. } = run;
    let files_dir = Some(files_dir);
    Ok(Run { fields, files_dir, deposition: None, convention: None, variables })
}

/// The variables of a run. A limit of 0 is a limit; an offset of 0 is none.
fn variables(run: &SourceRun, sink: &mut Sink) -> Result<Vec<Variable>, Reported> {
    let since = run.since.as_ref().map(|it| runs::check_since(it, sink)).transpose();
    let limit = run.limit.as_ref().map(|it| runs::check_count("limit", it, sink)).transpose();
    let offset = run.offset.as_ref().map(|it| runs::check_count("offset", it, sink)).transpose();
    let (since, limit, offset) = (since?, limit?, offset?.filter(|it| *it != 0));
    let variable = |name, value| Variable { name, value };
    let since = since.map(|it| variable("OSA_SINCE", it));
    let limit = limit.map(|it| variable("OSA_LIMIT", it.to_string()));
    let offset = offset.map(|it| variable("OSA_OFFSET", it.to_string()));
    Ok([since, limit, offset].into_iter().flatten().collect())
}
