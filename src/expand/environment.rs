//! The environment of expressions: minijinja's filters, tests and functions, each of which spends fuel.
//!
//! A wrapped filter measures its arguments, calls minijinja's filter of the same name, and measures
//! the result. Filters whose result can be far larger than their arguments spend for it first.

use std::sync::LazyLock;

use minijinja::value::{Kwargs, Rest, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value};

use super::code::{NUMBER_GUARD, VALUE_GUARD};
use super::meter::{ITEM, measure, spend, spend_text};
use crate::scalar::name_hash;
use crate::source::Slice as _;

/// The filters of minijinja that are available in expressions.
const FILTERS: [&str; 44] = [
    "abs",
    "attr",
    "batch",
    "bool",
    "capitalize",
    "chain",
    "count",
    "d",
    "default",
    "dictsort",
    "first",
    "float",
    "format",
    "groupby",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "lines",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "select",
    "selectattr",
    "slice",
    "sort",
    "split",
    "string",
    "sum",
    "title",
    "trim",
    "unique",
    "upper",
    "zip",
    "escape",
];

/// The tests of minijinja that read more than the type of a value.
const COMPARING_TESTS: [&str; 20] = [
    "eq",
    "equalto",
    "==",
    "ne",
    "!=",
    "lt",
    "lessthan",
    "<",
    "le",
    "<=",
    "gt",
    "greaterthan",
    ">",
    "ge",
    ">=",
    "in",
    "sameas",
    "startingwith",
    "endingwith",
    "divisibleby",
];

/// The environment with minijinja's own filters, which the wrapped filters call.
static BUILTINS: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    add_tests(&mut environment);
    environment
});

static TESTS: LazyLock<Environment<'static>> = LazyLock::new(Environment::new);

/// The environment that expressions run in.
pub(super) static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // Its errors contain the part that failed, by default only in builds with debug assertions.
    environment.set_debug(true);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_formatter(|out, state, value| {
        measure(value)?;
        minijinja::escape_formatter(out, state, value)
    });
    // These expose internals, or can create cyclic values.
    for name in ["debug", "namespace", "dict"] {
        environment.remove_global(name);
    }
    for name in ["pprint", "safe", "e"] {
        environment.remove_filter(name);
    }
    environment.add_function("range", range);
    environment.add_function("sandboxNameHash", sandbox_name_hash);
    for name in FILTERS {
        environment.add_filter(name, move |args: Rest<Value>| filter(name, &args));
    }
    environment.add_filter(VALUE_GUARD.trim_start_matches('|'), value_guard);
    environment.add_filter(NUMBER_GUARD.trim_start_matches('|'), number_guard);
    add_tests(&mut environment);
    environment
});

/// The names of the filters, sorted.
pub(crate) fn filters() -> Vec<&'static str> {
    let mut names = FILTERS.to_vec();
    names.sort_unstable();
    names
}

/// The filters that compare, sort or hash each item.
const COMPARING_FILTERS: [&str; 4] = ["dictsort", "groupby", "sort", "unique"];
/// The steps of a comparing filter for each step of its argument: of a sorted list of 10,000 items.
const COMPARISONS: usize = 15;
/// The steps of a call of a filter or test, without its values.
const CALL: usize = 5;

fn add_tests(environment: &mut Environment<'_>) {
    for name in COMPARING_TESTS {
        environment.add_test(name, move |args: Rest<Value>| {
            spend(CALL + measure_all(&args)?)?;
            TESTS.empty_state().perform_test(name, &args)
        });
    }
}

/// Measures values; returns their total size in steps.
fn measure_all(values: &[Value]) -> Result<usize, Error> {
    values.iter().try_fold(0, |sum, value| Ok(sum + measure(value)?))
}

/// Measures the value of a variable.
fn value_guard(value: Value) -> Result<Value, Error> {
    spend(measure(&value)?)?;
    Ok(value)
}

fn number_guard(value: Value) -> Result<Value, Error> {
    match value.kind() {
        ValueKind::Number | ValueKind::Undefined => Ok(value),
        kind => Err(Error::new(
            ErrorKind::InvalidOperation,
            format!("`*` requires numbers, not a value of type {kind}"),
        )),
    }
}

/// Calls minijinja's filter.
fn filter(name: &str, args: &[Value]) -> Result<Value, Error> {
    let size = measure_all(args)?;
    spend(CALL + size)?;
    match name {
        _ if COMPARING_FILTERS.contains(&name) => spend(size.saturating_mul(COMPARISONS))?,
        // It finds words, and the case of each character.
        "title" => spend(text(args, 0).len() / 2)?,
        _ => {}
    }
    match name {
        "replace" => spend_text(replaced_length(args))?,
        "join" => spend_text(joined_length(args))?,
        "indent" | "batch" | "slice" | "round" => spend(counted(name, args)?)?,
        "format" => spend(widths(args)?)?,
        "map" if !args.last().is_some_and(Value::is_kwargs) => return mapped(args),
        _ => {}
    }
    call(name, args)
}

fn call(name: &str, args: &[Value]) -> Result<Value, Error> {
    let value = BUILTINS.empty_state().apply_filter(name, args)?;
    measure(&value)?;
    Ok(value)
}

fn text(args: &[Value], at: usize) -> &str {
    args.get(at).and_then(Value::as_str).unwrap_or("")
}

fn replaced_length(args: &[Value]) -> usize {
    let (text, from, to) = (text(args, 0), text(args, 1), text(args, 2));
    text.len().saturating_add(text.matches(from).count().saturating_mul(to.len()))
}

fn joined_length(args: &[Value]) -> usize {
    let count = args.first().and_then(Value::len).unwrap_or(0);
    count.saturating_mul(text(args, 1).len())
}

/// The steps for what the numbers among the arguments make: widths, counts, digits.
fn counted(name: &str, args: &[Value]) -> Result<usize, Error> {
    let mut numbers = args.slice(1..).to_vec();
    if let Some(kwargs) = numbers.pop_if(|it| it.is_kwargs()) {
        let kwargs = Kwargs::try_from(kwargs)?;
        for key in kwargs.args() {
            numbers.push(kwargs.peek(key)?);
        }
    }
    let numbers = numbers.into_iter().filter(|it| it.kind() == ValueKind::Number);
    let size =
        |it: Value| i64::try_from(it).ok().and_then(|it| usize::try_from(it.unsigned_abs()).ok());
    let size = numbers.map(|it| size(it).unwrap_or(usize::MAX)).fold(0, usize::saturating_add);
    let lines = if name == "indent" { text(args, 0).lines().count() + 1 } else { 1 };
    Ok(size.saturating_mul(ITEM).saturating_mul(lines))
}

/// The steps for the widths and precisions in the text of `format`.
fn widths(args: &[Value]) -> Result<usize, Error> {
    let text = text(args, 0);
    if text.contains('*') {
        let message = "`format` accepts no width from an argument";
        return Err(Error::new(ErrorKind::InvalidOperation, message));
    }
    let numbers = text.split(|it: char| !it.is_ascii_digit()).filter(|it| !it.is_empty());
    Ok(numbers.map(|it| it.parse().unwrap_or(usize::MAX)).fold(0, usize::saturating_add))
}

/// The filter `map` with the name of a filter.
fn mapped(args: &[Value]) -> Result<Value, Error> {
    let ([items, name], rest) = args.split_at_checked(2).map_or((&[][..], args), |it| it) else {
        return call("map", args);
    };
    let Some(name) = FILTERS.iter().find(|it| Some(**it) == name.as_str()) else {
        return Err(Error::from(ErrorKind::UnknownFilter));
    };
    let mut mapped = Vec::new();
    for item in items.try_iter()? {
        let args: Vec<_> = std::iter::once(item).chain(rest.iter().cloned()).collect();
        mapped.push(filter(name, &args)?);
    }
    let mapped = Value::from(mapped);
    measure(&mapped)?;
    Ok(mapped)
}

/// The value of the label `agents.x-k8s.io/sandbox-name-hash` for the name of a Sandbox.
fn sandbox_name_hash(name: &str) -> Result<String, Error> {
    spend(CALL + name.len())?;
    Ok(name_hash(name))
}

fn range(lower: i64, upper: Option<i64>, step: Option<i64>) -> Result<Value, Error> {
    let (from, to) = upper.map_or((0, lower), |upper| (lower, upper));
    let step = step.unwrap_or(1);
    if step == 0 {
        return Err(Error::new(ErrorKind::InvalidOperation, "`range` has a step of 0"));
    }
    let mut numbers = Vec::new();
    let mut next = Some(from);
    while let Some(number) = next.filter(|it| if step > 0 { *it < to } else { *it > to }) {
        spend(ITEM)?;
        numbers.push(number);
        next = number.checked_add(step);
    }
    Ok(Value::from(numbers))
}
