//! The defaults of a schema, and their application to an object.
//!
//! Follows `Default` of apiextensions-apiserver's `pkg/apiserver/schema/defaulting`.

use lean_string::LeanStr;

use super::description::System;
use super::plant::Plant;
use super::structural;
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
        let kind = system.kinds.iter().find(|it| it.name == kind)?;
        system.versions.iter().find(|it| it.name == version)?;
        Self::read(&structural::root(Plant::of(system), kind, version))
    }

    /// Reads the defaults of a schema; `None` if it has none.
    pub fn read(schema: &Node) -> Option<Self> {
        let below = |keyword: &str| {
            let schema = schema.get(keyword).filter(|it| matches!(it.value, Value::Map(_)))?;
            Self::read(schema).map(Box::new)
        };
        let properties = schema.get("properties").map_or(&[][..], Node::entries).iter();
        let defaults = Self {
            own: schema.get("default").cloned(),
            is_nullable: schema.get("nullable").and_then(Node::as_bool) == Some(true),
            properties: properties
                .filter_map(|entry| Some((entry.key.clone(), Self::read(&entry.value)?)))
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

    /// Adds the defaults of absent fields to `node`.
    pub fn fill(&self, node: &mut Node) {
        let mut left = usize::MAX;
        let _is_complete = self.fill_within(node, &mut left);
    }

    /// Adds the defaults of absent fields to `node`, and deducts their values from `left`; `None` if
    /// there are more. Each item of a list can get a large default.
    pub fn fill_within(&self, node: &mut Node, left: &mut usize) -> Option<()> {
        match (&mut node.value, &self.values, &self.items) {
            (Value::Map(map), values, _) => {
                self.fill_properties(map, left)?;
                let Some(below) = values else { return Some(()) };
                map.fields_mut().try_for_each(|it| below.fill_present(it.value, left))
            }
            (Value::List(items), _, Some(below)) => {
                items.iter_mut().try_for_each(|it| below.fill_present(it, left))
            }
            _ => Some(()),
        }
    }

    fn fill_properties(&self, map: &mut Map, left: &mut usize) -> Option<()> {
        for (key, below) in &self.properties {
            if let Some(value) = map.get_mut(key) {
                below.fill_present(value, left)?;
            } else if let Some(default) = &below.own {
                let mut value = copied(default, left)?;
                below.fill_within(&mut value, left)?;
                map.push(Entry { key: key.clone(), key_origin: default.origin(), value });
            }
        }
        Some(())
    }

    fn fill_present(&self, node: &mut Node, left: &mut usize) -> Option<()> {
        if let Some(default) = self.own.as_ref().filter(|_| self.replaces(node)) {
            *node = copied(default, left)?;
        }
        self.fill_within(node, left)
    }

    /// Whether a `null` is replaced by the default, because the schema does not allow it.
    fn replaces(&self, node: &Node) -> bool {
        node.is_null() && !self.is_nullable
    }
}

/// A copy of a default, whose values are deducted from `left`.
fn copied(default: &Node, left: &mut usize) -> Option<Node> {
    *left = left.checked_sub(default.count())?;
    Some(default.clone())
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
        for (most, left) in [(8, Some(0)), (9, Some(1)), (7, None)] {
            let (mut list, mut rest) = (Node::from_json(list.clone(), origin), most);
            let filled = defaults.fill_within(&mut list, &mut rest);
            assert_eq!(filled.map(|()| rest), left, "{most}");
        }
    }
}
