//! Guards, compared with expressions without them.
#![allow(clippy::panic, reason = "a difference is a fault of ours")]

use minijinja::{Value, context};

use super::environment::ENVIRONMENT;
use super::guard::guard;

/// Whatever a template prints with its guards, it prints without them.
pub(crate) fn assert_guards_are_neutral(text: &str) {
    let Ok(guarded) = guard(text) else { return };
    let values = context! {
        values => context! { a => 3, s => "abc", l => [1, 2, 3], m => context! { k => "v" } },
        index => 1,
        item => context! { b => [1, 2] },
    };
    let with = render(&guarded.text, &values);
    // A guard may stop what would be too large.
    let Ok(with) = with else { return };
    match render(text, &values) {
        Ok(without) => assert_eq!(with, without, "the guards change {text:?}"),
        Err(error) => panic!("{text:?} runs with its guards alone: {error}"),
    }
}

fn render(text: &str, values: &Value) -> Result<String, minijinja::Error> {
    ENVIRONMENT.template_from_str(text)?.render(values)
}
