//! Volumes whose source Kubernetes no longer mounts, and overlapping files.

use super::virtual_paths::{VirtualPath, overlaps};
use super::{VOLUME_PATHS_OVERLAP, VOLUME_SOURCE_DEAD, bytes, filled_text, items};
use crate::diag::message;
use crate::scalar::is_same;
use crate::tree::Node;
use crate::validate::rules::judge::Judge;

/// The source, the version that deprecated it, and the first version that does not mount it.
const DEAD: [(&str, &str, &str); 9] = [
    ("photonPersistentDisk", "1.11", "1.16"),
    ("gitRepo", "1.11", "1.33"),
    ("scaleIO", "1.16", "1.22"),
    ("flocker", "1.22", "1.25"),
    ("storageOS", "1.22", "1.25"),
    ("storageos", "1.22", "1.25"),
    ("quobyte", "1.22", "1.25"),
    ("glusterfs", "1.25", "1.26"),
    ("cephfs", "1.28", "1.31"),
];
const RBD: (&str, &str, &str) = ("rbd", "1.28", "1.31");

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    for volume in items(spec, "volumes") {
        check_source(judge, volume);
        check_paths(judge, volume);
        if let Some(claim) = volume.at(&["ephemeral", "volumeClaimTemplate", "spec"]) {
            bytes::check_claim(judge, claim);
        }
    }
}

/// Checks the source of a Pod's volume or of a PersistentVolume.
pub(super) fn check_source(judge: &mut Judge<'_>, volume: &Node) {
    for entry in volume.entries().iter().filter(|entry| !entry.value.is_null()) {
        let mut all = DEAD.into_iter().chain([RBD]);
        let Some(found) = all.find(|known| is_same(known.0, &entry.key)) else { continue };
        let (source, deprecated, dead) = found;
        let help = if source == "gitRepo" {
            "clone into an `emptyDir` in an init container"
        } else {
            "use a `persistentVolumeClaim` of a CSI driver"
        };
        judge.fault(&VOLUME_SOURCE_DEAD, entry, (message!(
                "`{source}` is deprecated since Kubernetes {deprecated} and not mounted since {dead}"
            ), "no longer mounted", help));
    }
}

fn check_paths(judge: &mut Judge<'_>, volume: &Node) {
    let name = filled_text(volume, "name").unwrap_or_default();
    let mut all = Vec::new();
    for source in ["configMap", "secret", "downwardAPI"] {
        let Some(node) = volume.get(source) else { continue };
        all.extend(VirtualPath::of_items(node, false));
    }
    let sources = volume.items_at(&["projected", "sources"]);
    for source in sources {
        all.extend(VirtualPath::of_projection(source));
    }
    for (later, earlier) in overlaps(&all) {
        let message = message!(
            "two files of volume `{name}` overlap: `{}` and `{}`",
            earlier.text,
            later.text
        );
        let texts =
            (message, "overlaps another file", "give each file its own path, none inside another");
        judge.conflict(&VOLUME_PATHS_OVERLAP, later.node, texts, (earlier.node, "this one"));
    }
}
