//! `Judge`: one PodSpec, what all its rules need to know of it, and where they report.

use super::is_true;
use super::pages::general::{FIELD_EMPTY, VALUE_UNSUPPORTED};
use crate::diag::{Diagnostic, Rule, Severity, Sink, did_you_mean, nearest};
use crate::kube::PodSpec;
use crate::scalar::Fault;
use crate::schema::KubernetesVersion;
use crate::source::Span;
use crate::tree::{Node, Path};

/// The first minor whose API server reads the PodSpec of a StatefulSet.
const STATEFUL_SET_MINOR: u8 = 34;

/// Who reads the PodSpec first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carrier {
    /// The API server, as a Pod.
    Pod,
    /// The API server, as a template.
    Template,
    /// Nobody, until the controller creates the Pod: the API server stores a custom resource.
    Sandbox,
    /// As `Sandbox`, of a built-in kind.
    Unread,
}

/// Whether the schema speaks up where a field is absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Absence {
    /// The schema requires the field: only an empty text is left to report.
    BySchema,
    /// The schema leaves the field free.
    Here,
}

/// One PodSpec and where to report.
pub(super) struct Judge<'j, 'o> {
    pub(super) pod: PodSpec<'o>,
    pub(super) carrier: Carrier,
    /// The minor version whose API server judges.
    pub(super) minor: u8,
    /// `hostNetwork: true`.
    pub(super) has_host_network: bool,
    /// `hostUsers: false`.
    pub(super) has_own_users: bool,
    sink: &'j mut Sink,
}

impl<'j, 'o> Judge<'j, 'o> {
    pub(super) fn new(pod: PodSpec<'o>, kubernetes: KubernetesVersion, sink: &'j mut Sink) -> Self {
        let minor = kubernetes.minor();
        let kind = &pod.object.gvk;
        let carrier = match (kind.group.as_str(), kind.kind.as_str()) {
            ("", "Pod") => Carrier::Pod,
            ("apps", "StatefulSet") if minor < STATEFUL_SET_MINOR => Carrier::Unread,
            ("agents.x-k8s.io" | "extensions.agents.x-k8s.io", _) => Carrier::Sandbox,
            _ => Carrier::Template,
        };
        let has_host_network = is_true(pod.spec, "hostNetwork");
        let has_own_users = pod.spec.get("hostUsers").and_then(Node::as_bool) == Some(false);
        Self { pod, carrier, minor, has_host_network, has_own_users, sink }
    }

    /// Reports what the API server refuses in Pods and templates alike.
    pub(super) fn report(&mut self, finding: Diagnostic, path: &Path<'_>) {
        let mut finding = finding.path(path);
        let kind = &self.pod.object.gvk.kind;
        if matches!(self.carrier, Carrier::Sandbox | Carrier::Unread) {
            finding = finding.note(format!(
                "the API server takes the {kind}, and refuses the Pod that its controller makes of it"
            ));
        }
        if self.carrier == Carrier::Unread {
            finding.severity = Severity::Warning;
        }
        self.sink.report(finding);
    }

    /// Reports what the API server refuses in a Pod and takes in a template, whose Pods it refuses
    /// later.
    pub(super) fn report_for_pod(&mut self, mut finding: Diagnostic, path: &Path<'_>) {
        if self.carrier == Carrier::Template {
            let kind = &self.pod.object.gvk.kind;
            finding.severity = Severity::Warning;
            finding = finding
                .note(format!("the API server takes the {kind}, and refuses the Pods made of it"));
        }
        self.report(finding, path);
    }

    /// The text of a field that must not be empty; reports one that is.
    pub(super) fn needed<'n>(
        &mut self,
        owner: &'n Node,
        field: &'static str,
        absence: Absence,
        path: &Path<'_>,
    ) -> Option<&'n str> {
        let Some(node) = owner.get(field) else {
            if absence == Absence::Here && !self.is_written_wrong(owner, field) {
                let finding =
                    Diagnostic::new(&FIELD_EMPTY, start(owner), format!("`{field}` is missing"))
                        .at(format!("needs `{field}`"))
                        .help(format!("add `{field}: ...`"));
                self.report(finding, &path.field(field));
            }
            return None;
        };
        let text = node.as_str()?;
        if text.is_empty() {
            let finding = Diagnostic::new(&FIELD_EMPTY, node.span(), format!("`{field}` is empty"))
                .at("must not be empty")
                .help(format!("write what `{field}` is"));
            self.report(finding, &path.field(field));
            return None;
        }
        Some(text)
    }

    /// Whether the field is there under a near name, or beside the list instead of in it. The schema
    /// reports that key, and says where it belongs.
    fn is_written_wrong(&self, owner: &Node, field: &'static str) -> bool {
        self.pod.spec.entry(field).is_some()
            || owner.entries().iter().any(|it| nearest(&it.key, [field]).is_some())
    }

    /// Reports a text that is not of its form; `what` names it in the message: "port name".
    pub(super) fn form(
        &mut self,
        node: &Node,
        (rule, what): (&'static Rule, &str),
        check: fn(&str) -> Result<(), Fault>,
        help: impl FnOnce(&str) -> String,
        path: &Path<'_>,
    ) {
        let Some(text) = node.as_str() else { return };
        let Err(fault) = check(text) else { return };
        let shown = shown(text);
        let finding = Diagnostic::new(rule, node.span(), format!("the {what} `{shown}` {fault}"))
            .at(format!("not a {what}"))
            .help(help(text));
        self.report(finding, path);
    }

    /// Reports a text outside a list that the schema does not have; `null` and absence are free.
    pub(super) fn listed(
        &mut self,
        owner: &Node,
        field: &'static str,
        allowed: &[&'static str],
        path: &Path<'_>,
    ) {
        let Some(node) = owner.get(field) else { return };
        let Some(text) = node.as_str() else { return };
        if allowed.contains(&text) {
            return;
        }
        let quoted: Vec<_> = allowed.iter().map(|it| format!("`{it}`")).collect();
        let message = format!("`{}` is no value of `{field}`", shown(text));
        let finding = Diagnostic::new(&VALUE_UNSUPPORTED, node.span(), message)
            .at(format!("must be {}", quoted.join(" or ")))
            .help_if(did_you_mean(text, allowed.iter().copied()));
        self.report(finding, &path.field(field));
    }
}

/// The place that stands for a map: its first key, or its first byte.
pub(super) fn start(owner: &Node) -> Span {
    owner.entries().first().map_or_else(|| owner.span().start_point(), |it| it.key_origin.span())
}

/// A text as messages show it: without control characters, and not longer than a line.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(80).flat_map(char::escape_debug).collect()
}
