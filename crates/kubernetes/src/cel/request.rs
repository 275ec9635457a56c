//! The variables of an admission request, and the evaluation of the expressions of a policy.
//!
//! Follows `evaluationActivation` and `compositionContext` of k8s.io/apiserver,
//! `pkg/admission/plugin/cel`.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use lean_string::LeanStr;

use super::Stop;
use super::admission::Compiled;
use super::deciding::{ReadValue, Search};
use super::evaluate::Machine;
use super::patch::{self, Operation};
use super::program::CALL_LIMIT;
use super::value::{Key, Map, Value};
use crate::limits::{Fuel, POLICY_VARIABLES};
use crate::sorted::SortedMap;
use crate::tree::{Node, Origin};

/// The budget of the search for the values that decide a condition.
const SEARCH_BUDGET: u64 = CALL_LIMIT / 50;

/// The variables of a request: `object`, `request`, `params` and others.
#[derive(Clone, Default, Debug)]
pub struct Inputs<'v> {
    values: Vec<(LeanStr, Value<'v>)>,
}

/// A value that only a cluster knows: its path in a variable, and its description.
pub(super) type UnknownAt = (&'static [&'static str], &'static str);

impl<'v> Inputs<'v> {
    /// Sets a variable; `None` is null.
    pub fn set(&mut self, name: &str, value: Option<&'v Node>) {
        self.values.push((name.into(), value.map_or(Value::Null, Value::of_any)));
    }

    /// Sets a variable of which parts are unknown.
    pub fn set_partly(&mut self, name: &str, value: &'v Node, unknown: &[UnknownAt]) {
        self.values.push((name.into(), partly_known_value(value, unknown)));
    }

    /// Sets a variable that only a cluster knows.
    pub fn set_unknown(&mut self, name: &str, what: &'static str) {
        self.values.push((name.into(), Value::Unknown(what)));
    }
}

/// The value of a node in which the values at these paths are unknown.
fn partly_known_value<'v>(node: &'v Node, unknown: &[UnknownAt]) -> Value<'v> {
    let entries = node.entries().iter();
    let mut made: SortedMap<Key, Value<'v>> = entries
        .map(|entry| (Key::String(entry.key.text().clone()), Value::of_any(&entry.value)))
        .collect();
    for (path, what) in unknown {
        let Some((first, rest)) = path.split_first() else { continue };
        let key = Key::String((*first).into());
        if rest.is_empty() {
            made.insert(key, Value::Unknown(what));
        } else if let Some(below) = node.get(first) {
            let inner: Vec<UnknownAt> = unknown
                .iter()
                .filter_map(|(path, what)| Some((path.strip_prefix(&[*first][..])?, *what)))
                .collect();
            made.insert(key, partly_known_value(below, &inner));
        }
    }
    Value::Map(Map::Made(Arc::new(made)))
}

/// The result of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// A boolean.
    Bool(bool),
    /// A string.
    Text(LeanStr),
    /// A value of another type.
    Other,
}

/// A variable of a policy that was evaluated.
struct Evaluated<'v> {
    value: Result<Value<'v>, Stop>,
    /// The maximum nesting depth of its expression with the variables that it uses.
    depth: usize,
}

fn too_deep<'v>() -> Result<Value<'v>, Stop> {
    Err(Stop::unsupported("variables that are nested this deeply"))
}

/// The expressions of a policy that share variables and a cost budget.
pub struct Activation<'p, 'v> {
    inputs: &'p Inputs<'v>,
    /// The variables of the policy.
    variables: &'p SortedMap<LeanStr, Compiled>,
    /// The values of variables that were used.
    values: RefCell<SortedMap<LeanStr, Evaluated<'v>>>,
    /// The cost of variables since the last expression.
    cost: Cell<u64>,
    /// The depth of the expressions that are being evaluated.
    depth: Cell<usize>,
    /// The largest depth of those and of the variables that they have used.
    deepest: Cell<usize>,
    /// The remaining cost budget.
    budget: Cell<u64>,
    fuel: &'p Fuel<'p>,
}

impl<'p, 'v> Activation<'p, 'v> {
    /// Starts the evaluation of some expressions with a cost budget.
    pub fn new(
        inputs: &'p Inputs<'v>,
        variables: &'p SortedMap<LeanStr, Compiled>,
        budget: u64,
        fuel: &'p Fuel<'p>,
    ) -> Self {
        Self {
            inputs,
            variables,
            values: RefCell::default(),
            cost: Cell::new(0),
            depth: Cell::new(0),
            deepest: Cell::new(0),
            budget: Cell::new(budget),
            fuel,
        }
    }

    /// The remaining cost budget.
    pub const fn budget(&self) -> u64 {
        self.budget.get()
    }

    /// Evaluates an expression. [`Stop::Exhausted`] means that the budget of all expressions is
    /// exceeded, so that no further one is evaluated.
    pub fn evaluate(&self, compiled: &Compiled) -> Result<Answer, Stop> {
        Ok(match self.value(compiled)? {
            Value::Bool(it) => Answer::Bool(it),
            Value::String(text) => Answer::Text(text),
            Value::Unknown(what) => return Err(Stop::unsupported(what)),
            _ => Answer::Other,
        })
    }

    /// The value of an expression, whose cost is deducted from the budget.
    fn value(&self, compiled: &Compiled) -> Result<Value<'v>, Stop> {
        self.cost.set(0);
        let (value, own_cost) = self.run(compiled);
        let cost = own_cost.saturating_add(self.cost.get());
        let Some(left) = self.budget.get().checked_sub(cost) else {
            self.budget.set(0);
            return Err(Stop::Exhausted);
        };
        self.budget.set(left);
        value
    }

    /// Evaluates an expression that returns a configuration. The inner result is that of its
    /// conversion.
    pub fn configuration(
        &self,
        compiled: &Compiled,
        origin: Origin,
    ) -> Result<Result<Node, Stop>, Stop> {
        let value = self.value(compiled)?;
        Ok(patch::configuration(&value, origin, self.fuel))
    }

    /// Evaluates an expression that returns patch operations. The inner result is that of their
    /// conversion.
    pub fn operations(
        &self,
        compiled: &Compiled,
        origin: Origin,
    ) -> Result<Result<Vec<Operation>, Stop>, Stop> {
        let value = self.value(compiled)?;
        Ok(patch::operations(&value, origin, self.fuel))
    }

    /// Evaluates an expression, and returns its value and its cost.
    fn run(&self, compiled: &Compiled) -> (Result<Value<'v>, Stop>, u64) {
        let run = || {
            let mut machine = self.machine(compiled, CALL_LIMIT);
            let value = machine.run(&compiled.expression);
            (value, CALL_LIMIT - machine.budget())
        };
        match self.deeper(compiled, run) {
            None => (too_deep(), 0),
            Some((Err(Stop::Exhausted), _)) => {
                let message = "operation cancelled: actual cost limit exceeded";
                (Err(Stop::error(message)), CALL_LIMIT)
            }
            Some(done) => done,
        }
    }

    /// Goes into an expression; `None` if it is too deep: the recursive evaluation must fit any
    /// stack.
    fn deeper<T>(&self, compiled: &Compiled, run: impl FnOnce() -> T) -> Option<T> {
        let before = self.depth.get();
        let depth = self.descend(compiled.depth)?;
        self.depth.set(depth);
        let result = run();
        self.depth.set(before);
        Some(result)
    }

    /// The depth below the current one, unless it is too large.
    fn descend(&self, by: usize) -> Option<usize> {
        let depth = self.depth.get().saturating_add(by);
        self.deepest.set(self.deepest.get().max(depth));
        (depth <= POLICY_VARIABLES.count()).then_some(depth)
    }

    /// The expression of a variable of the policy.
    fn expression_of(&self, name: &str) -> Option<&'p Compiled> {
        self.variables.get(name)
    }

    fn machine<'c>(&'c self, compiled: &'c Compiled, budget: u64) -> Machine<'c, 'v> {
        let inputs = self.inputs.values.iter().map(|(name, value)| (name.as_str(), value.clone()));
        let variables = inputs.chain([("variables", Value::Variables)]).collect();
        Machine::new(variables, &compiled.patterns, budget, self.fuel).with_composed(self)
    }

    /// The values of the input that decide a condition; none if they are expensive to find.
    pub fn places(&self, compiled: &Compiled) -> Vec<ReadValue> {
        let mut machine = self.machine(compiled, SEARCH_BUDGET);
        Search::new(&mut machine, self).run(&compiled.expression).unwrap_or_default()
    }

    /// The values that decide a variable of the policy, on the budget of another search; `None` if
    /// the budget is exceeded.
    pub(super) fn places_of_variable(
        &self,
        name: &str,
        search: &mut Machine<'_, 'v>,
    ) -> Option<Vec<ReadValue>> {
        let compiled = self.expression_of(name)?;
        let budget = search.budget();
        let mut machine = self.machine(compiled, budget);
        let places =
            self.deeper(compiled, || Search::new(&mut machine, self).run(&compiled.expression))?;
        // Literals cost nothing, but a variable can be used in many places.
        let spent = budget.saturating_sub(machine.budget()).saturating_add(1);
        search.spend(usize::try_from(spent).unwrap_or(usize::MAX)).ok()?;
        places
    }

    /// The value of a variable of the policy, which is evaluated once.
    pub(super) fn variable(&self, name: &str) -> Result<Value<'v>, Stop> {
        if let Some(known) = self.values.borrow().get(name) {
            // The value can contain those of the variables that it uses, at any depth.
            return self.descend(known.depth).map_or_else(too_deep, |_| known.value.clone());
        }
        let Some(compiled) = self.expression_of(name) else {
            return Err(Stop::unsupported("a variable"));
        };
        let outside = self.deepest.replace(self.depth.get());
        let (value, cost) = self.run(compiled);
        let depth = self.deepest.get() - self.depth.get();
        self.deepest.set(self.deepest.get().max(outside));
        self.cost.set(self.cost.get().saturating_add(cost));
        let value = value.map_err(|stop| match stop {
            Stop::Error(message) => {
                Stop::Error(format!("composited variable \"{name}\" fails to evaluate: {message}"))
            }
            other => other,
        });
        self.values.borrow_mut().insert(name.into(), Evaluated { value: value.clone(), depth });
        value
    }
}
