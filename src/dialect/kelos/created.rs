//! The objects that the controllers of kelos create from its resources. The API server accepts the
//! resources and validates these objects only when they are created, which the controllers try
//! again forever.
//!
//! Source: `internal/controller/task_controller.go`, `taskspawner_deployment_builder.go`,
//! `internal/taskbuilder/builder.go`.

use std::sync::Arc;

use lean_string::LeanStr;
use serde_json::json;

use super::GROUP;
use super::agent::{Agent, Credentials};
use super::import_text::unescape_text;
use super::job;
use super::names::{
    AGENT_CONTAINER, INIT_CONTAINERS, LABEL_NAME, LABEL_SPAWNER, PLUGIN_SETUP,
    PLUGIN_SOURCE_VOLUME, PLUGIN_VOLUME, SKILLS_INSTALL, TOKEN_VOLUME, WORKSPACE_VOLUME,
    plugins_of,
};
use super::plan::Plan;
use super::rules::hand_written::{instances, read};
use super::spawner::{TaskSpawnerSpec, When};
use super::task::{self, TaskFields, TaskSpec};
use crate::decode::Text;
use crate::diag::Sink;
use crate::kube::{Creator, GroupVersionKind, Object, ObjectSet};
use crate::lower::{Frame, Instances};
use crate::sorted::SortedSet;
use crate::tree::{Layer, Node, Origin, Value, items};

/// Fields that the controller of a `WorkerPool` ignores.
pub(super) const IGNORED: [&str; 3] = ["labels", "activeDeadlineSeconds", "serviceAccountName"];

/// The name of objects whose name only an event determines.
const ANY_NAME: &str = "task";

/// What creates the objects for the resources of a run.
pub(super) fn creator<'s>(set: &ObjectSet<'s>) -> Option<Creator<'s>> {
    let mut makers = ["Task", "TaskSpawner", "Session", "WorkerPool"].into_iter();
    makers.find(|kind| set.of_kind(GROUP, kind).next().is_some())?;
    // An input that is too large is reported by the rules of the system.
    let instances = instances(set).ok()?;
    Some(Box::new(move |object| of_object(object, &instances)))
}

fn of_object(object: &Object, instances: &Instances<'_>) -> Vec<Object> {
    // The API server does not store the others.
    if object.gvk.group != GROUP || !object.has_short_name() {
        return Vec::new();
    }
    let created = match object.gvk.kind.as_str() {
        "Task" => of_task(object, instances),
        "TaskSpawner" => of_spawner(object, instances),
        "Session" => of_worker(object, &[], instances),
        "WorkerPool" => of_worker(object, &IGNORED, instances),
        _ => None,
    };
    created.unwrap_or_default()
}

fn of_task(object: &Object, instances: &Instances<'_>) -> Option<Vec<Object>> {
    let (frame, TaskSpec { fields, prompt }) = read::<TaskSpec>(object)?.open();
    let source = Source { object, frame: &frame };
    Some(source.job(frame.name(), fields, &prompt, instances))
}

/// The Job of a Task, or the reason that the input does not determine it.
pub(super) fn job_of_task(
    object: &Object,
    instances: &Instances<'_>,
) -> Result<Object, &'static str> {
    let task = read::<TaskSpec>(object).ok_or("the Task is not valid")?;
    let (frame, TaskSpec { fields, prompt }) = task.open();
    if fields.worker_pool.is_some() {
        return Err("a Pod of its WorkerPool runs it");
    }
    if task::count(fields.depends_on.as_ref()) > 0 {
        return Err("the controller creates its Job after the Tasks that it depends on");
    }
    let (mut plan, unknown) =
        plan_known_parts(&frame, &fields, &prompt, instances).ok_or("the Task is not valid")?;
    if unknown.workspace || unknown.configs {
        return Err("its Workspace or its AgentConfigs are not in the input");
    }
    let source = Source { object, frame: &frame };
    let spawner = object.root.str_at(&["metadata", "labels", LABEL_SPAWNER]);
    plan.spawner = spawner.filter(|name| !name.is_empty()).map(ToOwned::to_owned);
    let job::Built { spec, labels } = job::of_controller(&plan, fields, leave_references, &frame);
    Ok(source.create("batch/v1", "Job", frame.name(), Some(labels), Some(spec)))
}

/// Leaves the references in generated strings of the agent as they are: the controller does not escape them.
fn leave_references(pod: &mut Node) {
    // One with a reference stays as it is.
    let unescape = |node: &mut Node| {
        unescape_text(node);
    };
    let containers = pod.get_mut("containers").map(|list| &mut list.value);
    let Some(Value::List(containers)) = containers else { return };
    let Some(agent) = containers.first_mut() else { return };
    if let Some(Value::List(args)) = agent.get_mut("args").map(|list| &mut list.value) {
        args.iter_mut().for_each(unescape);
    }
    if let Some(Value::List(variables)) = agent.get_mut("env").map(|list| &mut list.value) {
        let is_generated = |variable: &&mut Node| {
            variable.str_at(&["name"]).is_some_and(|name| name.starts_with("KELOS_"))
        };
        let values = variables.iter_mut().filter(is_generated);
        values.filter_map(|variable| variable.get_mut("value")).for_each(unescape);
    }
}

/// The StatefulSet of a Session or a `WorkerPool`, whose Pods are like that of a Task with the same
/// worker. Fields of `podOverrides` that the controller ignores are left out, and so are the Workspace and
/// the AgentConfigs.
fn of_worker(object: &Object, ignored: &[&str], instances: &Instances<'_>) -> Option<Vec<Object>> {
    let mut worker = object.root.at(&["spec", "worker"])?.clone();
    if let Some(overrides) = worker.get_mut("podOverrides").and_then(Node::as_map_mut) {
        overrides.retain(|entry| !ignored.contains(&entry.key.as_str()));
    }
    let origin = worker.origin();
    let mut spec = Node::map(origin);
    spec.set("worker", worker);
    spec.set("prompt", Node::string("session", origin));
    let mut task = object.clone();
    task.root.set("kind", Node::string("Task", origin));
    task.root.set("spec", spec);
    let (frame, TaskSpec { fields, prompt }) = read::<TaskSpec>(&task)?.open();
    let source = Source { object, frame: &frame };
    // Many of them can refer to a large one, and the parts of the Pod for it have few faults.
    let unknown = Unknown { workspace: true, configs: fields.agent_configs.is_some() };
    let fields = TaskFields { workspace: None, agent_configs: None, ..fields };
    let plan =
        task::resolve_plan(&frame, &fields, prompt, None, instances, &mut Sink::new()).ok()?;
    let deadline = fields.active_deadline_seconds.clone().map(|it| it.node);
    let complete = |pod: &mut Node| {
        pod.set("restartPolicy", frame.string("Always"));
        pod.set_some("activeDeadlineSeconds", deadline);
        unknown.add_to(pod, &frame);
        rename_repeated(pod);
    };
    let job::Built { spec, labels } = job::of_controller(&plan, fields, complete, &frame);
    let template = spec.get("template")?.clone();
    let selected = frame.map_of(LABEL_NAME, frame.string("kelos"));
    let mut spec = frame.map_of("selector", frame.map_of("matchLabels", selected));
    spec.set("template", template);
    spec.set_some("replicas", object.root.at(&["spec", "replicas"]).cloned());
    let claim = object.root.at(&["spec", "volumeClaimTemplate"]).map(|claim| {
        let mut template = frame.map_of("metadata", frame.map_of("name", frame.string("claim")));
        template.set("spec", claim.clone());
        frame.list([template])
    });
    spec.set_some("volumeClaimTemplates", claim);
    let name = source.any_name();
    Some(vec![source.create("apps/v1", "StatefulSet", name, Some(labels), Some(spec))])
}

fn of_spawner(object: &Object, instances: &Instances<'_>) -> Option<Vec<Object>> {
    let (frame, spec) = read::<TaskSpawnerSpec>(object)?.open();
    let source = Source { object, frame: &frame };
    let mut created: Vec<_> = source.starter(&spec.when).into_iter().collect();
    let TaskSpawnerSpec { task_template, credentials, .. } = spec;
    let mut fields = task_template.fields;
    let prompt = task_template.prompt_template.unwrap_or_else(|| frame.metadata().name.clone());
    let pool = credentials.into_iter().flat_map(|it| it.items);
    let mut pool = pool.map(super::spawner::PoolCredentials::into_credentials);
    if fields.credentials.is_none() {
        fields.credentials = pool.next();
    }
    // Each Task gets one entry of the pool.
    created.extend(fields.agent.as_ref().map(|agent| source.job_with(agent.value, pool)));
    created.extend(source.job(source.any_name(), fields, &prompt, instances));
    Some(created)
}

/// A resource, and the frame of the objects that are created for it.
struct Source<'s> {
    object: &'s Object,
    frame: &'s Frame,
}

impl Source<'_> {
    /// The Job of a Task, and the objects that the controller creates for it.
    fn job(
        &self,
        name: Node,
        fields: TaskFields,
        prompt: &Text,
        instances: &Instances<'_>,
    ) -> Vec<Object> {
        // The Pod of a pool runs the Task.
        if fields.worker_pool.is_some() {
            return Vec::new();
        }
        let mut fields = fields;
        // A rule of the resources rejects this action.
        fields.pod_failure_policy =
            fields.pod_failure_policy.filter(|policy| !job::has_fail_index(&policy.node));
        let Some((plan, unknown)) = plan_known_parts(self.frame, &fields, prompt, instances) else {
            return Vec::new();
        };
        let complete = |pod: &mut Node| {
            unknown.add_to(pod, self.frame);
            rename_repeated(pod);
        };
        let job::Built { spec, labels } = job::of_controller(&plan, fields, complete, self.frame);
        let job = self.create("batch/v1", "Job", name, Some(labels), Some(spec));
        let mut created = vec![job];
        if !plan.config.plugins.is_empty() {
            let name = self.frame.text(plugins_of(&plan.name));
            created.push(self.create("v1", "ConfigMap", name, None, None));
        }
        let secret = plan.workspace.as_ref().and_then(|workspace| workspace.secret_ref.as_ref());
        let token = plan.token_secret.as_ref().map(Text::as_str);
        if let Some(token) =
            token.filter(|name| secret.is_some_and(|own| own.name.as_str() != *name))
        {
            created.push(self.create("v1", "Secret", self.frame.text(token), None, None));
        }
        created
    }

    /// A Job that only reads credentials.
    fn job_with(&self, agent: Agent, credentials: impl Iterator<Item = Credentials>) -> Object {
        let variables = credentials.filter_map(|credential| {
            let name = agent.variable(credential.credentials_type.value)?;
            Some(self.variable(name, &credential.secret_ref?.name.into_node()))
        });
        let pod = self.pod(AGENT_CONTAINER, self.frame.list(variables));
        let spec = self.frame.map_of("template", self.frame.map_of("spec", pod));
        self.create("batch/v1", "Job", self.any_name(), None, Some(spec))
    }

    /// The CronJob or Deployment that starts Tasks; the webhook server starts the others.
    fn starter(&self, when: &When) -> Option<Object> {
        let frame = self.frame;
        let labels = frame.map_of(LABEL_SPAWNER, frame.name());
        let mut template = frame.map_of("metadata", frame.map_of("labels", labels.clone()));
        let jira = when.jira.as_ref().and_then(|jira| jira.node.at(&["secretRef", "name"]));
        let env = jira.map(|secret| self.variable("JIRA_TOKEN", secret));
        let mut pod = self.pod("spawner", frame.list(env));
        let (version, kind, spec) = if let Some(cron) = &when.cron {
            template.set("spec", pod);
            let job = frame.map_of("spec", frame.map_of("template", template));
            let mut spec = frame.map_of("schedule", cron.schedule.clone().into_node());
            spec.set("jobTemplate", job);
            ("batch/v1", "CronJob", spec)
        } else if when.is_polled() {
            pod.set("restartPolicy", frame.string("Always"));
            template.set("spec", pod);
            let mut spec = frame.map_of("selector", frame.map_of("matchLabels", labels.clone()));
            spec.set("template", template);
            ("apps/v1", "Deployment", spec)
        } else {
            return None;
        };
        Some(self.create(version, kind, frame.name(), Some(labels), Some(spec)))
    }

    /// A variable with the key of this name in a Secret.
    fn variable(&self, name: &str, secret: &Node) -> Node {
        let origin = Origin::of_layer(Layer::Managed, secret.span());
        let mut reference = Node::map(origin);
        reference.set("name", Node::string(secret.as_str().unwrap_or_default(), origin));
        reference.set("key", Node::string(name, origin));
        let mut variable = self.frame.map_of("name", self.frame.text(name));
        variable.set("valueFrom", self.frame.map_of("secretKeyRef", reference));
        variable
    }

    fn pod(&self, container: &'static str, env: Node) -> Node {
        let frame = self.frame;
        let mut container = frame.map_of("name", frame.string(container));
        container.set("image", frame.string("kelos:1"));
        container.set("env", env);
        let mut pod = frame.map_of("restartPolicy", frame.string("Never"));
        pod.set("containers", frame.list([container]));
        pod
    }

    fn any_name(&self) -> Node {
        self.frame.string(ANY_NAME)
    }

    fn create(
        &self,
        api_version: &'static str,
        kind: &'static str,
        name: Node,
        labels: Option<Node>,
        spec: Option<Node>,
    ) -> Object {
        let frame = self.frame;
        // Rules tell the objects of definitions from those of manifests by this origin.
        let origin =
            self.object.root.get("apiVersion").map_or_else(|| frame.managed(), Node::origin);
        let text = LeanStr::from(name.as_str().unwrap_or_default());
        let mut metadata = frame.map_of("name", name);
        metadata.set_some("namespace", self.object.root.at(&["metadata", "namespace"]).cloned());
        metadata.set_some("labels", labels);
        let mut root = frame.map_of("apiVersion", Node::string(api_version, origin));
        root.set("kind", frame.string(kind));
        root.set("metadata", metadata);
        root.set_some("spec", spec);
        Object {
            gvk: Arc::new(GroupVersionKind::new(api_version, kind)),
            name: text,
            namespace: self.object.namespace.clone(),
            root,
            document: self.object.document,
        }
    }
}

/// The parts of a Task that are not in the input, or faulty.
#[derive(Clone, Copy)]
struct Unknown {
    workspace: bool,
    configs: bool,
}

/// The plan of a Task. A Workspace or AgentConfigs that are not in the input, or faulty, are left out.
fn plan_known_parts(
    frame: &Frame,
    fields: &TaskFields,
    prompt: &Text,
    instances: &Instances<'_>,
) -> Option<(Plan, Unknown)> {
    let plan = |fields: &TaskFields| {
        task::resolve_plan(frame, fields, prompt.clone(), None, instances, &mut Sink::new()).ok()
    };
    let known = task::in_input(frame, fields.clone(), instances);
    let configs = |fields: &TaskFields| task::count(fields.agent_configs.as_ref());
    let unknown = Unknown {
        workspace: known.workspace.is_some() != fields.workspace.is_some(),
        configs: configs(&known) != configs(fields),
    };
    if let Some(plan) = plan(&known) {
        return Some((plan, unknown));
    }
    let without = TaskFields { workspace: None, agent_configs: None, ..known };
    let unknown = Unknown { workspace: fields.workspace.is_some(), configs: configs(fields) > 0 };
    Some((plan(&without)?, unknown))
}

impl Unknown {
    /// Adds the volumes and init containers that the Pod may have, so that references to them are
    /// not reported.
    fn add_to(self, pod: &mut Node, frame: &Frame) {
        let of_configs = [PLUGIN_SETUP, SKILLS_INSTALL, PLUGIN_VOLUME, PLUGIN_SOURCE_VOLUME];
        let may_have = |name: &&str| self.has(of_configs.contains(name));
        let context = json!({
            "allowPrivilegeEscalation": false,
            "capabilities": {"drop": ["ALL"]},
            "runAsNonRoot": true,
            "seccompProfile": {"type": "RuntimeDefault"},
        });
        let containers = INIT_CONTAINERS
            .into_iter()
            .filter(may_have)
            .map(|name| json!({"name": name, "image": "kelos:1", "securityContext": context}));
        add_missing(pod, "initContainers", containers, frame);
        let volumes = [WORKSPACE_VOLUME, TOKEN_VOLUME, PLUGIN_VOLUME, PLUGIN_SOURCE_VOLUME]
            .into_iter()
            .filter(may_have)
            .map(|name| json!({"name": name, "emptyDir": {}}));
        add_missing(pod, "volumes", volumes, frame);
    }

    const fn has(self, is_of_configs: bool) -> bool {
        if is_of_configs { self.configs } else { self.workspace }
    }
}

/// Renames volumes and containers with the name of an earlier one: the builder of kelos rejects them,
/// which is reported for the resource.
fn rename_repeated(pod: &mut Node) {
    for lists in [&["volumes"][..], &["initContainers", "containers"]] {
        let mut names = SortedSet::new();
        for list in lists {
            let Some(Value::List(items)) = pod.get_mut(list).map(|it| &mut it.value) else {
                continue;
            };
            for item in items {
                let Some(name) = item.get_mut("name") else { continue };
                if !names.insert(name.as_str().unwrap_or_default().to_owned()) {
                    let unique = format!("kelos-repeated-{}", names.len());
                    *name = Node::string(unique.as_str(), name.origin());
                    names.insert(unique);
                }
            }
        }
    }
}

/// Adds the items whose names a list does not have.
fn add_missing(
    pod: &mut Node,
    list: &'static str,
    added: impl Iterator<Item = serde_json::Value>,
    frame: &Frame,
) {
    let own = items(pod, list).to_vec();
    let name_of = |item: &Node| item.get("name").map(|name| name.as_str().map(str::to_owned));
    let is_missing = |item: &Node| !own.iter().any(|other| name_of(other) == name_of(item));
    let missing: Vec<_> =
        added.map(|item| Node::from_json(item, frame.managed())).filter(is_missing).collect();
    if !missing.is_empty() {
        pod.set(list, frame.list(own.into_iter().chain(missing)));
    }
}
