//! Defaults of custom resources, written into objects.
//!
//! Compiled objects get those inside lists.
//! `kubectl apply` patches custom resources with JSON merge patches, which replace a list as a
//! whole. A default that the API server adds to an item would be removed and added again by each
//! `apply`, which then reports `configured`. Outside of lists, defaults are kept.

use super::{CustomKind, CustomKinds};
use crate::kube::Object;
use crate::limits::Fuel;
use crate::schema::{Object as Schema, Type};
use crate::sorted::SortedMap;
use crate::tree::{Layer, Map, Node, Origin, Value};

/// Fills in the defaults that the API server would set in the lists of compiled custom resources, as
/// long as there is fuel: a definition in the input can have large defaults.
pub fn fill_list_defaults(kinds: &CustomKinds<'_>, objects: &mut [Object], fuel: &Fuel<'_>) {
    let mut read = SortedMap::new();
    let has_lists = |it: &Object| it.root.has(|value| matches!(value, Value::List(_)));
    for object in objects.iter_mut().filter(|it| it.is_compiled() && has_lists(it)) {
        let Some(kind) = kinds.find(&object.gvk.group, &object.gvk.kind) else { continue };
        let Some(version) = kind.served(&object.gvk.version) else { continue };
        // Defaults of the systems have an origin of their own in each object, and are small.
        let read = kind.definition.map(|_| &mut read);
        let mut fill = Fill { origin: origin(kind, object), fuel, read };
        if fill.below(&mut object.root, version.root, false).is_none() {
            return;
        }
    }
}

/// Fills in all defaults of a custom resource; `None` if there is no fuel for them.
pub fn fill_defaults(root: &mut Node, ty: Type<'_>, origin: Origin, fuel: &Fuel<'_>) -> Option<()> {
    Fill { origin, fuel, read: None }.below(root, ty, true)
}

/// Defaults of a system are ours; those of a definition in the input are its author's.
fn origin(kind: &CustomKind<'_>, object: &Object) -> Origin {
    match kind.definition {
        Some(definition) => Origin::source(definition),
        None => Origin::of_layer(Layer::Managed, object.name_span()),
    }
}

/// Fills in the defaults of one object.
struct Fill<'f> {
    origin: Origin,
    fuel: &'f Fuel<'f>,
    /// The defaults that were read for earlier objects, by their text in the schema and their origin:
    /// thousands of objects can get a default of a megabyte.
    read: Option<&'f mut SortedMap<(*const str, Origin), Option<Node>>>,
}

impl Fill<'_> {
    /// Fills in the defaults of a node and below it, or only those in lists; `None` if there is no fuel
    /// for them.
    fn below(&mut self, node: &mut Node, ty: Type<'_>, is_filled: bool) -> Option<()> {
        if let (Type::Object(schema), true) = (ty.base(), is_filled) {
            let absent = self.absent(node, schema)?;
            if !absent.is_empty() {
                node.set_all(absent);
            }
        }
        match (&mut node.value, ty.base()) {
            (Value::List(items), Type::List(list)) => {
                items.iter_mut().try_for_each(|it| self.below(it, list.items, true))
            }
            (Value::Map(map), Type::Map(values)) => {
                map.fields_mut().try_for_each(|it| self.below(it.value, *values, is_filled))
            }
            (Value::Map(map), Type::Object(schema)) => {
                map.fields_mut().try_for_each(|field| match schema.property(field.key) {
                    Some(property) => self.below(field.value, property.value, is_filled),
                    None => Some(()),
                })
            }
            _ => Some(()),
        }
    }

    /// The defaults of the fields that a map lacks.
    fn absent<'t>(&mut self, node: &Node, schema: &Schema<'t>) -> Option<Vec<(&'t str, Node)>> {
        let written = Map::of(Some(node));
        let mut absent = Vec::new();
        for property in schema.properties {
            // Few properties have a default, and this is the cheaper question.
            let Some(default) = property.default else { continue };
            if written.get(property.name).is_some_and(|it| !it.is_null()) {
                continue;
            }
            self.fuel.spend(default.len()).then_some(())?;
            if let Some(value) = self.value(default) {
                self.fuel.make(value.weight()).then(|| absent.push((property.name, value)))?;
            }
        }
        Some(absent)
    }

    /// The value of a default in JSON.
    fn value(&mut self, default: &str) -> Option<Node> {
        let origin = self.origin;
        let read = || Some(Node::from_json(serde_json::from_str(default).ok()?, origin));
        match &mut self.read {
            Some(earlier) => earlier.entry((default, origin)).or_insert_with(read).clone(),
            None => read(),
        }
    }
}
