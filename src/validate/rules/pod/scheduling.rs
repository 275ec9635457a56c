//! Where a Pod may run: node names, selectors, tolerations, gates.

use super::env::optional_name;
use super::judge::{Carrier, Judge};
use super::pages::scheduling::{
    NODE_NAME_BESIDE_GATES, SCHEDULING_GATE_INVALID, TOLERATION_INVALID,
};
use crate::diag::Diagnostic;
use crate::scalar::{check_label_value, check_qualified_name};
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Absence, Judging, items, shown, start};
use crate::validate::rules::repeated::repeated;
use crate::validate::rules::selectors::NODE_SELECTOR_INVALID;
use crate::validate::rules::selectors::check_label;

/// The first minor whose schema has `Lt` and `Gt` (`TaintTolerationComparisonOperators`).
const NUMBERS_MINOR: u8 = 35;

pub(super) fn check(judge: &mut Judge<'_, '_>, path: &Path<'_>) {
    let spec = judge.pod.spec;
    let field = path.field("nodeSelector");
    for entry in spec.get("nodeSelector").map_or(&[][..], Node::entries) {
        check_label(judge, entry, &NODE_SELECTOR_INVALID, &field.key(&entry.key));
    }
    for name in ["nodeName", "priorityClassName", "serviceAccountName"] {
        if let Some(node) = spec.get(name).filter(|it| it.as_str() != Some("")) {
            optional_name(judge, node, &path.field(name));
        }
    }
    // This one is a pointer: an empty text is a name for the server.
    if let Some(node) = spec.get("runtimeClassName") {
        optional_name(judge, node, &path.field("runtimeClassName"));
    }
    judge.needed(spec, "preemptionPolicy", Absence::BySchema, path);
    gates(judge, &path.field("schedulingGates"));
    let field = path.field("tolerations");
    for (index, toleration) in items(spec, "tolerations").iter().enumerate() {
        check_toleration(judge, toleration, &field.index(index));
    }
}

fn gates(judge: &mut Judge<'_, '_>, path: &Path<'_>) {
    let spec = judge.pod.spec;
    let gates = items(spec, "schedulingGates");
    for (index, gate) in gates.iter().enumerate() {
        let Some(node) = gate.get("name") else { continue };
        let rule = (&SCHEDULING_GATE_INVALID, "scheduling gate");
        let help = |_: &str| "write it as `example.com/gate`".to_owned();
        judge.form(node, rule, check_qualified_name, help, &path.index(index).field("name"));
    }
    let names = gates.iter().enumerate().filter_map(|(index, gate)| {
        let node = gate.get("name")?;
        Some((node.as_str()?, (index, node)))
    });
    repeated(names, |name, (index, node), (_, first)| {
        let message = format!("the scheduling gate `{}` stands twice", shown(name));
        let finding = Diagnostic::new(&SCHEDULING_GATE_INVALID, node.span(), message)
            .at("stands already")
            .label(first.span(), "here")
            .help("remove one of them");
        judge.report(finding, &path.index(index).field("name"));
    });
    if !gates.is_empty()
        && judge.carrier != Carrier::Template
        && let Some(node) = spec.get("nodeName").filter(|it| it.as_str() != Some(""))
    {
        let finding = Diagnostic::new(
            &NODE_NAME_BESIDE_GATES,
            node.span(),
            "a Pod with scheduling gates names its node",
        )
        .at("is scheduled already")
        .help("remove `nodeName`, or `schedulingGates`");
        judge.report(finding, path);
    }
}

fn check_toleration(judge: &mut Judge<'_, '_>, toleration: &Node, path: &Path<'_>) {
    if toleration.as_map().is_none() {
        return;
    }
    let text = |field: &str| toleration.str_at(&[field]).unwrap_or_default();
    let at = |field: &str| toleration.get(field).map_or_else(|| start(toleration), Node::span);
    let (key, operator, effect, value) =
        (text("key"), text("operator"), text("effect"), text("value"));
    let has_numbers = judge.minor >= NUMBERS_MINOR;
    let mut refuse = |field: &'static str, message: &str, help: &str| {
        let finding = Diagnostic::new(&TOLERATION_INVALID, at(field), message)
            .at("tolerates nothing")
            .help(help);
        judge.report(finding, &path.field(field));
    };
    if !key.is_empty()
        && let Err(fault) = check_qualified_name(key)
    {
        let message = format!("the key `{}` of a toleration {fault}", shown(key));
        refuse("key", &message, "write the key of the taint: `example.com/gpu`");
    }
    if key.is_empty() && operator != "Exists" {
        let message = "a toleration without a key does not have `operator: Exists`";
        refuse(
            "operator",
            message,
            "add the key of the taint, or write `operator: Exists` to tolerate all",
        );
    }
    if toleration.get("tolerationSeconds").is_some() && effect != "NoExecute" {
        let message = "`tolerationSeconds` stands without `effect: NoExecute`";
        refuse("effect", message, "write `effect: NoExecute`, or remove `tolerationSeconds`");
    }
    match operator {
        "" | "Equal" => {
            if let Err(fault) = check_label_value(value) {
                let message = format!("the value `{}` of a toleration {fault}", shown(value));
                refuse("value", &message, "write the value of the taint");
            }
        }
        "Exists" if !value.is_empty() => {
            let message = "`operator: Exists` of a toleration has a value";
            refuse("value", message, "remove `value`, or write `operator: Equal`");
        }
        // The schema has them from 1.35 on; their feature gate is off.
        "Lt" | "Gt" if has_numbers => {
            let message = format!("`{operator}` of a toleration is turned off");
            refuse("operator", &message, "write `Equal` or `Exists`");
        }
        _ => {}
    }
}
