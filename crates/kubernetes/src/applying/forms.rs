//! The forms of an object that one who applies it compares.

use std::borrow::Cow;

use super::Forms;
use super::merge::discard_nulls;
use super::server_side::{self, Managers, Request, Typed};
use super::{Failure, client_side, definition, json_merge};
use crate::kube::{LAST_APPLIED, Object};
use crate::tree::{Entry, Node, Origin, Value};

/// The manager of Helm 4.
pub const HELM: &str = "helm";

/// How the API server is asked to change an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// A patch from the last applied, the new and the live form.
    ClientSide,
    /// As by client-side apply, but the patch of a custom resource is made from the last and the new form alone.
    Helm,
    /// Server-side apply.
    ServerSide {
        /// The manager.
        manager: &'static str,
        /// Whether it takes over the fields of others.
        is_forced: bool,
    },
}

impl Method {
    /// `kubectl apply --server-side`.
    pub const KUBECTL_SERVER_SIDE: Self = Self::ServerSide { manager: "kubectl", is_forced: false };

    /// The server-side apply of Helm 4.
    pub const HELM_SERVER_SIDE: Self = Self::ServerSide { manager: HELM, is_forced: false };

    /// Whether the program makes a patch.
    #[must_use]
    pub const fn is_client_side(self) -> bool {
        matches!(self, Self::ClientSide | Self::Helm)
    }
}

/// Why a form cannot be applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// By client-side apply.
    ClientSide(Failure),
    /// By server-side apply.
    ServerSide(server_side::Failure),
}

impl From<server_side::Failure> for Rejected {
    fn from(failure: server_side::Failure) -> Self {
        Self::ServerSide(failure)
    }
}

/// Whether an object was read from a cluster.
#[must_use]
pub fn is_live(object: &Object) -> bool {
    object.root.at(&["metadata", "uid"]).is_some()
}

/// The form of an object that was applied last. What is not live is its own last form; a live object without the
/// annotation was not applied with kubectl, and then nothing is removed from it.
#[must_use]
pub fn last_applied(old: &Object) -> Option<Node> {
    let annotation = old.root.str_at(&["metadata", "annotations", LAST_APPLIED]);
    match annotation {
        Some(text) => {
            let json = serde_json::from_str(text).ok()?;
            Some(Node::from_json(json, old.root.origin()))
        }
        None => (!is_live(old)).then(|| old.root.clone()),
    }
}

/// The object that results if `new` is applied over `old`, which is stored as `live`. Its values have origins in `new`.
///
/// # Errors
/// If the form is rejected.
pub fn apply(
    method: Method,
    ty: Typed<'_>,
    [old, new]: [&Object; 2],
    live: Node,
) -> Result<Object, Rejected> {
    let last = last_applied(old);
    let form = &sent_form(method, &new.root, &live);
    let mut root = match method {
        Method::ClientSide | Method::Helm => {
            let definition = definition(&new.gvk);
            let live = without_managed_fields(live);
            match &last {
                Some(last) if method == Method::Helm && definition.is_none() => {
                    json_merge::two_way(last, form, &live)
                }
                last => {
                    let forms = Forms { last: last.as_ref(), new: form, live: &live };
                    client_side(definition, forms).map_err(Rejected::ClientSide)?.result
                }
            }
        }
        Method::ServerSide { manager, is_forced } => {
            let request = Request { form, manager, is_forced };
            let applied = match (Managers::of(&live), last) {
                (Some(managers), _) if manager == "kubectl" => {
                    server_side::apply_with_kubectl(ty, &live, &managers, request)
                }
                (Some(managers), _) => server_side::apply(ty, &live, &managers, request),
                (None, Some(last)) => {
                    let managers = Managers::of_applier(manager, ty, &last);
                    server_side::apply(ty, &live, &managers, request)
                }
                (None, None) => server_side::apply(ty, &live, &Managers::default(), request),
            };
            let mut merged = applied?;
            merged.read_nulls(ty)?;
            merged.into_object()
        }
    };
    place(&mut root, Some(&new.root), new.root.origin());
    Ok(Object { root, ..new.clone() })
}

/// The form that a program sends for that of a file.
#[must_use]
pub fn sent_form<'f>(method: Method, form: &'f Node, live: &Node) -> Cow<'f, Node> {
    let is_of_helm = matches!(method, Method::Helm | Method::HELM_SERVER_SIDE);
    let marked = is_of_helm.then(|| with_marks_of_release(form, live)).flatten();
    marked.map_or(Cow::Borrowed(form), Cow::Owned)
}

/// A form with what Helm sets in each object of a release, whatever the chart has (`setMetadataVisitor`); `None` if the
/// object in the cluster is of no release.
fn with_marks_of_release(form: &Node, live: &Node) -> Option<Node> {
    const RELEASE: &str = "meta.helm.sh/release-name";
    const NAMESPACE: &str = "meta.helm.sh/release-namespace";
    let mark_of = |key| live.str_at(&["metadata", "annotations", key]);
    let (release, namespace) = (mark_of(RELEASE)?, mark_of(NAMESPACE)?);
    let mut form = form.clone();
    let (origin, metadata) = (form.origin(), form.get_mut("metadata")?);
    let mut set = |field, key, text: &str| {
        if let Some(map) = metadata.map_mut(field, origin) {
            map.set(key, Node::string(text, origin));
        }
    };
    set("annotations", RELEASE, release);
    set("annotations", NAMESPACE, namespace);
    set("labels", "app.kubernetes.io/managed-by", "Helm");
    Some(form)
}

/// Whether a manager has applied an object of a cluster on the server.
#[must_use]
pub fn has_applied(manager: &str, object: &Object) -> bool {
    object.root.items_at(&["metadata", "managedFields"]).iter().any(|known| {
        known.str_at(&["manager"]) == Some(manager) && known.str_at(&["operation"]) == Some("Apply")
    })
}

/// A form without the fields that are null.
#[must_use]
pub fn without_nulls(mut form: Node) -> Node {
    discard_nulls(&mut form);
    form
}

/// An object without what no form is applied with.
pub(super) fn without_managed_fields(mut object: Node) -> Node {
    if let Some(metadata) = object.get_mut("metadata").and_then(Node::as_map_mut) {
        metadata.remove("managedFields");
    }
    object
}

/// Sets the origin of each value: where the form has it, else where it has what is around it.
fn place(node: &mut Node, written: Option<&Node>, around: Origin) {
    let origin = written.map_or(around, Node::origin);
    *node = Node::new(std::mem::replace(&mut node.value, Value::Null), origin);
    match &mut node.value {
        Value::Map(map) => {
            let entries = std::mem::take(map).into_entries().into_iter();
            *map = entries
                .map(|mut entry| {
                    let known = written.and_then(|written| written.entry(entry.key()));
                    entry.set_key_origin(known.map_or(origin, Entry::key_origin));
                    place(&mut entry.value, known.map(Entry::value), origin);
                    entry
                })
                .collect();
        }
        Value::List(items) => {
            let known = written.map_or(&[][..], Node::items);
            for (index, item) in items.iter_mut().enumerate() {
                let same = known.iter().find(|known| known.same_value(item));
                place(item, same.or_else(|| known.get(index)), origin);
            }
        }
        _ => {}
    }
}
