//! `ValidatingAdmissionPolicy` and `MutatingAdmissionPolicy` with their bindings, after Kubernetes'
//! `pkg/apis/admissionregistration/validation`.

mod binding;
mod matching;

use super::admission_expressions as expressions;
use super::admission_webhook;
use super::judge::{
    Absence, Judge, Remedy, items, shown, text_at, text_node, texts_in, value_or_start,
};
use super::repeated::repeated;
use crate::cel::{Environment, Variables, Wanted};
use crate::diag::{Message, declare_rules, message};
use crate::kube::sample_name;
use crate::scalar::{check_dns_subdomain, check_qualified_name, check_service_name};
use crate::tree::Node;
pub(super) use binding::check as check_binding;

declare_rules! {
    ADMISSION_POLICY_INVALID = "admission-policy-invalid", Error, follows = [Misplaced];
}

/// The maximum number of audit annotations.
const MAX_ANNOTATIONS: usize = 20;
/// The maximum length of the expression of an audit annotation, in bytes.
const LONGEST_VALUE: usize = 5 * 1024;
/// The words that cannot name a variable.
const RESERVED: [&str; 20] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
];

/// Checks one policy.
pub(super) fn check(judge: &mut Judge<'_>) {
    let is_mutating = judge.object.gvk.kind == "MutatingAdmissionPolicy";
    let fields = if is_mutating {
        "matchConstraints: ..., mutations: ..., reinvocationPolicy: ..."
    } else {
        "matchConstraints: ..., validations: ..."
    };
    let Some(spec) = judge.needed_spec(fields) else { return };
    let params = spec.get("paramKind");
    if let Some(params) = params {
        check_param_kind(judge, params);
    }
    judge.needed(spec, "failurePolicy", Absence::BySchema);
    if let Some(constraints) = judge.needed_map(spec, "matchConstraints") {
        matching::check(judge, constraints, is_mutating);
        if items(constraints, "resourceRules").is_empty() {
            lacks(judge, constraints, "resourceRules");
        }
    }
    let conditions = Environment::new(params.is_some(), true);
    admission_webhook::conditions(judge, spec, &conditions);
    let mut environment = Environment::new(params.is_some(), true);
    if is_mutating || !items(spec, "variables").is_empty() {
        environment = environment.with_variables(Variables::default());
    }

    check_variables(judge, spec, &mut environment);
    if is_mutating {
        if items(spec, "mutations").is_empty() {
            lacks(judge, spec, "mutations");
        }
        check_mutations(judge, spec, &environment.with_patches());
        judge.needed(spec, "reinvocationPolicy", Absence::Here);
        return;
    }
    if items(spec, "validations").is_empty() && items(spec, "auditAnnotations").is_empty() {
        lacks(judge, spec, "validations");
    }
    // A message expression cannot ask for permissions.
    let mut messages = Environment::new(params.is_some(), false);
    if let Some(variables) = environment.variables() {
        messages = messages.with_variables(variables.clone());
    }
    check_validations(judge, spec, &environment, &messages);
    check_annotations(judge, spec, &environment);
}

fn lacks(judge: &mut Judge<'_>, owner: &Node, field: &'static str) {
    let at = value_or_start(owner, field);
    let text = (message!("missing `{field}`"), message!("add an item to `{field}`"));
    judge.lacks_all_of(&ADMISSION_POLICY_INVALID, (at, (owner, field)), text, (owner, &[field]));
}

fn refuse(judge: &mut Judge<'_>, node: &Node, text: (Message, impl Into<Remedy>)) {
    judge.refuse(&ADMISSION_POLICY_INVALID, node, text);
}

fn check_param_kind(judge: &mut Judge<'_>, params: &Node) {
    if let Some((node, text)) = judge.needed_node(params, "apiVersion", Absence::Here) {
        let (group, version) = text.split_once('/').unwrap_or(("", text));
        let is_version = check_service_name(version).is_ok();
        if !is_version || !group.is_empty() && check_dns_subdomain(group).is_err() {
            let message = message!("invalid `apiVersion` `{}` in `paramKind`", shown(text));
            refuse(judge, node, (message, "write it like `example.com/v1`"));
        }
    }
    if let Some((node, text)) = judge.needed_node(params, "kind", Absence::Here)
        && check_service_name(&text.to_lowercase()).is_err()
    {
        let message = message!("invalid `kind` `{}` in `paramKind`", shown(text));
        refuse(judge, node, (message, "write the name of a kind"));
    }
}

fn check_variables(judge: &mut Judge<'_>, spec: &Node, environment: &mut Environment) {
    for variable in items(spec, "variables") {
        let named = judge.needed_node(variable, "name", Absence::BySchema);
        if let Some((node, name)) = named
            && !is_identifier(name)
        {
            let message = message!("invalid variable name `{}`", shown(name));
            let help = "use letters, digits and `_`, not starting with a digit";
            refuse(judge, node, (message, help));
        }
        if let Some(node) = needed_expression(judge, variable, "expression") {
            let compiled = expressions::check(judge, environment, node, Wanted::Any);
            if let Some((_, name)) = named {
                environment.define(name, compiled.as_ref());
            }
        }
    }
}

fn is_identifier(name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(is_word)
        && !RESERVED.contains(&name)
        && name != "while"
}

/// The node of a required expression; reports one without characters.
fn needed_expression<'n>(
    judge: &mut Judge<'_>,
    owner: &'n Node,
    field: &'static str,
) -> Option<&'n Node> {
    let text = judge.needed(owner, field, Absence::Here)?;
    let node = owner.get(field)?;
    if text.trim().is_empty() {
        let message = message!("`{field}` has only spaces");
        refuse(judge, node, (message, "write a CEL expression"));
        return None;
    }
    Some(node)
}

fn check_validations(
    judge: &mut Judge<'_>,
    spec: &Node,
    environment: &Environment,
    messages: &Environment,
) {
    for validation in items(spec, "validations") {
        if let Some(node) = needed_expression(judge, validation, "expression") {
            expressions::check(judge, environment, node, Wanted::Bool);
        }
        let written = |key: &str| text_node(validation, key);
        if let Some((node, text)) = written("messageExpression").filter(|text| !text.1.is_empty()) {
            if text.trim().is_empty() {
                let message = "`messageExpression` has only spaces".into();
                refuse(judge, node, (message, "write a CEL expression"));
            }
            expressions::check(judge, messages, node, Wanted::String);
        }
        if let Some((node, text)) = written("message").filter(|text| !text.1.is_empty()) {
            if text.trim().is_empty() {
                refuse(judge, node, ("`message` has only spaces".into(), "write a message"));
            } else if text.trim().contains(['\n', '\r']) {
                let message = "`message` has several lines".into();
                refuse(judge, node, (message, "write it on one line"));
            }
        }
        let reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
        judge.listed(validation, "reason", &reasons);
    }
}

fn check_annotations(judge: &mut Judge<'_>, spec: &Node, environment: &Environment) {
    let annotations = items(spec, "auditAnnotations");
    if let Some(node) = annotations.get(MAX_ANNOTATIONS) {
        let message = message!("a policy has more than {MAX_ANNOTATIONS} audit annotations");
        refuse(judge, node, (message, "remove some of them"));
    }
    for annotation in annotations {
        let key = annotation.get("key").or_else(|| annotation.get("valueExpression"));
        let text = text_at(annotation, &["key"]);
        // The server checks the generated name.
        let generated = judge.object.root.str_at(&["metadata", "generateName"]);
        let name = match generated.filter(|_| judge.object.name.is_empty()) {
            Some(prefix) => format!("{}/{text}", sample_name(prefix)),
            None => format!("{}/{text}", judge.object.name),
        };
        let at = key.unwrap_or(annotation);
        if judge.object.name.is_empty() && generated.is_none_or(str::is_empty) {
            let message = "a policy with audit annotations has no name".into();
            refuse(judge, at, (message, "set `metadata.name`"));
        } else if check_qualified_name(&name).is_err() {
            let message = message!("invalid key `{}` of an audit annotation", shown(text));
            refuse(judge, at, (message, "use letters, digits, `-`, `_` and `.`"));
        }
        let Some(node) = needed_expression(judge, annotation, "valueExpression") else {
            continue;
        };
        if node.as_str().is_some_and(|text| text.trim().len() > LONGEST_VALUE) {
            let message = message!("`valueExpression` is longer than {LONGEST_VALUE} bytes");
            refuse(judge, node, (message, "shorten it"));
            continue;
        }
        expressions::check(judge, environment, node, Wanted::StringOrNull);
    }
    let keys = texts_in(annotations, "key");
    repeated(keys, |key, node, first| {
        let message = message!("duplicate key `{}` of an audit annotation", shown(key));
        let texts = (message, "duplicate key", "give each annotation a unique key");
        judge.conflict(&ADMISSION_POLICY_INVALID, node, texts, (first, "first used here"));
    });
}

/// The patch types, the field of each, and the result of its expression.
const PATCHES: [(&str, &str, Wanted); 2] = [
    ("ApplyConfiguration", "applyConfiguration", Wanted::Configuration),
    ("JSONPatch", "jsonPatch", Wanted::Operations),
];

fn check_mutations(judge: &mut Judge<'_>, spec: &Node, environment: &Environment) {
    for mutation in items(spec, "mutations") {
        let Some(kind) = judge.needed(mutation, "patchType", Absence::BySchema) else {
            continue;
        };
        for (name, own, wanted) in PATCHES {
            let node = mutation.get(own);
            if name != kind {
                if let Some(node) = node.filter(|_| PATCHES.iter().any(|patch| patch.0 == kind)) {
                    let message = message!("`{own}` is set together with `patchType: {kind}`");
                    refuse(judge, node, (message, "remove it"));
                }
                continue;
            }
            let Some(node) = node else {
                lacks(judge, mutation, own);
                continue;
            };
            if let Some(node) = needed_expression(judge, node, "expression") {
                expressions::check(judge, environment, node, wanted);
            }
        }
    }
}
