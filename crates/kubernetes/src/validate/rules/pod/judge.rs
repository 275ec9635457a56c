//! `Judge`: one PodSpec, the facts that its rules share, and the sink for their findings.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Diagnostic, Severity, Sink};
use crate::kube::PodSpec;
use crate::schema::KubernetesVersion;
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Judging, is_true, items};

/// The first minor version whose API server validates the PodSpec of a StatefulSet.
pub(super) const STATEFUL_SET_MINOR: u8 = 34;

/// The first validation of the PodSpec.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carrier {
    /// The API server, as a Pod.
    Pod,
    /// The API server, as a template.
    Template,
    /// None until the controller creates the Pod: the API server stores a custom resource.
    Custom,
    /// Like `Custom`, for a built-in kind.
    Unread,
}

/// One PodSpec, and the sink for its findings.
pub(super) struct Judge<'j, 'o> {
    pub(super) pod: PodSpec<'o>,
    pub(super) carrier: Carrier,
    /// The minor version of the API server.
    pub(super) minor: u8,
    /// `hostNetwork: true`.
    pub(super) has_host_network: bool,
    /// `hostUsers: false`.
    pub(super) has_own_users: bool,
    /// The volumes and the resource claims by name, for the containers that use them.
    volumes: OnceCell<BTreeMap<&'o str, &'o Node>>,
    claims: OnceCell<BTreeSet<&'o str>>,
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
        let (volumes, claims) = (OnceCell::new(), OnceCell::new());
        Self { pod, carrier, minor, has_host_network, has_own_users, volumes, claims, sink }
    }

    /// The first volume with this name that the server reads.
    pub(super) fn volume(&self, name: &str) -> Option<&'o Node> {
        let volumes = self.volumes.get_or_init(|| {
            let mut volumes = BTreeMap::new();
            for (_, volume) in self.pod.read_volumes() {
                volumes.entry(volume.str_at(&["name"]).unwrap_or_default()).or_insert(volume);
            }
            volumes
        });
        volumes.get(name).copied()
    }

    /// Whether the Pod lists a resource claim with this name.
    pub(super) fn has_claim(&self, name: &str) -> bool {
        let claims = || items(self.pod.spec, "resourceClaims").iter();
        let names =
            self.claims.get_or_init(|| claims().filter_map(|it| it.str_at(&["name"])).collect());
        names.contains(name)
    }

    /// Reports a fault that every API server rejects, in any object with a PodSpec.
    pub(super) fn report_as_read(&mut self, finding: Diagnostic, path: &Path<'_>) {
        if self.carrier == Carrier::Unread {
            self.sink.report(finding.path(path));
        } else {
            self.report(finding, path);
        }
    }

    /// Reports a fault that every API server accepts, in any object with a PodSpec.
    pub(super) fn report_as_taken(&mut self, finding: Diagnostic, path: &Path<'_>) {
        self.sink.report(finding.path(path));
    }

    /// Reports a fault that the API server rejects in a Pod but accepts in a template, whose Pods
    /// it then rejects.
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
    /// Reports a fault that the API server rejects in Pods and templates.
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

    fn is_full(&self) -> bool {
        self.sink.is_full()
    }

    fn surroundings(&self) -> Option<&Node> {
        Some(self.pod.spec)
    }
}
