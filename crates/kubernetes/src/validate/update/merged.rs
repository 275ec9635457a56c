//! What the API server rejects in the object that an apply makes, though neither form has the fault: the stored object
//! has defaults that the new form does not remove.

use std::cell::LazyCell;

use super::custom::violation;
use super::pod_admission::settle_pod;
use super::service_type::settle_service;
use super::{Refusal, UPDATE_NOT_ALLOWED, UpdateContext};
use crate::applying::server_side::{self, Typed};
use crate::applying::{self, Failure, Method, Rejected, has_applied, is_live};
use crate::crd::{self, Breach};
use crate::diag::{Diagnostic, FieldPath, Message, Severity, Sink, message};
use crate::kube::Object;
use crate::schema::{self, CheckContext};
use crate::tree::Node;
use crate::validate::objects::expressions::CEL_RULE_BROKEN;
use crate::validate::policies::{comparable_form, type_of_object};
use crate::validate::rules;

/// The largest weight of both forms of an object that is merged. The merge of large lists is quadratic, as in kubectl.
pub const LARGEST_MERGED: usize = 100_000;

/// A fault of a merged object.
struct Fault {
    finding: Diagnostic,
    path: FieldPath,
}

/// What the API server rejects if `new` is applied over `old` with one of the methods. With several, a fault of only
/// one of them is a warning that names it.
#[must_use]
pub fn judge_merged(
    cx: UpdateContext<'_>,
    [old, new]: [&Object; 2],
    methods: &[Method],
) -> Vec<Refusal> {
    let weight = old.root.weight().saturating_add(new.root.weight());
    // Messages about the values of a Secret could show them.
    let is_secret = new.gvk.is("", "Secret");
    if is_secret || weight > LARGEST_MERGED || old.gvk.version != new.gvk.version {
        return Vec::new();
    }
    let stored = stored_form(cx, old);
    let ty = typed(cx, new);
    // Few merged objects have a fault, and only then those of both forms count.
    let known = LazyCell::new(|| {
        [new, &stored].iter().flat_map(|form| faults(cx, form)).collect::<Vec<_>>()
    });
    let mut all: Vec<(Method, Fault)> = Vec::new();
    let requests = methods.iter().flat_map(|method| {
        let first = (*method == Method::KUBECTL_SERVER_SIDE && takes_over(old)).then_some(FIRST);
        first.into_iter().chain([*method]).map(move |request| (method, request))
    });
    for (method, request) in requests {
        // `refusal_of` is about a form that cannot be merged.
        let merged = applying::apply(request, ty, [old, new], stored.root.clone());
        let Ok(mut merged) = merged else { continue };
        settle(&stored.root, &mut merged);
        let found = faults(cx, &merged).into_iter();
        let own = found.filter(|fault| !known.iter().any(|known| is_same(known, fault)));
        for fault in own.collect::<Vec<_>>() {
            if !all.iter().any(|(of, known)| of == method && is_same(known, &fault)) {
                all.push((*method, fault));
            }
        }
    }
    let mut refusals = Vec::new();
    while !all.is_empty() {
        let (first, fault) = all.remove(0);
        let is_of_all =
            all.iter().filter(|(_, other)| is_same(other, &fault)).count() + 1 == methods.len();
        all.retain(|(_, other)| !is_same(other, &fault));
        let accepts_null = is_of_all && methods.iter().any(|method| method.is_client_side());
        refusals.push(refusal(new, fault, (!is_of_all).then_some(first), accepts_null));
    }
    refusals
}

/// The first request of a `kubectl apply --server-side` that takes over the fields of client-side apply: kubectl only does
/// so if this one is accepted, and then applies the form again.
const FIRST: Method = Method::ServerSide { manager: "kubectl, as a new manager", is_forced: true };

/// Whether kubectl has only applied an object of a cluster client-side.
fn takes_over(old: &Object) -> bool {
    !old.root.items_at(&["metadata", "managedFields"]).is_empty() && !has_applied("kubectl", old)
}

/// Sets what the API server sets in an update, whatever the request has (`PrepareForUpdate`, and admission).
pub fn settle(stored: &Node, merged: &mut Object) {
    if merged.gvk.is("", "Service") {
        settle_service(stored, &mut merged.root);
    }
    if merged.gvk.is("", "Pod") {
        settle_pod(stored, &mut merged.root);
    }
    let finalizers = stored.at(&["spec", "finalizers"]);
    if let Some(finalizers) = finalizers.filter(|_| merged.gvk.is("", "Namespace")) {
        let origin = merged.root.origin();
        if let Some(spec) = merged.root.map_mut("spec", origin) {
            spec.set("finalizers", finalizers.clone());
        }
    }
}

/// The finding about a form that cannot be applied.
#[must_use]
pub fn refusal_of(rejected: &Rejected, new: &Object) -> Refusal {
    let title = new.title();
    let (message, reason, help) = match rejected {
        Rejected::ClientSide(Failure::Patch(cause) | Failure::Merge(cause)) => (
            message!("client-side `kubectl apply` of {title} fails"),
            message!("the patch cannot be made or merged: {}", cause.to_string()),
            "use `kubectl apply --server-side`",
        ),
        Rejected::ServerSide(failure) => (
            message!("server-side apply of {title} fails"),
            message!("the API server answers `{}`", failure.to_string().replace('\n', " ")),
            match failure {
                server_side::Failure::Conflicts(_) => {
                    "remove the fields, or take them over with `--force-conflicts`"
                }
                server_side::Failure::Null { .. } => "remove the field as well",
                _ => "remove one of the items",
            },
        ),
    };
    let finding = Diagnostic::new(&UPDATE_NOT_ALLOWED, new.name_span(), message)
        .at("cannot be applied")
        .note(reason)
        .help(help);
    Refusal { finding, field: String::new(), remedy: None }
}

/// The type of an object for server-side apply.
#[must_use]
pub fn typed<'c>(cx: UpdateContext<'c>, object: &Object) -> Typed<'c> {
    let [_, custom] = cx.custom;
    let is_custom = applying::definition(&object.gvk).is_none();
    Typed::of_object(type_of_object(custom, &object.gvk), is_custom)
}

/// An object as the API server has stored it.
#[must_use]
pub fn stored_form(cx: UpdateContext<'_>, old: &Object) -> Object {
    let [custom, _] = cx.custom;
    let root = if is_live(old) {
        old.root.clone()
    } else {
        comparable_form(cx.target, custom, old, cx.fuel)
    };
    Object { root, ..old.clone() }
}

/// The errors of an object by the rules of its kind.
fn faults(cx: UpdateContext<'_>, object: &Object) -> Vec<Fault> {
    let mut sink = Sink::new();
    rules::check(object, cx.target, &mut sink);
    let [_, custom] = cx.custom;
    if let Some(kind) = custom.find(&object.gvk.group, &object.gvk.kind) {
        let context = CheckContext::custom(cx.target, &object.gvk.kind).with_fuel(cx.fuel);
        schema::check(&object.root, type_of_object(custom, &object.gvk), &context, &mut sink);
        let version = kind.served(&object.gvk.version).filter(|_| sink.reported().is_none());
        if let Some(expressions) = version.and_then(|version| version.expressions.as_ref()) {
            expressions.run(&object.root, object.document, cx.fuel, &mut |broken| {
                if let Some(finding) = broken_rule(&broken) {
                    sink.report(finding);
                }
            });
        }
    }
    let errors = sink.into_sorted().into_iter();
    let errors = errors.filter(|finding| finding.severity == Severity::Error);
    let errors = errors.filter_map(|finding| {
        let path = finding.details().path.clone()?;
        Some(Fault { finding, path })
    });
    errors.collect()
}

/// The finding about a rule of a definition that is certainly violated.
fn broken_rule(broken: &crd::Finding<'_>) -> Option<Diagnostic> {
    let what = match &*broken.path {
        "" => message!("the object"),
        path => message!("`{path}`"),
    };
    let is_false = matches!(broken.breach, Breach::False(_));
    let message = violation(&what, &broken.breach).filter(|_| is_false)?;
    Some(Diagnostic::new(&CEL_RULE_BROKEN, broken.span, message).path(&broken.path))
}

fn is_same(one: &Fault, other: &Fault) -> bool {
    one.finding.rule == other.finding.rule && one.path == other.path
}

/// The finding about a fault. `method` is the one that it is limited to; `accepts_null` says whether null in the form
/// removes a value.
fn refusal(new: &Object, fault: Fault, method: Option<Method>, accepts_null: bool) -> Refusal {
    let Fault { finding, path } = fault;
    let message = finding.details().message.clone();
    let is_kept = new.root.at_path(path.steps()).is_none();
    let reason = if is_kept {
        message!("the stored object has `{path}`, which the new one does not remove")
    } else {
        Message::from("the new object has other fields than the stored one, which stay")
    };
    let (note, help) = match method {
        None => (
            message!("the API server rejects the update: {reason}"),
            help_of_all(&path, is_kept && accepts_null),
        ),
        Some(Method::ServerSide { .. }) => (
            message!(
                "the API server rejects `kubectl apply --server-side`: {reason}; client-side `kubectl apply` removes it"
            ),
            Message::from("apply it once client-side, or with `kubectl replace`"),
        ),
        Some(Method::ClientSide | Method::Helm) => (
            message!(
                "the API server rejects client-side `kubectl apply`: {reason}; `kubectl apply --server-side` removes it"
            ),
            help_of_all(&path, is_kept),
        ),
    };
    let severity = if method.is_some() { Severity::Warning } else { Severity::Error };
    let label = if is_kept { "the stored value stays" } else { "does not fit the stored object" };
    let finding = Diagnostic::new(&UPDATE_NOT_ALLOWED, finding.primary.span, message)
        .with_severity(severity)
        .at(label)
        .path(&path)
        .note(note)
        .help(help);
    Refusal { finding, field: path.to_string(), remedy: None }
}

fn help_of_all(path: &FieldPath, can_remove: bool) -> Message {
    match path.fields().last() {
        Some(field) if can_remove => message!(
            "add `{field}: null` for client-side `kubectl apply`, or use `kubectl replace`"
        ),
        _ => "use `kubectl replace`".into(),
    }
}
