//! The parameters of a binding.
//!
//! Follows `CollectParams` of k8s.io/apiserver, `pkg/admission/plugin/policy/generic`.

use std::sync::{Arc, OnceLock};

use super::POLICY_PARAMETER_NOT_FOUND;
use super::admitted;
use super::binding::Binding;
use super::decision::Undecided;
use super::policy::{ParamKind, Policy};
use super::request::{Labels, Request, labels};
use crate::diag::{Diagnostic, Sink, message};
use crate::kube::{
    GroupVersionKind, Object, ObjectSet, Selects, meeting_namespace, selects, state_of,
};
use crate::schema::store;
use crate::sorted::SortedMap;
use crate::tree::Node;
use crate::validate::fields::filled_text;
use crate::validate::objects::ObjectContext;

/// An object that can be a parameter.
pub(super) struct Parameter<'o> {
    object: &'o Object,
    /// Its form in the API server, decoded on first use. Most objects of a kind are not parameters, and the
    /// defaults of a kind can be large.
    form: OnceLock<Form>,
}

struct Form {
    root: Node,
    labels: Labels,
}

impl Parameter<'_> {
    /// Its form in the API server. It is kept for the whole run, so the run spends the fuel, and not the
    /// object for which it is decoded first.
    fn form(&self, of_run: ObjectContext<'_>) -> &Form {
        self.form.get_or_init(|| {
            let root = admitted::decoded(of_run, self.object, self.object.root.clone());
            Form { labels: labels(&root), root }
        })
    }

    fn is_in(&self, namespace: Option<&str>) -> bool {
        namespace.is_none_or(|namespace| meeting_namespace(&self.object.namespace) == namespace)
    }
}

/// The objects of a kind.
pub(super) struct Objects<'o> {
    of_run: ObjectContext<'o>,
    all: Vec<Parameter<'o>>,
    /// Their positions by name.
    by_name: SortedMap<&'o str, Vec<usize>>,
}

impl<'o> Objects<'o> {
    fn add(&mut self, object: &'o Object) {
        self.by_name.entry(&object.name).or_default().push(self.all.len());
        self.all.push(Parameter { object, form: OnceLock::new() });
    }

    /// The objects with a name, in all namespaces.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Parameter<'o>> {
        self.by_name.get(name).into_iter().flatten().filter_map(|position| self.all.get(*position))
    }

    /// The number of objects.
    pub(super) const fn count(&self) -> usize {
        self.all.len()
    }
}

/// The objects of the kinds of parameters, which several policies can share.
#[derive(Default)]
pub(super) struct Known<'o>(SortedMap<(String, String), Arc<Objects<'o>>>);

impl<'o> Known<'o> {
    fn of_kind(
        &mut self,
        cx: ObjectContext<'o>,
        set: &ObjectSet<'o>,
        gvk: &GroupVersionKind,
    ) -> Arc<Objects<'o>> {
        let objects = || {
            let mut objects = Objects { of_run: cx, all: Vec::new(), by_name: SortedMap::new() };
            set.all()
                .iter()
                .filter(|object| *object.gvk == *gvk)
                .for_each(|object| objects.add(object));
            objects
        };
        let key = (gvk.api_version(), gvk.kind.to_string());
        Arc::clone(self.0.entry(key).or_insert_with(|| Arc::new(objects())))
    }
}

/// The kind of the parameters of a policy, with its objects in the input.
pub(super) fn of_policy<'o>(
    cx: ObjectContext<'o>,
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
    let is_namespaced = custom.or_else(built_in).unwrap_or_else(|| {
        objects.all.iter().any(|parameter| !parameter.object.namespace.is_empty())
    });
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
    let namespace = filled_text(reference, "namespace");
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
    let is_there = |parameter: &&Parameter<'_>| parameter.is_in(in_namespace);
    let form = |parameter: &'p Parameter<'_>| parameter.form(kind.objects.of_run);
    let found: Vec<_> = match (name_of_reference(reference), reference.get("selector")) {
        (Some(name), _) => kind
            .objects
            .named(name)
            .find(is_there)
            .map(|parameter| Some(&form(parameter).root))
            .into_iter()
            .collect(),
        (None, Some(selector)) => {
            let is_selected = |form: &&Form| {
                selects(selector, |key| state_of(form.labels.get(key))) == Selects::Yes
            };
            let all = kind.objects.all.iter().filter(is_there).map(form);
            all.filter(is_selected).map(|selected| Some(&selected.root)).collect()
        }
        (None, None) => Vec::new(),
    };
    if found.is_empty() && reference.str_at(&["parameterNotFoundAction"]) != Some("Allow") {
        let what = format!("a parameter of kind {}, which is not in the input", kind.kind);
        return Parameters::Unknown(Undecided { at: reference.span(), what });
    }
    Parameters::Found(found)
}

fn name_of_reference(reference: &Node) -> Option<&str> {
    filled_text(reference, "name")
}

/// Reports a parameter with a name that the input lacks.
pub(super) fn check(policy: &Policy<'_>, binding: &Binding<'_>, sink: &mut Sink) {
    let (Some(kind), Some(reference)) = (&policy.parameters, binding.spec.get("paramRef")) else {
        return;
    };
    let Some((node, name)) = reference.get("name").zip(name_of_reference(reference)) else {
        return;
    };
    let namespace = filled_text(reference, "namespace");
    if kind.objects.named(name).any(|it| it.is_in(namespace)) {
        return;
    }
    let message = message!("parameter {} `{name}` not found in the input", kind.kind);
    let consequence = if reference.str_at(&["parameterNotFoundAction"]) == Some("Allow") {
        "if the cluster lacks it too, the policy accepts every object"
    } else {
        "if the cluster lacks it too, the policy denies every object that it matches"
    };
    let finding = Diagnostic::new(&POLICY_PARAMETER_NOT_FOUND, node.span(), message)
        .at("not in the input")
        .label(policy.object.name_span(), "the policy")
        .note(consequence)
        .help(message!("add the {}, also to a directory of `--policies`", kind.kind));
    sink.report(finding);
}
