//! The objects with Pods, and the path of their PodSpec.

use super::kind_facts::TemplateAt;
use super::{GroupVersionKind, KindFacts, Object, ObjectSet};
use crate::diag::brief;
use crate::scalar::is_same;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Entry, Node};

const ROOT: &[&str] = &[];
const SPEC: &[&str] = &["spec", "template"];
const JOB_TEMPLATE: &[&str] = &["spec", "jobTemplate", "spec", "template"];

const fn template_at(fields: &'static [&'static str], path: &'static str) -> TemplateAt {
    TemplateAt { fields, path }
}

/// The built-in kinds with Pods: group, kind, and the path of their pod template.
static MAKERS: &[(&str, &str, TemplateAt)] = &[
    ("", "Pod", template_at(ROOT, "spec")),
    ("", "PodTemplate", template_at(&["template"], "template.spec")),
    ("", "ReplicationController", template_at(SPEC, "spec.template.spec")),
    ("apps", "Deployment", template_at(SPEC, "spec.template.spec")),
    ("apps", "StatefulSet", template_at(SPEC, "spec.template.spec")),
    ("apps", "DaemonSet", template_at(SPEC, "spec.template.spec")),
    ("apps", "ReplicaSet", template_at(SPEC, "spec.template.spec")),
    ("batch", "Job", template_at(SPEC, "spec.template.spec")),
    ("batch", "CronJob", template_at(JOB_TEMPLATE, "spec.jobTemplate.spec.template.spec")),
];

/// The PodSpec of an object.
#[derive(Clone, Copy, Debug)]
pub struct PodSpec<'o> {
    /// The object.
    pub object: &'o Object,
    /// The node with `metadata` and `spec`: the pod template, or the Pod itself.
    pub template: &'o Node,
    /// The PodSpec.
    pub spec: &'o Node,
    /// The lists of containers that it has.
    lists: [Option<&'o [Node]>; 3],
    maker: TemplateAt,
}

/// The fields with containers.
const CONTAINERS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];

/// The containers of a PodSpec by name. Those of one name are in order.
pub type ContainersByName<'o> = SortedMap<&'o str, Vec<Container<'o>>>;

/// One container of a PodSpec.
#[derive(Clone, Copy, Debug)]
pub struct Container<'o> {
    /// `initContainers`, `containers` or `ephemeralContainers`.
    pub list: &'static str,
    /// Its position in that list.
    pub index: usize,
    /// The container.
    pub node: &'o Node,
}

/// The path of the pod template of a built-in kind.
fn template_of_built_in(group: &str, kind: &str) -> Option<TemplateAt> {
    let is_it =
        |maker: &&(&str, &str, TemplateAt)| is_same(maker.1, kind) && is_same(maker.0, group);
    MAKERS.iter().find(is_it).map(|it| it.2)
}

/// Whether objects of the kind have Pods; `facts` are those of its system.
pub fn makes_pods(group: &str, kind: &str, facts: Option<&KindFacts>) -> bool {
    facts.is_some_and(|facts| facts.pods.is_some()) || template_of_built_in(group, kind).is_some()
}

fn template_of(kind: &GroupVersionKind) -> Option<TemplateAt> {
    match kind.facts() {
        Some(facts) => facts.pods,
        None => template_of_built_in(&kind.group, &kind.kind),
    }
}

impl<'o> PodSpec<'o> {
    /// The PodSpec of `object`, if its kind has Pods.
    pub fn of(object: &'o Object) -> Option<Self> {
        let maker = template_of(&object.gvk)?;
        let template = object.root.at(maker.fields)?;
        let spec = template.get("spec")?;
        let lists = CONTAINERS.map(|list| spec.get(list).map(Node::items));
        Some(Self { object, template, spec, lists, maker })
    }

    /// The labels of the Pods.
    pub fn labels(&self) -> &'o [Entry] {
        self.template.entries_at(&["metadata", "labels"])
    }

    /// The node with `metadata` and `spec` in an object of `kind`, mutable.
    pub fn template_mut<'n>(root: &'n mut Node, kind: &GroupVersionKind) -> Option<&'n mut Node> {
        let fields = template_of(kind)?.fields;
        fields.iter().try_fold(root, |node, field| node.get_mut(field))
    }

    /// The path of the node with `metadata` and `spec` in objects of `kind`; empty for Pods.
    pub fn template_fields(kind: &GroupVersionKind) -> Option<&'static [&'static str]> {
        template_of(kind).map(|it| it.fields)
    }

    /// Whether the Pod is in a custom resource: the API server stores it without validation, and
    /// its lists are keyed.
    pub fn is_in_custom_resource(&self) -> bool {
        self.object.gvk.facts().is_some()
    }

    /// For an object without its PodSpec: the node that should have it, and its path. `None` if the
    /// schema requires a part of the path.
    pub fn missing(object: &'o Object) -> Option<(&'o Node, &'static str)> {
        let maker = template_of(&object.gvk)?;
        let is_custom = object.gvk.facts().is_some();
        let mut owner = &object.root;
        for field in maker.fields.iter().chain(&["spec"]) {
            match owner.get(field) {
                Some(node) => owner = node,
                None if is_custom => return None,
                None => return (*field == "spec").then_some((owner, maker.path)),
            }
        }
        None
    }

    /// The path of the PodSpec in the object: `spec.template.spec`.
    pub const fn path(&self) -> &'static str {
        self.maker.path
    }

    /// The path of the node with `metadata` and `spec`: `spec.template`; empty for a Pod.
    pub fn template_path(&self) -> &'static str {
        self.maker.path.rsplit_once('.').map_or("", |(template, _)| template)
    }

    /// All containers: init, regular, ephemeral.
    pub fn containers(&self) -> impl Iterator<Item = Container<'o>> + use<'o> {
        CONTAINERS.into_iter().zip(self.lists).flat_map(|(list, items)| {
            let items = items.unwrap_or_default().iter().enumerate();
            items.map(move |(index, node)| Container { list, index, node })
        })
    }

    /// All containers by name.
    pub fn containers_by_name(&self) -> ContainersByName<'o> {
        let mut containers = ContainersByName::new();
        for container in self.containers() {
            let name = container.node.text_at(&["name"]);
            containers.entry(name).or_default().push(container);
        }
        containers
    }

    /// The object's own `volumeClaimTemplates`, whose names are volumes of the Pod too.
    pub fn volume_claim_templates(&self) -> &'o [Node] {
        self.object.root.items_at(&["spec", "volumeClaimTemplates"])
    }

    /// The volumes, with their indexes, without those that a volume claim of a StatefulSet with the same
    /// name replaces.
    pub fn read_volumes(&self) -> impl Iterator<Item = (usize, &'o Node)> + Clone + use<'o> {
        let is_claimed = self.object.gvk.is("apps", "StatefulSet");
        let claims = if is_claimed { self.volume_claim_templates() } else { &[] };
        let claims: SortedSet<_> =
            claims.iter().map(|it| it.str_at(&["metadata", "name"])).collect();
        let volumes = self.spec.items_at(&["volumes"]).iter().enumerate();
        let read: Vec<_> =
            volumes.filter(|(_, volume)| !claims.contains(&volume.str_at(&["name"]))).collect();
        read.into_iter()
    }
}

impl Container<'_> {
    /// Its path in the PodSpec: `initContainers[0]`.
    pub fn path(&self) -> String {
        format!("{}[{}]", self.list, self.index)
    }

    /// The name for messages; empty if it has none.
    pub fn shown_name(&self) -> &str {
        brief(self.node.text_at(&["name"]))
    }
}

/// The PodSpecs of all objects, in the given order.
pub fn pod_specs<'o>(set: &ObjectSet<'o>) -> impl Iterator<Item = PodSpec<'o>> + use<'o> {
    set.all().iter().filter_map(PodSpec::of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Span, Workspace};
    use crate::tree::Origin;

    fn object(api_version: &str, kind: &str, root: serde_json::Value) -> Object {
        let span = Span::new(Workspace::new().add("x.yaml", ""), 0, 0);
        Object {
            gvk: GroupVersionKind::new(api_version, kind).into(),
            name: "x".into(),
            namespace: "".into(),
            root: Node::from_json(root, Origin::source(span)),
            document: span,
        }
    }

    #[test]
    fn finds_the_pod_spec_of_each_kind() {
        let pod = object("v1", "Pod", serde_json::json!({"spec": {"containers": []}}));
        assert_eq!(PodSpec::of(&pod).map(|it| it.path()), Some("spec"));
        let job = serde_json::json!({"template": {"spec": {"initContainers": [{"name": "a"}],
            "containers": [{"name": "b"}]}}});
        let cron = serde_json::json!({"spec": {"jobTemplate": {"spec": job}}});
        let cron = object("batch/v1", "CronJob", cron);
        let found = PodSpec::of(&cron).unwrap();
        assert_eq!(found.path(), "spec.jobTemplate.spec.template.spec");
        let names: Vec<_> =
            found.containers().map(|container| container.path() + container.shown_name()).collect();
        assert_eq!(names, ["initContainers[0]a", "containers[0]b"]);
    }

    #[test]
    fn an_object_without_pods_has_none() {
        let map = object("v1", "ConfigMap", serde_json::json!({"spec": {"containers": []}}));
        assert!(PodSpec::of(&map).is_none());
    }
}
