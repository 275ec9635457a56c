//! Queries for callers that read files, before a run: which other files belong to the input.

use crate::diag::Sink;
use crate::kube::GroupVersionKind;
use crate::lower::API_GROUP;
use crate::source::{FileId, Workspace};
use crate::tree::Node;
use crate::yaml;

/// The paths under `crds` of the Projects in these files, each with its source file. The caller reads
/// these files; a run only uses files in the workspace.
#[must_use]
pub fn crds_of_projects(
    workspace: &Workspace,
    files: impl IntoIterator<Item = FileId>,
) -> Vec<(FileId, String)> {
    let (mut paths, mut budget) = (Vec::new(), yaml::Budget::default());
    for file in files {
        let text = workspace.file(file).text();
        if !(has(text, "crds") && has(text, API_GROUP)) {
            continue;
        }
        for root in roots(file, text, &mut budget) {
            if is_project(&root) {
                let crds = root.at(&["spec", "crds"]).map_or(&[][..], Node::items);
                paths.extend(crds.iter().filter_map(Node::as_str).map(|it| (file, it.to_owned())));
            }
        }
    }
    paths
}

/// The names of the environments of the Projects in these files, each once.
#[must_use]
pub fn environments_of_projects(
    workspace: &Workspace,
    files: impl IntoIterator<Item = FileId>,
) -> Vec<String> {
    let (mut names, mut budget) = (Vec::new(), yaml::Budget::default());
    for file in files {
        let text = workspace.file(file).text();
        if !(has(text, "environments") && has(text, API_GROUP)) {
            continue;
        }
        for root in roots(file, text, &mut budget).filter(is_project) {
            let environments = root.at(&["spec", "environments"]).map_or(&[][..], Node::entries);
            for name in environments.iter().map(|it| it.key.to_string()) {
                if !names.contains(&name) {
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
        has(text, API_GROUP)
            && has(text, "Project")
            && roots(file, text, &mut budget).any(|it| is_project(&it))
    })
}

/// Whether a file contains a word; faster than `contains`, as the files can be large.
fn has(text: &str, word: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some()
}

/// The documents of a file, within the limits of all files.
fn roots(file: FileId, text: &str, budget: &mut yaml::Budget) -> impl Iterator<Item = Node> {
    let documents = yaml::documents_within(file, text, |_| {}, budget, &mut Sink::unused());
    documents.read.into_iter().map(|it| it.root)
}

fn is_project(root: &Node) -> bool {
    let text = |key: &str| root.str_at(&[key]).unwrap_or("");
    GroupVersionKind::new(text("apiVersion"), text("kind")).is(API_GROUP, "Project")
}
