//! Defaults of custom resources, written into objects.
//!
//! Compiled objects get those inside lists.
//! `kubectl apply` patches custom resources with JSON merge patches, which replace a list as a
//! whole. A default that the API server adds to an item would be removed and added again by each
//! `apply`, which then reports `configured`. Outside of lists, defaults are kept.

use super::{CustomKind, CustomKinds};
use crate::kube::Object;
use crate::limits::Fuel;
use crate::parallel::ordered_each;
use crate::schema::{Object as Schema, Type};
use crate::sorted::SortedMap;
use crate::tree::{Layer, Map, Node, Origin, Value};

/// Fills in the defaults that the API server would set in the lists of compiled custom resources, as
/// long as there is fuel: a definition in the input can have large defaults.
pub fn fill_list_defaults(kinds: &CustomKinds<'_>, objects: &mut [Object], fuel: &Fuel<'_>) {
    if kinds.are_of_systems() {
        let fill = |object| fill_lists_of(object, kinds, fuel, None);
        ordered_each(objects, fill, |_| {});
        return;
    }
    let mut read = SortedMap::new();
    for object in objects {
        if fill_lists_of(object, kinds, fuel, Some(&mut read)).is_none() {
            return;
        }
    }
}

/// Fills in the defaults in the lists of an object; `None` if there is no fuel for them.
fn fill_lists_of(
    object: &mut Object,
    kinds: &CustomKinds<'_>,
    fuel: &Fuel<'_>,
    read: Option<&mut Read>,
) -> Option<()> {
    if !object.is_compiled() || !object.root.has(|value| matches!(value, Value::List(_))) {
        return Some(());
    }
    let Some(kind) = kinds.find(&object.gvk.group, &object.gvk.kind) else { return Some(()) };
    let Some(version) = kind.served(&object.gvk.version) else { return Some(()) };
    // Defaults of the systems have an origin of their own in each object, and are small.
    let read = read.filter(|_| kind.definition.is_some());
    Fill { origin: origin_of_defaults(kind, object), fuel, read }.below(
        &mut object.root,
        version.root,
        false,
    )
}

/// Fills in all defaults of a custom resource; `None` if there is no fuel for them.
pub fn fill_defaults(root: &mut Node, ty: Type<'_>, origin: Origin, fuel: &Fuel<'_>) -> Option<()> {
    Fill { origin, fuel, read: None }.below(root, ty, true)
}

/// Defaults of a system are ours; those of a definition in the input are its author's.
fn origin_of_defaults(kind: &CustomKind<'_>, object: &Object) -> Origin {
    match kind.definition {
        Some(definition) => Origin::source(definition),
        None => Origin::of_layer(Layer::Managed, object.name_span()),
    }
}

/// The defaults that were read for earlier objects, by their text in the schema and their origin: thousands of objects
/// can get a default of a megabyte.
type Read = SortedMap<(*const str, Origin), Option<Node>>;

/// Fills in the defaults of one object.
struct Fill<'f> {
    origin: Origin,
    fuel: &'f Fuel<'f>,
    read: Option<&'f mut Read>,
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
                items.iter_mut().try_for_each(|item| self.below(item, list.items, true))
            }
            (Value::Map(map), Type::Map(values)) => {
                map.fields_mut().try_for_each(|field| self.below(field.value, *values, is_filled))
            }
            (Value::Map(map), Type::Object(schema)) => {
                let mut fields = map.fields_mut().filter(|field| field.value.is_collection());
                fields.try_for_each(|field| match schema.property(field.key) {
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
            if written.get(property.name).is_some_and(|value| !value.is_null()) {
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
