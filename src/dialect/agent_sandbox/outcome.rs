//! What happens once a changed Sandbox, SandboxTemplate, SandboxWarmPool or SandboxClaim is applied.
//!
//! From the controllers of upstream: `isSandboxStale` of the pool, `reconcileActive` of the claim, and
//! the reconciler of a Sandbox, which never updates the `spec` of a Pod.

use super::names::{EXTENSIONS_GROUP, SANDBOX, SANDBOX_CLAIM, SANDBOX_TEMPLATE, SANDBOX_WARM_POOL};
use crate::diag::first_strings;
use crate::kube::Object;
use crate::lower::{Changed, Effect, Outcome};
use crate::tree::{Node, items};

const POD_SPEC: &[&str] = &["spec", "podTemplate", "spec"];
const POD_METADATA: &[&str] = &["spec", "podTemplate", "metadata"];
const VOLUME_CLAIMS: &[&str] = &["spec", "volumeClaimTemplates"];
const SERVICE: &[&str] = &["spec", "service"];
const NETWORK: &[&[&str]] = &[&["spec", "networkPolicy"], &["spec", "networkPolicyManagement"]];

/// The maximum number of pools that a line names.
const MOST_NAMED: usize = 3;

/// The outcome of a changed object.
pub(super) fn of(changed: &Changed<'_>) -> Option<Outcome> {
    if changed.is_within(&[&["metadata"]]) {
        return Some(Outcome::new(Effect::Nothing, "only metadata of the object changes"));
    }
    match changed.new.gvk.kind() {
        SANDBOX => Some(outcome_of_sandbox(changed)),
        SANDBOX_TEMPLATE => Some(outcome_of_template(changed)),
        SANDBOX_WARM_POOL => Some(outcome_of_pool(changed)),
        SANDBOX_CLAIM => Some(outcome_of_claim(changed)),
        _ => None,
    }
}

/// What is deleted with an object, by the owners that the controllers write.
pub(super) fn then_lost(object: &Object) -> Option<&'static str> {
    let spec = object.root.get("spec")?;
    match object.gvk.kind() {
        SANDBOX if items(spec, "volumeClaimTemplates").is_empty() => {
            Some("its deletion deletes its Pod")
        }
        SANDBOX => Some("its deletion deletes its Pod, and its volume claims with their data"),
        SANDBOX_CLAIM => {
            Some("its deletion deletes its Sandbox, with the Pod and the volume claims")
        }
        SANDBOX_WARM_POOL => {
            Some("its deletion deletes idle members; those that claims have adopted run on")
        }
        SANDBOX_TEMPLATE if spec.str_at(&["networkPolicyManagement"]) != Some("Unmanaged") => {
            Some("its deletion deletes its NetworkPolicy; Pods of claims run on without it")
        }
        _ => None,
    }
}

fn outcome_of_sandbox(changed: &Changed<'_>) -> Outcome {
    if changed.touches(VOLUME_CLAIMS) {
        let text = "rejected: `spec.volumeClaimTemplates` is immutable; delete it with its volumes, \
                    then apply";
        return Outcome::new(Effect::Replaced, text).run_some(changed.old.command("delete", ""));
    }
    if changed.touches(POD_SPEC) {
        let outcome = Outcome::new(
            Effect::Waits,
            "the running Pod keeps its old spec until it is deleted and created again",
        );
        return outcome.run_some(pod_command(changed.new));
    }
    if changed.touches(&["spec", "operatingMode"]) {
        let is_suspended = changed.new.root.str_at(&["spec", "operatingMode"]) == Some("Suspended");
        return if is_suspended {
            Outcome::new(Effect::AtOnce, "the Pod is deleted at once; its volumes stay")
        } else {
            Outcome::new(Effect::AtOnce, "a new Pod starts with the same volumes")
        };
    }
    if changed.touches(POD_METADATA) {
        return Outcome::new(Effect::AtOnce, "the running Pod is patched; it does not restart");
    }
    Outcome::new(Effect::AtOnce, "acts at once; the Pod does not restart")
}

/// The command that deletes the Pod of a Sandbox, which has the same name.
fn pod_command(sandbox: &Object) -> Option<String> {
    sandbox.command("delete", "")?;
    Some(format!("kubectl delete pod/{}{}", sandbox.name(), sandbox.namespace_flag()))
}

fn outcome_of_template(changed: &Changed<'_>) -> Outcome {
    let is_stale = [POD_SPEC, VOLUME_CLAIMS, SERVICE].iter().any(|field| changed.touches(field));
    let is_network = NETWORK.iter().any(|network| changed.touches(network));
    let pools = pools_of(changed);
    if !is_stale {
        let text = if is_network {
            "the NetworkPolicy changes at once; idle pool members keep their Pods and DNS settings"
        } else if changed.touches(POD_METADATA) {
            "claimed sandboxes are patched; idle pool members keep their metadata"
        } else {
            "applies to new claims; existing sandboxes do not change"
        };
        let effect = if is_network { Effect::AtOnce } else { Effect::Later };
        return Outcome::new(effect, text);
    }
    let (recreated, kept): (Vec<_>, Vec<_>) =
        pools.into_iter().partition(|it| recreates_members(it));
    let mut parts = Vec::new();
    if !recreated.is_empty() {
        parts.push(format!(
            "idle members of {} are deleted and created again at once",
            list_names(&recreated)
        ));
    }
    if !kept.is_empty() {
        parts.push(format!(
            "idle members of {} become stale, and claims can still adopt them (`OnReplenish`)",
            list_names(&kept)
        ));
    }
    parts.push("claimed sandboxes keep their Pods".to_owned());
    let effect = if recreated.is_empty() { Effect::Later } else { Effect::Restarts };
    Outcome::new(effect, parts.join("; "))
}

fn outcome_of_pool(changed: &Changed<'_>) -> Outcome {
    let recreates = recreates_members(changed.new);
    if changed.touches(&["spec", "sandboxTemplateRef"]) {
        return if recreates {
            let text = "idle members are deleted and created from the new template at once; claimed \
                        sandboxes keep their Pods";
            Outcome::new(Effect::Restarts, text)
        } else {
            let text = "idle members become stale, and claims can still adopt them (`OnReplenish`); \
                        new members use the new template";
            Outcome::new(Effect::Later, text)
        };
    }
    if changed.touches(&["spec", "updateStrategy"]) {
        let text = if recreates {
            "stale idle members are deleted and created again at once"
        } else {
            "stale idle members stay from now on"
        };
        return Outcome::new(Effect::AtOnce, text);
    }
    if changed.touches(&["spec", "replicas"]) {
        let count = |object: &Object| {
            object.root.at(&["spec", "replicas"]).and_then(Node::as_i64).unwrap_or(1)
        };
        let (old, new) = (count(changed.old), count(changed.new));
        let text = format!("scales from {old} to {new} idle members; claimed sandboxes stay");
        return Outcome::new(Effect::AtOnce, text);
    }
    Outcome::new(Effect::AtOnce, "acts at once")
}

fn outcome_of_claim(changed: &Changed<'_>) -> Outcome {
    if changed.touches(&["spec", "warmPoolRef"]) {
        let text = "a bound claim keeps its old sandbox; its Pod gets the metadata and the \
                    NetworkPolicy of the new template";
        return Outcome::new(Effect::Later, text);
    }
    if changed.touches(&["spec", "env"]) || changed.touches(VOLUME_CLAIMS) {
        let outcome = Outcome::new(
            Effect::Waits,
            "a bound claim keeps its old sandbox; delete it, then apply, for a new one",
        );
        return outcome.run_some(changed.old.command("delete", ""));
    }
    if changed.touches(&["spec", "additionalPodMetadata"]) {
        return Outcome::new(Effect::AtOnce, "the running Pod is patched; it does not restart");
    }
    Outcome::new(Effect::AtOnce, "acts at once; the sandbox does not restart")
}

/// Whether a pool deletes stale members at once.
fn recreates_members(pool: &Object) -> bool {
    pool.root.str_at(&["spec", "updateStrategy", "type"]) == Some("Recreate")
}

/// The pools of the new side that use the template.
fn pools_of<'c>(changed: &Changed<'c>) -> Vec<&'c Object> {
    let template = changed.new;
    let uses = |object: &&Object| {
        object.gvk.is(EXTENSIONS_GROUP, SANDBOX_WARM_POOL)
            && object.namespace() == template.namespace()
            && object.root.str_at(&["spec", "sandboxTemplateRef", "name"]) == Some(template.name())
    };
    changed.all.iter().filter(uses).collect()
}

fn list_names(pools: &[&Object]) -> String {
    first_strings(MOST_NAMED, ", ", pools.iter().map(|it| it.describe()))
}
