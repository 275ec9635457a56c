//! Volumes whose source Kubernetes no longer mounts, and overlapping files.

use super::virtual_paths::{VirtualPath, overlaps};
use super::{
    Judging, ObjectJudge, VOLUME_PATHS_OVERLAP, VOLUME_SOURCE_DEAD, bytes, items, text, warn,
};
use crate::diag::Diagnostic;
use crate::tree::{Node, Path};

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

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>, spec: &Node, path: &Path<'_>) {
    let field = path.field("volumes");
    for (index, volume) in items(spec, "volumes").iter().enumerate() {
        let path = field.index(index);
        check_source(judge, volume, &path);
        check_paths(judge, volume, &path);
        if let Some(claim) = volume.at(&["ephemeral", "volumeClaimTemplate", "spec"]) {
            let path = path.field("ephemeral.volumeClaimTemplate.spec");
            bytes::check_claim(judge, claim, &path);
        }
    }
}

/// Checks the source of a Pod's volume or of a PersistentVolume.
pub(super) fn check_source(judge: &mut ObjectJudge<'_, '_>, volume: &Node, path: &Path<'_>) {
    for (source, deprecated, dead) in DEAD.into_iter().chain([RBD]) {
        let Some(entry) = volume.entry(source).filter(|it| !it.value.is_null()) else { continue };
        let help = if source == "gitRepo" {
            "clone into an `emptyDir` in an init container"
        } else {
            "use a `persistentVolumeClaim` of a CSI driver"
        };
        warn(
            judge,
            &VOLUME_SOURCE_DEAD,
            (entry.key_origin.span(), "no longer mounted"),
            format!(
                "`{source}` is deprecated since Kubernetes {deprecated} and not mounted since {dead}"
            ),
            help,
            &path.field(source),
        );
    }
}

fn check_paths(judge: &mut ObjectJudge<'_, '_>, volume: &Node, path: &Path<'_>) {
    let name = text(volume, "name").unwrap_or_default();
    let mut all = Vec::new();
    for source in ["configMap", "secret", "downwardAPI"] {
        let Some(node) = volume.get(source) else { continue };
        all.extend(VirtualPath::of_items(node, &format!("{source}.items"), false));
    }
    let sources = volume.get("projected").map_or(&[][..], |it| items(it, "sources"));
    for (index, source) in sources.iter().enumerate() {
        all.extend(VirtualPath::of_projection(source, &format!("projected.sources[{index}]")));
    }
    for (later, earlier) in overlaps(&all) {
        let message = format!(
            "two files of volume `{name}` overlap: `{}` and `{}`",
            earlier.text, later.text
        );
        let finding = Diagnostic::new(&VOLUME_PATHS_OVERLAP, later.node.span(), message)
            .at("overlaps another file")
            .label(earlier.node.span(), "this one")
            .help("give each file its own path, none inside another");
        judge.report(finding, &path.field(&later.field));
    }
}
