//! Queries for callers that read files, before a run: which other files belong to the input.

use crate::diag::Sink;
use crate::kube::GroupVersionKind;
use crate::lower::{API_GROUP, may_have_definitions};
use crate::project::is_external_file;
use crate::sorted::SortedSet;
use crate::source::{FileId, FileRole, Workspace};
use crate::tree::Node;
use crate::yaml;

/// The files that the Projects in these files name, each with the file of its Project, its role and its
/// path: those under `crds`, and those under `external`, of all environments. The caller reads them; a
/// run only uses files in the workspace.
#[must_use]
pub fn files_of_projects(
    workspace: &Workspace,
    files: impl IntoIterator<Item = FileId>,
) -> Vec<(FileId, FileRole, String)> {
    let (mut paths, mut budget) = (Vec::new(), yaml::Budget::default());
    for file in files {
        let text = workspace.file(file).text();
        if !(may_have_definitions(text) && (has(text, "crds") || has(text, "external"))) {
            continue;
        }
        for root in roots(file, text, &mut budget).filter(is_project) {
            let Some(spec) = root.get("spec") else { continue };
            let environments = spec.get("environments").map_or(&[][..], Node::entries);
            let external = std::iter::once(spec).chain(environments.iter().map(|it| &it.value));
            let external = external.flat_map(|it| strings(it, "external"));
            let external = external.filter(|it| is_external_file(it));
            let external = external.map(|it| (file, FileRole::External, it.to_owned()));
            let crds = strings(spec, "crds").map(|it| (file, FileRole::KnownKinds, it.to_owned()));
            paths.extend(crds.chain(external));
        }
    }
    paths
}

/// The strings of a list.
fn strings<'n>(node: &'n Node, key: &str) -> impl Iterator<Item = &'n str> {
    node.get(key).map_or(&[][..], Node::items).iter().filter_map(Node::as_str)
}

/// The names of the environments of the Projects in these files, each once.
#[must_use]
pub fn environments_of_projects(
    workspace: &Workspace,
    files: impl IntoIterator<Item = FileId>,
) -> Vec<String> {
    let (mut names, mut budget) = (Vec::new(), yaml::Budget::default());
    let mut known = SortedSet::new();
    for file in files {
        let text = workspace.file(file).text();
        if !(may_have_definitions(text) && has(text, "environments")) {
            continue;
        }
        for root in roots(file, text, &mut budget).filter(is_project) {
            let environments = root.at(&["spec", "environments"]).map_or(&[][..], Node::entries);
            for name in environments.iter().map(|it| it.key.to_string()) {
                if known.insert(name.clone()) {
                    names.push(name);
                }
            }
        }
    }
    names
}

/// Whether one of these files has a Project.
#[must_use]
pub fn has_project(workspace: &Workspace, files: impl IntoIterator<Item = FileId>) -> bool {
    let mut budget = yaml::Budget::default();
    files.into_iter().any(|file| {
        let text = workspace.file(file).text();
        may_have_definitions(text)
            && has(text, "Project")
            && roots(file, text, &mut budget).any(|it| is_project(&it))
    })
}

/// Whether a file contains a word; faster than `contains`, as the files can be large.
fn has(text: &str, word: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some()
}

/// The documents of a file, within the limits of all files.
pub(super) fn roots(
    file: FileId,
    text: &str,
    budget: &mut yaml::Budget,
) -> impl Iterator<Item = Node> {
    let documents = yaml::documents_within(file, text, budget, &mut Sink::unused());
    documents.read.into_iter().map(|it| it.root)
}

pub(super) fn is_project(root: &Node) -> bool {
    let text = |key: &str| root.str_at(&[key]).unwrap_or("");
    GroupVersionKind::new(text("apiVersion"), text("kind")).is(API_GROUP, "Project")
}
