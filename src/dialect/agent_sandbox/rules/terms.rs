//! `Term`: every label in a Pod selector of the input.

use crate::kube::{Object, ObjectSet, pod_specs};
use crate::source::Span;
use crate::tree::{Node, items};

/// The role of a selector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A Service, a disruption budget, or the Pod selector of a network policy: Pods of its
    /// namespace.
    Own,
    /// A peer of a network policy, or a monitor: possibly Pods of other namespaces.
    Peer,
    /// Affinity or topology spread constraints: Pods that affect scheduling.
    Scheduling,
}

/// One label that selected Pods must have.
pub(super) struct Term<'o> {
    /// The object with the selector.
    pub(super) object: &'o Object,
    /// The role of the selector.
    pub(super) role: Role,
    /// The key of the label.
    pub(super) key: &'o str,
    /// The span of the key.
    pub(super) at: Span,
    /// The value, if only one matches.
    pub(super) value: Option<&'o str>,
}

/// The terms of all selectors of a run.
pub(super) fn terms<'o>(set: &ObjectSet<'o>) -> Vec<Term<'o>> {
    let mut terms = Vec::new();
    for service in set.of_kind("", "Service") {
        let Some(labels) = service.root.at(&["spec", "selector"]) else { continue };
        Collector { object: service, role: Role::Own, terms: &mut terms }.labels(labels);
    }
    let own: [(_, _, &[&str]); 2] = [
        ("policy", "PodDisruptionBudget", &["spec", "selector"]),
        ("networking.k8s.io", "NetworkPolicy", &["spec", "podSelector"]),
    ];
    for (group, kind, path) in own {
        for object in set.of_kind(group, kind) {
            let Some(selector) = object.root.at(path) else { continue };
            Collector { object, role: Role::Own, terms: &mut terms }.selector(selector);
        }
    }
    for object in set.of_kind("monitoring.coreos.com", "PodMonitor") {
        let Some(selector) = object.root.at(&["spec", "selector"]) else { continue };
        Collector { object, role: Role::Peer, terms: &mut terms }.selector(selector);
    }
    let policies: [(_, _, &[&str]); 2] = [
        ("networking.k8s.io", "NetworkPolicy", &["spec"]),
        ("extensions.agents.x-k8s.io", "SandboxTemplate", &["spec", "networkPolicy"]),
    ];
    for (group, kind, path) in policies {
        for object in set.of_kind(group, kind) {
            let Some(policy) = object.root.at(path) else { continue };
            Collector { object, role: Role::Peer, terms: &mut terms }.peers(policy);
        }
    }
    for pod in pod_specs(set) {
        let object = pod.object;
        Collector { object, role: Role::Scheduling, terms: &mut terms }.scheduling(pod.spec);
    }
    terms
}

struct Collector<'c, 'o> {
    object: &'o Object,
    role: Role,
    terms: &'c mut Vec<Term<'o>>,
}

impl<'o> Collector<'_, 'o> {
    fn push(&mut self, key: &'o str, at: Span, value: Option<&'o str>) {
        self.terms.push(Term { object: self.object, role: self.role, key, at, value });
    }

    fn labels(&mut self, labels: &'o Node) {
        for entry in labels.entries() {
            self.push(&entry.key, entry.key_origin().span(), entry.value.as_str());
        }
    }

    fn selector(&mut self, selector: &'o Node) {
        if let Some(labels) = selector.get("matchLabels") {
            self.labels(labels);
        }
        for expression in items(selector, "matchExpressions") {
            let (Some(key), Some(operator)) =
                (expression.get("key"), expression.str_at(&["operator"]))
            else {
                continue;
            };
            let Some(text) = key.as_str() else { continue };
            match (operator, items(expression, "values")) {
                ("In", [value]) => self.push(text, key.span(), value.as_str()),
                ("In" | "Exists", _) => self.push(text, key.span(), None),
                _ => {}
            }
        }
    }

    fn peers(&mut self, policy: &'o Node) {
        for (rules, peers) in [("ingress", "from"), ("egress", "to")] {
            for peer in items(policy, rules).iter().flat_map(|rule| items(rule, peers)) {
                if let Some(selector) = peer.get("podSelector") {
                    self.selector(selector);
                }
            }
        }
    }

    fn scheduling(&mut self, spec: &'o Node) {
        for affinity in ["podAffinity", "podAntiAffinity"] {
            let Some(affinity) = spec.at(&["affinity", affinity]) else { continue };
            for term in items(affinity, "requiredDuringSchedulingIgnoredDuringExecution") {
                self.label_selector(term);
            }
            for term in items(affinity, "preferredDuringSchedulingIgnoredDuringExecution") {
                if let Some(term) = term.get("podAffinityTerm") {
                    self.label_selector(term);
                }
            }
        }
        for constraint in items(spec, "topologySpreadConstraints") {
            self.label_selector(constraint);
        }
    }

    fn label_selector(&mut self, holder: &'o Node) {
        if let Some(selector) = holder.get("labelSelector") {
            self.selector(selector);
        }
    }
}
