//! The envelope: `apiVersion` and `kind`, and their meaning in the target version.

use super::{
    API_VERSION_DEPRECATED, API_VERSION_MISSING, API_VERSION_NOT_SERVED, API_VERSION_REMOVED,
    API_VERSION_WRONG, KIND_MISSING, KIND_NOT_IN_VERSION, KIND_UNKNOWN, NOT_AN_OBJECT,
    ObjectContext, SCHEMA_UNKNOWN, kinds,
};
use crate::convert;
use crate::crd::description::System;
use crate::diag::{
    About, CommonCause, Diagnostic, Message, Rule, Severity, Sink, Words, message, nearest,
};
use crate::kube::{self, Object};
use crate::scalar::{check_dns_subdomain, check_service_name};
use crate::schema::store::{self, Kind};
use crate::schema::{self, CheckContext, KubernetesVersion, Type};
use crate::source::Span;
use crate::tree::{Entry, Node, Path};
use crate::validate::fields::text_of;

/// The built-in kind of `object`, if it can be created in the target version.
pub(super) fn check(
    cx: ObjectContext<'_>,
    object: &Object,
    sink: &mut Sink,
) -> Option<&'static Kind> {
    if object.root.as_map().is_none() {
        sink.report(not_an_object(object));
        return None;
    }
    if let Some(finding) = without_both(cx, object) {
        sink.report(finding);
        return None;
    }
    let api_version = read_text(cx, object, "apiVersion", &API_VERSION_MISSING, sink);
    let kind = read_text(cx, object, "kind", &KIND_MISSING, sink);
    let (api_version, kind) = (api_version?, kind?);
    let Some(found) = store::kind(&object.gvk.group, &object.gvk.version, &object.gvk.kind) else {
        report_unknown_kind(cx, object, api_version, kind, sink);
        return None;
    };
    if !found.versions.contains(cx.target) {
        sink.report(not_in_target(cx.target, found, api_version, kind));
        return None;
    }
    if !found.is_served_by_default() {
        sink.report(not_served(cx.target, found, api_version));
    } else if let Some(finding) = deprecated_version(cx.target, found, api_version) {
        sink.report(finding);
    }
    Some(found)
}

fn not_an_object(object: &Object) -> Diagnostic {
    let span = object.root.span();
    let finding = Diagnostic::new(
        &NOT_AN_OBJECT,
        span.start_point(),
        message!("the document is {}, not a Kubernetes object", object.root.describe()),
    )
    .at("not a map");
    if object.root.items().is_empty() {
        finding.help("write `apiVersion`, `kind` and `metadata`")
    } else {
        finding.help("write each item as its own document, with a `---` line between them")
    }
}

/// The finding for a document that has neither `apiVersion` nor `kind`, nor a key that is meant to be one.
fn without_both(cx: ObjectContext<'_>, object: &Object) -> Option<Diagnostic> {
    let keys = ["apiVersion", "kind"];
    let is_meant =
        |entry: &Entry| nearest(&entry.key, keys).is_some() || keys.contains(&entry.key.as_str());
    let entries = object.root.entries();
    if entries.iter().any(|entry| is_meant(entry) || entry.key.starts_with("---")) {
        return None;
    }
    let first_key = entries.first().map(|entry| entry.key_origin().span());
    let start = first_key.unwrap_or_else(|| object.root.span().start_point());
    if let Some(what) = cx.convertible.and_then(|what_is| what_is(&object.root)) {
        let what = Words(what);
        let message = message!("the document looks like {what}, not like a Kubernetes object");
        let finding = Diagnostic::new(&API_VERSION_MISSING, start, message);
        let help = "convert it to definitions: `sandboxc import FILE`";
        return Some(finding.at("neither `apiVersion` nor `kind`").help(help));
    }
    let message = "the object has neither `apiVersion` nor `kind`";
    Some(
        Diagnostic::new(&API_VERSION_MISSING, start, message)
            .at("needs `apiVersion` and `kind`")
            .help("add both, or leave the document out if it is not a Kubernetes object"),
    )
}

/// The entry of `apiVersion` or `kind`, if it is a non-empty string.
fn read_text<'o>(
    cx: ObjectContext<'_>,
    object: &'o Object,
    key: &str,
    rule: &'static Rule,
    sink: &mut Sink,
) -> Option<&'o Entry> {
    let entry = object.root.entry(key);
    if let Some(entry) =
        entry.filter(|entry| entry.value.as_str().is_some_and(|text| !text.is_empty()))
    {
        return Some(entry);
    }
    // A key without a value counts as missing; the finding is at the key, where the value belongs.
    let own = object.root.entries().iter().find(|entry| entry.key == key);
    let place = own.or(object.root.entries().first()).map(|entry| entry.key_origin().span());
    let start = place.unwrap_or_else(|| object.root.span().start_point());
    let misspelt = object.root.entries().iter().find(|entry| {
        entry.key != key && nearest(&entry.key, [key]).is_some() && entry.key.len() < 20
    });
    // A document marker attached to the key is reported when the file is split.
    if misspelt.is_some_and(|entry| entry.key.starts_with("---")) {
        return None;
    }
    let finding = match (entry, misspelt) {
        (Some(entry), _) => {
            let message =
                message!("`{key}` must be a string, not {}", describe_value(&entry.value));
            Diagnostic::new(rule, entry.value.span(), message)
                .at("not a string")
                .help(example_of_key(cx, object, key))
        }
        (None, Some(misspelt)) => {
            let message = message!("the object has no `{key}`");
            let span = misspelt.key_origin().span();
            Diagnostic::new(rule, span, message).at(message!("did you mean `{key}`?")).suggest(
                span,
                key,
                message!("write `{key}`"),
            )
        }
        (None, None) => {
            let message = message!("the object has no `{key}`");
            Diagnostic::new(rule, start, message)
                .at(message!("needs `{key}`"))
                .help(example_of_key(cx, object, key))
        }
    };
    sink.report(finding.about(About::UnknownKind));
    None
}

fn describe_value(node: &Node) -> &'static str {
    if node.as_str() == Some("") { "an empty one" } else { node.describe() }
}

fn example_of_key(cx: ObjectContext<'_>, object: &Object, key: &str) -> Message {
    let kind = object.gvk.kind.as_str();
    let known = kinds::elsewhere(kind, KubernetesVersion::NEWEST).map(Kind::api_version);
    match (key, known.or_else(|| api_version_of_custom(cx, kind))) {
        ("apiVersion", Some(version)) => message!("write `apiVersion: {version}`"),
        ("apiVersion", None) if kind.is_empty() => "add for example `apiVersion: v1`".into(),
        ("apiVersion", None) => "write the API group and version of the kind".into(),
        _ => "add for example `kind: ConfigMap`".into(),
    }
}

/// Reports a known kind that cannot be created in the target version.
fn not_in_target(
    target: KubernetesVersion,
    kind: &'static Kind,
    at: &Entry,
    name: &Entry,
) -> Diagnostic {
    let (api_version, what) = (kind.api_version(), kind.kind);
    if let Some(first) = kind.versions.first().filter(|first| *first > target) {
        let message = message!("`{what}` of `{api_version}` requires Kubernetes {first} or later");
        // Unlike those of an unknown kind, its fields are judged by the rules of newer versions.
        let finding = Diagnostic::new(&KIND_NOT_IN_VERSION, name.value.span(), message)
            .at(message!("not in {target}"));
        let other = kinds::elsewhere(what, target).filter(|it| it.is_served_by_default());
        return match other {
            Some(other) => with_api_version(finding, at.value.span(), &other.api_version()),
            None => finding.help(message!("compile with `--kubernetes {first}` or newer")),
        };
    }
    let when = match (kind.removed, kind.versions.last()) {
        (_, Some(last)) => format!("was removed after Kubernetes {last}"),
        (Some(removed), None) => format!("was removed in Kubernetes {removed}"),
        (None, None) => format!("does not exist in Kubernetes {target}"),
    };
    let finding = Diagnostic::new(
        &API_VERSION_REMOVED,
        at.value.span(),
        message!("`{what}` of `{api_version}` {when}"),
    )
    .about(About::UnknownKind)
    .at("no longer served");
    match replacement_of_removed(kind, target) {
        Some((version, name)) if name == what => {
            let finding = with_api_version(finding, at.value.span(), &version);
            match migration_guide(kind, target) {
                Some(help) => finding.help(help),
                None => {
                    finding.note("its fields may differ: run `check` again with the new version")
                }
            }
        }
        Some((version, name)) => finding.help(message!("use `{name}` of `{version}`")),
        None => finding.help_if(successor_of_removed(what)),
    }
}

/// The command that converts the objects of a kind, if there is one.
fn migration_guide(kind: &Kind, target: KubernetesVersion) -> Option<&'static str> {
    convert::conversion((kind.group, kind.version, kind.kind), target)?;
    Some("`sandboxc migrate` converts it, with the fields that differ")
}

/// What to use instead of a removed kind without a replacement.
fn successor_of_removed(kind: &str) -> Option<Message> {
    (kind == "PodSecurityPolicy").then(|| {
        "label each Namespace with the level to enforce: \
         `pod-security.kubernetes.io/enforce: restricted`"
            .into()
    })
}

/// The replacement of a kind in the target version: `apiVersion` and kind. The first replacement
/// may have been removed as well.
fn replacement_of_removed(
    kind: &'static Kind,
    target: KubernetesVersion,
) -> Option<(String, String)> {
    let mut gone = kind;
    while let Some((api_version, name)) = gone.replacement.and_then(|it| it.split_once(' ')) {
        let (group, version) = kinds::split_version(api_version);
        match store::kind(group, version, name) {
            Some(found) if found.versions.contains(target) => {
                return Some((api_version.to_owned(), name.to_owned()));
            }
            // Versions only increase, so the loop ends.
            Some(found) if found.removed > gone.removed => gone = found,
            _ => break,
        }
    }
    kinds::elsewhere(kind.kind, target).map(|other| (other.api_version(), other.kind.to_owned()))
}

fn with_api_version(finding: Diagnostic, span: Span, api_version: &str) -> Diagnostic {
    finding.suggest(span, api_version, message!("write `apiVersion: {api_version}`"))
}

fn deprecated_version(
    target: KubernetesVersion,
    kind: &'static Kind,
    at: &Entry,
) -> Option<Diagnostic> {
    let minor =
        |version: &str| version.strip_prefix("1.").and_then(|number| number.parse::<u8>().ok());
    let deprecated = kind
        .deprecated
        .filter(|version| minor(version).is_some_and(|number| number <= target.minor()))?;
    let (api_version, what) = (kind.api_version(), kind.kind);
    let message =
        message!("`{what}` of `{api_version}` is deprecated since Kubernetes {deprecated}");
    let finding =
        Diagnostic::new(&API_VERSION_DEPRECATED, at.value.span(), message).at("deprecated");
    let finding = match kind.removed {
        Some(removed) => finding.note(message!("Kubernetes {removed} no longer serves it")),
        None => finding,
    };
    Some(match replacement_of_removed(kind, target) {
        Some((version, name)) if name == what && version != api_version => {
            with_api_version(finding, at.value.span(), &version)
                .help_if(migration_guide(kind, target))
        }
        Some((version, name)) if version != api_version => finding
            .because_of(CommonCause::Kind(kind.group.into(), what.into()))
            .help(message!("use `{name}` of `{version}`")),
        _ => finding.because_of(CommonCause::Kind(kind.group.into(), what.into())),
    })
}

fn not_served(target: KubernetesVersion, kind: &Kind, at: &Entry) -> Diagnostic {
    let api_version = kind.api_version();
    let message = message!("API servers do not serve `{api_version}` by default");
    let finding = Diagnostic::new(&API_VERSION_NOT_SERVED, at.value.span(), message)
        .at("alpha or beta")
        .note(message!("the API server requires `--runtime-config={api_version}=true`"));
    match kinds::elsewhere(kind.kind, target).filter(|other| other.is_served_by_default()) {
        Some(stable) => with_api_version(finding, at.value.span(), &stable.api_version()),
        None => finding,
    }
}

/// Reports a group, version and kind that no built-in kind has.
fn report_unknown_kind(
    cx: ObjectContext<'_>,
    object: &Object,
    at: &Entry,
    name: &Entry,
    sink: &mut Sink,
) {
    let target = cx.target;
    let (group, kind) = (object.gvk.group.as_str(), object.gvk.kind.as_str());
    let api_version = text_of(&at.value);
    let is_built_in = kinds::is_built_in(group);
    let elsewhere = kinds::elsewhere(kind, target);
    // The groups of custom resources have a dot, and their versions are DNS labels that start with a letter.
    let can_be_custom = group.contains('.')
        && check_dns_subdomain(group).is_ok()
        && check_service_name(&object.gvk.version).is_ok()
        && (!kinds::is_named(kind) || is_release(&object.gvk.version));
    let is_meant = cx.custom.of_group(group).next().is_none()
        && elsewhere.is_some_and(|built_in| kinds::is_meant(object, built_in));
    let is_near_miss = kinds::is_near_miss(group, kind);
    if !is_built_in && can_be_custom && !is_near_miss && !is_meant {
        let is_configuration = kube::is_configuration_group(group);
        let (why, label) = if is_configuration {
            ("it is a configuration file, not an object", "configuration file")
        } else {
            ("its definition is not in the input", "custom resource")
        };
        let message = message!("`{kind}` of `{group}` is not checked: {why}");
        check_metadata(cx, object, sink);
        schema::note_words(&object.root, cx.texts, sink);
        // A system writes the objects of another API, such as OpenShift's, itself.
        if object.root.origin().layer().is_some() {
            return;
        }
        let finding = Diagnostic::new(&SCHEMA_UNKNOWN, name.value.span(), message).at(label);
        let finding = finding.because_of(CommonCause::Kind(group.into(), kind.into()));
        let near = (kind.len() < 64).then(|| nearest(kind, cx.custom.of_group(group))).flatten();
        sink.report(match near {
            Some(near) => {
                let finding = finding.with_severity(Severity::Warning);
                finding.suggest(name.value.span(), near, message!("did you mean `{near}`?"))
            }
            None if is_configuration => finding.help("leave it out: no API server has its kind"),
            None => finding.help(
                "add its CustomResourceDefinition: `--crd FILE`, or `crds` in the \
                 Project",
            ),
        });
        return;
    }
    let (at, name) = (at.value.span(), name.value.span());
    let finding = misnamed_kind(cx, &Written { api_version, kind, at, name });
    let is_doubtful = *finding.rule == API_VERSION_WRONG;
    sink.report(if is_doubtful && can_be_custom && !is_built_in && !is_near_miss {
        finding.note("if it is a custom resource, add its definition: `--crd FILE`")
    } else {
        finding
    });
}

/// The `apiVersion` and `kind` of an object, and their spans.
struct Written<'t> {
    api_version: &'t str,
    kind: &'t str,
    at: Span,
    name: Span,
}

/// Reports the version and kind of an object outside the input, unless its kind is known or can be
/// that of a custom resource. The version is `v1` by default.
pub fn check_reference(
    cx: ObjectContext<'_>,
    api_version: Option<(&str, Span)>,
    (kind, name): (&str, Span),
    sink: &mut Sink,
) {
    let (api_version, at) = api_version.unwrap_or(("v1", name));
    let (group, version) = kinds::split_version(api_version);
    let can_be_custom = group.contains('.') && !kinds::is_built_in(group);
    let is_known = store::kind(group, version, kind).is_some();
    if is_known || can_be_custom && !kinds::is_near_miss(group, kind) {
        return;
    }
    sink.report(misnamed_kind(cx, &Written { api_version, kind, at, name }));
}

/// The `apiVersion` of the only custom resource of this kind.
fn api_version_of_custom(cx: ObjectContext<'_>, kind: &str) -> Option<String> {
    let systems = cx.custom.systems().iter();
    let named = |system: &&'static System| {
        let group = system.names().find(|(_, name)| *name == kind)?.0;
        Some(format!("{group}/{}", system.current_version(kind)))
    };
    let mut found = systems.filter_map(named);
    found.next().filter(|_| found.next().is_none())
}

/// The finding for a kind that Kubernetes does not have in this version.
fn misnamed_kind(cx: ObjectContext<'_>, written: &Written<'_>) -> Diagnostic {
    let Written { api_version, kind, at, name } = *written;
    let target = cx.target;
    let (group, version) = kinds::split_version(api_version);
    let known = kinds::elsewhere(kind, target);
    let elsewhere = known.filter(|known| known.group != group || known.version != version);
    let right = elsewhere.map(Kind::api_version).or_else(|| api_version_of_custom(cx, kind));
    let is_served = right.is_some() && at != name;
    if let Some(right) = right.or_else(|| kinds::of_kustomize(kind).map(str::to_owned)) {
        let message = message!("kind `{kind}` is in `{right}`, not in `{api_version}`");
        let finding = Diagnostic::new(&API_VERSION_WRONG, at, message)
            .about(About::UnknownKind)
            .at(message!("no `{kind}` here"));
        // Only `kubectl kustomize` reads a kind that is not served.
        return if is_served {
            with_api_version(finding, at, &right)
        } else {
            finding.help(message!("write `apiVersion: {right}`"))
        };
    }
    let message = if kinds::is_built_in(group) {
        message!("unknown kind `{kind}` in `{api_version}`")
    } else {
        message!("unknown kind `{kind}` and unknown group `{group}`")
    };
    let finding =
        Diagnostic::new(&KIND_UNKNOWN, name, message).about(About::UnknownKind).at("no such kind");
    if kind.len() >= 64 {
        return finding;
    }
    if let Some((removed, gone)) = kinds::removed(kind) {
        return finding
            .note(message!("`{}` was removed in Kubernetes {removed}", gone.api_version()))
            .help_if(successor_of_removed(kind));
    }
    match kinds::near(group, kind, target) {
        Some(near) if near.group == group && near.version == version => {
            finding.suggest(name, near.kind, message!("did you mean `{}`?", near.kind))
        }
        Some(near) => finding.help(message!(
            "did you mean `{}` of `apiVersion: {}`?",
            near.kind,
            near.api_version()
        )),
        None => match kinds::near_list(group, kind) {
            Some(list) => finding.help(message!("did you mean `{list}`?")),
            None => finding,
        },
    }
}

/// Whether a version is named like those of Kubernetes, `v1beta1`: one next to a built-in kind that
/// is not is a mistake.
fn is_release(version: &str) -> bool {
    version.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Checks the metadata of a custom resource whose definition is unknown: it is that of every object.
fn check_metadata(cx: ObjectContext<'_>, object: &Object, sink: &mut Sink) {
    let name = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    let Some((metadata, ty)) = object.root.get("metadata").zip(schema::definition(name)) else {
        return;
    };
    let context = CheckContext::built_in(cx.target, "metadata").with_texts(cx.texts);
    let root = Path::root();
    schema::check_at(metadata, root.field("metadata"), Type::Object(ty), &context, sink);
}
