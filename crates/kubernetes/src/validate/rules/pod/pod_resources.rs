//! `resources` of a whole Pod, its overhead, and the devices that it claims.

use super::judge::{Carrier, PodJudge};
use super::resources::{POD_RESOURCES_TOO_SMALL, RESOURCE_CLAIM_INVALID, check_requirements};
use crate::diag::{Diagnostic, message};
use crate::scalar::{Quantity, check_dns_label, near_dns_label};
use crate::sorted::SortedMap;
use crate::tree::{Entry, Map, Node};
use crate::validate::need::Need;
use crate::validate::rules::amounts::{Level, amount, check_entry, check_huge_pages};
use crate::validate::rules::judge::{Absence, entries, items, start, texts_in};
use crate::validate::rules::names::{NameForm, check_name};
use crate::validate::rules::repeated::repeated;

pub(super) fn check(judge: &mut PodJudge<'_>) {
    let spec = judge.pod.spec;
    if let Some(overhead) = spec.get("overhead") {
        for entry in overhead.entries() {
            check_entry(judge, entry, Level::Container);
        }
        check_huge_pages(judge, overhead.entries().iter(), overhead);
    }
    if judge.minor >= super::POD_RESOURCES_MINOR
        && let Some(resources) = spec.get("resources")
        && spec.str_at(&["os", "name"]) != Some("windows")
    {
        check_whole_pod(judge, resources);
    }
    if judge.minor >= super::CLAIMS_MINOR {
        check_claims(judge);
    }
}

fn check_whole_pod(judge: &mut PodJudge<'_>, resources: &Node) {
    if let Some(entry) = resources.entry("claims") {
        let text = (
            "Pod-level `resources` lists claims",
            "belongs to a container",
            "move it to `resources` of the container that uses the device",
        );
        judge.fault(&RESOURCE_CLAIM_INVALID, entry, text);
    }
    check_requirements(judge, resources, Level::Pod);
    let list = |name: &str| entries(resources, name);
    let (of_requests, of_limits) =
        (needs_of_list(judge, "requests"), needs_of_list(judge, "limits"));
    let total = |need: Option<&Need>| need.map_or(0, |need| need.total().max(0));
    for entry in list("requests") {
        let needed = total(of_requests.get(entry.key.as_str()));
        check_fits(judge, entry, needed, "request", "total");
    }
    for entry in list("limits") {
        let need = of_limits.get(entry.key.as_str());
        if entry.key.starts_with("hugepages-") {
            check_fits(judge, entry, total(need), "limit", "total");
        }
        check_fits(judge, entry, need.map_or(0, Need::largest), "limit", "largest limit");
    }
}

/// Reports a Pod-level quantity below that of its containers; `what` is `request` or `limit`, and
/// `bound` is the quantity of the containers.
fn check_fits(judge: &mut PodJudge<'_>, entry: &Entry, needed: i128, what: &str, bound: &str) {
    if amount(&entry.value).is_none_or(|of_pod| of_pod >= needed) {
        return;
    }
    let message =
        message!("Pod-level {what} of `{}` is below the {bound} of its containers", entry.key);
    let finding = Diagnostic::new(&POD_RESOURCES_TOO_SMALL, entry.value.span(), message)
        .at("of the Pod")
        .help(message!(
            "write at least `{}`, or lower the {what} of a container",
            Quantity::from_thousandths(needed)
        ));
    judge.report(finding, entry);
}

/// The requests or limits of the containers, by resource.
fn needs_of_list<'o>(judge: &PodJudge<'o>, list: &str) -> SortedMap<&'o str, Need> {
    let spec = judge.pod.spec;
    // A Pod's requests default to its limits.
    let is_filled_in = list == "requests" && judge.carrier != Carrier::Template;
    let amounts = |container: &'o Node| {
        let own = container.at(&["resources", list]);
        let known = Map::of(own);
        let limits = container.at(&["resources", "limits"]).filter(|_| is_filled_in);
        let filled_in = limits
            .map_or(&[][..], Node::entries)
            .iter()
            .filter(move |entry| known.get(&entry.key).is_none_or(Node::is_null));
        let all = own.map_or(&[][..], Node::entries).iter().chain(filled_in);
        all.filter(|entry| !entry.value.is_null())
            .filter_map(|entry| Some((entry.key.as_str(), amount(&entry.value)?)))
    };
    let mut needs: SortedMap<&str, Need> = SortedMap::new();
    for container in items(spec, "initContainers") {
        let is_sidecar = container.str_at(&["restartPolicy"]) == Some("Always");
        for (name, amount) in amounts(container) {
            needs.entry(name).or_default().add_init(amount, is_sidecar);
        }
    }
    for container in items(spec, "containers") {
        for (name, amount) in amounts(container) {
            needs.entry(name).or_default().add_regular(amount);
        }
    }
    needs
}

/// The Pod's list of claims.
fn check_claims(judge: &mut PodJudge<'_>) {
    let claims = items(judge.pod.spec, "resourceClaims");
    for claim in claims {
        if let Some((node, _)) = judge.needed_node(claim, "name", Absence::BySchema) {
            let rule = (&RESOURCE_CLAIM_INVALID, "resource claim name");
            judge.form(node, rule, check_dns_label, near_dns_label);
        }
        for field in ["resourceClaimName", "resourceClaimTemplateName"] {
            check_name(judge, claim.get(field), NameForm::OBJECT);
        }
        let text = match (claim.get("resourceClaimName"), claim.get("resourceClaimTemplateName")) {
            (Some(_), Some(_)) => "resource claim has both a name and a template",
            (None, None) => "resource claim has neither a name nor a template",
            _ => continue,
        };
        let finding = Diagnostic::new(&RESOURCE_CLAIM_INVALID, start(claim), text)
            .at("one of them is required")
            .help("write either `resourceClaimName` or `resourceClaimTemplateName`");
        judge.report(finding, claim);
    }
    let names = texts_in(claims, "name");
    repeated(names, |name, node, first| {
        let message = message!("duplicate resource claim name `{name}`");
        let texts = (message, "duplicate name", "give each claim of the Pod a unique name");
        judge.conflict(&RESOURCE_CLAIM_INVALID, node, texts, (first, "first used here"));
    });
}
