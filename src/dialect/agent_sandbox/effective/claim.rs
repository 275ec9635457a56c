//! Claims: the Sandbox of each claim, or the reason that it has none.

use super::pool::{
    Members, POD_METADATA, copied_parts, copy_blueprint, create_member, member_count,
    set_secure_defaults, template_of,
};
use super::{
    AGENTS_VERSION, Cluster, EXTENSIONS_VERSION, Owner, Sandbox, Stored, env, find_in, metadata,
    object_head, owner_references, place_of, placeholder_uid, volume_claims,
};
use crate::diag::{Message, brief, declare_rules, message};
use crate::dialect::agent_sandbox::Settings;
use crate::dialect::agent_sandbox::facts::is_gated;
use crate::dialect::agent_sandbox::names::{
    EXTENSIONS_GROUP, LAUNCH_TYPE, POD_TEMPLATE_HASH, SANDBOX, SANDBOX_CLAIM, SANDBOX_TEMPLATE,
    SANDBOX_WARM_POOL, TEMPLATE_HASH, TEMPLATE_REF, TEMPLATE_REF_HASH, TRACE_CONTEXT, WARM_POOL,
};
use crate::dialect::agent_sandbox::rules::lifecycle::{is_deleted, is_in_the_past};
use crate::kube::Remark;
use crate::lower::{Condition, Effects};
use crate::scalar::name_hash;
use crate::tree::{Entry, Node};

declare_rules! {
    CLAIM_NOT_READY = "claim-not-ready", Warning;
}

const LABELS: &[&str] = &["metadata", "labels"];
const ANNOTATIONS: &[&str] = &["metadata", "annotations"];
const POD_LABELS: &[&str] = &["spec", "podTemplate", "metadata", "labels"];

/// The reason and message of a condition `Ready=False`.
pub(super) struct NotReady {
    reason: &'static str,
    message: Message,
}

impl NotReady {
    pub(super) fn new(reason: &'static str, message: impl Into<Message>) -> Self {
        Self { reason, message: message.into() }
    }

    fn into_condition(self, claim: &Stored<'_>) -> Condition {
        let Self { reason, message } = self;
        let name = claim.name();
        let (headline, note) = if reason.is_empty() {
            (message!("the Sandbox of claim `{name}` is unknown"), message)
        } else {
            (
                message!("claim `{name}` is not ready: `{reason}`"),
                message!("the controller sets `Ready=False`, `{reason}`: {message}"),
            )
        };
        Condition {
            document: claim.object.document,
            place: place_of(claim.object),
            rule: &CLAIM_NOT_READY,
            headline,
            label: "no Sandbox is shown",
            note,
        }
    }

    /// A fault after which the controller retries forever.
    pub(super) fn retried(message: impl Into<Message>) -> Self {
        Self::new("ReconcilerError", message!("Error seen: {}", message.into()))
    }
}

/// Returns the Sandbox of a claim. A claim without one adds a condition.
pub(super) fn resolve<'o>(
    claim: &Stored<'o>,
    cluster: &Cluster<'o>,
    settings: &Settings,
    members: &mut Members<'o>,
    effects: &mut Effects<'_>,
) -> Option<Sandbox<'o>> {
    match sandbox_of(claim, cluster, settings, members, effects) {
        Ok((sandbox, remark)) => {
            let name = sandbox.root.text_at(&["metadata", "name"]);
            effects.remarks.add(SANDBOX, &claim.object.namespace, name, remark);
            Some(sandbox)
        }
        // The run has an error.
        Err(_) if effects.over().is_some() => None,
        Err(not_ready) => {
            effects.conditions.push(not_ready.into_condition(claim));
            None
        }
    }
}

fn sandbox_of<'o>(
    claim: &Stored<'o>,
    cluster: &Cluster<'o>,
    settings: &Settings,
    members: &mut Members<'o>,
    effects: &mut Effects<'_>,
) -> Result<(Sandbox<'o>, Remark), NotReady> {
    if let Some(expired) = expired_condition(claim) {
        return Err(expired);
    }
    if let Some(fault) = metadata::fault(claim.object, settings) {
        let message = message!("invalid additionalPodMetadata: {fault}");
        return Err(NotReady::new("InvalidMetadata", message));
    }
    let (namespace, name) = (claim.object.namespace.as_str(), claim.name());
    if find_in(&cluster.sandboxes, namespace, name)
        .is_some_and(|sandbox| !is_deleted(&sandbox.root))
    {
        return Err(NotReady::retried(message!(
            "sandbox {name:?} is not controlled by claim {name:?}. Please use a different claim \
            name or delete the sandbox manually"
        )));
    }
    let pool_name = claim.root.text_at(&["spec", "warmPoolRef", "name"]);
    let Some(pool) = find_in(&cluster.pools, namespace, pool_name) else {
        return Err(not_found(
            "WarmPoolNotFound",
            SANDBOX_WARM_POOL,
            namespace,
            pool_name,
            effects,
        ));
    };
    let Some(template) = template_of(pool, cluster) else {
        let name = pool.root.text_at(&["spec", "sandboxTemplateRef", "name"]);
        return Err(not_found("TemplateNotFound", SANDBOX_TEMPLATE, namespace, name, effects));
    };
    let remark = |mode, reason| Remark {
        mode,
        source_kind: SANDBOX_CLAIM,
        source_name: name.to_owned(),
        reason,
    };
    if effects.admit(claim.object, 1, copied_parts(template)) == 0 {
        return Err(NotReady::new("", "too many objects"));
    }
    if let Some(reason) = reason_for_cold_start(claim, pool, template) {
        let reason = format!("SandboxClaim `{name}` starts cold: {reason}");
        return Ok((start_cold(claim, template)?, remark("cold", reason)));
    }
    let reason =
        format!("SandboxClaim `{name}` has adopted a member of SandboxWarmPool `{pool_name}`");
    Ok((adopt_member(claim, pool, template, members, effects)?, remark("warm", reason)))
}

/// The reason that no member of the pool can serve a claim, if any.
fn reason_for_cold_start(
    claim: &Stored<'_>,
    pool: &Stored<'_>,
    template: &Stored<'_>,
) -> Option<String> {
    let fields = ["env", "volumeClaimTemplates"];
    let set: Vec<_> =
        fields.into_iter().filter(|field| !spec_items(&claim.root, field).is_empty()).collect();
    if set.is_empty() && member_count(pool) == 0 {
        return Some(format!("SandboxWarmPool `{}` has `replicas: 0`", pool.name()));
    }
    if set.is_empty() {
        // Only a member whose Pod is ready can be adopted.
        let is_gated = is_gated(template.root.at(&["spec", "podTemplate"])?);
        return is_gated.then(|| {
            format!(
                "the Pods of the members of SandboxWarmPool `{}` wait for admission",
                pool.name()
            )
        });
    }
    let set = set.join("` and `");
    Some(format!("it sets `{set}`, and the Pods of pool members already run"))
}

/// The condition of a claim that has expired, which gets no Sandbox.
fn expired_condition(claim: &Stored<'_>) -> Option<NotReady> {
    let lifecycle = claim.root.at(&["spec", "lifecycle"])?;
    lifecycle.str_at(&["shutdownTime"]).filter(|time| is_in_the_past(time))?;
    Some(match lifecycle.str_at(&["shutdownPolicy"]) {
        Some(policy @ ("Delete" | "DeleteForeground")) => NotReady::new(
            "",
            message!(
                "its `shutdownTime` has passed and its `shutdownPolicy` is `{policy}`: the controller \
                deletes it"
            ),
        ),
        _ => NotReady::new("ClaimExpired", "Claim expired. Sandbox cleanup initiated."),
    })
}

fn not_found(
    reason: &'static str,
    kind: &'static str,
    namespace: &str,
    name: &str,
    effects: &Effects<'_>,
) -> NotReady {
    let name = brief(name);
    if (effects.is_external)(EXTENSIONS_GROUP, kind, namespace, name) {
        return NotReady::new("", message!("{kind} `{name}` is declared under `external`"));
    }
    NotReady::new(reason, message!("{kind} {name:?} not found"))
}

/// The items of a list in `spec`.
pub(super) fn spec_items<'n>(root: &'n Node, field: &str) -> &'n [Node] {
    root.at(&["spec", field]).map_or(&[], Node::items)
}

/// A member of the pool, adopted by the claim.
fn adopt_member<'o>(
    claim: &Stored<'o>,
    pool: &Stored<'o>,
    template: &Stored<'_>,
    members: &mut Members<'o>,
    effects: &Effects<'_>,
) -> Result<Sandbox<'o>, NotReady> {
    let origin = claim.managed();
    let mut root = create_member(pool, template, members, effects);
    let before = metadata::Propagated::of(&root);
    let name = root.text_at(&["metadata", "name"]).to_owned();
    metadata::remove(&mut root, LABELS, &[WARM_POOL, POD_TEMPLATE_HASH, TEMPLATE_HASH]);
    set_owner(&mut root, claim);
    copy_trace(&mut root, claim);
    let uid = placeholder_uid(SANDBOX_CLAIM, claim.name());
    metadata::set_identity(&mut root, LABELS, claim.object, &uid, origin);

    let of_template = template.root.at(POD_METADATA).cloned().unwrap_or_else(|| Node::map(origin));
    metadata::edit(&mut root, &["spec", "podTemplate"], origin, &mut |pod| {
        pod.set("metadata", of_template.clone());
    });
    metadata::set_identity(&mut root, POD_LABELS, claim.object, &uid, origin);
    let hash = name_hash(template.name());
    metadata::set_all(&mut root, POD_LABELS, &[(TEMPLATE_REF_HASH, &hash)], origin);
    metadata::merge(&mut root, POD_METADATA, claim.object, origin).map_err(|conflict| {
        NotReady::retried(message!("failed to complete adoption of {name:?}: {conflict}"))
    })?;
    let (source, owner) = (claim.object, Owner::Claim);
    Ok(Sandbox { source, managed: origin, root, propagated_before: Some(before), owner })
}

/// A cold-started Sandbox, which has the name of the claim.
fn start_cold<'o>(claim: &Stored<'o>, template: &Stored<'_>) -> Result<Sandbox<'o>, NotReady> {
    let origin = claim.managed();
    let (mut root, own) = object_head(AGENTS_VERSION, SANDBOX, claim.name(), &claim.root, origin);
    root.set("metadata", own);
    copy_trace(&mut root, claim);
    metadata::set_all(&mut root, ANNOTATIONS, &[(TEMPLATE_REF, template.name())], origin);
    root.set("spec", copy_blueprint(template, origin));
    if let Some(claims) = volume_claims::merged(claim, template)? {
        metadata::edit(&mut root, &["spec"], origin, &mut |spec| {
            spec.set("volumeClaimTemplates", Node::list(claims.iter().cloned(), origin));
        });
    }
    let uid = placeholder_uid(SANDBOX_CLAIM, claim.name());
    let hash = name_hash(template.name());
    metadata::set_identity(&mut root, LABELS, claim.object, &uid, origin);
    let labels = [(LAUNCH_TYPE, "cold"), (TEMPLATE_REF_HASH, hash.as_str())];
    metadata::set_all(&mut root, LABELS, &labels, origin);
    metadata::set_identity(&mut root, POD_LABELS, claim.object, &uid, origin);
    metadata::set_all(&mut root, POD_LABELS, &[(TEMPLATE_REF_HASH, &hash)], origin);
    metadata::merge(&mut root, POD_METADATA, claim.object, origin).map_err(NotReady::retried)?;
    env::inject(&mut root, claim, template)?;
    set_secure_defaults(&mut root, template, origin);
    set_owner(&mut root, claim);
    let (source, owner) = (claim.object, Owner::Claim);
    Ok(Sandbox { source, managed: origin, root, propagated_before: None, owner })
}

fn set_owner(root: &mut Node, claim: &Stored<'_>) {
    let origin = claim.managed();
    let owner = owner_references(EXTENSIONS_VERSION, SANDBOX_CLAIM, claim.name(), origin);
    metadata::edit(root, &["metadata"], origin, &mut |own| {
        own.set("ownerReferences", owner.clone());
    });
}

fn copy_trace(root: &mut Node, claim: &Stored<'_>) {
    let trace = claim.root.at(ANNOTATIONS).and_then(|it| it.entry(TRACE_CONTEXT));
    if let Some(Entry { value, .. }) = trace {
        metadata::edit(root, ANNOTATIONS, claim.managed(), &mut |map| {
            map.set(TRACE_CONTEXT, value.clone());
        });
    }
}
