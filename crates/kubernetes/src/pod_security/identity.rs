//! Controls on the user that a container runs as.

use super::Profile;
use super::check::{Check, Control, Fault, Holder};
use crate::diag::{Message, declare_rules, message};
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    RUN_AS_NON_ROOT = "pod-security-run-as-non-root", Error;
    RUN_AS_USER = "pod-security-run-as-root", Error;
}

pub(super) fn check_run_as_non_root(check: &mut Check<'_>) {
    if check.profile != Profile::Restricted || check.has_user_namespace {
        return;
    }
    let value = |holder: Holder<'_>| holder.security(&["runAsNonRoot"]).and_then(Node::as_bool);
    let holders = check.holders();
    let explicit: Vec<_> =
        holders.iter().copied().filter(|holder| value(*holder) == Some(false)).collect();
    for holder in &explicit {
        let span = holder.security(&["runAsNonRoot"]).map_or_else(|| holder.span(), Node::span);
        let what = message!("{} may run as root", holder.describe());
        refuse_root(check, *holder, span, what, "root is allowed here");
    }
    if !explicit.is_empty() || value(check.pod()) == Some(true) {
        return;
    }
    for holder in check.containers() {
        if value(holder).is_none() {
            let what = message!("{} may run as root", holder.describe());
            refuse_root(check, holder, holder.span(), what, "not ruled out here or on the Pod");
        }
    }
}

fn refuse_root(
    check: &mut Check<'_>,
    holder: Holder<'_>,
    span: Span,
    what: Message,
    label: &'static str,
) {
    check.refuse(
        holder,
        Fault {
            control: Control::restricted(&RUN_AS_NON_ROOT, "runAsNonRoot"),
            span,
            field: "securityContext.runAsNonRoot",
            what,
            label: label.into(),
            fix: "set `runAsNonRoot: true`, and `runAsUser` if the image's user is root or a name"
                .into(),
        },
    );
}

pub(super) fn check_run_as_user(check: &mut Check<'_>) {
    let is_held = check.profile == Profile::Restricted && check.minor >= 23;
    if !is_held || check.has_user_namespace {
        return;
    }
    for holder in check.holders() {
        let Some(node) = holder.security(&["runAsUser"]) else { continue };
        if node.as_i64() != Some(0) {
            continue;
        }
        check.refuse(
            holder,
            Fault {
                control: Control::restricted(&RUN_AS_USER, "runAsUser"),
                span: node.span(),
                field: "securityContext.runAsUser",
                what: message!("{} runs as root", holder.describe()),
                label: "0 is root".into(),
                fix: "set `runAsUser` to another number, such as 1000, or remove it".into(),
            },
        );
    }
}
