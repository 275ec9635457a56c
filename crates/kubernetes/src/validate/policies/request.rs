//! The request that creates an object, as expressions see it.

use std::cell::OnceCell;

use lean_string::LeanStr;
use serde_json::json;

use super::matching::{GroupVersion, Resource};
use super::policy::Policy;
use super::{Namespace, Scope};
use crate::cel::Inputs;
use crate::kube::{LabelState, Object, state_of};
use crate::sorted::SortedMap;
use crate::tree::{Node, Origin};

/// The creation of an object.
pub(super) struct Request<'o> {
    pub(super) object: &'o Object,
    /// The object as the API server stores it.
    pub(super) root: &'o Node,
    pub(super) resource: Resource<'o>,
    /// The version of `root`, if it is not that of the resource.
    pub(super) version: Option<GroupVersion<'o>>,
    /// The namespace of the object, if its kind has namespaces.
    pub(super) namespace: Option<&'o str>,
    /// The Namespace, if the input has it.
    pub(super) namespace_object: Option<&'o Namespace>,
    /// The labels of the object, after their first use.
    labels: OnceCell<Labels>,
    /// The variable `request`, after its first use.
    variable: OnceCell<Node>,
    /// The variable `namespaceObject` if the input does not have the Namespace, after its first use.
    unknown_namespace: OnceCell<Node>,
}

/// The labels of an object by key.
pub(super) type Labels = SortedMap<LeanStr, Node>;

/// The labels of an object.
pub(super) fn labels(root: &Node) -> Labels {
    let labels = root.entries_at(&["metadata", "labels"]);
    labels.iter().map(|entry| (entry.key.text().clone(), entry.value.clone())).collect()
}

const USER: &str = "the user of the request";
const OPTIONS: &str = "the options of the request";
const NAMESPACE: &str = "a Namespace that is not in the input";

impl<'o> Request<'o> {
    pub(super) fn new(
        object: &'o Object,
        root: &'o Node,
        resource: Resource<'o>,
        (namespace, namespace_object): Scope<'o>,
    ) -> Self {
        Self {
            object,
            root,
            resource,
            version: None,
            namespace,
            namespace_object,
            labels: OnceCell::new(),
            variable: OnceCell::new(),
            unknown_namespace: OnceCell::new(),
        }
    }

    /// The variable `request`.
    fn variable(&self) -> Node {
        let origin = Origin::source(self.object.document);
        let kind = &self.object.gvk.kind;
        let own = self.resource.own();
        let seen = self.version.unwrap_or(own);
        let describe = |of: GroupVersion<'_>, key: &str, name: &str| json!({"group": of.group, "version": of.version, key: name});
        let of_kind = |version| describe(version, "kind", kind);
        let of_resource = |version| describe(version, "resource", &self.resource.plural);
        let fields = json!({
            "uid": "", "kind": of_kind(seen), "resource": of_resource(seen),
            "requestKind": of_kind(own), "requestResource": of_resource(own),
            "operation": "CREATE", "userInfo": {}, "object": null, "oldObject": null,
            "dryRun": false, "options": null,
        });
        let mut variable = Node::from_json(fields, origin);
        // Empty fields are absent.
        let namespace = self.namespace.unwrap_or_default();
        let names = [("name", self.object.name.as_str()), ("namespace", namespace)];
        for (key, value) in names.into_iter().filter(|(_, name)| !name.is_empty()) {
            variable.set(key, Node::string(value, origin));
        }
        variable
    }

    /// The variable `namespaceObject` of a Namespace that is not in the input.
    fn unknown_namespace(&self) -> Node {
        let name = self.namespace.unwrap_or_default();
        let labels = json!({"kubernetes.io/metadata.name": name});
        let namespace = json!({"metadata": {"name": name, "labels": labels}});
        Node::from_json(namespace, Origin::source(self.object.document))
    }

    /// The state of a label of the object.
    pub(super) fn label(&self, key: &str) -> LabelState<'_> {
        state_of(self.labels.get_or_init(|| labels(self.root)).get(key))
    }

    /// The request for a changed object.
    pub(super) fn with_root<'r>(&self, root: &'r Node) -> Request<'r>
    where
        'o: 'r,
    {
        Request {
            object: self.object,
            root,
            resource: self.resource.clone(),
            version: self.version,
            namespace: self.namespace,
            namespace_object: self.namespace_object,
            labels: OnceCell::new(),
            variable: self.variable.clone(),
            unknown_namespace: self.unknown_namespace.clone(),
        }
    }

    /// The request with the object in another version.
    pub(super) fn in_version<'r>(&self, root: &'r Node, version: GroupVersion<'r>) -> Request<'r>
    where
        'o: 'r,
    {
        Request { version: Some(version), variable: OnceCell::new(), ..self.with_root(root) }
    }

    /// The variables of an expression. Conditions have no `namespaceObject`, and only they and
    /// validations can ask for permissions.
    pub(super) fn inputs<'v>(
        &'v self,
        policy: &Policy<'_>,
        params: Option<&'v Node>,
        is_condition: bool,
    ) -> Inputs<'v> {
        let mut inputs = Inputs::default();
        inputs.set("object", Some(self.root));
        inputs.set("oldObject", None);
        inputs.set("params", params);
        if policy.reads.request {
            let unknown = [(&["userInfo"][..], USER), (&["options"][..], OPTIONS)];
            let variable = self.variable.get_or_init(|| self.variable());
            inputs.set_partly("request", variable, &unknown);
        }
        inputs.set_unknown("authorizer", "the permissions of the user");
        if !policy.reads.namespace {
            return inputs;
        }
        match self.namespace_object {
            _ if is_condition || self.namespace.is_none() => inputs.set("namespaceObject", None),
            Some(object) => inputs.set("namespaceObject", Some(&object.root)),
            None => {
                let unknown = [
                    (&["metadata", "labels"][..], NAMESPACE),
                    (&["metadata", "annotations"][..], NAMESPACE),
                ];
                let namespace = self.unknown_namespace.get_or_init(|| self.unknown_namespace());
                inputs.set_partly("namespaceObject", namespace, &unknown);
            }
        }
        inputs
    }
}
