//! The keys of Secrets and ConfigMaps, for definitions whose objects depend on them.

use lean_string::LeanStr;

use crate::kube::Object;
use crate::scalar::decode_base64;
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::{Entry, Node};

/// A kind of objects with data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum DataKind {
    /// A Secret.
    Secret,
    /// A ConfigMap.
    ConfigMap,
}

impl DataKind {
    const ALL: [Self; 2] = [Self::Secret, Self::ConfigMap];

    /// The name of the kind.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Secret => "Secret",
            Self::ConfigMap => "ConfigMap",
        }
    }

    /// The kind with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The fields with the entries. Those of a later one replace those of an earlier one.
    const fn fields(self) -> [&'static str; 2] {
        match self {
            Self::Secret => ["data", "stringData"],
            Self::ConfigMap => ["binaryData", "data"],
        }
    }
}

/// A Secret or ConfigMap that is declared to exist in the cluster.
#[derive(Debug)]
pub(crate) struct DeclaredData {
    /// Its kind.
    pub(crate) kind: DataKind,
    /// Its namespace; empty for none.
    pub(crate) namespace: LeanStr,
    /// Its name.
    pub(crate) name: LeanStr,
    /// Its keys, with their places.
    pub(crate) keys: Vec<(LeanStr, Span)>,
}

/// The known data of a Secret or ConfigMap.
#[derive(Debug, Default)]
pub(crate) struct Data {
    entries: SortedMap<LeanStr, DataEntry>,
}

/// An entry of a Secret or ConfigMap. Its value is not kept: it may be secret.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DataEntry {
    /// The span of the key.
    pub(crate) place: Span,
    /// Whether the value can be inserted into a JSON string without escaping it; true if it is
    /// unknown.
    pub(crate) is_json_text: bool,
}

impl Data {
    /// The keys, sorted. Their number is known without counting.
    pub(crate) fn keys(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.keys().map(LeanStr::as_str)
    }

    /// The entry with this key.
    pub(crate) fn get(&self, key: &str) -> Option<DataEntry> {
        self.entries.get(key).copied()
    }

    /// The data of an object, and its kind; `None` for objects of other kinds.
    pub(super) fn of(object: &Object) -> Option<(DataKind, Self)> {
        let kind = DataKind::ALL.into_iter().find(|kind| object.gvk.is("", kind.name()))?;
        let mut data = Self::default();
        for field in kind.fields() {
            let is_base64 = matches!((kind, field), (DataKind::Secret, "data") | (_, "binaryData"));
            for Entry { key, value } in object.root.get(field).map_or(&[][..], Node::entries) {
                let is_json_text = value.as_str().is_none_or(|text| {
                    if is_base64 { is_json(&decode_base64(text)) } else { is_json(text.as_bytes()) }
                });
                let entry = DataEntry { place: key.span(), is_json_text };
                data.entries.insert(key.text().clone(), entry);
            }
        }
        Some((kind, data))
    }

    /// The data that is declared.
    pub(super) fn declared(keys: &[(LeanStr, Span)]) -> Self {
        let entry = |place| DataEntry { place, is_json_text: true };
        let entries = keys.iter().map(|(key, place)| (key.clone(), entry(*place)));
        Self { entries: entries.collect() }
    }
}

/// Whether bytes mean themselves inside a JSON string.
fn is_json(bytes: &[u8]) -> bool {
    let is_plain = |byte: &u8| *byte >= b' ' && !matches!(byte, b'"' | b'\\');
    bytes.iter().all(is_plain) && std::str::from_utf8(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kube::GroupVersionKind;
    use crate::source::Workspace;
    use crate::tree::Origin;

    fn data(kind: &str, root: serde_json::Value) -> Option<(DataKind, Vec<(String, bool)>)> {
        let span = Span::new(Workspace::new().add("a.yaml", ""), 0, 0);
        let object = Object {
            gvk: GroupVersionKind::new("v1", kind).into(),
            name: "".into(),
            namespace: "".into(),
            root: Node::from_json(root, Origin::source(span)),
            document: span,
        };
        let (kind, data) = Data::of(&object)?;
        Some((
            kind,
            data.entries
                .into_iter()
                .map(|entry| (entry.0.to_string(), entry.1.is_json_text))
                .collect(),
        ))
    }

    #[test]
    fn values_are_checked_as_the_kubelet_decodes_them() {
        let secret = json!({
            "data": {"plain": "eA==", "quote": "Ig==", "line": "eAo=", "both": "Ig=="},
            "stringData": {"both": "x", "path": "a\\b", "accent": "é"},
        });
        let shown = |list: &[(&str, bool)]| {
            list.iter().map(|(key, is_json)| ((*key).to_owned(), *is_json)).collect::<Vec<_>>()
        };
        let expected = shown(&[
            ("accent", true),
            ("both", true),
            ("line", false),
            ("path", false),
            ("plain", true),
            ("quote", false),
        ]);
        assert_eq!(data("Secret", secret), Some((DataKind::Secret, expected)));
        let map = json!({"data": {"a": "x"}, "binaryData": {"b": "/w=="}});
        let expected = shown(&[("a", true), ("b", false)]);
        assert_eq!(data("ConfigMap", map), Some((DataKind::ConfigMap, expected)));
        assert_eq!(data("Service", json!({"data": {"a": "x"}})), None);
    }
}
