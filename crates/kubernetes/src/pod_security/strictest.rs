//! The strictest profile that a Pod satisfies.

use super::{Level, Profile, Subject, check};
use crate::diag::Sink;
use crate::schema::KubernetesVersion;
use crate::tree::{Node, Path};

/// Whether a Pod with this PodSpec, and this metadata if it has any, satisfies a profile.
#[must_use]
pub fn satisfies(
    spec: &Node,
    metadata: Option<&Node>,
    profile: Profile,
    version: KubernetesVersion,
) -> bool {
    let root = Path::root();
    let subject = Subject {
        spec,
        metadata: metadata.map(|metadata| (metadata, root.field("metadata"))),
        path: root.field("spec"),
        level: Level::Definition(None),
    };
    check(&subject, profile.into(), version, &mut Sink::unused())
}

/// The strictest profile that a Pod satisfies.
#[must_use]
pub fn strictest(spec: &Node, metadata: Option<&Node>, version: KubernetesVersion) -> Profile {
    let mut profiles = Profile::ALL.into_iter();
    let strictest = profiles.find(|profile| satisfies(spec, metadata, *profile, version));
    strictest.unwrap_or(Profile::Privileged)
}
