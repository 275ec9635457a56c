//! The identity of a server: labels, selector, and the hash that identifies its snapshots.

use std::fmt::Write as _;

use super::server::{Mode, Ports, ServerKind, ServerSpec};
use super::settings::IdegymSettings;
use crate::decode::{ChoiceValues as _, Flag, Text};
use crate::lower::{Definition, Frame};
use crate::scalar::sha256_hex;
use crate::tree::Node;

/// The default namespace of a request.
const DEFAULT_NAMESPACE: &str = "idegym";
/// The version of a development build of idegym.
const DEVELOPMENT_VERSION: &str = "latest";
/// The annotation with the hash. idegym keeps it in its database.
const SNAPSHOT_HASH: &str = "sandboxc.dev/idegym-snapshot-hash";

const SNAPSHOT_ID: &str = "idegym.jetbrains.com/snapshot-id";
const SNAPSHOT_NAME: &str = "podsnapshot.gke.io/ps-name";

/// The identity of a server.
pub(super) struct Identity {
    version: Option<Node>,
    /// The server whose snapshots it belongs to; defaults to its own name.
    snapshot_id: Option<Node>,
    snapshot_name: Option<Node>,
    hash: String,
}

impl Identity {
    pub(super) fn of(
        definition: &Definition<ServerSpec>,
        settings: Option<&IdegymSettings>,
    ) -> Self {
        let spec = &definition.spec;
        let is_restored = spec.mode() == Mode::Start;
        let text = |text: &Option<Text>| text.clone().map(Text::into_node);
        Self {
            version: settings.and_then(|settings| text(&settings.version)),
            snapshot_id: text(&spec.snapshot_id).filter(|_| is_restored),
            snapshot_name: text(&spec.snapshot_tag).filter(|_| is_restored),
            hash: SnapshotFields::of(definition).hash(),
        }
    }

    /// The labels of the selectors, which must never change.
    #[allow(clippy::unused_self, reason = "the labels are those of this server")]
    pub(super) fn selector(&self, frame: &Frame) -> Node {
        let mut labels = frame.map();
        labels.set("app", frame.name());
        labels.set("app.kubernetes.io/component", frame.string("sandbox"));
        labels.set("app.kubernetes.io/name", frame.name());
        labels.set("app.kubernetes.io/part-of", frame.string("idegym"));
        labels
    }

    /// The managed labels of all objects.
    pub(super) fn labels(&self, frame: &Frame) -> Node {
        let mut labels = self.selector(frame);
        let version = self.version.clone().unwrap_or_else(|| frame.string(DEVELOPMENT_VERSION));
        labels.set("app.kubernetes.io/version", version);
        labels.set(SNAPSHOT_ID, self.snapshot_id.clone().unwrap_or_else(|| frame.name()));
        labels
    }

    /// Labels and annotations of the Pod.
    pub(super) fn pod_metadata(&self, spec: &ServerSpec, ports: &Ports, frame: &Frame) -> Node {
        let mut annotations = frame.map();
        let mut set = |key, value| annotations.set(key, frame.string(value));
        set("cluster-autoscaler.kubernetes.io/safe-to-evict", "false");
        match spec.kind() {
            ServerKind::OpenEnv => set("prometheus.io/scrape", "false"),
            ServerKind::Idegym => {
                set("prometheus.io/scrape", "true");
                set("prometheus.io/path", "/api/metrics");
                annotations.set("prometheus.io/port", frame.text(ports.container_number()));
                annotations.set("prometheus.io/scheme", frame.string("http|https"));
            }
        }
        annotations.set_some(SNAPSHOT_NAME, self.snapshot_name.clone());
        let mut metadata = frame.map();
        metadata.set("labels", self.labels(frame));
        metadata.set("annotations", annotations);
        metadata
    }

    /// The annotation with the hash.
    pub(super) fn snapshot_hash(&self, frame: &Frame) -> Node {
        frame.map_of(SNAPSHOT_HASH, Node::string(self.hash.as_str(), frame.managed()))
    }
}

/// The fields that a prepared snapshot and the server restored from it must share.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct SnapshotFields {
    namespace: String,
    image: String,
    server_name: String,
    runtime_class: Option<String>,
    is_root: bool,
    kind: &'static str,
}

impl SnapshotFields {
    pub(super) fn of(definition: &Definition<ServerSpec>) -> Self {
        let Definition { metadata, spec, .. } = definition;
        let own = |text: &Option<Text>| text.as_ref().map(|text| text.as_str().to_owned());
        Self {
            namespace: own(&metadata.namespace).unwrap_or_else(|| DEFAULT_NAMESPACE.to_owned()),
            image: own(&spec.pod.container.image).unwrap_or_default(),
            server_name: own(&spec.server_name)
                .unwrap_or_else(|| metadata.name.as_str().to_owned()),
            runtime_class: own(&spec.pod.spec.runtime_class_name),
            is_root: spec.run_as_root.as_ref().is_some_and(Flag::is_set),
            kind: spec.kind().as_str(),
        }
    }

    /// SHA-256 of the fields as Python's JSON: sorted keys, `, ` and `: ` as separators, only
    /// ASCII, booleans as the strings `True` and `False`.
    fn hash(&self) -> String {
        let runtime_class = self.runtime_class.as_deref().map_or("null".to_owned(), ascii_json);
        sha256_hex(&format!(
            "{{\"image_tag\": {}, \"namespace\": {}, \"run_as_root\": {}, \
             \"runtime_class_name\": {runtime_class}, \"server_kind\": {}, \"server_name\": {}}}",
            ascii_json(&self.image),
            ascii_json(&self.namespace),
            if self.is_root { "\"True\"" } else { "\"False\"" },
            ascii_json(self.kind),
            ascii_json(&self.server_name),
        ))
    }
}

/// A string as JSON with only ASCII characters.
fn ascii_json(text: &str) -> String {
    let mut json = String::from("\"");
    for unit in text.encode_utf16() {
        match u8::try_from(unit).map(char::from) {
            Ok('"') => json.push_str("\\\""),
            Ok('\\') => json.push_str("\\\\"),
            Ok('\n') => json.push_str("\\n"),
            Ok('\r') => json.push_str("\\r"),
            Ok('\t') => json.push_str("\\t"),
            Ok('\u{8}') => json.push_str("\\b"),
            Ok('\u{c}') => json.push_str("\\f"),
            Ok(ascii @ ' '..='~') => json.push(ascii),
            // Writing to a `String` cannot fail.
            _ => drop(write!(json, "\\u{unit:04x}")),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(runtime_class: Option<&str>, is_root: bool, kind: &'static str) -> SnapshotFields {
        SnapshotFields {
            namespace: "idegym".into(),
            image: "registry.example.com/my-env:latest".into(),
            server_name: "default-idegym-server".into(),
            runtime_class: runtime_class.map(str::to_owned),
            is_root,
            kind,
        }
    }

    /// The digests that idegym stores for these requests.
    #[test]
    fn the_hash_matches_idegym() {
        assert_eq!(
            fields(None, false, "idegym").hash(),
            "464a0195b8eec021dd3eb3a48fbfb92c6cc542c6cd9a6e256cceded183e9dc2a"
        );
        assert_eq!(
            fields(Some("gvisor"), true, "openenv").hash(),
            "0e5af49a0ba6cbe0385c7849ee28875ea38f202f68925d0c8ad8124df62b96f6"
        );
    }

    /// As `json.dumps` of Python writes it.
    #[test]
    fn strings_are_written_in_ascii() {
        assert_eq!(ascii_json("a\"\\\n\u{7f}é😀"), r#""a\"\\\n\u007f\u00e9\ud83d\ude00""#);
    }
}
