//! Values during evaluation. Values of the object stay in its tree and are read on demand.

use core::net::IpAddr;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use lean_string::LeanStr;

use super::Stop;
use super::functions::{named_format::NamedFormat, semver::Semver, url::Url};
use super::shape::{ANY, Identity, Shape, ShapeKind};
use super::time::{Duration, Time};
use crate::scalar::{Quantity, decode_base64};
use crate::sorted::SortedMap;
use crate::tree::{self, Node, Number};

/// A value. Most of the time of an evaluation is spent on moving values, so they have the size of
/// three words, and the tag fills one: next to it, a boolean would be copied byte by byte.
#[derive(Clone, Debug)]
#[repr(u64)]
pub(super) enum Value<'v> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(LeanStr),
    Bytes(Bytes<'v>),
    Time(Time),
    Duration(Duration),
    List(List<'v>),
    Map(Map<'v>),
    Optional(Option<Arc<Value<'v>>>),
    /// A type, as a value.
    Type(LeanStr),
    Quantity(Arc<Quantity>),
    Address(Arc<IpAddr>),
    /// A CIDR block, with the length of its prefix.
    Block(Arc<(IpAddr, u8)>),
    Url(Arc<Url>),
    Semver(Arc<Semver>),
    Format(NamedFormat),
    /// A patch, or an object in one.
    Patch(Arc<Patch<'v>>),
    /// The variables of a policy.
    Variables,
    /// A value that only a cluster knows; the description is for messages.
    Unknown(&'static str),
}

/// Bytes.
#[derive(Clone, Debug)]
pub(super) enum Bytes<'v> {
    /// A value created by the expression.
    Made(Arc<[u8]>),
    /// Base64 in the object, which is decoded when it is used: a loop can select it many times.
    Read(&'v LeanStr),
}

/// An object of a named type: `Object.spec{replicas: 1}`.
#[derive(Clone, Debug)]
pub(super) struct Patch<'v> {
    /// The name of the type.
    pub(super) name: LeanStr,
    pub(super) fields: SortedMap<LeanStr, Value<'v>>,
}

/// A list.
#[derive(Clone, Debug)]
pub(super) enum List<'v> {
    /// A value created by the expression.
    Made(Arc<Vec<Value<'v>>>),
    /// A list of the object, with its shape.
    Read(&'v Node, &'v Shape),
}

/// A map, or an object.
#[derive(Clone, Debug)]
pub(super) enum Map<'v> {
    /// A value created by the expression.
    Made(Arc<SortedMap<Key, Value<'v>>>),
    /// A map of the object, with its shape.
    Read(&'v tree::Map, &'v Shape),
}

/// A key of a map. An int and a uint of the same value are the same key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Key {
    Bool(bool),
    Number(i128),
    String(LeanStr),
}

impl<'v> Value<'v> {
    pub(super) fn list(items: Vec<Self>) -> Self {
        Self::List(List::Made(Arc::new(items)))
    }

    pub(super) fn some(value: Self) -> Self {
        Self::Optional(Some(Arc::new(value)))
    }

    pub(super) fn address(address: IpAddr) -> Self {
        Self::Address(Arc::new(address))
    }

    pub(super) fn bytes(bytes: impl Into<Arc<[u8]>>) -> Self {
        Self::Bytes(Bytes::Made(bytes.into()))
    }

    pub(super) fn text(text: impl Into<LeanStr>) -> Self {
        Self::String(text.into())
    }

    /// The value of a node of the object.
    pub(super) fn of(node: &'v Node, shape: &'v Shape) -> Result<Self, Stop> {
        use tree::Value as Tree;
        if matches!(shape.kind, ShapeKind::Any) {
            return Ok(Self::of_any(node));
        }
        if let Some(number) = node.as_number() {
            return Self::of_number(number, &shape.kind);
        }
        Ok(match (&shape.kind, &node.value) {
            (_, Tree::Null) => Self::Null,
            (ShapeKind::Bool, Tree::Bool(it)) => Self::Bool(*it),
            (ShapeKind::String | ShapeKind::IntOrString, Tree::String(it)) => {
                Self::String(it.clone())
            }
            (ShapeKind::Bytes, Tree::String(it)) => Self::Bytes(Bytes::Read(it)),
            (ShapeKind::Timestamp, Tree::String(it)) => {
                Self::Time(Time::read(it).ok_or_else(|| unexpected_value("a timestamp"))?)
            }
            (ShapeKind::Duration, Tree::String(it)) => {
                // The API server also accepts `2 days`.
                let span = Duration::parse(it);
                Self::Duration(span.ok_or_else(|| Stop::unsupported("a duration in words"))?)
            }
            (ShapeKind::List { .. }, Tree::List(_)) => Self::List(List::Read(node, shape)),
            (ShapeKind::Map { .. } | ShapeKind::Object(_), Tree::Map(map)) => {
                Self::Map(Map::Read(map, shape))
            }
            _ => return Err(unexpected_value("of the type in its schema")),
        })
    }

    /// The value of a node without a schema.
    pub(super) fn of_any(node: &'v Node) -> Self {
        use tree::Value as Tree;
        if let Some(number) = node.as_number() {
            return whole_number(number)
                .map_or_else(|| Self::Double(float_value(number)), Self::Int);
        }
        match &node.value {
            Tree::Bool(it) => Self::Bool(*it),
            Tree::String(it) => Self::String(it.clone()),
            Tree::List(_) => Self::List(List::Read(node, &ANY)),
            Tree::Map(map) => Self::Map(Map::Read(map, &ANY)),
            _ => Self::Null,
        }
    }

    fn of_number(number: Number, shape: &ShapeKind) -> Result<Self, Stop> {
        match shape {
            ShapeKind::Int => {
                whole_number(number).map(Self::Int).ok_or_else(|| unexpected_value("an integer"))
            }
            ShapeKind::Double => Ok(Self::Double(float_value(number))),
            ShapeKind::IntOrString => number
                .as_i64()
                .map(Self::Int)
                .ok_or_else(|| unexpected_value("a string or an integer")),
            _ => Err(unexpected_value("of the type in its schema")),
        }
    }

    /// The name of the value's type.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Time(_) => "google.protobuf.Timestamp",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Optional(_) => "optional_type",
            Self::Type(_) => "type",
            Self::Quantity(_) => "kubernetes.Quantity",
            Self::Address(_) => "net.IP",
            Self::Block(_) => "net.CIDR",
            Self::Url(_) => "kubernetes.URL",
            Self::Semver(_) => "kubernetes.Semver",
            Self::Format(_) => "kubernetes.NamedFormat",
            Self::Patch(_) => "object",
            Self::Variables => "kubernetes.variables",
            Self::Unknown(_) => "unknown",
        }
    }

    /// The name of the Go type of the value in the API server, which some messages contain.
    pub(super) fn go_type_name(&self) -> &'static str {
        match self {
            Self::Null => "types.Null",
            Self::Bool(_) => "types.Bool",
            Self::Int(_) => "types.Int",
            Self::Uint(_) => "types.Uint",
            Self::Double(_) => "types.Double",
            Self::String(_) => "types.String",
            Self::Bytes(_) => "types.Bytes",
            Self::Time(_) => "types.Timestamp",
            Self::Duration(_) => "types.Duration",
            other => other.type_name(),
        }
    }

    /// The value as a map key, if it can be one.
    pub(super) fn key(&self) -> Option<Key> {
        Some(match self {
            Self::Bool(it) => Key::Bool(*it),
            Self::Int(it) => Key::Number(i128::from(*it)),
            Self::Uint(it) => Key::Number(i128::from(*it)),
            Self::String(it) => Key::String(it.clone()),
            _ => return None,
        })
    }

    /// Compares two values; `None` if they are not comparable.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (Self::Bool(a), Self::Bool(b)) => Some(a.cmp(b)),
            (Self::String(a), Self::String(b)) => Some(a.cmp(b)),
            (Self::Bytes(a), Self::Bytes(b)) => Some(a.decoded().cmp(&b.decoded())),
            (Self::Time(a), Self::Time(b)) => Some(a.cmp(b)),
            (Self::Duration(a), Self::Duration(b)) => Some(a.cmp(b)),
            _ => compare_numbers(self, other),
        }
    }

    /// Whether two values are equal. Values of different kinds are not.
    pub(super) fn equals(&self, other: &Self) -> Result<bool, Stop> {
        Ok(match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::List(a), Self::List(b)) => a.equals(b)?,
            (Self::Map(a), Self::Map(b)) => a.equals(b)?,
            (Self::Optional(Some(a)), Self::Optional(Some(b))) => a.equals(b)?,
            (Self::Optional(a), Self::Optional(b)) => a.is_none() && b.is_none(),
            (Self::Type(a), Self::Type(b)) => a == b,
            (Self::Quantity(a), Self::Quantity(b)) => a == b,
            (Self::Address(a), Self::Address(b)) => a == b,
            (Self::Block(a), Self::Block(b)) => a == b,
            (Self::Url(a), Self::Url(b)) => a == b,
            (Self::Semver(a), Self::Semver(b)) => a.compare(b).is_eq(),
            (Self::Format(a), Self::Format(b)) => a == b,
            (Self::Patch(a), Self::Patch(b)) => {
                a.name == b.name && a.fields.len() == b.fields.len() && {
                    let pairs: Vec<_> = a.fields.iter().zip(&b.fields).collect();
                    all(&pairs, |((k, a), (l, b))| Ok(k == l && a.equals(b)?))?
                }
            }
            _ => self.compare(other) == Some(Ordering::Equal),
        })
    }
}

impl Bytes<'_> {
    /// The bytes.
    pub(super) fn decoded(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Made(bytes) => Cow::Borrowed(bytes),
            Self::Read(text) => Cow::Owned(decode_base64(text)),
        }
    }

    /// The number of bytes in memory.
    pub(super) fn stored(&self) -> usize {
        match self {
            Self::Made(bytes) => bytes.len(),
            Self::Read(text) => text.len(),
        }
    }
}

fn unexpected_value(what: &str) -> Stop {
    Stop::error(format!("a value of the object is not {what}"))
}

impl<'v> List<'v> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Made(items) => items.len(),
            Self::Read(list, _) => list.items().len(),
        }
    }

    /// The criterion for equality.
    fn identity(&self) -> &'v Identity {
        match self {
            Self::Made(_) => &Identity::Atomic,
            Self::Read(_, shape) => shape.items().1,
        }
    }

    /// Whether equality ignores the order of the items.
    pub(super) fn is_unordered(&self) -> bool {
        !matches!(self.identity(), Identity::Atomic)
    }

    /// Whether no other value shares the items.
    pub(super) fn is_only(&self) -> bool {
        matches!(self, Self::Made(items) if Arc::strong_count(items) == 1)
    }

    /// The item at an index.
    pub(super) fn get(&self, at: usize) -> Option<Result<Value<'v>, Stop>> {
        match self {
            Self::Made(items) => items.get(at).cloned().map(Ok),
            Self::Read(list, shape) => {
                list.items().get(at).map(|node| Value::of(node, shape.items().0))
            }
        }
    }

    /// All items.
    pub(super) fn items(&self) -> Result<Vec<Value<'v>>, Stop> {
        match self {
            Self::Made(items) => Ok(items.to_vec()),
            Self::Read(list, shape) => {
                list.items().iter().map(|node| Value::of(node, shape.items().0)).collect()
            }
        }
    }

    fn equals(&self, other: &Self) -> Result<bool, Stop> {
        if self.len() != other.len() {
            return Ok(false);
        }
        let (left, right) = (self.items()?, other.items()?);
        match self.identity() {
            Identity::Set => all(&right, |item| contains(&left, item)),
            Identity::Keys(keys) => all(&right, |item| {
                let at = position(&left, |own| have_same_keys(own, item, keys))?;
                at.and_then(|at| left.get(at)).map_or(Ok(false), |same| same.equals(item))
            }),
            Identity::Atomic => {
                for (left, right) in left.iter().zip(&right) {
                    if !left.equals(right)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// Concatenates two lists: a set keeps each item once, a map list replaces items by key with
    /// those of `other`.
    pub(super) fn join(self, other: &Self) -> Result<Self, Stop> {
        let more = other.items()?;
        if let Self::Made(mut items) = self {
            Arc::make_mut(&mut items).extend(more);
            return Ok(Self::Made(items));
        }
        let (mut items, identity) = (self.items()?, self.identity());
        for item in more {
            let known = match identity {
                Identity::Atomic => None,
                Identity::Set => position(&items, |it| it.equals(&item))?,
                Identity::Keys(keys) => {
                    position(&items, |known| have_same_keys(known, &item, keys))?
                }
            };
            match known.and_then(|at| items.get_mut(at)) {
                Some(known) => *known = item,
                None => items.push(item),
            }
        }
        Ok(Self::Made(Arc::new(items)))
    }
}

/// Whether `items` contains `value`.
pub(super) fn contains(items: &[Value<'_>], value: &Value<'_>) -> Result<bool, Stop> {
    Ok(position(items, |item| item.equals(value))?.is_some())
}

fn position<T>(
    items: &[T],
    mut is_it: impl FnMut(&T) -> Result<bool, Stop>,
) -> Result<Option<usize>, Stop> {
    for (at, item) in items.iter().enumerate() {
        if is_it(item)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Whether `holds` is true for every item; errors are passed on.
pub(super) fn all<T>(
    items: &[T],
    mut holds: impl FnMut(&T) -> Result<bool, Stop>,
) -> Result<bool, Stop> {
    Ok(position(items, |item| Ok(!holds(item)?))?.is_none())
}

fn have_same_keys(left: &Value<'_>, right: &Value<'_>, keys: &[LeanStr]) -> Result<bool, Stop> {
    let (Value::Map(left), Value::Map(right)) = (left, right) else { return Ok(false) };
    all(keys, |key| {
        let name = super::shape::escape(key)
            .map_or_else(|| key.clone(), |escaped| escaped.as_ref().into());
        let key = Key::String(name);
        Ok(match (left.get(&key)?, right.get(&key)?) {
            (Some(left), Some(right)) => left.equals(&right)?,
            (left, right) => left.is_none() && right.is_none(),
        })
    })
}

impl<'v> Map<'v> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Made(entries) => entries.len(),
            Self::Read(map, shape) => stored_entries(map, shape).count(),
        }
    }

    /// The value at a key. A field that is null in an object is absent.
    pub(super) fn get(&self, key: &Key) -> Result<Option<Value<'v>>, Stop> {
        match self {
            Self::Made(entries) => Ok(entries.get(key).cloned()),
            Self::Read(map, shape) => read_at(shape, key, |name| map.get(name)),
        }
    }

    /// The keys that expressions can access, in source order.
    pub(super) fn keys(&self) -> Box<dyn Iterator<Item = Key> + '_> {
        match self {
            Self::Made(entries) => Box::new(entries.keys().cloned()),
            Self::Read(map, shape) => Box::new(
                stored_entries(map, shape).filter_map(|entry| accessible_key(shape, &entry.key)),
            ),
        }
    }

    /// The entries that expressions can access, in source order. A field that is null in an object
    /// has no value.
    pub(super) fn entries(&self) -> Box<dyn Iterator<Item = Item<'v>> + '_> {
        match self {
            Self::Made(entries) => {
                Box::new(entries.iter().map(|(key, value)| (key.clone(), Ok(Some(value.clone())))))
            }
            Self::Read(map, shape) => Box::new(stored_entries(map, shape).filter_map(|entry| {
                let key = accessible_key(shape, &entry.key)?;
                let value = read_at(shape, &key, |_| Some(&entry.value));
                Some((key, value))
            })),
        }
    }

    /// Whether a field that the schema does not declare has another value in `other`. One that `other`
    /// lacks is not compared (`unstructuredMap.Equal` of k8s.io/apiserver).
    fn differs_where_undeclared(&self, other: &Self) -> bool {
        let (Self::Read(map, shape), Self::Read(other, _)) = (self, other) else { return false };
        matches!(shape.kind, ShapeKind::Object(_))
            && map.entries().iter().any(|entry| {
                let other = other.get(&entry.key);
                shape.property(&entry.key).is_none()
                    && other.is_some_and(|value| !entry.value.same_value(value))
            })
    }

    fn equals(&self, other: &Self) -> Result<bool, Stop> {
        if self.len() != other.len() || self.differs_where_undeclared(other) {
            return Ok(false);
        }
        for (key, value) in self.entries() {
            let is_equal = match (value?, other.get(&key)?) {
                (Some(left), Some(right)) => left.equals(&right)?,
                (left, right) => left.is_none() && right.is_none(),
            };
            if !is_equal {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The entries of an object's map that the API server keeps: it drops a `null` that the schema does
/// not allow before rules run.
fn stored_entries<'v>(map: &'v tree::Map, shape: &Shape) -> impl Iterator<Item = &'v tree::Entry> {
    map.entries().iter().filter(|entry| is_stored(shape, &entry.value))
}

const fn is_stored(shape: &Shape, node: &Node) -> bool {
    !matches!(shape.kind, ShapeKind::Map { keeps_null: false, .. }) || !node.is_null()
}

/// A key of a map, and the value at it.
pub(super) type Item<'v> = (Key, Result<Option<Value<'v>>, Stop>);

/// The key under which expressions access an entry of an object's map, if they can.
fn accessible_key(shape: &Shape, key: &LeanStr) -> Option<Key> {
    if let ShapeKind::Any | ShapeKind::Map { .. } = shape.kind {
        return Some(Key::String(key.clone()));
    }
    let name = super::shape::escape(key)?;
    shape.field(&name).map(|_| Key::String(name.as_ref().into()))
}

/// The value at a key of an object's map, whose nodes `find` returns by name.
pub(super) fn read_at<'v>(
    shape: &'v Shape,
    key: &Key,
    find: impl FnOnce(&str) -> Option<&'v Node>,
) -> Result<Option<Value<'v>>, Stop> {
    let Key::String(name) = key else { return Err(Stop::no_overload()) };
    match &shape.kind {
        ShapeKind::Any => Ok(find(name).map(Value::of_any)),
        ShapeKind::Map { values, .. } => {
            let node = find(name).filter(|node| is_stored(shape, node));
            node.map(|node| Value::of(node, values)).transpose()
        }
        _ => {
            let Some(field) = shape.field(name) else { return Ok(None) };
            let node = find(&field.key).filter(|node| !node.is_null());
            node.map(|node| Value::of(node, &field.shape)).transpose()
        }
    }
}

impl Key {
    /// The key as a value.
    pub(super) fn value<'v>(&self) -> Value<'v> {
        match self {
            Self::Bool(it) => Value::Bool(*it),
            Self::Number(it) => match i64::try_from(*it) {
                Ok(number) => Value::Int(number),
                Err(_) => Value::Uint(u64::try_from(*it).unwrap_or(u64::MAX)),
            },
            Self::String(it) => Value::String(it.clone()),
        }
    }
}

/// The integer that a float such as `5.0` represents, as the API server reads it.
#[allow(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "only a float without a fraction, in range, is taken"
)]
fn whole_number(number: Number) -> Option<i64> {
    match number {
        Number::Int(it) => Some(it),
        Number::UInt(_) => None,
        Number::Float(it) => (it.trunc() == it && it.abs() < 9e18).then_some(it as i64),
    }
}

#[allow(clippy::cast_precision_loss, reason = "the API server reads it as a float as well")]
pub(super) const fn float_value(number: Number) -> f64 {
    match number {
        Number::Int(it) => it as f64,
        Number::UInt(it) => it as f64,
        Number::Float(it) => it,
    }
}

#[allow(clippy::cast_precision_loss, reason = "cel-go compares an integer and a float as floats")]
fn compare_numbers(left: &Value<'_>, right: &Value<'_>) -> Option<Ordering> {
    let whole = |value: &Value<'_>| match value {
        Value::Int(it) => Some(i128::from(*it)),
        Value::Uint(it) => Some(i128::from(*it)),
        _ => None,
    };
    if let (Some(left), Some(right)) = (whole(left), whole(right)) {
        return Some(left.cmp(&right));
    }
    let as_float = |value: &Value<'_>| match value {
        Value::Double(it) => Some(*it),
        _ => whole(value).map(|number| number as f64),
    };
    as_float(left)?.partial_cmp(&as_float(right)?)
}
