//! Resources and verbs of role rules that no API server has.

use std::sync::LazyLock;

use super::{ROLE_RESOURCE_UNKNOWN, ROLE_VERB_UNKNOWN};
use crate::diag::{Diagnostic, Message, Names, first_of, message, nearest_of};
use crate::kube::resource_of;
use crate::schema::store;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, items, shown};

/// The verbs of requests, and those that authorization checks use on their own.
const VERBS: [&str; 17] = [
    "approve",
    "attest",
    "bind",
    "connect",
    "create",
    "delete",
    "deletecollection",
    "escalate",
    "get",
    "impersonate",
    "list",
    "patch",
    "proxy",
    "sign",
    "update",
    "use",
    "watch",
];

/// The longest names that are compared with the known ones.
const LONGEST_COMPARED: usize = 64;

/// The maximum number of groups that a headline names.
const MAX_GROUPS: usize = 3;

/// Checks a rule for resources.
pub(super) fn check(judge: &mut Judge<'_>, rule: &Node) {
    for node in items(rule, "verbs") {
        check_verb(judge, node);
    }
    // Each resource is searched in all of them.
    let groups: SortedSet<_> = items(rule, "apiGroups").iter().filter_map(Node::as_str).collect();
    // The resources of other groups, and of the former group `extensions`, are unknown.
    if groups.is_empty() || !groups.iter().all(|group| is_known_group(group)) {
        return;
    }
    for node in items(rule, "resources") {
        check_resource(judge, node, &groups);
    }
}

fn check_verb(judge: &mut Judge<'_>, node: &Node) {
    let Some(verb) = node.as_str().filter(|verb| verb.len() <= LONGEST_COMPARED) else { return };
    if verb == "*" || VERBS.contains(&verb) {
        return;
    }
    let Some(near) = nearest_of(verb, [&*VERB_NAMES]) else { return };
    let message = message!("unknown verb `{}` in a role rule", shown(verb));
    let finding = Diagnostic::new(&ROLE_VERB_UNKNOWN, node.span(), message)
        .at("matches no request")
        .suggest(node.span(), near, message!("did you mean `{near}`?"));
    judge.report(finding, node);
}

fn check_resource(judge: &mut Judge<'_>, node: &Node, groups: &SortedSet<&str>) {
    let Some(text) = node.as_str().filter(|text| text.len() <= LONGEST_COMPARED) else { return };
    let (resource, below) =
        text.split_once('/').map_or((text, None), |(resource, below)| (resource, Some(below)));
    let elsewhere = GROUPS.get(resource);
    let is_known = elsewhere.is_some_and(|known| known.iter().any(|group| groups.contains(group)));
    if resource == "*" || is_known {
        return;
    }
    let finding = || {
        let groups = first_of(MAX_GROUPS, ", ", groups.iter().map(|group| group_name(group)));
        let message = message!("no resource `{}` in {groups}", shown(resource));
        Diagnostic::new(&ROLE_RESOURCE_UNKNOWN, node.span(), message).at("matches no request")
    };
    let known = groups.iter().filter_map(|group| RESOURCE_NAMES.get(group));
    let finding = if let Some(group) = elsewhere.and_then(SortedSet::first) {
        let help = message!("add `{group}` to `apiGroups`: `{resource}` belongs to that group");
        finding().help(if group.is_empty() {
            message!("add `\"\"` to `apiGroups`: `{resource}` belongs to the core group")
        } else {
            help
        })
    } else if let Some(near) = nearest_of(resource, known) {
        let meant = below.map_or_else(|| near.to_owned(), |below| format!("{near}/{below}"));
        finding().suggest(node.span(), meant.clone(), message!("did you mean `{meant}`?"))
    } else {
        // It may be served by an extension, or by a later version.
        return;
    };
    judge.report(finding, node);
}

fn group_name(group: &str) -> Message {
    if group.is_empty() { "the core group".into() } else { message!("group `{group}`") }
}

fn is_known_group(group: &str) -> bool {
    RESOURCES.contains_key(group)
}

/// The resources of each built-in group, and what authorization checks call so.
static RESOURCES: LazyLock<SortedMap<&str, SortedSet<String>>> = LazyLock::new(|| {
    let mut groups: SortedMap<&str, SortedSet<String>> = SortedMap::new();
    for kind in store::kinds().iter().filter(|kind| kind.group != "extensions") {
        groups.entry(kind.group).or_default().insert(resource_of(kind.kind));
    }
    for (group, resource) in OTHERS {
        groups.entry(group).or_default().insert(resource.to_owned());
    }
    groups
});

/// The groups of each resource.
static GROUPS: LazyLock<SortedMap<&str, SortedSet<&str>>> = LazyLock::new(|| {
    let mut groups: SortedMap<&str, SortedSet<&str>> = SortedMap::new();
    for (group, resources) in &*RESOURCES {
        for resource in resources {
            groups.entry(resource).or_default().insert(group);
        }
    }
    groups
});

/// The resources of each group, for searches among them.
static RESOURCE_NAMES: LazyLock<SortedMap<&str, Names<'_>>> = LazyLock::new(|| {
    let names = RESOURCES.iter();
    names.map(|(group, names)| (*group, Names::of(names.iter().map(String::as_str)))).collect()
});

static VERB_NAMES: LazyLock<Names<'_>> = LazyLock::new(|| Names::of(VERBS));

/// Names that a role can grant and that are not resources of a kind.
const OTHERS: [(&str, &str); 6] = [
    ("", "groups"),
    ("", "uids"),
    ("", "users"),
    ("authentication.k8s.io", "uids"),
    ("authentication.k8s.io", "userextras"),
    ("certificates.k8s.io", "signers"),
];
