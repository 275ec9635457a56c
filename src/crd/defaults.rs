//! The defaults of a schema, and their application to an object.
//!
//! Follows `Default` of apiextensions-apiserver's `pkg/apiserver/schema/defaulting`.

use lean_string::LeanStr;

use super::description::System;
use super::print;
use crate::kube::Object;
use crate::tree::{Node, Value};

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
    /// The defaults of a kind of custom resource, as a system installs it; `None` if it has none.
    pub(crate) fn of(system: &System, kind: &str, version: &str) -> Option<Self> {
        let is_it = |it: &Object| it.root.str_at(&["spec", "names", "kind"]) == Some(kind);
        let definition = print::crds(system).into_iter().find(is_it)?;
        let versions = definition.root.at(&["spec", "versions"])?.items().iter();
        let mut versions = versions.filter(|it| it.str_at(&["name"]) == Some(version));
        Self::read(versions.next()?.at(&["schema", "openAPIV3Schema"])?)
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
                for (key, below) in &self.properties {
                    let is_absent = map.get(key).is_none_or(|it| below.replaces(it));
                    if let Some(default) = below.own.as_ref().filter(|_| is_absent) {
                        map.insert(key.clone(), default.origin(), default.clone());
                    }
                    if let Some(value) = map.get_mut(key) {
                        below.fill(value);
                    }
                }
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
