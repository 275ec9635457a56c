//! The finding about work that takes too many steps.

use super::{Diagnostic, Message, Sink, Words, declare_rules, message};
use crate::limits::{Fuel, thousands};
use crate::source::Span;

declare_rules! {
    TOO_MUCH_WORK = "too-much-work", Error;
}

/// Reports a document that is out of fuel: a part of it was not checked.
pub fn report_work(fuel: &Fuel<'_>, place: Span, title: &dyn Fn() -> String, sink: &mut Sink) {
    if !fuel.is_out() {
        return;
    }
    let message = message!("the check of {} takes more than {} steps", title(), most_steps(fuel));
    let finding = Diagnostic::new(&TOO_MUCH_WORK, place, message).at("only partly checked").help(
        "use fewer alternatives and nested loops in schemas, rules and policies, or make the object smaller",
    );
    sink.report(finding);
}

/// Does the work of a stage, unless the run is out of fuel. If it is out afterwards, the findings of the stage
/// depend on the order of the threads, and are replaced by an error. Returns whether the result can be used.
pub fn within<T>(
    fuel: &Fuel<'_>,
    (place, stage): (Span, &'static str),
    sink: &mut Sink,
    work: impl FnOnce(&mut Sink) -> T,
) -> Option<T> {
    if fuel.is_out() {
        return None;
    }
    let before = sink.clone();
    let result = work(sink);
    if !fuel.is_out() {
        return Some(result);
    }
    *sink = before;
    let finding = out_of_fuel(fuel, place, stage).at("the first document");
    sink.report(finding.help("check fewer files at a time"));
    None
}

/// The finding for a run that is out of fuel at a place.
pub fn out_of_fuel(fuel: &Fuel<'_>, place: Span, stage: &'static str) -> Diagnostic {
    Diagnostic::new(&TOO_MUCH_WORK, place, too_much_work(fuel, stage))
        .note("all findings of this step and of later ones are left out")
}

/// The message for a run that is out of fuel.
pub fn too_much_work(fuel: &Fuel<'_>, stage: &'static str) -> Message {
    message!("this run takes more than {} steps to {}", most_steps(fuel), Words(stage))
}

fn most_steps(fuel: &Fuel<'_>) -> String {
    thousands(usize::try_from(fuel.most()).unwrap_or(usize::MAX))
}
