//! `import` of a `nodepool.yaml`: its providers of Kubernetes and OpenShift become NodePools, its global settings a
//! Project.
//!
//! The file is first checked against the driver's own schema, which the launcher never does, and
//! for values that the driver reads without checks.

mod convert;
mod dates;
mod drivers;
mod external;
mod faults;
mod file;
#[cfg(test)]
mod tests;

use crate::decode::{Field, Listed};
use crate::diag::{Diagnostic, Message, declare_rules, headlined, listed_of, message};
use crate::lower::{API_VERSION, Import, ImportCx};
use crate::scalar::nearest_dns_subdomain;
use crate::schema::{CheckContext, KubernetesVersion, check, check_at};
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Entry, Node, Origin, Path};
use external::external_objects;
use file::{ConfigurationFile, FileProvider};

declare_rules! {
    NODEPOOL_FILE_INVALID = "nodepool-file-invalid", Error;
    NODEPOOL_PART_NOT_IMPORTED = "nodepool-part-not-imported", Note;
}

/// The import of a `nodepool.yaml`.
pub(super) const IMPORT: Import =
    Import { what: "a nodepool.yaml", recognizes, definitions, is_pyyaml: true };

/// Keys that identify the file: no Kubernetes object has one of them at its root.
const KEYS: [&str; 5] =
    ["diskimages", "providers", "tenant-resource-limits", "zookeeper-servers", "zookeeper-tls"];

fn recognizes(root: &Node) -> bool {
    root.get("kind").is_none() && KEYS.iter().any(|key| root.entry(key).is_some())
}

fn definitions(mut root: Node, cx: &mut ImportCx<'_>) -> Vec<Node> {
    let against = CheckContext::definition(KubernetesVersion::NEWEST, "nodepool.yaml");
    check(&root, ConfigurationFile::TYPE, &against, cx.sink);
    faults::check(&root, cx.sink);
    let providers = root.get("providers").map_or(&[][..], Node::items);
    let file = Path::root();
    let path = file.field("providers");
    for (index, provider) in providers.iter().enumerate() {
        drivers::check(provider, cx.sink);
        if drivers::is_imported(provider) {
            let refused = drivers::check_options(provider, cx.sink);
            let against = CheckContext::definition(KubernetesVersion::NEWEST, "provider");
            let mut findings = cx.sink.part();
            check_at(provider, path.index(index), FileProvider::TYPE, &against, &mut findings);
            findings.retain(|found| !refused.iter().any(|it| it.contains(found.primary.span)));
            cx.sink.absorb(findings);
            faults::check_provider(provider, cx.sink);
        }
    }
    dates::read(&mut root, cx.sink);
    if cx.sink.reported().is_some() {
        return Vec::new();
    }
    note_others(&root, cx);
    let origin = root.origin();
    let Some(file) = ConfigurationFile::read(root) else { return Vec::new() };
    let mut definitions = Vec::new();
    let node_pools = node_pools(&file, origin);
    definitions.extend(project_of(&file, external_objects(&node_pools, origin), origin));
    definitions.extend(node_pools);
    definitions
}

/// The names of the definitions so far.
#[derive(Default)]
struct Names {
    taken: SortedSet<String>,
    /// The last number of each name that several providers would have.
    last: SortedMap<String, usize>,
}

impl Names {
    /// This name, or the first one with a number that is free.
    fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        while !self.taken.insert(unique.clone()) {
            let last = self.last.entry(name.to_owned()).or_insert(1);
            *last += 1;
            unique = format!("{name}-{last}");
        }
        unique
    }
}

fn file_fault(node: &Node, message: impl Into<Message>) -> Diagnostic {
    Diagnostic::new(&NODEPOOL_FILE_INVALID, node.span(), message).at("not accepted by the launcher")
}

/// Reports settings that definitions cannot express, each in a note.
fn note_others(root: &Node, cx: &mut ImportCx<'_>) {
    let imported = ["labels", "providers", "tenant-resource-limits"];
    let others: Vec<&Entry> =
        root.entries().iter().filter(|entry| !imported.contains(&entry.key.as_str())).collect();
    if let Some((first, rest)) = others.split_first() {
        let names = headlined(others.iter().map(|other| other.key.as_str()));
        let keys = others.iter().map(|other| other.key.as_str().to_owned()).collect();
        cx.leave_out(&keys, "settings of the launcher");
        let message = message!("{names} not imported");
        let place = first.key_origin().span();
        let mut note = Diagnostic::new(&NODEPOOL_PART_NOT_IMPORTED, place, message)
            .at("not imported")
            .note("settings of the launcher and its images, which no object of Kubernetes has");
        for other in rest {
            note = note.label(other.key_origin().span(), "not imported");
        }
        cx.sink.report(note);
    }
    for provider in root.get("providers").map_or(&[][..], Node::items) {
        let driver = provider.str_at(&["driver"]).unwrap_or(drivers::DEFAULT);
        if !drivers::is_imported(provider) {
            let name = provider.text_at(&["name"]);
            let message = message!("provider `{name}` of driver `{driver}` not imported");
            cx.left_out.push(format!("provider `{name}` of driver `{driver}`"));
            let place = provider.get("name").unwrap_or(provider).span();
            cx.sink.report(
                Diagnostic::new(&NODEPOOL_PART_NOT_IMPORTED, place, message)
                    .at("not imported")
                    .note(message!(
                        "only the drivers {} create objects that can be compiled",
                        listed_of(drivers::IMPORTED.len(), drivers::IMPORTED.into_iter())
                    )),
            );
        }
    }
}

fn definition_of(kind: &'static str, name: Option<Node>, spec: Node, origin: Origin) -> Node {
    let mut root = Node::map(origin);
    root.set("apiVersion", Node::string(API_VERSION, origin));
    root.set("kind", Node::string(kind, origin));
    if let Some(name) = name {
        let mut metadata = Node::map(origin);
        metadata.set("name", name);
        root.set("metadata", metadata);
    }
    root.set("spec", spec);
    root
}

/// A Project with the global settings and the external objects, if there are any.
fn project_of(file: &ConfigurationFile, external: Option<Node>, origin: Origin) -> Option<Node> {
    let mut settings = Node::map(origin);
    if let Some(Listed { items }) = &file.labels {
        let labels = items.iter().map(|label| convert::global_label(label.clone(), origin));
        settings.set("labels", Node::list(labels, origin));
    }
    if let Some(Listed { items }) = &file.tenant_resource_limits {
        let tenants = items.iter().map(|it| convert::tenant(it.clone(), origin));
        settings.set("tenantResourceLimits", Node::list(tenants, origin));
    }
    let mut spec = Node::map(origin);
    if !settings.entries().is_empty() {
        spec.set("nodepool", settings);
    }
    spec.set_some("external", external);
    (!spec.entries().is_empty()).then(|| definition_of("Project", None, spec, origin))
}

/// A definition for each imported provider. Node IDs continue from one provider to the next: two
/// providers can have pools with one name, and the IDs of ZooKeeper are unique.
fn node_pools(file: &ConfigurationFile, origin: Origin) -> Vec<Node> {
    let all = file.providers.iter().flat_map(|it| &it.items).map(|it| &it.node);
    let imported = all.filter(|provider| drivers::is_imported(provider));
    let mut names = Names::default();
    let mut definitions = Vec::new();
    let mut next_id = 0;
    for provider in imported.cloned().filter_map(FileProvider::read) {
        let labels = provider.pools.items.iter().map(|pool| pool.labels.items.len()).sum::<usize>();
        let own_name = provider.name.clone();
        let unique = names.unique(&nearest_dns_subdomain(own_name.as_str()));
        let mut spec = convert::provider(provider, next_id, origin);
        next_id = next_id.saturating_add(i64::try_from(labels).unwrap_or(i64::MAX));
        let name = Node::string(unique.as_str(), own_name.node().origin());
        if unique != own_name.as_str() {
            spec.set("provider", own_name.into_node());
        }
        definitions.push(definition_of("NodePool", Some(name), spec, origin));
    }
    definitions
}
