//! Mutating policies, which change an object before validating policies judge it.
//!
//! Follows k8s.io/apiserver, `pkg/admission/plugin/policy/mutating`.

mod apply;
mod json_patch;

use super::admitted;
use super::binding::Binding;
use super::decision::{BUDGET, Cause, OUT_OF_BUDGET, Outcome, conditions_hold, failure};
use super::parameters::{self, Parameters};
use super::policy::{Mutation, PatchType, Policy};
use super::request::Request;
use crate::cel::{Activation, Stop};
use crate::diag::message;
use crate::limits::PATCHED_LEVELS;
use crate::tree::{Node, Origin};
use crate::validate::fields::value_or_owner;
use crate::validate::objects::ObjectContext;

/// Applies the mutations of a policy to the object of a request; returns the object if it changed.
pub(super) fn mutate(
    cx: ObjectContext<'_>,
    policy: &Policy<'_>,
    binding: &Binding<'_>,
    request: &Request<'_>,
    outcome: &mut Outcome,
) -> Option<Node> {
    if let Some((at, what)) = &policy.unsupported {
        outcome.unknown(*at, what.clone());
        return None;
    }
    let all = match parameters::collect(policy, binding, request) {
        Parameters::Found(all) => all,
        Parameters::Unknown(reason) => {
            outcome.undecided.push(reason);
            return None;
        }
        Parameters::Invalid(fault) => {
            let message = message!("failed to configure binding: {fault}");
            let at = value_or_owner(binding.spec, "paramRef").span();
            outcome.fail(policy, at, message, Cause::Configuration);
            return None;
        }
    };
    let mut root: Option<Node> = None;
    for params in all {
        let current = root.as_ref().unwrap_or(request.root);
        if !conditions_hold(policy, &request.with_root(current), params, cx.fuel, outcome) {
            continue;
        }
        for mutation in &policy.mutations {
            let current = root.as_ref().unwrap_or(request.root);
            // Each patch copies the object.
            if !cx.fuel.make(current.count()) {
                return None;
            }
            let request = request.with_root(current);
            let result = apply_mutation(cx, policy, mutation, params, &request);
            let at = mutation.expression.node.span();
            match result {
                Ok(node) => root = Some(node),
                // What further mutations change is unknown as well.
                Err(Stop::Unsupported(what)) => {
                    outcome.unknown(at, what);
                    return None;
                }
                Err(Stop::Error(fault)) => {
                    outcome.fail(policy, at, message!("{fault}"), Cause::Patch);
                }
                Err(Stop::Exhausted) => {
                    outcome.fail(policy, at, OUT_OF_BUDGET.into(), Cause::Patch);
                }
            }
        }
    }
    let root = root.filter(|it| !it.same_value(request.root))?;
    let own = request.resource.own();
    Some(if request.version.is_some() { admitted::in_version(cx, &root, own) } else { root })
}

/// The object of a request after a mutation.
fn apply_mutation(
    cx: ObjectContext<'_>,
    policy: &Policy<'_>,
    mutation: &Mutation<'_>,
    params: Option<&Node>,
    request: &Request<'_>,
) -> Result<Node, Stop> {
    let inputs = request.inputs(policy, params, false);
    let activation = Activation::new(&inputs, &policy.variables, BUDGET, cx.fuel);
    let origin = Origin::source(mutation.expression.node.span());
    let patched = apply_patch(cx, request, &activation, mutation, origin)?;
    accept_patched(cx, request, patched)
}

/// The result of a patch as the API server decodes it, with defaults.
fn accept_patched(
    cx: ObjectContext<'_>,
    request: &Request<'_>,
    patched: Node,
) -> Result<Node, Stop> {
    let Some(version) = request.version else {
        return Ok(admitted::decoded(cx, request.object, patched));
    };
    match admitted::conversion_fault(cx, &request.object.gvk, version) {
        Some(message) => Err(Stop::Error(message)),
        None => Ok(admitted::decoded_in(cx, request.object, patched, version)),
    }
}

/// The object with a patch applied.
fn apply_patch(
    cx: ObjectContext<'_>,
    request: &Request<'_>,
    activation: &Activation<'_, '_>,
    mutation: &Mutation<'_>,
    origin: Origin,
) -> Result<Node, Stop> {
    let compiled = &mutation.expression.compiled;
    let of_expression = |stop| match stop {
        Stop::Error(message) => {
            Stop::Error(failure(&mutation.expression, &message).as_prose().to_owned())
        }
        other => other,
    };
    let mut root = request.root.clone();
    match mutation.patch {
        PatchType::Apply => {
            let patch = activation.configuration(compiled, origin).map_err(of_expression)??;
            let version = request.version.unwrap_or_else(|| request.resource.own());
            let ty = admitted::type_of(cx, &request.object.gvk.kind, version);
            apply::apply(&mut root, patch, ty)
                .map_err(|fault| Stop::Error(format!("error applying patch: {fault}")))?;
            if root.levels() > PATCHED_LEVELS.count() {
                return Err(too_deep());
            }
        }
        PatchType::Json => {
            let operations = activation.operations(compiled, origin).map_err(of_expression)??;
            for operation in operations {
                match json_patch::apply(&mut root, operation, cx.fuel) {
                    Ok(()) => {}
                    // The patch is not applied.
                    Err(json_patch::Fault::Test) => return Ok(request.root.clone()),
                    Err(json_patch::Fault::OutOfFuel) => return Err(Stop::Exhausted),
                    Err(json_patch::Fault::TooDeep) => return Err(too_deep()),
                    Err(json_patch::Fault::Error(message)) => {
                        return Err(Stop::Error(format!("JSON Patch: {message}")));
                    }
                }
            }
        }
    }
    Ok(root)
}

fn too_deep() -> Stop {
    let most = PATCHED_LEVELS.count();
    Stop::Unsupported(format!("an object with more than {most} levels of maps and lists"))
}
