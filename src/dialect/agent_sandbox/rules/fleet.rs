//! `Fleet`: the objects of the four kinds in one run, and their references.
//!
//! Built once, in n log n; every family of rules reads it. `v1alpha1` differs in what claims name, which
//! is resolved here.

use super::super::Settings;
use super::super::names::{
    AGENTS_GROUP, EXTENSIONS_GROUP, OLD_VERSION, SANDBOX, SANDBOX_CLAIM, SANDBOX_TEMPLATE,
    SANDBOX_WARM_POOL, VERSION,
};
use super::blueprint::Blueprint;
use crate::diag::Severity;
use crate::kube::{ByName, Object, ObjectSet};
use crate::parallel::{ordered_each, ordered_map};
use crate::source::Span;
use crate::tree::{Map, Node};

/// The objects of the four kinds in one run.
pub(super) struct Fleet<'s, 'o> {
    /// All objects of the run.
    pub(super) set: &'s ObjectSet<'o>,
    /// The configuration of the controllers.
    pub(super) settings: &'s Settings,
    /// The Sandboxes outside of pools.
    pub(super) sandboxes: Vec<&'o Object>,
    /// The templates.
    pub(super) templates: Vec<Template<'o>>,
    /// The warm pools.
    pub(super) pools: Vec<Pool<'o>>,
    /// The claims.
    pub(super) claims: Vec<Claim<'o>>,
}

/// A SandboxTemplate.
pub(super) struct Template<'o> {
    /// The object.
    pub(super) object: &'o Object,
    /// Its `spec`, which the rules search for each claim.
    spec: &'o Map,
    /// Positions in [`Fleet::pools`] of the pools that name it.
    pub(super) pools: Vec<u32>,
    /// Its contents, by name.
    pub(super) blueprint: Blueprint<'o>,
}

/// The permission that a template gives its claims. Every policy field has these three values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Policy {
    /// No entries; the default.
    Disallowed,
    /// Additional entries.
    Allowed,
    /// Additional and replaced entries.
    Overrides,
}

/// A SandboxWarmPool.
pub(super) struct Pool<'o> {
    /// The object.
    pub(super) object: &'o Object,
    /// `spec.sandboxTemplateRef.name`, if it is a string.
    pub(super) template_ref: Option<&'o Node>,
    /// Position in [`Fleet::templates`] of the template it names.
    pub(super) template: Option<u32>,
    /// The number of members, which defaults to 1.
    pub(super) replicas: i64,
}

/// A SandboxClaim. A run can have tens of thousands of them, so each is kept as small as possible.
pub(super) struct Claim<'o> {
    /// The object.
    pub(super) object: &'o Object,
    /// Position in [`Fleet::pools`] of the pool it names.
    pub(super) pool: Position,
    /// Position in [`Fleet::templates`] of the template it names; of `v1alpha1` only.
    pub(super) template: Position,
}

/// A position, or none, in four bytes.
#[derive(Clone, Copy)]
pub(super) struct Position(u32);

impl Position {
    /// The position, if there is one.
    pub(super) fn get(self) -> Option<u32> {
        (self.0 != u32::MAX).then_some(self.0)
    }
}

impl From<Option<u32>> for Position {
    fn from(position: Option<u32>) -> Self {
        Self(position.unwrap_or(u32::MAX))
    }
}

impl AsRef<Object> for Template<'_> {
    fn as_ref(&self) -> &Object {
        self.object
    }
}

impl AsRef<Object> for Pool<'_> {
    fn as_ref(&self) -> &Object {
        self.object
    }
}

impl AsRef<Object> for Claim<'_> {
    fn as_ref(&self) -> &Object {
        self.object
    }
}

impl<'o> Template<'o> {
    fn new(object: &'o Object) -> Self {
        let (spec, blueprint) = (Map::of(object.root.get("spec")), Blueprint::new(object));
        Self { object, spec, pools: Vec::new(), blueprint }
    }

    /// A field of `spec` that is set.
    fn field(&self, name: &str) -> Option<&'o Node> {
        self.spec.get(name).filter(|it| !it.is_null())
    }

    /// The value of a policy field and its span: that of the field, or of the template's name for
    /// the default. `None` for an invalid value.
    pub(super) fn policy(&self, field: &str) -> Option<(Policy, Span)> {
        let Some(node) = self.field(field) else {
            return Some((Policy::Disallowed, self.object.name_span()));
        };
        let policy = match node.as_str()? {
            "Disallowed" => Policy::Disallowed,
            "Allowed" => Policy::Allowed,
            "Overrides" => Policy::Overrides,
            _ => return None,
        };
        Some((policy, node.span()))
    }

    /// The longest name among its volume claims.
    pub(super) const fn longest_volume_claim(&self) -> Option<&str> {
        self.blueprint.longest_volume_claim
    }

    /// Whether its Sandboxes get a Service.
    pub(super) fn has_service(&self) -> bool {
        self.field("service").and_then(Node::as_bool) == Some(true)
    }
}

impl<'o> Claim<'o> {
    /// `spec.warmPoolRef.name`, if it is a string.
    pub(super) fn pool_ref(&self) -> Option<&'o Node> {
        text_at(self.object, &["spec", "warmPoolRef", "name"])
    }

    /// `spec.sandboxTemplateRef.name` of a `v1alpha1` claim, where it is text.
    pub(super) fn template_ref(&self) -> Option<&'o Node> {
        let is_old = self.object.gvk.version == OLD_VERSION;
        text_at(self.object, &["spec", "sandboxTemplateRef", "name"]).filter(|_| is_old)
    }

    /// The field that makes the controller skip the pool, if the claim has one: with variables or
    /// volume claims of its own a claim always gets a fresh Sandbox, named like the claim.
    pub(super) fn cold_start_field(&self) -> Option<&'static str> {
        ["env", "volumeClaimTemplates"].into_iter().find(|field| {
            self.object.root.at(&["spec", field]).is_some_and(|list| !list.items().is_empty())
        })
    }
}

impl<'s, 'o> Fleet<'s, 'o> {
    /// Collects the objects of the four kinds, and resolves their references within their
    /// namespaces.
    pub(super) fn new(set: &'s ObjectSet<'o>, settings: &'s Settings) -> Self {
        let templates = of_kind(set, EXTENSIONS_GROUP, SANDBOX_TEMPLATE).collect();
        let mut templates = ordered_map(templates, Template::new);
        let by_name = ByName::new(&templates);
        let pool = |object| {
            let template_ref = text_at(object, &["spec", "sandboxTemplateRef", "name"]);
            let template = template_ref.and_then(|name| find_position(set, &by_name, object, name));
            let replicas = object.root.at(&["spec", "replicas"]).and_then(Node::as_i64);
            Pool { object, template_ref, template, replicas: replicas.unwrap_or(1) }
        };
        let pools: Vec<_> = of_kind(set, EXTENSIONS_GROUP, SANDBOX_WARM_POOL).map(pool).collect();
        for (position, pool) in (0_u32..).zip(&pools) {
            if let Some(template) = pool.template.and_then(|at| templates.get_mut(at as usize)) {
                template.pools.push(position);
            }
        }
        let (by_name, templates_by_name) = (ByName::new(&pools), ByName::new(&templates));
        let claim = |object| {
            let unresolved = Claim { object, pool: None.into(), template: None.into() };
            let pool =
                unresolved.pool_ref().and_then(|name| find_position(set, &by_name, object, name));
            let template = unresolved.template_ref();
            let template =
                template.and_then(|name| find_position(set, &templates_by_name, object, name));
            Claim { pool: pool.into(), template: template.into(), ..unresolved }
        };
        let mut claims = Vec::new();
        let all_claims = of_kind(set, EXTENSIONS_GROUP, SANDBOX_CLAIM);
        ordered_each(all_claims, claim, |claim| claims.push(claim));
        claims.shrink_to_fit();
        let sandboxes = of_kind(set, AGENTS_GROUP, SANDBOX).collect();
        Self { set, settings, sandboxes, templates, pools, claims }
    }

    /// The pool that a claim names.
    pub(super) fn pool_of(&self, claim: &Claim<'o>) -> Option<&Pool<'o>> {
        self.pools.get(claim.pool.get()? as usize)
    }

    /// The template that a pool names.
    pub(super) fn template_of_pool(&self, pool: &Pool<'o>) -> Option<&Template<'o>> {
        self.templates.get(pool.template? as usize)
    }

    /// The template that a claim names, or gets through its pool.
    pub(super) fn template_of(&self, claim: &Claim<'o>) -> Option<&Template<'o>> {
        self.templates.get(self.template_position(claim)? as usize)
    }

    /// The position of that template in [`Fleet::templates`].
    pub(super) fn template_position(&self, claim: &Claim<'o>) -> Option<u32> {
        claim.template.get().or_else(|| self.pool_of(claim)?.template)
    }

    /// Whether a claim always gets a new Sandbox: it skips the pool, or the pool is empty.
    pub(super) fn is_cold(&self, claim: &Claim<'o>) -> bool {
        claim.cold_start_field().is_some()
            || self.pool_of(claim).is_some_and(|pool| pool.replicas == 0)
    }

    /// The severity of a fault of the Sandbox that has the name of a claim: the claim can get a member of its
    /// pool instead.
    pub(super) fn severity(&self, claim: &Claim<'o>) -> Severity {
        if self.is_cold(claim) { Severity::Error } else { Severity::Warning }
    }

    /// The pools that name a template.
    pub(super) fn pools_of(&self, template: &Template<'o>) -> impl Iterator<Item = &Pool<'o>> {
        template.pools.iter().filter_map(|at| self.pools.get(*at as usize))
    }
}

/// The location of an object, for messages: "in namespace `x`", or "in the input" if it has no
/// namespace.
pub(super) fn describe_namespace(namespace: &str) -> String {
    if namespace.is_empty() {
        "in the input".to_owned()
    } else {
        format!("in namespace `{namespace}`")
    }
}

fn of_kind<'o>(
    set: &ObjectSet<'o>,
    group: &'static str,
    kind: &'static str,
) -> impl Iterator<Item = &'o Object> {
    let is_known =
        |object: &&Object| object.gvk.version == VERSION || object.gvk.version == OLD_VERSION;
    set.of_kind(group, kind).filter(is_known)
}

fn text_at<'o>(object: &'o Object, keys: &[&str]) -> Option<&'o Node> {
    object.root.at(keys).filter(|node| node.as_str().is_some())
}

/// The position of what has this name, in the namespace of the object that names it.
fn find_position<T: AsRef<Object>>(
    set: &ObjectSet<'_>,
    by_name: &ByName<'_, T>,
    from: &Object,
    name: &Node,
) -> Option<u32> {
    by_name
        .find_near(&from.namespace, name.as_str()?, set.file_of(from), |object| set.file_of(object))
}
