//! The affinity and the topology spread constraints of a Pod.

use super::judge::{Carrier, PodJudge};
use super::scheduling::{AFFINITY_INVALID, MATCH_LABEL_KEYS_INVALID, SPREAD_INVALID};
use crate::diag::{Diagnostic, message};
use crate::scalar::{check_dns_label, check_qualified_name};
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Map, Node};
use crate::validate::rules::judge::{Absence, items, labelled, shown, start, text_at};
use crate::validate::rules::repeated::repeated;
use crate::validate::rules::selectors::{check_node_term, check_selector};

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// The first minor version that adds `matchLabelKeys` of a spread constraint to its selector.
const MERGE_MINOR: u8 = 34;

pub(super) fn check(judge: &mut PodJudge<'_>) {
    let spec = judge.pod.spec;
    if let Some(affinity) = spec.get("affinity") {
        if let Some(of_nodes) = affinity.get("nodeAffinity") {
            check_node_affinity(judge, of_nodes);
        }
        for name in ["podAffinity", "podAntiAffinity"] {
            if let Some(of_pods) = affinity.get(name) {
                check_pod_affinity(judge, of_pods);
            }
        }
    }
    check_constraints(judge);
}

fn check_node_affinity(judge: &mut PodJudge<'_>, affinity: &Node) {
    if let Some(required) = affinity.get(REQUIRED) {
        let terms = items(required, "nodeSelectorTerms");
        if let Some(list) = required.get("nodeSelectorTerms").filter(|_| terms.is_empty()) {
            let text =
                ("required node affinity has no terms", "add a term, or remove the affinity");
            judge.refuse(&AFFINITY_INVALID, list, text);
        }
        for term in terms {
            check_node_term(judge, term, true);
        }
    }
    for preferred in items(affinity, PREFERRED) {
        check_weight(judge, preferred);
        if let Some(term) = preferred.get("preference") {
            check_node_term(judge, term, false);
        }
    }
}

fn check_weight(judge: &mut PodJudge<'_>, preferred: &Node) {
    let Some(node) = preferred.get("weight") else { return };
    let Some(weight) = node.as_i64().filter(|weight| !(1..=100).contains(weight)) else { return };
    let text = (
        message!("affinity weight {weight} is outside 1-100"),
        labelled("must be from 1 to 100", "write a number from 1 to 100"),
    );
    judge.refuse(&AFFINITY_INVALID, node, text);
}

fn check_pod_affinity<'n>(judge: &mut PodJudge<'n>, affinity: &'n Node) {
    for term in items(affinity, REQUIRED) {
        check_pod_term(judge, term);
    }
    for preferred in items(affinity, PREFERRED) {
        check_weight(judge, preferred);
        if let Some(term) = preferred.get("podAffinityTerm") {
            check_pod_term(judge, term);
        }
    }
}

fn check_pod_term<'n>(judge: &mut PodJudge<'n>, term: &'n Node) {
    for name in ["labelSelector", "namespaceSelector"] {
        check_selector(judge, term.get(name));
    }
    for namespace in items(term, "namespaces") {
        let help = |_: &str| "write a namespace name".into();
        let rule = (&AFFINITY_INVALID, "namespace");
        judge.form(namespace, rule, check_dns_label, help);
    }
    if let Some((node, _)) = judge.needed_node(term, "topologyKey", Absence::BySchema) {
        let help = |_: &str| "write a node label such as `topology.kubernetes.io/zone`".into();
        let rule = (&AFFINITY_INVALID, "topology key");
        judge.form(node, rule, check_qualified_name, help);
    }
    check_match_keys(judge, term, true);
}

/// Checks keys of the Pod's own labels, whose values are added to the selector.
fn check_match_keys<'n>(judge: &mut PodJudge<'n>, term: &'n Node, is_merged: bool) {
    let rule = &MATCH_LABEL_KEYS_INVALID;
    for field in ["matchLabelKeys", "mismatchLabelKeys"] {
        let keys = items(term, field);
        let Some(first) = keys.first() else { continue };
        if term.get("labelSelector").is_none() {
            let text = (
                message!("`{field}` requires `labelSelector`"),
                "add a `labelSelector`: the keys only restrict it",
            );
            judge.refuse(rule, (first.span(), (term, field)), text);
            continue;
        }
        let others: SortedSet<&str> =
            items(term, "mismatchLabelKeys").iter().filter_map(Node::as_str).collect();
        let selected = Selected::of(judge, term);
        for key in keys {
            let help = |_: &str| "write a label key".into();
            judge.form(key, (rule, "label key"), check_qualified_name, help);
            let Some(text) = key.as_str() else { continue };
            let is_in_other = field == "matchLabelKeys" && others.contains(text);
            let message = if is_in_other {
                "is also in `mismatchLabelKeys`"
            } else if field == "matchLabelKeys" && selected.is_fixed(judge, text, is_merged) {
                "is also in `labelSelector`"
            } else {
                continue;
            };
            let text =
                (message!("`{}` of `{field}` {message}", shown(text)), "keep it in one of them");
            judge.refuse(rule, key, text);
        }
    }
}

/// The keys that the selector of a term has, and the labels of its Pod.
struct Selected<'n> {
    labels: &'n Map,
    /// The number of expressions with each key.
    expressions: SortedMap<&'n str, usize>,
    own: &'n Map,
}

impl<'n> Selected<'n> {
    fn of(judge: &PodJudge<'n>, term: &'n Node) -> Self {
        let items = term.items_at(&["labelSelector", "matchExpressions"]);
        let mut expressions = SortedMap::new();
        for key in items.iter().filter_map(|it| it.str_at(&["key"])) {
            *expressions.entry(key).or_default() += 1;
        }
        let labels = Map::of(term.at(&["labelSelector", "matchLabels"]));
        let own = Map::of(judge.pod.template.at(&["metadata", "labels"]));
        Self { labels, expressions, own }
    }

    /// Whether the selector already has a key. A Pod's key is added as another expression, and rejected
    /// as a duplicate.
    fn is_fixed(&self, judge: &PodJudge<'_>, key: &str, is_merged: bool) -> bool {
        // The decoder makes a `null` an empty label value.
        let in_labels = self.labels.entry(key).is_some();
        let in_expressions = self.expressions.get(key).copied().unwrap_or(0);
        if !is_merged {
            return in_labels || in_expressions > 0;
        }
        let is_own = self.own.get(key).is_some_and(|it| !it.is_null());
        let is_added = judge.carrier != Carrier::Template && is_own;
        let last = usize::from(is_added) + in_expressions;
        last > 0 && usize::from(in_labels) + last > 1
    }
}

fn check_constraints(judge: &mut PodJudge<'_>) {
    let constraints = items(judge.pod.spec, "topologySpreadConstraints");
    let is_merged = judge.minor >= MERGE_MINOR;
    for constraint in constraints {
        check_spread(judge, constraint);
        check_selector(judge, constraint.get("labelSelector"));
        check_match_keys(judge, constraint, is_merged);
    }
    let pairs = constraints.iter().map(|constraint| {
        let text = |field: &str| text_at(constraint, &[field]);
        ((text("topologyKey"), text("whenUnsatisfiable")), constraint)
    });
    repeated(pairs, |(key, _), node, first| {
        let message = message!("duplicate topology spread constraint for `{}`", shown(key));
        let finding = Diagnostic::new(&SPREAD_INVALID, start(node), message)
            .at("defined again here")
            .label(start(first), "first defined here")
            .help("merge them, or use different values of `whenUnsatisfiable`");
        judge.report(finding, node);
    });
}

fn check_spread(judge: &mut PodJudge<'_>, constraint: &Node) {
    for field in ["topologyKey", "whenUnsatisfiable"] {
        judge.needed(constraint, field, Absence::BySchema);
    }
    for field in ["nodeAffinityPolicy", "nodeTaintsPolicy"] {
        judge.needed(constraint, field, Absence::BySchema);
    }
    for field in ["maxSkew", "minDomains"] {
        let Some(node) = constraint.get(field) else { continue };
        if let Some(number) = node.as_i64().filter(|number| *number <= 0) {
            let text = (
                message!("`{field}` {number} is below 1"),
                labelled("must be 1 or more", "write 1 or more"),
            );
            judge.refuse(&SPREAD_INVALID, node, text);
        }
    }
    let when = constraint.str_at(&["whenUnsatisfiable"]);
    if let Some(node) = constraint.get("minDomains")
        && when != Some("DoNotSchedule")
    {
        let text = (
            "`minDomains` requires `whenUnsatisfiable: DoNotSchedule`",
            "remove `minDomains`, or use `DoNotSchedule`",
        );
        judge.refuse(&SPREAD_INVALID, node, text);
    }
}
