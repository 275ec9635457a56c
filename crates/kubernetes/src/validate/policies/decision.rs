//! The decisions of a policy about the creation of an object.
//!
//! Follows `Validate` of k8s.io/apiserver, `pkg/admission/plugin/policy/validating`.

use super::binding::Binding;
use super::parameters::{self, Parameters};
use super::policy::{Expression, Policy, Validation};
use super::request::Request;
use crate::cel::{Activation, Answer, Inputs, ReadValue, Stop};
use crate::diag::{Message, brief, message};
use crate::limits::{Fuel, POLICY_CONDITIONS_COST, POLICY_COST};
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::Node;
use crate::validate::fields::value_or_owner;

/// The cost limit of the validations of a policy, of its audit annotations, and of each mutation.
pub(super) const BUDGET: u64 = POLICY_COST.most as u64;
/// The cost limit of its match conditions.
const CONDITIONS_BUDGET: u64 = POLICY_CONDITIONS_COST.most as u64;
/// The steps of a validation, in addition to those of its expressions, which can be free.
pub(super) const OF_VALIDATION: usize = 16;
/// The maximum length of an evaluated message, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;

/// A reason to reject the object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Decision {
    /// The span of the expression or of the binding.
    pub(super) at: Span,
    /// The message of the API server.
    pub(super) message: Message,
    /// The reason of the response.
    pub(super) reason: String,
    pub(super) cause: Cause,
    /// The values that decide the expression.
    pub(super) places: Vec<ReadValue>,
}

/// The cause of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// A validation is false.
    False,
    /// The evaluation fails, and the policy has `failurePolicy: Fail`.
    Error,
    /// An audit annotation fails. The object is rejected whatever the binding says.
    Annotation,
    /// The parameters of the binding are misconfigured. The object is rejected whatever the binding
    /// says.
    Configuration,
    /// The patch of a mutation cannot be applied.
    Patch,
}

/// What is not known about a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Undecided {
    /// The span of the expression or the selector.
    pub(super) at: Span,
    /// What the decision depends on.
    pub(super) what: String,
}

/// The decisions of a policy and a binding.
#[derive(Default, Debug)]
pub(super) struct Outcome {
    pub(super) decisions: Vec<Decision>,
    pub(super) undecided: Vec<Undecided>,
}

/// Decides about the creation of an object that a policy and a binding match.
pub(super) fn decide(
    policy: &Policy<'_>,
    binding: &Binding<'_>,
    request: &Request<'_>,
    fuel: &Fuel<'_>,
) -> Outcome {
    let mut outcome = Outcome::default();
    if let Some((at, what)) = &policy.unsupported {
        outcome.undecided.push(Undecided { at: *at, what: what.clone() });
        return outcome;
    }
    match parameters::collect(policy, binding, request) {
        Parameters::Unknown(reason) => outcome.undecided.push(reason),
        Parameters::Invalid(fault) => {
            let message = message!("failed to configure binding: {fault}");
            let at = value_or_owner(binding.spec, "paramRef").span();
            outcome.fail(policy, at, message, Cause::Configuration);
        }
        Parameters::Found(all) => {
            for params in all {
                if !fuel.spend(OF_VALIDATION * (1 + policy.validations.len())) {
                    break;
                }
                judge_validation(policy, request, params, fuel, &mut outcome);
            }
        }
    }
    outcome
}

impl Outcome {
    /// Adds an error of the policy, if such errors reject the object.
    pub(super) fn fail(&mut self, policy: &Policy<'_>, at: Span, message: Message, cause: Cause) {
        if policy.fails {
            let (reason, places) = ("Invalid".to_owned(), Vec::new());
            self.decisions.push(Decision { at, message, reason, cause, places });
        }
    }

    /// Adds an expression that fails, if such errors reject the object.
    fn fail_at(
        &mut self,
        policy: &Policy<'_>,
        (expression, activation): (&Expression<'_>, &Activation<'_, '_>),
        message: &str,
        cause: Cause,
    ) {
        let before = self.decisions.len();
        let at = expression.node.span();
        self.fail(policy, at, failure(expression, message), cause);
        if let Some(decision) = self.decisions.get_mut(before) {
            decision.places = activation.places(&expression.compiled);
        }
    }

    /// Adds an expression whose value is not known.
    pub(super) fn unknown(&mut self, at: Span, what: String) {
        self.undecided.push(Undecided { at, what });
    }

    /// Replaces the decisions about one parameter by an exceeded cost limit.
    fn exhausted(&mut self, policy: &Policy<'_>, at: Span, before: usize) {
        self.decisions.truncate(before);
        self.fail(policy, at, OUT_OF_BUDGET.into(), Cause::Error);
    }
}

pub(super) const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

fn judge_validation(
    policy: &Policy<'_>,
    request: &Request<'_>,
    params: Option<&Node>,
    fuel: &Fuel<'_>,
    outcome: &mut Outcome,
) {
    if !conditions_hold(policy, request, params, fuel, outcome) {
        return;
    }
    let inputs = request.inputs(policy, params, false);
    let activation = Activation::new(&inputs, &policy.variables, BUDGET, fuel);
    let before = outcome.decisions.len();
    if check_validations(policy, &activation, &inputs, fuel, before, outcome) {
        let activation = Activation::new(&inputs, &policy.variables, BUDGET, fuel);
        add_annotation(policy, &activation, before, outcome);
    }
}

/// Evaluates the validations and the messages of those that are false; returns whether they are
/// within the cost limit.
fn check_validations(
    policy: &Policy<'_>,
    activation: &Activation<'_, '_>,
    inputs: &Inputs<'_>,
    fuel: &Fuel<'_>,
    before: usize,
    outcome: &mut Outcome,
) -> bool {
    let mut denied = Vec::new();
    for validation in &policy.validations {
        let expression = &validation.expression;
        let at = expression.node.span();
        match activation.evaluate(&expression.compiled) {
            Ok(Answer::Bool(true)) => {}
            Ok(_) => denied.push(validation),
            Err(Stop::Exhausted) => {
                outcome.exhausted(policy, at, before);
                return false;
            }
            Err(Stop::Unsupported(what)) => outcome.undecided.push(Undecided { at, what }),
            Err(Stop::Error(message)) => {
                let failed = (expression, activation);
                outcome.fail_at(policy, failed, &message, Cause::Error);
            }
        }
    }
    let messages = Activation::new(inputs, &policy.variables, activation.budget(), fuel);
    for validation in denied {
        outcome.decisions.push(Decision {
            at: validation.expression.node.span(),
            message: message_of_validation(validation, &messages),
            reason: validation.reason.to_owned(),
            cause: Cause::False,
            places: activation.places(&validation.expression.compiled),
        });
    }
    true
}

/// Whether all match conditions are true. A false one decides despite errors of others.
pub(super) fn conditions_hold(
    policy: &Policy<'_>,
    request: &Request<'_>,
    params: Option<&Node>,
    fuel: &Fuel<'_>,
    outcome: &mut Outcome,
) -> bool {
    if policy.conditions.is_empty() {
        return true;
    }
    let inputs = request.inputs(policy, params, true);
    let variables = SortedMap::new();
    let activation = Activation::new(&inputs, &variables, CONDITIONS_BUDGET, fuel);
    all_hold(policy, &activation, outcome)
}

fn all_hold(policy: &Policy<'_>, activation: &Activation<'_, '_>, outcome: &mut Outcome) -> bool {
    let (mut errors, mut unknown) = (Vec::new(), None);
    for condition in &policy.conditions {
        let at = condition.node.span();
        match activation.evaluate(&condition.compiled) {
            Ok(Answer::Bool(false)) => return false,
            Ok(_) => {}
            Err(Stop::Exhausted) => {
                outcome.fail(policy, at, OUT_OF_BUDGET.into(), Cause::Error);
                return false;
            }
            Err(Stop::Unsupported(what)) => {
                unknown.get_or_insert(Undecided { at, what });
            }
            Err(Stop::Error(message)) => errors.push((at, failure(condition, &message))),
        }
    }
    if let Some((at, _)) = errors.first() {
        let message = match &errors[..] {
            [(_, only)] => only.clone(),
            all => {
                let all = all.iter().map(|(_, error)| error.clone());
                message!("[{}]", Message::joined(all, ", "))
            }
        };
        outcome.fail(policy, *at, message, Cause::Error);
        return false;
    }
    outcome.undecided.extend(unknown.clone());
    unknown.is_none()
}

pub(super) fn failure(expression: &Expression<'_>, message: &str) -> Message {
    message!("expression '{}' resulted in error: {message}", brief(expression.text()))
}

/// The message of a validation that is false: that of its expression, else the written one, else
/// the expression itself.
fn message_of_validation(validation: &Validation<'_>, activation: &Activation<'_, '_>) -> Message {
    if let Some(expression) = &validation.message_expression
        && let Ok(Answer::Text(text)) = activation.evaluate(&expression.compiled)
    {
        let text = text.trim();
        if !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n') {
            return message!("{text}");
        }
    }
    if validation.message.is_empty() {
        return message!("failed expression: {}", brief(validation.expression.text().trim()));
    }
    message!("{}", brief(validation.message))
}

/// Evaluates the audit annotations, whose errors reject the object.
fn add_annotation(
    policy: &Policy<'_>,
    activation: &Activation<'_, '_>,
    before: usize,
    outcome: &mut Outcome,
) {
    for annotation in &policy.annotations {
        let at = annotation.node.span();
        match activation.evaluate(&annotation.compiled) {
            Ok(_) => {}
            Err(Stop::Exhausted) => return outcome.exhausted(policy, at, before),
            Err(Stop::Unsupported(what)) => outcome.undecided.push(Undecided { at, what }),
            Err(Stop::Error(message)) => {
                let failed = (annotation, activation);
                outcome.fail_at(policy, failed, &message, Cause::Annotation);
            }
        }
    }
}
