//! Secrets and volume claims that controllers make from other objects of the input.

use std::sync::OnceLock;

use lean_string::LeanStr;

use crate::kube::{
    ClaimNames, ObjectSet, PERSISTENT_VOLUME_CLAIM, SECRET, SECRET_MAKERS, Target,
    meeting_namespace,
};
use crate::sorted::SortedSet;
use crate::tree::Node;

/// The names of objects that controllers create. The input is only scanned at the first query.
pub(super) struct Made<'s, 'o> {
    set: &'s ObjectSet<'o>,
    secrets: OnceLock<SortedSet<(&'o str, &'o str)>>,
    volume_claims: OnceLock<SortedSet<(&'o str, LeanStr)>>,
}

impl<'s, 'o> Made<'s, 'o> {
    pub(super) const fn new(set: &'s ObjectSet<'o>) -> Self {
        Self { set, secrets: OnceLock::new(), volume_claims: OnceLock::new() }
    }

    /// Whether a controller creates this object for an object of the input.
    pub(super) fn contains(&self, target: Target, namespace: &str, name: &str) -> bool {
        let namespace = meeting_namespace(namespace);
        if target == SECRET {
            let secrets = self.secrets.get_or_init(|| made_secrets(self.set));
            return secrets.contains(&(namespace, name));
        }
        if target != PERSISTENT_VOLUME_CLAIM {
            return false;
        }
        let claims = self.volume_claims.get_or_init(|| made_volume_claims(self.set));
        // The claims of a StatefulSet end in an ordinal, which can be any number.
        let of_stateful_set = name.rsplit_once('-').filter(|(_, ordinal)| {
            !ordinal.is_empty() && ordinal.bytes().all(|byte| byte.is_ascii_digit())
        });
        contains_name(claims, namespace, name)
            || of_stateful_set
                .is_some_and(|(stem, _)| contains_name(claims, namespace, &format!("{stem}-#")))
    }
}

fn contains_name(set: &SortedSet<(&str, LeanStr)>, namespace: &str, name: &str) -> bool {
    set.contains(&(namespace, LeanStr::from(name)))
}

fn made_secrets<'o>(set: &ObjectSet<'o>) -> SortedSet<(&'o str, &'o str)> {
    let makers = SECRET_MAKERS.iter().flat_map(|(group, kind, path)| {
        let objects = set.of_kind(group, kind);
        objects.map(|object| (object, object.root.str_at(path).unwrap_or(&object.name)))
    });
    makers.map(|(object, name)| (meeting_namespace(&object.namespace), name)).collect()
}

/// `<entry>-<name>` of each custom resource whose controller names claims so, and
/// `<entry>-<name>-#` of each StatefulSet.
fn made_volume_claims<'o>(set: &ObjectSet<'o>) -> SortedSet<(&'o str, LeanStr)> {
    let mut claims = SortedSet::new();
    let facts = set.kind_facts().iter();
    let of_systems = facts.filter(|facts| facts.volume_claims == Some(ClaimNames::ByObject));
    let kinds = of_systems.map(|facts| (facts.group, facts.kind, ""));
    for (group, kind, ending) in kinds.chain([("apps", "StatefulSet", "-#")]) {
        for object in set.of_kind(group, kind) {
            let list = object.root.at(&["spec", "volumeClaimTemplates"]);
            for entry in list.map_or(&[][..], Node::items) {
                let Some(entry) = entry.str_at(&["metadata", "name"]) else { continue };
                let name = LeanStr::from(format!("{entry}-{}{ending}", object.name));
                claims.insert((meeting_namespace(&object.namespace), name));
            }
        }
    }
    claims
}
