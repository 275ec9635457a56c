//! Reads the keywords of a schema as constraints.

use crate::schema::{
    Arena, Bound, Constraint, Constraints, Format, KubernetesVersion, definition, exceeds_integers,
    is_in_format,
};
use crate::tree::{Node, Number, Value};

/// The position of a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// A schema with its own type, which checks properties, items and required keys.
    Structural,
    /// A schema inside `allOf`, `anyOf`, `oneOf` or `not`, which only restricts the values declared
    /// outside.
    Junctor,
}

/// Reads the constraints of a schema beyond its type.
pub(super) fn read<'s>(
    arena: &'s Arena<'s>,
    schema: &Node,
    position: Position,
) -> Vec<Constraint<'s>> {
    let mut constraints = Vec::new();
    read_limits(schema, &mut constraints);
    if let Some(pattern) = schema.str_at(&["pattern"]) {
        constraints.push(Constraint::Pattern(arena.pattern(pattern)));
    }
    constraints.extend(schema.str_at(&["format"]).and_then(Format::named).map(Constraint::Format));
    if let Some(values) = schema.get("enum").map(Node::items).filter(|values| !values.is_empty()) {
        constraints.push(Constraint::OneOfValues(arena.nodes(values.to_vec())));
    }
    read_junctors(arena, schema, &mut constraints);
    if position == Position::Junctor {
        read_nested(arena, schema, &mut constraints);
    }
    constraints
}

fn read_limits(schema: &Node, constraints: &mut Vec<Constraint<'_>>) {
    let number = |keyword: &str| schema.get(keyword)?.as_number();
    let bound = |keyword: &str| {
        if schema.is_true(keyword) { Bound::Exclusive } else { Bound::Inclusive }
    };
    let count = |keyword: &str| number(keyword).and_then(Number::as_i64);
    let minimum =
        number("minimum").map(|limit| Constraint::Minimum(limit, bound("exclusiveMinimum")));
    let maximum =
        number("maximum").map(|limit| Constraint::Maximum(limit, bound("exclusiveMaximum")));
    let all = [
        minimum,
        maximum,
        number("multipleOf").map(Constraint::MultipleOf),
        outside_format(schema),
        count("minLength").map(Constraint::MinLength),
        count("maxLength").map(Constraint::MaxLength),
        count("minItems").map(Constraint::MinItems),
        count("maxItems").map(Constraint::MaxItems),
        count("minProperties").map(Constraint::MinProperties),
        count("maxProperties").map(Constraint::MaxProperties),
    ];
    constraints.extend(all.into_iter().flatten());
}

/// The first numeric keyword of an integer that its format cannot represent
/// (`IsValueValidAgainstRange` of kube-openapi's `pkg/validation/validate`).
fn outside_format<'s>(schema: &Node) -> Option<Constraint<'s>> {
    if schema.str_at(&["type"]) != Some("integer") {
        return None;
    }
    let format = schema.str_at(&["format"]);
    let is_outside = |keyword: &&str| {
        let number = schema.get(keyword).and_then(Node::as_number);
        number.is_some_and(|number| !is_in_format(number, format))
    };
    let keyword = ["maximum", "multipleOf", "minimum"].into_iter().find(is_outside)?;
    // Earlier servers only convert the number, which makes it negative beyond 64 bits.
    let number = schema.get(keyword).and_then(Node::as_number)?;
    let since = if keyword == "maximum" && exceeds_integers(number) {
        KubernetesVersion::OLDEST
    } else {
        KubernetesVersion::V1_36
    };
    Some(Constraint::OutsideFormat(keyword, since))
}

fn read_junctors<'s>(arena: &'s Arena<'s>, schema: &Node, constraints: &mut Vec<Constraint<'s>>) {
    let groups = |keyword: &str| {
        let schemas = schema.get(keyword).map(Node::items).filter(|schemas| !schemas.is_empty())?;
        if is_int_or_string(schemas) {
            return None;
        }
        let groups = schemas.iter().map(|schema| read_group(arena, schema)).collect();
        Some(arena.groups(groups))
    };
    constraints.extend(groups("allOf").map(Constraint::AllOf));
    constraints.extend(groups("anyOf").map(Constraint::AnyOf));
    constraints.extend(groups("oneOf").map(Constraint::ExactlyOneOf));
    if let Some(not @ Node { value: Value::Map(_), .. }) = schema.get("not") {
        constraints.push(Constraint::Not(read_group(arena, not)));
    }
}

fn read_group<'s>(arena: &'s Arena<'s>, schema: &Node) -> Constraints<'s> {
    arena.constraints(read(arena, schema, Position::Junctor))
}

/// Whether this is the only `anyOf` that may declare types: it repeats
/// `x-kubernetes-int-or-string`.
pub fn is_int_or_string(schemas: &[Node]) -> bool {
    let types: Vec<_> = schemas.iter().map(|it| it.str_at(&["type"])).collect();
    types == [Some("integer"), Some("string")]
        && schemas.iter().all(|schema| {
            let mut others = schema.entries().iter().filter(|entry| entry.key != "type");
            others.all(|entry| says_nothing(&entry.key, &entry.value))
        })
}

/// The type of a schema in a definition.
pub const JSON_SCHEMA: &str =
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

/// Whether the API server ignores a keyword with this value. Unknown ones are dropped when the schema
/// is decoded, or rejected before it is checked.
pub fn says_nothing(keyword: &str, value: &Node) -> bool {
    const MEANING_ZERO: &[&str] =
        &["default", "example", "additionalItems", "$ref", "x-kubernetes-preserve-unknown-fields"];
    if definition(JSON_SCHEMA).is_some_and(|definition| definition.property(keyword).is_none()) {
        return true;
    }
    match &value.value {
        Value::Null => true,
        Value::Bool(false) => !MEANING_ZERO.contains(&keyword),
        Value::String(text) => {
            keyword == "items"
                || text.is_empty()
                    && !MEANING_ZERO.contains(&keyword)
                    && keyword != "additionalProperties"
                    && !keyword.starts_with("x-")
        }
        Value::List(items) => {
            let keywords = ["enum", "allOf", "anyOf", "oneOf", "items"];
            items.is_empty() && keywords.contains(&keyword)
        }
        Value::Bool(true) | Value::Int(_) | Value::UInt(_) | Value::Float(_) => keyword == "items",
        Value::Map(map) => {
            map.entries().is_empty() && matches!(keyword, "definitions" | "patternProperties")
        }
    }
}

/// Reads the keys and items of a schema inside a junctor.
fn read_nested<'s>(arena: &'s Arena<'s>, schema: &Node, constraints: &mut Vec<Constraint<'s>>) {
    let required = schema.items_at(&["required"]);
    let names: Vec<_> =
        required.iter().filter_map(Node::as_str).map(|name| arena.text(name)).collect();
    if !names.is_empty() {
        constraints.push(Constraint::Required(arena.names(names)));
    }
    let properties: Vec<_> = schema
        .entries_at(&["properties"])
        .iter()
        .map(|entry| (arena.text(&entry.key), read_group(arena, &entry.value)))
        .filter(|(_, group)| !group.is_empty())
        .collect();
    if !properties.is_empty() {
        constraints.push(Constraint::Properties(arena.named_groups(properties)));
    }
    if let Some(items) = schema.get("items") {
        constraints.push(Constraint::Items(read_group(arena, items)));
    }
}
