//! Amounts of CPU in thousandths without `m`, and misspelled resources of device plugins.

use super::{CPU_WITHOUT_UNIT, DEVICE_RESOURCE_MISSPELLED, plain_number, warn};
use crate::diag::{Diagnostic, Safety, message, nearest};
use crate::kube::PodSpec;
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{Judge, shown};

/// From this number of cores on, a round number is meant in thousandths: few nodes have as many.
const LEAST: i64 = 100;
/// Amounts in thousandths are multiples of this, and numbers of cores are mostly not.
const ROUND: i64 = 50;

/// Resources of widely used device plugins: domain and name.
const DEVICES: [(&str, &str); 5] = [
    ("nvidia.com", "gpu"),
    ("amd.com", "gpu"),
    ("google.com", "tpu"),
    ("aws.amazon.com", "neuron"),
    ("habana.ai", "gaudi"),
];

pub(super) fn check(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    for container in pod.containers() {
        for field in ["requests", "limits"] {
            let Some(amounts) = container.node.at(&["resources", field]) else { continue };
            if let Some(node) = amounts.get("cpu") {
                check_cpu(judge, node);
            }
            for entry in amounts.entries().iter().filter(|entry| entry.key.contains('/')) {
                check_device(judge, entry);
            }
        }
    }
}

fn check_cpu(judge: &mut Judge<'_>, node: &Node) {
    let Some(number) = plain_number(node).filter(|number| *number >= LEAST && number % ROUND == 0)
    else {
        return;
    };
    let meant = format!("{number}m");
    let message = message!("`cpu` of {number} cores has no unit");
    let finding = Diagnostic::new(&CPU_WITHOUT_UNIT, node.span(), message)
        .at("counts cores")
        .note("no node has as many: the Pod stays pending")
        .suggest(node.span(), meant.clone(), message!("did you mean `{meant}`?"));
    warn(judge, node, finding);
}

fn check_device(judge: &mut Judge<'_>, entry: &Entry) {
    let Some((domain, name)) = entry.key.split_once('/') else { return };
    let (domain, lower) = (domain.to_ascii_lowercase(), name.to_ascii_lowercase());
    let is_meant = |device: &&(&str, &str)| {
        let is_name = lower == device.1 || lower.strip_suffix('s') == Some(device.1);
        let is_domain = domain == device.0 || nearest(&domain, [device.0]).is_some();
        is_name && is_domain
    };
    // `amd.com` resembles other domains, so a domain without a typo wins.
    let exact = DEVICES.iter().find(|device| domain == device.0 && is_meant(device));
    let Some((domain, name)) = exact.or_else(|| DEVICES.iter().find(is_meant)) else { return };
    let meant = format!("{domain}/{name}");
    if entry.key == meant.as_str() {
        return;
    }
    let span = entry.key_origin().span();
    let message = message!("no device plugin offers `{}`", shown(&entry.key));
    let finding = Diagnostic::new(&DEVICE_RESOURCE_MISSPELLED, span, message)
        .at(message!("did you mean `{meant}`?"))
        .note("no node has the resource: the Pod stays pending")
        .write_instead(span, &entry.key, &meant, Safety::Unsafe);
    warn(judge, &entry.value, finding);
}
