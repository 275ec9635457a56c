//! Amounts of bytes without a unit.

use super::{BYTES_WITHOUT_UNIT, ObjectJudge, warn};
use crate::diag::Diagnostic;
use crate::kube::PodSpec;
use crate::tree::{Node, Path, Value};
use crate::validate::rules::judging::items;

/// Below this, in bytes, an amount is not meant in bytes: no container starts with it.
const LEAST: i64 = 1 << 20;

/// The resources that are counted in bytes, and the unit that is mostly meant.
const RESOURCES: [(&str, &str); 3] =
    [("memory", "Mi"), ("ephemeral-storage", "Gi"), ("storage", "Gi")];

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, pod: &PodSpec<'_>, path: &Path<'_>) {
    for container in pod.containers() {
        let list = path.field(container.list);
        resources(judge, container.node, &list.index(container.index));
    }
    let volumes = path.field("volumes");
    for (index, volume) in items(pod.spec, "volumes").iter().enumerate() {
        let volume_path = volumes.index(index);
        if let Some(node) = volume.at(&["emptyDir", "sizeLimit"]) {
            amount(judge, node, "sizeLimit", "Mi", &volume_path.field("emptyDir.sizeLimit"));
        }
        if let Some(claim) = volume.at(&["ephemeral", "volumeClaimTemplate"]) {
            check_claim(judge, claim, &volume_path.field("ephemeral.volumeClaimTemplate"));
        }
    }
    let root = Path::root();
    let claims = root.field("spec.volumeClaimTemplates");
    for (index, claim) in pod.volume_claim_templates().iter().enumerate() {
        check_claim(judge, claim, &claims.index(index));
    }
}

/// A PersistentVolumeClaim, or a template of one.
pub(super) fn check_claim(judge: &mut ObjectJudge<'_, '_>, claim: &Node, path: &Path<'_>) {
    if let Some(spec) = claim.get("spec") {
        resources(judge, spec, &path.field("spec"));
    }
}

fn resources(judge: &mut ObjectJudge<'_, '_>, owner: &Node, path: &Path<'_>) {
    for field in ["requests", "limits"] {
        let Some(amounts) = owner.at(&["resources", field]) else { continue };
        let field = if field == "requests" { "resources.requests" } else { "resources.limits" };
        for (resource, unit) in RESOURCES {
            if let Some(node) = amounts.get(resource) {
                amount(judge, node, resource, unit, &path.field(field).key(resource));
            }
        }
    }
}

fn amount(judge: &mut ObjectJudge<'_, '_>, node: &Node, what: &str, unit: &str, path: &Path<'_>) {
    let number = match &node.value {
        Value::Int(number) => Some(*number),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    let Some(number) = number.filter(|it| (1..LEAST).contains(it)) else { return };
    let meant = format!("{number}{unit}");
    let message = format!("`{what}` of {number} bytes has no unit");
    let finding = Diagnostic::new(&BYTES_WITHOUT_UNIT, node.span(), message)
        .at("counts bytes")
        .suggest(node.span(), meant.clone(), format!("did you mean `{meant}`?"));
    warn(judge, node, finding, path);
}
