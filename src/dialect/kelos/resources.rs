//! The custom resources of kelos, for a cluster where its controller runs.

use super::API_VERSION;
use super::agent::{Credentials, SecretReference};
use super::agent_config::{
    AgentConfigSpec, McpServer, Plugin, PluginFile, SecretSource, SkillSource,
};
use super::names::AGENT_CONTAINER;
use super::rules::KELOS_FIELD_UNSUPPORTED;
use super::spawner::{TaskSpawnerSpec, When};
use super::task::TaskFields;
use super::workspace::WorkspaceSpec;
use crate::decode::{Choice, Integer, Listed, NameOr, Text};
use crate::diag::{Diagnostic, Sink, message};
use crate::kube::escape_expansion;
use crate::lower::{Frame, Lowering};
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::{Entry, Node};
use crate::workload::{PodFields, PodPart};

/// Emits a Task of kelos, and the resources of its inline definitions.
pub(super) fn task(
    frame: &Frame,
    fields: TaskFields,
    prompt: &Text,
    lowering: &mut Lowering<'_, '_>,
) {
    let mut spec = task_fields(frame, fields, lowering);
    spec.set("prompt", literal(prompt));
    lowering.emit(frame, API_VERSION, "Task", spec);
}

/// The fields that a Task and the template of a `TaskSpawner` share.
pub(super) fn task_fields(
    frame: &Frame,
    fields: TaskFields,
    lowering: &mut Lowering<'_, '_>,
) -> Node {
    let TaskFields {
        pod,
        agent,
        credentials,
        model,
        effort,
        workspace: own_workspace,
        agent_configs,
        branch,
        upstream_repo,
        depends_on,
        active_deadline_seconds,
        ttl_seconds_after_finished,
        pod_failure_policy,
        worker_pool,
    } = fields;
    let mut spec = frame.map();
    let mut worker = frame.map();
    worker.set_some("type", agent.map(Choice::into_node));
    worker.set_some("credentials", credentials.map(|it| self::credentials(frame, it)));
    // A worker is not allowed next to the reference to a pool.
    let of_run = if worker_pool.is_some() { &mut spec } else { &mut worker };
    of_run.set_some("model", model.map(Text::into_node));
    of_run.set_some("effort", effort.map(Text::into_node));
    worker.set_some("image", pod.container.image.clone().map(Text::into_node));
    worker.set_some(
        "workspaceRef",
        own_workspace.map(|it| match it {
            NameOr::Name(name) => frame.map_of("name", name.into_node()),
            NameOr::Inline(inline) => {
                let name = frame.name_with(|name| format!("{name}-workspace"));
                workspace(frame, name.clone(), *inline, lowering);
                frame.map_of("name", name)
            }
        }),
    );
    let configs = agent_configs.into_iter().flat_map(|it| it.items).enumerate();
    let configs: Vec<_> = configs
        .map(|(at, it)| match it {
            NameOr::Name(name) => frame.map_of("name", name.into_node()),
            NameOr::Inline(inline) => {
                let name = frame.name_with(|name| format!("{name}-config-{at}"));
                agent_config(frame, name.clone(), *inline, lowering);
                frame.map_of("name", name)
            }
        })
        .collect();
    worker.set_some("agentConfigRefs", (!configs.is_empty()).then(|| frame.list(configs)));
    let deadline = active_deadline_seconds.map(|it| it.node);
    let overrides = pod_overrides(frame, pod, deadline.as_ref(), lowering.sink);
    worker.set_some("podOverrides", (!overrides.entries().is_empty()).then_some(overrides));
    if !worker.entries().is_empty() {
        spec.set("worker", worker);
    }
    spec.set_some("workerPoolRef", worker_pool.map(|it| frame.map_of("name", it.into_node())));
    spec.set_some("branch", branch.map(Text::into_node));
    spec.set_some("upstreamRepo", upstream_repo.map(Text::into_node));
    spec.set_some("dependsOn", depends_on.map(|it| texts(frame, it)));
    spec.set_some("ttlSecondsAfterFinished", ttl_seconds_after_finished.map(Integer::into_node));
    spec.set_some("podFailurePolicy", pod_failure_policy.map(|it| it.node));
    spec
}

/// A Workspace of kelos.
pub(super) fn workspace(
    frame: &Frame,
    name: Node,
    spec: WorkspaceSpec,
    lowering: &mut Lowering<'_, '_>,
) {
    // kelos itself detects whether a Secret is a GitHub App.
    let WorkspaceSpec { repo, reference, secret_ref, github_app: _, remotes, files, setup_command } =
        spec;
    let mut node = frame.map_of("repo", repo.into_node());
    node.set_some("ref", reference.map(Text::into_node));
    node.set_some("secretRef", secret_ref.map(|it| secret(frame, it)));
    node.set_some(
        "remotes",
        remotes.map(|it| {
            list(frame, it, |it| {
                let mut remote = frame.map_of("name", it.name.into_node());
                remote.set("url", it.url.into_node());
                remote
            })
        }),
    );
    node.set_some(
        "files",
        files.map(|it| {
            list(frame, it, |it| {
                let mut file = frame.map_of("path", it.path.into_node());
                file.set("content", it.content.into_node());
                file
            })
        }),
    );
    // An empty list is the same as none, but kelos rejects it.
    let command = setup_command
        .filter(|it| !it.items.is_empty())
        .map(|it| list(frame, it, |word| literal(&word)));
    node.set_some("setupCommand", command);
    lowering.object(frame, API_VERSION, "Workspace").name(name).set("spec", node).emit();
}

/// An `AgentConfig` of kelos.
pub(super) fn agent_config(
    frame: &Frame,
    name: Node,
    spec: AgentConfigSpec,
    lowering: &mut Lowering<'_, '_>,
) {
    let AgentConfigSpec { instructions, plugins, skills, mcp_servers } = spec;
    let mut node = frame.map();
    node.set_some("agentsMD", instructions.map(|it| literal(&it)));
    node.set_some("plugins", plugins.map(|it| list(frame, it, |it| plugin(frame, it))));
    node.set_some("skills", skills.map(|it| list(frame, it, |it| skill(frame, it))));
    node.set_some("mcpServers", mcp_servers.map(|it| list(frame, it, |it| server(frame, it))));
    lowering.object(frame, API_VERSION, "AgentConfig").name(name).set("spec", node).emit();
}

/// A `TaskSpawner` of kelos.
pub(super) fn task_spawner(frame: &Frame, spec: TaskSpawnerSpec, lowering: &mut Lowering<'_, '_>) {
    let TaskSpawnerSpec {
        when,
        task_template,
        credentials: pool,
        max_concurrency,
        max_total_tasks,
        suspend,
    } = spec;
    let mut node = frame.map_of("when", source(frame, when));
    node.set("taskTemplate", task_template.into_node(frame, lowering));
    node.set_some(
        "credentials",
        // An empty list is the same as none, but kelos rejects it.
        pool.filter(|it| !it.items.is_empty()).map(|it| {
            list(frame, it, |it| {
                let mut entry = frame.map_of("name", it.name.into_node());
                entry.set("type", it.credentials_type.into_node());
                entry.set("secretRef", secret(frame, it.secret_ref));
                entry
            })
        }),
    );
    node.set_some("maxConcurrency", max_concurrency.map(Integer::into_node));
    node.set_some("maxTotalTasks", max_total_tasks.map(Integer::into_node));
    node.set_some("suspend", suspend.map(crate::decode::Flag::into_node));
    lowering.emit(frame, API_VERSION, "TaskSpawner", node);
}

fn source(frame: &Frame, when: When) -> Node {
    let When {
        github_issues,
        github_pull_requests,
        cron,
        jira,
        github_webhook,
        linear_webhook,
        webhook,
        slack,
    } = when;
    let mut node = frame.map();
    let cron = cron.map(|it| frame.map_of("schedule", it.schedule.into_node()));
    node.set_some("githubIssues", github_issues.map(|it| it.node));
    node.set_some("githubPullRequests", github_pull_requests.map(|it| it.node));
    node.set_some("cron", cron);
    node.set_some("jira", jira.map(|it| it.node));
    node.set_some("githubWebhook", github_webhook.map(|it| it.node));
    node.set_some("linearWebhook", linear_webhook.map(|it| it.node));
    node.set_some("webhook", webhook.map(|it| it.node));
    node.set_some("slack", slack.map(|it| it.node));
    node
}

/// Escapes a string that the controller copies into the Pod, where the kubelet would expand it.
pub(super) fn literal(text: &Text) -> Node {
    text.with_text(escape_expansion(text.as_str()).as_ref()).into_node()
}

fn list<T>(frame: &Frame, items: Listed<T>, lower: impl FnMut(T) -> Node) -> Node {
    frame.list(items.items.into_iter().map(lower))
}

fn texts(frame: &Frame, items: Listed<Text>) -> Node {
    list(frame, items, Text::into_node)
}

pub(super) fn secret(frame: &Frame, reference: SecretReference) -> Node {
    frame.map_of("name", reference.name.into_node())
}

pub(super) fn credentials(frame: &Frame, credentials: Credentials) -> Node {
    let Credentials { credentials_type, secret_ref } = credentials;
    let mut node = frame.map_of("type", credentials_type.into_node());
    node.set_some("secretRef", secret_ref.map(|it| secret(frame, it)));
    node
}

fn plugin(frame: &Frame, plugin: Plugin) -> Node {
    let Plugin { name, skills, agents } = plugin;
    let file = |it: PluginFile| {
        let mut file = frame.map_of("name", it.name.into_node());
        file.set("content", it.content.into_node());
        file
    };
    let mut node = frame.map_of("name", name.into_node());
    node.set_some("skills", skills.map(|it| list(frame, it, file)));
    node.set_some("agents", agents.map(|it| list(frame, it, file)));
    node
}

fn skill(frame: &Frame, skill: SkillSource) -> Node {
    let SkillSource { source, skill, secret_ref } = skill;
    let mut node = frame.map_of("source", source.into_node());
    node.set_some("skill", skill.map(Text::into_node));
    node.set_some("secretRef", secret_ref.map(|it| secret(frame, it)));
    node
}

fn server(frame: &Frame, server: McpServer) -> Node {
    let McpServer { name, transport, command, args, url, headers, headers_from, env, env_from } =
        server;
    let whole = |it: SecretSource| frame.map_of("secretRef", secret(frame, it.secret_ref));
    let mut node = frame.map_of("name", name.into_node());
    node.set("type", transport.into_node());
    node.set_some("command", command.map(Text::into_node));
    node.set_some("args", args.map(|it| texts(frame, it)));
    node.set_some("url", url.map(Text::into_node));
    node.set_some(
        "headers",
        headers.map(|it| {
            let mut map = frame.map();
            map.set_all(it.entries.into_iter().map(|(name, value)| (name, value.into_node())));
            map
        }),
    );
    node.set_some("headersFrom", headers_from.map(whole));
    node.set_some("env", env.map(|it| it.node));
    node.set_some("envFrom", env_from.map(whole));
    node
}

/// Fields of the PodSpec, of its agent and of the metadata, and their names in kelos.
const IN_KELOS: [(Part, &str, &str); 14] = [
    (Part::Metadata, "labels", "labels"),
    (Part::Agent, "resources", "resources"),
    (Part::Agent, "env", "env"),
    (Part::Pod, "nodeSelector", "nodeSelector"),
    (Part::Pod, "tolerations", "tolerations"),
    (Part::Pod, "affinity", "affinity"),
    (Part::Pod, "imagePullSecrets", "imagePullSecrets"),
    (Part::Pod, "serviceAccountName", "serviceAccountName"),
    (Part::Pod, "volumes", "volumes"),
    (Part::Agent, "volumeMounts", "volumeMounts"),
    (Part::Pod, "securityContext", "podSecurityContext"),
    (Part::Agent, "securityContext", "containerSecurityContext"),
    (Part::Pod, "initContainers", "extraInitContainers"),
    (Part::Overrides, "containers", "extraContainers"),
];
/// Fields that are set in another part of the resource.
const ELSEWHERE: [(Part, &str); 3] =
    [(Part::Agent, "name"), (Part::Agent, "image"), (Part::Pod, "containers")];

/// The part of a Pod that has a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Metadata,
    Pod,
    Agent,
    Overrides,
}

/// The fields of a definition, with their spans, that kelos has in `podOverrides`.
pub(super) fn overridden(frame: &Frame, pod: PodFields) -> Vec<(&'static str, Span)> {
    let node = pod_overrides(frame, pod, None, &mut Sink::unused());
    let fields = IN_KELOS.iter().filter_map(|(part, field, name)| {
        let path = match (*part, *name) {
            (Part::Metadata, _) => "podMetadata",
            (Part::Overrides, _) => "podOverrides",
            (_, "podSecurityContext" | "containerSecurityContext") => name,
            _ => field,
        };
        Some((path, node.get(name)?.span()))
    });
    fields.collect()
}

/// Converts the fields of a Pod to those of kelos, and reports fields that kelos does not have.
fn pod_overrides(frame: &Frame, pod: PodFields, deadline: Option<&Node>, sink: &mut Sink) -> Node {
    let PodPart { typed, overrides, metadata, security } =
        pod.into_part(AGENT_CONTAINER, frame.managed(), Vec::new(), Vec::new());
    let agent = typed.get("containers").and_then(|it| it.items().first()).cloned();
    let parts = [
        (Part::Metadata, metadata),
        (Part::Pod, Some(typed)),
        (Part::Agent, agent),
        (Part::Overrides, overrides),
    ];
    let mut fields: SortedMap<&str, Node> = SortedMap::new();
    for (part, node) in parts {
        for Entry { key, value, .. } in node.into_iter().flat_map(Node::into_entries) {
            let key = key.as_str();
            match IN_KELOS.iter().find(|it| (it.0, it.1) == (part, key)) {
                Some((Part::Overrides, _, name)) => {
                    let (agent, extra) = apart(value);
                    _ = fields.insert(name, extra);
                    if let Some(agent) = agent {
                        let path = format!("podOverrides.containers[{AGENT_CONTAINER}]");
                        unsupported(&path, &agent, sink);
                    }
                }
                Some((_, _, name)) => _ = fields.insert(name, value),
                None if ELSEWHERE.contains(&(part, key)) => {}
                None => unsupported(&part.path(key), &value, sink),
            }
        }
    }
    if let Some(profile) = security.filter(|it| it.as_str() == "restricted") {
        unsupported("security", &profile.into_node(), sink);
    }
    let mut node = frame.map();
    for (_, _, name) in IN_KELOS {
        node.set_some(name, fields.remove(name));
        if name == "resources" {
            node.set_some("activeDeadlineSeconds", deadline.cloned());
        }
    }
    node
}

/// Splits containers into that of the agent, if any, and the others.
fn apart(containers: Node) -> (Option<Node>, Node) {
    let origin = containers.origin();
    let is_agent = |it: &Node| it.str_at(&["name"]) == Some(AGENT_CONTAINER);
    let (agent, others): (Vec<_>, Vec<_>) = containers.into_items().into_iter().partition(is_agent);
    (agent.into_iter().next(), Node::list(others, origin))
}

impl Part {
    /// The path of a field in a definition.
    fn path(self, key: &str) -> String {
        match self {
            Self::Metadata => format!("podMetadata.{key}"),
            Self::Overrides => format!("podOverrides.{key}"),
            Self::Pod | Self::Agent => key.to_owned(),
        }
    }
}

fn unsupported(field: &str, value: &Node, sink: &mut Sink) {
    let message = message!("`{field}` does not exist in the resources of kelos");
    sink.report(
        Diagnostic::new(&KELOS_FIELD_UNSUPPORTED, value.span(), message)
            .at("not in kelos")
            .help(message!("remove `{field}`, or set `kelos: {{target: jobs}}` in the Project")),
    );
}
