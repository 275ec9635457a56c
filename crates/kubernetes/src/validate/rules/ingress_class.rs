//! `IngressClass`, after `ValidateIngressClass` of Kubernetes' `pkg/apis/networking/validation`.

use super::judge::{Absence, Judge, value_or_owner};
use super::names::{NameForm, check_name, needed_name};
use crate::diag::declare_rules;
use crate::scalar::{Fault, check_domain_path};
use crate::tree::Node;

declare_rules! {
    CONTROLLER_NAME_INVALID = "controller-name-invalid", Error;
    INGRESS_CLASS_PARAMETERS_INVALID = "ingress-class-parameters-invalid", Error;
}

const LONGEST_CONTROLLER: usize = 250;

/// Checks one class.
pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let Some(spec) = judge.needed_map(&object.root, "spec") else { return };
    if let Some((node, _)) = judge.needed_node(spec, "controller", Absence::Here) {
        let check: fn(&str) -> Result<(), Fault> = |text| {
            if text.len() > LONGEST_CONTROLLER {
                return Err(Fault::TooLong { length: text.len(), limit: LONGEST_CONTROLLER });
            }
            check_domain_path(text)
        };
        let help = |_: &str| "write it like `example.com/controller`".into();
        let what = (&CONTROLLER_NAME_INVALID, "controller");
        judge.form(node, what, check, help);
    }
    if let Some(parameters) = spec.get("parameters") {
        check_parameters(judge, parameters);
    }
}

fn check_parameters(judge: &mut Judge<'_>, parameters: &Node) {
    check_name(judge, parameters.get("apiGroup"), NameForm::OBJECT);
    for field in ["kind", "name"] {
        needed_name(judge, parameters, field, Absence::BySchema, NameForm::SEGMENT);
    }
    let scope = match parameters.get("scope") {
        Some(_) => judge.needed(parameters, "scope", Absence::Here),
        None => Some("Cluster"),
    };
    judge.listed(parameters, "scope", &["Cluster", "Namespace"]);
    let namespace = parameters.entry("namespace");
    let (at, message, help) = match (scope, namespace) {
        (Some("Namespace"), None) => (
            value_or_owner(parameters, "scope").span(),
            "parameters with `scope: Namespace` have no `namespace`",
            "add `namespace: ...`",
        ),
        (Some("Cluster"), Some(entry)) => (
            entry.key_origin().span(),
            "parameters with `scope: Cluster` have a `namespace`",
            "remove `namespace`, or write `scope: Namespace`",
        ),
        (Some("Namespace"), Some(entry)) => {
            check_name(judge, &entry.value, NameForm::LABEL);
            return;
        }
        _ => return,
    };
    let text = (message, "contradicts the scope", help);
    judge.fault(&INGRESS_CLASS_PARAMETERS_INVALID, (at, (parameters, "namespace")), text);
}
