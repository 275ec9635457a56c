//! Compiles the rules of a schema.

use std::borrow::Cow;
use std::sync::Arc;

use lean_string::LeanStr;

use super::{Expressions, Rule, SchemaRules};
use crate::cel::{Program, Purpose, Shape};
use crate::crd::defaults::Defaults;
use crate::crd::field_path::{self, Brackets};
use crate::tree::{Node, Value};

/// Facts about a schema that come from its parents.
#[derive(Clone)]
struct Above {
    /// The shape of the schema, if a parent has rules.
    shape: Option<Arc<Shape>>,
    /// The maximum number of values of the schema in one object; `None` if it is unbounded.
    count: Option<u64>,
    is_uncorrelatable: bool,
    is_root: bool,
}

impl Expressions {
    /// The rules of an `openAPIV3Schema`; `None` if it has none.
    pub fn read(schema: &Node, has_status: bool) -> Option<Self> {
        let above = Above { shape: None, count: Some(1), is_uncorrelatable: false, is_root: true };
        let root = read_place(schema, above)?;
        Some(Self { root, defaults: Defaults::read(schema), has_status })
    }
}

fn read_place(schema: &Node, above: Above) -> Option<SchemaRules> {
    let validations = schema.items_at(&["x-kubernetes-validations"]);
    let is_whole = above.is_root || schema.is_true("x-kubernetes-embedded-resource");
    let shape = match above.shape {
        Some(shape) => Some(shape),
        None if validations.is_empty() => None,
        None => Shape::of(schema, is_whole),
    };
    let read = |node: &Node| {
        let path = node.text_at(&["fieldPath"]);
        let names =
            field_path::resolve(schema, path, Brackets::Allowed).map_or(Vec::new(), |it| it.0);
        read_rule(node, names, shape.as_ref(), above.count)
    };
    let mut place = SchemaRules {
        rules: validations.iter().map(read).collect(),
        is_uncorrelatable: above.is_uncorrelatable,
        ..SchemaRules::default()
    };
    let count =
        above.count.zip(max_children(schema)).map(|(count, most)| count.saturating_mul(most));
    let below = |shape: Option<&Arc<Shape>>, is_uncorrelatable: bool| Above {
        shape: shape.cloned(),
        count,
        is_uncorrelatable: above.is_uncorrelatable || is_uncorrelatable,
        is_root: false,
    };
    for entry in schema.entries_at(&["properties"]) {
        let shape = shape.as_ref().and_then(|it| it.property(&entry.key));
        if let Some(found) = read_place(&entry.value, below(shape, false)) {
            place.properties.insert(entry.key.text().clone(), found);
        }
    }
    let element = shape.as_ref().and_then(|it| it.element());
    let is_map_list = schema.str_at(&["x-kubernetes-list-type"]) == Some("map");
    let nested = |keyword: &str, is_uncorrelatable| {
        let schema = schema.get(keyword).filter(|nested| matches!(nested.value, Value::Map(_)))?;
        read_place(schema, below(element, is_uncorrelatable)).map(Box::new)
    };
    if is_map_list {
        let keys = schema.items_at(&["x-kubernetes-list-map-keys"]);
        place.list_keys = keys.iter().filter_map(|key| key.as_str().map(LeanStr::from)).collect();
    }
    place.items = nested("items", !is_map_list);
    place.values = nested("additionalProperties", false);
    place.shape = shape;
    let is_empty = place.rules.is_empty()
        && place.properties.is_empty()
        && place.items.is_none()
        && place.values.is_none();
    (!is_empty).then_some(place)
}

/// The maximum number of child values for one value of the schema.
fn max_children(schema: &Node) -> Option<u64> {
    let limit = |keyword: &str| Some(u64::try_from(schema.get(keyword)?.as_i64()?).unwrap_or(0));
    match schema.str_at(&["type"]) {
        Some("object") if schema.get("additionalProperties").is_some() => limit("maxProperties"),
        Some("array") => limit("maxItems"),
        _ => Some(1),
    }
}

fn read_rule(
    node: &Node,
    field_path: Vec<Cow<'_, str>>,
    shape: Option<&Arc<Shape>>,
    count: Option<u64>,
) -> Rule {
    let text = |key: &str| node.str_at(&[key]).filter(|text| !text.trim().is_empty());
    let is_optional = node.is_true("optionalOldSelf");
    let compile = |key: &str, purpose| {
        let (text, shape) = (text(key)?, shape?);
        Some(Program::compile(text, shape, is_optional, purpose))
    };
    let program = compile("rule", Purpose::Rule);
    let once = match &program {
        Some(Ok(program)) => program.cost,
        _ => 0,
    };
    let times = count.or_else(|| shape.map(|it| it.cardinality())).unwrap_or(1);
    Rule {
        place: node.get("rule").unwrap_or(node).span(),
        text: node.text_at(&["rule"]).trim().into(),
        cost: once.saturating_mul(times),
        program,
        message: text("message").map(|text| text.trim().into()),
        message_program: compile("messageExpression", Purpose::Message),
        field_path: field_path.into_iter().map(LeanStr::from).collect(),
        is_optional,
    }
}
