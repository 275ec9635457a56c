//! Name collisions: of Sandboxes, volume claims, network policies, and hashes.

use super::fleet::Fleet;
use super::holders::{Holder, Holders, split_at_dashes};
use super::lifecycle::is_deleted;
use super::wording::{field_of, title};
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::names::{
    AGENTS_GROUP, SANDBOX, network_policy_name, volume_claim_name,
};
use crate::kube::Object;
use crate::limits::Fuel;
use crate::scalar::SUBDOMAIN_LIMIT;
use crate::scalar::{name_hash, name_hash_bits};
use crate::tree::Node;

declare_rules! {
    CLAIM_NAME_TAKEN = "claim-name-taken", Error;
    VOLUME_CLAIM_COLLISION = "volume-claim-collision", Error;
    NETWORK_POLICY_NAME_TAKEN = "network-policy-name-taken", Error;
    NAME_HASH_COLLISION = "name-hash-collision", Warning;
}

/// Checks all names.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    for claim in &fleet.claims {
        check_claim(fleet, claim.object, sink);
    }
    for template in &fleet.templates {
        check_network_policy(fleet, template.object, sink);
    }
    let holders = Holders::new(fleet);
    check_volume_claims(&holders, fleet.set.fuel(), sink);
    let Fleet { templates, pools, .. } = fleet;
    check_hashes("Sandboxes", holders.count(), |at| holders.named(at), sink);
    check_hashes("SandboxTemplates", templates.len(), |at| Some(templates.get(at)?.object), sink);
    check_hashes("SandboxWarmPools", pools.len(), |at| Some(pools.get(at)?.object), sink);
}

fn check_claim(fleet: &Fleet<'_, '_>, claim: &Object, sink: &mut Sink) {
    let taken = fleet.set.find(AGENTS_GROUP, SANDBOX, &claim.namespace, &claim.name);
    let is_taken = |object: &&Object| {
        !claim.name.is_empty() && object.namespace == claim.namespace && !is_deleted(&object.root)
    };
    let Some(sandbox) = taken.filter(is_taken) else { return };
    let message = message!("claim has the same name as Sandbox `{}`", claim.name);
    let finding = Diagnostic::new(&CLAIM_NAME_TAKEN, claim.name_span(), message)
        .at("never gets a sandbox")
        .label(sandbox.name_span(), "the Sandbox with this name")
        .path(&"metadata.name")
        .note("the controller does not use a Sandbox with the claim's name that the claim does not own")
        .help("rename one of the two");
    sink.report(finding);
}

fn check_network_policy(fleet: &Fleet<'_, '_>, template: &Object, sink: &mut Sink) {
    let is_managed =
        template.root.str_at(&["spec", "networkPolicyManagement"]) != Some("Unmanaged");
    let name = network_policy_name(&template.name);
    let taken = fleet.set.find("networking.k8s.io", "NetworkPolicy", &template.namespace, &name);
    let Some(policy) = taken.filter(|policy| {
        is_managed && !template.name.is_empty() && policy.namespace == template.namespace
    }) else {
        return;
    };
    let message = message!(
        "controller requires the name `{name}` for the NetworkPolicy of {}",
        title(template)
    );
    let finding = Diagnostic::new(&NETWORK_POLICY_NAME_TAKEN, policy.name_span(), message)
        .at("used by this NetworkPolicy")
        .label(template.name_span(), "the template")
        .path(&"metadata.name")
        .note("the controller does not update a policy that it does not own")
        .help(message!(
            "rename the policy, or set `{}: Unmanaged` in the template",
            field_of(template, "networkPolicyManagement")
        ));
    sink.report(finding);
}

/// The steps of the search for a volume claim with a name.
const OF_COMPARISON: usize = 50;

/// Reports volume claims with the same name: one Sandbox's name ends in `-` and the name of
/// another, and the other has an entry that makes up for the difference.
fn check_volume_claims(holders: &Holders<'_, '_, '_>, fuel: &Fuel<'_>, sink: &mut Sink) {
    for long in holders.iter().filter(|holder| holder.volume_claims().next().is_some()) {
        for (head, tail) in split_at_dashes(&long.object.name) {
            let Some(short) = holders.get(&long.object.namespace, tail) else { continue };
            for (entry, node) in long.volume_claims() {
                if !fuel.spend(OF_COMPARISON) {
                    return;
                }
                // The API server rejects longer names, so that there is no such entry.
                if entry.len() + head.len() > SUBDOMAIN_LIMIT {
                    continue;
                }
                let other = volume_claim_name(entry, head);
                if let Some(other_node) = short.volume_claim(&other) {
                    report_collision((long, entry, node), (short, &other, other_node), sink);
                }
            }
        }
    }
}

/// A Sandbox, the name of one of its volume claim templates, and the node of this name.
type Entry<'h, 'o> = (Holder<'h, 'o>, &'h str, &'o Node);

fn report_collision(long: Entry<'_, '_>, short: Entry<'_, '_>, sink: &mut Sink) {
    let (long, entry, node) = long;
    let (short, other, other_node) = short;
    let message = message!(
        "{} and {} both require volume claim `{}`",
        title(long.object),
        title(short.object),
        volume_claim_name(entry, &long.object.name)
    );
    let mut finding = Diagnostic::new(&VOLUME_CLAIM_COLLISION, long.object.name_span(), message)
        .at("one of the two")
        .label(node.span(), message!("its entry `{entry}`"))
        .label(short.object.name_span(), "the other one")
        .label(other_node.span(), message!("its entry `{other}`"))
        .path(&"metadata.name")
        .note("the second one cannot use a claim of the first")
        .help("rename one of the entries, or one of the two objects");
    // The lower of the two severities: the collision only happens if both are created.
    finding.severity = long.severity().max(short.severity());
    sink.report(finding);
}

/// Checks the hashes of the names of `count` objects, of which some have none.
fn check_hashes<'o>(
    kinds: &str,
    count: usize,
    object: impl Fn(usize) -> Option<&'o Object>,
    sink: &mut Sink,
) {
    // One number for the hash and the position, because a run can have a million claims.
    let numbers = (0_u32..).take(count).filter_map(|at| {
        let hash = name_hash_bits(&object(at as usize)?.name);
        Some(u64::from(hash) << u32::BITS | u64::from(at))
    });
    let mut hashed: Vec<u64> = numbers.collect();
    hashed.sort_unstable();
    let have_one_hash = |one: &u64, other: &u64| one >> u32::BITS == other >> u32::BITS;
    for group in hashed.chunk_by(have_one_hash).filter(|group| group.len() > 1) {
        let position = |number: &u64| usize::try_from(number & u64::from(u32::MAX)).ok();
        let mut objects: Vec<&Object> =
            group.iter().filter_map(|number| object(position(number)?)).collect();
        objects.sort_by_key(|object| object.namespace.as_str());
        for same in objects.chunk_by(|one, other| one.namespace == other.namespace) {
            let [first, others @ ..] = same else { continue };
            for other in others.iter().filter(|other| other.name != first.name) {
                report_hash(kinds, first, other, sink);
            }
        }
    }
}

fn report_hash(kinds: &str, first: &Object, object: &Object, sink: &mut Sink) {
    let message = message!(
        "{kinds} `{}` and `{}` have the same hash `{}`",
        first.name,
        object.name,
        name_hash(&object.name)
    );
    let finding = Diagnostic::new(&NAME_HASH_COLLISION, object.name_span(), message)
        .at("one of the two")
        .label(first.name_span(), "the other one")
        .path(&"metadata.name")
        .note("the controllers identify objects by this hash and confuse these two")
        .help("rename one of the two");
    sink.report(finding);
}
