//! The constraints on a value that a schema has in addition to those of another one.

use crate::diag::{brief, first_strings};
use crate::tree::{Node, Number, Value};

pub(super) const LISTS: &str = "x-kubernetes-list-type";
pub(super) const MAPS: &str = "x-kubernetes-map-type";
pub(super) const RULES: &str = "x-kubernetes-validations";

/// Lower limits: the keyword, and the words before and after the number.
const LOWER: &[(&str, &str, &str)] = &[
    ("minimum", "must be at least", ""),
    ("minLength", "must have at least", " characters"),
    ("minItems", "must have at least", " items"),
    ("minProperties", "must have at least", " fields"),
];

/// Upper limits.
const UPPER: &[(&str, &str, &str)] = &[
    ("maximum", "must be at most", ""),
    ("maxLength", "must have at most", " characters"),
    ("maxItems", "must have at most", " items"),
    ("maxProperties", "must have at most", " fields"),
];

/// The maximum number of values of an `enum` that are listed.
const MOST_VALUES: usize = 5;

/// What the new schema requires of a value that the old one does not: "must be at least 1".
pub(super) fn stricter(old: &Node, new: &Node) -> Vec<String> {
    let mut found = Vec::new();
    limits(old, new, &mut found);
    found.extend(values(old, new));
    for (keyword, text) in [("pattern", "must match"), ("format", "must have the format")] {
        let (before, after) = (old.str_at(&[keyword]), new.str_at(&[keyword]));
        if let Some(after) = after.filter(|it| !it.is_empty() && before != Some(it)) {
            found.push(format!("{text} `{}`", brief(after)));
        }
    }
    let is = |it: &Node, field: &str| it.get(field).and_then(Node::as_bool) == Some(true);
    if is(old, "nullable") && !is(new, "nullable") {
        found.push("must not be `null`".to_owned());
    }
    for keyword in ["allOf", "anyOf", "oneOf", "not"] {
        if let Some(after) = new.get(keyword)
            && !is(new, "x-kubernetes-int-or-string")
            && old.get(keyword).is_none_or(|before| !before.same_value(after))
        {
            found.push(format!("must satisfy another `{keyword}`"));
        }
    }
    found
}

fn limits(old: &Node, new: &Node, found: &mut Vec<String>) {
    let is_above: fn(f64, f64) -> bool = |after, before| after > before;
    let is_below: fn(f64, f64) -> bool = |after, before| after < before;
    let sides = [
        (LOWER, is_above, "exclusiveMinimum", "minimum"),
        (UPPER, is_below, "exclusiveMaximum", "maximum"),
    ];
    for (keywords, is_stricter, exclusive, limit) in sides {
        for (keyword, text, unit) in keywords {
            let (before, after) = (number(old, keyword), number(new, keyword));
            let Some(after) = after else { continue };
            if before.is_none_or(|before| is_stricter(after, before)) {
                let number = after.to_string();
                let unit = if number == "1" { unit.trim_end_matches('s') } else { unit };
                found.push(format!("{text} {number}{unit}"));
            }
        }
        let is = |it: &Node| it.get(exclusive).and_then(Node::as_bool) == Some(true);
        if is(new) && !is(old) {
            found.push(format!("must not be equal to its {limit}"));
        }
    }
    let multiple = |it| number(it, "multipleOf");
    if let Some(after) = multiple(new).filter(|it| multiple(old) != Some(*it)) {
        found.push(format!("must be a multiple of {after}"));
    }
}

/// A number of a schema. Limits above 2^53 are compared roughly.
fn number(schema: &Node, keyword: &str) -> Option<f64> {
    match schema.get(keyword)?.as_number()? {
        #[expect(clippy::cast_precision_loss, reason = "limits are small, and only compared")]
        Number::Int(value) => Some(value as f64),
        #[expect(clippy::cast_precision_loss, reason = "limits are small, and only compared")]
        Number::UInt(value) => Some(value as f64),
        Number::Float(value) => Some(value),
    }
}

/// The values that an `enum` no longer has, or that a new one has.
fn values(old: &Node, new: &Node) -> Option<String> {
    let allowed = new.get("enum").map(Node::items).filter(|it| !it.is_empty())?;
    let names = |items: Vec<&Node>| {
        first_strings(
            MOST_VALUES,
            ", ",
            items.into_iter().map(|item| format!("`{}`", text_of(item))),
        )
    };
    let Some(before) = old.get("enum").map(Node::items).filter(|it| !it.is_empty()) else {
        return Some(format!("only accepts {}", names(allowed.iter().collect())));
    };
    let is_gone = |it: &&Node| allowed.iter().all(|value| !value.same_value(it));
    let gone: Vec<_> = before.iter().filter(is_gone).collect();
    (!gone.is_empty()).then(|| format!("no longer accepts {}", names(gone)))
}

fn text_of(value: &Node) -> String {
    match &value.value {
        Value::String(text) if !text.is_empty() => brief(text).to_owned(),
        _ => value.brief_json(),
    }
}
