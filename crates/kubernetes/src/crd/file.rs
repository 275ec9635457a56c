//! Definitions that a system installs as files.

use super::description::DefinitionFile;
use super::embed;
use super::plant::Plant;
use crate::diag::Sink;
use crate::source::Workspace;
use crate::tree::{Entry, Node, Value};
use crate::yaml;

/// Reads the definition in a file. Its spans belong to no input file, so no message points at them.
/// `x-sandboxc-type` names an embedded Kubernetes type and is replaced with the schema of that
/// type.
pub(super) fn read(plant: Plant, file: &DefinitionFile) -> Option<Node> {
    let mut workspace = Workspace::new();
    let id = workspace.add(file.kind, file.text);
    let documents = yaml::documents(id, workspace.file(id).text(), &mut Sink::unused());
    let mut roots = documents.read.into_iter().map(|it| it.root);
    roots.find(|root| !root.is_null()).map(|root| insert_embedded(plant, root))
}

/// The key of a schema that names a Kubernetes type.
const TYPE: &str = "x-sandboxc-type";

/// Inserts the schemas of the embedded types; validation rules next to such a type are kept.
fn insert_embedded(plant: Plant, node: Node) -> Node {
    let origin = node.origin();
    if let Some(name) = node.str_at(&[TYPE]) {
        let mut schema = embed::definition(plant, name);
        schema.set_some(RULES, node.get(RULES).cloned());
        return schema;
    }
    match node.value {
        Value::Map(map) => {
            let embedded =
                |entry: Entry| Entry { value: insert_embedded(plant, entry.value), ..entry };
            Node::new(Value::Map(map.into_entries().into_iter().map(embedded).collect()), origin)
        }
        Value::List(items) => {
            Node::list(items.into_iter().map(|item| insert_embedded(plant, item)), origin)
        }
        scalar => Node::new(scalar, origin),
    }
}

const RULES: &str = "x-kubernetes-validations";

#[cfg(test)]
mod tests {
    use crate::crd::description::{DefinitionFile, System};
    use crate::crd::{CustomKinds, Installed, crds};
    use crate::kube::{GroupVersionKind, Object};
    use crate::schema::{Arena, KubernetesVersion, Type};
    use crate::source::Workspace;
    use crate::tree::{Node, Origin};

    static SYSTEM: System = System {
        name: "example",
        kinds: &[],
        versions: &[],
        removed: None,
        newer: None,
        conversion: None,
        embeds: KubernetesVersion::NEWEST,
        files: &[DefinitionFile {
            group: "example.com",
            kind: "Task",
            version: "v1",
            text: "# as released
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tasks.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Task, plural: tasks}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object}}}
",
        }],
        installed: Installed::new(),
    };

    fn task(workspace: &Workspace) -> Object {
        Object {
            gvk: GroupVersionKind::new("example.com/v1", "Task").into(),
            name: "a".into(),
            namespace: "".into(),
            root: Node::map(Origin::source(workspace.start())),
            document: workspace.start(),
        }
    }

    #[test]
    fn release_files_are_read_if_the_input_has_such_objects() {
        let (arena, workspace) = (Arena::new(), Workspace::new());
        let kinds = CustomKinds::new(&arena, [&SYSTEM], &[task(&workspace)], &workspace);
        let kind = kinds.find("example.com", "Task").unwrap();
        assert!(!kind.is_namespaced && kind.definition.is_none());
        assert!(kind.system.is_some_and(|system| system.name == "example"));
        assert!(matches!(kind.served("v1").map(|it| it.root), Some(Type::Object(_))));
        let unused = CustomKinds::new(&arena, [&SYSTEM], &[], &workspace);
        assert!(unused.find("example.com", "Task").is_none());
    }

    #[test]
    fn release_files_are_printed_unchanged() {
        let printed = crds(&SYSTEM);
        let [definition] = printed.as_slice() else { panic!("{printed:?}") };
        assert_eq!(definition.name, "tasks.example.com");
        assert_eq!(definition.root.str_at(&["spec", "scope"]), Some("Cluster"));
        assert_eq!(SYSTEM.current_version("Task"), "v1");
    }
}
