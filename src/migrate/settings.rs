//! What a migration reads from the Project and the command line.

use super::Document;
use crate::compile::{Options, ProjectChoice};
use crate::lower::{API_GROUP, ExternalObject};
use crate::scalar::{KubernetesVersion, Versions};
use crate::source::Workspace;
use crate::tree::Node;

/// The settings of a migration.
#[derive(Debug)]
pub(super) struct Settings {
    /// The versions whose API servers must accept the result; at least one.
    pub(super) kubernetes: Vec<KubernetesVersion>,
    pub(super) external: Vec<ExternalObject>,
}

impl Settings {
    pub(super) fn of(workspace: &Workspace, documents: &[Document], options: &Options) -> Self {
        let is_chosen = |it: &&Document| match &options.project {
            ProjectChoice::File(name) => workspace.file(it.file).name() == name,
            ProjectChoice::None => false,
            ProjectChoice::InFiles => true,
        };
        let projects: Vec<_> = documents
            .iter()
            .filter(is_chosen)
            .map(|it| &it.root)
            .filter(|it| is_project(it))
            .filter_map(|it| it.get("spec"))
            .collect();
        let mut kubernetes = options.kubernetes;
        if kubernetes.is_empty() {
            let written = projects.iter().filter_map(|it| it.get("kubernetes"));
            kubernetes = written.map(versions).fold(Versions::NONE, Versions::union);
        }
        let mut kubernetes: Vec<_> = kubernetes.iter().collect();
        if kubernetes.is_empty() {
            kubernetes.push(KubernetesVersion::NEWEST);
        }
        Self { kubernetes, external: projects.into_iter().flat_map(external).collect() }
    }
}

fn is_project(root: &Node) -> bool {
    root.str_at(&["kind"]) == Some("Project")
        && root.str_at(&["apiVersion"]).is_some_and(|it| it.starts_with(API_GROUP))
}

/// One version, or a list of them.
fn versions(node: &Node) -> Versions {
    let string = node.as_str().and_then(Versions::parse);
    let number = node.as_number().and_then(|_| Versions::parse(&node.to_json().to_string()));
    let of_items = node.items().iter().map(versions);
    string.into_iter().chain(number).chain(of_items).fold(Versions::NONE, Versions::union)
}

fn external(spec: &Node) -> Vec<ExternalObject> {
    let text = |node: &Node, key: &str| node.text_at(&[key]).to_owned();
    let items = spec.items_at(&["external"]).iter();
    let default = text(spec, "namespace");
    let object = |it: &Node| {
        let namespace = text(it, "namespace");
        let namespace = if namespace.is_empty() { default.clone() } else { namespace };
        ExternalObject { kind: text(it, "kind"), namespace, name: text(it, "name") }
    };
    items.map(object).collect()
}
