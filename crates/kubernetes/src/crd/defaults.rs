//! The defaults of a schema, and their application to an object.
//!
//! Follows `Default` of apiextensions-apiserver's `pkg/apiserver/schema/defaulting`.

use lean_string::LeanStr;

use super::description::System;
use super::plant::Plant;
use super::structural;
use crate::limits::Fuel;
use crate::tree::{Entry, Map, Node, Value};

/// The defaults in a schema, as a tree with the paths to them.
#[derive(Debug, Default)]
pub struct Defaults {
    /// The default of the value itself, used if it is absent.
    own: Option<Node>,
    is_nullable: bool,
    properties: Vec<(LeanStr, Self)>,
    items: Option<Box<Self>>,
    values: Option<Box<Self>>,
}

impl Defaults {
    /// The defaults of a kind that a system describes; `None` if it has none.
    pub fn of(system: &System, kind: &str, version: &str) -> Option<Self> {
        let kind = system.kinds.iter().find(|known| known.name == kind)?;
        system.versions.iter().find(|known| known.name == version)?;
        Self::read(&structural::root(Plant::of(system), kind, version))
    }

    /// Reads the defaults of a schema; `None` if it has none.
    pub fn read(schema: &Node) -> Option<Self> {
        let below = |keyword: &str| {
            let schema =
                schema.get(keyword).filter(|nested| matches!(nested.value, Value::Map(_)))?;
            Self::read(schema).map(Box::new)
        };
        let properties = schema.entries_at(&["properties"]).iter();
        let defaults = Self {
            own: schema.get("default").cloned(),
            is_nullable: schema.is_true("nullable"),
            properties: properties
                .filter_map(|entry| Some((entry.key.text().clone(), Self::read(&entry.value)?)))
                .collect(),
            items: below("items"),
            values: below("additionalProperties"),
        };
        let is_empty = defaults.own.is_none()
            && defaults.properties.is_empty()
            && defaults.items.is_none()
            && defaults.values.is_none();
        (!is_empty).then_some(defaults)
    }

    /// Adds the defaults of absent fields to `node`; `None` if there is no fuel for them. Each item of a
    /// list can get a large default.
    pub fn fill(&self, node: &mut Node, fuel: &Fuel<'_>) -> Option<()> {
        match (&mut node.value, &self.values, &self.items) {
            (Value::Map(map), values, _) => {
                self.fill_properties(map, fuel)?;
                let Some(below) = values else { return Some(()) };
                map.fields_mut().try_for_each(|field| below.fill_present(field.value, fuel))
            }
            (Value::List(items), _, Some(below)) => {
                items.iter_mut().try_for_each(|item| below.fill_present(item, fuel))
            }
            _ => Some(()),
        }
    }

    fn fill_properties(&self, map: &mut Map, fuel: &Fuel<'_>) -> Option<()> {
        let mut added = Vec::new();
        for (key, below) in &self.properties {
            if let Some(value) = map.get_mut(key) {
                below.fill_present(value, fuel)?;
            } else if let Some(default) = &below.own {
                let mut value = copy_default(default, fuel)?;
                below.fill(&mut value, fuel)?;
                added.push(Entry::new(key.clone(), default.origin(), value));
            }
        }
        map.extend(added);
        Some(())
    }

    fn fill_present(&self, node: &mut Node, fuel: &Fuel<'_>) -> Option<()> {
        if let Some(default) = self.own.as_ref().filter(|_| self.replaces(node)) {
            *node = copy_default(default, fuel)?;
        }
        self.fill(node, fuel)
    }

    /// Whether a `null` is replaced by the default, because the schema does not allow it.
    fn replaces(&self, node: &Node) -> bool {
        node.is_null() && !self.is_nullable
    }
}

/// A copy of a default; `None` if there is no fuel for it.
fn copy_default(default: &Node, fuel: &Fuel<'_>) -> Option<Node> {
    fuel.make(default.count()).then(|| default.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::Workspace;
    use crate::tree::Origin;

    #[test]
    fn the_values_of_defaults_are_limited() {
        let origin = Origin::source(Workspace::new().start());
        let schema = json!({"items": {"properties": {"a": {"default": {"b": [1, 2]}}}}});
        let defaults = Defaults::read(&Node::from_json(schema, origin)).unwrap();
        let list = json!([{}, {"a": 1}, {}]);
        for (values, is_filled) in [(9, true), (8, true), (7, false)] {
            let mut list = Node::from_json(list.clone(), origin);
            let filled = defaults.fill(&mut list, &Fuel::for_values(values));
            assert_eq!(filled.is_some(), is_filled, "{values}");
        }
    }
}
