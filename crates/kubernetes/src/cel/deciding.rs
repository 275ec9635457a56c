//! The values of the input that decide the result of an expression, so that a finding can point at
//! them.
//!
//! `a.all(c, c.image != "x")` is false because of the image of one item, and `a && b` because of
//! one operand. The search evaluates the parts of the expression again to find these.

use std::iter;

use lean_string::LeanStr;

use super::Stop;
use super::ast::{ACCUMULATOR, Comprehension, Expression, Kind};
use super::evaluate::{Machine, for_each_item};
use super::function::Function;
use super::request::Activation;
use super::value::{Key, List, Map, Value};
use crate::source::Span;
use crate::tree::{self, Entry, Node};

/// A value that an expression reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ReadValue {
    /// The whole value.
    pub value: Span,
    /// The span for messages: a scalar, or the key of a map or list.
    pub shown: Span,
}

impl ReadValue {
    fn of_entry(entry: &Entry) -> Self {
        let value = entry.value.span();
        let is_scalar = entry.value.as_map().is_none() && entry.value.items().is_empty();
        Self { value, shown: if is_scalar { value } else { entry.key_origin().span() } }
    }

    fn of_item(item: &Node) -> Self {
        let first = item.as_map().and_then(|map| map.entries().first());
        let shown = first.map_or_else(|| item.span(), |entry| entry.key_origin().span());
        Self { value: item.span(), shown }
    }

    /// The place of a map whose node is unknown.
    fn of_map(map: &tree::Map) -> Option<Self> {
        let first = map.entries().first()?;
        let whole = |entry: &Entry| entry.key_origin().span().to(entry.value.span());
        let value = map.entries().iter().map(whole).reduce(Span::to)?;
        Some(Self { value, shown: first.key_origin().span() })
    }
}

/// The search for the deciding values of one expression.
pub(super) struct Search<'m, 'p, 'v> {
    machine: &'m mut Machine<'p, 'v>,
    composed: &'p Activation<'p, 'v>,
    /// The places of the variables of enclosing loops.
    bound: Vec<(LeanStr, Option<ReadValue>)>,
    found: Vec<ReadValue>,
    /// Whether the search exceeds its budget, so that the result is meaningless.
    is_over: bool,
}

impl<'m, 'p, 'v> Search<'m, 'p, 'v> {
    pub(super) const fn new(
        machine: &'m mut Machine<'p, 'v>,
        composed: &'p Activation<'p, 'v>,
    ) -> Self {
        Self { machine, composed, bound: Vec::new(), found: Vec::new(), is_over: false }
    }

    /// The values that decide a condition; `None` if the budget is exceeded.
    pub(super) fn run(mut self, expression: &'p Expression) -> Option<Vec<ReadValue>> {
        self.decide(expression);
        self.found.sort_unstable();
        self.found.dedup();
        (!self.is_over).then_some(self.found)
    }

    fn evaluate(&mut self, expression: &'p Expression) -> Result<Value<'v>, Stop> {
        let result = self.machine.run(expression);
        self.is_over |= matches!(result, Err(Stop::Exhausted));
        result
    }

    fn decide(&mut self, expression: &'p Expression) {
        if self.is_over {
            return;
        }
        match &expression.kind {
            Kind::Call { target: None, function, arguments } => match (function, &arguments[..]) {
                (Function::LogicalAnd, [left, right]) => self.operands(left, right, false),
                (Function::LogicalOr, [left, right]) => self.operands(left, right, true),
                (Function::Not, [operand]) => self.decide(operand),
                (Function::Conditional, [condition, then, otherwise]) => {
                    match self.evaluate(condition) {
                        Ok(Value::Bool(true)) => self.decide(then),
                        Ok(Value::Bool(false)) => self.decide(otherwise),
                        _ => self.decide(condition),
                    }
                }
                _ => self.read(expression),
            },
            Kind::Comprehension(it) => {
                if !self.quantifier(it) {
                    self.read(&it.range);
                }
            }
            _ => self.read(expression),
        }
    }

    /// Follows the operand of `&&` or `||` that decides the result, else the one that fails, else
    /// both.
    fn operands(&mut self, left: &'p Expression, right: &'p Expression, decides: bool) {
        let is_decisive = |result: &Result<Value<'_>, _>| matches!(result, Ok(Value::Bool(value)) if *value == decides);
        let first = self.evaluate(left);
        if is_decisive(&first) {
            return self.decide(left);
        }
        let second = self.evaluate(right);
        if is_decisive(&second) || first.is_ok() && second.is_err() {
            return self.decide(right);
        }
        self.decide(left);
        if first.is_ok() {
            self.decide(right);
        }
    }

    /// Follows the item that decides `all` or `exists`; returns whether there is one.
    fn quantifier(&mut self, comprehension: &'p Comprehension) -> bool {
        let Some((predicate, decides)) = deciding_predicate(comprehension) else { return false };
        let Ok(range) = self.evaluate(&comprehension.range) else { return false };
        let (mut at, mut is_found) = (0, false);
        let all = for_each_item(&range, comprehension.second.is_some(), |first, second| {
            let place = place_of_item(&range, at);
            at += 1;
            let names = [Some(&comprehension.variable), comprehension.second.as_ref()];
            for (name, value) in names.into_iter().zip([Some(first), second]) {
                if let (Some(name), Some(value)) = (name, value) {
                    self.machine.bind(name, value);
                    self.bound.push((name.clone(), place));
                }
            }
            is_found = self.item(predicate, decides, place);
            let count = 1 + usize::from(comprehension.second.is_some());
            self.machine.unbind(count);
            self.bound.truncate(self.bound.len().saturating_sub(count));
            Ok(!is_found)
        });
        all.is_ok() && is_found
    }

    /// Follows the predicate for an item if it decides; returns whether it does.
    fn item(&mut self, predicate: &'p Expression, decides: bool, place: Option<ReadValue>) -> bool {
        let decides = match self.evaluate(predicate) {
            Ok(value) => matches!(value, Value::Bool(it) if it == decides),
            Err(_) => true,
        };
        if decides {
            let before = self.found.len();
            self.decide(predicate);
            if self.found.len() == before {
                self.found.extend(place);
            }
        }
        decides
    }

    /// Adds the values that an expression reads.
    fn read(&mut self, expression: &'p Expression) {
        if self.is_over {
            return;
        }
        match &expression.kind {
            Kind::Literal(_) => {}
            Kind::Identifier(name) => {
                let places = self.place_of(name).unwrap_or_default().to_vec();
                self.found.extend(places);
            }
            Kind::Select { operand, field, .. } => {
                let is_variables =
                    operand.as_identifier().is_some_and(|name| name.as_str() == "variables");
                if is_variables && self.place_of("variables").is_none() {
                    match self.composed.places_of_variable(field, self.machine) {
                        Some(more) => self.found.extend(more),
                        None => self.is_over = true,
                    }
                } else {
                    self.access(operand, &Key::String(field.clone()));
                }
            }
            Kind::Call {
                target: None,
                function: Function::Index | Function::OptionalIndex | Function::OptionalSelect,
                arguments,
            } => {
                let [container, at] = &arguments[..] else { return };
                match self.evaluate(at).ok().and_then(|it| it.key()) {
                    Some(key) => self.access(container, &key),
                    None => self.read(container),
                }
            }
            Kind::Call { target, arguments, .. } => {
                let all = target.iter().map(AsRef::as_ref).chain(arguments);
                all.for_each(|operand| self.read(operand));
            }
            Kind::List(items) => items.iter().for_each(|(item, _)| self.read(item)),
            Kind::Map(entries) => entries.iter().for_each(|(_, value, _)| self.read(value)),
            Kind::Struct(_, fields) => fields.iter().for_each(|(_, value, _)| self.read(value)),
            Kind::Comprehension(it) => self.read(&it.range),
        }
    }

    /// Adds the value at a key, else the value that lacks the key.
    fn access(&mut self, owner: &'p Expression, key: &Key) {
        let value = self.evaluate(owner).ok();
        if let Some(place) = value.as_ref().and_then(|owner| place_at(owner, key)) {
            self.found.push(place);
            return;
        }
        let place = owner.as_identifier().and_then(|name| self.place_of(name));
        let is_of_made_list = place.is_some_and(<[ReadValue]>::is_empty);
        match value {
            Some(Value::Map(Map::Read(map, _))) if is_of_made_list => {
                self.found.extend(ReadValue::of_map(map));
            }
            Some(_) => self.read(owner),
            None => {
                let failing = self.innermost_failing(owner);
                self.read(failing);
            }
        }
    }

    /// The innermost of nested accesses that fails. All accesses around it fail as well, so that
    /// few of them are evaluated.
    fn innermost_failing(&mut self, failing: &'p Expression) -> &'p Expression {
        let nested: Vec<_> = iter::successors(Some(failing), |access| owner_of(access)).collect();
        let count = nested.partition_point(|access| self.evaluate(access).is_err());
        count.checked_sub(1).and_then(|last| nested.get(last)).copied().unwrap_or(failing)
    }

    /// The place of a variable of a loop, if it is known; `None` for other variables.
    fn place_of(&self, name: &str) -> Option<&[ReadValue]> {
        let (_, place) = self.bound.iter().rev().find(|(variable, _)| variable == name)?;
        Some(place.as_slice())
    }
}

/// The expression whose field or item an expression is.
fn owner_of(expression: &Expression) -> Option<&Expression> {
    match &expression.kind {
        Kind::Select { operand, .. } => Some(operand),
        Kind::Call {
            target: None,
            function: Function::Index | Function::OptionalIndex | Function::OptionalSelect,
            arguments,
        } => arguments.first(),
        _ => None,
    }
}

/// The predicate of `all` or `exists`, and the result for which it decides.
fn deciding_predicate(comprehension: &Comprehension) -> Option<(&Expression, bool)> {
    let Kind::Call { target: None, function, arguments } = &comprehension.step.kind else {
        return None;
    };
    let decides = match function {
        Function::LogicalAnd => false,
        Function::LogicalOr => true,
        _ => return None,
    };
    match &arguments[..] {
        [first, predicate] if first.as_identifier().is_some_and(|name| name == ACCUMULATOR) => {
            Some((predicate, decides))
        }
        _ => None,
    }
}

fn place_of_item(range: &Value<'_>, at: usize) -> Option<ReadValue> {
    match range {
        Value::List(List::Read(list, _)) => list.items().get(at).map(ReadValue::of_item),
        Value::Map(Map::Read(map, _)) => map.entries().get(at).map(ReadValue::of_entry),
        _ => None,
    }
}

fn place_at(owner: &Value<'_>, key: &Key) -> Option<ReadValue> {
    match (owner, key) {
        (Value::Optional(Some(inner)), _) => place_at(inner, key),
        (Value::Map(Map::Read(map, _)), Key::String(name)) => {
            map.entry(name).map(ReadValue::of_entry)
        }
        (Value::List(List::Read(list, _)), Key::Number(at)) => {
            list.items().get(usize::try_from(*at).ok()?).map(ReadValue::of_item)
        }
        _ => None,
    }
}
