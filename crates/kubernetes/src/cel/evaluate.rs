//! Evaluation of an expression.

use std::rc::Rc;
use std::sync::Arc;

use lean_string::LeanStr;

use super::ast::{ACCUMULATOR, Comprehension, Expression, Kind, Literal};
use super::function::Function;
use super::functions::{self, Call};
use super::request::Activation;
use super::value::{Key, List, Map, Patch, Value};
use super::{Patterns, Stop, work};
use crate::limits::Fuel;
use crate::schema::{Compiled, Pattern};
use crate::sorted::SortedMap;

/// The steps of a unit of cost.
const STEPS: usize = 4;

/// The number of regular expressions that are kept for further values.
const MAX_DYNAMIC: usize = 32;

/// The result of an expression, or the value of a variable: that of an accumulator can be an error.
pub(super) type Slot<'v> = Result<Value<'v>, Stop>;

/// One evaluation of an expression.
pub(super) struct Machine<'p, 'v> {
    /// The variables in scope, innermost last.
    variables: Vec<(&'p str, Slot<'v>)>,
    /// The compiled regular expressions of the literals in the expression.
    patterns: &'p Patterns,
    /// Those that were compiled during the evaluation.
    dynamic: SortedMap<LeanStr, Rc<Pattern>>,
    /// The remaining cost budget, in the units of the API server.
    budget: u64,
    pub(super) fuel: &'p Fuel<'p>,
    /// The variables of the policy, if the expression belongs to one.
    composed: Option<&'p Activation<'p, 'v>>,
}

impl<'p, 'v> Machine<'p, 'v> {
    pub(super) fn new(
        variables: Vec<(&'p str, Value<'v>)>,
        patterns: &'p Patterns,
        budget: u64,
        fuel: &'p Fuel<'p>,
    ) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name, Ok(value))).collect();
        Self { variables, patterns, dynamic: SortedMap::new(), budget, fuel, composed: None }
    }

    /// The same evaluation with the variables of a policy.
    pub(super) const fn with_composed(mut self, composed: &'p Activation<'p, 'v>) -> Self {
        self.composed = Some(composed);
        self
    }

    /// The remaining cost budget.
    pub(super) const fn budget(&self) -> u64 {
        self.budget
    }

    /// Adds a variable in the innermost scope.
    pub(super) fn bind(&mut self, name: &'p str, value: Slot<'v>) {
        self.variables.push((name, value));
    }

    /// Removes the innermost variables.
    pub(super) fn unbind(&mut self, count: usize) {
        self.variables.truncate(self.variables.len().saturating_sub(count));
    }

    /// Charges a cost; stops the evaluation if the budget is exceeded.
    pub(super) fn spend(&mut self, cost: usize) -> Result<(), Stop> {
        work::spend(self.fuel, cost.saturating_mul(STEPS))?;
        let cost = u64::try_from(cost).unwrap_or(u64::MAX);
        self.budget = self.budget.checked_sub(cost).ok_or(Stop::Exhausted)?;
        Ok(())
    }

    /// The compiled regular expression of a literal.
    pub(super) fn pattern(&self, text: &str) -> Option<&'p Pattern> {
        self.patterns.get(text)
    }

    /// A regular expression that is not a literal. The latest ones are kept: a value is usually
    /// compared with few.
    pub(super) fn dynamic_pattern(&mut self, text: &LeanStr) -> Result<Rc<Pattern>, Stop> {
        if let Some(known) = self.dynamic.get(text) {
            return Ok(Rc::clone(known));
        }
        if self.dynamic.len() >= MAX_DYNAMIC {
            self.dynamic.clear();
        }
        let pattern = Rc::new(Pattern::small(text));
        work::spend(self.fuel, pattern.compiled().map_or(0, Compiled::made))?;
        self.dynamic.insert(text.clone(), Rc::clone(&pattern));
        Ok(pattern)
    }

    pub(super) fn run(&mut self, expression: &'p Expression) -> Slot<'v> {
        match &expression.kind {
            Kind::Literal(literal) => Ok(literal_value(literal)),
            Kind::Identifier(name) => {
                self.spend(1)?;
                require_known(self.variable(name))
            }
            Kind::Select { operand, field, is_test } => match type_name(expression) {
                Some(name) => Ok(Value::Type(name)),
                None => self.select(operand, field, *is_test),
            },
            Kind::Call { target, function, arguments } => {
                self.call(target.as_deref(), function, arguments)
            }
            Kind::List(items) => self.list(items),
            Kind::Map(entries) => self.map(entries),
            Kind::Struct(name, fields) => self.patch(name, fields),
            Kind::Comprehension(it) => self.comprehension(it),
        }
    }

    fn variable(&self, name: &LeanStr) -> Slot<'v> {
        let is_rooted = name.starts_with('.');
        let name = name.strip_prefix('.').unwrap_or(name);
        let mut named = self.variables.iter().filter(|(variable, _)| *variable == name);
        let found = if is_rooted { named.next() } else { named.next_back() };
        match found {
            Some((_, slot)) => slot.clone(),
            // The type check lets only type names through.
            None => Ok(Value::Type(name.into())),
        }
    }

    fn select(&mut self, operand: &'p Expression, field: &LeanStr, is_test: bool) -> Slot<'v> {
        let owner = self.run(operand)?;
        if let (Value::Variables, Some(composed)) = (&owner, self.composed) {
            self.spend(1)?;
            let value = composed.variable(field)?;
            return Ok(if is_test { Value::Bool(true) } else { value });
        }
        let found = field_value(&owner, field)?;
        if is_test {
            return Ok(Value::Bool(
                found.map(|value| require_known(Ok(value))).transpose()?.is_some(),
            ));
        }
        self.spend(1)?;
        match (&owner, found) {
            (Value::Optional(_), found) => Ok(found.map_or(Value::Optional(None), Value::some)),
            (_, found) => require_known(found.ok_or_else(|| no_such_key(field))),
        }
    }

    fn list(&mut self, items: &'p [(Expression, bool)]) -> Slot<'v> {
        self.spend(10)?;
        let mut values = Vec::with_capacity(items.len());
        for (item, is_optional) in items {
            let value = self.run(item)?;
            if let Some(value) = present_value(value, *is_optional)? {
                values.push(value);
            }
        }
        Ok(Value::list(values))
    }

    fn map(&mut self, entries: &'p [(Expression, Expression, bool)]) -> Slot<'v> {
        self.spend(30)?;
        let mut made = SortedMap::new();
        for (key, value, is_optional) in entries {
            let key = self.run(key)?;
            let key = key.key().ok_or_else(|| Stop::error("unsupported key type"))?;
            let value = self.run(value)?;
            if let Some(value) = present_value(value, *is_optional)? {
                insert_new(&mut made, key, value)?;
            }
        }
        Ok(Value::Map(Map::Made(Arc::new(made))))
    }

    fn patch(&mut self, name: &LeanStr, fields: &'p [(LeanStr, Expression, bool)]) -> Slot<'v> {
        self.spend(40)?;
        let mut made = SortedMap::new();
        for (field, value, is_optional) in fields {
            let value = self.run(value)?;
            if let Some(value) = present_value(value, *is_optional)? {
                made.insert(field.clone(), value);
            }
        }
        Ok(Value::Patch(Arc::new(Patch { name: name.clone(), fields: made })))
    }

    fn call(
        &mut self,
        target: Option<&'p Expression>,
        function: &Function,
        arguments: &'p [Expression],
    ) -> Slot<'v> {
        match (function, target, arguments) {
            (Function::LogicalAnd, None, [left, right]) => self.logical(left, right, false),
            (Function::LogicalOr, None, [left, right]) => self.logical(left, right, true),
            (Function::Conditional, None, [condition, then, otherwise]) => {
                match self.run(condition)? {
                    Value::Bool(true) => self.run(then),
                    Value::Bool(false) => self.run(otherwise),
                    _ => Err(Stop::no_overload()),
                }
            }
            // A later item can still decide the result despite an error.
            (Function::NotStrictlyFalse, None, [operand]) => match self.run(operand) {
                Ok(Value::Bool(it)) => Ok(Value::Bool(it)),
                Err(Stop::Exhausted) => Err(Stop::Exhausted),
                _ => Ok(Value::Bool(true)),
            },
            (Function::Or | Function::OrValue, Some(target), [otherwise]) => {
                match self.run(target)? {
                    Value::Optional(Some(value)) if matches!(function, Function::OrValue) => {
                        Ok(Value::clone(&value))
                    }
                    it @ Value::Optional(Some(_)) => Ok(it),
                    Value::Optional(None) => self.run(otherwise),
                    _ => Err(Stop::no_overload()),
                }
            }
            _ => self.function(target, function, arguments),
        }
    }

    /// Calls a function after all of its operands were evaluated.
    fn function(
        &mut self,
        target: Option<&'p Expression>,
        function: &Function,
        arguments: &'p [Expression],
    ) -> Slot<'v> {
        let is_member = target.is_some();
        match (target, arguments) {
            // Most calls have one or two operands, which need no allocation.
            (None, [only]) | (Some(only), []) => {
                let values = &mut [self.run(only)?];
                require_known(functions::call(self, Call { function, is_member, values }))
            }
            (None, [first, second]) | (Some(first), [second]) => {
                let values = &mut [self.first(function, first)?, self.run(second)?];
                require_known(functions::call(self, Call { function, is_member, values }))
            }
            _ => {
                let mut values = Vec::with_capacity(arguments.len() + usize::from(is_member));
                let mut operands = target.into_iter().chain(arguments);
                if let Some(first) = operands.next() {
                    values.push(self.first(function, first)?);
                }
                for operand in operands {
                    values.push(self.run(operand)?);
                }
                require_known(functions::call(
                    self,
                    Call { function, is_member, values: &mut values },
                ))
            }
        }
    }

    /// Evaluates the first operand of a call. The accumulator is moved instead of copied where no
    /// other expression can read it.
    fn first(&mut self, function: &Function, operand: &'p Expression) -> Slot<'v> {
        if matches!(function, Function::Plus | Function::MapInsert)
            && operand.as_identifier().is_some_and(|name| name == ACCUMULATOR)
            && let Some((_, slot)) =
                self.variables.iter_mut().rev().find(|(name, _)| *name == ACCUMULATOR)
        {
            return std::mem::replace(slot, Ok(Value::Null));
        }
        self.run(operand)
    }

    /// Evaluates `&&` and `||`: the operand that decides the result does so even if the other one
    /// is an error.
    fn logical(&mut self, left: &'p Expression, right: &'p Expression, decides: bool) -> Slot<'v> {
        let left = match self.run(left) {
            Ok(Value::Bool(it)) if it == decides => return Ok(Value::Bool(it)),
            Ok(Value::Bool(_)) => None,
            Ok(_) => Some(Stop::no_overload()),
            Err(Stop::Exhausted) => return Err(Stop::Exhausted),
            Err(stop) => Some(stop),
        };
        match (self.run(right), left) {
            (Ok(Value::Bool(it)), _) if it == decides => Ok(Value::Bool(it)),
            (Err(stop @ (Stop::Exhausted | Stop::Unsupported(_))), _) | (_, Some(stop)) => {
                Err(stop)
            }
            (Ok(Value::Bool(it)), None) => Ok(Value::Bool(it)),
            (Ok(_), None) => Err(Stop::no_overload()),
            (Err(stop), None) => Err(stop),
        }
    }

    fn comprehension(&mut self, comprehension: &'p Comprehension) -> Slot<'v> {
        let outside = self.variables.len();
        let result = self.fold(comprehension);
        self.variables.truncate(outside);
        result
    }

    fn fold(&mut self, comprehension: &'p Comprehension) -> Slot<'v> {
        let range = self.run(&comprehension.range)?;
        let initial = self.run(&comprehension.initial);
        if let Err(Stop::Exhausted) = initial {
            return Err(Stop::Exhausted);
        }
        let accumulator = self.variables.len();
        self.bind(&comprehension.accumulator, initial);
        if !comprehension.is_binding() {
            for_each_item(&range, comprehension.second.is_some(), |first, second| {
                self.bind(&comprehension.variable, first);
                if let (Some(name), Some(value)) = (&comprehension.second, second) {
                    self.bind(name, value);
                }
                let goes_on = self.step(comprehension, accumulator);
                self.variables.truncate(accumulator + 1);
                goes_on
            })?;
        }
        self.run(&comprehension.result)
    }

    /// Replaces the accumulator, if the condition is true; returns whether it is.
    fn step(&mut self, comprehension: &'p Comprehension, accumulator: usize) -> Result<bool, Stop> {
        if !matches!(self.run(&comprehension.condition)?, Value::Bool(true)) {
            return Ok(false);
        }
        let accumulated = self.run(&comprehension.step);
        if let Err(Stop::Exhausted) = accumulated {
            return Err(Stop::Exhausted);
        }
        if let Some((_, slot)) = self.variables.get_mut(accumulator) {
            *slot = accumulated;
        }
        Ok(true)
    }
}

/// Calls `visit` with the values that a comprehension binds for each item, while it returns true.
/// They are read one by one, because a loop can end at the first of many.
pub(super) fn for_each_item<'v>(
    range: &Value<'v>,
    is_paired: bool,
    mut visit: impl FnMut(Slot<'v>, Option<Slot<'v>>) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    match range {
        Value::List(list) => {
            let indexes = (0..).map(Value::Int);
            let items = (0..list.len()).map_while(|at| list.get(at));
            for (index, item) in indexes.zip(items) {
                let goes_on =
                    if is_paired { visit(Ok(index), Some(item)) } else { visit(item, None) };
                if !goes_on? {
                    break;
                }
            }
        }
        Value::Map(map) if is_paired => {
            for (key, value) in map.entries() {
                let value = value.and_then(|it| it.ok_or_else(Stop::no_overload));
                if !visit(Ok(key.value()), Some(value))? {
                    break;
                }
            }
        }
        Value::Map(map) => {
            for key in map.keys() {
                if !visit(Ok(key.value()), None)? {
                    break;
                }
            }
        }
        other => {
            let name = other.go_type_name();
            return Err(Stop::error(format!("got '{name}', expected iterable type")));
        }
    }
    Ok(())
}

/// Returns the field of a value, if it is present.
pub(super) fn field_value<'v>(
    owner: &Value<'v>,
    field: &LeanStr,
) -> Result<Option<Value<'v>>, Stop> {
    match owner {
        Value::Map(map) => map.get(&Key::String(field.clone())),
        Value::Optional(Some(value)) => field_value(value, field),
        Value::Patch(patch) => Ok(patch.fields.get(field).cloned()),
        Value::Unknown(what) => Err(Stop::unsupported(what)),
        // An absent value, a scalar and `null` have no fields.
        _ => Ok(None),
    }
}

/// The result, unless only a cluster knows the value.
fn require_known(result: Slot<'_>) -> Slot<'_> {
    match result {
        Ok(Value::Unknown(what)) => Err(Stop::unsupported(what)),
        result => result,
    }
}

/// Returns the item at an index or key, if it is present.
pub(super) fn item_at<'v>(
    container: &Value<'v>,
    at: &Value<'v>,
) -> Result<Option<Value<'v>>, Stop> {
    match container {
        Value::List(list) => list_item(list, at),
        Value::Map(map) => match at.key() {
            Some(key) => map.get(&key),
            None => Err(Stop::no_overload()),
        },
        Value::Optional(Some(value)) => item_at(value, at),
        Value::Optional(None) => Ok(None),
        _ => Err(Stop::no_overload()),
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "an index may be a float without a fraction"
)]
fn list_item<'v>(list: &List<'v>, at: &Value<'v>) -> Result<Option<Value<'v>>, Stop> {
    let at = match at {
        Value::Int(it) => usize::try_from(*it).ok(),
        Value::Uint(it) => usize::try_from(*it).ok(),
        Value::Double(it) if it.trunc() == *it && *it < 1e15 => usize::try_from(*it as i64).ok(),
        _ => return Err(Stop::no_overload()),
    };
    at.and_then(|at| list.get(at)).transpose()
}

pub(super) fn no_such_key(key: &str) -> Stop {
    Stop::error(format!("no such key: {key}"))
}

/// Adds an entry to a map that must not have it.
pub(super) fn insert_new<'v>(
    map: &mut SortedMap<Key, Value<'v>>,
    key: Key,
    value: Value<'v>,
) -> Result<(), Stop> {
    match map.insert(key, value) {
        None => Ok(()),
        Some(_) => Err(Stop::error("insert failed: key already exists")),
    }
}

/// Returns an item, or `None` if it is optional and has no value.
fn present_value(value: Value<'_>, is_optional: bool) -> Result<Option<Value<'_>>, Stop> {
    match value {
        value if !is_optional => Ok(Some(value)),
        Value::Optional(value) => Ok(value.map(|value| Value::clone(&value))),
        _ => Err(Stop::no_overload()),
    }
}

/// The dotted type name that the expression spells, if any.
fn type_name(expression: &Expression) -> Option<LeanStr> {
    let Kind::Select { operand, field, is_test: false } = &expression.kind else { return None };
    let Kind::Select { operand: root, field: package, is_test: false } = &operand.kind else {
        return None;
    };
    let is_type =
        package == "protobuf" && root.as_identifier().is_some_and(|name| name == "google");
    is_type.then(|| format!("google.protobuf.{field}").into())
}

fn literal_value<'v>(literal: &Literal) -> Value<'v> {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(it) => Value::Bool(*it),
        Literal::Int(it) => Value::Int(*it),
        Literal::Uint(it) => Value::Uint(*it),
        Literal::Double(it) => Value::Double(*it),
        Literal::String(it) => Value::String(it.clone()),
        Literal::Bytes(it) => Value::bytes(it.as_slice()),
    }
}
