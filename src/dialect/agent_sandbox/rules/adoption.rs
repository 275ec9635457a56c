//! Volume claims of the input that a Sandbox would adopt.

use super::fleet::Fleet;
use super::holders::{Holder, Holders, split_at_dashes};
use super::wording::title;
use crate::diag::{Diagnostic, Severity, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::names::{ADOPTABLE, SANDBOX_NAME_HASH, volume_claim_name};
use crate::kube::Object;
use crate::scalar::name_hash;
use crate::tree::Node;

declare_rules! {
    VOLUME_CLAIM_NOT_ADOPTABLE = "volume-claim-not-adoptable", Error;
    VOLUME_CLAIM_ADOPTED = "volume-claim-adopted", Warning;
}

/// Checks the volume claims of the input.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    let mut claims = fleet.set.of_kind("", "PersistentVolumeClaim").peekable();
    if claims.peek().is_none() {
        return;
    }
    let holders = Holders::new(fleet);
    for claim in claims {
        check_claim(&holders, claim, sink);
    }
}

fn check_claim(holders: &Holders<'_, '_, '_>, claim: &Object, sink: &mut Sink) {
    let label = |key| claim.root.at(&["metadata", "labels"])?.get(key)?.as_str();
    let is_adoptable = label(ADOPTABLE) == Some("true");
    for (entry, sandbox) in split_at_dashes(&claim.name) {
        let Some((holder, node)) = find_holder(holders, claim, sandbox, entry) else { continue };
        if is_adoptable || label(SANDBOX_NAME_HASH) == Some(name_hash(sandbox).as_str()) {
            report_adopted(claim, holder, sink);
        } else {
            report_refused(claim, holder, node, sink);
        }
        return;
    }
    if is_adoptable {
        for (sandbox, entry) in split_at_dashes(&claim.name) {
            if let Some((holder, node)) = find_holder(holders, claim, sandbox, entry) {
                return report_reversed(claim, holder, entry, node, sink);
            }
        }
    }
}

/// The Sandbox of this name, if it has this entry, and the entry's name node.
fn find_holder<'h, 'o>(
    holders: &'h Holders<'_, '_, 'o>,
    claim: &Object,
    sandbox: &str,
    entry: &str,
) -> Option<(Holder<'h, 'o>, &'o Node)> {
    let holder = holders.get(&claim.namespace, sandbox)?;
    holder.volume_claim(entry).map(|node| (holder, node))
}

fn report_adopted(claim: &Object, holder: Holder<'_, '_>, sink: &mut Sink) {
    let owner = &holder.object.name;
    let message = message!("Sandbox `{owner}` becomes the owner of this volume claim");
    let finding = Diagnostic::new(&VOLUME_CLAIM_ADOPTED, claim.name_span(), message)
        .at(message!("deleted together with the Sandbox `{owner}`"))
        .label(holder.object.name_span(), "adopts it")
        .path(&"metadata.name")
        .help("to keep the data, mount the volume claim in `podTemplate.spec.volumes` instead");
    sink.report(finding);
}

fn report_refused(claim: &Object, holder: Holder<'_, '_>, entry: &Node, sink: &mut Sink) {
    let message = message!(
        "{} requires volume claim `{}`, but cannot adopt this one",
        title(holder.object),
        claim.name
    );
    let finding = Diagnostic::new(&VOLUME_CLAIM_NOT_ADOPTABLE, claim.name_span(), message)
        .at("has no owner and no adoption label")
        .label(entry.span(), "the entry that requires it")
        .path(&"metadata.labels")
        .note("the controller keeps reporting `cannot adopt unowned PVC`")
        .help(message!("add the label `{ADOPTABLE}: \"true\"`, or rename the volume claim"));
    report_with_severity(finding, holder.severity(), sink);
}

fn report_reversed(
    claim: &Object,
    holder: Holder<'_, '_>,
    entry: &str,
    node: &Node,
    sink: &mut Sink,
) {
    let name = volume_claim_name(entry, &holder.object.name);
    let message =
        message!("{} uses volume claim `{name}`, not `{}`", title(holder.object), claim.name);
    let finding = Diagnostic::new(&VOLUME_CLAIM_NOT_ADOPTABLE, claim.name_span(), message)
        .at("adoptable under an unused name")
        .label(node.span(), "the entry")
        .path(&"metadata.name")
        .note("the name is the entry, `-` and the name of the Sandbox")
        .help(message!("rename it to `{name}`"));
    report_with_severity(finding, holder.severity(), sink);
}

fn report_with_severity(mut finding: Diagnostic, severity: Severity, sink: &mut Sink) {
    finding.severity = severity;
    sink.report(finding);
}
