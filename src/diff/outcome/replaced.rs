//! Changes that the API server rejects, and how a person replaces the object.

use crate::diag::FieldPath;
use crate::kube::Object;
use crate::lower::{Changed, Effect, Outcome};
use crate::validate::update::{Refusal, Remedy};

/// The outcome of a change that the verdict on updates rejects.
pub(in crate::diff) fn of_refusal(refusal: &Refusal, old: &Object) -> Outcome {
    let Refusal { field, remedy, .. } = refusal;
    let Some(remedy) = remedy else {
        let text = format!("rejected: `{field}` cannot be changed in this way");
        return Outcome::new(Effect::Replaced, text);
    };
    let (then, flags) = match remedy {
        Remedy::Orphan if field == "spec.selector" => (
            "delete it without its Pods, then apply; Pods that the new selector does not match stay \
             until they are deleted",
            " --cascade=orphan",
        ),
        Remedy::Orphan => ("delete it without its Pods, then apply", " --cascade=orphan"),
        Remedy::Recreate => ("delete it, then apply", ""),
        Remedy::RecreateBinding => ("delete it, then apply; access is lost in between", ""),
        Remedy::Rename => {
            ("use a new name and change the objects that name it, or delete it, then apply", "")
        }
        Remedy::RenameImmutable => {
            let text =
                "rejected: the old object is immutable; delete it and apply, or use a new name";
            return Outcome::new(Effect::Replaced, text).run_some(old.command("delete", ""));
        }
    };
    let outcome =
        Outcome::new(Effect::Replaced, format!("rejected: `{field}` is immutable; {then}"));
    outcome.run_some(old.command("delete", flags))
}

/// The fields of the `spec` of a claim that can change.
const OF_CLAIM: &[&[&str]] =
    &[&["spec", "resources", "requests"], &["spec", "volumeAttributesClassName"]];

/// The fields of the `spec` of a Pod that can change, but for images.
const OF_POD: &[&[&str]] = &[&["spec", "activeDeadlineSeconds"], &["spec", "tolerations"]];

/// The outcome for kinds that the verdict on updates does not have.
pub(super) fn outcome(changed: &Changed<'_>) -> Option<Outcome> {
    let gvk = &changed.new.gvk;
    let (is_pod, is_claim) = (gvk.is("", "Pod"), gvk.is("", "PersistentVolumeClaim"));
    let mutable = match (is_pod, is_claim) {
        (true, _) => OF_POD,
        (_, true) => OF_CLAIM,
        _ => return None,
    };
    let is_rejected = |path: &&&FieldPath| {
        path.starts_with(&["spec"])
            && !mutable.iter().any(|it| path.starts_with(it))
            && !(is_pod && is_image(path))
    };
    let path = changed.paths.iter().find(is_rejected)?;
    let then =
        if is_pod { "delete it, then apply" } else { "create a new claim and copy the data" };
    let outcome =
        Outcome::new(Effect::Replaced, format!("rejected: `{path}` is immutable; {then}"));
    Some(outcome.run_some(if is_pod { changed.old.command("delete", "") } else { None }))
}

/// Whether the path is that of the image of a container.
fn is_image(path: &FieldPath) -> bool {
    let is_list =
        path.starts_with(&["spec", "containers"]) || path.starts_with(&["spec", "initContainers"]);
    is_list && path.steps().len() == 4 && path.last_field() == Some("image")
}
