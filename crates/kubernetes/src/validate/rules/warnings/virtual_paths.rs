//! The paths of the files in a volume.

use super::items;
use crate::sorted::SortedMap;
use crate::tree::Node;

/// One file of a volume.
pub(super) struct VirtualPath<'n> {
    pub(super) node: &'n Node,
    /// The path without trailing slashes.
    pub(super) text: &'n str,
    /// Whether it is one of `items` or the certificates of a projected volume. Duplicate paths of those
    /// are an error, which another rule reports.
    is_unique: bool,
}

impl<'n> VirtualPath<'n> {
    fn of(node: Option<&'n Node>, is_unique: bool) -> Option<Self> {
        let node = node?;
        let text = node.as_str()?.trim_end_matches('/');
        (!text.is_empty()).then_some(Self { node, text, is_unique })
    }

    /// The files under `items` of a source.
    pub(super) fn of_items(source: &'n Node, is_unique: bool) -> Vec<Self> {
        let items = items(source, "items").iter();
        items.filter_map(|item| Self::of(item.get("path"), is_unique)).collect()
    }

    /// The files of one source of a projected volume.
    pub(super) fn of_projection(source: &'n Node) -> Vec<Self> {
        let mut all = Vec::new();
        for kind in ["configMap", "secret", "downwardAPI"] {
            if let Some(node) = source.get(kind) {
                all.extend(Self::of_items(node, true));
            }
        }
        let files = [
            ("serviceAccountToken", "path", false),
            ("clusterTrustBundle", "path", true),
            ("podCertificate", "certificateChainPath", true),
            ("podCertificate", "keyPath", true),
            ("podCertificate", "credentialBundlePath", true),
        ];
        for (kind, key, is_unique) in files {
            all.extend(Self::of(source.at(&[kind, key]), is_unique));
        }
        all
    }
}

/// Each file with the first earlier one that has the same path, contains it, or is inside it.
pub(super) fn overlaps<'p, 'n>(
    paths: &'p [VirtualPath<'n>],
) -> impl Iterator<Item = (&'p VirtualPath<'n>, &'p VirtualPath<'n>)> {
    let mut known: SortedMap<&str, Known> = SortedMap::new();
    paths.iter().enumerate().filter_map(move |(at, later)| {
        let own = known.entry(later.text).or_default();
        // Two equal paths in one list are an error.
        let unique = own.unique.filter(|_| !later.is_unique);
        let mut earlier = [own.other, unique, own.inside].into_iter().flatten().min();
        let first = if later.is_unique { &mut own.unique } else { &mut own.other };
        first.get_or_insert(at);
        for folder in folders_above(later.text) {
            let above = known.entry(folder).or_default();
            earlier = [earlier, above.other, above.unique].into_iter().flatten().min();
            above.inside.get_or_insert(at);
        }
        Some((later, paths.get(earlier?)?))
    })
}

/// The positions of the first files with one path.
#[derive(Default)]
struct Known {
    unique: Option<usize>,
    other: Option<usize>,
    /// The first file inside a folder with this path.
    inside: Option<usize>,
}

/// The folders that contain a path. A path that is deeper than this is too long for a file system.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    const DEEPEST: usize = 2_048;
    path.match_indices('/').take(DEEPEST).filter_map(|(at, _)| path.get(..at))
}
