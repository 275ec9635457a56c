//! The objects that the controller creates for a Sandbox: volume claims, the Pod, the Service.

use super::as_sent::as_sent;
use super::metadata::{self, Propagated, creator, known_creator, set_all};
use super::{AGENTS_VERSION, Owner, Sandbox, object_head, owner_references, service};
use crate::dialect::agent_sandbox::Settings;
use crate::dialect::agent_sandbox::api::ControllerLine;
use crate::dialect::agent_sandbox::names::{
    CLAIM_UID, CREATED_BY, POD_NAME, PROPAGATED_ANNOTATIONS, PROPAGATED_LABELS, SANDBOX,
    SANDBOX_NAME_HASH, TEMPLATE_REF_HASH, WARM_POOL, is_reserved_annotation, is_reserved_label,
    volume_claim_name,
};
use crate::dialect::agent_sandbox::rules::lifecycle::is_in_the_past;
use crate::kube::Object;
use crate::lower::Effects;
use crate::scalar::name_hash;
use crate::sorted::SortedSet;
use crate::tree::{Entry, Node, Origin, items};

/// Adds a Sandbox, if a controller created it, and its children.
pub(super) fn create(sandbox: Sandbox<'_>, settings: &Settings, effects: &mut Effects<'_>) {
    let Sandbox { source, managed: origin, mut root, propagated_before, owner } = sandbox;
    if root.str_at(&["spec", "shutdownTime"]).is_some_and(is_in_the_past) {
        return;
    }
    metadata::edit(&mut root, &["spec"], origin, &mut |spec| as_sent("SandboxBlueprint", spec));
    let name = root.text_at(&["metadata", "name"]).to_owned();
    let made =
        Children { source, sandbox: &root, name: &name, hash: &name_hash(&name), owner, origin };
    made.volume_claims(effects);
    if root.str_at(&["spec", "operatingMode"]) != Some("Suspended") {
        made.pod(propagated_before.as_ref(), settings.line, effects);
    }
    made.service(effects);
    if owner != Owner::Nobody && effects.has_owners() {
        if settings.line < ControllerLine::V1_0 {
            set_all(&mut root, &["metadata", "annotations"], &[(POD_NAME, &name)], origin);
        }
        effects.emit(source, AGENTS_VERSION, SANDBOX, root);
    }
}

/// The children of one Sandbox.
struct Children<'s> {
    source: &'s Object,
    sandbox: &'s Node,
    name: &'s str,
    hash: &'s str,
    owner: Owner,
    origin: Origin,
}

impl Children<'_> {
    fn text(&self, text: &str) -> Node {
        Node::string(text, self.origin)
    }

    /// The first fields of a child. `None` if an object with this name is in the input, because the
    /// controller adopts it.
    fn head(&self, kind: &'static str, name: &str, effects: &Effects<'_>) -> Option<(Node, Node)> {
        let namespace = self.source.namespace.as_str();
        if effects.is_in_input("", kind, namespace, name) {
            return None;
        }
        let (root, mut metadata) = object_head("v1", kind, name, self.sandbox, self.origin);
        if effects.has_owners() {
            metadata.set(
                "ownerReferences",
                owner_references(AGENTS_VERSION, SANDBOX, self.name, self.origin),
            );
        }
        Some((root, metadata))
    }

    fn templates(&self) -> &[Node] {
        super::claim::spec_items(self.sandbox, "volumeClaimTemplates")
    }

    fn volume_claims(&self, effects: &mut Effects<'_>) {
        for template in self.templates() {
            if effects.over().is_some() {
                return;
            }
            let entry = template.text_at(&["metadata", "name"]);
            let name = volume_claim_name(entry, self.name);
            let Some((mut root, mut metadata)) = self.head("PersistentVolumeClaim", &name, effects)
            else {
                continue;
            };
            let own = template.get("metadata");
            metadata.set_some("annotations", own.and_then(|it| it.get("annotations")).cloned());
            metadata.set_some("labels", own.and_then(|it| it.get("labels")).cloned());
            set_all(&mut metadata, &["labels"], &[(SANDBOX_NAME_HASH, self.hash)], self.origin);
            root.set("metadata", metadata);
            root.set_some("spec", template.get("spec").cloned());
            effects.emit(self.source, "v1", "PersistentVolumeClaim", root);
        }
    }

    fn pod(&self, before: Option<&Propagated>, line: ControllerLine, effects: &mut Effects<'_>) {
        let Some((mut root, mut metadata)) = self.head("Pod", self.name, effects) else { return };
        let template = self.sandbox.at(&["spec", "podTemplate"]);
        let of_template = |field: &str| {
            let map = template.and_then(|it| it.at(&["metadata", field]));
            map.map_or(&[][..], Node::entries)
        };
        // The controller reads an absent key of an existing Pod as an empty value, so it does not
        // add a key with an empty value. The lists of propagated keys contain the key nevertheless.
        let keys = |of: fn(&Propagated) -> &Vec<String>| {
            before.map(|before| of(before).iter().map(String::as_str).collect::<SortedSet<_>>())
        };
        let patched =
            |field: &str, is_reserved: fn(&str) -> bool, known: Option<SortedSet<&str>>| {
                let is_patched = |entry: &&Entry| {
                    let is_empty = entry.value().as_str() == Some("");
                    let is_new = known.as_ref().is_some_and(|keys| !keys.contains(entry.key()));
                    !(is_reserved(entry.key()) || is_empty && is_new)
                };
                let own = of_template(field).iter().filter(is_patched);
                let mut map = Node::map(self.origin);
                map.set_all(own.map(|entry| (entry.key(), entry.value().clone())));
                map
            };
        let mut labels = patched("labels", is_reserved_label, keys(|before| &before.labels));
        labels.set(SANDBOX_NAME_HASH, self.text(self.hash));
        self.add_extension_labels(&mut labels, line, effects);
        metadata.set("labels", labels);

        let known = keys(|before| &before.annotations);
        let mut annotations = patched("annotations", is_reserved_annotation, known);
        if effects.has_owners() {
            let propagated = Propagated::of(self.sandbox);
            let before = before.cloned().unwrap_or_default();
            let lists = [
                (PROPAGATED_LABELS, propagated.labels, before.labels),
                (PROPAGATED_ANNOTATIONS, propagated.annotations, before.annotations),
            ];
            for (key, now, before) in lists {
                // A key written at creation becomes empty at the update.
                if !now.is_empty() || !before.is_empty() {
                    annotations.set(key, self.text(&now.join(",")));
                }
            }
        }
        if !annotations.entries().is_empty() {
            metadata.set("annotations", annotations);
        }
        root.set("metadata", metadata);
        let of_spec = template.and_then(|it| it.get("spec")).cloned();
        let mut spec = of_spec.unwrap_or_else(|| Node::map(self.origin));
        self.add_volumes(&mut spec);
        root.set("spec", spec);
        effects.emit(self.source, "v1", "Pod", root);
    }

    /// Adds the labels of the Sandbox that are copied to its Pod.
    fn add_extension_labels(&self, labels: &mut Node, line: ControllerLine, effects: &Effects<'_>) {
        let own = |key: &str| {
            self.sandbox.str_at(&["metadata", "labels", key]).filter(|it| !it.is_empty())
        };
        let has_uid = line == ControllerLine::V1_0 && self.owner == Owner::Claim;
        let keys = [
            (TEMPLATE_REF_HASH, self.owner != Owner::Nobody),
            (WARM_POOL, self.owner == Owner::Pool),
            (CLAIM_UID, has_uid && effects.has_owners()),
        ];
        for (key, _) in keys.into_iter().filter(|(_, is_copied)| *is_copied) {
            labels.set_some(key, own(key).map(|value| self.text(value)));
        }
        if let Some(name) = creator(self.sandbox) {
            labels.set(CREATED_BY, self.text(known_creator(name)));
        }
    }

    /// Adds the volumes of the volume claims. They replace volumes with the same names.
    fn add_volumes(&self, spec: &mut Node) {
        let names: Vec<_> =
            self.templates().iter().filter_map(|it| it.str_at(&["metadata", "name"])).collect();
        if names.is_empty() {
            return;
        }
        let taken: SortedSet<_> = names.iter().copied().collect();
        let is_kept =
            |volume: &&Node| volume.str_at(&["name"]).is_none_or(|name| !taken.contains(name));
        let kept = items(spec, "volumes").iter().filter(is_kept);
        let added = names.iter().map(|name| {
            let mut source = Node::map(self.origin);
            source.set("claimName", self.text(&volume_claim_name(name, self.name)));
            let mut volume = Node::map(self.origin);
            volume.set("name", self.text(name));
            volume.set("persistentVolumeClaim", source);
            volume
        });
        let volumes: Vec<_> = kept.cloned().chain(added).collect();
        spec.set("volumes", Node::list(volumes, self.origin));
    }

    fn service(&self, effects: &mut Effects<'_>) {
        if self.sandbox.at(&["spec", "service"]).and_then(Node::as_bool) != Some(true) {
            return;
        }
        let Some((mut root, mut metadata)) = self.head("Service", self.name, effects) else {
            return;
        };
        let hash = [(SANDBOX_NAME_HASH, self.hash)];
        set_all(&mut metadata, &["labels"], &hash, self.origin);
        root.set("metadata", metadata);
        let mut spec = Node::map(self.origin);
        spec.set("clusterIP", self.text("None"));
        set_all(&mut spec, &["selector"], &hash, self.origin);
        let ports = service::ports(self.sandbox.at(&["spec", "podTemplate", "spec"]), self.origin);
        if !ports.is_empty() {
            spec.set("ports", Node::list(ports, self.origin));
        }
        root.set("spec", spec);
        effects.emit(self.source, "v1", "Service", root);
    }
}
