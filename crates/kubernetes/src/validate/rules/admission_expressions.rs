//! The expressions of admission policies and webhooks.

use super::judge::{Judge, shown};
use crate::cel::{Compiled, Environment, Refusal, Wanted};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::tree::Node;

declare_rules! {
    ADMISSION_EXPRESSION_INVALID = "admission-expression-invalid", Error;
}

/// Compiles an expression that is not empty, and reports why the API server rejects it.
pub(super) fn check(
    judge: &mut Judge<'_>,
    environment: &Environment,
    node: &Node,
    wanted: Wanted,
) -> Option<Compiled> {
    let text = node.as_str().filter(|text| !text.trim().is_empty())?;
    match environment.compile(text, wanted) {
        Ok(compiled) => {
            let minor = u32::from(judge.minor);
            if let Some(newest) = compiled.newest.as_ref().filter(|newest| newest.since > minor) {
                let fault = format!(
                    "`{}` requires Kubernetes 1.{} or later",
                    newest.function, newest.since
                );
                report(judge, node, &fault, None);
            }
            Some(compiled)
        }
        // The API server may accept it.
        Err(refusal) if refusal.is_undecided => None,
        Err(refusal) => {
            let fault = describe_refusal(text, &refusal);
            report(judge, node, &fault, refusal.near.as_deref());
            None
        }
    }
}

/// The fault and the part of a longer expression that has it.
fn describe_refusal(text: &str, refusal: &Refusal) -> String {
    let part: String = text.get(refusal.at..).unwrap_or("").chars().take(40).collect();
    if refusal.at == 0 || part.trim().is_empty() {
        return refusal.message.clone();
    }
    format!("{} at `{}`", refusal.message, shown(part.trim_end()))
}

fn report(judge: &mut Judge<'_>, node: &Node, fault: &str, near: Option<&str>) {
    let message = message!("the expression does not compile: {fault}");
    let finding = Diagnostic::new(&ADMISSION_EXPRESSION_INVALID, node.span(), message)
        .at("not a valid expression")
        .help_if(near.map(|near| message!("did you mean `{near}`?")));
    judge.report(finding, node);
}
