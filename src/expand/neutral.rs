//! Guards, compared with expressions without them.
#![allow(clippy::panic, reason = "a difference is a fault of ours")]

use minijinja::{Value, context};

use super::environment::ENVIRONMENT;
use super::parts::{Part, parts};
use crate::limits::Fuel;

/// Whatever an expression evaluates to with its guards, it evaluates to without them.
pub(crate) fn assert_guards_are_neutral(text: &str) {
    let values = context! {
        values => context! { a => 3, s => "abc", l => [1, 2, 3], m => context! { k => "v" } },
        index => 1,
        item => context! { b => [1, 2] },
    };
    for part in parts(text, &Fuel::of(u64::MAX)).unwrap_or_default() {
        let Part::Expression(code) = part else { continue };
        // A guard may stop what would be too large.
        let Ok(with) = evaluate(&code.guarded().text, &values) else { continue };
        match evaluate(code.source, &values) {
            Ok(without) => assert_eq!(with, without, "the guards change {text:?}"),
            Err(error) => panic!("{text:?} runs with its guards alone: {error}"),
        }
    }
}

fn evaluate(source: &str, values: &Value) -> Result<String, minijinja::Error> {
    Ok(ENVIRONMENT.compile_expression(source)?.eval(values)?.to_string())
}
