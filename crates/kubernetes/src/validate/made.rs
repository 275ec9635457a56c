//! Secrets and volume claims that controllers make from other objects of the input.

use std::sync::OnceLock;

use lean_string::LeanStr;

use super::pod_references::Target;
use crate::kube::{ClaimNames, Object, ObjectSet, meeting_namespace};
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
        match target {
            Target::Secret => {
                let secrets = self.secrets.get_or_init(|| secrets_of_certificates(self.set));
                secrets.contains(&(namespace, name))
            }
            Target::PersistentVolumeClaim => {
                let claims = self.volume_claims.get_or_init(|| volume_claims(self.set));
                // The claims of a StatefulSet end in an ordinal, which can be any number.
                let (stem, ordinal) = name.rsplit_once('-').unwrap_or((name, ""));
                let is_ordinal =
                    !ordinal.is_empty() && ordinal.bytes().all(|byte| byte.is_ascii_digit());
                contains_text(claims, namespace, name)
                    || (is_ordinal && contains_text(claims, namespace, &format!("{stem}-#")))
            }
            _ => false,
        }
    }
}

fn contains_text(set: &SortedSet<(&str, LeanStr)>, namespace: &str, name: &str) -> bool {
    set.contains(&(namespace, LeanStr::from(name)))
}

fn secrets_of_certificates<'o>(set: &ObjectSet<'o>) -> SortedSet<(&'o str, &'o str)> {
    let mut secrets = SortedSet::new();
    let mut add = |object: &'o Object, named: Option<&'o str>| {
        secrets
            .insert((meeting_namespace(&object.namespace), named.unwrap_or(object.name.as_str())));
    };
    for object in set.of_kind("bitnami.com", "SealedSecret") {
        add(object, object.root.str_at(&["spec", "template", "metadata", "name"]));
    }
    for object in set.of_kind("external-secrets.io", "ExternalSecret") {
        add(object, object.root.str_at(&["spec", "target", "name"]));
    }
    for object in set.of_kind("cert-manager.io", "Certificate") {
        add(object, object.root.str_at(&["spec", "secretName"]));
    }
    secrets
}

/// `<entry>-<name>` of each custom resource whose controller names claims so, and
/// `<entry>-<name>-#` of each StatefulSet.
fn volume_claims<'o>(set: &ObjectSet<'o>) -> SortedSet<(&'o str, LeanStr)> {
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
