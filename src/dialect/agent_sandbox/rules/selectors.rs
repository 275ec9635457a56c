//! Selectors that miss the Pods of sandboxes, and addresses that sandboxes do not have.

use super::fleet::{Claim, Fleet};
use super::terms::{Role, Term, terms};
use super::wording::{field_of, place_of, title};
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::api::ControllerLine;
use crate::dialect::agent_sandbox::names::{
    CLAIM_UID, POD_TEMPLATE_HASH, SANDBOX_NAME_HASH, TEMPLATE_HASH, WARM_POOL, is_reserved_label,
};
use crate::kube::{Object, pod_specs};
use crate::scalar::name_hash;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::{Entry, Node};

declare_rules! {
    SELECTOR_OF_IDLE_PODS = "selector-of-idle-pods", Warning;
    SELECTOR_OF_ABSENT_LABEL = "selector-of-absent-label", Warning, follows = [Selection];
    CLAIM_NAME_AS_ADDRESS = "claim-name-as-address", Warning;
    SELECTOR_OF_OBJECT_LABEL = "selector-of-object-label", Note;
}

/// Checks everything in the input that selects Pods or names a Service.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    let terms = terms(fleet.set);
    for term in &terms {
        check_key(fleet, term, sink);
    }
    check_object_labels(fleet, &terms, sink);
    let addresses = service_addresses(fleet);
    let is_hash = |term: &&Term<'_>| term.key == SANDBOX_NAME_HASH && term.value.is_some();
    let mut hashes = terms.iter().filter(is_hash).peekable();
    if hashes.peek().is_none() && addresses.is_empty() {
        return;
    }
    let warm = WarmClaims::new(fleet);
    for term in hashes {
        warm.check_hash(term, sink);
    }
    for address in addresses {
        warm.check_address(fleet, &address, sink);
    }
}

fn check_key(fleet: &Fleet<'_, '_>, term: &Term<'_>, sink: &mut Sink) {
    if term.key == WARM_POOL && term.role != Role::Scheduling {
        let message = message!("{} selects only idle sandboxes", title(term.object));
        let finding = Diagnostic::new(&SELECTOR_OF_IDLE_PODS, term.at, message)
            .at("removed from the Pod when a claim takes it")
            .help("select by `agents.x-k8s.io/sandbox-template-ref-hash`, or by your own label");
        sink.report(finding);
    }
    let is_absent = match term.key {
        TEMPLATE_HASH | POD_TEMPLATE_HASH => true,
        CLAIM_UID => fleet.settings.line < ControllerLine::V1_0,
        _ => false,
    };
    if is_absent {
        let message =
            message!("{} selects Pods by `{}`, which no Pod has", title(term.object), term.key);
        let finding = Diagnostic::new(&SELECTOR_OF_ABSENT_LABEL, term.at, message)
            .at("not copied to Pods")
            .note_if(
                (term.key == CLAIM_UID)
                    .then_some("since agent-sandbox 1.0, Pods of claims have the label"),
            )
            .help("select by `agents.x-k8s.io/sandbox-template-ref-hash`, or by your own label");
        sink.report(finding);
    }
}

/// Namespace, key and value.
type Label<'o> = (&'o str, &'o str, &'o str);

fn check_object_labels(fleet: &Fleet<'_, '_>, terms: &[Term<'_>], sink: &mut Sink) {
    let mut own =
        terms.iter().filter(|term| term.role == Role::Own && term.value.is_some()).peekable();
    // Thousands of claims can have labels, so these are only read if an object selects by one.
    if own.peek().is_none() {
        return;
    }
    let of_objects = object_labels(fleet);
    if of_objects.is_empty() {
        return;
    }
    let of_pods = pod_labels(fleet);
    for term in own {
        let Some(value) = term.value else { continue };
        let label = (term.object.namespace.as_str(), term.key, value);
        let Some((object, entry)) = of_objects.get(&label) else { continue };
        if of_pods.contains(&label) {
            continue;
        }
        let message = message!(
            "{} selects `{}: {value}`, which is set on {} but not on its Pods",
            title(term.object),
            term.key,
            title(object)
        );
        let finding = Diagnostic::new(&SELECTOR_OF_OBJECT_LABEL, term.at, message)
            .at("no Pod in the input has this label")
            .label(place_of(entry), "not copied to its Pods")
            .help(message!(
                "move the label to `{}`",
                field_of(object, "podTemplate.metadata.labels")
            ));
        sink.report(finding);
    }
}

/// The labels of the four kinds' own metadata.
fn object_labels<'o>(fleet: &Fleet<'_, 'o>) -> SortedMap<Label<'o>, (&'o Object, &'o Entry)> {
    let templates = fleet.templates.iter().map(|it| it.object);
    let pools = fleet.pools.iter().map(|it| it.object);
    let claims = fleet.claims.iter().map(|it| it.object);
    let mut labels = SortedMap::new();
    for object in fleet.sandboxes.iter().copied().chain(templates).chain(pools).chain(claims) {
        let own = object.root.at(&["metadata", "labels"]).map_or(&[][..], Node::entries);
        for entry in own.iter().filter(|entry| !is_reserved_label(&entry.key)) {
            let Some(value) = entry.value.as_str() else { continue };
            labels
                .entry((object.namespace.as_str(), entry.key.as_str(), value))
                .or_insert((object, entry));
        }
    }
    labels
}

/// The labels of all Pods of the input.
fn pod_labels<'o>(fleet: &Fleet<'_, 'o>) -> SortedSet<Label<'o>> {
    let of_templates =
        pod_specs(fleet.set).map(|pod| (pod.object, pod.template.at(&["metadata", "labels"])));
    let added = ["spec", "additionalPodMetadata", "labels"];
    let of_claims = fleet.claims.iter().map(|claim| (claim.object, claim.object.root.at(&added)));
    let mut labels = SortedSet::new();
    for (object, map) in of_templates.chain(of_claims) {
        for entry in map.map_or(&[][..], Node::entries) {
            let Some(value) = entry.value.as_str() else { continue };
            labels.insert((object.namespace.as_str(), entry.key.as_str(), value));
        }
    }
    labels
}

/// The name of a Service that an object sends traffic to.
struct Address<'o> {
    object: &'o Object,
    namespace: &'o str,
    name: &'o str,
    at: Span,
}

fn service_addresses<'o>(fleet: &Fleet<'_, 'o>) -> Vec<Address<'o>> {
    let mut addresses = Vec::new();
    let mut add = |object: &'o Object, node: Option<&'o Node>| {
        let Some(node) = node else { return };
        let Some(name) = node.as_str() else { return };
        addresses.push(Address { object, namespace: &object.namespace, name, at: node.span() });
    };
    for ingress in fleet.set.of_kind("networking.k8s.io", "Ingress") {
        add(ingress, ingress.root.at(&["spec", "defaultBackend", "service", "name"]));
        for rule in items_of(ingress.root.at(&["spec", "rules"])) {
            for path in items_of(rule.at(&["http", "paths"])) {
                add(ingress, path.at(&["backend", "service", "name"]));
            }
        }
    }
    for route in fleet.set.of_kind("gateway.networking.k8s.io", "HTTPRoute") {
        for rule in items_of(route.root.at(&["spec", "rules"])) {
            for backend in items_of(rule.get("backendRefs")) {
                if backend.get("namespace").is_none() && backend.get("kind").is_none() {
                    add(route, backend.get("name"));
                }
            }
        }
    }
    for service in fleet.set.of_kind("", "Service") {
        let Some(node) = service.root.at(&["spec", "externalName"]) else { continue };
        let mut parts = node.as_str().unwrap_or_default().split('.');
        if let (Some(name), Some(namespace), Some("svc")) =
            (parts.next(), parts.next(), parts.next())
        {
            addresses.push(Address { object: service, namespace, name, at: node.span() });
        }
    }
    addresses
}

fn items_of(list: Option<&Node>) -> &[Node] {
    list.map_or(&[], Node::items)
}

/// The claims that can get a member of their pool, by name and by its hash.
struct WarmClaims<'o> {
    by_name: SortedMap<(&'o str, &'o str), &'o Object>,
    by_hash: SortedMap<(&'o str, String), &'o Object>,
}

impl<'o> WarmClaims<'o> {
    fn new(fleet: &Fleet<'_, 'o>) -> Self {
        let is_warm = |claim: &&Claim<'o>| {
            !fleet.is_cold(claim) && fleet.pool_of(claim).is_some_and(|pool| pool.replicas > 0)
        };
        let mut warm = Self { by_name: SortedMap::new(), by_hash: SortedMap::new() };
        for claim in fleet.claims.iter().filter(is_warm) {
            let Object { namespace, name, .. } = claim.object;
            warm.by_name.insert((namespace, name), claim.object);
            warm.by_hash.insert((namespace, name_hash(name)), claim.object);
        }
        // A Sandbox outside of pools always has its own name and hash.
        for sandbox in &fleet.sandboxes {
            let Object { namespace, name, .. } = sandbox;
            warm.by_name.remove(&(namespace.as_str(), name.as_str()));
            warm.by_hash.remove(&(namespace.as_str(), name_hash(name)));
        }
        warm
    }

    fn check_hash(&self, term: &Term<'_>, sink: &mut Sink) {
        let Some(value) = term.value else { return };
        let key = (term.object.namespace.as_str(), value.to_owned());
        if let Some(claim) = self.by_hash.get(&key) {
            report_address(claim, term.object, term.at, "the hash of the claim's name", sink);
        }
    }

    fn check_address(&self, fleet: &Fleet<'_, '_>, address: &Address<'_>, sink: &mut Sink) {
        let Some(claim) = self.by_name.get(&(address.namespace, address.name)) else { return };
        if fleet.set.find("", "Service", address.namespace, address.name).is_none() {
            report_address(claim, address.object, address.at, "the claim's name", sink);
        }
    }
}

fn report_address(claim: &Object, from: &Object, at: Span, what: &'static str, sink: &mut Sink) {
    let message = message!(
        "{} expects a sandbox named `{}`, but the claim can get a pool member",
        title(from),
        claim.shown_name()
    );
    let pool = claim.root.at(&["spec", "warmPoolRef", "name"]).unwrap_or(&claim.root);
    let finding = Diagnostic::new(&CLAIM_NAME_AS_ADDRESS, at, message)
        .at(what)
        .label(pool.span(), "pool members keep their generated names")
        .help("add a label in `additionalPodMetadata` of the claim, and select by it");
    sink.report(finding);
}
