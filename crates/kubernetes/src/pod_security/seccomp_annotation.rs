//! Seccomp annotations, which the versions of the standard before 1.19 check.

use super::check::{Check, Control, Fault, Holder};
use super::confinement::SECCOMP;
use crate::diag::message;
use crate::sorted::SortedSet;

const OF_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
const OF_CONTAINER: &str = "container.seccomp.security.alpha.kubernetes.io/";

/// Checks the annotations; both levels allow the same values.
pub(super) fn check(check: &mut Check<'_>) {
    let Some((metadata, base)) = check.subject.metadata else { return };
    let annotations = base.field("annotations");
    let containers = check.containers();
    let names: SortedSet<_> = containers.iter().filter_map(Holder::name).collect();
    let is_container = |name: &str| names.contains(name);
    for entry in metadata.entries_at(&["annotations"]) {
        let container = entry.key.strip_prefix(OF_CONTAINER);
        let Some(value) = entry.value.as_str() else { continue };
        let is_confined = matches!(value, "runtime/default" | "docker/default")
            || value.starts_with("localhost/");
        if is_confined || (entry.key != OF_POD && !container.is_some_and(is_container)) {
            continue;
        }
        check.report(
            &annotations.key(&entry.key).to_string(),
            Fault {
                control: Control::baseline(&SECCOMP, "seccompProfile_baseline"),
                span: entry.value.span(),
                field: "",
                what: message!("annotation `{}` sets the seccomp profile `{value}`", entry.key),
                label: "not confined".into(),
                fix: "remove the annotation, or set it to `runtime/default`".into(),
            },
        );
    }
}
