//! `Place`: the part of an object that a finding is about, and `Paths`, which finds its path.
//!
//! Rules pass nodes to each other and never a path: an object without findings needs none.

use crate::diag::{FieldPath, PathStep};
use crate::kube::{Object, PodSpec};
use crate::schema::{Object as Fields, Type, definition, store};
use crate::source::Span;
use crate::tree::{Entry, Node, Value, shortened};

use super::judge::start;

/// A node of an object, or a field of it that can be absent.
#[derive(Clone, Copy, Debug)]
pub(in crate::validate) struct Place<'n> {
    node: &'n Node,
    /// The path of the field from the node, such as `spec.selector`; empty for the node itself.
    field: &'n str,
}

impl<'n> From<&'n Node> for Place<'n> {
    fn from(node: &'n Node) -> Self {
        Self { node, field: "" }
    }
}

impl<'n> From<&'n Entry> for Place<'n> {
    fn from(entry: &'n Entry) -> Self {
        Self::from(&entry.value)
    }
}

impl<'n> From<(&'n Node, &'n str)> for Place<'n> {
    fn from((owner, field): (&'n Node, &'n str)) -> Self {
        Self { node: owner, field }
    }
}

/// A place, and the part of the source that is shown for it.
#[derive(Clone, Copy, Debug)]
pub(in crate::validate) struct Spot<'n> {
    pub(super) span: Span,
    pub(super) place: Place<'n>,
}

/// A value.
impl<'n> From<&'n Node> for Spot<'n> {
    fn from(node: &'n Node) -> Self {
        Self { span: node.span(), place: node.into() }
    }
}

/// A key.
impl<'n> From<&'n Entry> for Spot<'n> {
    fn from(entry: &'n Entry) -> Self {
        Self { span: entry.key_origin().span(), place: entry.into() }
    }
}

/// A field that its owner lacks.
impl<'n> From<(&'n Node, &'n str)> for Spot<'n> {
    fn from((owner, field): (&'n Node, &'n str)) -> Self {
        Self { span: start(owner), place: (owner, field).into() }
    }
}

/// Any other part of the source.
impl<'n, P: Into<Place<'n>>> From<(Span, P)> for Spot<'n> {
    fn from((span, place): (Span, P)) -> Self {
        Self { span, place: place.into() }
    }
}

/// The parent of each node of an object, by address, and the step from there. It is made for the
/// first finding of an object.
#[derive(Debug)]
pub(super) struct Paths<'o> {
    root: *const Node,
    /// Sorted by the address of the node.
    parents: Vec<(*const Node, *const Node, Step<'o>)>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'o> {
    Field(&'o str),
    Key(&'o str),
    Index(usize),
}

impl<'o> Paths<'o> {
    pub(super) fn of(object: &'o Object) -> Self {
        let mut paths = Self { root: &raw const object.root, parents: Vec::new() };
        paths.add(&object.root, root_type(object), &known_types(object));
        paths.parents.sort_unstable_by_key(|(node, ..)| *node);
        paths
    }

    /// Adds the nodes below one. Only its type distinguishes fields and keys.
    fn add(&mut self, node: &'o Node, ty: Option<Type<'static>>, known: &KnownTypes<'o>) {
        let known_type =
            |child: &'o Node| known.iter().find(|(node, _)| std::ptr::eq(*node, child));
        match &node.value {
            Value::Map(map) => {
                for entry in map.entries() {
                    let key = entry.key.as_str();
                    let (step, below) = match ty.map(Type::base) {
                        Some(Type::Map(values)) => (Step::Key(key), Some(*values)),
                        Some(Type::Object(fields)) => (Step::Field(key), field_type(fields, key)),
                        _ if key.contains(['.', '/', '[']) => (Step::Key(key), None),
                        _ => (Step::Field(key), None),
                    };
                    let below = known_type(&entry.value).map_or(below, |known| Some(known.1));
                    self.parents.push((&raw const entry.value, node, step));
                    self.add(&entry.value, below, known);
                }
            }
            Value::List(items) => {
                let of_items = match ty.map(Type::base) {
                    Some(Type::List(list)) => Some(list.items),
                    _ => None,
                };
                for (index, item) in items.iter().enumerate() {
                    let below = known_type(item).map_or(of_items, |known| Some(known.1));
                    self.parents.push((item, node, Step::Index(index)));
                    self.add(item, below, known);
                }
            }
            _ => {}
        }
    }

    fn parent(&self, node: *const Node) -> Option<(*const Node, Step<'o>)> {
        let at = self.parents.binary_search_by_key(&node, |(node, ..)| *node).ok()?;
        self.parents.get(at).map(|(_, parent, step)| (*parent, *step))
    }

    /// The path of a place. A node that is not a part of the object is at `outside`.
    pub(super) fn path(&self, place: Place<'_>, outside: &FieldPath) -> FieldPath {
        let mut node = std::ptr::from_ref(place.node);
        let is_inside = self.parent(node).is_some() || std::ptr::eq(node, self.root);
        let mut steps = if is_inside { Vec::new() } else { outside.steps().to_vec() };
        steps.reverse();
        while let Some((parent, step)) = self.parent(node) {
            steps.push(match step {
                Step::Field(name) => PathStep::Field(shortened(name).into()),
                Step::Key(name) => PathStep::Key(shortened(name).into()),
                Step::Index(index) => PathStep::Index(index),
            });
            node = parent;
        }
        steps.reverse();
        if place.field.contains(['.', '[']) {
            steps.extend_from_slice(FieldPath::from(place.field).steps());
        } else if !place.field.is_empty() {
            steps.push(PathStep::Field(shortened(place.field).into()));
        }
        steps.into_iter().collect()
    }
}

/// The parts of custom resources whose types are those of Kubernetes.
type KnownTypes<'o> = Vec<(&'o Node, Type<'static>)>;

fn known_types(object: &Object) -> KnownTypes<'_> {
    if object.gvk.facts().is_none() && root_type(object).is_some() {
        return Vec::new();
    }
    let metadata = object
        .root
        .get("metadata")
        .map(|metadata| (metadata, "apimachinery.pkg.apis.meta.v1.ObjectMeta"));
    let pod = PodSpec::of(object);
    let spec = pod.map(|pod| (pod.spec, "api.core.v1.PodSpec"));
    let of_template = pod.and_then(|pod| pod.template.get("metadata"));
    let of_pods =
        of_template.map(|metadata| (metadata, "apimachinery.pkg.apis.meta.v1.ObjectMeta"));
    let templates = object.root.items_at(&["spec", "volumeClaimTemplates"]);
    let claims = templates.iter().map(|claim| (claim, "api.core.v1.PersistentVolumeClaim"));
    let known = metadata.into_iter().chain(spec).chain(of_pods).chain(claims);
    let typed = known.filter_map(|(node, name)| {
        Some((node, Type::Object(definition(&format!("io.k8s.{name}"))?)))
    });
    typed.collect()
}

fn root_type(object: &Object) -> Option<Type<'static>> {
    let kind = &object.gvk;
    store::kind(&kind.group, &kind.version, &kind.kind)?.definition.map(Type::Object)
}

/// The type of a field. Where the table of `JSONSchemaProps` has any value, it is a schema again
/// (`JSONSchemaPropsOrArray`, `JSONSchemaPropsOrBool`).
fn field_type(owner: &'static Fields<'static>, field: &str) -> Option<Type<'static>> {
    let nested = ["additionalItems", "additionalProperties", "items"];
    if owner.name == crate::crd::JSON_SCHEMA && nested.contains(&field) {
        return Some(Type::Object(owner));
    }
    owner.property(field).map(|it| it.value)
}
