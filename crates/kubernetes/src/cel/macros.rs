//! Macros: calls that expand to loops, tests and bindings.
//!
//! They expand exactly as in cel-go, because costs are estimated from the expansions.

use lean_string::LeanStr;

use super::Refusal;
use super::ast::{ACCUMULATOR, Comprehension, Expression, Kind, Literal};
use super::declarations;
use super::function::Function;

/// The minor version of the first API server that has `sortBy`.
const SORTS_FROM: u32 = 35;

/// A variable name that no expression can contain, for a loop that binds no item.
const UNUSED: &str = "#unused";

/// The name of the list to be sorted.
const SORTED: &str = "@__sortBy_input__";

/// Creates a global call, or expands the macro `has`.
pub(super) fn global(
    at: usize,
    function: &str,
    mut arguments: Vec<Expression>,
) -> Result<Expression, Refusal> {
    if function == "has" && arguments.len() == 1 {
        return match arguments.pop().map(|it| it.kind) {
            Some(Kind::Select { operand, field, is_test: false }) => {
                Ok(Expression::new(at, Kind::Select { operand, field, is_test: true }))
            }
            // `a.?b` is a call, and `has(a.?b.c)` a selection on it.
            _ => Err(Refusal::at(at, "`has` requires a field: `has(self.field)`")),
        };
    }
    Ok(Expression::call(at, Function::named(function), arguments))
}

/// Creates a member call, or expands the macro of that name.
pub(super) fn member(
    at: usize,
    target: Expression,
    function: &str,
    mut arguments: Vec<Expression>,
    minor: u32,
) -> Result<Expression, Refusal> {
    Ok(match (function, arguments.len()) {
        ("all" | "exists" | "exists_one", 2)
        | ("all" | "exists" | "exists_one" | "existsOne", 3) => {
            let Some(predicate) = arguments.pop() else { return Err(missing_argument(at)) };
            let names = loop_names(at, &arguments)?;
            expand_quantifier(at, function, target, names, predicate)
        }
        ("filter", 2) => {
            let Some(predicate) = arguments.pop() else { return Err(missing_argument(at)) };
            let names = loop_names(at, &arguments)?;
            let item = Expression::identifier(at, names.0.clone());
            gather(at, target, names, Some(predicate), item)
        }
        ("map", 2 | 3) => expand_list(at, target, arguments, 1)?,
        ("transformList", 3 | 4) => expand_list(at, target, arguments, 2)?,
        ("transformMap" | "transformMapEntry", 3 | 4) => {
            expand_map(at, function == "transformMap", target, arguments)?
        }
        ("optMap" | "optFlatMap", 2) => {
            expand_optional(at, function == "optMap", target, arguments)?
        }
        ("sortBy", 2) if minor >= SORTS_FROM => expand_sort(at, target, arguments)?,
        _ => call(at, target, function, arguments),
    })
}

/// `a.b.c(...)` calls the function `a.b.c` if it exists, else the member function `c`.
fn call(at: usize, target: Expression, function: &str, arguments: Vec<Expression>) -> Expression {
    let name = target.qualified_name().map(|target| format!("{target}.{function}"));
    match name.filter(|name| declarations::is_declared(name)) {
        Some(name) => Expression::call(at, Function::named(&name), arguments),
        None => Expression::member(at, target, Function::named(function), arguments),
    }
}

/// The one or two names that a loop binds.
type Names = (LeanStr, Option<LeanStr>);

fn missing_argument(at: usize) -> Refusal {
    Refusal::at(at, "missing argument")
}

fn loop_names(at: usize, arguments: &[Expression]) -> Result<Names, Refusal> {
    let mut names = arguments.iter().map(|argument| {
        let message = "the first arguments of a macro must be variable names";
        argument.as_identifier().cloned().ok_or_else(|| Refusal::at(argument.at, message))
    });
    let first = names.next().ok_or_else(|| missing_argument(at))??;
    let second = names.next().transpose()?;
    if second.as_ref() == Some(&first) {
        return Err(Refusal::at(at, format!("duplicate variable `{first}`")));
    }
    Ok((first, second))
}

fn accumulator(at: usize) -> Expression {
    Expression::identifier(at, ACCUMULATOR)
}

fn bool_literal(at: usize, value: bool) -> Expression {
    Expression::literal(at, Literal::Bool(value))
}

fn comprehension(at: usize, range: Expression, names: Names, fold: [Expression; 4]) -> Expression {
    let [initial, condition, step, result] = fold;
    Expression::new(
        at,
        Kind::Comprehension(Box::new(Comprehension {
            range,
            variable: names.0,
            second: names.1,
            accumulator: ACCUMULATOR.into(),
            initial,
            condition,
            step,
            result,
        })),
    )
}

fn expand_quantifier(
    at: usize,
    function: &str,
    range: Expression,
    names: Names,
    predicate: Expression,
) -> Expression {
    let call = |function, arguments| Expression::call(at, function, arguments);
    let number = |number| Expression::literal(at, Literal::Int(number));
    let fold = match function {
        "all" => [
            bool_literal(at, true),
            call(Function::NotStrictlyFalse, vec![accumulator(at)]),
            call(Function::LogicalAnd, vec![accumulator(at), predicate]),
            accumulator(at),
        ],
        "exists" => [
            bool_literal(at, false),
            call(Function::NotStrictlyFalse, vec![call(Function::Not, vec![accumulator(at)])]),
            call(Function::LogicalOr, vec![accumulator(at), predicate]),
            accumulator(at),
        ],
        _ => {
            let counted = call(Function::Plus, vec![accumulator(at), number(1)]);
            [
                number(0),
                bool_literal(at, true),
                call(Function::Conditional, vec![predicate, counted, accumulator(at)]),
                call(Function::Equal, vec![accumulator(at), number(1)]),
            ]
        }
    };
    comprehension(at, range, names, fold)
}

/// Builds the list of `item` for each item that satisfies the predicate.
fn gather(
    at: usize,
    range: Expression,
    names: Names,
    predicate: Option<Expression>,
    item: Expression,
) -> Expression {
    let one = Expression::new(at, Kind::List(vec![(item, false)]));
    let added = Expression::call(at, Function::Plus, vec![accumulator(at), one]);
    let step = only_where(at, predicate, added);
    let initial = Expression::new(at, Kind::List(Vec::new()));
    comprehension(at, range, names, [initial, bool_literal(at, true), step, accumulator(at)])
}

fn only_where(at: usize, predicate: Option<Expression>, step: Expression) -> Expression {
    match predicate {
        Some(predicate) => {
            Expression::call(at, Function::Conditional, vec![predicate, step, accumulator(at)])
        }
        None => step,
    }
}

/// Expands `map` and `transformList`: names, an optional predicate, and the item.
fn expand_list(
    at: usize,
    range: Expression,
    mut arguments: Vec<Expression>,
    name_count: usize,
) -> Result<Expression, Refusal> {
    let item = arguments.pop().ok_or_else(|| missing_argument(at))?;
    let predicate = if arguments.len() > name_count { arguments.pop() } else { None };
    let names = loop_names(at, &arguments)?;
    Ok(gather(at, range, names, predicate, item))
}

/// Expands `transformMap`, whose argument is a value, and `transformMapEntry`, whose argument is a
/// map.
fn expand_map(
    at: usize,
    is_keyed: bool,
    range: Expression,
    mut arguments: Vec<Expression>,
) -> Result<Expression, Refusal> {
    let value = arguments.pop().ok_or_else(|| missing_argument(at))?;
    let predicate = if arguments.len() > 2 { arguments.pop() } else { None };
    let names = loop_names(at, &arguments)?;
    let mut inserted = vec![accumulator(at)];
    if is_keyed {
        inserted.push(Expression::identifier(at, names.0.clone()));
    }
    inserted.push(value);
    let insertion = Expression::call(at, Function::MapInsert, inserted);
    let step = only_where(at, predicate, insertion);
    let initial = Expression::new(at, Kind::Map(Vec::new()));
    Ok(comprehension(at, range, names, [initial, bool_literal(at, true), step, accumulator(at)]))
}

/// Creates a loop over an empty list, which binds a name to a value.
fn bind_name(at: usize, name: LeanStr, value: Expression, result: Expression) -> Expression {
    Expression::new(
        at,
        Kind::Comprehension(Box::new(Comprehension {
            range: Expression::new(at, Kind::List(Vec::new())),
            variable: UNUSED.into(),
            second: None,
            accumulator: name.clone(),
            initial: value,
            condition: bool_literal(at, false),
            step: Expression::identifier(at, name),
            result,
        })),
    )
}

fn expand_optional(
    at: usize,
    is_wrapped: bool,
    target: Expression,
    mut arguments: Vec<Expression>,
) -> Result<Expression, Refusal> {
    let value = arguments.pop().ok_or_else(|| missing_argument(at))?;
    let (name, _) = loop_names(at, &arguments)?;
    let has_value = Expression::member(at, target.clone(), Function::HasValue, Vec::new());
    let taken = Expression::member(at, target, Function::Value, Vec::new());
    let bound = bind_name(at, name, taken, value);
    let there =
        if is_wrapped { Expression::call(at, Function::OptionalOf, vec![bound]) } else { bound };
    let none = Expression::call(at, Function::OptionalNone, Vec::new());
    Ok(Expression::call(at, Function::Conditional, vec![has_value, there, none]))
}

fn expand_sort(
    at: usize,
    target: Expression,
    arguments: Vec<Expression>,
) -> Result<Expression, Refusal> {
    let input = || Expression::identifier(at, SORTED);
    let keys = expand_list(at, input(), arguments, 1)?;
    let by_keys = Expression::member(at, input(), Function::SortByAssociatedKeys, vec![keys]);
    Ok(bind_name(at, SORTED.into(), target, by_keys))
}
