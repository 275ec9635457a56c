//! Values with the types by which server-side apply merges them: `schema.Atom` in Go.

use super::fields::{FieldSet, Scalar, Step};
use super::{Failure, shown_path};
use crate::schema::{ListType, Object, Type, definition, store};
use crate::sorted::SortedSet;
use crate::tree::{Map, Node, Value};

const METADATA: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// A type, and how its values are merged.
#[derive(Clone, Copy, Debug)]
pub struct Typed<'s> {
    ty: Type<'s>,
    /// Whether a field makes the type one value that is not one elsewhere.
    is_atomic: bool,
    /// Whether the type is that of a custom resource, in which a value without a schema is merged by its own form.
    is_custom: bool,
    is_root: bool,
}

/// How a value is merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape<'s> {
    /// As one value.
    Leaf,
    /// Field by field.
    Map,
    /// Item by item.
    List(ListType<'s>),
}

impl<'s> Typed<'s> {
    /// The type of an object.
    #[must_use]
    pub const fn of_object(ty: Type<'s>, is_custom: bool) -> Self {
        Self { ty, is_atomic: false, is_custom, is_root: true }
    }

    const fn of(ty: Type<'s>, is_custom: bool) -> Self {
        Self { ty, is_atomic: false, is_custom, is_root: false }
    }

    /// The type of a field, and whether the field is one of a struct.
    pub(super) fn field(self, name: &str) -> (Self, bool) {
        let of = |ty| Self::of(ty, self.is_custom);
        if self.is_root
            && name == "metadata"
            && let Some(metadata) = definition(METADATA)
        {
            return (Self::of(Type::Object(metadata), false), true);
        }
        match self.ty.base() {
            Type::Object(object) => match object.property(name) {
                Some(property) => {
                    let is_atomic = !self.is_custom && store::is_atomic_field(object.name, name);
                    (Self { is_atomic, ..of(property.value) }, true)
                }
                None => (of(object.others.unwrap_or(Type::Any)), self.is_root),
            },
            Type::Map(values) => (of(*values), false),
            _ => (of(Type::Any), self.is_root),
        }
    }

    /// The type of the items of a list.
    pub(super) fn items(self) -> Self {
        let items = match self.ty.base() {
            Type::List(list) => list.items,
            _ => Type::Any,
        };
        Self::of(items, self.is_custom)
    }

    /// The type below a step, and whether the step is the field of a struct.
    pub(super) fn below(self, step: &Step) -> (Self, bool) {
        match step {
            Step::Field(name) => self.field(name),
            _ => (self.items(), false),
        }
    }

    /// How a value is merged. The form of the value counts where it has no schema, or another one.
    pub(super) fn shape(self, node: &Node) -> Shape<'s> {
        let ty = self.ty.base();
        let is_any = matches!(ty, Type::Any);
        match &node.value {
            _ if self.is_atomic || is_any && !self.is_custom && !self.is_root => Shape::Leaf,
            Value::Null if matches!(ty, Type::Map(_)) => Shape::Map,
            Value::Null => match ty {
                Type::Object(object) if !object.is_atomic => Shape::Map,
                Type::List(list) => of_list(list.identity),
                _ if is_any => Shape::Map,
                _ => Shape::Leaf,
            },
            Value::Map(_) => match ty {
                Type::Object(Object { is_atomic: true, .. }) => Shape::Leaf,
                _ => Shape::Map,
            },
            Value::List(_) => match ty {
                Type::List(list) => of_list(list.identity),
                _ => Shape::Leaf,
            },
            _ => Shape::Leaf,
        }
    }

    /// The step to an item of a list.
    pub(super) fn step(self, identity: ListType<'_>, item: &Node) -> Option<Step> {
        match identity {
            ListType::Atomic => None,
            ListType::Set => {
                let is_scalar = !item.is_null() && !item.is_collection();
                is_scalar.then(|| Step::Value(Scalar::of(&item.to_json())))
            }
            ListType::Map(names) => {
                let object = item.as_map()?;
                let mut keys: Vec<_> = names
                    .iter()
                    .filter_map(|name| {
                        let value = match object.get(name) {
                            Some(value) => Scalar::of(&value.to_json()),
                            None => self.items().default_of(name)?,
                        };
                        Some(((*name).to_owned(), value))
                    })
                    .collect();
                keys.sort();
                (!keys.is_empty()).then_some(Step::Keys(keys))
            }
        }
    }

    /// The default of a key.
    fn default_of(self, name: &str) -> Option<Scalar> {
        let Type::Object(object) = self.ty.base() else { return None };
        let json = object.property(name)?.default?;
        serde_json::from_str(json).ok().map(|json| Scalar::of(&json))
    }

    /// The fields of a value: every leaf and item (`ToFieldSet`).
    pub(super) fn fields(self, node: &Node) -> FieldSet {
        let mut set = FieldSet::default();
        self.add_fields(node, &mut Vec::new(), &mut set);
        set
    }

    fn add_fields(self, node: &Node, path: &mut Vec<Step>, set: &mut FieldSet) {
        match self.shape(node) {
            Shape::Leaf => set.insert(path),
            Shape::Map => {
                for entry in node.entries() {
                    let (ty, is_named) = self.field(entry.key());
                    let value = entry.value();
                    path.push(Step::Field(entry.key().to_owned()));
                    ty.add_fields(value, path, set);
                    let is_empty_map = value.as_map().is_some_and(Map::is_empty);
                    if !is_named || value.is_null() || is_empty_map {
                        set.insert(path);
                    }
                    path.pop();
                }
            }
            Shape::List(identity) => {
                let (mut known, mut repeated) = (SortedSet::new(), SortedSet::new());
                let steps = || node.items().iter().map(|item| self.step(identity, item));
                for step in steps().flatten() {
                    if !known.insert(step.clone()) {
                        repeated.insert(step);
                    }
                }
                for (item, step) in node.items().iter().zip(steps()) {
                    let Some(step) = step else { continue };
                    let is_repeated = repeated.contains(&step);
                    path.push(step);
                    set.insert(path);
                    if !is_repeated {
                        self.items().add_fields(item, path, set);
                    }
                    path.pop();
                }
            }
        }
    }

    /// Sets the value that null is decoded to in a map of strings of a built-in kind.
    pub(super) fn set_empty_strings(self, node: &mut Node) {
        // The metadata of a custom resource has a built-in type.
        if self.is_custom && !self.is_root {
            return;
        }
        let is_text =
            matches!(self.ty.base(), Type::Map(values) if matches!(values.base(), Type::String(_)));
        let origin = node.origin();
        match &mut node.value {
            Value::Map(map) => {
                for field in map.fields_mut() {
                    if is_text && field.value.is_null() {
                        *field.value = Node::string("", origin);
                    }
                    self.field(field.key).0.set_empty_strings(field.value);
                }
            }
            Value::List(items) => {
                items.iter_mut().for_each(|item| self.items().set_empty_strings(item));
            }
            _ => {}
        }
    }

    /// Rejects null in a field of a custom resource whose type does not allow it.
    pub(super) fn check_nulls(self, node: &Node, path: &mut Vec<Step>) -> Result<(), Failure> {
        match &node.value {
            Value::Null if self.is_custom && !self.ty.is_nullable() => match self.ty.base() {
                Type::Any => Ok(()),
                _ => Err(Failure::Null { path: shown_path(path) }),
            },
            Value::Map(map) => map.entries().iter().try_for_each(|entry| {
                path.push(Step::Field(entry.key().to_owned()));
                let checked = self.field(entry.key()).0.check_nulls(entry.value(), path);
                path.pop();
                checked
            }),
            Value::List(items) => items.iter().zip(0..).try_for_each(|(item, index)| {
                path.push(Step::Index(index));
                let checked = self.items().check_nulls(item, path);
                path.pop();
                checked
            }),
            _ => Ok(()),
        }
    }

    /// Rejects an applied form with two items of one key (`Validate`).
    pub(super) fn check(self, node: &Node, path: &mut Vec<Step>) -> Result<(), Failure> {
        // Lists are validated below values that are merged as one as well.
        match (&node.value, self.ty.base()) {
            (Value::Map(map), _) => map.entries().iter().try_for_each(|entry| {
                path.push(Step::Field(entry.key().to_owned()));
                let checked = self.field(entry.key()).0.check(entry.value(), path);
                path.pop();
                checked
            }),
            (Value::List(items), ty) => {
                let identity = match ty {
                    Type::List(list) => list.identity,
                    _ => ListType::Atomic,
                };
                let mut known = SortedSet::new();
                for (item, index) in items.iter().zip(0..) {
                    let step = match (identity, self.step(identity, item)) {
                        (ListType::Atomic, _) => Step::Index(index),
                        (_, Some(step)) => step,
                        (_, None) => return Err(Failure::NoKey { path: shown_path(path), index }),
                    };
                    if identity != ListType::Atomic && !known.insert(step.clone()) {
                        let key = step.to_string();
                        return Err(Failure::Repeated { path: shown_path(path), key });
                    }
                    path.push(step);
                    self.items().check(item, path)?;
                    path.pop();
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn of_list(identity: ListType<'_>) -> Shape<'_> {
    match identity {
        ListType::Atomic => Shape::Leaf,
        identity => Shape::List(identity),
    }
}
