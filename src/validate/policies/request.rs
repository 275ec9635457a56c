//! The request that creates an object, as expressions see it.

use serde_json::json;

use super::matching::{GroupVersion, Resource};
use crate::cel::Inputs;
use crate::kube::Object;
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
    pub(super) namespace_object: Option<&'o Node>,
    /// The variable `request`.
    variable: Node,
    /// The variable `namespaceObject`, if the input does not have the Namespace.
    unknown_namespace: Node,
}

const USER: &str = "the user of the request";
const OPTIONS: &str = "the options of the request";
const NAMESPACE: &str = "a Namespace that is not in the input";

impl<'o> Request<'o> {
    pub(super) fn new(
        object: &'o Object,
        root: &'o Node,
        resource: Resource<'o>,
        (namespace, namespace_object): (Option<&'o str>, Option<&'o Node>),
    ) -> Self {
        let origin = Origin::source(object.document);
        let gvk = &object.gvk;
        let kind = json!({"group": &*gvk.group, "version": &*gvk.version, "kind": &*gvk.kind});
        let of = json!({
            "group": resource.group, "version": resource.version, "resource": resource.plural
        });
        let variable = json!({
            "uid": "", "kind": kind, "resource": of, "requestKind": kind, "requestResource": of,
            "operation": "CREATE", "userInfo": {}, "object": null, "oldObject": null,
            "dryRun": false, "options": null,
        });
        let mut variable = Node::from_json(variable, origin);
        // Empty fields are absent.
        let names = [("name", object.name.as_str()), ("namespace", namespace.unwrap_or_default())];
        for (key, value) in names.into_iter().filter(|(_, it)| !it.is_empty()) {
            variable.set(key, Node::string(value, origin));
        }
        let labels = json!({"kubernetes.io/metadata.name": namespace.unwrap_or_default()});
        let unknown =
            json!({"metadata": {"name": namespace.unwrap_or_default(), "labels": labels}});
        Self {
            object,
            root,
            resource,
            version: None,
            namespace,
            namespace_object,
            variable,
            unknown_namespace: Node::from_json(unknown, origin),
        }
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
            variable: self.variable.clone(),
            unknown_namespace: self.unknown_namespace.clone(),
        }
    }

    /// The request with the object in another version.
    pub(super) fn in_version<'r>(&self, root: &'r Node, version: GroupVersion<'r>) -> Request<'r>
    where
        'o: 'r,
    {
        let mut request = Request { version: Some(version), ..self.with_root(root) };
        for of in ["kind", "resource"] {
            if let Some(names) = request.variable.get_mut(of) {
                let origin = names.origin();
                names.set("group", Node::string(version.group, origin));
                names.set("version", Node::string(version.version, origin));
            }
        }
        request
    }

    /// The variables of an expression. Conditions have no `namespaceObject`, and only they and
    /// validations can ask for permissions.
    pub(super) fn inputs<'v>(&'v self, params: Option<&'v Node>, is_condition: bool) -> Inputs<'v> {
        let mut inputs = Inputs::default();
        inputs.set("object", Some(self.root));
        inputs.set("oldObject", None);
        inputs.set("params", params);
        let unknown = [(&["userInfo"][..], USER), (&["options"][..], OPTIONS)];
        inputs.set_partly("request", &self.variable, &unknown);
        inputs.set_unknown("authorizer", "the permissions of the user");
        match self.namespace_object {
            _ if is_condition || self.namespace.is_none() => inputs.set("namespaceObject", None),
            Some(it) => inputs.set("namespaceObject", Some(it)),
            None => {
                let unknown = [
                    (&["metadata", "labels"][..], NAMESPACE),
                    (&["metadata", "annotations"][..], NAMESPACE),
                ];
                inputs.set_partly("namespaceObject", &self.unknown_namespace, &unknown);
            }
        }
        inputs
    }
}
