//! The parameters of a binding.
//!
//! Follows `CollectParams` of k8s.io/apiserver, `pkg/admission/plugin/policy/generic`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::POLICY_PARAMETER_NOT_FOUND;
use super::admitted;
use super::binding::Binding;
use super::decision::Undecided;
use super::policy::{ParamKind, Policy};
use super::request::Request;
use crate::diag::{Diagnostic, Sink};
use crate::kube::{
    GroupVersionKind, Object, ObjectSet, Selects, meeting_namespace, selects, state_among,
};
use crate::schema::store;
use crate::tree::Node;
use crate::validate::objects::Cx;

/// An object, with its form in the API server.
pub(super) type Parameter<'o> = (&'o Object, Node);

/// The objects of the kinds of parameters, which several policies can share.
#[derive(Default)]
pub(super) struct Known<'o>(BTreeMap<(String, String), Arc<Vec<Parameter<'o>>>>);

impl<'o> Known<'o> {
    fn of_kind(
        &mut self,
        cx: Cx<'_>,
        set: &ObjectSet<'o>,
        gvk: &GroupVersionKind,
    ) -> Arc<Vec<Parameter<'o>>> {
        let objects = || {
            let objects = set.all().iter().filter(|it| *it.gvk == *gvk);
            objects.map(|it| (it, admitted::decoded(cx, it, it.root.clone()))).collect()
        };
        let key = (gvk.api_version(), gvk.kind.to_string());
        Arc::clone(self.0.entry(key).or_insert_with(|| Arc::new(objects())))
    }
}

/// The kind of the parameters of a policy, with its objects in the input.
pub(super) fn of_policy<'o>(
    cx: Cx<'_>,
    set: &ObjectSet<'o>,
    policy: &'o Object,
    known: &mut Known<'o>,
) -> Option<ParamKind<'o>> {
    let written = policy.root.at(&["spec", "paramKind"])?;
    let kind = written.str_at(&["kind"])?;
    let gvk = GroupVersionKind::new(written.str_at(&["apiVersion"])?, kind);
    let objects = known.of_kind(cx, set, &gvk);
    let custom = cx.custom.find(&gvk.group, kind).map(|it| it.is_namespaced);
    let built_in = || store::kind(&gvk.group, &gvk.version, kind).map(|it| it.is_namespaced);
    // A kind that only the cluster knows is namespaced if one of its objects is.
    let is_namespaced = custom
        .or_else(built_in)
        .unwrap_or_else(|| objects.iter().any(|(it, _)| !it.namespace.is_empty()));
    Some(ParamKind { kind, is_namespaced, objects })
}

/// The parameters of a binding for a request.
pub(super) enum Parameters<'p> {
    /// The policy is evaluated once for each; `None` is null.
    Found(Vec<Option<&'p Node>>),
    /// The binding is misconfigured; the message of the API server.
    Invalid(&'static str),
    /// The parameters are not in the input.
    Unknown(Undecided),
}

/// Finds the parameters of a binding.
pub(super) fn collect<'p>(
    policy: &'p Policy<'_>,
    binding: &Binding<'_>,
    request: &Request<'_>,
) -> Parameters<'p> {
    let (Some(kind), Some(reference)) = (&policy.parameters, binding.spec.get("paramRef")) else {
        return Parameters::Found(vec![None]);
    };
    let namespace = reference.str_at(&["namespace"]).filter(|it| !it.is_empty());
    let in_namespace = match (kind.is_namespaced, namespace, request.namespace) {
        (false, None, _) => None,
        (false, Some(_), _) => {
            return Parameters::Invalid(
                "paramRef.namespace must not be provided for a cluster-scoped `paramKind`",
            );
        }
        (true, Some(own), _) | (true, None, Some(own)) => Some(own),
        (true, None, None) => {
            return Parameters::Invalid(
                "cannot use namespaced paramRef in policy binding that matches cluster-scoped \
                 resources",
            );
        }
    };
    let is_there = |(it, _): &&(&Object, Node)| {
        in_namespace.is_none_or(|wanted| meeting_namespace(&it.namespace) == wanted)
    };
    let all = kind.objects.iter().filter(is_there);
    let found: Vec<_> = match (name(reference), reference.get("selector")) {
        (Some(name), _) => {
            all.filter(|(it, _)| it.name == name).map(|(_, it)| Some(it)).take(1).collect()
        }
        (None, Some(selector)) => {
            let is_selected = |(_, it): &&(&Object, Node)| {
                let labels = it.at(&["metadata", "labels"]);
                selects(selector, |key| state_among(labels, key)) == Selects::Yes
            };
            all.filter(is_selected).map(|(_, it)| Some(it)).collect()
        }
        (None, None) => Vec::new(),
    };
    if found.is_empty() && reference.str_at(&["parameterNotFoundAction"]) != Some("Allow") {
        let what = format!("a parameter of kind {}, which is not in the input", kind.kind);
        return Parameters::Unknown(Undecided { at: reference.span(), what });
    }
    Parameters::Found(found)
}

fn name(reference: &Node) -> Option<&str> {
    reference.str_at(&["name"]).filter(|it| !it.is_empty())
}

/// Reports a parameter with a name that the input lacks.
pub(super) fn check(policy: &Policy<'_>, binding: &Binding<'_>, sink: &mut Sink) {
    let (Some(kind), Some(reference)) = (&policy.parameters, binding.spec.get("paramRef")) else {
        return;
    };
    let Some((node, name)) = reference.get("name").zip(name(reference)) else { return };
    let namespace = reference.str_at(&["namespace"]).filter(|it| !it.is_empty());
    let is_it = |(it, _): &(&Object, Node)| {
        it.name == name && namespace.is_none_or(|wanted| meeting_namespace(&it.namespace) == wanted)
    };
    if kind.objects.iter().any(is_it) {
        return;
    }
    let message = format!("parameter {} `{name}` not found in the input", kind.kind);
    let consequence = if reference.str_at(&["parameterNotFoundAction"]) == Some("Allow") {
        "if the cluster lacks it too, the policy accepts every object"
    } else {
        "if the cluster lacks it too, the policy denies every object that it matches"
    };
    let finding = Diagnostic::new(&POLICY_PARAMETER_NOT_FOUND, node.span(), message)
        .at("not in the input")
        .label(policy.object.name_span(), "the policy")
        .note(consequence)
        .help(format!("add the {}, also to a directory of `--policies`", kind.kind));
    sink.report(finding);
}
