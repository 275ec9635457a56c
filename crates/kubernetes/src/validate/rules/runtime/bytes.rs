//! Amounts of bytes without a unit.

use super::{BYTES_WITHOUT_UNIT, plain_number, warn};
use crate::diag::{Diagnostic, message};
use crate::kube::PodSpec;
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, items};

/// Below this, in bytes, an amount is not meant in bytes: no container starts with it.
const LEAST: i64 = 1 << 20;

/// The resources that are counted in bytes, and the unit that is mostly meant.
const RESOURCES: [(&str, &str); 3] =
    [("memory", "Mi"), ("ephemeral-storage", "Gi"), ("storage", "Gi")];

pub(super) fn check(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    for container in pod.containers() {
        check_resources(judge, container.node);
    }
    for volume in items(pod.spec, "volumes") {
        if let Some(node) = volume.at(&["emptyDir", "sizeLimit"]) {
            check_amount(judge, node, "sizeLimit", "Mi");
        }
        if let Some(claim) = volume.at(&["ephemeral", "volumeClaimTemplate"]) {
            check_claim(judge, claim);
        }
    }
    for claim in pod.volume_claim_templates() {
        check_claim(judge, claim);
    }
}

/// A PersistentVolumeClaim, or a template of one.
pub(super) fn check_claim(judge: &mut Judge<'_>, claim: &Node) {
    if let Some(spec) = claim.get("spec") {
        check_resources(judge, spec);
    }
}

fn check_resources(judge: &mut Judge<'_>, owner: &Node) {
    for field in ["requests", "limits"] {
        let Some(amounts) = owner.at(&["resources", field]) else { continue };
        for (resource, unit) in RESOURCES {
            if let Some(node) = amounts.get(resource) {
                check_amount(judge, node, resource, unit);
            }
        }
    }
}

fn check_amount(judge: &mut Judge<'_>, node: &Node, what: &str, unit: &str) {
    let Some(number) = plain_number(node).filter(|number| (1..LEAST).contains(number)) else {
        return;
    };
    let meant = format!("{number}{unit}");
    let message = message!("`{what}` of {number} bytes has no unit");
    let finding = Diagnostic::new(&BYTES_WITHOUT_UNIT, node.span(), message)
        .at("counts bytes")
        .suggest(node.span(), meant.clone(), message!("did you mean `{meant}`?"));
    warn(judge, node, finding);
}
