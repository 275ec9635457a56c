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
use crate::decode::{Choice, Integer, Listed, Mapped, NameOr, Text};
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
    worker.set_some("credentials", credentials.map(|own| lower_credentials(frame, own)));
    // A worker is not allowed next to the reference to a pool.
    let of_run = if worker_pool.is_some() { &mut spec } else { &mut worker };
    of_run.set_some("model", model.map(Text::into_node));
    of_run.set_some("effort", effort.map(Text::into_node));
    worker.set_some("image", pod.container.image.clone().map(Text::into_node));
    if let Some(own) = own_workspace {
        let name = match own {
            NameOr::Name(name) => name.into_node(),
            NameOr::Inline(inline) => {
                let name = frame.name_with(|name| format!("{name}-workspace"));
                workspace(frame, name.clone(), *inline, lowering);
                name
            }
        };
        worker.set("workspaceRef", frame.map_of("name", name));
    }
    let configs = agent_configs.into_iter().flat_map(|it| it.items).enumerate();
    let references: Vec<_> = configs
        .map(|(at, config)| match config {
            NameOr::Name(name) => name.into_node(),
            NameOr::Inline(inline) => {
                let name = frame.name_with(|name| format!("{name}-config-{at}"));
                agent_config(frame, name.clone(), *inline, lowering);
                name
            }
        })
        .map(|name| frame.map_of("name", name))
        .collect();
    worker.set_some("agentConfigRefs", (!references.is_empty()).then(|| frame.list(references)));
    let deadline = active_deadline_seconds.map(|it| it.node);
    let overrides = pod_overrides(frame, pod, deadline.as_ref(), lowering.sink);
    worker.set_some("podOverrides", (!overrides.entries().is_empty()).then_some(overrides));
    if !worker.entries().is_empty() {
        spec.set("worker", worker);
    }
    spec.set_some("workerPoolRef", worker_pool.map(|name| frame.map_of("name", name.into_node())));
    spec.set_some("branch", branch.map(Text::into_node));
    spec.set_some("upstreamRepo", upstream_repo.map(Text::into_node));
    spec.set_some("dependsOn", depends_on.map(|names| lower_texts(frame, names)));
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
    node.set_some("secretRef", secret_ref.map(|secret| secret_reference(frame, secret)));
    let pair = |fields: [(&'static str, Text); 2]| {
        frame.map_with(fields.map(|(field, text)| (field, Some(text.into_node()))))
    };
    let remotes = remotes.map(|remotes| {
        lower_list(frame, remotes, |remote| pair([("name", remote.name), ("url", remote.url)]))
    });
    node.set_some("remotes", remotes);
    let files = files.map(|files| {
        lower_list(frame, files, |file| pair([("path", file.path), ("content", file.content)]))
    });
    node.set_some("files", files);
    // An empty list is the same as none, but kelos rejects it.
    let command = setup_command.filter(|command| !command.items.is_empty());
    let words = command.map(|command| lower_list(frame, command, |word| literal(&word)));
    node.set_some("setupCommand", words);
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
    node.set_some("agentsMD", instructions.map(|text| literal(&text)));
    let plugins = plugins.map(|list| lower_list(frame, list, |plugin| lower_plugin(frame, plugin)));
    node.set_some("plugins", plugins);
    let skills = skills.map(|list| lower_list(frame, list, |skill| lower_skill(frame, skill)));
    node.set_some("skills", skills);
    let servers =
        mcp_servers.map(|list| lower_list(frame, list, |server| lower_server(frame, server)));
    node.set_some("mcpServers", servers);
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
    let mut node = frame.map_of("when", lower_when(frame, when));
    node.set("taskTemplate", task_template.into_node(frame, lowering));
    // An empty list is the same as none, but kelos rejects it.
    if let Some(pool) = pool.filter(|pool| !pool.items.is_empty()) {
        let entries = lower_list(frame, pool, |entry| {
            frame.map_with([
                ("name", Some(entry.name.into_node())),
                ("type", Some(entry.credentials_type.into_node())),
                ("secretRef", Some(secret_reference(frame, entry.secret_ref))),
            ])
        });
        node.set("credentials", entries);
    }
    node.set_some("maxConcurrency", max_concurrency.map(Integer::into_node));
    node.set_some("maxTotalTasks", max_total_tasks.map(Integer::into_node));
    node.set_some("suspend", suspend.map(crate::decode::Flag::into_node));
    lowering.emit(frame, API_VERSION, "TaskSpawner", node);
}

fn lower_when(frame: &Frame, when: When) -> Node {
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
    frame.map_with([
        ("githubIssues", github_issues.map(|it| it.node)),
        ("githubPullRequests", github_pull_requests.map(|it| it.node)),
        ("cron", cron.map(|cron| frame.map_of("schedule", cron.schedule.into_node()))),
        ("jira", jira.map(|it| it.node)),
        ("githubWebhook", github_webhook.map(|it| it.node)),
        ("linearWebhook", linear_webhook.map(|it| it.node)),
        ("webhook", webhook.map(|it| it.node)),
        ("slack", slack.map(|it| it.node)),
    ])
}

/// Escapes a string that the controller copies into the Pod, where the kubelet would expand it.
pub(super) fn literal(text: &Text) -> Node {
    text.with_text(escape_expansion(text.as_str()).as_ref()).into_node()
}

fn lower_list<T>(frame: &Frame, items: Listed<T>, lower: impl FnMut(T) -> Node) -> Node {
    frame.list(items.items.into_iter().map(lower))
}

fn lower_texts(frame: &Frame, items: Listed<Text>) -> Node {
    lower_list(frame, items, Text::into_node)
}

pub(super) fn lower_map(frame: &Frame, texts: Mapped<Text>) -> Node {
    let mut map = frame.map();
    map.set_all(texts.entries.into_iter().map(|(key, text)| (key, text.into_node())));
    map
}

pub(super) fn secret_reference(frame: &Frame, reference: SecretReference) -> Node {
    frame.map_of("name", reference.name.into_node())
}

pub(super) fn lower_credentials(frame: &Frame, credentials: Credentials) -> Node {
    let Credentials { credentials_type, secret_ref } = credentials;
    let mut node = frame.map_of("type", credentials_type.into_node());
    node.set_some("secretRef", secret_ref.map(|secret| secret_reference(frame, secret)));
    node
}

fn lower_plugin(frame: &Frame, plugin: Plugin) -> Node {
    let Plugin { name, skills, agents } = plugin;
    let file = |PluginFile { name, content }: PluginFile| {
        let mut node = frame.map_of("name", name.into_node());
        node.set("content", content.into_node());
        node
    };
    frame.map_with([
        ("name", Some(name.into_node())),
        ("skills", skills.map(|skills| lower_list(frame, skills, file))),
        ("agents", agents.map(|agents| lower_list(frame, agents, file))),
    ])
}

fn lower_skill(frame: &Frame, skill: SkillSource) -> Node {
    let SkillSource { source, skill, secret_ref } = skill;
    frame.map_with([
        ("source", Some(source.into_node())),
        ("skill", skill.map(Text::into_node)),
        ("secretRef", secret_ref.map(|secret| secret_reference(frame, secret))),
    ])
}

fn lower_server(frame: &Frame, server: McpServer) -> Node {
    let McpServer { name, transport, command, args, url, headers, headers_from, env, env_from } =
        server;
    let whole = |source: SecretSource| {
        frame.map_of("secretRef", secret_reference(frame, source.secret_ref))
    };
    frame.map_with([
        ("name", Some(name.into_node())),
        ("type", Some(transport.into_node())),
        ("command", command.map(Text::into_node)),
        ("args", args.map(|args| lower_texts(frame, args))),
        ("url", url.map(Text::into_node)),
        ("headers", headers.map(|headers| lower_map(frame, headers))),
        ("headersFrom", headers_from.map(whole)),
        ("env", env.map(|it| it.node)),
        ("envFrom", env_from.map(whole)),
    ])
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
    let agent = typed.get("containers").and_then(|containers| containers.items().first()).cloned();
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
            match IN_KELOS.iter().find(|row| (row.0, row.1) == (part, key)) {
                Some((Part::Overrides, _, name)) => {
                    let (agent, extra) = split_agent(value);
                    _ = fields.insert(name, extra);
                    if let Some(agent) = agent {
                        let path = format!("podOverrides.containers[{AGENT_CONTAINER}]");
                        report_unsupported(&path, &agent, sink);
                    }
                }
                Some((_, _, name)) => _ = fields.insert(name, value),
                None if ELSEWHERE.contains(&(part, key)) => {}
                None => report_unsupported(&part.path(key), &value, sink),
            }
        }
    }
    if let Some(profile) = security.filter(|profile| profile.as_str() == "restricted") {
        report_unsupported("security", &profile.into_node(), sink);
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
fn split_agent(containers: Node) -> (Option<Node>, Node) {
    let origin = containers.origin();
    let is_agent = |node: &Node| node.str_at(&["name"]) == Some(AGENT_CONTAINER);
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

fn report_unsupported(field: &str, value: &Node, sink: &mut Sink) {
    let message = message!("`{field}` does not exist in the resources of kelos");
    sink.report(
        Diagnostic::new(&KELOS_FIELD_UNSUPPORTED, value.span(), message)
            .at("not in kelos")
            .help(message!("remove `{field}`, or set `kelos: {{target: jobs}}` in the Project")),
    );
}
