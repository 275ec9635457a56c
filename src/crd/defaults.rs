//! The defaults of a schema, and their application to an object.
//!
//! Follows `Default` of apiextensions-apiserver's `pkg/apiserver/schema/defaulting`.

use lean_string::LeanStr;

use super::description::System;
use super::plant::Plant;
use super::structural;
use crate::tree::{Entry, Map, Node, Value};

/// The number of properties of an object that are searched one by one.
const MANY: usize = 32;

/// The defaults in a schema, as a tree with the paths to them.
#[derive(Debug, Default)]
pub(crate) struct Defaults {
    /// The default of the value itself, used if it is absent.
    own: Option<Node>,
    is_nullable: bool,
    properties: Vec<(LeanStr, Self)>,
    items: Option<Box<Self>>,
    values: Option<Box<Self>>,
}

impl Defaults {
    /// The defaults of a kind that a system describes; `None` if it has none.
    pub(crate) fn of(system: &System, kind: &str, version: &str) -> Option<Self> {
        let kind = system.kinds.iter().find(|it| it.name == kind)?;
        system.versions.iter().find(|it| it.name == version)?;
        Self::read(&structural::root(Plant::of(system), kind, version))
    }

    /// Reads the defaults of a schema; `None` if it has none.
    pub(crate) fn read(schema: &Node) -> Option<Self> {
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
    pub(crate) fn fill(&self, node: &mut Node) {
        match &mut node.value {
            Value::Map(map) => {
                self.fill_properties(map);
                if let Some(below) = &self.values {
                    for entry in &mut map.entries {
                        below.fill_present(&mut entry.value);
                    }
                }
            }
            Value::List(items) => {
                if let Some(below) = &self.items {
                    for item in items {
                        below.fill_present(item);
                    }
                }
            }
            _ => {}
        }
    }

    fn fill_properties(&self, map: &mut Map) {
        // A search for each property takes too long only if there are many.
        let positions = (self.properties.len() > MANY).then(|| map.positions());
        for (key, below) in &self.properties {
            let at = match &positions {
                Some(positions) => positions.get(key).copied(),
                None => map.entries.iter().position(|it| it.key == *key),
            };
            let present = at.and_then(|at| map.entries.get_mut(at));
            let value = match (present.map(|it| &mut it.value), &below.own) {
                (Some(value), None) => value,
                (Some(value), Some(default)) => {
                    if below.replaces(value) {
                        *value = default.clone();
                    }
                    value
                }
                (None, Some(default)) => {
                    let (key, key_origin) = (key.clone(), default.origin());
                    map.entries.push(Entry { key, key_origin, value: default.clone() });
                    let Some(entry) = map.entries.last_mut() else { continue };
                    &mut entry.value
                }
                (None, None) => continue,
            };
            below.fill(value);
        }
    }

    fn fill_present(&self, node: &mut Node) {
        if let Some(default) = self.own.as_ref().filter(|_| self.replaces(node)) {
            *node = default.clone();
        }
        self.fill(node);
    }

    /// Whether a `null` is replaced by the default, because the schema does not allow it.
    fn replaces(&self, node: &Node) -> bool {
        node.is_null() && !self.is_nullable
    }
}
