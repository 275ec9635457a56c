//! Servers that are restored from a prepared snapshot, but with other volumes, ServiceAccount or
//! overrides.

use super::SNAPSHOT_RESTORED_DIFFERENTLY;
use crate::decode::Text;
use crate::diag::{Diagnostic, Sink, message};
use crate::dialect::idegym::identity::SnapshotFields;
use crate::dialect::idegym::server::{Mode, ServerSpec};
use crate::lower::{Definition, Instances};
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::Node;

/// The parts of a server that the snapshot hash does not cover.
struct Server {
    name: Text,
    parts: Vec<(&'static str, Option<Node>)>,
}

impl Server {
    fn of(definition: Definition<ServerSpec>) -> Self {
        let Definition { metadata, spec, .. } = definition;
        let pod = spec.pod;
        let parts = vec![
            ("volumes", pod.spec.volumes.map(|it| it.node)),
            ("volumeMounts", pod.container.volume_mounts.map(|it| it.node)),
            ("envFrom", pod.container.env_from.map(|it| it.node)),
            ("serviceAccountName", pod.spec.service_account_name.map(Text::into_node)),
            ("podOverrides", pod.pod_overrides.map(|it| it.node)),
        ];
        Self { name: metadata.name, parts }
    }

    /// The first part in which two servers differ, with its span in each, if any.
    fn difference(&self, other: &Self) -> Option<(&'static str, Option<Span>)> {
        let is_same = |own: &Option<Node>, other: &Option<Node>| match (own, other) {
            (Some(own), Some(other)) => own.same_value(other),
            (None, Some(node)) | (Some(node), None) => {
                node.items().is_empty() && node.entries().is_empty()
            }
            (None, None) => true,
        };
        let mut pairs = self.parts.iter().zip(&other.parts);
        let ((field, own), _) = pairs.find(|((_, own), (_, other))| !is_same(own, other))?;
        Some((field, own.as_ref().map(Node::span)))
    }
}

/// Compares each started server with the prepared one that has the same snapshot hash.
pub(in crate::dialect::idegym) fn check(instances: &Instances<'_>, sink: &mut Sink) {
    let mut prepared: SortedMap<SnapshotFields, Server> = SortedMap::new();
    let mut started = Vec::new();
    for definition in instances.of_kind::<ServerSpec>() {
        let fields = SnapshotFields::of(&definition);
        match definition.spec.mode() {
            Mode::PrepareSnapshot => {
                prepared.entry(fields).or_insert_with(|| Server::of(definition));
            }
            Mode::Start => started.push((fields, definition)),
        }
    }
    for (fields, definition) in started {
        let Some(snapshot) = prepared.get(&fields) else { continue };
        let server = Server::of(definition);
        let Some((field, place)) = server.difference(snapshot) else { continue };
        let (name, of) = (server.name.as_str(), snapshot.name.as_str());
        let message =
            message!("Server `{name}` has other `{field}` than the snapshot prepared by `{of}`");
        sink.report(
            Diagnostic::new(
                &SNAPSHOT_RESTORED_DIFFERENTLY,
                place.unwrap_or_else(|| server.name.span()),
                message,
            )
            .at("not in the snapshot")
            .label(snapshot.name.span(), "prepares the snapshot")
            .path(&format!("spec.{field}"))
            .note("the snapshot hash of both is the same, so idegym restores one from the other")
            .help(message!("set the same `{field}` in both definitions")),
        );
    }
}
