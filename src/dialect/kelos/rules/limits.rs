//! The limit of Linux for the length of arguments and variables.

use super::ARGUMENT_TOO_LONG;
use crate::diag::{Diagnostic, Sink, message};
use crate::dialect::kelos::environment::Variable;
use crate::dialect::kelos::init_containers::InitContainer;
use crate::dialect::kelos::names::LONGEST_ARGUMENT;
use crate::dialect::kelos::plan::Plan;
use crate::source::Span;

/// Checks the prompt, the variables and the scripts of a Task.
pub(in crate::dialect::kelos) fn check(
    plan: &Plan,
    variables: &[Variable],
    init: &[InitContainer],
    sink: &mut Sink,
) {
    let prompt = || "the prompt".to_owned();
    check_length(prompt, plan.prompt.as_str().len(), plan.prompt.span(), sink);
    for variable in variables {
        let value = variable.variable.value.as_deref().unwrap_or_default();
        let bytes = variable.name().len() + 1 + value.len();
        let what = || format!("the variable `{}`", variable.name());
        check_length(what, bytes, variable.place, sink);
    }
    for InitContainer { container, .. } in init {
        let script = container.command.as_ref().and_then(|it| it.last());
        let place = plan.workspace.as_ref().map_or(plan.place, |workspace| workspace.repo.span());
        let what = || format!("the script of init container `{}`", container.name);
        check_length(what, script.map_or(0, String::len), place, sink);
    }
}

fn check_length(what: impl FnOnce() -> String, bytes: usize, place: Span, sink: &mut Sink) {
    if bytes <= LONGEST_ARGUMENT {
        return;
    }
    let what = what();
    sink.report(
        Diagnostic::new(
            &ARGUMENT_TOO_LONG,
            place,
            message!("{what} has {bytes} bytes, more than {LONGEST_ARGUMENT}"),
        )
        .at("too long")
        .note("Linux does not start a program with a longer argument or variable: the container fails with `argument list too long`")
        .help("shorten it, or put the content in the repository or a ConfigMap"),
    );
}
