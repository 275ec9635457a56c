//! Scheduling of a Pod: node names, selectors, tolerations, gates.

use super::judge::{Carrier, PodJudge};
use crate::diag::{declare_rules, message};
use crate::scalar::check_qualified_name;
use crate::validate::rules::judge::{Absence, entries, filled, items, shown, texts_in};
use crate::validate::rules::names::{NameForm, check_name};
use crate::validate::rules::repeated::repeated;
use crate::validate::rules::selectors::NODE_SELECTOR_INVALID;
use crate::validate::rules::selectors::check_label;
use crate::validate::rules::tolerations::check_toleration;

declare_rules! {
    SCHEDULING_GATE_INVALID = "scheduling-gate-invalid", Error;
    NODE_NAME_BESIDE_GATES = "node-name-beside-gates", Error;
    AFFINITY_INVALID = "affinity-invalid", Error;
    MATCH_LABEL_KEYS_INVALID = "match-label-keys-invalid", Error;
    SPREAD_INVALID = "spread-invalid", Error;
}

pub(super) fn check(judge: &mut PodJudge<'_>) {
    let spec = judge.pod.spec;
    for entry in entries(spec, "nodeSelector") {
        check_label(judge, entry, &NODE_SELECTOR_INVALID);
    }
    // The former name of the field applies if the new one is absent.
    let account = match spec.str_at(&["serviceAccountName"]) {
        None | Some("") => "serviceAccount",
        Some(_) => "serviceAccountName",
    };
    for name in ["nodeName", "priorityClassName", account] {
        check_name(judge, filled(spec, name), NameForm::OBJECT);
    }
    // This field is a pointer: the server treats an empty string as a name.
    check_name(judge, spec.get("runtimeClassName"), NameForm::OBJECT);
    judge.needed(spec, "preemptionPolicy", Absence::BySchema);
    check_gates(judge);
    for toleration in items(spec, "tolerations") {
        check_toleration(judge, toleration);
    }
}

fn check_gates(judge: &mut PodJudge<'_>) {
    let spec = judge.pod.spec;
    let gates = items(spec, "schedulingGates");
    for gate in gates {
        let Some(node) = gate.get("name") else { continue };
        let rule = (&SCHEDULING_GATE_INVALID, "scheduling gate");
        let help = |_: &str| "write it in the form of `example.com/gate`".into();
        judge.form(node, rule, check_qualified_name, help);
    }
    let names = texts_in(gates, "name");
    repeated(names, |name, node, first| {
        let message = message!("duplicate scheduling gate `{}`", shown(name));
        let texts = (message, "already listed", "remove one of them");
        judge.conflict(&SCHEDULING_GATE_INVALID, node, texts, (first, "here"));
    });
    if !gates.is_empty()
        && judge.carrier != Carrier::Template
        && let Some(node) = filled(spec, "nodeName")
    {
        let text = (
            "Pod with scheduling gates has `nodeName`",
            "already assigns a node",
            "remove `nodeName`, or `schedulingGates`",
        );
        judge.fault(&NODE_NAME_BESIDE_GATES, (node.span(), (spec, "schedulingGates")), text);
    }
}
