//! Checks of single Tasks.

use super::{
    NEEDS_KELOS_CONTROLLER, PROMPT_TEMPLATE_INVALID, TASK_INCOMPLETE, TASK_SUSPENDED,
    TASK_WITHOUT_WORKSPACE, WORKER_POOL_CONFLICT, workspaces,
};
use crate::decode::{Choice, Integer, NameOr, Text};
use crate::diag::{Diagnostic, Message, Reported, Severity, Sink, listed, message};
use crate::dialect::kelos::agent::Credentials;
use crate::dialect::kelos::names::BRANCH_SETUP;
use crate::dialect::kelos::resources;
use crate::dialect::kelos::task::{TaskFields, needs_secret};
use crate::dialect::kelos::template::Template;
use crate::lower::Frame;
use crate::schema::NUMBER_OUT_OF_RANGE;
use crate::sorted::SortedSet;
use crate::source::Span;

/// Results that the entrypoints of the bundled images report.
const RESULTS: [&str; 7] =
    ["base-branch", "branch", "commit", "cost-usd", "input-tokens", "output-tokens", "pr"];

/// The only value that prompts of Tasks can read.
const DEPENDENCIES: &str = "Deps";

/// Checks a Task for every target.
pub(in crate::dialect::kelos) fn check(
    frame: &Frame,
    fields: &TaskFields,
    prompt: &Text,
    sink: &mut Sink,
) {
    check_content(fields, prompt, sink);
    if fields.worker_pool.is_some() {
        report_pool_conflicts(frame, fields, sink);
        return;
    }
    if let Some(credentials) = &fields.credentials {
        check_secret(credentials, sink);
    } else {
        let place = frame.metadata().name.span();
        sink.report(
            Diagnostic::new(&TASK_INCOMPLETE, place, "the Task has no `credentials`")
                .at("has no credentials")
                .help("add `credentials: {type: api-key, secretRef: {name: SECRET}}`, or `credentials: {type: none}` for a cloud identity"),
        );
    }
}

/// Checks constraints that the schema of kelos does not have.
pub(super) fn check_content(fields: &TaskFields, prompt: &Text, sink: &mut Sink) {
    if prompt.as_str().trim().is_empty() {
        sink.report(
            Diagnostic::new(&TASK_INCOMPLETE, prompt.span(), "empty `prompt`")
                .at("must not be empty")
                .note("the entrypoint of the agent stops without a prompt")
                .help("write the prompt for the agent"),
        );
    }
    if fields.worker_pool.is_none() {
        report_unused_without_workspace(fields, sink);
        check_prompt_template(fields, prompt, sink);
        check_branch(fields, sink);
    }
}

/// Checks the branch that an init container checks out.
pub(super) fn check_branch(fields: &TaskFields, sink: &mut Sink) {
    if let (Some(branch), Some(_)) = (&fields.branch, &fields.workspace) {
        workspaces::check_git_name("branch", branch, BRANCH_SETUP, sink);
    }
}

/// Reports a deadline that kelos rejects because it would pass before the Pod starts.
pub(super) fn check_deadline(fields: &TaskFields, sink: &mut Sink) {
    let Some(seconds) = fields.active_deadline_seconds.as_ref().map(|it| &it.node) else { return };
    let Some(number) = seconds.as_i64().filter(|number| *number < 1) else { return };
    sink.report(
        Diagnostic::new(
            &NUMBER_OUT_OF_RANGE,
            seconds.span(),
            message!("`activeDeadlineSeconds` {number} is below 1"),
        )
        .at("must be at least 1")
        .note("the Job controller stops the Job before its Pod starts")
        .help("write a larger number, or remove it"),
    );
}

/// Checks the Secret, which all types of credentials except `none` require.
pub(in crate::dialect::kelos) fn check_secret(credentials: &Credentials, sink: &mut Sink) {
    if !needs_secret(credentials) || credentials.secret_ref.is_some() {
        return;
    }
    let kind = credentials.credentials_type.as_str();
    sink.report(
        Diagnostic::new(
            &TASK_INCOMPLETE,
            credentials.credentials_type.span(),
            message!("credentials of type `{kind}` have no `secretRef`"),
        )
        .at("requires a Secret")
        .help("add `secretRef: {name: SECRET}`"),
    );
}

/// Reports features that require a running kelos controller.
///
/// # Errors
/// If the Task cannot be a Job.
pub(in crate::dialect::kelos) fn check_without_controller(
    frame: &Frame,
    fields: &TaskFields,
    prompt: &Text,
    sink: &mut Sink,
) -> Result<(), Reported> {
    if let Some(pool) = &fields.worker_pool {
        return Err(sink.error(
            needs_controller(pool.span(), "a Job does not support `workerPool`")
                .note("the kelos controller sends the Task to a Pod of the pool"),
        ));
    }
    check_deadline(fields, sink);
    let dependencies = fields.depends_on.as_ref();
    let Some(first) = dependencies.and_then(|list| list.items.first()) else { return Ok(()) };
    if let Ok(template) = Template::parse(prompt.as_str())
        && template.has_actions
    {
        return Err(sink.error(
            needs_controller(prompt.span(), "the prompt is a template of other Tasks' results")
                .note("the results exist only after those Tasks have run"),
        ));
    }
    sink.report(
        Diagnostic::new(
            &TASK_SUSPENDED,
            first.span(),
            message!("Job `{}` is suspended: nothing starts it after its dependencies", frame.metadata().name.as_str()),
        )
        .at("must succeed first")
        .note("a Job cannot wait for another Job")
        .help("resume it with `kubectl patch job NAME -p '{\"spec\":{\"suspend\":false}}'`, or set `kelos: {target: resources}` in the Project"),
    );
    Ok(())
}

/// The finding for a feature that requires kelos in the cluster.
pub(in crate::dialect::kelos) fn needs_controller(
    place: impl Into<Span>,
    message: impl Into<Message>,
) -> Diagnostic {
    Diagnostic::new(&NEEDS_KELOS_CONTROLLER, place, message)
        .at("needs the kelos controller")
        .help("set `kelos: {target: resources}` in the Project")
}

/// Reports fields that conflict with a worker pool, which determines its Pods.
/// Its agent uses `model`, `effort` and `upstreamRepo` of the Task.
pub(super) fn report_pool_conflicts(frame: &Frame, fields: &TaskFields, sink: &mut Sink) {
    let text = |text: &Option<Text>| text.as_ref().map(Text::span);
    let name = frame.metadata().name.span();
    let workspace = fields.workspace.as_ref().map(|workspace| match workspace {
        NameOr::Name(text) => text.span(),
        NameOr::Inline(inline) => inline.repo.span(),
    });
    // No field of an inline AgentConfig is required.
    let first_config = fields.agent_configs.as_ref().and_then(|list| list.items.first());
    let configs = first_config.map(|config| match config {
        NameOr::Name(text) => text.span(),
        NameOr::Inline(_) => name,
    });
    let credentials = fields.credentials.as_ref().map(|it| it.credentials_type.span());
    let first_dependency = fields.depends_on.as_ref().and_then(|names| names.items.first());
    let policy = fields.pod_failure_policy.as_ref().map(|it| it.node.span());
    let deadline = fields.active_deadline_seconds.as_ref().map(|it| it.node.span());
    let own = [
        ("agent", fields.agent.as_ref().map(Choice::span)),
        ("credentials", credentials),
        ("branch", text(&fields.branch)),
        ("image", text(&fields.pod.container.image)),
        ("dependsOn", first_dependency.map(Text::span)),
        ("ttlSecondsAfterFinished", fields.ttl_seconds_after_finished.as_ref().map(Integer::span)),
        ("podFailurePolicy", policy),
        ("workspace", workspace),
        ("agentConfigs", configs),
        ("activeDeadlineSeconds", deadline),
    ];
    let own = own.into_iter().filter_map(|(field, place)| Some((field, place?)));
    let pool = fields.worker_pool.as_ref().map(Text::span);
    for (field, place) in own.chain(resources::overridden(frame, fields.pod.clone())) {
        let message = message!("`{field}` is not supported with `workerPool`");
        let finding = Diagnostic::new(&WORKER_POOL_CONFLICT, place, message)
            .at("decided by the pool")
            .help(message!("remove `{field}`, or `workerPool`"));
        sink.report(match pool {
            Some(pool) => finding.label(pool, "the pool is chosen here"),
            None => finding,
        });
    }
}

fn report_unused_without_workspace(fields: &TaskFields, sink: &mut Sink) {
    if fields.workspace.is_some() {
        return;
    }
    let unused = [("branch", &fields.branch), ("upstreamRepo", &fields.upstream_repo)];
    for (field, text) in unused {
        let Some(text) = text.as_ref().filter(|text| !text.as_str().is_empty()) else { continue };
        sink.report(
            Diagnostic::new(
                &TASK_WITHOUT_WORKSPACE,
                text.span(),
                message!("`{field}` has no effect without a workspace"),
            )
            .at("no repository to use it in")
            .help(message!("add a workspace, or remove `{field}`")),
        );
    }
}

/// Checks the prompt template of a Task with dependencies. kelos renders it, and uses it unrendered
/// if that fails.
fn check_prompt_template(fields: &TaskFields, prompt: &Text, sink: &mut Sink) {
    let names: SortedSet<_> =
        fields.depends_on.iter().flat_map(|it| &it.items).map(Text::as_str).collect();
    if !prompt.as_str().contains("{{") {
        return;
    }
    if names.is_empty() {
        if let Some(finding) = unrendered_finding(prompt) {
            sink.report(finding);
        }
        return;
    }
    let finding = |message: Message| {
        Diagnostic::new(&PROMPT_TEMPLATE_INVALID, prompt.span(), message)
            .at("read as a template")
            .note("kelos then passes the unrendered prompt to the agent")
    };
    let template = match Template::parse(prompt.as_str()) {
        Err(cause) => {
            let help = "read results with `{{index .Deps \"TASK\" \"Results\" \"branch\"}}`";
            sink.report(finding(message!("the prompt template {cause}")).help(help));
            return;
        }
        Ok(template) => template,
    };
    for read in &template.reads {
        let mut path = read.path.iter().map(String::as_str);
        if path.next() != Some(DEPENDENCIES) {
            let name = read.path.first().map_or("", String::as_str);
            sink.report(finding(message!(
                "the prompt template reads `.{name}`, which does not exist"
            )));
            continue;
        }
        if let Some(task) = path.next().filter(|task| !names.contains(task)) {
            let message =
                message!("the prompt template reads Task `{task}`, which is not in `dependsOn`");
            sink.report(finding(message).help(message!("add `{task}` to `dependsOn`")));
        }
        match (path.next(), path.next()) {
            (None | Some("Name" | "Outputs"), _) => {}
            (Some("Results"), key) => {
                let Some(key) = key.filter(|key| !RESULTS.contains(key)) else { continue };
                let message = message!(
                    "the prompt template reads the result `{key}`, which no bundled agent reports"
                );
                sink.report(
                    Diagnostic::new(&PROMPT_TEMPLATE_INVALID, prompt.span(), message)
                        .at("read as a template")
                        .note("an unknown result is empty")
                        .help(message!("use one of {}", listed(RESULTS))),
                );
            }
            (Some(part), _) => {
                let message = message!("the prompt template reads `{part}`, which no Task has");
                sink.report(finding(message).help("write `Results`, `Outputs` or `Name`"));
            }
        }
    }
}

/// Reports a template in the prompt of a Task without dependencies, which kelos does not render.
/// Other text in braces, such as `${{ github.sha }}`, may be intended for the agent.
fn unrendered_finding(prompt: &Text) -> Option<Diagnostic> {
    let template = Template::parse(prompt.as_str()).ok().filter(|it| it.has_actions)?;
    let mut names = template.reads.iter().filter_map(|read| read.path.first());
    let is_of_tasks = names.any(|name| name == DEPENDENCIES);
    let finding = |message: &'static str| {
        Diagnostic::new(&PROMPT_TEMPLATE_INVALID, prompt.span(), message)
            .at("not rendered")
            .note("kelos passes the prompt to the agent unchanged, including the braces")
    };
    if is_of_tasks {
        let message = "the prompt reads results of other Tasks, but the Task has no `dependsOn`";
        return Some(finding(message).help("add the Tasks to `dependsOn`"));
    }
    let mut found = finding("the prompt has a template, but the Task has no `dependsOn`")
        .help("write the value itself, or ignore this if the agent needs the braces");
    found.severity = Severity::Note;
    Some(found)
}
