//! `Program`: an expression that was parsed, checked and priced.

use std::sync::Arc;

use lean_string::LeanStr;

use super::ast::{Expression, Kind};
use super::check::Checked;
use super::evaluate::Machine;
use super::shape::Shape;
use super::types::Type;
use super::value::Value;
use super::{Patterns, Refusal, Stop, check, cost, literals, parser};
use crate::limits::{Fuel, POLICY_CALL_COST};
use crate::tree::Node;

/// The cost limit of one call, in the units of the API server.
pub(super) const CALL_LIMIT: u64 = POLICY_CALL_COST.most as u64;

/// A minor version newer than all API servers; an older one accepts an expression if it has all of
/// its functions.
pub(super) const NEWEST: u32 = 99;

/// The minor version of the oldest supported API server.
const OLDEST: u32 = 33;

/// The purpose of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A validation rule, which must evaluate to true.
    Rule,
    /// A message expression, evaluated if its rule is false.
    Message,
}

/// An expression that is ready to run.
#[derive(Debug)]
pub struct Program {
    expression: Expression,
    patterns: Patterns,
    /// Whether the expression reads the value before an update.
    pub uses_old: bool,
    /// The maximum cost, in the units of the API server.
    pub cost: u64,
    /// The call that requires the newest release, unless all supported releases have it.
    pub newest: Option<Newest>,
}

/// A call of a function that only newer releases have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Newest {
    /// The name of the function.
    pub function: LeanStr,
    /// The byte offset of the call in the expression.
    pub at: usize,
    /// The minor version of the first API server that accepts the function in a new definition.
    pub since: u32,
}

/// The value of `oldSelf`.
#[derive(Clone, Copy, Debug)]
pub enum Old<'n> {
    /// There is none: the value is new.
    None,
    /// The stored value.
    Value(&'n Node),
    /// The stored value, for a rule with `optionalOldSelf`.
    Optional(&'n Node),
}

/// The result of an evaluation.
#[derive(Debug)]
pub enum Run {
    /// Whether the rule is satisfied.
    Holds(bool),
    /// A message.
    Message(LeanStr),
}

impl Program {
    /// Compiles `text` for a value of `shape`, as the newest API server does for a new definition.
    /// If `is_optional` is set, `oldSelf` is an optional value.
    pub fn compile(
        text: &str,
        shape: &Arc<Shape>,
        is_optional: bool,
        purpose: Purpose,
    ) -> Result<Self, Refusal> {
        let (mut expression, count) = parser::parse(text, NEWEST)?;
        let value = shape.type_of();
        let old = if is_optional { Type::optional(value.clone()) } else { value.clone() };
        let variables = [("self", value), ("oldSelf", old)];
        let checked = check::check(&expression, count, &variables, NEWEST)?;
        let patterns = literals::check(&mut expression, &checked)?;
        let (wanted, name) = match purpose {
            Purpose::Rule => (Type::Bool, "a bool"),
            Purpose::Message => (Type::String, "a string"),
        };
        let found = checked.type_of(&expression);
        if *found != wanted {
            let message = format!("it must be {name}, but is of type {found}");
            return Err(Refusal::at(expression.at, message));
        }
        let cost = cost::most(&expression, &checked, shape);
        let newest = newest_call(&mut expression, &checked);
        Ok(Self { expression, patterns, uses_old: checked.uses_old, cost, newest })
    }

    /// Evaluates the expression for `node`, and deducts the cost from the budget.
    pub fn run(
        &self,
        node: &Node,
        old: Old<'_>,
        shape: &Shape,
        budget: &mut u64,
        fuel: &Fuel<'_>,
    ) -> Result<Run, Stop> {
        let value = Value::of(node, shape)?;
        let old = match old {
            Old::None => Value::Optional(None),
            Old::Value(old) => Value::of(old, shape)?,
            Old::Optional(old) => Value::Optional(Some(Arc::new(Value::of(old, shape)?))),
        };
        let variables = vec![("self", value), ("oldSelf", old)];
        let allowed = CALL_LIMIT.min(*budget);
        let mut machine = Machine::new(variables, &self.patterns, allowed, fuel);
        let result = machine.run(&self.expression);
        *budget -= allowed - machine.budget();
        match result? {
            Value::Bool(it) => Ok(Run::Holds(it)),
            Value::String(text) => Ok(Run::Message(text)),
            _ => Err(Stop::no_overload()),
        }
    }
}

/// Finds the call that requires the newest release.
pub(super) fn newest_call(expression: &mut Expression, checked: &Checked) -> Option<Newest> {
    let since = checked.overloads_of(expression).iter().map(|overload| overload.since).min();
    let function = match &expression.kind {
        Kind::Call { function, .. } => function.name().trim_start_matches('@').into(),
        _ => LeanStr::default(),
    };
    let at = expression.at;
    let own = since.filter(|since| *since > OLDEST).map(|since| Newest { function, at, since });
    let mut found = None;
    expression.each_child_mut(|child| found = newer_of(found.take(), newest_call(child, checked)));
    newer_of(found, own)
}

/// The call that requires the newer release; the second one, if they require the same.
fn newer_of(first: Option<Newest>, second: Option<Newest>) -> Option<Newest> {
    first.into_iter().chain(second).max_by_key(|it| it.since)
}
