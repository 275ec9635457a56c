//! Resources as an author would write them: in the current version, without what only a cluster adds.

use super::Run;
use crate::convert::Edits;
use crate::diag::{Diagnostic, message};
use crate::import::object;
use crate::kube::{LAST_APPLIED, Object, SharedKinds};
use crate::lower::{IMPORT_KEPT, MigrationCx};
use crate::rewrite::new_origin;
use crate::tree::{Map, Node};

/// The metadata that only the API server sets.
const OF_SERVER: [&str; 7] = [
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "managedFields",
    "selfLink",
];

impl Run {
    /// A resource in the current version, with the resources that it then requires; none if a controller
    /// creates it.
    pub(super) fn current(
        &mut self,
        mut resource: Object,
        all: &[Object],
        kinds: &SharedKinds,
    ) -> Vec<Object> {
        if let Some(owner) = self.owner(&resource) {
            let message = message!("`{}` is not imported: {owner} creates it", resource.describe());
            let place = resource.document.start_point();
            self.found.push(Diagnostic::new(&IMPORT_KEPT, place, message).at("left out"));
            return Vec::new();
        }
        let known = std::mem::take(&mut self.added);
        let mut cx = MigrationCx {
            objects: all,
            external: &[],
            known: &known,
            added: Vec::new(),
            doubts: Vec::new(),
        };
        if let Some(migration) = self.migration {
            let original = resource.clone();
            let mut edits = Edits::of(&mut resource.root, new_origin(original.document));
            if let Err(refused) = (migration.convert)(&original, &mut edits, &mut cx) {
                self.added = known;
                self.keep(&original, refused.message);
                return vec![original];
            }
        }
        let MigrationCx { added, mut doubts, .. } = cx;
        self.found.append(&mut doubts);
        self.added = known;
        self.clean(&mut resource.root);
        let document = resource.document;
        let mut resources = vec![object(resource.root, document, kinds)];
        for it in added.into_iter().map(|it| object(it, document, kinds)) {
            self.added.insert((it.namespace().to_owned(), it.name().to_owned()));
            resources.push(it);
        }
        resources
    }

    /// The controller's resource that created this one.
    fn owner(&self, resource: &Object) -> Option<String> {
        let owners = resource.root().items_at(&["metadata", "ownerReferences"]);
        let owner = owners.iter().find(|owner| {
            let kind = owner.str_at(&["kind"]);
            owner.is_true("controller")
                && kind.is_some_and(|kind| self.adoption.owners.contains(&kind))
        })?;
        let text = |key: &str| owner.text_at(&[key]).to_owned();
        Some(format!("the controller of {} `{}`", text("kind"), text("name")))
    }

    fn clean(&self, root: &mut Node) {
        if let Some(map) = root.as_map_mut() {
            map.remove("status");
        }
        let Some(metadata) = root.get_mut("metadata") else { return };
        if let Some(map) = metadata.as_map_mut() {
            map.retain(|it| !OF_SERVER.contains(&it.key.as_str()));
        }
        let is_set =
            |key: &str| key == LAST_APPLIED || self.adoption.set_by_controllers.contains(&key);
        for field in ["labels", "annotations"] {
            if let Some(map) = metadata.get_mut(field).and_then(Node::as_map_mut) {
                map.retain(|it| !is_set(&it.key));
                if Map::is_empty(map)
                    && let Some(metadata) = metadata.as_map_mut()
                {
                    metadata.remove(field);
                }
            }
        }
    }
}
