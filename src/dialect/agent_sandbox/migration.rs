//! `migrate`: objects of `v1alpha1`, and claims of the first `v1beta1`, which name a template.

use crate::convert::{Edits, Refused};
use crate::diag::{Diagnostic, Message, message};
use crate::kube::{LAST_APPLIED, Object};
use crate::lower::{MIGRATION_DOUBTFUL, Migration, MigrationCx, OldKind, same_namespace};
use crate::source::Span;
use crate::tree::{Entry, Node, Value};

use super::names::{
    AGENTS_GROUP, EXTENSIONS_GROUP, OLD_VERSION, SANDBOX, SANDBOX_CLAIM, SANDBOX_TEMPLATE,
    SANDBOX_WARM_POOL, VERSION, shadow_pool_name,
};

pub(super) const MIGRATION: Migration = Migration { convert, old_kinds: &OLD_KINDS };

const OLD_KINDS: [OldKind; 4] = [
    old_kind(AGENTS_GROUP, SANDBOX, &["replicas"]),
    old_kind(EXTENSIONS_GROUP, SANDBOX_CLAIM, &["sandboxTemplateRef", "warmpool"]),
    old_kind(EXTENSIONS_GROUP, SANDBOX_TEMPLATE, &["volume-claim-templates-policy"]),
    old_kind(EXTENSIONS_GROUP, SANDBOX_WARM_POOL, &[]),
];

const fn old_kind(
    group: &'static str,
    kind: &'static str,
    moved: &'static [&'static str],
) -> OldKind {
    OldKind { group, version: OLD_VERSION, kind, new_version: VERSION, moved }
}

/// The annotations with which upstream's own migration marks the pool of a template.
const IS_SHADOW: &str = "agents.x-k8s.io/migration-shadow";
const SHADOW_OF: &str = "agents.x-k8s.io/migration-source-template";
/// The annotations in which the conversion webhook keeps the object of the old version.
const STATE_PREFIX: &str = "api.agents.x-k8s.io/v1alpha1-";
const STATE_SUFFIX: &str = "-state";
/// Upstream's migration rejects longer names of shadow pools, although the API server accepts them.
const LONGEST_SHADOW_POOL: usize = 63;

fn convert(
    object: &Object,
    edits: &mut Edits<'_>,
    cx: &mut MigrationCx<'_>,
) -> Result<bool, Refused> {
    let gvk = object.gvk();
    let is_old = gvk.version() == OLD_VERSION;
    let is_claim = gvk.is(EXTENSIONS_GROUP, SANDBOX_CLAIM);
    let names_template = is_claim && gvk.version() == VERSION && old_fields(object).is_some();
    let is_known = is_claim
        || gvk.is(AGENTS_GROUP, SANDBOX)
        || gvk.is(EXTENSIONS_GROUP, SANDBOX_TEMPLATE)
        || gvk.is(EXTENSIONS_GROUP, SANDBOX_WARM_POOL);
    if !is_known || !(is_old || names_template) {
        return Ok(false);
    }
    if is_claim {
        convert_claim(object, edits, cx)?;
    } else if gvk.kind() == SANDBOX {
        convert_sandbox(edits)?;
    } else if gvk.kind() == SANDBOX_TEMPLATE {
        convert_template(edits)?;
    }
    if is_old {
        edits.set_text(&["apiVersion"], &format!("{}/{VERSION}", gvk.group()));
        remove_cluster_state(edits);
    }
    Ok(true)
}

/// Removes what belongs to the object in a cluster: its status, and copies of the old object.
fn remove_cluster_state(edits: &mut Edits<'_>) {
    edits.remove(&["status"]);
    let path = ["metadata", "annotations"];
    let is_copy = |entry: &Entry| {
        entry.key == LAST_APPLIED
            || entry.key.starts_with(STATE_PREFIX) && entry.key.ends_with(STATE_SUFFIX)
    };
    let annotations = edits.root.at(&path).map_or(&[][..], Node::entries);
    let copies: Vec<_> = annotations
        .iter()
        .filter(|annotation| is_copy(annotation))
        .map(|annotation| annotation.key.text().clone())
        .collect();
    if copies.is_empty() {
        return;
    }
    if copies.len() == annotations.len() {
        edits.remove(&path);
    }
    for key in copies {
        edits.remove(&["metadata", "annotations", &key]);
    }
}

/// `replicas`, 0 or 1, becomes `operatingMode`.
fn convert_sandbox(edits: &mut Edits<'_>) -> Result<(), Refused> {
    let path = ["spec", "replicas"];
    let Some(replicas) = edits.root.at(&path) else {
        edits.remove(&path);
        return Ok(());
    };
    match &replicas.value {
        Value::Int(0) => {}
        Value::Int(1) => {
            // `Running` is the default.
            edits.remove(&path);
            return Ok(());
        }
        _ => {
            let message = "`spec.replicas` of a Sandbox must be 0 or 1";
            return Err(Refused::new(replicas.span(), message, "write 0 or 1, and migrate again"));
        }
    }
    edits.rename(&["spec"], "replicas", "operatingMode");
    if let Some(node) = edits.root.get_mut("spec").and_then(|it| it.get_mut("operatingMode")) {
        *node = Node::string("Suspended", edits.origin);
    }
    Ok(())
}

/// The annotation that has the policy of a template in the old version.
const POLICY: &str = "api.agents.x-k8s.io/v1beta1-volume-claim-templates-policy";

fn convert_template(edits: &mut Edits<'_>) -> Result<(), Refused> {
    let Some(policy) = edits.root.at(&["metadata", "annotations", POLICY]) else { return Ok(()) };
    let (span, text) = (policy.span(), policy.as_str().unwrap_or_default().to_owned());
    if !["Disallowed", "Allowed", "Overrides"].contains(&text.as_str()) {
        let message = message!("the annotation `{POLICY}` has no valid policy");
        return Err(Refused::new(span, message, "write `Disallowed`, `Allowed` or `Overrides`"));
    }
    let origin = edits.origin;
    edits.remove(&["metadata", "annotations", POLICY]);
    if edits.root.at(&["metadata", "annotations"]).is_some_and(|map| map.entries().is_empty()) {
        edits.remove(&["metadata", "annotations"]);
    }
    if let Some(spec) = edits.root.get_mut("spec") {
        spec.set("volumeClaimTemplatesPolicy", Node::string(text, origin));
    }
    Ok(())
}

/// The fields of a claim that name a template and a pool.
struct OldFields<'o> {
    template: Option<&'o Node>,
    policy: Option<&'o Node>,
}

fn old_fields(claim: &Object) -> Option<OldFields<'_>> {
    let spec = claim.root().get("spec")?;
    let (template, policy) = (spec.get("sandboxTemplateRef"), spec.get("warmpool"));
    (template.is_some() || policy.is_some()).then_some(OldFields { template, policy })
}

/// The pool that a claim gets, and how it is found.
enum Pool {
    Existing(String),
    Shadow { template: String },
}

impl Pool {
    fn name(&self) -> String {
        match self {
            Self::Existing(name) => name.clone(),
            Self::Shadow { template } => shadow_pool_name(template),
        }
    }
}

/// A claim of a template becomes one of a pool of this template.
fn convert_claim(
    object: &Object,
    edits: &mut Edits<'_>,
    cx: &mut MigrationCx<'_>,
) -> Result<(), Refused> {
    let Some(OldFields { template, policy }) = old_fields(object) else {
        if object.root().at(&["spec", "warmPoolRef"]).is_some() {
            return Ok(());
        }
        let span = object.root().span().start_point();
        let message = "`spec.sandboxTemplateRef` is missing";
        return Err(Refused::new(
            span,
            message,
            "name the template of the claim, and migrate again",
        ));
    };
    if let Some(new) = object.root().at(&["spec", "warmPoolRef"]) {
        let message = "the claim has `warmPoolRef` and fields of the old version";
        return Err(Refused::new(
            new.span(),
            message,
            "remove `sandboxTemplateRef` and `warmpool`",
        ));
    }
    let pool = find_pool(object, template, policy, cx)?;
    if let Pool::Shadow { template } = &pool {
        add_shadow_pool(object, template, edits, cx)?;
    }
    write_reference(edits, &pool.name());
    Ok(())
}

fn find_pool(
    claim: &Object,
    template: Option<&Node>,
    policy: Option<&Node>,
    cx: &mut MigrationCx<'_>,
) -> Result<Pool, Refused> {
    let at = template.map(|template| template.get("name").unwrap_or(template));
    let name = at.and_then(Node::as_str).filter(|it| !it.is_empty());
    let written = policy.and_then(Node::as_str).unwrap_or_default();
    if let Some(policy) = policy.filter(|_| !matches!(written, "" | "none" | "default")) {
        return find_named_pool(claim, written, name, policy.span(), cx);
    }
    let Some(name) = name else {
        let span = at.map_or_else(|| claim.root().span().start_point(), Node::span);
        let message = "`spec.sandboxTemplateRef.name` is missing";
        return Err(Refused::new(
            span,
            message,
            "name the template of the claim, and migrate again",
        ));
    };
    let shadow = shadow_pool_name(name);
    // That of an earlier migration exists for claims without a pool.
    let mut pools: Vec<_> = pools_of(claim, name, cx).filter(|pool| *pool != shadow).collect();
    pools.sort_unstable();
    pools.dedup();
    match pools.as_slice() {
        [] => Ok(Pool::Shadow { template: name.to_owned() }),
        _ if written == "none" => Ok(Pool::Shadow { template: name.to_owned() }),
        [pool] => Ok(Pool::Existing(pool.clone())),
        several => {
            let span = at.map_or_else(|| claim.root().span(), Node::span);
            let pools = Message::joined(several.iter().map(|pool| message!("{pool}")), ", ");
            let message = message!("template `{name}` has several warm pools: {pools}");
            let help = "name one with `warmpool`, or write `warmpool: none` for a new Sandbox, and migrate again";
            Err(Refused::new(span, message, help))
        }
    }
}

/// The pool that a claim names.
fn find_named_pool(
    claim: &Object,
    pool: &str,
    template: Option<&str>,
    span: Span,
    cx: &mut MigrationCx<'_>,
) -> Result<Pool, Refused> {
    let known = cx.objects.iter().find(|object| is_pool(object, claim) && object.name() == pool);
    if known.is_none() && !cx.is_external(SANDBOX_WARM_POOL, claim.namespace(), pool) {
        let message = message!("SandboxWarmPool `{pool}` is not in the input");
        let help = "add its file to the input, or declare the pool under `external` in the Project";
        return Err(Refused::new(span, message, help));
    }
    let other =
        known.and_then(template_of).filter(|other| template.is_some_and(|own| own != *other));
    if let (Some(other), Some(own)) = (other, template) {
        let message = message!(
            "pool `{pool}` of claim `{}` has template `{other}`, and the claim named `{own}`",
            claim.name()
        );
        cx.doubts.push(
            Diagnostic::new(&MIGRATION_DOUBTFUL, span, message)
                .at("the pool decides")
                .note(message!("the claim now gets a Sandbox of template `{other}`"))
                .help(message!("if it must have template `{own}`, name a pool of it")),
        );
    }
    Ok(Pool::Existing(pool.to_owned()))
}

fn is_pool(object: &Object, claim: &Object) -> bool {
    object.gvk().is(EXTENSIONS_GROUP, SANDBOX_WARM_POOL)
        && same_namespace(object.namespace(), claim.namespace())
}

fn template_of(pool: &Object) -> Option<&str> {
    pool.root().str_at(&["spec", "sandboxTemplateRef", "name"])
}

/// The names of the pools of a template in the namespace of a claim.
fn pools_of<'c>(
    claim: &'c Object,
    template: &'c str,
    cx: &'c MigrationCx<'_>,
) -> impl Iterator<Item = String> + 'c {
    let pools = cx.objects.iter().filter(|object| is_pool(object, claim));
    pools.filter(move |pool| template_of(pool) == Some(template)).map(|pool| pool.name().to_owned())
}

/// Adds the pool without members from which a claim of the template starts a Sandbox.
fn add_shadow_pool(
    claim: &Object,
    template: &str,
    edits: &Edits<'_>,
    cx: &mut MigrationCx<'_>,
) -> Result<(), Refused> {
    let name = shadow_pool_name(template);
    let namespace = claim.namespace();
    if name.len() > LONGEST_SHADOW_POOL {
        let message = message!(
            "the pool `{name}` of template `{template}` would have more than {LONGEST_SHADOW_POOL} characters"
        );
        let help = "create a SandboxWarmPool of the template with `replicas: 0`, and name it with `warmpool`";
        return Err(Refused::new(claim.root().span().start_point(), message, help));
    }
    let is_there = cx.objects.iter().any(|object| is_pool(object, claim) && object.name() == name);
    let is_added = cx.known.contains(&(namespace.to_owned(), name.clone()));
    if is_there || is_added || cx.is_external(SANDBOX_WARM_POOL, namespace, &name) {
        return Ok(());
    }
    let origin = edits.origin;
    let text = |text: &str| Node::string(text, origin);
    let map = |entries: Vec<(&str, Node)>| {
        let mut map = Node::map(origin);
        map.set_all(entries);
        map
    };
    let annotations = map(vec![(IS_SHADOW, text("true")), (SHADOW_OF, text(template))]);
    let mut metadata = map(vec![("name", text(&name))]);
    if !namespace.is_empty() {
        metadata.set("namespace", text(namespace));
    }
    metadata.set("annotations", annotations);
    let spec = map(vec![
        ("replicas", Node::int(0, origin)),
        ("sandboxTemplateRef", map(vec![("name", text(template))])),
    ]);
    cx.added.push(map(vec![
        ("apiVersion", text(&format!("{EXTENSIONS_GROUP}/{VERSION}"))),
        ("kind", text(SANDBOX_WARM_POOL)),
        ("metadata", metadata),
        ("spec", spec),
    ]));
    Ok(())
}

/// Replaces the fields of the old version by the reference to a pool, at the position of the template.
fn write_reference(edits: &mut Edits<'_>, pool: &str) {
    let name = Node::string(pool, edits.origin);
    let origin = edits.origin;
    let Some(spec) = edits.root.get_mut("spec").and_then(Node::as_map_mut) else { return };
    if spec.get("sandboxTemplateRef").and_then(Node::as_map).is_some() {
        spec.remove("warmpool");
        spec.edit(|entries| {
            for entry in entries.iter_mut().filter(|entry| entry.key == "sandboxTemplateRef") {
                entry.rename("warmPoolRef");
            }
        });
        if let Some(reference) = spec.get_mut("warmPoolRef") {
            match reference.get_mut("name") {
                Some(old) => *old = name,
                None => reference.set("name", name),
            }
            if let Some(map) = reference.as_map_mut() {
                map.retain(|entry| entry.key == "name");
            }
        }
        return;
    }
    spec.remove("sandboxTemplateRef");
    let mut reference = Node::map(origin);
    reference.set("name", name);
    spec.edit(|entries| {
        for entry in entries.iter_mut().filter(|entry| entry.key == "warmpool") {
            entry.rename("warmPoolRef");
            entry.value = reference.clone();
        }
    });
}
