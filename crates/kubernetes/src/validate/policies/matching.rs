//! The requests that a policy or a binding matches.
//!
//! Follows k8s.io/apiserver, `pkg/admission/plugin/policy/matching` and
//! `pkg/admission/plugin/webhook/predicates`.

use super::decision::Undecided;
use super::request::Request;
use crate::kube::{GroupVersionKind, LabelState, Object, Selects, resource_of, selects, state_of};
use crate::schema::store;
use crate::tree::{Node, items};
use crate::validate::fields::value_or_owner;
use crate::validate::objects::ObjectContext;

/// The resource of an object, as requests name it.
#[derive(Clone, Debug)]
pub(super) struct Resource<'o> {
    pub(super) group: &'o str,
    pub(super) version: &'o str,
    /// `deployments`.
    pub(super) plural: String,
    pub(super) is_namespaced: bool,
    /// The same resource in other versions and groups, in the order of the API server.
    equivalents: Vec<GroupVersion<'o>>,
    /// Whether a webhook converts between the versions.
    pub(super) is_converted_by_webhook: bool,
}

/// The group and the version of a resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct GroupVersion<'o> {
    pub(super) group: &'o str,
    pub(super) version: &'o str,
}

/// The groups that have the resource `events`.
const EVENT_GROUPS: [&str; 2] = ["", "events.k8s.io"];

/// Resources that no policy intercepts.
const EXCLUDED: [(&str, &[&str]); 3] = [
    ("authentication.k8s.io", &["selfsubjectreviews", "tokenreviews"]),
    (
        "authorization.k8s.io",
        &[
            "localsubjectaccessreviews",
            "selfsubjectaccessreviews",
            "selfsubjectrulesreviews",
            "subjectaccessreviews",
        ],
    ),
    (
        super::GROUP,
        &[
            "mutatingadmissionpolicies",
            "mutatingadmissionpolicybindings",
            "validatingadmissionpolicies",
            "validatingadmissionpolicybindings",
        ],
    ),
];

impl<'o> Resource<'o> {
    /// The resource of an object; `None` if policies do not intercept it.
    pub(super) fn of(cx: ObjectContext<'o>, object: &'o Object) -> Option<Self> {
        let gvk = &*object.gvk;
        let resource = if let Some(kind) = cx.custom.find(&gvk.group, &gvk.kind) {
            // The API server also looks for versions that it does not serve.
            let versions = kind.versions.iter().map(|version| (gvk.group.as_str(), version.name));
            Self {
                group: &gvk.group,
                version: &gvk.version,
                plural: kind.plural.to_owned(),
                is_namespaced: kind.is_namespaced,
                equivalents: other_versions(gvk, versions),
                is_converted_by_webhook: kind.is_converted_by_webhook,
            }
        } else {
            let known = store::kind(&gvk.group, &gvk.version, &gvk.kind);
            let is_event = |group: &str| gvk.kind == "Event" && EVENT_GROUPS.contains(&group);
            let same = store::kinds_named(&gvk.kind).iter().filter(|kind| {
                (kind.group == gvk.group || is_event(kind.group) && is_event(&gvk.group))
                    && kind.versions.contains(cx.target)
                    && kind.is_served_by_default()
            });
            Self {
                group: &gvk.group,
                version: &gvk.version,
                plural: resource_of(&gvk.kind),
                // A kind that only the cluster knows is usually namespaced.
                is_namespaced: known.is_none_or(|it| it.is_namespaced),
                equivalents: other_versions(gvk, same.map(|kind| (kind.group, kind.version))),
                is_converted_by_webhook: false,
            }
        };
        let is_excluded = EXCLUDED.iter().any(|(group, resources)| {
            *group == gvk.group && resources.contains(&resource.plural.as_str())
        });
        (!is_excluded).then_some(resource)
    }

    pub(super) fn own(&self) -> GroupVersion<'o> {
        GroupVersion { group: self.group, version: self.version }
    }

    fn is_namespace(&self) -> bool {
        self.group.is_empty() && self.plural == "namespaces"
    }
}

/// Other groups and versions than those of an object.
fn other_versions<'o>(
    gvk: &GroupVersionKind,
    all: impl Iterator<Item = (&'o str, &'o str)>,
) -> Vec<GroupVersion<'o>> {
    let all = all.map(|(group, version)| GroupVersion { group, version });
    all.filter(|other| (other.group, other.version) != (gvk.group.as_str(), gvk.version.as_str()))
        .collect()
}

/// Whether a policy or a binding matches a request.
pub(super) enum Matched<'o> {
    No,
    Perhaps(Undecided),
    Yes,
    /// The rules only match the object in another version.
    As(GroupVersion<'o>),
}

/// Whether a policy can match objects of a resource, whatever their names and labels.
pub(super) fn may_match(spec: &Node, resource: &Resource<'_>) -> bool {
    let rules = spec.items_at(&["matchConstraints", "resourceRules"]);
    let all = || resource.equivalents.iter().copied().chain([resource.own()]);
    rules.is_empty()
        || rules.iter().any(|rule| all().any(|version| rule_matches(rule, resource, version)))
}

/// Whether `matchConstraints` or `matchResources` match the creation of an object.
pub(super) fn matches<'o>(constraints: Option<&Node>, request: &Request<'o>) -> Matched<'o> {
    let Some(constraints) = constraints else { return Matched::Yes };
    let of_namespace = match_namespace(constraints, request);
    let selector = constraints.get("objectSelector");
    let of_object =
        selector.map_or(Selects::Yes, |selector| selects(selector, |key| request.label(key)));
    if of_namespace == Selects::No || of_object == Selects::No {
        return Matched::No;
    }
    let excluded = items(constraints, "excludeResourceRules");
    if !matches!(matches_rules(excluded, constraints, request), Matched::No) {
        return Matched::No;
    }
    let rules = items(constraints, "resourceRules");
    let of_rules =
        if rules.is_empty() { Matched::Yes } else { matches_rules(rules, constraints, request) };
    if matches!(of_rules, Matched::No) || of_namespace.min(of_object) == Selects::Yes {
        return of_rules;
    }
    let selector = value_or_owner(constraints, "namespaceSelector");
    let namespace = request.namespace.unwrap_or_default();
    let what = format!("the labels of Namespace `{namespace}`, which is not in the input");
    Matched::Perhaps(Undecided { at: selector.span(), what })
}

fn match_namespace(constraints: &Node, request: &Request<'_>) -> Selects {
    let Some(selector) = constraints.get("namespaceSelector") else { return Selects::Yes };
    if request.resource.is_namespace() {
        return selects(selector, |key| match key {
            NAME_LABEL => LabelState::Value(&request.object.name),
            _ => request.label(key),
        });
    }
    let Some(name) = request.namespace else { return Selects::Yes };
    match request.namespace_object {
        Some(namespace) => selects(selector, |key| match key {
            NAME_LABEL => LabelState::Value(name),
            _ => state_of(namespace.labels.get(key)),
        }),
        None => selects(selector, |key| match key {
            NAME_LABEL => LabelState::Value(name),
            _ => LabelState::Unknown,
        }),
    }
}

/// The label that every Namespace has.
const NAME_LABEL: &str = "kubernetes.io/metadata.name";

fn matches_rules<'o>(rules: &[Node], constraints: &Node, request: &Request<'o>) -> Matched<'o> {
    let resource = &request.resource;
    let matches = |rule: &&Node, version: GroupVersion<'_>| {
        rule_matches(rule, resource, version) && has_name(rule, &request.object.name)
    };
    if rules.iter().any(|rule| matches(&rule, resource.own())) {
        return Matched::Yes;
    }
    if constraints.str_at(&["matchPolicy"]) == Some("Exact") {
        return Matched::No;
    }
    let equivalent = |rule| resource.equivalents.iter().find(|version| matches(&rule, **version));
    rules.iter().find_map(equivalent).map_or(Matched::No, |version| Matched::As(*version))
}

fn rule_matches(rule: &Node, resource: &Resource<'_>, of: GroupVersion<'_>) -> bool {
    let has = |field: &str, value: &str| {
        items(rule, field)
            .iter()
            .any(|item| matches!(item.as_str(), Some(item) if item == "*" || item == value))
    };
    let is_scoped = match rule.str_at(&["scope"]) {
        Some("Namespaced") => resource.is_namespaced,
        Some("Cluster") => !resource.is_namespaced,
        _ => true,
    };
    let is_resource = |node: &Node| {
        let Some(listed) = node.as_str() else { return false };
        let (name, sub) = listed.split_once('/').unwrap_or((listed, ""));
        (name == "*" || name == resource.plural) && matches!(sub, "" | "*")
    };
    is_scoped
        && has("operations", "CREATE")
        && has("apiGroups", of.group)
        && has("apiVersions", of.version)
        && items(rule, "resources").iter().any(is_resource)
}

fn has_name(rule: &Node, name: &str) -> bool {
    let names = items(rule, "resourceNames");
    names.is_empty() || names.iter().any(|known| known.as_str() == Some(name))
}
