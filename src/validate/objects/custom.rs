//! Custom resources: the version they are written in, their own schema, and what is embedded.

use std::collections::BTreeSet;

use super::{
    API_VERSION_DEPRECATED, API_VERSION_REMOVED, API_VERSION_WRONG, Cx, KIND_UNKNOWN, expressions,
    name,
};
use crate::crd::{CustomKind, CustomVersion};
use crate::diag::{Diagnostic, Severity, Sink, nearest};
use crate::dialect::agent_sandbox::api::{self, ApiVersion, Moved};
use crate::kube::Object;
use crate::schema::{self, CheckContext, Type};
use crate::source::Span;
use crate::tree::Node;

/// The longest names (bytes) for which a near one is looked for.
const LONGEST_COMPARED: usize = 64;

/// Checks `object`, where it is a custom resource, and says whether its kind is known. `None` where it
/// may be of any other kind.
pub(super) fn check(cx: Cx<'_>, object: &Object, sink: &mut Sink) -> Option<bool> {
    let Some(kind) = cx.custom.find(&object.gvk.group, &object.gvk.kind) else {
        let finding = mistaken(object)?;
        sink.report(finding);
        return Some(false);
    };
    let Some(version) = kind.served(&object.gvk.version) else {
        sink.report(not_served(object, kind));
        return Some(true);
    };
    if let Some(warning) = version.deprecation {
        sink.report(deprecated(object, kind, warning));
    }
    let named = name::Named {
        group: &object.gvk.group,
        kind: &object.gvk.kind,
        is_namespaced: kind.is_namespaced,
    };
    name::check(cx, object, named, sink);
    let mut findings = Sink::new();
    let context = CheckContext::custom(cx.target, &object.gvk.kind).with_texts(cx.texts);
    schema::check(&object.root, version.root, &context, &mut findings);
    let findings = findings.into_sorted();
    let is_sound = findings.iter().all(|it| it.severity != Severity::Error);
    let mut places: BTreeSet<_> = findings.iter().map(|it| it.primary.span).collect();
    for finding in findings {
        if !is_replaced(&finding, object) && !is_told_by_rule(&finding, object) {
            sink.report(with_what_to_write(finding, object));
        }
    }
    if is_sound {
        expressions::check(cx, object, kind, version, sink);
    }
    check_embedded(cx, object, version, &mut places, sink);
    Some(true)
}

/// Checks what becomes a Pod, a volume claim or a network policy as such. The API server takes it
/// with the custom resource, whose schema knows neither enums nor the version of the cluster, and
/// refuses it when the controller makes the object of it.
fn check_embedded(
    cx: Cx<'_>,
    object: &Object,
    version: &CustomVersion<'_>,
    places: &mut BTreeSet<Span>,
    sink: &mut Sink,
) {
    let Some(kind) = api::find(&object.gvk.group, &object.gvk.kind) else { return };
    let mut findings = Sink::new();
    api::visit_embedded(kind, version.name, &object.root, &mut |node, path, name| {
        let Some(definition) = schema::definition(name) else { return };
        let what = name.rsplit('.').next().unwrap_or(name);
        let context = CheckContext::built_in(cx.target, what).with_texts(cx.texts);
        schema::check_at(node, path, Type::Object(definition), &context, &mut findings);
    });
    let note = format!(
        "the API server takes this `{}`, and refuses or changes what the controller makes of it",
        kind.name
    );
    for finding in findings.into_sorted() {
        if places.insert(finding.primary.span) {
            sink.report(finding.note(note.clone()));
        }
    }
}

/// The fields that authors write and that the object's version does not have.
fn moved(object: &Object) -> impl Iterator<Item = &'static Moved> {
    let kind = api::find(&object.gvk.group, &object.gvk.kind);
    let version = object.gvk.version.clone();
    let moved = kind.map_or(&[][..], |kind| kind.moved).iter();
    moved.filter(move |it| it.versions.contains_name(&version))
}

/// What an unknown field is called, or where it went, says more than the nearest name.
fn with_what_to_write(mut finding: Diagnostic, object: &Object) -> Diagnostic {
    let is_here = |moved: &&Moved| finding.path.as_deref() == Some(moved.path);
    let moved = moved(object).find(is_here).filter(|_| finding.rule == &schema::UNKNOWN_FIELD);
    if let Some(moved) = moved {
        finding.help = vec![moved.instead.to_owned()];
        finding.notes.clear();
        finding.suggestions.retain(|it| Some(it.replacement.as_str()) == moved.replaced_by);
    }
    finding
}

/// Whether a field is missed that the author wrote under its former name: that name is reported.
fn is_replaced(finding: &Diagnostic, object: &Object) -> bool {
    finding.rule == &schema::FIELD_MISSING
        && moved(object).any(|moved| {
            let (owner, key) = moved.path.rsplit_once('.').unwrap_or(("", moved.path));
            let keys: Vec<_> = owner.split('.').collect();
            finding.path.as_deref() == Some(owner)
                && moved
                    .replaced_by
                    .is_some_and(|name| finding.primary.text == format!("needs `{name}`"))
                && object.root.at(&keys).and_then(|it| it.get(key)).is_some()
        })
}

/// What was meant by a kind that neither agent-sandbox nor the input defines: a kind of
/// agent-sandbox under a wrong group, or a slip in the name of one.
fn mistaken(object: &Object) -> Option<Diagnostic> {
    let (group, name) = (object.gvk.group.as_str(), object.gvk.kind.as_str());
    let groups = [api::CORE_GROUP, api::EXTENSIONS_GROUP];
    let is_of_agent_sandbox = groups.contains(&group);
    if !is_of_agent_sandbox && (group.len() > LONGEST_COMPARED || nearest(group, groups).is_none())
    {
        return None;
    }
    let version = ApiVersion::V1Beta1.as_str();
    if let Some(kind) = api::KINDS.into_iter().find(|kind| kind.name == name) {
        let (right, span) = (format!("{}/{version}", kind.group), api_version_span(object));
        let message =
            format!("`{name}` is not in `{}`, but in `{right}`", object.gvk.api_version());
        let finding = Diagnostic::new(&API_VERSION_WRONG, span, message);
        let text = format!("write `apiVersion: {right}`");
        return Some(finding.at(format!("no `{name}` here")).suggest(span, right, text));
    }
    if !is_of_agent_sandbox {
        return None;
    }
    let span = object.root.get("kind").map_or_else(|| object.document.start_point(), Node::span);
    let message = format!("there is no kind `{name}` in `{group}`");
    let finding = Diagnostic::new(&KIND_UNKNOWN, span, message).at("no such kind");
    let names = || api::KINDS.into_iter().map(|kind| kind.name);
    let near = (name.len() <= LONGEST_COMPARED).then(|| nearest(name, names())).flatten();
    // `Claim` is the definition of a SandboxClaim.
    let near = near.or_else(|| names().find(|it| it.strip_prefix("Sandbox") == Some(name)));
    if let Some(near) = near {
        return Some(finding.suggest(span, near, format!("did you mean `{near}`?")));
    }
    let names: Vec<_> = names().map(|name| format!("`{name}`")).collect();
    Some(finding.note(format!("agent-sandbox has {}", names.join(", "))))
}

/// Whether a rule of agent-sandbox says the same of the field, and better.
fn is_told_by_rule(finding: &Diagnostic, object: &Object) -> bool {
    let is_general = [&schema::UNKNOWN_FIELD, &schema::DATE_TIME_INVALID].contains(&finding.rule);
    let kind = api::find(&object.gvk.group, &object.gvk.kind).filter(|_| is_general);
    let (Some(kind), Some(path)) = (kind, &finding.path) else { return false };
    let is_digit = |c: char| c.is_ascii_digit();
    let mut parts = path.split('[');
    let mut shape = parts.next().unwrap_or("").to_owned();
    for part in parts {
        shape.extend(["[", part.trim_start_matches(is_digit)]);
    }
    kind.told_by_rules.contains(&shape.as_str())
}

fn not_served(object: &Object, kind: &CustomKind<'_>) -> Diagnostic {
    let (group, name, version) = (&object.gvk.group, &object.gvk.kind, object.gvk.api_version());
    let span = api_version_span(object);
    let served: Vec<_> = kind
        .versions
        .iter()
        .filter(|version| version.is_served)
        .map(|version| format!("{group}/{}", version.name))
        .collect();
    let was_dropped = kind.definition.is_none() && is_old(&object.gvk.version);
    let finding = if was_dropped {
        let message = format!("`{name}` of `{version}` was removed in agent-sandbox 1.0");
        Diagnostic::new(&API_VERSION_REMOVED, span, message).at("no longer served")
    } else {
        let message = format!("`{name}` is not in `{version}`");
        Diagnostic::new(&API_VERSION_WRONG, span, message).at(format!("no `{name}` here"))
    };
    let finding = match served.first() {
        None => finding.note("its definition serves no version"),
        Some(first) => finding.suggest(span, first, format!("write `apiVersion: {first}`")),
    };
    with_definition(finding, kind)
}

/// Whether it is a version that agent-sandbox once served.
fn is_old(version: &str) -> bool {
    version == ApiVersion::V1Alpha1.as_str()
}

fn deprecated(object: &Object, kind: &CustomKind<'_>, warning: &str) -> Diagnostic {
    let (name, version) = (&object.gvk.kind, object.gvk.api_version());
    let message = format!("`{name}` of `{version}` is deprecated");
    let finding = Diagnostic::new(&API_VERSION_DEPRECATED, api_version_span(object), message)
        .at("deprecated")
        .note(format!("the API server answers: {warning}"));
    let current = kind.versions.iter().find(|it| it.is_served && it.deprecation.is_none());
    let finding = finding.help_if(current.map(|current| {
        let group = &object.gvk.group;
        format!("write `apiVersion: {group}/{}`, and check again: fields may differ", current.name)
    }));
    with_definition(finding, kind)
}

fn with_definition(finding: Diagnostic, kind: &CustomKind<'_>) -> Diagnostic {
    match kind.definition {
        Some(place) => finding.label(place, "the kind is defined here"),
        None => finding,
    }
}

fn api_version_span(object: &Object) -> Span {
    object.root.get("apiVersion").map_or_else(|| object.document.start_point(), Node::span)
}
