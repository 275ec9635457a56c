//! Custom resources: their version, their schema, and embedded built-in types.

use super::newer::LaterFields;
use super::{
    API_VERSION_DEPRECATED, API_VERSION_REMOVED, API_VERSION_WRONG, KIND_UNKNOWN, ObjectContext,
    expressions, name, scale,
};
use crate::crd::description::{Moved, System};
use crate::crd::{CustomKind, CustomKinds, CustomVersion, visit_embedded};
use crate::diag::{
    About, CommonCause, Diagnostic, FieldPath, Meant, Message, Severity, Sink, brief, message,
    nearest,
};
use crate::kube::Object;
use crate::schema::{self, CheckContext, Type};
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::{Entry, Node};

/// The longest name, in bytes, for which a similar one is searched.
const LONGEST_COMPARED: usize = 64;

/// Checks `object` if it is a custom resource, and returns whether its kind is known. `None` if it may
/// be a built-in kind.
pub(super) fn check(cx: ObjectContext<'_>, object: &Object, sink: &mut Sink) -> Option<bool> {
    let Some(kind) = cx.custom.find(&object.gvk.group, &object.gvk.kind) else {
        let finding = mistaken_group(cx.custom, object)?;
        sink.report(finding);
        return Some(false);
    };
    let Some(version) = kind.served(&object.gvk.version) else {
        sink.report(not_served(object, kind));
        return Some(true);
    };
    if let Some(warning) = version.deprecation {
        sink.report(deprecated_version(object, kind, warning));
    }
    let named = name::Named {
        group: &object.gvk.group,
        kind: &object.gvk.kind,
        is_namespaced: kind.is_namespaced,
    };
    name::check(cx, object, named, sink);
    let mut findings = sink.part();
    check_against_schema(cx, object, kind, version, &mut findings);
    // What one of the definitions accepts may be right: which of them is installed is unknown.
    let uncached = ObjectContext { rule_findings: None, ..cx };
    if findings.reported().is_some() {
        let is_accepted = kind.alternatives(version.name).any(|other| {
            let mut others = sink.part();
            check_against_schema(uncached, object, kind, other, &mut others);
            others.reported().is_none()
        });
        let errors = findings.iter_mut().filter(|finding| finding.severity == Severity::Error);
        for finding in errors.filter(|_| is_accepted) {
            finding.severity = Severity::Warning;
        }
    }
    sink.absorb(findings);
    Some(true)
}

/// Checks an object against a version of its definition.
fn check_against_schema(
    cx: ObjectContext<'_>,
    object: &Object,
    kind: &CustomKind<'_>,
    version: &CustomVersion<'_>,
    sink: &mut Sink,
) {
    let mut findings = sink.part();
    let context = CheckContext::custom(cx.target, &object.gvk.kind).with_texts(cx.texts);
    schema::check(&object.root, version.root, &context.with_fuel(cx.fuel), &mut findings);
    let findings = findings.into_sorted();
    let is_sound = findings.iter().all(|finding| finding.severity != Severity::Error);
    let places: SortedSet<_> = findings.iter().map(|finding| finding.primary.span).collect();
    let later = LaterFields::of(cx, object, kind, &findings);
    for finding in findings {
        let former =
            moved_fields(cx, object).find_map(|moved| entry_instead(moved, &finding, object));
        let finding = match former {
            Some(entry) => finding.same_mistake_as(entry.key_origin().span()),
            None => finding,
        };
        let finding = with_rule(cx, finding, object);
        let finding = with_what_to_write(cx, finding, object);
        sink.report(match &later {
            Some(later) => later.name_release(finding),
            None => finding,
        });
    }
    if let Some(paths) = &version.scale {
        scale::check(object, paths, sink);
    }
    if is_sound {
        expressions::check(cx, object, kind, version, sink);
    }
    check_embedded(cx, object, version, &places, sink);
}

/// Checks the parts that become Pods, volume claims or network policies. The API server accepts
/// them in the custom resource, whose schema has neither enums nor the version of the cluster, and
/// rejects the objects that the controller creates from them.
fn check_embedded(
    cx: ObjectContext<'_>,
    object: &Object,
    version: &CustomVersion<'_>,
    places: &SortedSet<Span>,
    sink: &mut Sink,
) {
    let described = cx.custom.described(&object.gvk.group, &object.gvk.kind);
    let Some(kind) = described else { return };
    let mut findings = sink.part();
    visit_embedded(kind, version.name, &object.root, &mut |node, path, name| {
        let Some(definition) = schema::definition(name) else { return };
        let what = name.rsplit('.').next().unwrap_or(name);
        let context = CheckContext::built_in(cx.target, what).with_texts(cx.texts);
        schema::check_at(node, path, Type::Object(definition), &context, &mut findings);
    });
    for finding in findings.into_sorted() {
        let place = finding.primary.span;
        let finding = finding.note(message!(
            "the API server accepts this `{}`, but rejects or changes the object that the controller creates from it",
            kind.name
        ));
        let is_known = places.contains(&place);
        sink.report(if is_known { finding.same_mistake_as(place) } else { finding });
    }
}

/// The fields that authors write but the object's version does not have.
fn moved_fields(
    cx: ObjectContext<'_>,
    object: &Object,
) -> impl Iterator<Item = &'static Moved> + use<> {
    let kind = cx.custom.described(&object.gvk.group, &object.gvk.kind);
    let version = object.gvk.version.clone();
    let moved = kind.map_or(&[][..], |kind| kind.moved).iter();
    moved.filter(move |moved| moved.versions.contains(&version))
}

/// Replaces the suggestion of a similar name for an unknown field with the field that replaced it,
/// which is more specific.
fn with_what_to_write(
    cx: ObjectContext<'_>,
    mut finding: Diagnostic,
    object: &Object,
) -> Diagnostic {
    let (About::UnknownField(_), Some(path)) = (&finding.details().about, &finding.details().path)
    else {
        return finding;
    };
    let Some(moved) = moved_fields(cx, object).find(|moved| FieldPath::from(moved.path) == *path)
    else {
        return finding;
    };
    let is_near = matches!(
        &finding.details().about,
        About::UnknownField(Some(Meant::Field(near))) if moved.replaced_by == Some(&**near)
    );
    let near = finding.details_mut().suggestions.pop().filter(|_| is_near);
    finding = finding.about(About::UnknownField(Some(Meant::Elsewhere))).without_advice();
    finding.details_mut().suggestions.extend(near);
    finding.help(moved.instead)
}

/// The entry with the former name of the required field that a finding reports as missing.
fn entry_instead<'o>(moved: &Moved, finding: &Diagnostic, object: &'o Object) -> Option<&'o Entry> {
    let (owner, key) = moved.path.rsplit_once('.').unwrap_or(("", moved.path));
    let keys: Vec<_> = owner.split('.').collect();
    let About::MissingField(field) = &finding.details().about else { return None };
    let is_replaced = moved.replaced_by == Some(&**field)
        && finding.details().path.as_ref().is_some_and(|path| path.is(&keys));
    is_replaced.then(|| object.root.at(&keys)?.entry(key)).flatten()
}

/// Suggests a kind for one that neither a system nor the input defines: a kind of a system with a
/// wrong group, or a similar name in a group.
fn mistaken_group(custom: &CustomKinds<'_>, object: &Object) -> Option<Diagnostic> {
    let (group, name) = (object.gvk.group.as_str(), object.gvk.kind.as_str());
    let (system, is_group_of_it) = system_of(custom, group, name)?;
    if let Some((right, _)) = system.names().find(|(_, kind)| *kind == name) {
        let version = system.current_version(name);
        let (right, span) = (format!("{right}/{version}"), api_version_span(object));
        let message =
            message!("kind `{name}` is in `{right}`, not in `{}`", object.gvk.api_version());
        let finding = Diagnostic::new(&API_VERSION_WRONG, span, message).about(About::UnknownKind);
        let text = message!("write `apiVersion: {right}`");
        return Some(finding.at(message!("no `{name}` here")).suggest(span, right, text));
    }
    if !is_group_of_it {
        return None;
    }
    let span = object.root.get("kind").map_or_else(|| object.document.start_point(), Node::span);
    let message = message!("unknown kind `{name}` in `{group}`");
    let finding = Diagnostic::new(&KIND_UNKNOWN, span, message).at("no such kind");
    let names = || system.names().map(|(_, kind)| kind);
    let near = (name.len() <= LONGEST_COMPARED).then(|| nearest(name, names())).flatten();
    // A definition has a shorter name than the kind it compiles to.
    let near = near.or_else(|| names().find(|known| !name.is_empty() && known.ends_with(name)));
    if let Some(near) = near {
        return Some(finding.suggest(span, near, message!("did you mean `{near}`?")));
    }
    let names = Message::joined(names().map(|name| message!("`{name}`")), ", ");
    let newer = message!(
        "if a newer release of {} defines it, add its CustomResourceDefinition: `--crd FILE`, or `crds` \
         in the Project",
        system.name
    );
    Some(finding.note(message!("kinds of {}: {names}", system.name)).help(newer))
}

/// The system that has the group, or else the kind in a similar group, and which of the two applies.
fn system_of(custom: &CustomKinds<'_>, group: &str, kind: &str) -> Option<(&'static System, bool)> {
    let systems = || custom.systems().iter().copied();
    let has = |system: &&System, group: &str| system.names().any(|known| known.0 == group);
    if let Some(system) = systems().find(|system| has(system, group)) {
        return Some((system, true));
    }
    // Few objects that are not of a system have such a kind: a built-in one is not searched.
    let has_kind = systems().flat_map(System::names).any(|known| known.1 == kind);
    if group.len() > LONGEST_COMPARED || !has_kind {
        return None;
    }
    let groups = systems().flat_map(System::names).map(|it| it.0);
    let near = nearest(group, groups)?;
    systems().find(|system| has(system, near)).map(|system| (system, false))
}

/// Links the finding to the more specific one that a rule of the system reports for the same field.
fn with_rule(cx: ObjectContext<'_>, finding: Diagnostic, object: &Object) -> Diagnostic {
    let is_general = matches!(finding.details().about, About::UnknownField(_))
        || finding.rule == &schema::DATE_TIME_INVALID;
    let kind = cx.custom.described(&object.gvk.group, &object.gvk.kind).filter(|_| is_general);
    let (Some(kind), Some(path)) = (kind, &finding.details().path) else { return finding };
    let has_fields = |shape: &str| path.fields().eq(shape.split('.').map(without_index));
    let has_rule = kind.told_by_rules.iter().any(|shape| has_fields(shape));
    let place = finding.primary.span;
    if has_rule { finding.same_mistake_as(place) } else { finding }
}

fn without_index(field: &str) -> &str {
    field.trim_end_matches("[]")
}

/// The length in bytes of a version above which it is not suggested: no API server has such a version, and
/// thousands of objects would repeat it.
const LONGEST_SUGGESTED: usize = 1_024;

fn not_served(object: &Object, kind: &CustomKind<'_>) -> Diagnostic {
    let (group, name, version) = (&object.gvk.group, &object.gvk.kind, object.gvk.api_version());
    let span = api_version_span(object);
    let served = kind.versions.iter().find(|version| version.is_served);
    let removal = kind.system.and_then(|it| it.removed);
    let removed = removal.filter(|removed| removed.version == object.gvk.version);
    let finding = if let Some(removed) = removed {
        let release = removed.release;
        let message = message!("`{name}` of `{version}` was removed in {release}");
        Diagnostic::new(&API_VERSION_REMOVED, span, message)
            .about(About::UnknownKind)
            .at("no longer served")
    } else {
        let message = message!("kind `{name}` is not in `{version}`");
        Diagnostic::new(&API_VERSION_WRONG, span, message)
            .about(About::UnknownKind)
            .at(message!("no `{name}` here"))
    };
    let finding = match served {
        None => finding.note("its definition serves no version"),
        Some(first) if first.name.len() > LONGEST_SUGGESTED => finding,
        Some(first) => {
            let first = format!("{group}/{}", first.name);
            let text = message!("write `apiVersion: {first}`");
            finding.suggest(span, first, text)
        }
    };
    let finding = finding.help_if(removed.map(|it| it.instead));
    with_definition(finding, kind)
}

fn deprecated_version(object: &Object, kind: &CustomKind<'_>, warning: &str) -> Diagnostic {
    let (name, version) = (&object.gvk.kind, object.gvk.api_version());
    let message = message!("`{name}` of `{version}` is deprecated");
    let finding = Diagnostic::new(&API_VERSION_DEPRECATED, api_version_span(object), message)
        .at("deprecated")
        .because_of(CommonCause::Kind(
            object.gvk.group.as_str().into(),
            object.gvk.version.as_str().into(),
        ))
        .note(message!("the API server warns: {}", brief(warning)));
    let current =
        kind.versions.iter().find(|version| version.is_served && version.deprecation.is_none());
    let finding = finding.help_if(current.map(|current| {
        let group = &object.gvk.group;
        let current = brief(current.name);
        let write = message!("write `apiVersion: {group}/{current}`");
        if kind.system.is_some() {
            message!("{write}; `sandboxc migrate` also converts the fields that differ")
        } else {
            message!("{write}, and check again: fields may differ")
        }
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
