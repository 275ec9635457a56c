//! TaskSpawners: one source, credentials, templates, names.

use super::spawner_templates::Rendered;
use super::tasks::{self, needs_controller};
use super::{
    SPAWNER_CREDENTIALS_INVALID, SPAWNER_SCHEDULE_INVALID, SPAWNER_SOURCE_INVALID, duplicates,
    spawner_names, spawner_templates,
};
use crate::decode::Text;
use crate::diag::{Diagnostic, Message, Reported, Sink, headlined, message};
use crate::dialect::kelos::settings::Target;
use crate::dialect::kelos::spawner::TaskSpawnerSpec;
use crate::dialect::kelos::template::Template;
use crate::lower::Frame;
use crate::scalar::check_schedule;

/// Sources whose events belong to a repository.
const OF_REPOSITORY: [&str; 4] =
    ["githubIssues", "githubPullRequests", "githubWebhook", "linearWebhook"];

/// Checks a `TaskSpawner` for every target.
///
/// # Errors
/// If it does not have exactly one source, or has a schedule that kelos cannot parse.
pub(in crate::dialect::kelos) fn check(
    frame: &Frame,
    spec: &TaskSpawnerSpec,
    target: Target,
    sink: &mut Sink,
) -> Result<(), Reported> {
    let name = &frame.metadata().name;
    let source = check_one_source(name, spec, sink);
    let fields = &spec.task_template.fields;
    let is_placed = fields.workspace.is_some() || fields.worker_pool.is_some();
    let sources = spec.when.sources();
    if let Some(source) =
        sources.iter().find(|source| OF_REPOSITORY.contains(source)).filter(|_| !is_placed)
    {
        let message = message!("source `{source}` requires `workspace` in `taskTemplate`");
        sink.report(
            Diagnostic::new(&SPAWNER_SOURCE_INVALID, name.span(), message)
                .at("has no workspace")
                .help("add `taskTemplate.workspace`"),
        );
    }
    check_credentials(frame, spec, sink);
    if target == Target::Resources {
        check_pool_names(spec, sink);
        if fields.worker_pool.is_some() {
            tasks::report_pool_conflicts(frame, fields, sink);
        }
    }
    let content = check_content(name, spec, target, sink);
    source.and(content)
}

/// Checks constraints of a `TaskSpawner` with one source that the schema of kelos does not have.
///
/// # Errors
/// If kelos cannot parse the schedule.
pub(super) fn check_content(
    name: &Text,
    spec: &TaskSpawnerSpec,
    target: Target,
    sink: &mut Sink,
) -> Result<(), Reported> {
    tasks::check_branch(&spec.task_template.fields, sink);
    let schedule = check_cron(spec, target, sink);
    spawner_templates::check(spec, sink);
    if target == Target::Resources {
        spawner_names::check(name, spec, sink);
    }
    schedule
}

/// Checks that there is exactly one source.
///
/// # Errors
/// If there is none, or more than one.
pub(super) fn check_one_source(
    name: &Text,
    spec: &TaskSpawnerSpec,
    sink: &mut Sink,
) -> Result<(), Reported> {
    let sources = spec.when.sources();
    if sources.len() != 1 {
        let message = if sources.is_empty() {
            "the TaskSpawner has no source in `when`".into()
        } else {
            message!(
                "the TaskSpawner has {} sources in `when`: {}",
                sources.len(),
                headlined(sources.iter().copied())
            )
        };
        return Err(sink.error(
            Diagnostic::new(&SPAWNER_SOURCE_INVALID, name.span(), message)
                .at("must have one source")
                .note("kelos uses only one of several sources, and starts no Task without a source")
                .help("set exactly one field of `when`"),
        ));
    }
    Ok(())
}

/// Checks the schedule and the prompt of a `CronJob`.
///
/// # Errors
/// If only the controller of kelos can start these Tasks.
pub(in crate::dialect::kelos) fn check_without_controller(
    frame: &Frame,
    spec: &TaskSpawnerSpec,
    sink: &mut Sink,
) -> Result<(Text, Text), Reported> {
    let name = frame.metadata().name.span();
    let Some(cron) = &spec.when.cron else {
        let source = spec.when.sources().first().copied().unwrap_or("when");
        return Err(sink.error(
            needs_controller(name, message!("source `{source}` needs the kelos controller"))
                .note("a CronJob only has a schedule"),
        ));
    };
    let before = sink.len();
    let template = &spec.task_template;
    let fields = &template.fields;
    tasks::check_deadline(fields, sink);
    let mut refuse = |place, message: Message| sink.report(needs_controller(place, message));
    if let Some(second) = spec.credentials.as_ref().and_then(|list| list.items.get(1)) {
        refuse(second.name.span(), "a pool of credentials has more than one entry".into());
    }
    if let Some(total) = spec.max_total_tasks.as_ref().filter(|total| total.as_i64() > 0) {
        refuse(total.span(), "a CronJob does not support `maxTotalTasks`".into());
    }
    if let Some(most) = spec.max_concurrency.as_ref().filter(|most| most.as_i64() > 1) {
        refuse(most.span(), "a CronJob does not support `maxConcurrency` greater than 1".into());
    }
    if let Some(pool) = &fields.worker_pool {
        refuse(pool.span(), "a CronJob does not support `workerPool`".into());
    }
    if let Some(first) = fields.depends_on.as_ref().and_then(|names| names.items.first()) {
        refuse(first.span(), "a CronJob does not support `dependsOn` of a TaskSpawner".into());
    }
    if let Some(own) = &template.name_template {
        refuse(
            own.span(),
            "`nameTemplate` has no effect on a CronJob, which names its Jobs itself".into(),
        );
    }
    if let Some(first) = template.context_sources.as_ref().and_then(|list| list.items.first()) {
        refuse(first.node.span(), "`contextSources` are fetched when a Task is started".into());
    }
    for Rendered { field, text, place, .. } in spawner_templates::rendered_fields(template) {
        if Template::parse(text).is_ok_and(|it| it.has_actions) {
            refuse(place, message!("`{field}` is a template of the event that starts a Task"));
        }
    }
    let Some(prompt) = &template.prompt_template else {
        return Err(sink.error(
            needs_controller(name, "`taskTemplate` has no `promptTemplate`")
                .note("by default the prompt is the title of the event that starts a Task")
                .help("add `promptTemplate`"),
        ));
    };
    match sink.reported().filter(|_| sink.len() > before) {
        Some(reported) => Err(reported),
        None => Ok((cron.schedule.clone(), prompt.clone())),
    }
}

fn check_credentials(frame: &Frame, spec: &TaskSpawnerSpec, sink: &mut Sink) {
    let fields = &spec.task_template.fields;
    let pool = spec.credentials.as_ref().and_then(|list| list.items.first());
    if let Some(own) = &fields.credentials {
        tasks::check_secret(own, sink);
    }
    let own = match (&fields.credentials, &fields.worker_pool) {
        (Some(own), _) => Some(("taskTemplate.credentials", own.credentials_type.span())),
        (None, Some(pool)) => Some(("taskTemplate.workerPool", pool.span())),
        (None, None) => None,
    };
    let finding =
        |place, message: Message| Diagnostic::new(&SPAWNER_CREDENTIALS_INVALID, place, message);
    match (pool, own) {
        (Some(pool), Some((field, place))) => sink.report(
            finding(place, message!("`{field}` and `credentials` are mutually exclusive"))
                .at("set here")
                .label(pool.name.span(), "also set here")
                .help(message!("remove `{field}`, or `credentials`")),
        ),
        (None, None) => sink.report(
            finding(frame.metadata().name.span(), "the TaskSpawner has no credentials".into())
                .at("has no credentials")
                .help("add `taskTemplate.credentials`, or `credentials`"),
        ),
        _ => {}
    }
}

/// Checks that the names of the entries of the pool differ. A `CronJob` only supports one entry.
fn check_pool_names(spec: &TaskSpawnerSpec, sink: &mut Sink) {
    let names = spec.credentials.iter().flat_map(|it| &it.items).map(|it| &it.name);
    for (name, span, first) in duplicates(names.map(|name| (name.as_str(), name.span()))) {
        let message = message!("duplicate name `{name}` in `credentials`");
        sink.report(
            Diagnostic::new(&SPAWNER_CREDENTIALS_INVALID, span, message)
                .at("defined again here")
                .label(first, "first defined here")
                .note("the API server rejects the TaskSpawner")
                .help("rename one of the entries"),
        );
    }
}

/// Checks a schedule. The spawner of kelos only accepts five fields. A `CronJob` also accepts
/// names, and is checked as an object.
fn check_cron(spec: &TaskSpawnerSpec, target: Target, sink: &mut Sink) -> Result<(), Reported> {
    let Some(schedule) = spec.when.cron.as_ref().map(|it| &it.schedule) else { return Ok(()) };
    let text = schedule.as_str();
    let fault = if text.starts_with('@') {
        "is a name, but kelos only reads five fields".into()
    } else if text.starts_with("TZ=") || text.starts_with("CRON_TZ=") {
        "sets a time zone, but kelos reads schedules in UTC".into()
    } else {
        match check_schedule(text) {
            Err(fault) if target == Target::Resources => message!("{fault}"),
            _ => return Ok(()),
        }
    };
    Err(sink.error(
        Diagnostic::new(
            &SPAWNER_SCHEDULE_INVALID,
            schedule.span(),
            message!("invalid schedule `{text}`: it {fault}"),
        )
        .at("not five fields")
        .help("write minute, hour, day of the month, month and day of the week: `0 9 * * 1`"),
    ))
}
