//! Defaults inside lists, written into compiled objects.
//!
//! `kubectl apply` patches custom resources with JSON merge patches, which replace a list as a
//! whole. A default that the API server adds to an item would be removed and added again by each
//! `apply`, which then reports `configured`. Outside of lists, defaults are kept.

use super::CustomKinds;
use crate::kube::Object;
use crate::schema::Type;
use crate::tree::{Layer, Node, Origin, Value};

/// Fills in the defaults that the API server would set in the lists of compiled custom resources.
pub(crate) fn fill_list_defaults(kinds: &CustomKinds<'_>, objects: &mut [Object]) {
    for object in objects.iter_mut().filter(|it| it.is_compiled()) {
        let kind = kinds.find(&object.gvk.group, &object.gvk.kind);
        if let Some(version) = kind.and_then(|it| it.served(&object.gvk.version)) {
            let origin = Origin::of_layer(Layer::Managed, object.name_span());
            fill(&mut object.root, version.root, false, origin);
        }
    }
}

fn fill(node: &mut Node, ty: Type<'_>, is_in_list: bool, origin: Origin) {
    match (&mut node.value, ty.base()) {
        (Value::List(items), Type::List(list)) => {
            items.iter_mut().for_each(|it| fill(it, list.items, true, origin));
        }
        (Value::Map(map), Type::Map(values)) => {
            map.entries.iter_mut().for_each(|it| fill(&mut it.value, *values, is_in_list, origin));
        }
        (Value::Map(map), Type::Object(object)) => {
            if is_in_list {
                for property in object.properties {
                    // Few properties have a default, and this is the cheaper question.
                    let Some(default) = property.default else { continue };
                    let is_absent = map.get(property.name).is_none_or(Node::is_null);
                    let default = is_absent.then(|| serde_json::from_str(default).ok()).flatten();
                    if let Some(default) = default {
                        map.insert(property.name, origin, Node::from_json(default, origin));
                    }
                }
            }
            for entry in &mut map.entries {
                if let Some(property) = object.property(&entry.key) {
                    fill(&mut entry.value, property.value, is_in_list, origin);
                }
            }
        }
        _ => {}
    }
}
