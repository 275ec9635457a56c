//! The changes between two forms of an object, by path.

use crate::diag::{FieldPath, PathStep};
use crate::scalar::Quantity;
use crate::schema::{Object as Fields, Type};
use crate::source::Span;
use crate::tree::{Entry, Node, Value, shortened};

/// A value that differs: the deepest one that contains a whole difference.
#[derive(Clone, Debug)]
pub(super) struct Change<'u> {
    path: Vec<PathStep>,
    /// The stored value.
    pub(super) old: Option<&'u Node>,
    /// The new value.
    pub(super) new: Option<&'u Node>,
    /// The part of the new object that shows the change: the value, or the first key of the object
    /// that lacks it.
    pub(super) span: Span,
}

impl Change<'_> {
    /// The path of the value.
    pub(super) fn path(&self) -> FieldPath {
        self.path.iter().cloned().collect()
    }

    /// Whether an object has the value.
    pub(super) fn is_written_in(&self, root: &Node) -> bool {
        root.at_path(&self.path).is_some()
    }

    /// Whether the value is at or below a path of fields and keys; `*` is any item of a list.
    pub(super) fn is_in(&self, path: &[&str]) -> bool {
        self.path.len() >= path.len()
            && self.path.iter().zip(path).all(|(step, name)| is_field(step, name))
    }

    /// Whether the value is at the path.
    pub(super) fn is_at(&self, path: &[&str]) -> bool {
        self.path.len() == path.len() && self.is_in(path)
    }
}

fn is_field(step: &PathStep, name: &str) -> bool {
    match step.name() {
        Some(field) => field == name,
        None => name == "*",
    }
}

/// Finds changes.
pub(super) struct Comparison<'u> {
    path: Vec<PathStep>,
    /// The span of values that the API server sets in the new object.
    pub(super) of_defaults: Span,
    pub(super) found: Vec<Change<'u>>,
}

impl<'u> Comparison<'u> {
    pub(super) const fn new(of_defaults: Span) -> Self {
        Self { path: Vec::new(), of_defaults, found: Vec::new() }
    }

    /// Adds the changes between two values of a type. `around` is the part of the new object around
    /// them.
    pub(super) fn compare(
        &mut self,
        old: Option<&'u Node>,
        new: Option<&'u Node>,
        ty: Option<Type<'static>>,
        around: Span,
    ) {
        let written = new.map(Node::span).filter(|span| *span != self.of_defaults);
        let span = written.unwrap_or(around);
        match (old.map(|it| &it.value), new.map(|it| &it.value)) {
            (Some(Value::Map(_)), Some(Value::Map(_))) => self.maps(old, new, ty, span),
            (Some(Value::List(olds)), Some(Value::List(news))) if olds.len() == news.len() => {
                let of_items = match ty.map(Type::base) {
                    Some(Type::List(list)) => Some(list.items),
                    _ => None,
                };
                for (index, (old, new)) in olds.iter().zip(news).enumerate() {
                    self.path.push(PathStep::Index(index));
                    self.compare(Some(old), Some(new), of_items, span);
                    self.path.pop();
                }
            }
            _ if same(old, new) => {}
            _ if matches!(ty.map(Type::base), Some(Type::Quantity)) && is_same_amount(old, new) => {
            }
            _ => self.found.push(Change { path: self.path.clone(), old, new, span }),
        }
    }

    fn maps(
        &mut self,
        old: Option<&'u Node>,
        new: Option<&'u Node>,
        ty: Option<Type<'static>>,
        span: Span,
    ) {
        let (olds, news) = (entries_of(old), entries_of(new));
        let removed =
            olds.iter().filter(|entry| new.is_none_or(|new| new.get(&entry.key).is_none()));
        let start = news
            .iter()
            .map(|entry| entry.key_origin().span())
            .find(|span| *span != self.of_defaults);
        for key in news.iter().chain(removed).map(|entry| entry.key.as_str()) {
            let (step, below) = match ty.map(Type::base) {
                Some(Type::Map(values)) => (PathStep::Key(shortened(key).into()), Some(*values)),
                Some(Type::Object(fields)) => {
                    (PathStep::Field(key.into()), field_type(fields, key))
                }
                _ if key.contains(['.', '/', '[']) => (PathStep::Key(shortened(key).into()), None),
                _ => (PathStep::Field(shortened(key).into()), None),
            };
            self.path.push(step);
            let value = |owner: Option<&'u Node>| owner.and_then(|it| it.get(key));
            self.compare(value(old), value(new), below, start.unwrap_or(span));
            self.path.pop();
        }
    }
}

fn entries_of(node: Option<&Node>) -> &[Entry] {
    node.map_or(&[], Node::entries)
}

fn field_type(fields: &'static Fields<'static>, key: &str) -> Option<Type<'static>> {
    fields.property(key).map(|it| it.value)
}

/// Whether two quantities are equal in different spellings.
fn is_same_amount(old: Option<&Node>, new: Option<&Node>) -> bool {
    let amount = |node: Option<&Node>| Quantity::parse(node?.as_str()?).ok();
    matches!((amount(old), amount(new)), (Some(old), Some(new)) if old == new)
}

/// Whether the API server regards the values as equal: it does not distinguish an empty list from
/// an absent one.
pub(super) fn same(old: Option<&Node>, new: Option<&Node>) -> bool {
    let is_empty = |node: &&Node| match &node.value {
        Value::Null => true,
        Value::List(items) => items.is_empty(),
        _ => false,
    };
    let (old, new) = (old.filter(|node| !is_empty(node)), new.filter(|node| !is_empty(node)));
    match (old, new) {
        (Some(old), Some(new)) => old.same_value(new),
        (None, None) => true,
        _ => false,
    }
}
