//! The types of expressions, and their assignability (cel-go, `checker/types.go`).

use std::fmt;
use std::sync::Arc;

use lean_string::LeanStr;

use super::shape::Shape;
use crate::limits::Fuel;
use crate::sorted::SortedMap;

/// A type.
#[derive(Clone, Debug)]
pub(super) enum Type {
    Null,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Timestamp,
    Duration,
    /// A type that is only known at run time.
    Dyn,
    List(Arc<Type>),
    Map(Arc<(Type, Type)>),
    /// An object with declared fields. Two such types are equal if they come from the same schema.
    Object(Arc<Shape>),
    /// A variable of an admission request with these fields.
    Fields(Arc<SortedMap<LeanStr, Type>>),
    Optional(Arc<Type>),
    /// A type as a value.
    Meta,
    /// A type of Kubernetes' libraries: `kubernetes.Quantity`.
    Library(&'static str),
    /// A type parameter that is not resolved yet.
    Parameter(usize),
}

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(a), Self::List(b)) | (Self::Optional(a), Self::Optional(b)) => a == b,
            (Self::Map(a), Self::Map(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => Arc::ptr_eq(a, b),
            (Self::Fields(a), Self::Fields(b)) => Arc::ptr_eq(a, b),
            (Self::Library(a), Self::Library(b)) => a == b,
            (Self::Parameter(a), Self::Parameter(b)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other) && self.is_simple(),
        }
    }
}

impl Type {
    /// Whether the type has no type arguments.
    const fn is_simple(&self) -> bool {
        !matches!(
            self,
            Self::List(_)
                | Self::Map(_)
                | Self::Object(_)
                | Self::Fields(_)
                | Self::Optional(_)
                | Self::Library(_)
                | Self::Parameter(_)
        )
    }

    pub(super) fn list(item: Self) -> Self {
        Self::List(Arc::new(item))
    }

    pub(super) fn map(key: Self, value: Self) -> Self {
        Self::Map(Arc::new((key, value)))
    }

    pub(super) fn optional(value: Self) -> Self {
        Self::Optional(Arc::new(value))
    }

    /// The number of types that the type consists of.
    pub(super) fn parts(&self) -> usize {
        1 + match self {
            Self::List(inner) | Self::Optional(inner) => inner.parts(),
            Self::Map(it) => it.0.parts() + it.1.parts(),
            _ => 0,
        }
    }

    /// Whether the type contains the variable with these fields.
    pub(super) fn contains_fields(&self, fields: &Arc<SortedMap<LeanStr, Self>>) -> bool {
        match self {
            Self::Fields(own) => Arc::ptr_eq(own, fields),
            Self::List(inner) | Self::Optional(inner) => inner.contains_fields(fields),
            Self::Map(it) => it.0.contains_fields(fields) || it.1.contains_fields(fields),
            _ => false,
        }
    }

    /// Whether `null` is assignable to the type.
    const fn takes_null(&self) -> bool {
        matches!(
            self,
            Self::Null
                | Self::Object(_)
                | Self::Fields(_)
                | Self::Library(_)
                | Self::Optional(_)
                | Self::Timestamp
                | Self::Duration
        )
    }

    /// Whether all values of the type have the same size.
    pub(super) fn is_scalar(&self) -> bool {
        match self {
            Self::Bool
            | Self::Int
            | Self::Uint
            | Self::Double
            | Self::Timestamp
            | Self::Duration => true,
            Self::Optional(value) => value.is_scalar(),
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Uint => f.write_str("uint"),
            Self::Double => f.write_str("double"),
            Self::String => f.write_str("string"),
            Self::Bytes => f.write_str("bytes"),
            Self::Timestamp => f.write_str("timestamp"),
            Self::Duration => f.write_str("duration"),
            Self::Dyn | Self::Parameter(_) => f.write_str("dyn"),
            Self::List(item) => write!(f, "list({item})"),
            Self::Map(it) => write!(f, "map({}, {})", it.0, it.1),
            Self::Object(_) | Self::Fields(_) => f.write_str("object"),
            Self::Optional(value) => write!(f, "optional({value})"),
            Self::Meta => f.write_str("type"),
            Self::Library(name) => f.write_str(name),
        }
    }
}

/// The steps of every check, and those of each node. Rules in practice take up to 20 for a node.
const STEPS: usize = 1_000;
const STEPS_OF_NODE: usize = 40;

/// The type parameters of a check, and the types they are resolved to.
#[derive(Debug)]
pub(super) struct Parameters {
    known: Vec<Option<Type>>,
    /// The parameters that the current assignment resolves, and what they were before.
    changes: Vec<(usize, Option<Type>)>,
    /// Parameters that resolve to others can describe a type of any size.
    fuel: Fuel<'static>,
}

impl Parameters {
    /// No parameters, for the check of an expression with this number of nodes.
    pub(super) fn of_nodes(count: usize) -> Self {
        let steps = count.saturating_mul(STEPS_OF_NODE).saturating_add(STEPS);
        let fuel = Fuel::of(u64::try_from(steps).unwrap_or(u64::MAX));
        Self { known: Vec::new(), changes: Vec::new(), fuel }
    }

    /// Whether the types are too large, so that the results are meaningless.
    pub(super) fn are_exhausted(&self) -> bool {
        self.fuel.is_out()
    }

    /// Creates an unresolved type parameter.
    pub(super) fn fresh(&mut self) -> Type {
        self.known.push(None);
        Type::Parameter(self.known.len() - 1)
    }

    fn find(&self, parameter: usize) -> Option<&Type> {
        self.known.get(parameter)?.as_ref()
    }

    fn set(&mut self, parameter: usize, to: Type) {
        if let Some(known) = self.known.get_mut(parameter) {
            self.changes.push((parameter, known.replace(to)));
        }
    }

    /// Replaces the resolved parameters in `value`.
    pub(super) fn resolve(&self, value: &Type) -> Type {
        self.replace(value, Type::clone)
    }

    /// Like `resolve`, with unresolved parameters as `dyn`.
    pub(super) fn settle(&self, value: &Type) -> Type {
        self.replace(value, |_| Type::Dyn)
    }

    fn replace(&self, value: &Type, unresolved: fn(&Type) -> Type) -> Type {
        let replace = |part| self.replace(part, unresolved);
        match value {
            _ if !self.fuel.spend(1) => Type::Dyn,
            Type::Parameter(parameter) => match self.find(*parameter) {
                Some(known) => replace(known),
                None => unresolved(value),
            },
            Type::List(item) => Type::list(replace(item)),
            Type::Map(it) => Type::map(replace(&it.0), replace(&it.1)),
            Type::Optional(value) => Type::optional(replace(value)),
            _ => value.clone(),
        }
    }

    /// Whether the types are assignable to the parameter types; if so, keeps what the parameters
    /// resolve to.
    pub(super) fn assign_all(&mut self, values: &[Type], targets: &[Type]) -> bool {
        let fits = values.len() == targets.len()
            && values.iter().zip(targets).all(|(value, target)| self.fits(value, target));
        self.keep_changes(fits);
        fits
    }

    /// Like `assign_all`, for one type.
    pub(super) fn assign(&mut self, value: &Type, target: &Type) -> bool {
        let fits = self.fits(value, target);
        self.keep_changes(fits);
        fits
    }

    /// Keeps what parameters resolve to since the last assignment, or restores them.
    fn keep_changes(&mut self, are_kept: bool) {
        for (parameter, before) in self.changes.drain(..).rev().filter(|_| !are_kept) {
            if let Some(known) = self.known.get_mut(parameter) {
                *known = before;
            }
        }
    }

    fn fits(&mut self, value: &Type, target: &Type) -> bool {
        if !self.fuel.spend(1) {
            return false;
        }
        if let Type::Parameter(parameter) = target {
            let (is_fit, is_known) = self.substitute(value, *parameter);
            if is_fit || is_known {
                return is_fit;
            }
        }
        if let Type::Parameter(parameter) = value {
            return self.substitute(target, *parameter).0;
        }
        match (value, target) {
            (Type::Dyn, _) | (_, Type::Dyn) => true,
            (Type::Null, other) | (other, Type::Null) => other.takes_null(),
            (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
                self.fits(a, b)
            }
            (Type::Map(a), Type::Map(b)) => self.fits(&a.0, &b.0) && self.fits(&a.1, &b.1),
            (a, b) => a == b,
        }
    }

    /// Whether `value` is assignable to the type of `parameter`, and whether that type was known.
    fn substitute(&mut self, value: &Type, parameter: usize) -> (bool, bool) {
        if *value == Type::Parameter(parameter) {
            return (true, true);
        }
        if let Some(known) = self.find(parameter).cloned() {
            if *value == known {
                return (true, true);
            }
            if !self.fits(value, &known) {
                return (false, true);
            }
            let general = most_general(value, &known);
            if !self.occurs(parameter, &general) {
                self.set(parameter, general);
            }
            return (true, true);
        }
        if self.occurs(parameter, value) {
            return (false, false);
        }
        self.set(parameter, value.clone());
        (true, false)
    }

    /// Whether `parameter` occurs in `within`, which would make the type infinite.
    fn occurs(&self, parameter: usize, within: &Type) -> bool {
        match within {
            _ if !self.fuel.spend(1) => true,
            Type::Parameter(it) if *it == parameter => true,
            Type::Parameter(it) => {
                self.find(*it).is_some_and(|known| self.occurs(parameter, known))
            }
            Type::List(item) | Type::Optional(item) => self.occurs(parameter, item),
            Type::Map(it) => self.occurs(parameter, &it.0) || self.occurs(parameter, &it.1),
            _ => false,
        }
    }
}

/// The more general of two types, one of which is assignable to the other.
pub(super) fn most_general(first: &Type, second: &Type) -> Type {
    if is_as_general(first, second) { first.clone() } else { second.clone() }
}

fn is_as_general(first: &Type, second: &Type) -> bool {
    match (first, second) {
        (Type::Dyn | Type::Parameter(_), _) => true,
        (_, Type::Dyn | Type::Parameter(_)) => false,
        (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
            is_as_general(a, b)
        }
        (Type::Map(a), Type::Map(b)) => is_as_general(&a.0, &b.0) && is_as_general(&a.1, &b.1),
        (a, b) => a == b,
    }
}
