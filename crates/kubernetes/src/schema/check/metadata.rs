//! Labels and annotations, in objects and in templates.

use super::{Position, Walk};
use crate::diag::{Diagnostic, Rule, Safety, Severity, declare_rules, message};
use crate::scalar::{
    Fault, check_label_value, check_qualified_name, nearest_label_value, nearest_qualified_name,
};
use crate::tree::{Entry, Map, Node, Origin};

declare_rules! {
    ANNOTATION_KEY_INVALID = "annotation-key-invalid", Error;
    ANNOTATIONS_TOO_LARGE = "annotations-too-large", Error;
    LABEL_KEY_INVALID = "label-key-invalid", Error;
    LABEL_VALUE_INVALID = "label-value-invalid", Error;
}

/// The maximum total size of all annotations of an object, in bytes (apimachinery,
/// `api/validation/objectmeta.go`).
const ANNOTATIONS_LIMIT: usize = 256 * 1024;

/// Templates whose metadata the API server does not validate, and the objects created from them
/// (`ValidateJobTemplateSpec`, `validateVolumeClaimTemplates`).
const UNREAD: [(&str, &str); 2] = [
    ("io.k8s.api.batch.v1.JobTemplateSpec", "Jobs"),
    ("io.k8s.api.core.v1.PersistentVolumeClaim", "volume claims"),
];

impl Walk<'_> {
    /// Checks the labels and annotations of metadata, after their types.
    pub(super) fn metadata(&mut self, metadata: &Map, place: &Position<'_>) {
        for entry in metadata.entries() {
            let Some(map) = entry.value.as_map() else { continue };
            let place = Position { path: place.path.field(&entry.key), ..*place };
            match entry.key.as_str() {
                "labels" => self.labels(map, &place),
                "annotations" => self.annotations(map, &place),
                _ => {}
            }
        }
    }

    fn labels(&mut self, labels: &Map, place: &Position<'_>) {
        for entry in labels.entries() {
            if let Err(fault) = check_qualified_name(&entry.key) {
                self.bad_key(entry, &LABEL_KEY_INVALID, "label", fault, place);
            }
            let Some(value) = entry.value.as_str() else { continue };
            if let Err(fault) = check_label_value(value) {
                let (key, span) = (entry.key.as_str(), entry.value.span());
                let message = message!("the value of label `{key}` {fault}");
                let mut finding =
                    Diagnostic::new(&LABEL_VALUE_INVALID, span, message).at("invalid label value");
                if let Some(near) = nearest_label_value(value) {
                    finding = finding.write_instead(span, value, &near, Safety::Unsafe);
                }
                if matches!(fault, Fault::Character { .. } | Fault::TooLong { .. }) {
                    finding = finding.help("store it in an annotation, which accepts any string");
                }
                let place = Position { path: place.path.key(key), ..*place };
                self.report_metadata(entry.value.origin(), &place, finding);
            }
        }
    }

    fn annotations(&mut self, annotations: &Map, place: &Position<'_>) {
        for entry in annotations.entries() {
            // The prefix can have uppercase letters: the API server lowercases the key before it
            // validates it.
            if check_qualified_name(&entry.key).is_err()
                && let Err(fault) = check_qualified_name(&entry.key.to_lowercase())
            {
                self.bad_key(entry, &ANNOTATION_KEY_INVALID, "annotation", fault, place);
            }
        }
        if let Some(finding) = annotations_too_large(annotations) {
            self.report_metadata(Origin::source(finding.primary.span), place, finding);
        }
    }

    fn bad_key(
        &mut self,
        entry: &Entry,
        rule: &'static Rule,
        what: &str,
        fault: Fault,
        place: &Position<'_>,
    ) {
        let key: String = entry.key.chars().take(80).collect();
        let at = entry.key_origin().span();
        let message = message!("the {what} key `{}` {fault}", key.escape_debug());
        let mut finding = Diagnostic::new(rule, at, message)
            .at("invalid key")
            .note("a key has the form `name` or `example.com/name`");
        if let Some(near) = nearest_qualified_name(&entry.key) {
            finding = finding.write_instead(at, &entry.key, &near, Safety::Unsafe);
        }
        self.report_metadata(entry.key_origin(), place, finding);
    }

    /// Reports invalid metadata. The API server does not validate the templates of a `CronJob` or a
    /// `StatefulSet`, but rejects the objects created from them.
    fn report_metadata(&mut self, origin: Origin, place: &Position<'_>, mut finding: Diagnostic) {
        let template = place.scope.filter(|scope| scope.parent.is_some());
        let unread =
            template.and_then(|scope| UNREAD.iter().find(|(name, _)| *name == scope.object.name));
        if let Some((_, made)) = unread {
            finding.severity = Severity::Warning;
            finding = finding.note(message!(
                "the API server accepts the {}, but rejects the {made} made from it",
                self.cx.what
            ));
        }
        self.report(origin, place, finding);
    }
}

/// The finding that annotations are too large.
fn annotations_too_large(annotations: &Map) -> Option<Diagnostic> {
    let length = |entry: &Entry| entry.key.len() + entry.value.as_str().map_or(0, str::len);
    let size: usize = annotations.entries().iter().map(length).sum();
    let first = annotations.entries().first().filter(|_| size > ANNOTATIONS_LIMIT)?;
    let message =
        message!("annotations total {size} bytes, more than the limit of {ANNOTATIONS_LIMIT}");
    let finding = Diagnostic::new(&ANNOTATIONS_TOO_LARGE, first.key_origin().span(), message);
    Some(finding.help("store large values in a ConfigMap"))
}

/// Checks the size of annotations that a controller copies to the objects that it creates.
pub fn check_annotations_size(annotations: &Node) -> Option<Diagnostic> {
    annotations_too_large(annotations.as_map()?)
}
