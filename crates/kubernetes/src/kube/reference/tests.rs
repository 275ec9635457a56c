//! Rows of the table, and the references that they find in objects.

use super::*;
use crate::kube::{GroupVersionKind, KindFacts};
use crate::schema::{Type, store};
use crate::source::{Span, Workspace};
use crate::tree::Origin;

fn object(api_version: &str, kind: &str, root: serde_json::Value) -> Object {
    let span = Span::new(Workspace::new().add("a", ""), 0, 0);
    Object {
        gvk: GroupVersionKind::new(api_version, kind).into(),
        name: "a".into(),
        namespace: "own".into(),
        root: Node::from_json(root, Origin::source(span)),
        document: span,
    }
}

/// Each reference as the label, the kind, the namespace, the path and the name.
fn described(found: Found<'_, '_>) -> String {
    let (label, path) = (found.reference.usage.label(), found.owner_path);
    let (_, kind) = found.group_kind().unwrap();
    let (namespace, name) = (found.namespace("own"), found.name.as_str().unwrap());
    let optional = if found.is_optional() { "?" } else { "" };
    format!("{label} {kind} {namespace}/{name}{optional} {}", path.field(found.field))
}

fn references(object: &Object) -> Vec<String> {
    let mut all = Vec::new();
    visit_references(object, &mut |found| {
        if found.group_kind().is_some() {
            all.push(described(found));
        }
    });
    all
}

#[test]
fn names_are_found_in_lists_and_below_several_owners() {
    const POD: Target = Target::namespaced("", "Pod");
    static FACTS: KindFacts = KindFacts {
        references: &[References {
            owners: &[&["spec"], &["spec", "worker"]],
            fields: &[
                Reference::new(&["after", EACH], POD, Use::Other("after")),
                Reference::new(&["volumes", EACH, "secret", "name"], SECRET, Use::Volume),
            ],
        }],
        ..KindFacts::new("example.com", "Task")
    };
    let mut task = object(
        "example.com/v1",
        "Task",
        serde_json::json!({"spec": {
            "after": ["a", "b"],
            "volumes": [{"secret": {"name": "c", "optional": true}}, {"emptyDir": {}}],
            "worker": {"volumes": [{"secret": {"name": "d"}}]},
        }}),
    );
    task.gvk = crate::kube::SharedKinds::new([&FACTS]).get("example.com/v1", "Task");
    let expected = [
        "after Pod own/a spec.after[0]",
        "after Pod own/b spec.after[1]",
        "volume Secret own/c? spec.volumes[0].secret.name",
        "volume Secret own/d spec.worker.volumes[0].secret.name",
    ];
    assert_eq!(references(&task), expected);
}

#[test]
fn kind_and_namespace_can_be_fields() {
    let binding = object(
        "rbac.authorization.k8s.io/v1",
        "RoleBinding",
        serde_json::json!({
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "r"},
            "subjects": [
                {"kind": "User", "name": "u"},
                {"kind": "ServiceAccount", "name": "s"},
                {"kind": "ServiceAccount", "name": "t", "namespace": "other"},
            ],
        }),
    );
    let expected = [
        "grants ClusterRole /r roleRef.name",
        "to ServiceAccount own/s subjects[1].name",
        "to ServiceAccount other/t subjects[2].name",
    ];
    assert_eq!(references(&binding), expected);
    let scaler = object(
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        serde_json::json!({"spec": {"scaleTargetRef":
            {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}}}),
    );
    assert_eq!(references(&scaler), ["scales Deployment own/d spec.scaleTargetRef.name"]);
}

/// A row with a field that does not exist would never be read.
#[test]
fn built_in_kinds_have_the_fields_of_the_table() {
    let pod = [("", "Pod", OF_POD_SPECS, &["spec"][..])];
    let volumes = [("", "Pod", OF_VOLUMES, &["spec", "volumes", EACH][..])];
    let containers = [("", "Pod", OF_CONTAINERS, &["spec", "containers", EACH][..])];
    let of_kinds = OF_KINDS.iter().flat_map(|(group, kind, references)| {
        references.iter().flat_map(move |references| {
            let owners = references.owners.iter();
            owners.map(move |owner| (*group, *kind, references.fields, *owner))
        })
    });
    let mut rows = 0;
    for (group, kind, fields, owner) in of_kinds.chain(pod).chain(volumes).chain(containers) {
        for reference in fields {
            let path: Vec<_> = owner.iter().chain(reference.path).copied().collect();
            assert!(is_field(group, kind, &path), "{kind} has no {path:?}");
            if let Some(namespace) = reference.namespace {
                let beside: Vec<_> = [&path[..path.len() - 1], &[namespace]].concat();
                assert!(is_field(group, kind, &beside), "{kind} has no {beside:?}");
            }
            rows += 1;
        }
    }
    assert!(rows > 50, "{rows}");
}

/// Whether a served version of a kind has a field at a path.
fn is_field(group: &str, kind: &str, path: &[&str]) -> bool {
    let kinds = store::kinds_named(kind).iter().filter(|known| known.group == group);
    kinds.filter_map(|known| known.definition).map(Type::Object).any(|root| {
        let found = path.iter().try_fold(root, |at, step| match at.resolve() {
            Type::List(list) if *step == EACH => Some(list.items),
            Type::Object(object) => Some(object.property(step)?.value),
            _ => None,
        });
        found.is_some()
    })
}
