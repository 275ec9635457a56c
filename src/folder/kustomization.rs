//! Kustomizations, and the files in them that are not whole objects.

use super::path::{file_name, folder_of, join};
use crate::tree::Node;

/// The API group of kustomize's own kinds.
const GROUP: &str = "kustomize.config.k8s.io";

/// The names under which kustomize finds a kustomization.
pub const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Lists whose items have the path of a patch, a transformer configuration or the like in `path`.
const WITH_PATH: [&str; 3] = ["patches", "patchesJson6902", "replacements"];

/// Lists of paths to files that are not manifests.
const OF_PATHS: [&str; 5] =
    ["patchesStrategicMerge", "configurations", "transformers", "generators", "validators"];

/// Lists of generators, whose `files` become the data of a ConfigMap or Secret.
const GENERATORS: [&str; 2] = ["configMapGenerator", "secretGenerator"];

/// Lists of the files and directories whose objects a kustomization builds.
const RESOURCES: [&str; 3] = ["resources", "bases", "crds"];

/// Whether a file has the name of a kustomization.
pub(crate) fn has_name(file: &str) -> bool {
    NAMES.contains(&file_name(file))
}

/// Whether a document is a Kustomization or Component, which `kubectl apply -k` reads and API
/// servers do not know.
pub(crate) fn is_kustomization(root: &Node) -> bool {
    let group = root.str_at(&["apiVersion"]).and_then(|it| it.split_once('/'));
    group.is_some_and(|(group, _)| group == GROUP)
}

/// The files whose objects a kustomization builds.
pub(super) fn resources<'n>(file: &'n str, root: &'n Node) -> impl Iterator<Item = String> + 'n {
    let paths = RESOURCES.iter().filter_map(move |key| root.get(key)).flat_map(Node::items);
    let paths = paths.filter_map(Node::as_str).filter(|it| !it.contains("://"));
    paths.map(move |path| join(folder_of(file), path))
}

/// The files that a kustomization merges over objects. Some of them have JSON patches instead.
pub(super) fn patches<'n>(file: &'n str, root: &'n Node) -> impl Iterator<Item = String> + 'n {
    let list = |key: &str| root.get(key).map_or(&[][..], Node::items).iter();
    let named = list("patches").filter_map(|item| item.str_at(&["path"]));
    let paths = named.chain(list("patchesStrategicMerge").filter_map(Node::as_str));
    paths.map(move |path| join(folder_of(file), path))
}

/// The files that a kustomization names as patches, configuration or data.
pub(super) fn parts<'n>(file: &'n str, root: &'n Node) -> impl Iterator<Item = String> + 'n {
    let list = |key: &str| root.get(key).map_or(&[][..], Node::items);
    let mut paths: Vec<&str> = Vec::new();
    for key in WITH_PATH {
        paths.extend(list(key).iter().filter_map(|item| item.str_at(&["path"])));
    }
    for key in OF_PATHS {
        paths.extend(list(key).iter().filter_map(Node::as_str));
    }
    for key in GENERATORS {
        let files = list(key).iter().filter_map(|item| item.get("files"));
        let files = files.flat_map(Node::items).filter_map(Node::as_str);
        paths.extend(files.map(|it| it.split_once('=').map_or(it, |(_, path)| path)));
    }
    paths.extend(root.str_at(&["openapi", "path"]));
    paths.extend(list("helmCharts").iter().filter_map(|item| item.str_at(&["valuesFile"])));
    // A patch can also be written inline, over several lines.
    let paths = paths.into_iter().filter(|it| !it.contains('\n'));
    paths.map(move |path| join(folder_of(file), path))
}
