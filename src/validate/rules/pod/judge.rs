//! `Judge`: one PodSpec, what all its rules need to know of it, and where they report.

use crate::diag::{Diagnostic, Severity, Sink};
use crate::kube::PodSpec;
use crate::schema::KubernetesVersion;
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Judging, is_true};

/// The first minor whose API server reads the PodSpec of a StatefulSet.
pub(super) const STATEFUL_SET_MINOR: u8 = 34;

/// Who reads the PodSpec first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carrier {
    /// The API server, as a Pod.
    Pod,
    /// The API server, as a template.
    Template,
    /// Nobody, until the controller creates the Pod: the API server stores a custom resource.
    Custom,
    /// As `Custom`, of a built-in kind.
    Unread,
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
            _ if pod.is_in_custom_resource() => Carrier::Custom,
            ("", "Pod") => Carrier::Pod,
            ("apps", "StatefulSet") if minor < STATEFUL_SET_MINOR => Carrier::Unread,
            _ => Carrier::Template,
        };
        let has_host_network = is_true(pod.spec, "hostNetwork");
        let has_own_users = pod.spec.get("hostUsers").and_then(Node::as_bool) == Some(false);
        Self { pod, carrier, minor, has_host_network, has_own_users, sink }
    }

    /// Reports what every API server reads, wherever the PodSpec stands.
    pub(super) fn report_as_read(&mut self, finding: Diagnostic, path: &Path<'_>) {
        if self.carrier == Carrier::Unread {
            self.sink.report(finding.path(path));
        } else {
            self.report(finding, path);
        }
    }

    /// Reports what every API server takes, in whatever carries the PodSpec.
    pub(super) fn report_as_taken(&mut self, finding: Diagnostic, path: &Path<'_>) {
        self.sink.report(finding.path(path));
    }

    /// Reports what the API server refuses in a Pod and takes in a template, whose Pods it refuses
    /// later.
    pub(super) fn report_for_pod(&mut self, mut finding: Diagnostic, path: &Path<'_>) {
        if self.carrier == Carrier::Template {
            let kind = &self.pod.object.gvk.kind;
            finding.severity = Severity::Warning;
            finding =
                finding.note(format!("the API server accepts the {kind} but rejects its Pods"));
        }
        self.report(finding, path);
    }
}

impl Judging for Judge<'_, '_> {
    /// Reports what the API server refuses in Pods and templates alike.
    fn report(&mut self, finding: Diagnostic, path: &Path<'_>) {
        let mut finding = finding.path(path);
        let kind = &self.pod.object.gvk.kind;
        if matches!(self.carrier, Carrier::Custom | Carrier::Unread) {
            finding = finding.note(format!(
                "the API server accepts the {kind} but rejects the Pod that its controller creates"
            ));
        }
        if self.carrier == Carrier::Unread {
            finding.severity = Severity::Warning;
        }
        self.sink.report(finding);
    }

    fn surroundings(&self) -> Option<&Node> {
        Some(self.pod.spec)
    }
}
