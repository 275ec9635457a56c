//! The selector of a controller, which must be valid and match the labels of its Pod template.

use super::{SELECTOR_EMPTY, SELECTOR_MISMATCH};
use crate::diag::{Diagnostic, nearest};
use crate::kube::{first_unmet, first_unmet_label, state_of};
use crate::source::Span;
use crate::tree::{Entry, Map, Node, Path};
use crate::validate::rules::judging::{Judging, items, shown, start};
use crate::validate::rules::of_object::ObjectJudge;
use crate::validate::rules::selectors::check_selector;

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    if judge.object.gvk.group.is_empty() {
        return of_replication_controller(judge, spec, path);
    }
    let Some(selector) = spec.get("selector") else { return };
    let field = path.field("selector");
    if is_empty_selector(selector) {
        return empty(judge, selector.span(), "an empty selector", &field);
    }
    let before = judge.reports;
    check_selector(judge, selector, &field);
    if judge.reports == before {
        check_match(judge, spec, selector, path);
    }
}

/// Reports a selector that does not match the Pod template.
pub(in crate::validate::rules) fn check_match(
    judge: &mut ObjectJudge<'_, '_>,
    owner: &Node,
    selector: &Node,
    path: &Path<'_>,
) {
    let Some(template) = owner.get("template") else { return };
    let labels = Map::of(template.at(&["metadata", "labels"]));
    if let Some(unmet) = first_unmet(selector, |key| state_of(labels.get(key))) {
        mismatch(judge, template, unmet, path);
    }
}

fn is_empty_selector(selector: &Node) -> bool {
    selector.as_map().is_some()
        && selector.get("matchLabels").is_none_or(|it| it.entries().is_empty())
        && items(selector, "matchExpressions").is_empty()
}

/// Checks a ReplicationController: its selector is a plain map, which defaults to the labels of the
/// template.
fn of_replication_controller(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let labels = spec.at(&["template", "metadata", "labels"]);
    let selector = spec.get("selector").filter(|it| !it.entries().is_empty());
    let Some(selector) = selector else {
        if labels.is_none_or(|it| it.entries().is_empty()) {
            let at = spec.entry("selector").map_or_else(|| start(spec), |it| it.key_origin.span());
            let label = "no selector and no template labels";
            empty(judge, at, label, &path.field("selector"));
        }
        return;
    };
    let labels = Map::of(labels);
    let unmet = first_unmet_label(Some(selector), |key| state_of(labels.get(key)));
    if let (Some(unmet), Some(template)) = (unmet, spec.get("template")) {
        mismatch(judge, template, unmet, path);
    }
}

fn empty(judge: &mut ObjectJudge<'_, '_>, at: Span, label: &str, path: &Path<'_>) {
    let message =
        format!("{} does not select its Pods: the selector is empty", judge.object.shown());
    let finding = Diagnostic::new(&SELECTOR_EMPTY, at, message)
        .at(label)
        .help("copy the template labels to the selector");
    judge.report(finding, path);
}

fn mismatch(
    judge: &mut ObjectJudge<'_, '_>,
    template: &Node,
    (wanted, key): (&Node, &str),
    path: &Path<'_>,
) {
    let labels = template.at(&["metadata", "labels"]);
    let own = labels.and_then(|it| it.entry(key));
    let at = own
        .map(|it| it.value.span())
        .or_else(|| template.at(&["metadata"])?.entry("labels").map(|it| it.key_origin.span()))
        .unwrap_or_else(|| start(template));
    let message = format!("selector of {} does not match its Pod template", judge.object.shown());
    let text = match own.and_then(|it| it.value.as_str()) {
        Some(value) => format!("template has `{}: {}`", shown(key), shown(value)),
        None => format!("template has no label `{}`", shown(key)),
    };
    let help = match wanted.as_str() {
        Some(value) => {
            let pair = format!("{}: {}", shown(key), shown(value));
            format!("add `{pair}` to the template labels, or change the selector")
        }
        None => "use the same labels in the selector and the template".to_owned(),
    };
    let finding = Diagnostic::new(&SELECTOR_MISMATCH, at, message)
        .at(text)
        .label(wanted.span(), "required by the selector");
    // One of the two keys is misspelled.
    let is_same = |it: &&Entry| it.value.as_str() == wanted.as_str();
    let same = labels.map_or(&[][..], Node::entries).iter().filter(is_same);
    let near = nearest(key, same.map(|it| it.key.as_str())).filter(|_| own.is_none());
    let finding = match near {
        Some(near) => finding.help(format!(
            "write the same key in the selector and the template: `{}` or `{}`",
            shown(near),
            shown(key)
        )),
        None => finding.help(help),
    };
    judge.report(finding, &path.field("template.metadata.labels"));
}
