//! `Task`: a run of an agent, as a Job.

use super::agent::{Agent, Credentials, CredentialsType};
use super::agent_config::{AgentConfig, AgentConfigSpec};
use super::plan::Plan;
use super::rules;
use super::settings::Target;
use super::template::Template;
use super::workspace::WorkspaceSpec;
use super::{job, mcp, names, resources};
use crate::decode::{Choice, Integer, Listed, NameOr, Shaped, Text, definition, kubernetes_types};
use crate::diag::{Diagnostic, Reported, Sink};
use crate::lower::{DataKind, Definition, Frame, Instances, Lowering};
use crate::workload::PodFields;

kubernetes_types! {
    /// `podFailurePolicy` of a Job.
    PodFailurePolicy = "io.k8s.api.batch.v1.JobSpec"."podFailurePolicy";
    /// `activeDeadlineSeconds` of a Job.
    ActiveDeadlineSeconds = "io.k8s.api.batch.v1.JobSpec"."activeDeadlineSeconds";
}

definition! {
    /// The fields of a run of an agent, which Tasks and TaskSpawners share.
    pub(crate) struct TaskFields in "task fields" {
        flatten pod: PodFields,
        /// Agent that runs: `claude-code`, `codex`, `gemini`, `opencode` or `cursor`.
        "agent" optional agent: Choice<Agent>,
        /// Credentials of the agent.
        "credentials" optional credentials: Credentials,
        /// Model that the agent uses.
        "model" optional model: Text,
        /// Reasoning effort of the agent, in the agent's own terms.
        "effort" optional effort: Text,
        /// Name of the Workspace, in the same namespace, or an inline `spec` of one.
        "workspace" optional workspace: NameOr<WorkspaceSpec>,
        /// `AgentConfig` definitions, in the same namespace, by name or as an inline `spec`. Later
        /// ones add to earlier ones.
        "agentConfigs" optional agent_configs: Listed<NameOr<AgentConfigSpec>>,
        /// Branch that the agent works on. It is created if the remote does not have it.
        "branch" optional branch: Text,
        /// Repository, as `owner/repo`, that the workspace's repository was forked from.
        "upstreamRepo" optional upstream_repo: Text,
        /// Names of the Tasks, in the same namespace, that must succeed first.
        "dependsOn" optional depends_on: Listed<Text>,
        /// Seconds after which the Job is stopped.
        "activeDeadlineSeconds" optional active_deadline_seconds: Shaped<ActiveDeadlineSeconds>,
        /// Seconds after which the finished Job is deleted. Defaults to never.
        "ttlSecondsAfterFinished" optional ttl_seconds_after_finished: Integer,
        /// Failure policy of the Job. By default a failed agent is run once more.
        "podFailurePolicy" optional pod_failure_policy: Shaped<PodFailurePolicy>,
        /// Name of the `WorkerPool` that runs the Task. For the target `resources`.
        "workerPool" optional worker_pool: Text,
    }
}

definition! {
    /// One run of a coding agent. The main container, that of the agent, is named `kelos-agent`;
    /// lists in `podOverrides` are appended.
    pub(crate) struct TaskSpec in "Task.spec" {
        flatten fields: TaskFields,
        /// Prompt for the agent.
        "prompt" required prompt: Text,
    }
}

/// The keys of a Secret with a GitHub App.
const APP_KEYS: [&str; 3] = ["appID", "installationID", "privateKey"];

/// Lowers a Task to a Job and its ConfigMap, or a Task of kelos.
pub(super) fn lower(
    definition: Definition<TaskSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, TaskSpec { fields, prompt }) = definition.open();
    rules::tasks::check(&frame, &fields, &prompt, lowering.sink);
    if lowering.setup.target() == Some(Target::Resources) {
        // A fault that is reported here is not reported for the object as well.
        lowering.sink.reported().map_or(Ok(()), Err)?;
        check_builder(&frame, &fields, prompt.clone(), lowering.instances, lowering.sink)?;
        resources::task(&frame, fields, &prompt, lowering);
        return Ok(());
    }
    rules::tasks::check_without_controller(&frame, &fields, &prompt, lowering.sink)?;
    let labels = frame.metadata().labels.as_ref();
    let label = labels.and_then(|labels| labels.node.str_at(&[names::LABEL_SPAWNER]));
    let spawner = label.filter(|it| !it.is_empty()).map(str::to_owned);
    let is_suspended = count(fields.depends_on.as_ref()) > 0;
    let prompt = if is_suspended { without_comments(prompt) } else { prompt };
    let plan = resolve_plan(&frame, &fields, prompt, spawner, lowering.instances, lowering.sink)?;
    let built = job::build(&plan, fields, &frame, lowering);
    let mut spec = built.spec;
    if is_suspended {
        spec.set("suspend", crate::tree::Node::bool(true, frame.managed()));
    }
    job::emit_plugins(&plan, &frame, lowering);
    lowering
        .object(&frame, "batch/v1", "Job")
        .labels(built.labels)
        .owned_labels(job::built_in_labels(&plan, &frame), "kelos")
        .set("spec", spec)
        .emit();
    Ok(())
}

/// A prompt as kelos renders it if it is a template without values: without its comments. kelos passes an
/// invalid template unchanged.
pub(super) fn without_comments(prompt: Text) -> Text {
    match Template::parse(prompt.as_str()) {
        Ok(template) if !template.has_actions => prompt.with_text(&template.text),
        _ => prompt,
    }
}

/// Reports faults of a Task, printed as a custom resource, that kelos' builder would reject. A
/// Workspace or `AgentConfig` that is not in the input is left out.
///
/// # Errors
/// If the controller cannot create a Job.
pub(super) fn check_builder(
    frame: &Frame,
    fields: &TaskFields,
    prompt: Text,
    instances: &Instances<'_>,
    sink: &mut Sink,
) -> Result<(), Reported> {
    if fields.worker_pool.is_some() {
        return Ok(());
    }
    let known = in_input(frame, fields.clone(), instances);
    let is_whole = known.workspace.is_some() == fields.workspace.is_some()
        && count(known.agent_configs.as_ref()) == count(fields.agent_configs.as_ref());
    let plan = resolve_plan(frame, &known, prompt, None, instances, sink)?;
    job::check(&plan, known.pod, is_whole, frame, sink);
    sink.reported().map_or(Ok(()), Err)
}

/// The number of items of a list; 0 if it is absent.
pub(super) fn count<T>(list: Option<&Listed<T>>) -> usize {
    list.map_or(0, |list| list.items.len())
}

/// The fields without references to definitions that are not in the input, or cannot be read.
pub(super) fn in_input(
    frame: &Frame,
    mut fields: TaskFields,
    instances: &Instances<'_>,
) -> TaskFields {
    let namespace = frame.namespace();
    fields.workspace = fields.workspace.filter(|workspace| match workspace {
        NameOr::Name(name) => instances.can_read::<WorkspaceSpec>(namespace, name.as_str()),
        NameOr::Inline(_) => true,
    });
    if let Some(configs) = &mut fields.agent_configs {
        configs.items.retain(|config| match config {
            NameOr::Name(name) => instances.can_read::<AgentConfigSpec>(namespace, name.as_str()),
            NameOr::Inline(_) => true,
        });
    }
    fields
}

/// Resolves all references of a Task.
pub(super) fn resolve_plan(
    frame: &Frame,
    fields: &TaskFields,
    prompt: Text,
    spawner: Option<String>,
    instances: &Instances<'_>,
    sink: &mut Sink,
) -> Result<Plan, Reported> {
    let name = frame.metadata().name.as_str().to_owned();
    let place = frame.metadata().name.span();
    let Some(agent) = &fields.agent else { return Err(report_no_agent(place, sink)) };
    let agent = agent.value;
    let workspace = resolve_workspace(frame, fields.workspace.as_ref(), instances, sink);
    let configs = resolve_configs(frame, fields.agent_configs.as_ref(), instances, sink);
    let (workspace, config) = (workspace?, AgentConfig::merge(configs?));
    rules::configs::check_merged(&config, sink)?;
    let token_secret = workspace.as_ref().and_then(|own| token_secret(own, frame, instances));
    let data_of = |kind, name: &str| instances.data(kind, frame.namespace(), name);
    let mcp = mcp::render(&config.mcp_servers, &data_of);
    let credentials = fields.credentials.as_ref().and_then(|credentials| {
        let variable = agent.variable(credentials.credentials_type.value)?;
        Some((variable, credentials.secret_ref.as_ref()?.name.clone()))
    });
    let image = fields.pod.container.image.as_ref();
    Ok(Plan {
        name,
        place,
        agent,
        prompt,
        is_own_image: image.is_some_and(|image| !image.as_str().is_empty()),
        model: fields.model.clone(),
        effort: fields.effort.clone(),
        branch: fields.branch.clone(),
        upstream_repo: fields.upstream_repo.clone(),
        spawner,
        credentials,
        workspace,
        token_secret,
        config,
        mcp,
    })
}

fn report_no_agent(place: crate::source::Span, sink: &mut Sink) -> Reported {
    sink.error(
        Diagnostic::new(&rules::TASK_INCOMPLETE, place, "the Task has no `agent`")
            .at("has no agent")
            .help("add `agent: claude-code`, or another agent"),
    )
}

fn resolve_workspace(
    frame: &Frame,
    workspace: Option<&NameOr<WorkspaceSpec>>,
    instances: &Instances<'_>,
    sink: &mut Sink,
) -> Result<Option<WorkspaceSpec>, Reported> {
    match workspace {
        None => Ok(None),
        Some(NameOr::Inline(spec)) => {
            rules::workspaces::check(spec, sink);
            Ok(Some((**spec).clone()))
        }
        Some(NameOr::Name(name)) => {
            let found = instances.find::<WorkspaceSpec>(frame.namespace(), name, sink)?;
            Ok(Some(found.spec))
        }
    }
}

fn resolve_configs(
    frame: &Frame,
    configs: Option<&Listed<NameOr<AgentConfigSpec>>>,
    instances: &Instances<'_>,
    sink: &mut Sink,
) -> Result<Vec<AgentConfigSpec>, Reported> {
    let configs = configs.into_iter().flat_map(|it| &it.items);
    // Look up all of them, so that every missing one is reported.
    let all: Vec<_> = configs.map(|entry| resolve_config(frame, entry, instances, sink)).collect();
    all.into_iter().collect()
}

fn resolve_config(
    frame: &Frame,
    config: &NameOr<AgentConfigSpec>,
    instances: &Instances<'_>,
    sink: &mut Sink,
) -> Result<AgentConfigSpec, Reported> {
    match config {
        NameOr::Inline(spec) => {
            rules::configs::check(spec, sink);
            Ok((**spec).clone())
        }
        NameOr::Name(name) => {
            let found = instances.find::<AgentConfigSpec>(frame.namespace(), name, sink)?;
            is_sound(|sink| rules::configs::check(&found.spec, sink))?;
            Ok(found.spec)
        }
    }
}

/// Whether a definition has no errors. They are reported when the definition itself is lowered.
fn is_sound(check: impl FnOnce(&mut Sink)) -> Result<(), Reported> {
    let mut findings = Sink::new();
    check(&mut findings);
    findings.reported().map_or(Ok(()), Err)
}

/// The Secret with the token: that of the Workspace, or the one with the token of its GitHub App.
fn token_secret(
    workspace: &WorkspaceSpec,
    frame: &Frame,
    instances: &Instances<'_>,
) -> Option<Text> {
    let secret = &workspace.secret_ref.as_ref()?.name;
    let task = frame.metadata().name.as_str();
    // An object without a namespace gets that of the command that applies it.
    let data = [frame.namespace(), ""]
        .into_iter()
        .find_map(|namespace| instances.data(DataKind::Secret, namespace, secret.as_str()));
    let has_app_keys = data.is_some_and(|data| APP_KEYS.iter().all(|key| data.get(key).is_some()));
    let is_app = workspace.github_app.as_ref().map_or(has_app_keys, crate::decode::Flag::is_set);
    Some(if is_app { secret.with_text(format!("{task}-github-token")) } else { secret.clone() })
}

/// Whether credentials of this type need a Secret.
pub(super) fn needs_secret(credentials: &Credentials) -> bool {
    credentials.credentials_type.value != CredentialsType::None
}
