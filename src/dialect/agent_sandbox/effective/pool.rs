//! Warm pools and their idle members.

use super::go_json::to_json;
use super::{
    AGENTS_VERSION, Cluster, EXTENSIONS_VERSION, Owner, Sandbox, Stored, find_in, metadata,
    object_head, owner_references,
};
use crate::dialect::agent_sandbox::names::{
    CREATED_BY, LAUNCH_TYPE, POD_TEMPLATE_HASH, SAFE_TO_EVICT, SANDBOX, SANDBOX_WARM_POOL,
    TEMPLATE_HASH, TEMPLATE_REF, TEMPLATE_REF_HASH, WARM_POOL,
};
use crate::kube::Remark;
use crate::lower::Effects;
use crate::scalar::name_hash;
use crate::sorted::SortedMap;
use crate::tree::{Node, Origin};

/// The number of members of each pool so far.
pub(super) type Members<'o> = SortedMap<(&'o str, &'o str), usize>;

pub(super) const POD_METADATA: &[&str] = &["spec", "podTemplate", "metadata"];
const POD_LABELS: &[&str] = &["spec", "podTemplate", "metadata", "labels"];
const POD_ANNOTATIONS: &[&str] = &["spec", "podTemplate", "metadata", "annotations"];

/// The fields of a template that its Sandboxes have as well.
const BLUEPRINT: [&str; 3] = ["podTemplate", "volumeClaimTemplates", "service"];

/// The template that a pool refers to.
pub(super) fn template_of<'c, 'o>(
    pool: &Stored<'_>,
    cluster: &'c Cluster<'o>,
) -> Option<&'c Stored<'o>> {
    let name = pool.root.str_at(&["spec", "sandboxTemplateRef", "name"])?;
    find_in(&cluster.templates, &pool.object.namespace, name)
}

/// The number of idle members of a pool.
pub(super) fn member_count(pool: &Stored<'_>) -> usize {
    let replicas = pool.root.at(&["spec", "replicas"]).and_then(Node::as_i64);
    usize::try_from(replicas.unwrap_or(1)).unwrap_or(0)
}

/// Adds the idle members of all pools, unless they are too many.
pub(super) fn create_all<'o>(
    cluster: &Cluster<'o>,
    members: &mut Members<'o>,
    sandboxes: &mut Vec<Sandbox<'o>>,
    effects: &mut Effects<'_>,
) {
    let pools = cluster.pools.values();
    let pools = pools.filter_map(|pool| Some((pool, template_of(pool, cluster)?)));
    let admitted: Vec<_> = pools
        .map(|(pool, template)| {
            (pool, template, effects.admit(pool.object, member_count(pool), copied_parts(template)))
        })
        .collect();
    if effects.over().is_some() {
        return;
    }
    for (pool, template, count) in admitted {
        create_members(pool, template, count, members, sandboxes, effects);
    }
}

/// Adds the idle members of a pool.
fn create_members<'o>(
    pool: &Stored<'o>,
    template: &Stored<'_>,
    count: usize,
    members: &mut Members<'o>,
    sandboxes: &mut Vec<Sandbox<'o>>,
    effects: &mut Effects<'_>,
) {
    for _ in 0..count {
        let root = create_member(pool, template, members, effects);
        let owner = Owner::Pool;
        let name = root.text_at(&["metadata", "name"]);
        let remark = Remark {
            mode: "idle",
            source_kind: SANDBOX_WARM_POOL,
            source_name: pool.name().to_owned(),
            reason: format!("idle member of SandboxWarmPool `{}`", pool.name()),
        };
        effects.remarks.add(SANDBOX, &pool.object.namespace, name, remark);
        let (source, managed) = (pool.object, pool.managed());
        sandboxes.push(Sandbox { source, managed, root, propagated_before: None, owner });
    }
}

/// The hashes of the content of a template.
pub(super) struct Hashes {
    pod_template: String,
    template: String,
}

impl Hashes {
    fn of(template: &Stored<'_>) -> Self {
        let hash_of = |ty: &str, node: Option<&Node>| name_hash(&to_json(ty, node));
        let spec = template.root.get("spec");
        let pod_template = spec.and_then(|it| it.get("podTemplate"));
        Self {
            pod_template: hash_of("PodTemplate", pod_template),
            template: hash_of("SandboxBlueprint", spec),
        }
    }
}

/// Creates the next member of a pool.
pub(super) fn create_member<'o>(
    pool: &Stored<'o>,
    template: &Stored<'_>,
    members: &mut Members<'o>,
    effects: &Effects<'_>,
) -> Node {
    let origin = pool.managed();
    let number = members.entry((&pool.object.namespace, &pool.object.name)).or_default();
    *number += 1;
    let prefix = format!("{}-", pool.name());
    let name = effects.generated_name(&prefix, *number);
    let (mut root, mut own) = object_head(AGENTS_VERSION, SANDBOX, &name, &pool.root, origin);
    own.set("generateName", Node::string(prefix, origin));
    own.set(
        "ownerReferences",
        owner_references(EXTENSIONS_VERSION, SANDBOX_WARM_POOL, pool.name(), origin),
    );
    root.set("metadata", own);
    root.set("spec", copy_blueprint(template, origin));
    let hashes = template.hashes.get_or_init(|| Hashes::of(template));
    let shared = [
        (WARM_POOL, name_hash(pool.name())),
        (TEMPLATE_REF_HASH, name_hash(template.name())),
        (POD_TEMPLATE_HASH, hashes.pod_template.clone()),
        (TEMPLATE_HASH, hashes.template.clone()),
    ];
    let shared = shared.each_ref().map(|(key, value)| (*key, value.as_str()));
    metadata::set_all(&mut root, &["metadata", "labels"], &shared, origin);
    let own_labels = [(LAUNCH_TYPE, "warm"), (CREATED_BY, "controller")];
    metadata::set_all(&mut root, &["metadata", "labels"], &own_labels, origin);
    let annotation = [(TEMPLATE_REF, template.name())];
    metadata::set_all(&mut root, &["metadata", "annotations"], &annotation, origin);
    metadata::set_all(&mut root, POD_LABELS, &shared, origin);
    let is_set = root.at(POD_ANNOTATIONS).is_some_and(|it| it.get(SAFE_TO_EVICT).is_some());
    if !is_set {
        metadata::set_all(&mut root, POD_ANNOTATIONS, &[(SAFE_TO_EVICT, "true")], origin);
    }
    set_secure_defaults(&mut root, template, origin);
    root
}

/// The parts of a template that each of its Sandboxes copies.
pub(super) fn copied_parts<'t>(template: &'t Stored<'_>) -> impl Iterator<Item = &'t Node> {
    BLUEPRINT.into_iter().filter_map(|field| template.root.at(&["spec", field]))
}

/// The fields that a template and a Sandbox have in common.
pub(super) fn copy_blueprint(template: &Stored<'_>, origin: Origin) -> Node {
    let mut spec = Node::map(origin);
    for field in BLUEPRINT {
        spec.set_some(field, template.root.at(&["spec", field]).cloned());
    }
    spec
}

/// Sets the controllers' defaults in the Pod of a template: no service account token, and public
/// DNS servers, because the default network policy blocks those of the cluster.
pub(super) fn set_secure_defaults(sandbox: &mut Node, template: &Stored<'_>, origin: Origin) {
    let spec = template.root.get("spec");
    let management = spec.and_then(|it| it.str_at(&["networkPolicyManagement"]));
    let is_managed = matches!(management, None | Some("" | "Managed"));
    let has_policy = spec.is_some_and(|spec| spec.get("networkPolicy").is_some());
    metadata::edit(sandbox, &["spec", "podTemplate", "spec"], origin, &mut |pod| {
        if pod.get("automountServiceAccountToken").is_none() {
            pod.set("automountServiceAccountToken", Node::bool(false, origin));
        }
        if is_managed && !has_policy && pod.text_at(&["dnsPolicy"]).is_empty() {
            let servers = ["8.8.8.8", "1.1.1.1"].map(|address| Node::string(address, origin));
            let mut config = Node::map(origin);
            config.set("nameservers", Node::list(servers, origin));
            pod.set("dnsPolicy", Node::string("None", origin));
            pod.set("dnsConfig", config);
        }
    });
}
