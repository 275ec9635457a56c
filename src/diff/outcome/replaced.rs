//! Changes that the API server rejects, and how a person replaces the object.

use crate::kube::Object;
use crate::lower::{Effect, Outcome};
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
        // The command would delete data.
        Remedy::Copy if old.gvk.is("", "PersistentVolumeClaim") => {
            return rejected(field, "create a new claim and copy the data");
        }
        Remedy::Copy => return rejected(field, "create a new volume"),
        Remedy::Restore => {
            let text = format!(
                "rejected: `{field}` cannot be changed in this way; restore it, or delete the object with \
                 all that it owns, then apply"
            );
            return Outcome::new(Effect::Replaced, text).run_some(old.command("delete", ""));
        }
        Remedy::RenameImmutable => {
            let text =
                "rejected: the old object is immutable; delete it and apply, or use a new name";
            return Outcome::new(Effect::Replaced, text).run_some(old.command("delete", ""));
        }
    };
    let outcome = rejected(field, then);
    outcome.run_some(old.command("delete", flags))
}

/// The outcome of a rejected update of an object that the program deletes and creates then.
pub(in crate::diff) fn of_recreation() -> Outcome {
    let text = "deleted and created again, because the API server rejects the update";
    Outcome::new(Effect::Replaced, text)
}

fn rejected(field: &str, then: &str) -> Outcome {
    Outcome::new(Effect::Replaced, format!("rejected: `{field}` is immutable; {then}"))
}
