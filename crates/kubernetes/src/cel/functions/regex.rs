//! Regular expressions.

use super::Call;
use crate::cel::Stop;
use crate::cel::evaluate::Machine;
use crate::cel::function::Function;
use crate::cel::value::Value;
use crate::cel::work::{TEXT, spend};
use crate::schema::{Pattern, check_go_pattern};

/// The value of a call with a regular expression; `None` for other calls.
pub(super) fn call<'v>(
    machine: &mut Machine<'_, 'v>,
    call: &Call<'_, 'v>,
) -> Option<Result<Value<'v>, Stop>> {
    let (Value::String(text), rest) = call.values.split_first()? else { return None };
    let (Value::String(pattern), rest) = rest.split_first()? else { return None };
    let limit = match (call.function, rest) {
        (Function::Matches | Function::Find | Function::FindAll, []) => usize::MAX,
        (Function::FindAll, [Value::Int(limit)]) => usize::try_from(*limit).unwrap_or(usize::MAX),
        _ => return None,
    };
    let function = call.function;
    Some(match machine.pattern(pattern) {
        Some(known) => search_text(machine, function, known, text, limit),
        None => machine
            .dynamic_pattern(pattern)
            .and_then(|pattern| search_text(machine, function, &pattern, text, limit)),
    })
}

fn search_text<'v>(
    machine: &mut Machine<'_, 'v>,
    function: &Function,
    pattern: &Pattern,
    text: &str,
    limit: usize,
) -> Result<Value<'v>, Stop> {
    let Some(compiled) = pattern.compiled() else {
        return Err(if check_go_pattern(&pattern.text).is_err() {
            Stop::error(format!("error parsing regexp `{}`", pattern.text))
        } else {
            Stop::unsupported("this regular expression")
        });
    };
    spend(machine.fuel, compiled.steps(text.len()))?;
    let regex = &compiled.regex;
    Ok(match function {
        Function::Matches => Value::Bool(regex.is_match(text)),
        Function::Find => Value::text(regex.find(text).map_or("", |it| it.as_str())),
        _ => {
            let mut found = Vec::new();
            for part in regex.find_iter(text).take(limit) {
                // The search for each match can read the whole rest.
                let rest = text.len() - part.end();
                spend(machine.fuel, rest / TEXT + compiled.steps(rest))?;
                found.push(Value::text(part.as_str()));
            }
            Value::list(found)
        }
    })
}
