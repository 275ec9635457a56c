//! The selector of a controller, which must be valid and match the labels of its Pod template.

use super::{SELECTOR_EMPTY, SELECTOR_MISMATCH};
use crate::diag::{Diagnostic, message, nearest};
use crate::kube::{first_unmet, first_unmet_label, state_of};
use crate::tree::{Entry, Map, Node};
use crate::validate::rules::judge::{Judge, Spot, items, key_or_start, shown, start};
use crate::validate::rules::selectors::check_selector;

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    if judge.object.gvk.group.is_empty() {
        return check_replication_controller(judge, spec);
    }
    let Some(selector) = spec.get("selector") else { return };
    if is_empty_selector(selector) {
        return report_empty_selector(judge, selector.into(), "an empty selector");
    }
    let before = judge.reports;
    check_selector(judge, selector);
    if judge.reports == before {
        check_match(judge, spec, selector);
    }
}

/// Reports a selector that does not match the Pod template.
pub(in crate::validate::rules) fn check_match(
    judge: &mut Judge<'_>,
    owner: &Node,
    selector: &Node,
) {
    let Some(template) = owner.get("template") else { return };
    let labels = Map::of(template.at(&["metadata", "labels"]));
    if let Some(unmet) = first_unmet(selector, |key| state_of(labels.get(key))) {
        report_mismatch(judge, template, unmet);
    }
}

fn is_empty_selector(selector: &Node) -> bool {
    selector.as_map().is_some()
        && selector.get("matchLabels").is_none_or(|labels| labels.entries().is_empty())
        && items(selector, "matchExpressions").is_empty()
}

/// Checks a ReplicationController: its selector is a plain map, which defaults to the labels of the
/// template.
fn check_replication_controller(judge: &mut Judge<'_>, spec: &Node) {
    let written = spec.at(&["template", "metadata", "labels"]);
    let selector = spec.get("selector").filter(|selector| !selector.entries().is_empty());
    let Some(selector) = selector else {
        if written.is_none_or(|labels| labels.entries().is_empty()) {
            let at = key_or_start(spec, "selector");
            let label = "no selector and no template labels";
            report_empty_selector(judge, (at, (spec, "selector")).into(), label);
        }
        return;
    };
    let labels = Map::of(written);
    let unmet = first_unmet_label(Some(selector), |key| state_of(labels.get(key)));
    if let (Some(unmet), Some(template)) = (unmet, spec.get("template")) {
        report_mismatch(judge, template, unmet);
    }
}

fn report_empty_selector(judge: &mut Judge<'_>, spot: Spot<'_>, label: &'static str) {
    let message =
        message!("{} does not select its Pods: the selector is empty", judge.object.describe());
    let text = (message, label, "copy the template labels to the selector");
    judge.fault(&SELECTOR_EMPTY, (spot.span, spot.place), text);
}

fn report_mismatch(judge: &mut Judge<'_>, template: &Node, (wanted, key): (&Node, &str)) {
    let labels = template.at(&["metadata", "labels"]);
    let own = labels.and_then(|it| it.entry(key));
    let at = own
        .map(|entry| entry.value.span())
        .or_else(|| {
            template.at(&["metadata"])?.entry("labels").map(|entry| entry.key_origin().span())
        })
        .unwrap_or_else(|| start(template));
    let message =
        message!("selector of {} does not match its Pod template", judge.object.describe());
    let text = match own.and_then(|entry| entry.value.as_str()) {
        Some(value) => message!("template has `{}: {}`", shown(key), shown(value)),
        None => message!("template has no label `{}`", shown(key)),
    };
    let help = match wanted.as_str() {
        Some(value) => {
            let pair = message!("{}: {}", shown(key), shown(value));
            message!("add `{pair}` to the template labels, or change the selector")
        }
        None => "use the same labels in the selector and the template".into(),
    };
    let finding = Diagnostic::new(&SELECTOR_MISMATCH, at, message)
        .at(text)
        .label(wanted.span(), "required by the selector");
    // One of the two keys is misspelled.
    let is_same = |label: &&Entry| label.value.as_str() == wanted.as_str();
    let same = labels.map_or(&[][..], Node::entries).iter().filter(is_same);
    let near = nearest(key, same.map(|entry| entry.key.as_str())).filter(|_| own.is_none());
    let finding = match near {
        Some(near) => finding.help(message!(
            "write the same key in the selector and the template: `{}` or `{}`",
            shown(near),
            shown(key)
        )),
        None => finding.help(help),
    };
    judge.report(finding, (template, "metadata.labels"));
}
