//! `Program`: an expression that was read, checked and priced.

use std::sync::Arc;

use lean_string::LeanStr;

use super::ast::{Expression, Kind};
use super::check::Checked;
use super::evaluate::Machine;
use super::shape::Shape;
use super::types::Type;
use super::value::Value;
use super::{Patterns, Refusal, Stop, check, cost, literals, parser};
use crate::tree::Node;

/// What one call may spend, in the units of the API server.
const CALL_LIMIT: u64 = 1_000_000;

/// The minor of the newest server; an older one takes what all its functions are known to.
const NEWEST: u32 = 99;

/// The minor of the oldest server that is known here.
const OLDEST: u32 = 33;

/// What an expression is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// It must be true.
    Rule,
    /// It is what is said where its rule is false.
    Message,
}

/// An expression that can run.
#[derive(Debug)]
pub(crate) struct Program {
    expression: Expression,
    patterns: Patterns,
    /// Whether it looks at the value before an update.
    pub(crate) uses_old: bool,
    /// What it costs at most, in the units of the API server.
    pub(crate) cost: u64,
    /// The call that is known since the newest release, where that is not in all of them.
    pub(crate) newest: Option<Newest>,
}

/// A function that not every release has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Newest {
    /// As it is called.
    pub(crate) function: LeanStr,
    /// Where its call stands in the expression, in bytes.
    pub(crate) at: usize,
    /// The minor of the first server that takes it in a new definition.
    pub(crate) since: u32,
}

/// What a run came to.
#[derive(Debug)]
pub(crate) enum Run {
    /// A rule holds, or does not.
    Holds(bool),
    /// A message.
    Message(LeanStr),
}

impl Program {
    /// Reads `text` for a value of `shape`, as the newest server takes it in a new definition. With
    /// `is_optional` the value before an update is an optional one.
    pub(crate) fn compile(
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
            let message = format!("it must be {name}, and is of type {found}");
            return Err(Refusal::at(expression.at, message));
        }
        let cost = cost::most(&expression, &checked, shape);
        let newest = newest(&mut expression, &checked);
        Ok(Self { expression, patterns, uses_old: checked.uses_old, cost, newest })
    }

    /// Runs it on the creation of `node`, and takes what that costs from the budget.
    pub(crate) fn run(&self, node: &Node, shape: &Shape, budget: &mut u64) -> Result<Run, Stop> {
        let value = Value::of(node, shape)?;
        let variables = vec![("self".into(), value), ("oldSelf".into(), Value::Optional(None))];
        let allowed = (*budget).min(CALL_LIMIT);
        let mut machine = Machine::new(variables, &self.patterns, allowed);
        let result = machine.run(&self.expression);
        *budget -= allowed - machine.budget();
        match result? {
            Value::Bool(it) => Ok(Run::Holds(it)),
            Value::String(text) => Ok(Run::Message(text)),
            _ => Err(Stop::no_overload()),
        }
    }
}

/// The call that asks for the newest release.
fn newest(expression: &mut Expression, checked: &Checked) -> Option<Newest> {
    let since = checked.overloads_of(expression).iter().map(|overload| overload.since).min();
    let function = match &expression.kind {
        Kind::Call { function, .. } => function.trim_start_matches('@').into(),
        _ => LeanStr::default(),
    };
    let at = expression.at;
    let own = since.filter(|it| *it > OLDEST).map(|since| Newest { function, at, since });
    let below = expression.children_mut().into_iter();
    below.filter_map(|child| newest(child, checked)).chain(own).max_by_key(|it| it.since)
}
