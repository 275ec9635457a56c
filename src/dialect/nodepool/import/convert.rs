//! Converts the driver's options to the fields of definitions.

use super::file::{FileLabel, FilePool, FileProvider, FileVariable, GlobalLabel};
use crate::decode::{Anything, Choice, ChoiceValues as _, Flag, Integer, Listed, Mapped, Text};
use crate::dialect::nodepool::node_label::NodeType;
use crate::dialect::nodepool::node_pool::Driver;
use crate::pod_security::{Profile, satisfies, strictest};
use crate::schema::KubernetesVersion;
use crate::tree::{Node, Number, Origin};

const NEWEST: KubernetesVersion = KubernetesVersion::NEWEST;
/// Units of the driver: memory in MiB, storage in MB.
const MEMORY: &str = "Mi";
const STORAGE: &str = "M";
const EPHEMERAL_STORAGE: &str = "ephemeral-storage";

fn text_node(text: Option<Text>) -> Option<Node> {
    text.map(Text::into_node)
}

fn integer_node(value: Option<Integer>) -> Option<Node> {
    value.map(Integer::into_node)
}

fn with_unit(value: &Integer, unit: &str) -> Node {
    let node = value.node();
    Node::string(format!("{}{unit}", node.to_json()), node.origin())
}

/// Quantities by resource; ephemeral storage has the driver's unit.
fn convert_amounts(amounts: Option<Mapped<Integer>>, origin: Origin) -> Option<Node> {
    let mut map = Node::map(origin);
    map.set_all(amounts?.entries.into_iter().map(|(key, value)| {
        let is_storage = key == EPHEMERAL_STORAGE;
        (key, if is_storage { with_unit(&value, STORAGE) } else { value.into_node() })
    }));
    Some(map)
}

/// The options that providers and pools have in common.
struct Maxima {
    servers: Option<Integer>,
    cores: Option<Integer>,
    ram: Option<Integer>,
    resources: Option<Mapped<Integer>>,
}

impl Maxima {
    fn set_into(self, node: &mut Node) {
        let Self { servers, cores, ram, resources } = self;
        let origin = node.origin();
        node.set_some("maxServers", integer_node(servers));
        node.set_some("maxCores", integer_node(cores));
        node.set_some("maxRam", ram.map(|ram| with_unit(&ram, MEMORY)));
        node.set_some("maxResources", convert_amounts(resources, origin));
    }
}

/// `spec` of a NodePool. `first_id` is the ID of its first node, if IDs do not count from 0.
pub(super) fn provider(provider: FileProvider, first_id: i64, origin: Origin) -> Node {
    let FileProvider {
        name: _,
        driver,
        max_concurrency,
        priority,
        context,
        launch_retries,
        max_servers,
        max_projects,
        max_pods: _,
        max_cores,
        max_ram,
        max_resources,
        pools,
    } = provider;
    let mut spec = Node::map(origin);

    let of_driver = driver.value;
    if of_driver != Driver::Kubernetes {
        spec.set("driver", driver.into_node());
    }
    spec.set_some("context", text_node(context));
    spec.set_some("launchRetries", integer_node(launch_retries));
    spec.set_some("maxConcurrency", integer_node(max_concurrency));
    spec.set_some("priority", integer_node(priority));
    let servers = max_projects.or(max_servers);
    let maxima = Maxima { servers, cores: max_cores, ram: max_ram, resources: max_resources };
    maxima.set_into(&mut spec);
    let nodes = (first_id > 0).then(|| nodes_from(&pools.items, first_id, origin));
    let pools = pools.items.into_iter().map(|item| convert_pool(item, of_driver, origin));
    spec.set("pools", Node::list(pools, origin));
    spec.set_some("nodes", nodes);
    spec
}

/// One node of each label, with ids from `first_id` on.
fn nodes_from(pools: &[FilePool], first_id: i64, origin: Origin) -> Node {
    let labels =
        pools.iter().flat_map(|pool| pool.labels.items.iter().map(move |label| (pool, label)));
    let nodes = (first_id..).zip(labels).map(|(id, (pool, label))| {
        let mut node = Node::map(origin);
        node.set("pool", pool.name.node().clone());
        node.set("label", label.name.node().clone());
        node.set("id", Node::int(id, origin));
        node
    });
    Node::list(nodes, origin)
}

fn convert_pool(pool: FilePool, driver: Driver, origin: Origin) -> Node {
    let FilePool {
        name,
        priority,
        node_attributes,
        max_servers,
        max_cores,
        max_ram,
        max_resources,
        default_cpu,
        default_memory,
        default_storage,
        default_cpu_limit,
        default_memory_limit,
        default_storage_limit,
        default_extra_resources,
        labels,
    } = pool;
    let mut node = Node::map(origin);
    node.set("name", name.into_node());
    node.set_some("priority", integer_node(priority));
    node.set_some("nodeAttributes", node_attributes.map(|map| convert_map(map, origin)));
    let maxima =
        Maxima { servers: max_servers, cores: max_cores, ram: max_ram, resources: max_resources };
    maxima.set_into(&mut node);
    let requests = Sizes { cpu: default_cpu, memory: default_memory, storage: default_storage };
    let limits = Sizes {
        cpu: default_cpu_limit,
        memory: default_memory_limit,
        storage: default_storage_limit,
    };
    node.set_some("defaultResources", convert_resources(requests, limits, None, origin));
    node.set_some("defaultExtraResources", convert_amounts(default_extra_resources, origin));
    let labels = labels.items.into_iter().map(|item| convert_label(item, driver, origin));
    node.set("labels", Node::list(labels, origin));
    node
}

struct Sizes {
    cpu: Option<Integer>,
    memory: Option<Integer>,
    storage: Option<Integer>,
}

impl Sizes {
    fn into_map(self, gpu: Option<(&str, Node)>, origin: Origin) -> Node {
        let Self { cpu, memory, storage } = self;
        let mut map = Node::map(origin);
        map.set_some("cpu", integer_node(cpu));
        map.set_some("memory", memory.map(|memory| with_unit(&memory, MEMORY)));
        map.set_some(EPHEMERAL_STORAGE, storage.map(|storage| with_unit(&storage, STORAGE)));
        if let Some((name, count)) = gpu {
            map.set(name, count);
        }
        map
    }
}

/// `resources` of a label, or the defaults of a pool.
fn convert_resources(
    requests: Sizes,
    limits: Sizes,
    gpu: Option<(&str, Node)>,
    origin: Origin,
) -> Option<Node> {
    let mut resources = Node::map(origin);
    for (key, map) in
        [("requests", requests.into_map(gpu, origin)), ("limits", limits.into_map(None, origin))]
    {
        if !map.entries().is_empty() {
            resources.set(key, map);
        }
    }
    (!resources.entries().is_empty()).then_some(resources)
}

fn convert_label(label: FileLabel, driver: Driver, origin: Origin) -> Node {
    let FileLabel {
        name,
        node_type,
        image,
        image_pull,
        image_pull_secrets,
        python_path,
        shell_type,
        cpu,
        memory,
        storage,
        cpu_limit,
        memory_limit,
        storage_limit,
        gpu,
        gpu_resource,
        env,
        node_selector,
        privileged,
        scheduler_name,
        volumes,
        volume_mounts,
        labels,
        dynamic_labels,
        annotations,
        extra_resources,
        spec,
    } = label;
    let is_pod = node_type.as_ref().is_none_or(|node_type| node_type.value.is_pod());
    let volumes = volumes.map(|it| it.node);
    let annotations = annotations.map(|it| it.node);
    let privileged = privileged.map(Flag::into_node);
    let security = match &spec {
        _ if !is_pod => None,
        // Without a profile nothing is checked, which `privileged` means as well.
        Some(spec) => {
            let metadata = metadata_with(annotations.as_ref(), origin);
            let strictest = strictest(&spec.node, metadata.as_ref(), NEWEST);
            Some(strictest).filter(|profile| *profile != Profile::Privileged)
        }
        None => {
            let (volumes, annotations) = (volumes.as_ref(), annotations.as_ref());
            Some(built_security(privileged.as_ref(), volumes, annotations, origin))
        }
    };
    let count = gpu.map(|gpu| whole_number(gpu.node));
    let gpu = gpu_resource.as_ref().map(Text::as_str).zip(count);

    let mut node = Node::map(origin);
    // The driver `openshiftpods` has no types.
    let node_type = match driver {
        Driver::OpenShiftPods => Some(Node::string(NodeType::Pod.as_str(), name.node().origin())),
        Driver::Kubernetes | Driver::OpenShift => node_type.map(Choice::into_node),
    };
    node.set("name", name.into_node());
    node.set_some("type", node_type);
    node.set_some("labels", labels.map(|it| it.node));
    node.set_some("dynamicLabels", dynamic_labels.map(|map| convert_text_map(map, origin)));
    node.set_some("annotations", annotations);
    node.set_some("image", text_node(image));
    node.set_some("imagePullPolicy", image_pull.map(|it| it.node));
    node.set_some("imagePullSecrets", image_pull_secrets.map(|it| it.node));
    node.set_some("env", env.map(|env| convert_variables(env, origin)));
    let requests = Sizes { cpu, memory, storage };
    let limits = Sizes { cpu: cpu_limit, memory: memory_limit, storage: storage_limit };
    node.set_some("resources", convert_resources(requests, limits, gpu, origin));
    node.set_some("extraResources", convert_amounts(extra_resources, origin));
    node.set_some("volumes", volumes);
    node.set_some("volumeMounts", volume_mounts.map(|it| it.node));
    node.set_some("nodeSelector", node_selector.map(|it| it.node));
    node.set_some("schedulerName", text_node(scheduler_name));
    node.set_some("security", security.map(|security| Node::string(security.as_str(), origin)));
    node.set_some("privileged", privileged);
    node.set_some("pythonPath", text_node(python_path));
    node.set_some("shellType", text_node(shell_type));
    node.set_some("spec", spec.map(|it| it.node));
    node
}

/// The strictest profile that does not change the driver's Pod. `restricted` would change it.
fn built_security(
    privileged: Option<&Node>,
    volumes: Option<&Node>,
    annotations: Option<&Node>,
    origin: Origin,
) -> Profile {
    let mut context = Node::map(origin);
    context.set_some("privileged", privileged.cloned());
    let mut container = Node::map(origin);
    container.set("securityContext", context);
    let mut spec = Node::map(origin);
    spec.set("containers", Node::list([container], origin));
    spec.set_some("volumes", volumes.cloned());
    let metadata = metadata_with(annotations, origin);
    let is_baseline = satisfies(&spec, metadata.as_ref(), Profile::Baseline, NEWEST);
    if is_baseline { Profile::Baseline } else { Profile::Privileged }
}

/// The metadata of a Pod with these annotations.
fn metadata_with(annotations: Option<&Node>, origin: Origin) -> Option<Node> {
    let annotations = annotations?;
    let mut metadata = Node::map(origin);
    metadata.set("annotations", annotations.clone());
    Some(metadata)
}

/// Converts `1.0` to `1`; a fraction is kept, and was reported.
fn whole_number(node: Node) -> Node {
    match node.as_number() {
        Some(Number::Float(value)) if value.fract() == 0.0 && value.abs() < 1e15 =>
        {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it is whole, and far below the bound"
            )]
            Node::int(value as i64, node.origin())
        }
        _ => node,
    }
}

fn convert_variables(variables: Listed<FileVariable>, origin: Origin) -> Node {
    let items = variables.items.into_iter().map(|FileVariable { name, value }| {
        let mut node = Node::map(origin);
        node.set("name", name.into_node());
        node.set("value", value.into_node());
        node
    });
    Node::list(items, origin)
}

fn convert_map(values: Mapped<Anything>, origin: Origin) -> Node {
    let mut map = Node::map(origin);
    map.set_all(values.entries.into_iter().map(|(key, value)| (key, value.node)));
    map
}

fn convert_text_map(values: Mapped<Text>, origin: Origin) -> Node {
    let mut map = Node::map(origin);
    map.set_all(values.entries.into_iter().map(|(key, value)| (key, value.into_node())));
    map
}

/// An item of `nodepool.labels` of a Project.
pub(super) fn global_label(label: GlobalLabel, origin: Origin) -> Node {
    let GlobalLabel { name, min_ready, max_ready_age } = label;
    let mut node = Node::map(origin);
    node.set("name", name.into_node());
    node.set_some("minReady", integer_node(min_ready));
    node.set_some("maxReadyAge", integer_node(max_ready_age));
    node
}

/// An item of `nodepool.tenantResourceLimits` of a Project.
pub(super) fn tenant(limits: Mapped<Anything>, origin: Origin) -> Node {
    let (mut node, mut others) = (Node::map(origin), Vec::new());
    for (key, Anything { node: value }) in limits.entries {
        let with_unit =
            |unit: &str| Node::string(format!("{}{unit}", value.to_json()), value.origin());
        match key.as_str() {
            "tenant-name" => node.set("tenantName", value),
            "max-servers" => node.set("maxServers", value),
            "max-cores" => node.set("maxCores", value),
            "max-ram" => node.set("maxRam", with_unit(MEMORY)),
            "max-volumes" => others.push(("volumes".into(), value)),
            "max-volume-gb" => others.push(("volume-gb".into(), value)),
            EPHEMERAL_STORAGE => others.push((key, with_unit(STORAGE))),
            _ => others.push((key, value)),
        }
    }
    if !others.is_empty() {
        let mut resources = Node::map(origin);
        resources.set_all(others);
        node.set("maxResources", resources);
    }
    node
}
