//! Quantities of bytes: fractions, and quotas whose requests exceed their limits.

use super::super::amounts::amount;
use super::{BYTES_FRACTIONAL, QUOTA_REQUESTS_ABOVE_LIMITS};
use crate::diag::message;
use crate::scalar::Quantity;
use crate::tree::Node;
use crate::validate::rules::judge::Judge;

/// Reports fractions of a byte in a map of quantities.
pub(super) fn check_amounts(judge: &mut Judge<'_>, amounts: Option<&Node>, resources: &[&str]) {
    for resource in resources {
        let Some(node) = amounts.and_then(|it| it.get(resource)) else { continue };
        let Some(thousandths) = amount(node) else { continue };
        // A negative quantity is an error, which another rule reports.
        if thousandths > 0 && thousandths % 1000 != 0 {
            let as_amount = || Quantity::from_thousandths(thousandths).to_string();
            let shown = node.as_str().map_or_else(as_amount, str::to_owned);
            let text = (
                message!("quantity `{shown}` of `{resource}` is not a whole number of bytes"),
                "a fraction of a byte",
                "use a unit such as `Mi` or `Gi`: `m` means thousandths",
            );
            judge.fault(&BYTES_FRACTIONAL, node, text);
        }
    }
}

/// Checks the spec of a PersistentVolumeClaim.
pub(super) fn check_claim(judge: &mut Judge<'_>, spec: &Node) {
    for field in ["requests", "limits"] {
        check_amounts(judge, spec.at(&["resources", field]), &["storage"]);
    }
}

/// Checks the spec of a ResourceQuota.
pub(super) fn check_quota(judge: &mut Judge<'_>, spec: &Node) {
    let Some(hard) = spec.get("hard") else { return };
    for resource in ["cpu", "memory", "storage", "ephemeral-storage"] {
        let limits = format!("limits.{resource}");
        let prefixed = format!("requests.{resource}");
        let is_bare = matches!(resource, "cpu" | "memory") && hard.get(&prefixed).is_none();
        let requests = if is_bare { resource } else { prefixed.as_str() };
        let (Some(request), Some(limit)) = (hard.get(requests), hard.get(&limits)) else {
            continue;
        };
        if amount(request).zip(amount(limit)).is_some_and(|(request, limit)| request > limit) {
            let message = message!("quota allows more `{requests}` than `{limits}`");
            let texts = (
                message,
                "can never be reached",
                message!("lower `{requests}` to at most `{limits}`"),
            );
            judge.conflict(&QUOTA_REQUESTS_ABOVE_LIMITS, request, texts, (limit, "the limit"));
        }
    }
}
