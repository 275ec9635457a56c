//! Guards: fields that a layer must not change.
//!
//! A guard is data: the path of a field, its protection, and its owner. A layer is checked before
//! it is merged, and values that it must not set are removed, so that one mistake gives one
//! message. The merged tree is checked as well, because a guarded value could also be changed by
//! another path.

use std::collections::BTreeMap;

use super::key::fingerprint;
use super::overlay::{Cx, SERVICE_ACCOUNT_ALIAS, SERVICE_ACCOUNT_NAME, overlay};
use super::{Trace, findings};
use crate::diag::{Diagnostic, Rule, Severity, Sink};
use crate::schema::Type;
use crate::source::Span;
use crate::tree::{Node, Path, Value};

/// A field that a layer must not change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard<'g> {
    /// The path from the root of the trees to the field.
    pub(crate) field: &'g [Step<'g>],
    /// The kind of protection.
    pub(crate) hold: Hold,
    /// The violated rule: `guarded-field`, or one of a dialect. With a warning the layer still
    /// applies.
    pub(crate) rule: &'static Rule,
    /// The owner of the field, to follow "reserved for": `the managed container`.
    pub(crate) owner: &'g str,
    /// The span where the author assigned it to the owner, if no value below shows it.
    pub(crate) place: Option<Span>,
    /// The alternative for the author.
    pub(crate) help: &'g str,
}

/// One step of the path to a guarded field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'g> {
    /// The value of a matching key. `serviceAccountName` also matches its deprecated name.
    Key(Name<'g>),
    /// The items of a list whose field has a matching string.
    Item(&'g str, Name<'g>),
}

/// A name, or all names with a prefix.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Name<'g> {
    /// Exactly this name.
    Is(&'g str),
    /// All names that start with this.
    StartsWith(&'g str),
}

/// The protection of a guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hold {
    /// The layer must not set the field.
    Unset,
    /// The layer's value is dropped, and the value below is kept. For rules that warn.
    Dropped,
    /// The layer can repeat the value below, but not change it.
    Same,
}

impl Name<'_> {
    fn matches(self, text: &str) -> bool {
        match self {
            Self::Is(name) => {
                text == name || (name == SERVICE_ACCOUNT_NAME && text == SERVICE_ACCOUNT_ALIAS)
            }
            Self::StartsWith(prefix) => text.starts_with(prefix),
        }
    }
}

/// Merges `over` onto `base` like [`overlay`], within `guards`.
pub(crate) fn apply(
    cx: &Cx<'_>,
    guards: &[Guard<'_>],
    base: Node,
    over: &Node,
    ty: Type<'_>,
    trace: Option<&mut Trace>,
    sink: &mut Sink,
) -> Node {
    if guards.is_empty() {
        return overlay(cx, base, over, ty, trace, sink);
    }
    let mut cleaned = over.clone();
    for guard in guards {
        let mut check = Check { guard, sink };
        check.walk(guard.field, &mut cleaned, Some(&base), &cx.path);
    }
    let held: Vec<_> = guards.iter().map(|guard| held_values(guard, &base)).collect();
    let merged = overlay(cx, base, &cleaned, ty, trace, sink);
    for (guard, before) in guards.iter().zip(&held) {
        check_held(guard, before, &merged, &cx.path, sink);
    }
    merged
}

struct Check<'c> {
    guard: &'c Guard<'c>,
    sink: &'c mut Sink,
}

impl Check<'_> {
    /// Follows `steps` into the layer, reports violations of the guard, and removes their values.
    fn walk(&mut self, steps: &[Step<'_>], over: &mut Node, base: Option<&Node>, path: &Path<'_>) {
        let Some((step, rest)) = steps.split_first() else { return };
        match (step, &mut over.value) {
            (Step::Key(name), Value::Map(map)) => map.entries.retain_mut(|entry| {
                if !name.matches(&entry.key) {
                    return true;
                }
                let path = path.field(&entry.key);
                let below = base.and_then(|base| find_key(base, *name));
                if rest.is_empty() {
                    return self.keeps(&entry.value, entry.key_origin.span(), below, &path);
                }
                let was_empty = is_empty(&entry.value);
                self.walk(rest, &mut entry.value, below, &path);
                // A value that is now empty would also be reported as an override without effect.
                was_empty || !is_empty(&entry.value)
            }),
            (Step::Item(field, name), Value::List(items)) => {
                let known: BTreeMap<&str, &Node> = base
                    .map_or(&[][..], Node::items)
                    .iter()
                    .filter_map(|item| Some((item.str_at(&[field])?, item)))
                    .collect();
                let mut index = 0;
                items.retain_mut(|item| {
                    let path = path.index(index);
                    index += 1;
                    let Some(found) = matching(item, field, *name) else { return true };
                    let (text, span) = (found.as_str().unwrap_or_default(), found.span());
                    let below = known.get(text).copied();
                    if rest.is_empty() {
                        return self.keeps(item, span, below, &path);
                    }
                    self.walk(rest, item, below, &path);
                    true
                });
            }
            _ => {}
        }
    }

    /// Whether the value can stay in the layer.
    fn keeps(&mut self, value: &Node, span: Span, below: Option<&Node>, path: &Path<'_>) -> bool {
        let is_free = match self.guard.hold {
            // A null sets nothing, which the overlay reports.
            Hold::Unset | Hold::Dropped => value.is_null(),
            Hold::Same => {
                value.is_null()
                    || below.is_none_or(|below| fingerprint(below) == fingerprint(value))
            }
        };
        if is_free {
            return true;
        }
        self.sink.report(broken(self.guard, span, below, path));
        self.guard.rule.severity != Severity::Error && self.guard.hold != Hold::Dropped
    }
}

fn broken(guard: &Guard<'_>, span: Span, below: Option<&Node>, path: &Path<'_>) -> Diagnostic {
    let verb = match guard.hold {
        Hold::Unset | Hold::Dropped => "cannot be set",
        Hold::Same => "cannot be changed",
    };
    let headline = if guard.rule.severity == Severity::Error {
        format!("`{path}` {verb} here: it is reserved for {}", guard.owner)
    } else if guard.hold == Hold::Dropped {
        format!("`{path}` has no effect: it is reserved for {}", guard.owner)
    } else {
        format!("`{path}` replaces a value that is reserved for {}", guard.owner)
    };
    let finding = Diagnostic::new(guard.rule, span, headline)
        .at(format!("reserved for {}", guard.owner))
        .path(path)
        .help(guard.help);
    match (below, guard.place) {
        (Some(below), _) => finding.label(below.span(), findings::set_by(below.origin())),
        (None, Some(place)) => finding.label(place, "reserved here"),
        (None, None) => finding,
    }
}

/// The values that an error guard protects, with their paths.
fn held_values(guard: &Guard<'_>, base: &Node) -> Vec<Node> {
    if guard.rule.severity != Severity::Error {
        return Vec::new();
    }
    guarded(guard.field, base).into_iter().cloned().collect()
}

/// The nodes that `steps` lead to.
fn guarded<'n>(steps: &[Step<'_>], node: &'n Node) -> Vec<&'n Node> {
    let Some((step, rest)) = steps.split_first() else { return vec![node] };
    match step {
        Step::Key(name) => node
            .entries()
            .iter()
            .filter(|entry| name.matches(&entry.key) && !entry.value.is_null())
            .flat_map(|entry| guarded(rest, &entry.value))
            .collect(),
        Step::Item(field, name) => node
            .items()
            .iter()
            .filter(|item| matching(item, field, *name).is_some())
            .flat_map(|item| guarded(rest, item))
            .collect(),
    }
}

fn check_held(guard: &Guard<'_>, before: &[Node], merged: &Node, path: &Path<'_>, sink: &mut Sink) {
    if before.is_empty() {
        return;
    }
    let after = guarded(guard.field, merged);
    for (position, old) in before.iter().enumerate() {
        match after.get(position) {
            Some(new) if fingerprint(new) == fingerprint(old) => {}
            Some(new) => sink.report(broken(guard, new.span(), Some(old), path)),
            None => sink.report(broken(guard, merged.span(), Some(old), path)),
        }
    }
}

/// Whether it is a list or a map without content.
fn is_empty(node: &Node) -> bool {
    match &node.value {
        Value::List(items) => items.is_empty(),
        Value::Map(map) => map.entries.is_empty(),
        _ => false,
    }
}

fn matching<'n>(item: &'n Node, field: &str, name: Name<'_>) -> Option<&'n Node> {
    item.get(field).filter(|value| value.as_str().is_some_and(|text| name.matches(text)))
}

fn find_key<'n>(base: &'n Node, name: Name<'_>) -> Option<&'n Node> {
    let mut entries = base.entries().iter();
    entries.find(|it| name.matches(&it.key) && !it.value.is_null()).map(|entry| &entry.value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::merge::GUARDED_FIELD;
    use crate::merge::fixtures::pod_spec;
    use crate::source::Workspace;
    use crate::tree::Origin;

    static SERVER: Guard<'static> = Guard {
        field: &[Step::Key(Name::Is("containers")), Step::Item("name", Name::Is("server"))],
        hold: Hold::Same,
        rule: &GUARDED_FIELD,
        owner: "the managed container `server`",
        place: None,
        help: "use the fields of `spec`",
    };

    fn node(json: serde_json::Value) -> Node {
        let mut workspace = Workspace::new();
        let span = Span::new(workspace.add("a", ""), 0, 0);
        Node::from_json(json, Origin::source(span))
    }

    #[test]
    fn the_same_value_may_be_repeated() {
        let pod = node(json!({"containers": [{"name": "server", "image": "a"}]}));
        let mut sink = Sink::new();
        let cx = Cx { rows: &[], path: Path::root() };
        let merged = apply(&cx, &[SERVER], pod.clone(), &pod, pod_spec(), None, &mut sink);
        assert!(merged.same_value(&pod));
        let rules: Vec<_> = sink.into_sorted().iter().map(|it| it.rule.name).collect();
        assert_eq!(rules, ["repeated-list-item"]);
    }

    #[test]
    fn changes_are_detected_in_the_result() {
        let before = held_values(&SERVER, &node(json!({"containers": [{"name": "server"}]})));
        for after in
            [json!({"containers": []}), json!({"containers": [{"name": "server", "image": "x"}]})]
        {
            let mut sink = Sink::new();
            check_held(&SERVER, &before, &node(after), &Path::root(), &mut sink);
            assert_eq!(sink.len(), 1);
        }
    }
}
