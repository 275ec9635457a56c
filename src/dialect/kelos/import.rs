//! Converts the resources of kelos to definitions: every field, under its name in definitions.
//!
//! A field that definitions do not have, such as a misspelled one, is copied unchanged: compiling
//! the definition reports it.

use super::import_text::unescape;
use super::migration::move_comment_policies;
use super::names::AGENT_CONTAINER;
use super::rules::KELOS_RESOURCE_INVALID;
use super::settings::Target;
use super::{GROUP, SETTINGS_KEY, spawner_import};
use crate::convert::Edits;
use crate::decode::ChoiceValues as _;
use crate::diag::{Diagnostic, Message, Sink, message};
use crate::kube::{LAST_APPLIED, sample_name};
use crate::lower::{API_VERSION, IMPORT_KEPT, Import, ImportCx, imported_project};
use crate::pod_security::{Profile, satisfies};
use crate::schema::KubernetesVersion;
use crate::sorted::CompactSort as _;
use crate::source::Span;
use crate::tree::{Entry, Map, Node, Origin, Value};

/// The import of kelos' own kinds.
pub(super) const IMPORT: Import =
    Import { what: "a resource of kelos", recognizes, definitions, is_pyyaml: false };

/// The kinds that have a definition; the others are applied as they are.
const KINDS: [&str; 4] = ["Task", "Workspace", "AgentConfig", "TaskSpawner"];
/// The versions of the API, which differ in names.
const VERSIONS: [&str; 2] = [OLD_VERSION, "v1alpha2"];
const OLD_VERSION: &str = "v1alpha1";
/// The metadata fields of a definition.
const KEPT: [&str; 4] = ["name", "namespace", "labels", "annotations"];
/// The metadata fields that only the API server sets.
const OF_SERVER: [&str; 6] =
    ["creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"];
/// The fields that cannot be set next to `worker`.
const OLDER: [&str; 2] = ["type", "credentials"];
/// The field of a resource that only its controller sets.
const STATUS: &str = "status";

fn recognizes(root: &Node) -> bool {
    let version = root.str_at(&["apiVersion"]).and_then(|it| it.split_once('/'));
    let is_of_group = version.is_some_and(|(group, _)| group == GROUP);
    is_of_group && root.str_at(&["kind"]).is_some_and(|kind| KINDS.contains(&kind))
}

fn definitions(mut root: Node, cx: &mut ImportCx<'_>) -> Vec<Node> {
    let origin = root.origin();
    let resource = root.clone();
    let changed = unescape(&mut root);
    if let Some(first) = changed.first().filter(|_| !cx.is_lossy) {
        report_kept(&resource, *first, cx.sink);
        return vec![resource];
    }
    for place in changed {
        let message = "`$(NAME)` and `$$` are not expanded in strings of a definition";
        cx.lost(place, message, "write what the agent must get");
    }
    match convert_resource(root, cx) {
        Some(definition) => vec![target_project(origin), definition],
        None => Vec::new(),
    }
}

/// Reports a resource of which the kubelet changes a string. A definition would have another string.
fn report_kept(resource: &Node, place: Span, sink: &mut Sink) {
    let text = |keys: &[&str]| resource.text_at(keys);
    let (kind, name) = (text(&["kind"]), text(&["metadata", "name"]));
    let message = message!(
        "`{kind}/{name}` is kept as an object: the kubelet expands `$(NAME)` and `$$` in this string"
    );
    sink.report(
        Diagnostic::new(&IMPORT_KEPT, place, message)
            .at("would be escaped in a definition")
            .help("add `--lossy` for a definition whose agent gets the string as written"),
    );
}

/// The Project with which the definitions become resources of kelos again.
fn target_project(origin: Origin) -> Node {
    let mut settings = Node::map(origin);
    settings.set("target", Node::string(Target::Resources.as_str(), origin));
    let mut spec = Node::map(origin);
    spec.set(SETTINGS_KEY, settings);
    imported_project(spec, origin)
}

/// The definition of a resource that is only checked. Fields that definitions cannot express are
/// omitted.
pub(super) fn checked_definition(mut root: Node) -> Option<Node> {
    if let Some(metadata) = root.get_mut("metadata")
        && metadata.get("name").is_none()
        && let Some(prefix) = metadata.get("generateName")
        && let Some(text) = prefix.as_str()
    {
        // The API server appends five characters.
        let name = Node::string(sample_name(text), prefix.origin());
        metadata.set("name", name);
    }
    let mut findings = Sink::new();
    let mut cx = ImportCx { is_lossy: true, left_out: Vec::new(), sink: &mut findings };
    convert_resource(root, &mut cx)
}

/// The definition of a resource, or `None` if it has no `spec` or an unknown version.
fn convert_resource(mut root: Node, cx: &mut ImportCx<'_>) -> Option<Node> {
    let origin = root.origin();
    let is_old_spawner = root.str_at(&["kind"]) == Some("TaskSpawner")
        && root.str_at(&["apiVersion"]).is_some_and(|it| it.ends_with(OLD_VERSION));
    if is_old_spawner && let Err(refused) = move_comment_policies(&mut Edits::of(&mut root, origin))
    {
        let finding = Diagnostic::new(&KELOS_RESOURCE_INVALID, refused.span, refused.message);
        cx.sink.report(finding.at("not valid in kelos").help(refused.help));
        return None;
    }
    let mut root = Fields::of(root);
    let version = root.take("apiVersion").unwrap_or_else(|| Node::string("", origin));
    let name = version.as_str().and_then(|text| text.split_once('/')).map_or("", |(_, name)| name);
    if !VERSIONS.contains(&name) {
        let message = message!("unknown version `{name}` of kelos");
        let help = message!("use {GROUP}/{}", VERSIONS.join(&format!(" or {GROUP}/")));
        refuse(&version, message, help, cx.sink);
        return None;
    }
    let is_old = name == OLD_VERSION;
    let kind = root.take("kind").unwrap_or_else(|| Node::string("", origin));
    // An AgentConfig without a `spec` adds nothing.
    let is_optional = kind.as_str() == Some("AgentConfig");
    let given = root.take("spec").or_else(|| is_optional.then(|| Node::map(origin)));
    let Some(given) = given else {
        let message = message!("the {} has no `spec`", kind.as_str().unwrap_or_default());
        cx.sink.report(
            Diagnostic::new(&KELOS_RESOURCE_INVALID, kind.span(), message)
                .at("has no `spec`")
                .help("add `spec`"),
        );
        return None;
    };
    let spec = match kind.as_str() {
        Some("Task") => convert_task(given, is_old, cx),
        Some("Workspace") => convert_workspace(given, cx),
        Some("AgentConfig") => convert_agent_config(given, is_old),
        _ => spawner_import::task_spawner(given, is_old, cx),
    };
    let mut definition = Node::map(origin);
    definition.set("apiVersion", Node::string(API_VERSION, origin));
    definition.set("kind", kind);
    definition.set_some("metadata", root.take("metadata").map(|node| convert_metadata(&node, cx)));
    definition.set("spec", spec);
    for Entry { key, .. } in root.into_rest().filter(|entry| entry.key != STATUS) {
        cx.lost(key.span(), message!("`{key}` does not exist in a definition"), "remove it");
    }
    Some(definition)
}

fn convert_metadata(metadata: &Node, cx: &mut ImportCx<'_>) -> Node {
    let mut kept = Node::map(metadata.origin());
    for Entry { key, value } in metadata.entries() {
        if KEPT.contains(&key.as_str()) {
            kept.set(key.text().clone(), value.clone());
        } else if !OF_SERVER.contains(&key.as_str()) {
            cx.lost(
                key.span(),
                message!("`metadata.{key}` does not exist in a definition"),
                "remove it",
            );
        }
    }
    if let Some(map) = kept.as_map_mut()
        && let Some(annotations) = map.get_mut("annotations").and_then(Node::as_map_mut)
    {
        annotations.remove(LAST_APPLIED);
    }
    kept
}

/// Reports a fault of a resource that the API server rejects and a definition cannot express.
pub(super) fn refuse(
    place: &Node,
    message: impl Into<Message>,
    help: impl Into<Message>,
    sink: &mut Sink,
) {
    sink.report(
        Diagnostic::new(&KELOS_RESOURCE_INVALID, place.span(), message)
            .at("not valid in kelos")
            .help(help),
    );
}

fn convert_task(spec: Node, is_old: bool, cx: &mut ImportCx<'_>) -> Node {
    let mut fields = Fields::of(spec);
    let mut task = Node::map(fields.origin);
    task_fields(&mut fields, &mut task, is_old, cx);
    fields.rest_into(&mut task);
    task
}

/// The fields that a Task and the template of a `TaskSpawner` have in common.
pub(super) fn task_fields(
    fields: &mut Fields,
    task: &mut Node,
    is_old: bool,
    cx: &mut ImportCx<'_>,
) {
    check_exclusive(fields, cx.sink);
    let mut worker = fields.take("worker").map(Fields::of);
    let mut replaced = Vec::new();
    let mut either = |key: &'static str, fields: &mut Fields| {
        let is_set = |node: &Node| !(node.as_str() == Some("") || is_empty_list(node));
        let own = worker.as_mut().and_then(|it| it.take(key)).filter(is_set);
        let legacy = fields.take(key).filter(is_set);
        if let (Some(_), Some(legacy)) = (&own, &legacy) {
            replaced.push((key, legacy.span()));
        }
        own.or(legacy)
    };
    task.set_some("agent", either("type", fields));
    task.set_some("credentials", either("credentials", fields));
    task.set_some("model", either("model", fields));
    task.set_some("effort", either("effort", fields));
    task.set_some("image", either("image", fields));
    task.set_some("workspace", either("workspaceRef", fields).map(name_of));
    let mut configs = either("agentConfigRefs", fields);
    if is_old && let Some(single) = fields.take("agentConfigRef") {
        if configs.is_some() {
            let help = "keep `agentConfigRefs`";
            refuse(
                &single,
                "`agentConfigRef` and `agentConfigRefs` are mutually exclusive",
                help,
                cx.sink,
            );
        }
        let origin = single.origin();
        configs = Some(Node::list([single], origin));
    }
    task.set_some(
        "agentConfigs",
        configs.map(|it| {
            let origin = it.origin();
            Node::list(it.into_items().into_iter().map(name_of), origin)
        }),
    );
    let overrides = either("podOverrides", fields);
    // Two of `type` or `credentials` are an error.
    replaced.retain(|(key, _)| !OLDER.contains(key));
    for (key, place) in replaced {
        let reason = message!("kelos uses `worker.{key}`");
        cx.unused(
            place,
            message!("`{key}` has no effect next to `worker.{key}`"),
            reason,
            "remove it",
        );
    }
    task.set_some("workerPool", fields.take("workerPoolRef").map(name_of));
    for key in ["branch", "upstreamRepo"] {
        task.set_some(key, fields.take(key).filter(|value| value.as_str() != Some("")));
    }
    for key in ["dependsOn", "ttlSecondsAfterFinished", "podFailurePolicy"] {
        let value = fields.take(key).filter(|node| node.as_map().is_some() || !is_empty_list(node));
        task.set_some(key, value);
    }
    check_minimum(task, "ttlSecondsAfterFinished", 0, cx.sink);
    check_fail_index(task, cx.sink);
    let level = overrides
        .map_or(Profile::Baseline, |overrides| move_pod_overrides(overrides, task, cx.sink));
    if task.get("workerPool").is_none() {
        task.set(
            "security",
            Node::string(
                if level == Profile::Baseline { "baseline" } else { "privileged" },
                fields.origin,
            ),
        );
    }
    task.set_all(
        worker.into_iter().flat_map(Fields::into_rest).map(|entry| (entry.key, entry.value)),
    );
}

fn is_empty_list(node: &Node) -> bool {
    matches!(node.value, Value::List(_)) && node.items().is_empty()
}

/// Checks `worker` and `workerPoolRef`, which replace older fields.
fn check_exclusive(fields: &Fields, sink: &mut Sink) {
    let older = OLDER.into_iter().filter_map(|field| Some((field, fields.get(field)?)));
    for (owner, others) in [("workerPoolRef", &["worker"][..]), ("worker", &[][..])] {
        if fields.get(owner).is_none() {
            continue;
        }
        let others = others.iter().filter_map(|key| Some((*key, fields.get(key)?)));
        for (field, node) in older.clone().chain(others) {
            let message = message!("`{field}` and `{owner}` are mutually exclusive");
            refuse(node, message, message!("remove `{field}`"), sink);
        }
    }
}

fn check_minimum(node: &Node, field: &str, minimum: i64, sink: &mut Sink) {
    if let Some(value) = node.get(field)
        && value.as_i64().is_some_and(|number| number < minimum)
    {
        refuse(value, message!("`{field}` is less than {minimum}"), "write a larger number", sink);
    }
}

fn check_fail_index(task: &Node, sink: &mut Sink) {
    let rules = task.at(&["podFailurePolicy", "rules"]).map_or(&[][..], Node::items);
    for action in rules.iter().filter_map(|it| it.get("action")) {
        if action.as_str() == Some("FailIndex") {
            let message = "action `FailIndex` is not supported for Tasks";
            refuse(action, message, "use `FailJob`", sink);
        }
    }
}

/// Moves kelos' flat fields to those of a Pod; returns the strictest level that they satisfy.
fn move_pod_overrides(overrides: Node, task: &mut Node, sink: &mut Sink) -> Profile {
    check_minimum(&overrides, "activeDeadlineSeconds", 1, sink);
    let level = level_of(&overrides);
    let mut fields = Fields::of(overrides);
    let origin = fields.origin;
    let wrap = |key: &str, value: Node| {
        let mut map = Node::map(origin);
        map.set(key, value);
        map
    };
    task.set_some("podMetadata", fields.take("labels").map(|labels| wrap("labels", labels)));
    for list in ["extraContainers", "extraInitContainers"] {
        let Some(containers) = fields.take(list) else { continue };
        check_extra_containers(list, &containers, sink);
        if list == "extraContainers" {
            task.set("podOverrides", wrap("containers", containers));
        } else {
            task.set("initContainers", containers);
        }
    }
    fields.rest_into(task);
    level
}

fn check_extra_containers(list: &str, containers: &Node, sink: &mut Sink) {
    const MOST: usize = 8;
    if containers.items().len() > MOST {
        let message = message!("`{list}` has more than {MOST} items");
        refuse(containers, message, "remove some of them", sink);
    }
    // In a definition, this name belongs to the agent itself.
    let names = containers.items().iter().filter_map(|it| it.get("name"));
    for name in names.filter(|name| name.as_str() == Some(AGENT_CONTAINER)) {
        let message = message!("container name `{AGENT_CONTAINER}` is reserved");
        refuse(name, message, "rename the container", sink);
    }
}

/// The strictest level that sets no fields, because kelos sets none; `restricted` would.
fn level_of(overrides: &Node) -> Profile {
    let mut spec = Node::map(overrides.origin());
    let mut agent = Node::map(overrides.origin());
    agent.set("name", Node::string(AGENT_CONTAINER, overrides.origin()));
    agent.set_some("securityContext", overrides.get("containerSecurityContext").cloned());
    let extra = overrides.get("extraContainers").map_or(&[][..], Node::items);
    let containers = std::iter::once(agent).chain(extra.iter().cloned());
    spec.set("containers", Node::list(containers, overrides.origin()));
    spec.set_some("initContainers", overrides.get("extraInitContainers").cloned());
    spec.set_some("volumes", overrides.get("volumes").cloned());
    spec.set_some("securityContext", overrides.get("podSecurityContext").cloned());
    let is_baseline = satisfies(&spec, None, Profile::Baseline, KubernetesVersion::NEWEST);
    if is_baseline { Profile::Baseline } else { Profile::Privileged }
}

fn convert_workspace(mut spec: Node, cx: &mut ImportCx<'_>) -> Node {
    let proxy = spec.as_map_mut().and_then(|it| it.remove("ghproxy"));
    if let Some(Entry { key, .. }) = proxy {
        cx.lost(
            key.span(),
            "`ghproxy` does not exist in a definition: the kelos controller runs the proxy",
            "remove it, or apply the Workspace as it is",
        );
    }
    spec
}

/// Converts an `AgentConfig`. Before v1alpha2 the variables of an MCP server were a map.
fn convert_agent_config(mut spec: Node, is_old: bool) -> Node {
    let servers = spec.as_map_mut().filter(|_| is_old).and_then(|it| it.get_mut("mcpServers"));
    if let Some(Node { value: Value::List(servers), .. }) = servers {
        for env in servers.iter_mut().filter_map(|it| it.get_mut("env")) {
            if env.as_map().is_none() {
                continue;
            }
            let origin = env.origin();
            let mut entries = env.entries().to_vec();
            entries.compact_sort_by(|a, b| a.key.as_str().cmp(&b.key));
            let variables = entries.into_iter().map(|Entry { key, value }| {
                let origin = key.origin();
                let mut variable = Node::map(origin);
                variable.set("name", Node::string(key, origin));
                variable.set("value", value);
                variable
            });
            *env = Node::list(variables, origin);
        }
    }
    spec
}

/// `{name: x}` as `x`; anything else as it is.
pub(super) fn name_of(reference: Node) -> Node {
    match reference.entries() {
        [Entry { key, value, .. }] if key == "name" => value.clone(),
        _ => reference,
    }
}

/// The fields of a map, removed one by one.
pub(super) struct Fields {
    pub(super) origin: Origin,
    map: Map,
}

impl Fields {
    pub(super) fn of(node: Node) -> Self {
        Self { origin: node.origin(), map: node.into_entries().into() }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.map.get(key).filter(|it| !it.is_null())
    }

    pub(super) fn take(&mut self, key: &str) -> Option<Node> {
        self.map.remove(key).map(|it| it.value).filter(|it| !it.is_null())
    }

    fn into_rest(self) -> impl Iterator<Item = Entry> {
        self.map.into_entries().into_iter()
    }

    /// Copies the remaining fields.
    pub(super) fn rest_into(self, node: &mut Node) {
        node.set_all(self.into_rest().map(|entry| (entry.key, entry.value)));
    }
}
