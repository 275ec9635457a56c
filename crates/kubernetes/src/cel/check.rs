//! Types of an expression, and the type errors that the API server reports before evaluation
//! (cel-go, `checker/checker.go` and `cel/validator.go`).

use std::sync::Arc;

use lean_string::LeanStr;

use super::Refusal;
use super::ast::{Comprehension, Expression, Kind, Literal};
use super::declarations::{self, Overload};
use super::function::Function;
use super::types::{Parameters, Type, most_general};
use crate::diag::nearest;
use crate::limits::CEL_TYPE;

/// The types of all nodes of an expression.
#[derive(Debug)]
pub(super) struct Checked {
    /// The types, indexed by node number.
    pub(super) types: Vec<Type>,
    /// The overloads that each call can resolve to, indexed by node number.
    pub(super) overloads: Vec<Vec<&'static Overload>>,
    /// Whether the expression uses `oldSelf`.
    pub(super) uses_old: bool,
}

/// Type names that can be used as values.
const TYPE_NAMES: &[&str] = &[
    "bool",
    "bytes",
    "double",
    "int",
    "list",
    "map",
    "null_type",
    "string",
    "type",
    "uint",
    "optional_type",
    "google.protobuf.Timestamp",
    "google.protobuf.Duration",
];

/// The number of parts of the longest dotted name of a type or a variable.
const LONGEST_NAME: usize = 3;

/// The variable for the value before an update.
const OLD: &str = "oldSelf";

/// The name of a variable in environments that have the types of patches. No expression can read it.
pub(super) const PATCHES: &str = "#patches";
/// The type of an object with the fields that a patch sets. Those of its fields start with it.
const OBJECT: &str = "Object";
const OPERATION: &str = "JSONPatch";
/// The fields of an operation that are strings.
const STRINGS: [&str; 3] = ["op", "path", "from"];

/// The longest name, in bytes, for which a similar name is searched.
const LONGEST_COMPARED: usize = 64;

/// Finds the types of all `count` nodes, for an API server of this minor version.
pub(super) fn check(
    root: &Expression,
    count: usize,
    variables: &[(&str, Type)],
    minor: u32,
) -> Result<Checked, Refusal> {
    let mut checker = Checker {
        scopes: variables.iter().map(|(name, ty)| (LeanStr::from(*name), ty.clone())).collect(),
        parameters: Parameters::of_nodes(count),
        types: vec![Type::Dyn; count],
        overloads: std::iter::repeat_with(Vec::new).take(count).collect(),
        uses_old: false,
        has_patches: variables.iter().any(|(name, _)| *name == PATCHES),
        minor,
    };
    let result = checker.expression(root);
    let Checker { parameters, types, overloads, uses_old, .. } = checker;
    if !parameters.are_exhausted() {
        result?;
    }
    let types: Vec<_> = types.iter().map(|ty| parameters.settle(ty)).collect();
    let is_large = |ty: &Type| ty.parts() > CEL_TYPE.count();
    if parameters.are_exhausted() || types.iter().any(is_large) {
        return Err(types_too_large(root.at));
    }
    Ok(Checked { types, overloads, uses_old })
}

impl Checked {
    /// The type of a node.
    pub(super) fn type_of(&self, expression: &Expression) -> &Type {
        self.types.get(expression.id).unwrap_or(&Type::Dyn)
    }

    /// The overloads that the call can resolve to.
    pub(super) fn overloads_of(&self, expression: &Expression) -> &[&'static Overload] {
        self.overloads.get(expression.id).map_or(&[], Vec::as_slice)
    }
}

struct Checker {
    /// The variables in scope, innermost last.
    scopes: Vec<(LeanStr, Type)>,
    parameters: Parameters,
    types: Vec<Type>,
    overloads: Vec<Vec<&'static Overload>>,
    uses_old: bool,
    /// Whether the types and functions of patches are available.
    has_patches: bool,
    minor: u32,
}

impl Checker {
    fn expression(&mut self, expression: &Expression) -> Result<Type, Refusal> {
        let found = match &expression.kind {
            Kind::Literal(literal) => literal_type(literal),
            Kind::Identifier(name) => self.identifier(expression.at, name)?,
            Kind::Select { operand, field, is_test } => {
                let found = match self.qualified(expression) {
                    Some(found) => found,
                    None => self.field(expression, operand, field, false)?,
                };
                if *is_test { Type::Bool } else { self.parameters.resolve(&found) }
            }
            Kind::Call { target, function, arguments } => {
                self.call(expression, target.as_deref(), function, arguments)?
            }
            Kind::List(items) => self.list(items)?,
            Kind::Map(entries) => self.map(entries)?,
            Kind::Struct(name, fields) => self.patch(expression.at, name, fields)?,
            Kind::Comprehension(it) => self.comprehension(it)?,
        };
        if self.parameters.are_exhausted() || found.parts() > CEL_TYPE.count() {
            return Err(types_too_large(expression.at));
        }
        if let Some(slot) = self.types.get_mut(expression.id) {
            *slot = found.clone();
        }
        Ok(found)
    }

    fn identifier(&mut self, at: usize, name: &str) -> Result<Type, Refusal> {
        if let Some(found) = self.variable(name) {
            return Ok(found);
        }
        let mut refusal = Refusal::at(at, format!("unknown variable `{name}`"));
        let names = self.scopes.iter().map(|(name, _)| name.as_str());
        refusal.near = nearest_name(name, names.filter(|name| !name.starts_with(['@', '#'])));
        Err(refusal)
    }

    fn variable(&mut self, name: &str) -> Option<Type> {
        let is_rooted = name.starts_with('.');
        let name = name.strip_prefix('.').unwrap_or(name);
        let mut named = self.scopes.iter().filter(|(known, _)| known == name);
        let found = if is_rooted { named.next() } else { named.next_back() };
        if let Some((_, found)) = found {
            self.uses_old |= name == OLD;
            return Some(found.clone());
        }
        TYPE_NAMES.contains(&name).then_some(Type::Meta)
    }

    /// Resolves a dotted name such as `google.protobuf.Timestamp`, which is one identifier.
    fn qualified(&mut self, expression: &Expression) -> Option<Type> {
        self.variable(&expression.name_of_at_most(LONGEST_NAME)?)
    }

    fn field(
        &mut self,
        expression: &Expression,
        operand: &Expression,
        name: &str,
        is_optional: bool,
    ) -> Result<Type, Refusal> {
        let operand = self.expression(operand)?;
        let (owner, was_optional) = match self.parameters.resolve(&operand) {
            Type::Optional(value) => (Type::clone(&value), true),
            other => (other, false),
        };
        let found = match &owner {
            Type::Map(it) => it.1.clone(),
            Type::Object(shape) => match shape.field(name) {
                Some(field) => field.shape.type_of(),
                None => return Err(field_refusal(expression.at, shape, name)),
            },
            Type::Fields(fields) => {
                let Some(found) = fields.get(name) else {
                    let mut refusal = Refusal::at(expression.at, format!("unknown field `{name}`"));
                    refusal.near = nearest_name(name, fields.keys().map(LeanStr::as_str));
                    return Err(refusal);
                };
                found.clone()
            }
            Type::Parameter(_) => {
                self.parameters.assign(&Type::Dyn, &owner);
                Type::Dyn
            }
            Type::Dyn => Type::Dyn,
            other => {
                let message = format!("a value of type {other} has no fields");
                return Err(Refusal::at(expression.at, message));
            }
        };
        Ok(if was_optional || is_optional { Type::optional(found) } else { found })
    }

    fn call(
        &mut self,
        expression: &Expression,
        target: Option<&Expression>,
        function: &Function,
        arguments: &[Expression],
    ) -> Result<Type, Refusal> {
        let name = function.name();
        if let (Function::OptionalSelect, [operand, field]) = (function, arguments)
            && let Kind::Literal(Literal::String(selected)) = &field.kind
        {
            self.expression(field)?;
            let found = self.field(expression, operand, selected, true)?;
            let overloads = declarations::overloads(name).iter().collect();
            self.set_overloads(expression, overloads);
            return Ok(self.parameters.resolve(&found));
        }
        let mut types = Vec::with_capacity(arguments.len() + 1);
        for argument in arguments {
            types.push(self.expression(argument)?);
        }
        if let Some(target) = target {
            types.insert(0, self.expression(target)?);
        }
        let is_of_patch = name.starts_with(declarations::OF_PATCHES);
        let overloads = match declarations::overloads(name) {
            _ if is_of_patch && !self.has_patches => &[],
            overloads => overloads,
        };
        if !overloads.iter().any(|overload| overload.since <= self.minor) {
            return Err(function_refusal(expression.at, name, overloads));
        }
        if matches!(function, Function::LogicalAnd | Function::LogicalOr) {
            return self.logical(expression, arguments, &types, overloads);
        }
        let (found, possible) = self.resolve(overloads, target.is_some(), &types);
        let Some(found) = found else {
            return Err(self.overload_refusal(expression.at, name, target.is_some(), &types));
        };
        self.set_overloads(expression, possible);
        Ok(found)
    }

    fn set_overloads(&mut self, expression: &Expression, overloads: Vec<&'static Overload>) {
        if let Some(slot) = self.overloads.get_mut(expression.id) {
            *slot = overloads;
        }
    }

    fn logical(
        &mut self,
        expression: &Expression,
        arguments: &[Expression],
        types: &[Type],
        overloads: &'static [Overload],
    ) -> Result<Type, Refusal> {
        for (argument, found) in arguments.iter().zip(types) {
            self.expect_bool(argument, found)?;
        }
        self.set_overloads(expression, overloads.iter().collect());
        Ok(Type::Bool)
    }

    fn expect_bool(&mut self, expression: &Expression, found: &Type) -> Result<(), Refusal> {
        if self.parameters.assign(found, &Type::Bool) {
            return Ok(());
        }
        let found = self.parameters.settle(found);
        Err(Refusal::at(expression.at, format!("it must be a bool, but is of type {found}")))
    }

    /// The type of a call, and the overloads that it can resolve to.
    fn resolve(
        &mut self,
        overloads: &'static [Overload],
        is_member: bool,
        types: &[Type],
    ) -> (Option<Type>, Vec<&'static Overload>) {
        let mut result: Option<Type> = None;
        let mut possible = Vec::new();
        for overload in overloads {
            if overload.is_member != is_member || overload.since > self.minor {
                continue;
            }
            let fresh: Vec<_> = (0..overload.parameters).map(|_| self.parameters.fresh()).collect();
            let candidates: Vec<_> =
                overload.arguments.iter().map(|declared| instantiate(declared, &fresh)).collect();
            if !self.parameters.assign_all(types, &candidates) {
                continue;
            }
            possible.push(overload);
            let value = self.parameters.resolve(&instantiate(&overload.result, &fresh));
            result = Some(match result {
                None => value,
                Some(known) if known == Type::Dyn || known == value => known,
                Some(_) => Type::Dyn,
            });
        }
        (result, possible)
    }

    fn list(&mut self, items: &[(Expression, bool)]) -> Result<Type, Refusal> {
        let mut joined = None;
        for (item, is_optional) in items {
            let ty = self.expression(item)?;
            joined = Some(self.join(joined, unwrap_optional(item, ty, *is_optional)?));
        }
        Ok(Type::list(joined.unwrap_or_else(|| self.parameters.fresh())))
    }

    fn map(&mut self, entries: &[(Expression, Expression, bool)]) -> Result<Type, Refusal> {
        let (mut keys, mut values) = (None, None);
        for (key, value, is_optional) in entries {
            let key = self.expression(key)?;
            keys = Some(self.join(keys, key));
            let ty = self.expression(value)?;
            values = Some(self.join(values, unwrap_optional(value, ty, *is_optional)?));
        }
        let keys = keys.unwrap_or_else(|| self.parameters.fresh());
        let values = values.unwrap_or_else(|| self.parameters.fresh());
        Ok(Type::map(keys, values))
    }

    /// The common type of the items so far and one more. Items of different types are accepted
    /// here, because arguments of `format` may have them.
    fn join(&mut self, joined: Option<Type>, found: Type) -> Type {
        match joined {
            None => found,
            Some(joined) if self.parameters.assign(&joined, &found) => {
                most_general(&joined, &found)
            }
            Some(_) => Type::Dyn,
        }
    }

    fn comprehension(&mut self, comprehension: &Comprehension) -> Result<Type, Refusal> {
        let range = self.expression(&comprehension.range)?;
        let accumulated = self.expression(&comprehension.initial)?;
        let range = self.parameters.resolve(&range);
        let outside = self.scopes.len();
        self.scopes.push((comprehension.accumulator.clone(), accumulated.clone()));
        let (first, second) = match &range {
            Type::List(item) if comprehension.second.is_some() => (Type::Int, Type::clone(item)),
            Type::List(item) => (Type::clone(item), Type::Dyn),
            Type::Map(map) => (map.0.clone(), map.1.clone()),
            Type::Dyn | Type::Parameter(_) => {
                self.parameters.assign(&Type::Dyn, &range);
                (Type::Dyn, Type::Dyn)
            }
            other => {
                let message = format!("cannot iterate over a value of type {other}");
                return Err(Refusal::at(comprehension.range.at, message));
            }
        };
        let inside = self.scopes.len();
        self.scopes.push((comprehension.variable.clone(), first));
        if let Some(name) = &comprehension.second {
            self.scopes.push((name.clone(), second));
        }
        let condition = self.expression(&comprehension.condition)?;
        self.expect_bool(&comprehension.condition, &condition)?;
        let step = self.expression(&comprehension.step)?;
        if !self.parameters.assign(&accumulated, &step) {
            let (step, wanted) =
                (self.parameters.settle(&step), self.parameters.settle(&accumulated));
            let message = format!("it must be of type {wanted}, but is of type {step}");
            return Err(Refusal::at(comprehension.step.at, message));
        }
        self.scopes.truncate(inside);
        let result = self.expression(&comprehension.result)?;
        self.scopes.truncate(outside);
        Ok(self.parameters.resolve(&result))
    }

    fn overload_refusal(
        &self,
        at: usize,
        function: &str,
        is_member: bool,
        types: &[Type],
    ) -> Refusal {
        let types: Vec<_> = types.iter().map(|ty| self.parameters.settle(ty).to_string()).collect();
        let message = match (types.as_slice(), operator_sign(function)) {
            ([left, right], Some(operator)) => {
                format!("`{operator}` does not support {left} and {right}")
            }
            ([only], Some(operator)) => format!("`{operator}` does not support {only}"),
            (all, Some(operator)) => format!("`{operator}` does not support {}", all.join(", ")),
            ([target, arguments @ ..], None) if is_member => {
                format!("{target} has no `{function}({})`", arguments.join(", "))
            }
            (all, None) => format!("unknown function `{function}({})`", all.join(", ")),
        };
        Refusal::at(at, message)
    }
}

/// The operator as written in source code, for the function that implements it.
fn operator_sign(function: &str) -> Option<&str> {
    match function {
        "@in" => Some("in"),
        "_?_:_" => Some("? :"),
        "_[_]" | "_[?_]" => Some("[]"),
        _ if function.starts_with('_') || function.ends_with('_') => {
            Some(function.trim_matches('_'))
        }
        _ => None,
    }
}

fn nearest_name<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let is_short = name.len() <= LONGEST_COMPARED;
    is_short.then(|| nearest(name, names)).flatten().map(ToOwned::to_owned)
}

fn field_refusal(at: usize, shape: &Arc<super::Shape>, name: &str) -> Refusal {
    if shape.is_hidden(name) {
        let message =
            format!("rules cannot access the field `{name}`: its schema declares no type");
        return Refusal::at(at, message);
    }
    let mut refusal = Refusal::at(at, format!("the schema declares no field `{name}`"));
    refusal.near = nearest_name(name, shape.field_names());
    refusal
}

fn function_refusal(at: usize, function: &str, overloads: &[Overload]) -> Refusal {
    if let Some(since) = overloads.iter().map(|overload| overload.since).min() {
        let message = format!("`{function}` requires Kubernetes 1.{since} or later");
        return Refusal::at(at, message);
    }
    let mut refusal = Refusal::at(at, format!("unknown function `{function}`"));
    let names =
        declarations::names().filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
    refusal.near = nearest_name(function, names);
    refusal
}

fn types_too_large(at: usize) -> Refusal {
    Refusal::undecided(at, "a type of this size")
}

impl Checker {
    /// The type of a part of a patch. The fields of objects have any name and type.
    fn patch(
        &mut self,
        at: usize,
        name: &str,
        fields: &[(LeanStr, Expression, bool)],
    ) -> Result<Type, Refusal> {
        let is_part = name.strip_prefix(OBJECT).is_some_and(|it| it.starts_with('.'));
        if !self.has_patches || !(is_part || [OBJECT, OPERATION].contains(&name)) {
            return Err(struct_refusal(at, name));
        }
        for (field, value, is_optional) in fields {
            let ty = self.expression(value)?;
            let found = unwrap_optional(value, self.parameters.resolve(&ty), *is_optional)?;
            let is_string = STRINGS.contains(&field.as_str());
            if name != OPERATION || field == "value" || is_string && is_text_type(&found) {
                continue;
            }
            let message = if is_string {
                format!("field `{field}` of `{name}` must be a string, but is of type {found}")
            } else {
                format!("`{name}` has no field `{field}`")
            };
            return Err(Refusal::at(value.at, message));
        }
        Ok(match name {
            OBJECT => Type::Library(OBJECT),
            OPERATION => Type::Library(OPERATION),
            _ => Type::Dyn,
        })
    }
}

const fn is_text_type(found: &Type) -> bool {
    matches!(found, Type::String | Type::Dyn)
}

/// The error for an object of a named type. Only protobuf message types can be constructed, and
/// their fields are not checked.
fn struct_refusal(at: usize, name: &str) -> Refusal {
    if name.starts_with("google.protobuf.") {
        return Refusal::undecided(at, "an object of a protobuf message type");
    }
    Refusal::at(at, format!("unknown type `{name}`"))
}

fn unwrap_optional(item: &Expression, found: Type, is_optional: bool) -> Result<Type, Refusal> {
    match found {
        _ if !is_optional => Ok(found),
        Type::Optional(value) => Ok(Type::clone(&value)),
        Type::Dyn => Ok(Type::Dyn),
        other => {
            let message =
                format!("`?` requires an optional value, but this value is of type {other}");
            Err(Refusal::at(item.at, message))
        }
    }
}

/// Replaces the type parameters of a declared type with those of one call.
fn instantiate(declared: &Type, fresh: &[Type]) -> Type {
    match declared {
        Type::Parameter(number) => fresh.get(*number).cloned().unwrap_or(Type::Dyn),
        Type::List(item) => Type::list(instantiate(item, fresh)),
        Type::Map(it) => Type::map(instantiate(&it.0, fresh), instantiate(&it.1, fresh)),
        Type::Optional(value) => Type::optional(instantiate(value, fresh)),
        other => other.clone(),
    }
}

const fn literal_type(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}
