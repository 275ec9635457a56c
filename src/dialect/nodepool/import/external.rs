//! Objects that Pods of a `nodepool.yaml` refer to but that are not in the file.
//!
//! The operator of the launcher creates them in each new Namespace, or in the cluster. They must be
//! declared in the Project, or the references would be errors.

use super::drivers::OPENSHIFT_PODS;
use crate::sorted::SortedSet;
use crate::tree::{Node, Origin};

/// `apiVersion` (empty for `v1`), kind, namespace (empty for cluster-scoped kinds) and name.
type Reference = (&'static str, &'static str, String, String);

/// Items of `external` of the Project, for the `NodePool` documents of an import.
pub(super) fn external_objects(definitions: &[Node], origin: Origin) -> Option<Node> {
    let mut found = SortedSet::new();
    let mut id = 0;
    for definition in definitions {
        for pool in items(definition, &["spec", "pools"]) {
            for label in items(pool, &["labels"]) {
                let name = pool.text_at(&["name"]);
                let is_shared = definition.str_at(&["spec", "driver"]) == Some(OPENSHIFT_PODS);
                let own = format!("{name}-{id:010}");
                add_references(label, if is_shared { name } else { &own }, &mut found);
                id += 1;
            }
        }
    }
    if found.is_empty() {
        return None;
    }
    let items = found.into_iter().map(|(api_version, kind, namespace, name)| {
        let mut item = Node::map(origin);
        let texts = [("apiVersion", api_version), ("kind", kind), ("namespace", &namespace)];
        for (key, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            item.set(key, Node::string(text, origin));
        }
        item.set("name", Node::string(name, origin));
        item.set("because", Node::string("the nodepool.yaml refers to it", origin));
        item
    });
    Some(Node::list(items, origin))
}

fn items<'n>(node: &'n Node, keys: &[&str]) -> &'n [Node] {
    node.at(keys).map_or(&[], Node::items)
}

fn add_references(label: &Node, namespace: &str, found: &mut SortedSet<Reference>) {
    // Without `spec` the label itself has the fields of its Pod.
    let spec = label.get("spec").unwrap_or(label);
    let mut add = |api_version, kind, namespace: &str, name: Option<&str>| {
        if let Some(name) = name.filter(|it| !it.is_empty()) {
            found.insert((api_version, kind, namespace.to_owned(), name.to_owned()));
        }
    };
    add("node.k8s.io/v1", "RuntimeClass", "", spec.str_at(&["runtimeClassName"]));
    add("scheduling.k8s.io/v1", "PriorityClass", "", spec.str_at(&["priorityClassName"]));
    let account = spec.str_at(&["serviceAccountName"]).or_else(|| spec.str_at(&["serviceAccount"]));
    // Every Namespace has this ServiceAccount.
    add("", "ServiceAccount", namespace, account.filter(|account| *account != "default"));
    for secret in items(spec, &["imagePullSecrets"]) {
        add("", "Secret", namespace, secret.str_at(&["name"]));
    }
    for list in ["initContainers", "containers"] {
        for container in items(spec, &[list]) {
            for variable in items(container, &["env"]) {
                let of = |key| variable.str_at(&["valueFrom", key, "name"]);
                add("", "Secret", namespace, of("secretKeyRef"));
                add("", "ConfigMap", namespace, of("configMapKeyRef"));
            }
            for source in items(container, &["envFrom"]) {
                add("", "Secret", namespace, source.str_at(&["secretRef", "name"]));
                add("", "ConfigMap", namespace, source.str_at(&["configMapRef", "name"]));
            }
        }
    }
    for volume in items(spec, &["volumes"]) {
        let claim = volume.str_at(&["persistentVolumeClaim", "claimName"]);
        add("", "PersistentVolumeClaim", namespace, claim);
        add("", "Secret", namespace, volume.str_at(&["secret", "secretName"]));
        for source in items(volume, &["projected", "sources"]).iter().chain([volume]) {
            add("", "Secret", namespace, source.str_at(&["secret", "name"]));
            add("", "ConfigMap", namespace, source.str_at(&["configMap", "name"]));
        }
    }
}
