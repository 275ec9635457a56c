//! Guards: fields that a layer must not change.
//!
//! A guard is data: the path of a field, its protection, and its owner. A layer is checked before
//! it is merged, and values that it must not set are removed, so that one mistake gives one
//! message. The merged tree is checked as well, because a guarded value could also be changed by
//! another path.

use super::items::Items;
use super::key::are_equal;
use super::overlay::{MergeContext, SERVICE_ACCOUNT_ALIAS, SERVICE_ACCOUNT_NAME, overlay};
use super::{Trace, findings};
use crate::diag::{Diagnostic, Message, Rule, Severity, Sink, message};
use crate::schema::Type;
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::{Entry, Node, Path, Value};

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
    /// The owner of the field, to follow "reserved for": `the container of the kind`.
    pub(crate) owner: &'g str,
    /// The span where the author assigned it to the owner, if no value below shows it.
    pub(crate) place: Option<Span>,
    /// The noun before the name in messages that show the name instead of the path: `volume`.
    pub(crate) noun: Option<&'g str>,
    /// The alternative for the author.
    pub(crate) help: &'static str,
}

impl Guard<'_> {
    /// Whether a layer has the first field of the path.
    fn is_reached_by(&self, over: &Node) -> bool {
        match self.field.first() {
            Some(Step::Key(name)) => over.entries().iter().any(|entry| name.matches(&entry.key)),
            _ => true,
        }
    }
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
    cx: &MergeContext<'_>,
    guards: &[Guard<'_>],
    base: Node,
    over: &Node,
    ty: Type<'_>,
    trace: Option<&mut Trace>,
    sink: &mut Sink,
) -> Node {
    // The trees are objects, so a field that the layer does not have cannot change.
    let reached: Vec<_> = guards.iter().filter(|it| it.is_reached_by(over)).collect();
    if reached.is_empty() {
        return overlay(cx, base, over, ty, trace, sink);
    }
    let (mut removed, mut items) = (SortedSet::new(), Items::default());
    for guard in reached.iter().copied() {
        let (removed, items) = (&mut removed, &mut items);
        let mut check = Check { guard, removed, items, position: Vec::new(), sink };
        check.walk(guard.field, over, Some(&base), &cx.path);
    }
    let cleaned = (!removed.is_empty()).then(|| without_positions(over, &removed, &mut Vec::new()));
    let mut below = Items::default();
    let held: Vec<_> = reached.iter().map(|guard| held_values(guard, &base, &mut below)).collect();
    let merged = overlay(cx, base, cleaned.as_ref().unwrap_or(over), ty, trace, sink);
    let mut after = Items::default();
    for (guard, before) in reached.iter().zip(&held) {
        check_held(guard, before, &merged, &mut after, &cx.path, sink);
    }
    merged
}

/// The name of an entry or item, with its span.
#[derive(Clone, Copy)]
struct Found<'n> {
    name: &'n str,
    span: Span,
}

/// The position of a node: the positions of the entries and items on its path in the author's
/// source.
type Position = Vec<usize>;

struct Check<'c, 'n> {
    guard: &'n Guard<'n>,
    /// The values that the layer must not set, including those found by earlier guards.
    removed: &'c mut SortedSet<Position>,
    items: &'c mut Items<'n>,
    position: Position,
    sink: &'c mut Sink,
}

impl<'n> Check<'_, 'n> {
    /// Follows `steps` into the layer, and reports violations of the guard.
    fn walk(
        &mut self,
        steps: &'n [Step<'n>],
        over: &'n Node,
        base: Option<&'n Node>,
        path: &Path<'_>,
    ) {
        let Some((step, rest)) = steps.split_first() else { return };
        match step {
            Step::Key(name) => {
                for (at, entry) in over.entries().iter().enumerate() {
                    if name.matches(&entry.key) {
                        let below = base.and_then(|base| find_key(base, *name));
                        let found = Found { name: &entry.key, span: entry.key_origin().span() };
                        let path = path.field(&entry.key);
                        self.enter(at, rest, &entry.value, found, below, &path);
                    }
                }
            }
            Step::Item(field, name) => {
                for (at, item) in self.items.matching(over, field, *name) {
                    let Some(text) = item.get(field) else { continue };
                    let Some(name) = text.as_str() else { continue };
                    let found = Found { name, span: text.span() };
                    let below = base.and_then(|base| self.items.last(base, field, name));
                    self.enter(at, rest, item, found, below, &path.index(at));
                }
            }
        }
    }

    /// Checks the entry or item at a position.
    fn enter(
        &mut self,
        at: usize,
        rest: &'n [Step<'n>],
        value: &'n Node,
        found: Found<'_>,
        below: Option<&'n Node>,
        path: &Path<'_>,
    ) {
        self.position.push(at);
        if !self.removed.contains(&self.position) {
            if !rest.is_empty() {
                self.walk(rest, value, below, path);
            } else if !self.keeps(value, found, below, path) {
                self.removed.insert(self.position.clone());
            }
        }
        self.position.pop();
    }

    /// Whether the value can stay in the layer.
    fn keeps(
        &mut self,
        value: &Node,
        found: Found<'_>,
        below: Option<&Node>,
        path: &Path<'_>,
    ) -> bool {
        let is_free = match self.guard.hold {
            // A null sets nothing, which the overlay reports.
            Hold::Unset | Hold::Dropped => value.is_null(),
            Hold::Same => value.is_null() || below.is_none_or(|below| are_equal(below, value)),
        };
        if is_free {
            return true;
        }
        let title = match self.guard.noun {
            Some(noun) => message!("{noun} `{}`", found.name),
            None => message!("`{path}`"),
        };
        self.sink.report(guard_finding(self.guard, &title, found.span, below, path));
        self.guard.rule.severity != Severity::Error && self.guard.hold != Hold::Dropped
    }
}

/// The layer without the values at these positions.
fn without_positions(over: &Node, removed: &SortedSet<Position>, position: &mut Position) -> Node {
    let mut keep = |at: usize, node: &Node| {
        position.push(at);
        let kept =
            (!removed.contains(position)).then(|| without_positions(node, removed, position));
        position.pop();
        kept
    };
    let value = match &over.value {
        Value::List(items) => {
            Value::List((0..).zip(items).filter_map(|(at, item)| keep(at, item)).collect())
        }
        Value::Map(map) => {
            let entries = map.entries().iter().enumerate().filter_map(|(at, entry)| {
                let value = keep(at, &entry.value)?;
                // A value that is now empty would also be reported as an override without effect.
                let is_emptied = is_empty(&value) && !is_empty(&entry.value);
                (!is_emptied).then(|| Entry { key: entry.key.clone(), value })
            });
            Value::Map(entries.collect())
        }
        _ => return over.clone(),
    };
    over.with_value(value)
}

fn guard_finding(
    guard: &Guard<'_>,
    title: impl Into<Message>,
    span: Span,
    below: Option<&Node>,
    path: &Path<'_>,
) -> Diagnostic {
    let title = title.into();
    let verb = match guard.hold {
        Hold::Unset | Hold::Dropped => "cannot be set",
        Hold::Same => "cannot be changed",
    };
    let headline = if guard.rule.severity == Severity::Error {
        message!("{title} {verb} here: it is reserved for {}", guard.owner)
    } else if guard.hold == Hold::Dropped {
        message!("{title} has no effect: it is reserved for {}", guard.owner)
    } else {
        message!("{title} replaces a value that is reserved for {}", guard.owner)
    };
    let finding = Diagnostic::new(guard.rule, span, headline)
        .at(message!("reserved for {}", guard.owner))
        .path(path)
        .help(guard.help);
    match (below, guard.place) {
        (Some(below), _) => finding.label(below.span(), findings::set_by(below.origin())),
        (None, Some(place)) => finding.label(place, "reserved here"),
        (None, None) => finding,
    }
}

/// The values that an error guard protects.
fn held_values<'n>(guard: &'n Guard<'n>, base: &'n Node, items: &mut Items<'n>) -> Vec<Node> {
    if guard.rule.severity != Severity::Error {
        return Vec::new();
    }
    guarded_nodes(guard.field, base, items).into_iter().cloned().collect()
}

/// The nodes that `steps` lead to.
fn guarded_nodes<'n>(steps: &'n [Step<'n>], node: &'n Node, all: &mut Items<'n>) -> Vec<&'n Node> {
    let Some((step, rest)) = steps.split_first() else { return vec![node] };
    match step {
        Step::Key(name) => node
            .entries()
            .iter()
            .filter(|entry| name.matches(&entry.key) && !entry.value.is_null())
            .flat_map(|entry| guarded_nodes(rest, &entry.value, all))
            .collect(),
        Step::Item(field, name) => {
            let items = all.matching(node, field, *name);
            items.into_iter().flat_map(|(_, item)| guarded_nodes(rest, item, all)).collect()
        }
    }
}

fn check_held<'n>(
    guard: &'n Guard<'n>,
    before: &[Node],
    merged: &'n Node,
    items: &mut Items<'n>,
    path: &Path<'_>,
    sink: &mut Sink,
) {
    if before.is_empty() {
        return;
    }
    let after = guarded_nodes(guard.field, merged, items);
    let title = message!("`{path}`");
    for (position, old) in before.iter().enumerate() {
        match after.get(position) {
            Some(new) if are_equal(new, old) => {}
            Some(new) => sink.report(guard_finding(guard, &title, new.span(), Some(old), path)),
            None => sink.report(guard_finding(guard, &title, merged.span(), Some(old), path)),
        }
    }
}

/// Whether it is a list or a map without content.
fn is_empty(node: &Node) -> bool {
    match &node.value {
        Value::List(items) => items.is_empty(),
        Value::Map(map) => map.entries().is_empty(),
        _ => false,
    }
}

fn find_key<'n>(base: &'n Node, name: Name<'_>) -> Option<&'n Node> {
    let mut entries = base.entries().iter();
    entries
        .find(|entry| name.matches(&entry.key) && !entry.value.is_null())
        .map(|entry| &entry.value)
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
        owner: "the container `server` of the kind",
        place: None,
        noun: None,
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
        let cx = MergeContext { rows: &[], path: Path::root() };
        let merged = apply(&cx, &[SERVER], pod.clone(), &pod, pod_spec(), None, &mut sink);
        assert!(merged.same_value(&pod));
        let rules: Vec<_> = sink.into_sorted().iter().map(|finding| finding.rule.name).collect();
        assert_eq!(rules, ["repeated-list-item"]);
    }

    #[test]
    fn paths_count_the_items_that_the_author_wrote() {
        let name = |name| [Step::Key(Name::Is("volumes")), Step::Item("name", Name::Is(name))];
        let (first, second) = (name("a"), name("c"));
        let guard = |field| Guard { field, hold: Hold::Unset, ..SERVER };
        let guards = [guard(&first[..]), guard(&second[..]), guard(&first[..])];
        let over = node(json!({"volumes": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}));
        let mut sink = Sink::new();
        let cx = MergeContext { rows: &[], path: Path::root() };
        let merged = apply(&cx, &guards, node(json!({})), &over, pod_spec(), None, &mut sink);
        assert_eq!(merged.to_json(), json!({"volumes": [{"name": "b"}]}));
        let messages: Vec<_> = sink
            .into_sorted()
            .into_iter()
            .map(|finding| finding.details().message.as_prose().to_string())
            .collect();
        let expected = ["volumes[0]", "volumes[2]"];
        assert_eq!(messages.len(), expected.len(), "{messages:?}");
        for (message, path) in messages.iter().zip(expected) {
            assert!(message.starts_with(&format!("`{path}` ")), "{message}");
        }
    }

    #[test]
    fn items_are_read_once_for_all_guards() {
        let count = 50;
        let names: Vec<_> = (0..count).map(|number| format!("v{number}")).collect();
        let fields: Vec<_> = names
            .iter()
            .map(|name| [Step::Key(Name::Is("volumes")), Step::Item("name", Name::Is(name))])
            .collect();
        let guards: Vec<_> = fields.iter().map(|field| Guard { field, ..SERVER }).collect();
        let tree = node(
            json!({"volumes": names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>()}),
        );
        let mut items = Items::default();
        for guard in &guards {
            assert_eq!(guarded_nodes(guard.field, &tree, &mut items).len(), 1);
        }
        assert_eq!(items.read, count);
    }

    #[test]
    fn changes_are_detected_in_the_result() {
        let base = node(json!({"containers": [{"name": "server"}]}));
        let before = held_values(&SERVER, &base, &mut Items::default());
        for after in
            [json!({"containers": []}), json!({"containers": [{"name": "server", "image": "x"}]})]
        {
            let mut sink = Sink::new();
            let (after, mut items) = (node(after), Items::default());
            check_held(&SERVER, &before, &after, &mut items, &Path::root(), &mut sink);
            assert_eq!(sink.len(), 1);
        }
    }
}
