//! The requests that a policy or a binding matches.
//!
//! Follows k8s.io/apiserver, `pkg/admission/plugin/policy/matching` and
//! `pkg/admission/plugin/webhook/predicates`.

use super::decision::Undecided;
use super::policy::items;
use super::request::Request;
use crate::kube::{LabelState, Object, Selects, resource_of, selects, state_among};
use crate::schema::store;
use crate::tree::Node;
use crate::validate::objects::Cx;

/// The resource of an object, as requests name it.
#[derive(Clone, Debug)]
pub(super) struct Resource<'o> {
    pub(super) group: &'o str,
    pub(super) version: &'o str,
    /// `deployments`.
    pub(super) plural: String,
    pub(super) is_namespaced: bool,
    /// Other served versions of the resource.
    pub(super) versions: Vec<String>,
}

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
    pub(super) fn of(cx: Cx<'_>, object: &'o Object) -> Option<Self> {
        let gvk = &*object.gvk;
        let (plural, is_namespaced, versions) =
            if let Some(kind) = cx.custom.find(&gvk.group, &gvk.kind) {
                let served = kind.versions.iter().filter(|it| it.is_served);
                let versions = served.map(|it| it.name.to_owned()).collect();
                (kind.plural.to_owned(), kind.is_namespaced, versions)
            } else {
                let known = store::kind(&gvk.group, &gvk.version, &gvk.kind);
                // A kind that only the cluster knows is usually namespaced.
                let is_namespaced = known.is_none_or(|it| it.is_namespaced);
                let same = store::kinds_named(&gvk.kind).iter().filter(|it| {
                    it.group == gvk.group
                        && it.versions.contains(cx.target)
                        && it.is_served_by_default()
                });
                let versions = same.map(|it| it.version.to_owned()).collect();
                (resource_of(&gvk.kind), is_namespaced, versions)
            };
        let is_excluded = EXCLUDED
            .iter()
            .any(|(group, resources)| *group == gvk.group && resources.contains(&plural.as_str()));
        let resource =
            Self { group: &gvk.group, version: &gvk.version, plural, is_namespaced, versions };
        (!is_excluded).then_some(resource)
    }

    fn is_namespace(&self) -> bool {
        self.group.is_empty() && self.plural == "namespaces"
    }
}

/// Whether a policy or a binding matches a request.
pub(super) enum Matched {
    No,
    Perhaps(Undecided),
    Yes,
}

/// Whether a policy can match objects of a resource, whatever their names and labels.
pub(super) fn may_match(spec: &Node, resource: &Resource<'_>) -> bool {
    let rules = spec.get("matchConstraints").map_or(&[][..], |it| items(it, "resourceRules"));
    let versions = || resource.versions.iter().map(String::as_str).chain([resource.version]);
    rules.is_empty()
        || rules.iter().any(|rule| versions().any(|it| rule_matches(rule, resource, it)))
}

/// Whether `matchConstraints` or `matchResources` match the creation of an object.
pub(super) fn matches(constraints: Option<&Node>, request: &Request<'_>) -> Matched {
    let Some(constraints) = constraints else { return Matched::Yes };
    let of_namespace = match_namespace(constraints, request);
    let selector = constraints.get("objectSelector");
    let labels = request.root.at(&["metadata", "labels"]);
    let of_object = selector.map_or(Selects::Yes, |it| selects(it, |key| state_among(labels, key)));
    if of_namespace == Selects::No || of_object == Selects::No {
        return Matched::No;
    }
    match matches_rules(items(constraints, "excludeResourceRules"), constraints, request) {
        Matched::Yes => return Matched::No,
        it @ Matched::Perhaps(_) => return it,
        Matched::No => {}
    }
    let rules = items(constraints, "resourceRules");
    let of_rules =
        if rules.is_empty() { Matched::Yes } else { matches_rules(rules, constraints, request) };
    if !matches!(of_rules, Matched::Yes) || of_namespace.min(of_object) == Selects::Yes {
        return of_rules;
    }
    let selector = constraints.get("namespaceSelector").unwrap_or(constraints);
    let namespace = request.namespace.unwrap_or_default();
    let what = format!("the labels of Namespace `{namespace}`, which is not in the input");
    Matched::Perhaps(Undecided { at: selector.span(), what })
}

fn match_namespace(constraints: &Node, request: &Request<'_>) -> Selects {
    let Some(selector) = constraints.get("namespaceSelector") else { return Selects::Yes };
    if request.resource.is_namespace() {
        let own = request.root.at(&["metadata", "labels"]);
        return selects(selector, |key| state_in_namespace(key, &request.object.name, own));
    }
    let Some(name) = request.namespace else { return Selects::Yes };
    match request.namespace_object {
        Some(it) => {
            let labels = it.at(&["metadata", "labels"]);
            selects(selector, |key| state_in_namespace(key, name, labels))
        }
        None => selects(selector, |key| match key {
            NAME_LABEL => LabelState::Value(name),
            _ => LabelState::Unknown,
        }),
    }
}

/// The label that every Namespace has.
const NAME_LABEL: &str = "kubernetes.io/metadata.name";

fn state_in_namespace<'l>(key: &str, name: &'l str, labels: Option<&'l Node>) -> LabelState<'l> {
    if key == NAME_LABEL { LabelState::Value(name) } else { state_among(labels, key) }
}

fn matches_rules(rules: &[Node], constraints: &Node, request: &Request<'_>) -> Matched {
    let resource = &request.resource;
    let matches = |rule: &&Node, version: &str| {
        rule_matches(rule, resource, version) && has_name(rule, &request.object.name)
    };
    if rules.iter().any(|rule| matches(&rule, resource.version)) {
        return Matched::Yes;
    }
    if constraints.str_at(&["matchPolicy"]) == Some("Exact") {
        return Matched::No;
    }
    let others = resource.versions.iter().filter(|it| *it != resource.version);
    let mut equivalent = others.filter_map(|version| rules.iter().find(|it| matches(it, version)));
    equivalent.next().map_or(Matched::No, |rule| {
        let what = "the object in another version of its API".to_owned();
        Matched::Perhaps(Undecided { at: rule.span(), what })
    })
}

fn rule_matches(rule: &Node, resource: &Resource<'_>, version: &str) -> bool {
    let has = |field: &str, value: &str| {
        items(rule, field)
            .iter()
            .any(|it| matches!(it.as_str(), Some(it) if it == "*" || it == value))
    };
    let is_scoped = match rule.str_at(&["scope"]) {
        Some("Namespaced") => resource.is_namespaced,
        Some("Cluster") => !resource.is_namespaced,
        _ => true,
    };
    let is_resource = |it: &Node| {
        let (name, sub) = it
            .as_str()
            .unwrap_or_default()
            .split_once('/')
            .unwrap_or((it.as_str().unwrap_or_default(), ""));
        (name == "*" || name == resource.plural) && matches!(sub, "" | "*")
    };
    is_scoped
        && has("operations", "CREATE")
        && has("apiGroups", resource.group)
        && has("apiVersions", version)
        && items(rule, "resources").iter().any(is_resource)
}

fn has_name(rule: &Node, name: &str) -> bool {
    let names = items(rule, "resourceNames");
    names.is_empty() || names.iter().any(|it| it.as_str() == Some(name))
}
