//! Checks of literals before an expression runs (cel-go, `cel/validator.go`, and the constant
//! folding of its planner).

use super::ast::{Expression, Kind, Literal};
use super::check::Checked;
use super::evaluate::Machine;
use super::function::Function;
use super::functions::format;
use super::types::Type;
use super::{Patterns, Refusal, Stop};
use crate::limits::Fuel;
use crate::schema::{Pattern, check_go_pattern};

/// Whether the function is evaluated for constants before the expression runs.
const fn is_folded(function: &Function) -> bool {
    matches!(
        function,
        Function::Bool
            | Function::Bytes
            | Function::Double
            | Function::Duration
            | Function::Int
            | Function::String
            | Function::Timestamp
            | Function::Uint
    )
}

/// The cost limit for folding a constant.
const BUDGET: u64 = 10_000;

/// Checks literal lists, maps, patterns, times and conversions; returns the patterns.
pub(super) fn check(root: &mut Expression, checked: &Checked) -> Result<Patterns, Refusal> {
    let mut patterns = Patterns::new();
    check_node(root, checked, false, &mut patterns)?;
    Ok(patterns)
}

fn check_node(
    expression: &mut Expression,
    checked: &Checked,
    is_formatted: bool,
    patterns: &mut Patterns,
) -> Result<(), Refusal> {
    let mut is_formatted = is_formatted;
    match &expression.kind {
        Kind::List(items) if !is_formatted => {
            require_same_types(items.iter().map(|(item, optional)| (item, *optional)), checked)?;
        }
        Kind::Map(entries) if !is_formatted => {
            require_same_types(entries.iter().map(|(key, _, _)| (key, false)), checked)?;
            require_same_types(
                entries.iter().map(|(_, value, optional)| (value, *optional)),
                checked,
            )?;
        }
        Kind::Call { target, function, arguments } => {
            is_formatted |= matches!(function, Function::Format);
            check_call(expression, target.as_deref(), function, arguments, checked, patterns)?;
        }
        _ => {}
    }
    let mut result = Ok(());
    expression.each_child_mut(|child| {
        if result.is_ok() {
            result = check_node(child, checked, is_formatted, patterns);
        }
    });
    result
}

/// Requires the items of a list, the keys of a map or the values of a map to have one type.
fn require_same_types<'e>(
    items: impl Iterator<Item = (&'e Expression, bool)>,
    checked: &Checked,
) -> Result<(), Refusal> {
    let mut wanted: Option<Type> = None;
    for (item, is_optional) in items {
        let found = match checked.type_of(item) {
            Type::Optional(value) if is_optional => Type::clone(value),
            other => other.clone(),
        };
        match &wanted {
            None => wanted = Some(found),
            Some(wanted) if *wanted == found => {}
            Some(wanted) => {
                let message =
                    format!("expected type {wanted} like the first one, but found {found}");
                return Err(Refusal::at(item.at, message));
            }
        }
    }
    Ok(())
}

fn check_call(
    expression: &Expression,
    target: Option<&Expression>,
    function: &Function,
    arguments: &[Expression],
    checked: &Checked,
    patterns: &mut Patterns,
) -> Result<(), Refusal> {
    match (function, target, arguments) {
        (Function::Matches | Function::Find | Function::FindAll, Some(_), [pattern, ..])
        | (Function::Matches, None, [_, pattern]) => {
            if let Kind::Literal(Literal::String(text)) = &pattern.kind {
                let refused =
                    |fault| Refusal::at(pattern.at, format!("the regular expression {fault}"));
                check_go_pattern(text).map_err(refused)?;
                patterns.insert(text.clone(), Pattern::new(text));
            }
            Ok(())
        }
        (Function::Format, Some(target), [list]) => {
            if let (Kind::Literal(Literal::String(text)), Kind::List(items)) =
                (&target.kind, &list.kind)
            {
                let types: Vec<_> = items.iter().map(|(item, _)| checked.type_of(item)).collect();
                let refused = |message: String| {
                    Refusal::at(target.at, format!("invalid format string: {message}"))
                };
                format::check(text, &types).map_err(refused)?;
            }
            Ok(())
        }
        (_, None, [argument]) if is_folded(function) && is_constant(argument) => {
            let patterns = Patterns::new();
            let fuel = Fuel::of(u64::MAX);
            let value = Machine::new(Vec::new(), &patterns, BUDGET, &fuel).run(expression);
            let Err(Stop::Error(fault)) = value else { return Ok(()) };
            let message = format!("`{}` fails for this constant: {fault}", function.name());
            Err(Refusal::at(argument.at, message))
        }
        _ => Ok(()),
    }
}

/// Whether the planner can evaluate the expression: a literal, or a conversion of one.
fn is_constant(expression: &Expression) -> bool {
    match &expression.kind {
        Kind::Literal(_) => true,
        Kind::Call { target: None, function, arguments } => {
            is_folded(function) && arguments.iter().all(is_constant)
        }
        _ => false,
    }
}
