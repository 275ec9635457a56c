//! The admission plugins of the API server that change new objects.
//!
//! Follows Kubernetes' `plugin/pkg/admission`: `limitranger`, `serviceaccount`, `priority`,
//! `defaulttolerationseconds`, `storageobjectinuseprotection`.

use serde_json::{Value as Json, json};

use super::Conversion;
use super::classes::Classes;
use super::limits::Ranges;
use super::pods::items_mut;
use crate::kube::{Object, ObjectSet, default_priority_class, meeting_namespace};
use crate::sorted::SortedMap;
use crate::tree::{Node, Value, items};
use crate::validate::fields::text_at;

/// The objects of the input that plugins depend on.
pub(in crate::validate::policies) struct Cluster<'o> {
    /// The `ServiceAccount` objects by namespace and name.
    accounts: SortedMap<(&'o str, &'o str), &'o Object>,
    /// The values of `PriorityClass` objects, and their preemption policies.
    priorities: SortedMap<&'o str, (i64, &'o str)>,
    /// The default class of Pods without one.
    default_priority: Option<&'o str>,
    ranges: Ranges<'o>,
    classes: Classes<'o>,
}

/// The volume of the token of the account; the suffix is random.
const TOKEN: &str = "kube-api-access-xxxxx";

impl<'o> Cluster<'o> {
    pub(super) fn new(set: &ObjectSet<'o>) -> Self {
        let accounts = set.of_kind("", "ServiceAccount").map(|account| {
            ((meeting_namespace(&account.namespace), account.name.as_str()), account)
        });
        let mut priorities = SortedMap::from([
            ("system-cluster-critical", (2_000_000_000, LOWER)),
            ("system-node-critical", (2_000_001_000, LOWER)),
        ]);
        for class in set.of_kind("scheduling.k8s.io", "PriorityClass") {
            let value = class.root.get("value").and_then(Node::as_i64).unwrap_or(0);
            let policy = class.root.str_at(&["preemptionPolicy"]).unwrap_or(LOWER);
            priorities.insert(&class.name, (value, policy));
        }
        Self {
            accounts: accounts.collect(),
            priorities,
            default_priority: default_priority_class(set).map(|class| class.name.as_str()),
            ranges: Ranges::new(set),
            classes: Classes::new(set),
        }
    }

    /// The maximum number of values that the plugins add to a new object.
    pub(in crate::validate::policies) fn added(&self, object: &Object, root: &Node) -> usize {
        if !object.gvk.is("", "Pod") {
            return 0;
        }
        let namespace = meeting_namespace(&object.namespace);
        let text = |field| root.str_at(&["spec", field]);
        let lists = ["initContainers", "containers"].into_iter();
        let containers: usize =
            lists.filter_map(|list| root.at(&["spec", list])).map(|list| list.items().len()).sum();
        let account = (namespace, text("serviceAccountName").unwrap_or("default"));
        let of_account =
            self.accounts.get(&account).and_then(|account| account.root.get("imagePullSecrets"));
        let secrets = of_account.map_or(0, |secrets| secrets.items().len());
        let of_class = text("runtimeClassName").map_or(0, |class| self.classes.added(class));
        (containers + 1) * self.ranges.added(namespace) + secrets + of_class
    }

    /// Changes a new object as the plugins do.
    pub(super) fn admit(&self, conversion: Conversion, object: &Object, root: &mut Node) {
        match (object.gvk.group.as_str(), object.gvk.kind.as_str()) {
            ("", "Pod") => {
                let namespace = meeting_namespace(&object.namespace);
                let mirror = ["metadata", "annotations", "kubernetes.io/config.mirror"];
                let is_mirror = root.at(&mirror).is_some();
                self.ranges.apply(conversion, root, namespace);
                let Some(spec) = root.get_mut("spec") else {
                    return;
                };
                if !is_mirror {
                    self.account(conversion, spec, namespace);
                }
                self.priority(conversion, spec);
                add_tolerations(conversion, spec);
                self.classes.runtime(conversion, spec);
            }
            ("", "PersistentVolumeClaim") => {
                self.classes.claim(conversion, root);
                add_finalizer(conversion, root, "kubernetes.io/pvc-protection");
            }
            ("", "PersistentVolume") => {
                add_finalizer(conversion, root, "kubernetes.io/pv-protection");
            }
            ("networking.k8s.io", "Ingress") => self.classes.ingress(conversion, root),
            ("storage.k8s.io", "VolumeAttributesClass") => {
                add_finalizer(conversion, root, "kubernetes.io/vac-protection");
            }
            _ => {}
        }
    }

    fn account(&self, conversion: Conversion, spec: &mut Node, namespace: &str) {
        conversion.fill(spec, "serviceAccountName", json!("default"));
        let name = text_at(spec, &["serviceAccountName"]).to_owned();
        conversion.fill(spec, "serviceAccount", json!(name));
        let account = self.accounts.get(&(namespace, name.as_str()));
        if let Some(secrets) = account.and_then(|account| account.root.get("imagePullSecrets"))
            && spec.get("imagePullSecrets").is_none()
            && !secrets.items().is_empty()
        {
            spec.set("imagePullSecrets", secrets.clone());
        }
        let of_account =
            account.and_then(|account| account.root.get("automountServiceAccountToken"));
        let automount = spec.get("automountServiceAccountToken").or(of_account);
        if automount.and_then(Node::as_bool) == Some(false) {
            return;
        }
        let mut is_mounted = false;
        for list in ["initContainers", "containers"] {
            for container in items_mut(spec, list) {
                let path = "/var/run/secrets/kubernetes.io/serviceaccount";
                let mounts = items(container, "volumeMounts");
                if mounts.iter().any(|mount| mount.str_at(&["mountPath"]) == Some(path)) {
                    continue;
                }
                is_mounted = true;
                let mount = json!({"name": TOKEN, "readOnly": true, "mountPath": path});
                push(conversion, container, "volumeMounts", conversion.value(mount));
            }
        }
        // After a policy added a container, the volume is already there.
        let volumes = items(spec, "volumes");
        if is_mounted && !volumes.iter().any(|volume| volume.str_at(&["name"]) == Some(TOKEN)) {
            let volume = json!({"name": TOKEN, "projected": token_volume()});
            push(conversion, spec, "volumes", conversion.value(volume));
        }
    }

    fn priority(&self, conversion: Conversion, spec: &mut Node) {
        let name = spec.str_at(&["priorityClassName"]).or(self.default_priority);
        let class = name.map(ToOwned::to_owned);
        let known = class.as_deref().map_or(Some(&(0, LOWER)), |class| self.priorities.get(class));
        let Some((value, policy)) = known else { return };
        if let Some(class) = &class {
            spec.set("priorityClassName", conversion.value(json!(class)));
        }
        spec.set("priority", conversion.value(json!(value)));
        conversion.fill(spec, "preemptionPolicy", json!(policy));
    }
}

const LOWER: &str = "PreemptLowerPriority";

fn token_volume() -> Json {
    json!({
        "sources": [
            {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
            {"configMap": {
                "name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}],
            }},
            {"downwardAPI": {"items": [{
                "path": "namespace",
                "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"},
            }]}},
        ],
        "defaultMode": 420,
    })
}

/// The taints that admission makes each Pod tolerate (`plugin/pkg/admission/defaulttolerationseconds`).
pub(in crate::validate) const TOLERATED: [&str; 2] =
    ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/// Whether a Pod tolerates a taint with the effect `NoExecute`.
pub(in crate::validate) fn tolerates(spec: &Node, taint: &str) -> bool {
    items(spec, "tolerations").iter().any(|toleration| {
        let own = text_at(toleration, &["key"]);
        let effect = text_at(toleration, &["effect"]);
        (own.is_empty() || own == taint) && matches!(effect, "" | "NoExecute")
    })
}

/// Tolerates unreachable nodes and nodes that are not ready for five minutes.
fn add_tolerations(conversion: Conversion, spec: &mut Node) {
    for key in TOLERATED {
        if !tolerates(spec, key) {
            let toleration = json!({
                "key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300,
            });
            push(conversion, spec, "tolerations", conversion.value(toleration));
        }
    }
}

fn add_finalizer(conversion: Conversion, root: &mut Node, name: &str) {
    if let Some(metadata) = root.get_mut("metadata") {
        let present = items(metadata, "finalizers");
        if !present.iter().any(|finalizer| finalizer.as_str() == Some(name)) {
            push(conversion, metadata, "finalizers", conversion.value(json!(name)));
        }
    }
}

/// Appends an item to a list, which can be absent.
pub(super) fn push(conversion: Conversion, owner: &mut Node, list: &str, item: Node) {
    conversion.fill(owner, list, json!([]));
    if let Some(Value::List(items)) = owner.get_mut(list).map(|node| &mut node.value) {
        items.push(item);
    }
}
