//! Volume claims between a claim and its template, and between a template and its pools.

use super::blueprint::{volume_claim_names, volume_claim_templates};
use super::env::forbidding_label;
use super::fleet::{Claim, Fleet, Policy, Pool, Template};
use super::wording::{field_of, place_of, title};
use crate::diag::{Diagnostic, Severity, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::names::SANDBOX_CLAIM;
use crate::kube::Object;
use crate::tree::Node;

declare_rules! {
    CLAIM_VOLUME_CLAIMS_DISALLOWED = "claim-volume-claims-disallowed", Error;
    CLAIM_VOLUME_CLAIM_OVERRIDES_TEMPLATE = "claim-volume-claim-overrides-template", Error;
    MOUNTED_VOLUME_MISSING = "mounted-volume-missing", Error;
    WARM_POOL_HOLDS_VOLUMES = "warm-pool-holds-volumes", Note, follows = [Structure, DuplicateObject];
    WARM_POOL_SHARES_VOLUME = "warm-pool-shares-volume", Warning;
}

const ENDS: &str = "the claim fails with the reason `VolumeClaimTemplatesError`, and the controller does not retry";
const POLICY: &str = "volumeClaimTemplatesPolicy";

/// Checks all claims against their templates, and all templates against their pools.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    for claim in &fleet.claims {
        if let Some(template) = fleet.template_of(claim) {
            check_claim(claim, template, sink);
            check_brought(fleet, claim, template, sink);
        }
    }
    for template in &fleet.templates {
        if let Some(pool) = fleet.pools_of(template).max_by_key(|pool| pool.replicas) {
            check_shared(template, pool, sink);
        }
    }
    for pool in fleet.pools.iter().filter(|pool| pool.replicas > 0) {
        let Some(template) = fleet.template_of_pool(pool) else { continue };
        check_members(template, pool, sink);
        if let Some(volume) = template.blueprint.unmet.first() {
            report_unmet(template, pool.object, volume, Severity::Error, sink);
        }
    }
}

fn check_claim(claim: &Claim<'_>, template: &Template<'_>, sink: &mut Sink) {
    let spec = claim.object.root.get("spec");
    let Some(entry) = spec.and_then(|spec| spec.entry("volumeClaimTemplates")) else { return };
    let Some((policy, decided_at)) = template.policy(POLICY) else { return };
    if entry.value.items().is_empty() {
        return;
    }
    let name = title(template.object);
    let field = field_of(template.object, POLICY);
    if policy == Policy::Disallowed {
        let message =
            message!("{} has volume claims, which {name} does not allow", title(claim.object));
        let at = place_of(entry);
        let finding = Diagnostic::new(&CLAIM_VOLUME_CLAIMS_DISALLOWED, at, message)
            .at("rejected by the template's policy")
            .label(decided_at, forbidding_label(template.object, POLICY))
            .path(&"spec.volumeClaimTemplates")
            .note(ENDS)
            .help(message!(
                "set `{field}: Allowed` in the template, or remove them from the claim"
            ));
        sink.report(finding);
    }
    if policy != Policy::Allowed {
        return;
    }
    for (index, item) in entry.value.items().iter().enumerate() {
        let Some(node) = item.at(&["metadata", "name"]) else { continue };
        let Some(text) = node.as_str() else { continue };
        let Some(own) = template.blueprint.volume_claims.get(text) else { continue };
        let message = message!("{name} already has a volume claim `{text}`");
        let finding = Diagnostic::new(&CLAIM_VOLUME_CLAIM_OVERRIDES_TEMPLATE, node.span(), message)
            .at("overrides the template")
            .label(own.span(), "defined here")
            .label(decided_at, "`Allowed` permits no overrides")
            .path(&format!("spec.volumeClaimTemplates[{index}].metadata.name"))
            .note(ENDS)
            .help(message!("rename it, or set `{field}: Overrides` in the template"));
        sink.report(finding);
    }
}

/// Checks that a claim adds the volumes that its template mounts but does not have.
fn check_brought<'o>(
    fleet: &Fleet<'_, 'o>,
    claim: &Claim<'o>,
    template: &Template<'_>,
    sink: &mut Sink,
) {
    if template.blueprint.unmet.is_empty() {
        return;
    }
    let brought = volume_claim_names(volume_claim_templates(claim.object));
    let unmet = template.blueprint.unmet.iter().find(|name| !brought.contains(name));
    if let Some(volume) = unmet {
        report_unmet(template, claim.object, volume, fleet.severity(claim), sink);
    }
}

fn report_unmet(
    template: &Template<'_>,
    object: &Object,
    volume: &str,
    severity: Severity,
    sink: &mut Sink,
) {
    // Without the policy no claim can add it, so the template itself is wrong.
    let Some((Policy::Allowed | Policy::Overrides, decided_at)) = template.policy(POLICY) else {
        return;
    };
    let message = message!(
        "{} has no volume `{volume}`, which {} mounts",
        title(object),
        title(template.object)
    );
    let help = if object.gvk.kind == SANDBOX_CLAIM {
        message!(
            "add a volume claim `{volume}` to its `{}`",
            field_of(object, "volumeClaimTemplates")
        )
    } else {
        "set `replicas: 0`, or give the template the volume".into()
    };
    let mut finding = Diagnostic::new(&MOUNTED_VOLUME_MISSING, object.name_span(), message)
        .at("the API server rejects its Pod")
        .label(decided_at, "leaves volumes to the claims")
        .help(help);
    finding.severity = severity;
    sink.report(finding);
}

fn check_members(template: &Template<'_>, pool: &Pool<'_>, sink: &mut Sink) {
    // If they share one volume, that is the more important finding.
    if template.blueprint.volume_claims.is_empty()
        || pool.replicas > 1 && template.blueprint.names_volume
    {
        return;
    }
    let claims = template.object.root.get("spec").and_then(|it| it.entry("volumeClaimTemplates"));
    let Some(claims) = claims else { return };
    let each = template.blueprint.volume_claims.len();
    let total = pool.replicas.saturating_mul(i64::try_from(each).unwrap_or(i64::MAX));
    let volumes = if total == 1 { "volume" } else { "volumes" };
    let message = message!("{} keeps {total} {volumes} for idle sandboxes", title(pool.object));
    let replicas = pool.object.root.at(&["spec", "replicas"]);
    let at = replicas.map_or_else(|| pool.object.name_span(), Node::span);
    let finding = Diagnostic::new(&WARM_POOL_HOLDS_VOLUMES, at, message)
        .at(message!("{} idle, with {each} each", pool.replicas))
        .label(place_of(claims), "the volume claims of each")
        .path(&"spec.replicas")
        .note("each is deleted with its sandbox, including its data")
        .help("use an `emptyDir`, or start claims cold: `replicas: 0`");
    sink.report(finding);
}

fn check_shared(template: &Template<'_>, pool: &Pool<'_>, sink: &mut Sink) {
    if pool.replicas < 2 {
        return;
    }
    for (index, item) in volume_claim_templates(template.object).iter().enumerate() {
        let Some(node) = item.at(&["spec", "volumeName"]) else { continue };
        let Some(volume) = node.as_str().filter(|text| !text.is_empty()) else { continue };
        let message = message!("{} pool members share the volume `{volume}`", pool.replicas);
        let finding = Diagnostic::new(&WARM_POOL_SHARES_VOLUME, node.span(), message)
            .at("bound to one volume claim at most")
            .label(pool.object.name_span(), "the pool")
            .path(&format!("spec.volumeClaimTemplates[{index}].spec.volumeName"))
            .help("remove `volumeName` and let the storage class provision a volume for each");
        sink.report(finding);
    }
}
