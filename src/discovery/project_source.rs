//! Projects as their authors wrote them, before a run.

use crate::diag::Sink;
use crate::kube::GroupVersionKind;
use crate::lower::{API_GROUP, may_have_definitions};
use crate::project::is_external_file;
use crate::sorted::SortedSet;
use crate::source::{FileId, FileRole, Workspace};
use crate::tree::{Entry, Node, items};
use crate::yaml;

/// A Project as its author wrote it. Its fields need not be valid.
#[derive(Debug)]
pub struct ProjectSource {
    file: FileId,
    root: Node,
}

impl ProjectSource {
    /// The Projects in these files, within the limits of a run.
    #[must_use]
    pub fn all(workspace: &Workspace, files: impl IntoIterator<Item = FileId>) -> Vec<Self> {
        let (mut found, mut budget) = (Vec::new(), yaml::Budget::default());
        for file in files {
            let text = workspace.file(file).text();
            if !(may_have_definitions(text) && contains(text, "Project")) {
                continue;
            }
            let documents = yaml::documents_within(file, text, &mut budget, &mut Sink::unused());
            let roots = documents.read.into_iter().map(|document| document.root);
            found.extend(roots.filter(is_project).map(|root| Self { file, root }));
        }
        found
    }

    /// Its file.
    #[must_use]
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Its tree.
    pub(crate) fn root(&self) -> &Node {
        &self.root
    }

    /// The names of its environments.
    pub fn environments(&self) -> impl Iterator<Item = &str> {
        self.root.entries_at(&["spec", "environments"]).iter().map(Entry::key)
    }

    /// The names of the environments of Projects, each once.
    #[must_use]
    pub fn environments_of(projects: &[Self]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut known = SortedSet::new();
        for name in projects.iter().flat_map(Self::environments) {
            if known.insert(name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// The paths that it names, from its own directory, each with the role of the files there: those under `crds`,
    /// and those under `external`, of all environments.
    #[must_use]
    pub fn named_files(&self) -> Vec<(FileRole, String)> {
        let Some(spec) = self.root.get("spec") else { return Vec::new() };
        let environments = spec.entries_at(&["environments"]).iter().map(Entry::value);
        let specs = std::iter::once(spec).chain(environments);
        let external = specs.flat_map(|spec| strings(spec, "external"));
        let external = external.filter(|path| is_external_file(path));
        let crds = strings(spec, "crds").map(|path| (FileRole::KnownKinds, path.to_owned()));
        crds.chain(external.map(|path| (FileRole::External, path.to_owned()))).collect()
    }
}

/// The strings of a list.
fn strings<'n>(node: &'n Node, key: &str) -> impl Iterator<Item = &'n str> {
    items(node, key).iter().filter_map(Node::as_str)
}

/// Whether a text contains a word; faster than `contains`, as files can be large.
fn contains(text: &str, word: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some()
}

fn is_project(root: &Node) -> bool {
    let gvk = root.str_at(&["apiVersion"]).zip(root.str_at(&["kind"]));
    gvk.is_some_and(|(version, kind)| GroupVersionKind::new(version, kind).is(API_GROUP, "Project"))
}
