//! The Job of a Task: the managed layers below the author's fields, and the guards between them.

use k8s_openapi::api::core::v1::{Container, PodSecurityContext, PodSpec};

use super::environment::{self, Variable};
use super::init_containers::InitContainer;
use super::names::{
    AGENT_CONTAINER, AGENT_USER, INIT_CONTAINERS, LABEL_COMPONENT, LABEL_MANAGED_BY, LABEL_NAME,
    LABEL_TASK, MOUNTS, REPOSITORY_PATH, RESERVED_LABELS, RESERVED_PREFIX, RESERVED_VARIABLES,
    WORKSPACE_VOLUME, plugins_of,
};
use super::plan::Plan;
use super::rules;
use super::task::TaskFields;
use super::{agent, init_containers, plugins, volumes};
use crate::decode::{Integer, Text};
use crate::diag::Sink;
use crate::kube::escape_expansion;
use crate::lower::{Frame, Lowering};
use crate::merge::{GUARDED_FIELD, Guard, Hold, Name, Row, Step, Strategy};
use crate::pod_security::Profile;
use crate::scalar::check_label_value;
use crate::tree::{Layer, Node, Origin, Value, items};
use crate::workload::DEFAULT_PROFILE;
use crate::workload::{PodFields, PodTemplate, Recipe, Refused};

/// The `spec` of a Job, and the labels of the Job and its Pod.
pub(super) struct Built {
    pub(super) spec: Node,
    pub(super) labels: Node,
}

/// Fields that kelos merges differently from Kubernetes' schema.
static ROWS: &[Row<'static>] = &[
    Row {
        object: "io.k8s.api.core.v1.Container",
        field: "securityContext",
        strategy: Strategy::Replace,
        reason: "kelos takes the author's security context of the agent as a whole",
    },
    Row {
        object: "io.k8s.api.core.v1.PodSpec",
        field: "securityContext",
        strategy: Strategy::ReplaceKeeping(&["fsGroup"]),
        reason: "kelos takes the author's security context of the Pod, but keeps the group that owns the workspace",
    },
];

/// Fields that kelos' builder sets.
static REFUSED: &[Refused] = &[
    Refused {
        field: "command",
        owner: "the entrypoint of the agent",
        help: "use an image with another `/kelos_entrypoint.sh`",
    },
    Refused { field: "args", owner: "the prompt", help: "set `prompt`" },
    Refused {
        field: "workingDir",
        owner: "the workspace",
        help: "remove it: the agent starts in the repository",
    },
    Refused {
        field: "readinessProbe",
        owner: "the kelos builder",
        help: "remove it: an agent serves nothing",
    },
    Refused {
        field: "livenessProbe",
        owner: "the kelos builder",
        help: "set `activeDeadlineSeconds`",
    },
    Refused {
        field: "startupProbe",
        owner: "the kelos builder",
        help: "set `activeDeadlineSeconds`",
    },
    Refused { field: "restartPolicy", owner: "the Job", help: "remove it: it is `Never`" },
];

/// The `spec` of the Job of a Task.
pub(super) fn build(
    plan: &Plan,
    fields: TaskFields,
    frame: &Frame,
    lowering: &mut Lowering<'_, '_>,
) -> Built {
    rules::configs::report_values(&plan.mcp, lowering.sink);
    let TaskFields { pod, .. } = fields;
    let limits = Limits {
        deadline: fields.active_deadline_seconds.map(|it| it.node),
        lifetime: fields.ttl_seconds_after_finished.map(Integer::into_node),
        failure_policy: fields.pod_failure_policy.map(|it| it.node),
    };
    let pod = pod_of(plan, pod, REFUSED, frame, lowering.sink);
    rules::pod::check_volumes(plan, &pod.spec, lowering.sink);
    let profile = pod.security.as_ref().map_or(DEFAULT_PROFILE, |it| it.value);
    rules::pod::check_skills(plan, &pod, profile, lowering.sink);
    let pod = with_agent_user(pod, plan, frame);
    let pod = pod.secure(frame.managed(), lowering.targets, lowering.sink);
    let PodTemplate { metadata, mut spec, security: _ } = pod;
    let has_account = spec.get("serviceAccountName").is_some();
    if !has_account && spec.get("automountServiceAccountToken").is_none() {
        spec.set("automountServiceAccountToken", Node::bool(false, frame.managed()));
    }

    assemble(metadata, spec, limits, frame)
}

/// The fields of the Job that limit its runs.
struct Limits {
    deadline: Option<Node>,
    lifetime: Option<Node>,
    failure_policy: Option<Node>,
}

fn assemble(metadata: Option<Node>, pod: Node, limits: Limits, frame: &Frame) -> Built {
    let Limits { deadline, lifetime, failure_policy } = limits;
    let labels = metadata.as_ref().and_then(|it| it.get("labels")).cloned();
    let mut template = frame.map();
    template.set_some("metadata", metadata);
    template.set("spec", pod);
    let mut job = frame.map();
    job.set("backoffLimit", Node::int(1, frame.managed()));
    job.set_some("activeDeadlineSeconds", deadline);
    job.set_some("ttlSecondsAfterFinished", lifetime);
    job.set_some("podFailurePolicy", failure_policy);
    job.set("template", template);
    Built { spec: job, labels: labels.unwrap_or_else(|| frame.map()) }
}

/// The `spec` of the Job that the controller of kelos creates: it sets no security profile, and deletes
/// the Task instead of the Job. Faults that its builder rejects are not reported.
pub(super) fn of_controller(
    plan: &Plan,
    fields: TaskFields,
    complete: impl FnOnce(&mut Node),
    frame: &Frame,
) -> Built {
    let limits = Limits {
        deadline: fields.active_deadline_seconds.map(|it| it.node),
        lifetime: None,
        failure_policy: fields.pod_failure_policy.map(|it| it.node),
    };
    let pod = pod_of(plan, fields.pod, &[], frame, &mut Sink::unused());
    let PodTemplate { metadata, mut spec, security: _ } = pod;
    complete(&mut spec);
    assemble(metadata, spec, limits, frame)
}

/// Whether a failure policy has an action that kelos does not support.
pub(super) fn has_fail_index(policy: &Node) -> bool {
    items(policy, "rules").iter().any(|item| item.str_at(&["action"]) == Some("FailIndex"))
}

/// Checks a Task whose Job is built by the controller of kelos. Fields that the custom resource
/// does not have are reported in `resources`. The volumes of the Pod are only known if the plan is
/// whole.
pub(super) fn check(plan: &Plan, pod: PodFields, is_whole: bool, frame: &Frame, sink: &mut Sink) {
    rules::pod::check_names(&pod, sink);
    let pod = pod_of(plan, pod, &[], frame, sink);
    if is_whole {
        rules::pod::check_volumes(plan, &pod.spec, sink);
    }
    rules::pod::check_skills(plan, &pod, Profile::Baseline, sink);
}

/// The Pod of a Task, before the security profile.
fn pod_of(
    plan: &Plan,
    pod: PodFields,
    refused: &[Refused],
    frame: &Frame,
    sink: &mut Sink,
) -> PodTemplate {
    let built =
        FromPlan { variables: environment::of_agent(plan), init: init_containers::of_task(plan) };
    rules::limits::check(plan, &built.variables, &built.init, sink);
    rules::pod::check(plan, &pod, sink);
    merge_layers(plan, pod, built, refused, frame, sink)
}

/// The parts of the Pod that the builder makes of a plan, which are checked before they are used.
struct FromPlan {
    variables: Vec<Variable>,
    init: Vec<InitContainer>,
}

/// Merges the author's fields over those of the builder.
fn merge_layers(
    plan: &Plan,
    pod: PodFields,
    FromPlan { variables, init }: FromPlan,
    refused: &[Refused],
    frame: &Frame,
    sink: &mut Sink,
) -> PodTemplate {
    let shadowed: Vec<_> = variables
        .iter()
        .filter(|variable| !RESERVED_VARIABLES.contains(&variable.name()))
        .map(|variable| (variable_steps(Name::Is(variable.name())), variable))
        .collect();
    let reserved = RESERVED_VARIABLES.map(|name| variable_steps(Name::Is(name)));
    let mounts: Vec<_> = MOUNTS.iter().map(|(path, what)| (mount_steps(path), *what)).collect();
    let containers: Vec<_> = INIT_CONTAINERS
        .iter()
        .map(|name| Name::Is(name))
        .chain([Name::StartsWith(RESERVED_PREFIX)])
        .map(|name| [Step::Key(Name::Is("initContainers")), Step::Item("name", name)])
        .collect();
    let volume_names =
        [volume_steps(Name::Is(WORKSPACE_VOLUME)), volume_steps(Name::StartsWith(RESERVED_PREFIX))];
    let labels =
        RESERVED_LABELS.map(|label| [Step::Key(Name::Is("labels")), Step::Key(Name::Is(label))]);

    let mut guards: Vec<_> = shadowed
        .iter()
        .map(|(field, variable)| Guard {
            hold: Hold::Dropped,
            rule: &rules::AGENT_VARIABLE_SHADOWED,
            place: Some(variable.place),
            ..guard_of(
                "variable",
                field,
                "the kelos builder",
                "remove the variable, or use another name",
            )
        })
        .collect();
    guards.extend(reserved.iter().map(|field| Guard {
        rule: &rules::AGENT_VARIABLE_RESERVED,
        ..guard_of(
            "variable",
            field,
            "the entrypoint of the agent",
            "set `setupCommand` of the Workspace",
        )
    }));
    guards.extend(
        mounts
            .iter()
            .map(|(field, what)| guard_of("mount path", field, what, "mount the volume elsewhere")),
    );
    guards.extend(
        containers
            .iter()
            .map(|field| guard_of("container", field, "kelos", "rename the container")),
    );
    guards.extend(
        volume_names.iter().map(|field| guard_of("volume", field, "kelos", "rename the volume")),
    );
    let label_guards = labels.each_ref().map(|field| Guard {
        hold: Hold::Dropped,
        rule: &rules::KELOS_LABEL_SHADOWED,
        ..guard_of("label", field, "kelos", "remove the label")
    });

    let recipe = Recipe {
        container: AGENT_CONTAINER,
        base: Some(builder_pod(plan, &variables, init, frame)),
        metadata: Some(frame.map_of("labels", built_in_labels(plan, frame))),
        rows: ROWS,
        guards: &guards,
        metadata_guards: &label_guards,
        refused,
        ..Recipe::PLAIN
    };
    recipe.build(vec![pod.into()], frame.managed(), sink)
}

/// A guard of names, whose message applies to definitions and to resources.
fn guard_of<'g>(
    noun: &'g str,
    field: &'g [Step<'g>],
    owner: &'g str,
    help: &'static str,
) -> Guard<'g> {
    let (hold, rule) = (Hold::Unset, &GUARDED_FIELD);
    Guard { field, hold, rule, owner, place: None, noun: Some(noun), help }
}

fn variable_steps(name: Name<'_>) -> [Step<'_>; 4] {
    agent_item_steps("env", "name", name)
}

fn mount_steps(path: &str) -> [Step<'_>; 4] {
    agent_item_steps("volumeMounts", "mountPath", Name::Is(path))
}

fn agent_item_steps<'s>(list: &'s str, key: &'s str, name: Name<'s>) -> [Step<'s>; 4] {
    [
        Step::Key(Name::Is("containers")),
        Step::Item("name", Name::Is(AGENT_CONTAINER)),
        Step::Key(Name::Is(list)),
        Step::Item(key, name),
    ]
}

fn volume_steps(name: Name<'_>) -> [Step<'_>; 2] {
    [Step::Key(Name::Is("volumes")), Step::Item("name", name)]
}

/// The Pod of kelos' builder for a Task without `podOverrides`.
fn builder_pod(
    plan: &Plan,
    variables: &[Variable],
    init: Vec<InitContainer>,
    frame: &Frame,
) -> Node {
    let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
    let mounts = volumes::agent_mounts(plan);
    let typed = Container {
        name: AGENT_CONTAINER.to_owned(),
        image: (!plan.is_own_image).then(|| plan.agent.image()),
        command: words(agent::command(plan.is_own_image)),
        working_dir: plan.workspace.as_ref().map(|_| REPOSITORY_PATH.to_owned()),
        volume_mounts: (!mounts.is_empty()).then_some(mounts),
        ..Container::default()
    };
    let mut container = frame.typed(&typed);
    let prompt = escape_expansion(plan.prompt.as_str());
    let argument = Node::string(prompt.as_ref(), Origin::source(plan.prompt.span()));
    container.set("args", frame.list([argument]));
    set_variables(&mut container, variables, frame);

    let volumes = volumes::of_task(plan);
    let group = PodSecurityContext { fs_group: Some(AGENT_USER), ..PodSecurityContext::default() };
    let mut spec = frame.typed(&PodSpec {
        restart_policy: Some("Never".to_owned()),
        security_context: plan.workspace.as_ref().map(|_| group),
        volumes: (!volumes.is_empty()).then_some(volumes),
        ..PodSpec::default()
    });
    if !init.is_empty() {
        let containers = init.into_iter().map(|InitContainer { container, variables }| {
            let mut node = frame.typed(&container);
            set_variables(&mut node, &variables, frame);
            node
        });
        spec.set("initContainers", frame.list(containers));
    }
    spec.set("containers", frame.list([container]));
    spec
}

/// Appends variables to those of a container; each has the span of the line that requires it.
fn set_variables(container: &mut Node, variables: &[Variable], frame: &Frame) {
    if variables.is_empty() {
        return;
    }
    let own = items(container, "env").to_vec();
    let added = variables.iter().map(|variable| {
        let origin = Origin::of_layer(Layer::Managed, variable.place);
        Node::built_in(&variable.variable, origin)
    });
    container.set("env", frame.list(own.into_iter().chain(added)));
}

/// The labels of each Job and Pod of kelos.
pub(super) fn built_in_labels(plan: &Plan, frame: &Frame) -> Node {
    let mut labels = frame.map();
    labels.set(LABEL_NAME, frame.string("kelos"));
    labels.set(LABEL_COMPONENT, frame.string("task"));
    labels.set(LABEL_MANAGED_BY, frame.string("kelos-controller"));
    // Another name is reported as that of the Job.
    if check_label_value(plan.name.as_str()).is_ok() {
        labels.set(LABEL_TASK, frame.text(plan.name.as_str()));
    }
    labels
}

/// Sets the numeric user of the bundled image under `restricted`: the kubelet cannot determine
/// whether a user name is root, and does not start such a container.
fn with_agent_user(pod: PodTemplate, plan: &Plan, frame: &Frame) -> PodTemplate {
    let PodTemplate { metadata, mut spec, security } = pod;
    let profile = security.as_ref().map_or(DEFAULT_PROFILE, |it| it.value);
    let has_user = |node: Option<&Node>| {
        node.is_some_and(|node| node.at(&["securityContext", "runAsUser"]).is_some())
    };
    let is_named = has_user(Some(&spec)) || has_user(agent_of(&spec));
    if profile == Profile::Restricted && !plan.is_own_image && !is_named {
        let origin = Origin::of_layer(Layer::SecurityRestricted, frame.managed().span());
        if let Some(agent) = agent_mut(&mut spec) {
            let mut context = agent.get("securityContext").cloned();
            let context = context.get_or_insert_with(|| Node::map(origin));
            context.set("runAsUser", Node::int(AGENT_USER, origin));
            agent.set("securityContext", context.clone());
        }
    }
    PodTemplate { metadata, spec, security }
}

fn agent_of(spec: &Node) -> Option<&Node> {
    spec.get("containers")?.items().first()
}

fn agent_mut(spec: &mut Node) -> Option<&mut Node> {
    match &mut spec.get_mut("containers")?.value {
        Value::List(items) => items.first_mut(),
        _ => None,
    }
}

/// Emits the `ConfigMap` with the plugins of a Task, if it has any.
pub(super) fn emit_plugins(plan: &Plan, frame: &Frame, lowering: &mut Lowering<'_, '_>) {
    if plan.config.plugins.is_empty() {
        return;
    }
    let mut data = frame.map();
    let files = plugins::files(&plan.config.plugins);
    data.set_all(files.map(|file| (file.key, Text::into_node(file.content.clone()))));
    let data = (!data.entries().is_empty()).then_some(data);
    lowering
        .object(frame, "v1", "ConfigMap")
        .name(frame.text(plugins_of(&plan.name)))
        .set_some("data", data)
        .emit();
}
