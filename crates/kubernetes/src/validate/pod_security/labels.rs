//! The labels that set the Pod Security level of a Namespace, following `PolicyToEvaluate` of
//! Kubernetes' `pod-security-admission`.

use super::{LABEL_INVALID, LABEL_UNKNOWN};
use crate::diag::{Diagnostic, Sink, message, nearest};
use crate::kube::Object;
use crate::pod_security::{PodSecurityLevel, Profile, StandardVersion};
use crate::scalar::shown;
use crate::source::Span;
use crate::tree::{Entry, Node, Path};
use crate::validate::fields::text_of;

/// The prefix of the names of these labels.
const PREFIX: &str = "pod-security.kubernetes.io/";

/// The rest of the names of labels with a level, and of labels with its version.
const LEVELS: [&str; 3] = ["enforce", "audit", "warn"];
const VERSIONS: [&str; 3] = ["enforce-version", "audit-version", "warn-version"];

/// The level that one label requires.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) level: PodSecurityLevel,
    /// The span of the level.
    pub(super) label: Span,
}

/// The levels of a Namespace; none for an invalid label, because the API server rejects the
/// Namespace.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Modes {
    /// The level below which Pods are rejected.
    pub(super) enforce: Option<Held>,
    /// The level below which objects cause a warning.
    pub(super) warn: Option<Held>,
}

impl Modes {
    pub(super) fn of(namespace: &Object) -> Self {
        if label_entries(namespace).any(|(name, entry)| is_wrong(name, &entry.value)) {
            return Self::default();
        }
        let find = |wanted: &str| {
            let found = label_entries(namespace).find(|(name, _)| *name == wanted);
            found.and_then(|(_, entry)| Some((entry.value.as_str()?, entry.value.span())))
        };
        let version = |name| find(name).and_then(|(text, _)| StandardVersion::parse(text));
        let held = |name, written: Option<StandardVersion>| {
            let (text, label) = find(name)?;
            let version = written.unwrap_or(StandardVersion::Latest);
            Some(Held { level: PodSecurityLevel::new(Profile::parse(text)?, version), label })
        };
        let enforced = version("enforce-version");
        let enforce = held("enforce", enforced);
        // Without a `warn` label, warnings use the enforced level.
        let warned = version("warn-version");
        let warn = if find("warn").is_some() {
            held("warn", warned)
        } else {
            held("enforce", warned.or(enforced))
        };
        Self { enforce, warn }
    }
}

/// The Pod Security labels, with their names after the prefix.
fn label_entries(namespace: &Object) -> impl Iterator<Item = (&str, &Entry)> {
    let labels = namespace.root.entries_at(&["metadata", "labels"]);
    labels.iter().filter_map(|entry| Some((entry.key.strip_prefix(PREFIX)?, entry)))
}

/// Whether the API server rejects a label because of its value.
fn is_wrong(name: &str, value: &Node) -> bool {
    // The decoder makes `null` an empty string.
    let Some(text) = value.as_str().or_else(|| value.is_null().then_some("")) else {
        return false;
    };
    (LEVELS.contains(&name) && Profile::parse(text).is_none())
        || (VERSIONS.contains(&name) && StandardVersion::parse(text).is_none())
}

/// Reports labels with an invalid value, and labels that admission does not know.
pub(super) fn check(namespace: &Object, sink: &mut Sink) {
    let root = Path::root();
    let metadata = root.field("metadata");
    let labels = metadata.field("labels");
    for (name, entry) in label_entries(namespace) {
        let path = labels.key(&entry.key);
        if is_wrong(name, &entry.value) {
            sink.report(wrong_value(name, entry).path(&path));
        } else if !LEVELS.contains(&name) && !VERSIONS.contains(&name) {
            sink.report(unknown_label(name, entry).path(&path));
        }
    }
}

fn wrong_value(name: &str, entry: &Entry) -> Diagnostic {
    let (key, span) = (&entry.key, entry.value.span());
    let text = text_of(&entry.value);
    if LEVELS.contains(&name) {
        let message = message!("invalid Pod Security level `{}` in label `{key}`", shown(text));
        return Diagnostic::new(&LABEL_INVALID, span, message)
            .at("unknown level")
            .suggest_near(span, text, PodSecurityLevel::names())
            .help("write `privileged`, `baseline` or `restricted`");
    }
    let message = message!("invalid Pod Security version `{}` in label `{key}`", shown(text));
    let finding = Diagnostic::new(&LABEL_INVALID, span, message).at("invalid version");
    let prefixed = format!("v{text}");
    if StandardVersion::parse(&prefixed).is_some() {
        finding.fix(span, prefixed, "add a leading `v`")
    } else {
        finding.help("write `latest`, or a version such as `v1.36`")
    }
}

fn unknown_label(name: &str, entry: &Entry) -> Diagnostic {
    let span = entry.key_origin().span();
    let message = message!("unknown Pod Security admission label `{}`", entry.key);
    let finding = Diagnostic::new(&LABEL_UNKNOWN, span, message).at("does nothing");
    match nearest(name, LEVELS.into_iter().chain(VERSIONS)) {
        Some(near) => {
            finding.suggest(span, format!("{PREFIX}{near}"), message!("write `{PREFIX}{near}`"))
        }
        None => finding.help(
            "remove it; valid labels are `enforce`, `audit` and `warn`, also with `-version`",
        ),
    }
}
