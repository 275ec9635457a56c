//! `PodJudge`: one PodSpec, and the facts that its rules share.

use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};

use crate::kube::PodSpec;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, Validation, is_true, items, text_at};

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

/// The judge of one PodSpec.
pub(super) struct PodJudge<'j> {
    judge: Judge<'j>,
    pub(super) pod: PodSpec<'j>,
    pub(super) carrier: Carrier,
    /// `hostNetwork: true`.
    pub(super) has_host_network: bool,
    /// `hostUsers: false`.
    pub(super) has_own_users: bool,
    /// The volumes and the resource claims by name, for the containers that use them.
    volumes: OnceCell<SortedMap<&'j str, &'j Node>>,
    claims: OnceCell<SortedSet<&'j str>>,
}

impl<'j> Deref for PodJudge<'j> {
    type Target = Judge<'j>;

    fn deref(&self) -> &Self::Target {
        &self.judge
    }
}

impl DerefMut for PodJudge<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.judge
    }
}

impl<'j> PodJudge<'j> {
    pub(super) fn new(pod: PodSpec<'j>, mut judge: Judge<'j>) -> Self {
        let kind = &pod.object.gvk;
        let carrier = match (kind.group.as_str(), kind.kind.as_str()) {
            _ if pod.is_in_custom_resource() => Carrier::Custom,
            ("", "Pod") => Carrier::Pod,
            ("apps", "StatefulSet") if judge.minor < STATEFUL_SET_MINOR => Carrier::Unread,
            _ => Carrier::Template,
        };
        if matches!(carrier, Carrier::Custom | Carrier::Unread) {
            judge.validation = Validation::Later {
                rejects: " but rejects the Pod that its controller creates",
                is_warning: carrier == Carrier::Unread,
            };
        }
        judge.surroundings = Some(pod.spec);
        Self {
            judge,
            pod,
            carrier,
            has_host_network: is_true(pod.spec, "hostNetwork"),
            has_own_users: pod.spec.get("hostUsers").and_then(Node::as_bool) == Some(false),
            volumes: OnceCell::new(),
            claims: OnceCell::new(),
        }
    }

    /// The first volume with this name that the server reads.
    pub(super) fn volume(&self, name: &str) -> Option<&'j Node> {
        let volumes = self.volumes.get_or_init(|| {
            let mut volumes = SortedMap::new();
            for (_, volume) in self.pod.read_volumes() {
                volumes.entry(text_at(volume, &["name"])).or_insert(volume);
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
}
