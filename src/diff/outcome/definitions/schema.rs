//! The difference of two schemas of a version, as far as objects notice it.

use super::constraints::{self, LISTS, MAPS};
use super::{Facts, Impact, is_true};
use crate::diag::brief;
use crate::tree::{Entry, Node, Value};

/// A comparison of two schemas.
struct Schemas<'f> {
    version: &'f str,
    /// The path of the fields that are compared: `spec.containers[].image`. Empty at the root.
    path: String,
    facts: &'f mut Facts,
    /// The version in which objects are stored, if only what they lose is recorded.
    stored_as: Option<&'f str>,
}

/// Adds what the second schema means for objects of the first one.
pub(super) fn compare(old: &Node, new: &Node, version: &str, facts: &mut Facts) {
    Schemas { version, path: String::new(), facts, stored_as: None }.node(old, new);
}

/// Adds what objects that are stored in one version lose when they are read in another one.
pub(super) fn lost(
    (stored_as, old): (&str, &Node),
    (version, new): (&str, &Node),
    facts: &mut Facts,
) {
    Schemas { version, path: String::new(), facts, stored_as: Some(stored_as) }.node(old, new);
}

/// Fields that every object has, whatever its schema.
const OF_ALL_OBJECTS: [&str; 3] = ["apiVersion", "kind", "metadata"];

fn keeps_unknown(schema: &Node) -> bool {
    is_true(schema, "x-kubernetes-preserve-unknown-fields")
}

/// The type of a value; a number or a string for `x-kubernetes-int-or-string`.
fn type_of(schema: &Node) -> Option<&str> {
    if is_true(schema, "x-kubernetes-int-or-string") {
        return Some("number or string");
    }
    schema.str_at(&["type"]).filter(|it| !it.is_empty())
}

/// Whether each value of the old type is one of the new type.
fn is_wider(old: &str, new: &str) -> bool {
    matches!((old, new), ("integer", "number") | ("integer" | "string", "number or string"))
}

impl Schemas<'_> {
    fn add(&mut self, impact: Impact, text: String) {
        if self.stored_as.is_none() {
            self.facts.add_for(self.version, impact, text);
        } else if impact == Impact::Lost {
            self.facts.add(impact, text);
        }
    }

    /// The path of a field of the current value.
    fn field(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The current value, for messages.
    fn title(&self) -> String {
        if self.path.is_empty() { "the object".to_owned() } else { format!("`{}`", self.path) }
    }

    /// Compares the schemas of the value at another path.
    fn at(&mut self, path: String, old: &Node, new: &Node) {
        let outer = std::mem::replace(&mut self.path, path);
        self.node(old, new);
        self.path = outer;
    }

    fn node(&mut self, old: &Node, new: &Node) {
        if old.same_value(new) {
            return;
        }
        let title = self.title();
        if let (Some(was), is) = (type_of(old), type_of(new))
            && is.is_none_or(|is| is != was && !is_wider(was, is))
        {
            if let Some(is) = is {
                self.add(Impact::Rejected, format!("{title} is of type {is}, not {was}"));
                return;
            }
        } else if let (None, Some(is)) = (type_of(old), type_of(new)) {
            self.add(Impact::Rejected, format!("{title} must be of type {is}"));
        }
        for text in constraints::stricter(old, new) {
            self.add(Impact::Rejected, format!("{title} {text}"));
        }
        self.rules(old, new);
        self.required(old, new);
        self.default(old, new);
        self.merging(old, new);
        self.properties(old, new);
        self.added(old, new);
        self.unknown(old, new);
        if let (Some(old), Some(new)) = (old.get("items"), new.get("items")) {
            self.at(format!("{}[]", self.path), old, new);
        }
        let values = |it: &'_ Node| {
            matches!(it.get("additionalProperties").map(|it| &it.value), Some(Value::Map(_)))
        };
        if values(old)
            && values(new)
            && let (Some(old), Some(new)) =
                (old.get("additionalProperties"), new.get("additionalProperties"))
        {
            self.at(format!("{}[*]", self.path), old, new);
        }
    }

    /// Fields that are removed, and those on both sides.
    fn properties(&mut self, old: &Node, new: &Node) {
        let of = |it: &'_ Node, name: &str| it.at(&["properties", name]).cloned();
        let is_kept = keeps_unknown(new) || has_any_key(new);
        for Entry { key, value, .. } in old.get("properties").map_or(&[][..], Node::entries) {
            let path = self.field(key);
            match of(new, key) {
                Some(after) => self.at(path, value, &after),
                None if is_kept
                    || self.path.is_empty() && OF_ALL_OBJECTS.contains(&key.as_str()) => {}
                None => {
                    let text = match self.stored_as {
                        None => format!(
                            "`{path}` is removed: stored objects lose it when they are read"
                        ),
                        Some(stored) => format!(
                            "`{path}` is not in `{}`: objects stored as `{stored}` lose it",
                            self.version
                        ),
                    };
                    self.add(Impact::Lost, text);
                }
            }
        }
    }

    /// Fields that are added with a default.
    fn added(&mut self, old: &Node, new: &Node) {
        for Entry { key, value, .. } in new.get("properties").map_or(&[][..], Node::entries) {
            if old.at(&["properties", key]).is_none()
                && let Some(default) = value.get("default")
            {
                let path = self.field(key);
                self.add(
                    Impact::Changed,
                    format!(
                        "`{path}` is added with the default `{}`: stored objects have it when they are read",
                        default.brief_json()
                    ),
                );
            }
        }
    }

    /// Fields outside of the schema.
    fn unknown(&mut self, old: &Node, new: &Node) {
        let title = self.title();
        if keeps_unknown(old) && !keeps_unknown(new) && !has_any_key(new) {
            let text = format!("{title} no longer keeps fields that the schema does not have");
            self.add(Impact::Lost, text);
        } else if has_any_key(old) && !has_any_key(new) && !keeps_unknown(new) {
            let text = format!("{title} only keeps the fields of the schema, not any key");
            self.add(Impact::Lost, text);
        }
    }

    fn required(&mut self, old: &Node, new: &Node) {
        let of = |it: &'_ Node| it.get("required").map_or(&[][..], Node::items).to_vec();
        let before = of(old);
        for name in of(new) {
            let Some(text) = name.as_str() else { continue };
            let has_default = new.at(&["properties", text, "default"]).is_some();
            let was_required = before.iter().any(|it| it.as_str() == Some(text));
            if !was_required && !has_default {
                let owner =
                    if self.path.is_empty() { "the object".to_owned() } else { self.title() };
                let path = self.field(text);
                self.add(
                    Impact::Rejected,
                    format!(
                        "`{path}` is required: without it, an object is rejected when it is created or \
                         {owner} changes"
                    ),
                );
            }
        }
    }

    fn default(&mut self, old: &Node, new: &Node) {
        let [before, after] = [old, new].map(|it| it.get("default").filter(|it| !it.is_null()));
        let title = self.title();
        let text = match (before, after) {
            (Some(before), Some(after)) if !before.same_value(after) => format!(
                "the default of {title} is `{}`, not `{}`: objects that were written before keep the old one",
                after.brief_json(),
                before.brief_json()
            ),
            (None, Some(after)) => format!(
                "the default of {title} is `{}`: stored objects without it have it when they are read",
                after.brief_json()
            ),
            (Some(before), None) => {
                format!("{title} no longer has the default `{}`", before.brief_json())
            }
            _ => return,
        };
        self.add(Impact::Changed, text);
    }

    /// How lists and maps are merged by server-side apply, and which lists have unique items.
    fn merging(&mut self, old: &Node, new: &Node) {
        let title = self.title();
        let of = |it: &'_ Node, field: &str, default: &str| {
            it.str_at(&[field]).unwrap_or(default).to_owned()
        };
        let (was, is) = (of(old, LISTS, "atomic"), of(new, LISTS, "atomic"));
        if was != is {
            let text = match is.as_str() {
                "atomic" => "is replaced as a whole by server-side apply",
                "set" => "must have distinct items; server-side apply merges it",
                _ => "must have items with distinct keys; server-side apply merges it",
            };
            let impact = if is == "atomic" { Impact::Changed } else { Impact::Rejected };
            self.add(impact, format!("{title} {text}"));
        } else if is == "map" {
            let keys = |it: &Node| it.get("x-kubernetes-list-map-keys").map(Node::brief_json);
            if keys(old) != keys(new) {
                let keys = keys(new).unwrap_or_default();
                self.add(
                    Impact::Rejected,
                    format!("{title} has the keys `{keys}`: items must differ in them"),
                );
            }
        }
        let (was, is) = (of(old, MAPS, "granular"), of(new, MAPS, "granular"));
        if was != is {
            let text = if is == "atomic" { "is replaced as a whole by" } else { "is merged by" };
            self.add(Impact::Changed, format!("{title} {text} server-side apply"));
        }
    }

    /// Rules in CEL that the old schema does not have.
    fn rules(&mut self, old: &Node, new: &Node) {
        let of = |it: &'_ Node| it.get(constraints::RULES).map_or(&[][..], Node::items).to_vec();
        let known: Vec<_> = of(old).iter().filter_map(rule_of).collect();
        for rule in of(new) {
            let Some(text) = rule_of(&rule).filter(|it| !known.contains(it)) else { continue };
            let shown = rule.str_at(&["message"]).map_or_else(
                || format!("`{}`", brief(&text)),
                |message| format!("\u{201c}{}\u{201d}", brief(message.trim())),
            );
            self.add(Impact::Rejected, format!("{} has another rule: {shown}", self.title()));
        }
    }
}

/// Whether a map accepts any key.
fn has_any_key(schema: &Node) -> bool {
    schema
        .get("additionalProperties")
        .is_some_and(|it| !it.is_null() && it.as_bool() != Some(false))
}

/// The text of a rule, with single spaces.
fn rule_of(rule: &Node) -> Option<String> {
    Some(rule.str_at(&["rule"])?.split_whitespace().collect::<Vec<_>>().join(" "))
}
