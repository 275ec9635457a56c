//! Fields of which the API server accepts only one: setting another member removes the old one.

use crate::schema::Object;
use crate::sorted::SortedSet;
use crate::tree::{Entry, Map, Origin};

/// Fields that exclude each other.
#[derive(Clone, Copy, Debug)]
enum Members {
    /// These fields.
    Only(&'static [&'static str]),
    /// All fields but these.
    AllBut(&'static [&'static str]),
    /// The value of the first field determines whether the second is allowed.
    Chosen { by: &'static str, field: &'static str },
}

/// The unions, sorted by type. The API server rejects two members of each.
static UNIONS: &[(&str, Members)] = &[
    (
        "io.k8s.api.apps.v1.DaemonSetUpdateStrategy",
        Members::Chosen { by: "type", field: "rollingUpdate" },
    ),
    (
        "io.k8s.api.apps.v1.DeploymentStrategy",
        Members::Chosen { by: "type", field: "rollingUpdate" },
    ),
    (
        "io.k8s.api.apps.v1.StatefulSetUpdateStrategy",
        Members::Chosen { by: "type", field: "rollingUpdate" },
    ),
    (
        "io.k8s.api.core.v1.AppArmorProfile",
        Members::Chosen { by: "type", field: "localhostProfile" },
    ),
    ("io.k8s.api.core.v1.DownwardAPIVolumeFile", Members::Only(&["fieldRef", "resourceFieldRef"])),
    ("io.k8s.api.core.v1.EnvVar", Members::Only(&["value", "valueFrom"])),
    ("io.k8s.api.core.v1.EnvVarSource", Members::AllBut(&[])),
    ("io.k8s.api.core.v1.LifecycleHandler", Members::AllBut(&[])),
    (
        "io.k8s.api.core.v1.PodResourceClaim",
        Members::Only(&["resourceClaimName", "resourceClaimTemplateName"]),
    ),
    ("io.k8s.api.core.v1.Probe", Members::Only(&["exec", "grpc", "httpGet", "tcpSocket"])),
    (
        "io.k8s.api.core.v1.SeccompProfile",
        Members::Chosen { by: "type", field: "localhostProfile" },
    ),
    ("io.k8s.api.core.v1.Volume", Members::AllBut(&["name"])),
    ("io.k8s.api.core.v1.VolumeMount", Members::Only(&["subPath", "subPathExpr"])),
];

/// Fields that the other side excludes.
#[derive(Debug)]
pub(super) struct Excluded<'n> {
    pub(super) keys: SortedSet<&'n str>,
    /// The origin of the member that excludes them.
    pub(super) by: Origin,
}

/// The keys of `loser` that `winner` excludes, if any.
pub(super) fn excluded_keys<'n>(
    object: &Object<'_>,
    winner: &Map,
    loser: &'n Map,
) -> Option<Excluded<'n>> {
    let at = UNIONS.binary_search_by(|(name, _)| (*name).cmp(object.name)).ok()?;
    let (_, members) = UNIONS.get(at)?;
    if let Members::Chosen { by, field } = members {
        let (new, old) = (set_entry(winner, by)?, set_entry(loser, by)?);
        let changes = !new.value.same_value(&old.value);
        let goes = changes && set_entry(winner, field).is_none();
        let entry = loser.entry(field).filter(|_| goes)?;
        let keys = SortedSet::from([entry.key.as_str()]);
        return Some(Excluded { keys, by: new.key_origin() });
    }
    let is_member = |entry: &&Entry| match members {
        Members::Only(names) => names.contains(&entry.key.as_str()),
        Members::AllBut(names) => !names.contains(&entry.key.as_str()),
        Members::Chosen { .. } => false,
    };
    let named: Vec<_> =
        winner.entries().iter().filter(is_member).filter(|entry| !entry.value.is_null()).collect();
    let by = named.first()?.key_origin();
    let stay: SortedSet<_> = named.iter().map(|entry| entry.key.as_str()).collect();
    let keys: SortedSet<_> = loser
        .entries()
        .iter()
        .filter(is_member)
        .map(|entry| entry.key.as_str())
        .filter(|key| !stay.contains(key))
        .collect();
    (!keys.is_empty()).then_some(Excluded { keys, by })
}

fn set_entry<'n>(map: &'n Map, key: &str) -> Option<&'n Entry> {
    map.entry(key).filter(|entry| !entry.value.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::store;

    #[test]
    fn unions_are_sorted_and_name_real_fields() {
        assert!(UNIONS.is_sorted_by_key(|(name, _)| *name));
        for (name, members) in UNIONS {
            let object = store::definition(name).unwrap_or_else(|| panic!("{name}"));
            let fields: &[&str] = match members {
                Members::Only(names) | Members::AllBut(names) => names,
                Members::Chosen { by, field } => &[by, field],
            };
            for field in fields {
                assert!(object.property(field).is_some(), "{name}.{field}");
            }
        }
    }
}
