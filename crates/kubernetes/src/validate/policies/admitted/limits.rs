//! The default requests and limits of `LimitRange` objects, which the API server writes into Pods.
//!
//! Follows Kubernetes' `plugin/pkg/admission/limitranger`.

use serde_json::json;

use super::Conversion;
use super::encoding::quantity;
use super::pods::items_mut;
use crate::kube::{ObjectSet, meeting_namespace};
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Map, Node};
use crate::validate::admission::Defaults;
use crate::validate::fields::text_at;

/// The defaults for the containers of a namespace, one for each LimitRange, in canonical form.
pub(super) struct Ranges<'o>(SortedMap<&'o str, OfNamespace<'o>>);

/// The defaults of a namespace.
#[derive(Default)]
struct OfNamespace<'o> {
    all: Vec<Defaults<'o, String>>,
    /// The number of `LimitRange` objects and of their defaults.
    count: usize,
}

impl<'o> Ranges<'o> {
    pub(super) fn new(set: &ObjectSet<'o>) -> Self {
        let mut all: SortedMap<_, OfNamespace<'_>> = SortedMap::new();
        for range in set.of_kind("", "LimitRange") {
            let defaults = Defaults::of(range, quantity);
            let namespace = all.entry(meeting_namespace(&range.namespace)).or_default();
            namespace.count += 1 + defaults.requests.len() + defaults.limits.len();
            namespace.all.push(defaults);
        }
        Self(all)
    }

    /// The maximum number of values that are set in a container of a namespace.
    pub(super) fn added(&self, namespace: &str) -> usize {
        self.0.get(namespace).map_or(0, |it| it.count)
    }

    /// Sets the defaults in the containers of a Pod, and the annotation that lists them.
    pub(super) fn apply(&self, conversion: Conversion, root: &mut Node, namespace: &str) {
        for defaults in self.0.get(namespace).map_or(&[][..], |it| &it.all) {
            let mut set = Vec::new();
            let Some(spec) = root.get_mut("spec") else { return };
            for (list, what) in [("containers", "container"), ("initContainers", "init container")]
            {
                for container in items_mut(spec, list) {
                    let name = text_at(container, &["name"]).to_owned();
                    for (field, amounts) in
                        [("requests", &defaults.requests), ("limits", &defaults.limits)]
                    {
                        let filled = fill(conversion, container, field, amounts);
                        if !filled.is_empty() {
                            let names: Vec<_> = filled.into_iter().collect();
                            let field = field.trim_end_matches('s');
                            set.push(format!("{} {field} for {what} {name}", names.join(", ")));
                        }
                    }
                }
            }
            if let Some(metadata) = root.get_mut("metadata")
                && !set.is_empty()
            {
                conversion.fill(metadata, "annotations", json!({}));
                let text = format!("LimitRanger plugin set: {}", set.join("; "));
                if let Some(annotations) = metadata.get_mut("annotations") {
                    annotations.set("kubernetes.io/limit-ranger", conversion.value(json!(text)));
                }
            }
        }
    }
}

/// Sets the absent resources of a container, and returns their names.
fn fill<'o>(
    conversion: Conversion,
    container: &mut Node,
    field: &str,
    defaults: &SortedMap<&'o str, String>,
) -> SortedSet<&'o str> {
    let own = Map::of(container.at(&["resources", field]));
    let is_absent = |name: &&str| own.get(name).is_none_or(Node::is_null);
    let absent: SortedSet<_> = defaults.keys().copied().filter(|name| is_absent(name)).collect();
    if absent.is_empty() {
        return absent;
    }
    conversion.fill(container, "resources", json!({}));
    let resources = container.get_mut("resources");
    let Some(resources) = resources else { return absent };
    conversion.fill(resources, field, json!({}));
    if let Some(own) = resources.get_mut(field) {
        let amounts = defaults.iter().filter(|(name, _)| absent.contains(*name));
        own.set_all(amounts.map(|(name, amount)| (*name, conversion.value(json!(amount)))));
    }
    absent
}
