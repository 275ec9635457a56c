//! The binding of a policy.

use super::{ADMISSION_POLICY_INVALID, matching, refuse};
use crate::diag::message;
use crate::scalar::check_path_segment;
use crate::tree::Node;
use crate::validate::rules::judge::{
    Absence, Judge, filled, items, labelled, shown, start, texts, value_or_start,
};
use crate::validate::rules::names::{NameForm, needed_name};
use crate::validate::rules::repeated::repeated;
use crate::validate::rules::selectors::check_selector;

/// Checks one binding.
pub(in crate::validate::rules) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    let is_mutating = object.gvk.kind == "MutatingAdmissionPolicyBinding";
    let empty = Node::map(object.root.origin());
    let spec = judge.spec_or(&empty);
    needed_name(judge, spec, "policyName", Absence::Here, NameForm::OBJECT);
    if let Some(params) = spec.get("paramRef") {
        check_param_ref(judge, params);
    }
    if let Some(resources) = spec.get("matchResources") {
        matching::check(judge, resources, is_mutating);
    }
    if !is_mutating {
        check_actions(judge, spec);
    }
}

fn check_param_ref(judge: &mut Judge<'_>, params: &Node) {
    let name = filled(params, "name");
    if let Some((node, text)) = name.and_then(|node| Some((node, node.as_str()?)))
        && check_path_segment(text).is_err()
    {
        let message = message!("invalid parameter name `{}`", shown(text));
        refuse(judge, node, (message, "write a name without `/` and `%`"));
    }
    match (name, params.get("selector")) {
        (Some(name), Some(_)) => {
            let message = "`paramRef` has both `name` and `selector`".into();
            refuse(judge, name, (message, "remove one of the two"));
        }
        (None, None) => {
            let text = (
                "`paramRef` has neither `name` nor `selector`",
                "set `name`, or a `selector` for the parameters",
            );
            let fields = (params, &["name", "selector"][..]);
            judge.lacks_all_of(&ADMISSION_POLICY_INVALID, (start(params), params), text, fields);
        }
        _ => {}
    }
    check_selector(judge, params.get("selector"));
    let field = "parameterNotFoundAction";
    if judge.needed(params, field, Absence::Here).is_some() {
        judge.listed(params, field, &["Allow", "Deny"]);
    }
}

fn check_actions(judge: &mut Judge<'_>, spec: &Node) {
    let actions = items(spec, "validationActions");
    if actions.is_empty() {
        let at = value_or_start(spec, "validationActions");
        let text = (
            "a binding has no `validationActions`",
            "write `validationActions: [Deny]`, or `Warn` or `Audit`",
        );
        let root = &judge.object.root;
        let fields = match root.get("spec") {
            Some(_) => (spec, &["validationActions"][..]),
            None => (root, &["spec"][..]),
        };
        judge.lacks_all_of(
            &ADMISSION_POLICY_INVALID,
            (at, (spec, "validationActions")),
            text,
            fields,
        );
    }
    let texts = texts(actions);
    for (_, node) in texts.clone().filter(|(text, _)| text.is_empty()) {
        let message = "a validation action is empty".into();
        refuse(
            judge,
            node,
            (
                message,
                labelled("must be `Deny`, `Warn` or `Audit`", "write `Deny`, `Warn` or `Audit`"),
            ),
        );
    }
    repeated(texts.clone(), |name, node, _| {
        let message = message!("duplicate validation action `{}`", shown(name));
        refuse(judge, node, (message, labelled("duplicate", "remove it")));
    });
    let find = |wanted: &str| texts.clone().find(|(text, _)| *text == wanted);
    if let (Some(_), Some((_, node))) = (find("Deny"), find("Warn")) {
        let message = "`validationActions` has both `Deny` and `Warn`".into();
        let help = "remove `Warn`: a rejected request needs no warning";
        refuse(judge, node, (message, help));
    }
}
