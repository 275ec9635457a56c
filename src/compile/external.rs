//! The keys that a Project declares of Secrets and ConfigMaps in the cluster.

use lean_string::LeanStr;

use crate::decode::Text;
use crate::lower::{DataKind, DeclaredData};
use crate::project::{External, Project};
use crate::tree::Node;

/// The entries of `external` that have `keys`.
pub(super) fn declared_data(project: &Project) -> Vec<DeclaredData> {
    let default = project.namespace.as_ref().and_then(Node::as_str).unwrap_or("");
    let declared = project.external.iter().filter_map(|it| {
        let External { kind, name, namespace, keys, .. } = it;
        let keys = &keys.as_ref()?.items;
        Some(DeclaredData {
            kind: DataKind::named(kind.as_str())?,
            namespace: namespace.as_ref().map_or(default, Text::as_str).into(),
            name: name.as_str().into(),
            keys: keys.iter().map(|it| (LeanStr::from(it.as_str()), it.span())).collect(),
        })
    });
    declared.collect()
}
