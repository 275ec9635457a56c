//! `volumeClaimTemplates`, from which a controller creates claims.

use super::{Sources, check_claim};
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, Validation};
use crate::validate::rules::pod::VOLUME_NAME_INVALID;

/// The first minor version whose API server validates the claims of a StatefulSet.
const STATEFUL_SET_MINOR: u8 = 34;

/// Checks the list of a StatefulSet, or of a custom resource.
pub(in crate::validate::rules) fn check_templates(judge: &mut Judge<'_>) {
    let object = judge.object;
    let is_stateful_set = object.gvk.kind == "StatefulSet";
    let is_read = is_stateful_set && judge.minor >= STATEFUL_SET_MINOR;
    let minor = judge.minor;
    let sources = if is_stateful_set { Sources::AsWritten } else { Sources::Settled };
    if !is_read {
        judge.validation = Validation::Later {
            rejects: ", but rejects the claim that its controller creates from it",
            is_warning: is_stateful_set,
        };
    }
    let templates = object.root.items_at(&["spec", "volumeClaimTemplates"]);
    for template in templates {
        // The schema of a custom resource requires `spec`.
        if is_stateful_set || template.get("spec").is_some() {
            check_claim(judge, template, sources, minor);
        }
        if is_stateful_set {
            check_name(judge, template);
        }
    }
    judge.validation = Validation::Created;
}

/// Checks the name of the claim, which is also the name of a volume of the Pod.
fn check_name(judge: &mut Judge<'_>, template: &Node) {
    let Some(metadata) = template.get("metadata") else {
        return judge.lacks_field(template, "name", (template, "metadata.name"));
    };
    if metadata.as_map().is_some()
        && judge.needed(metadata, "name", Absence::Here).is_some()
        && let Some(name) = metadata.get("name")
    {
        let rule = (&VOLUME_NAME_INVALID, "volume name");
        judge.form(name, rule, check_dns_label, near_dns_label);
    }
}
