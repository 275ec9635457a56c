//! Volume claims and their templates, after `ValidatePersistentVolumeClaimSpec` of Kubernetes'
//! `pkg/apis/core/validation` and `pkg/api/persistentvolumeclaim`.

mod of_controller;
mod sources;

use super::amounts::{RESOURCE_AMOUNT_INVALID, amount};
use super::judge::{Absence, Judge, filled, is_empty_list, items, shown, text_of};
use super::names::{NameForm, check_name};
use super::selectors::check_selector;
use crate::diag::{Diagnostic, declare_rules, message, nearest};
use crate::tree::Node;
pub(super) use of_controller::check_templates;

declare_rules! {
    VOLUME_CLAIM_INCOMPLETE = "volume-claim-incomplete", Error, follows = [Misplaced];
    ACCESS_MODE_CONFLICT = "access-mode-conflict", Error;
    VOLUME_CLAIM_SOURCE_INVALID = "volume-claim-source-invalid", Error;
}

/// The first minor version that keeps `volumeAttributesClassName` (`VolumeAttributesClass`).
const ATTRIBUTES_MINOR: u8 = 34;

/// The treatment of a claim's data sources before validation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sources {
    /// The server drops those that it does not allow, as for a new claim.
    Settled,
    /// The server keeps them, as in a claim template.
    AsWritten,
}

/// Checks a PersistentVolumeClaim.
pub(super) fn check(judge: &mut Judge<'_>) {
    let (claim, minor) = (&judge.object.root, judge.minor);
    check_claim(judge, claim, Sources::Settled, minor);
}

/// Checks a claim or a claim template.
pub(super) fn check_claim(judge: &mut Judge<'_>, claim: &Node, sources: Sources, minor: u8) {
    let Some(spec) = claim.get("spec") else {
        if claim.as_map().is_some() {
            let missing = "`accessModes` and `resources.requests.storage`";
            let finding = judge.missing(incomplete_claim(claim, missing), claim, &["spec"]);
            judge.report(finding, (claim, "spec"));
        }
        return;
    };
    if spec.as_map().is_none() {
        return;
    }
    check_completeness(judge, spec);
    access_modes(judge, spec, "a volume claim");
    check_storage(judge, spec);
    judge.needed(spec, "volumeMode", Absence::BySchema);
    check_selector(judge, spec.get("selector"));
    let attributes = (minor >= ATTRIBUTES_MINOR).then_some("volumeAttributesClassName");
    for field in ["storageClassName"].into_iter().chain(attributes) {
        // The empty string means no class.
        check_name(judge, filled(spec, field), NameForm::OBJECT);
    }
    sources::check(judge, spec, sources);
}

fn incomplete_claim(at: &Node, missing: &str) -> Diagnostic {
    let message = message!("volume claim has no {missing}");
    Diagnostic::new(&VOLUME_CLAIM_INCOMPLETE, at.span(), message)
        .at("incomplete")
        .note("the schema does not require them, but the API server does when the claim is created")
        .help(message!("add {missing}"))
}

fn check_completeness(judge: &mut Judge<'_>, spec: &Node) {
    let modes = spec.get("accessModes");
    let has_modes = modes.is_some_and(|modes| !is_empty_list(modes));
    let requests = spec.at(&["resources", "requests"]);
    let has_storage = requests.is_some_and(|requests| requests.get("storage").is_some());
    let missing = match (has_modes, has_storage) {
        (true, true) => return,
        (false, true) => "`accessModes`",
        (true, false) => {
            let only = requests.map(Node::entries).filter(|entries| entries.len() == 1);
            if let Some([entry]) = only
                && let Some(near) = nearest(&entry.key, ["storage"])
            {
                let message =
                    message!("volume claim requests `{}`, not `storage`", shown(&entry.key));
                let at = entry.key_origin().span();
                let finding = Diagnostic::new(&VOLUME_CLAIM_INCOMPLETE, at, message)
                    .at("not a resource of a volume claim")
                    .suggest(at, near, "did you mean `storage`?");
                judge.report(finding, spec);
                return;
            }
            "`resources.requests.storage`"
        }
        (false, false) => "`accessModes` and `resources.requests.storage`",
    };
    let finding = incomplete_claim(spec, missing);
    let is_misspelt = modes.is_none() && has_storage;
    let finding =
        if is_misspelt { judge.missing(finding, spec, &["accessModes"]) } else { finding };
    let has_resources = spec.get("resources").is_some();
    let finding =
        if has_resources { finding } else { judge.missing(finding, spec, &["resources"]) };
    judge
        .report(finding, if has_modes { (spec, "resources.requests.storage") } else { (spec, "") });
}

/// Reports a mode next to the one that excludes all others; `what` names the owner of the modes.
pub(super) fn access_modes(judge: &mut Judge<'_>, spec: &Node, what: &str) {
    const ALONE: &str = "ReadWriteOncePod";
    let modes = items(spec, "accessModes");
    for mode in modes.iter().filter(|mode| mode.as_str() == Some("")) {
        // The schema treats it as unset.
        let all = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", ALONE];
        judge.one_of(mode, "accessModes", &all);
    }
    let alone = modes.iter().find(|mode| mode.as_str() == Some(ALONE));
    let other = modes.iter().find(|mode| {
        matches!(mode.as_str(), Some("ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany"))
    });
    if let (Some(alone), Some(other)) = (alone, other) {
        let mode = shown(text_of(other));
        let message = message!("{what} has both `{ALONE}` and `{mode}`");
        let finding = Diagnostic::new(&ACCESS_MODE_CONFLICT, other.span(), message)
            .at("allows several Pods")
            .label(alone.span(), "allows only one Pod")
            .help("keep one of them");
        judge.report(finding, (spec, "accessModes"));
    }
}

fn check_storage(judge: &mut Judge<'_>, spec: &Node) {
    let Some(node) = spec.at(&["resources", "requests", "storage"]) else { return };
    if amount(node).is_none_or(|amount| amount > 0) {
        return;
    }
    let text = ("`storage` request is not above zero", "write a quantity above zero: `10Gi`");
    judge.refuse(&RESOURCE_AMOUNT_INVALID, node, text);
}
