//! Which values of a project are secret, and which expressions read them.

use std::sync::OnceLock;

use super::Veil;
use crate::diag::Sink;
use crate::expand::all_value_paths;
use crate::folder::file_name;
use crate::source::{FileId, PROJECT_FILE, Slice as _, Span, Workspace};
use crate::tree::Node;
use crate::yaml::{self, Budget};

/// The paths of the secret values of a workspace, as expressions read them: in its Projects, in files with
/// values, and in options of the command line. These files are read for the first text with an expression.
#[derive(Clone, Debug)]
pub(crate) struct SecretValues<'w> {
    workspace: &'w Workspace,
    /// Sorted, without duplicates.
    paths: OnceLock<Vec<Vec<String>>>,
}

impl<'w> SecretValues<'w> {
    /// The secret values of the Projects and of the files with values in a workspace.
    pub(crate) const fn of(workspace: &'w Workspace) -> Self {
        Self { workspace, paths: OnceLock::new() }
    }

    fn read(workspace: &Workspace) -> Vec<Vec<String>> {
        let (mut walk, mut budget) = (Walk::default(), Budget::default());
        for (file, path) in workspace.values() {
            for root in roots(workspace, *file, &mut budget) {
                let wrap = |value: Node, key: &String| {
                    let mut map = Node::map(value.origin());
                    map.set(key.as_str(), value);
                    map
                };
                walk.visit(&path.iter().rev().fold(root, wrap), Veil::of_root());
            }
        }
        let is_project = |file: &FileId| file_name(workspace.file(*file).name()) == PROJECT_FILE;
        for file in workspace.ids().filter(is_project) {
            for root in roots(workspace, file, &mut budget) {
                walk.visit_values(&root);
            }
        }
        let mut paths = walk.found;
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// Whether a compiled value is that of an expression that reads a secret value.
    pub(crate) fn are_in(&self, node: &Node) -> bool {
        let origin = node.origin();
        origin.layer().is_none() && self.are_read_at(origin.span())
    }

    /// Whether an expression at a location reads a secret value, or a value that contains one.
    pub(crate) fn are_read_at(&self, place: Span) -> bool {
        self.are_read_by(self.workspace.slice(place))
    }

    fn are_read_by(&self, text: &str) -> bool {
        if !reads_values(text) {
            return false;
        }
        let paths = self.paths.get_or_init(|| Self::read(self.workspace));
        let is_secret = |path: Vec<String>| {
            let next = paths.get(paths.partition_point(|known| *known < path));
            let is_above = next.is_some_and(|known| known.starts_with(&path));
            let is_known = |length| {
                let start = path.slice(..length);
                paths.binary_search_by(|known| known[..].cmp(start)).is_ok()
            };
            is_above || (0..path.len()).any(is_known)
        };
        !paths.is_empty() && all_value_paths(text).into_iter().any(is_secret)
    }
}

/// Whether a text can have an expression that reads a value. It has no false negatives, and takes 0.5 instructions
/// per byte.
pub(super) fn reads_values(text: &str) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(text.as_bytes(), part).is_some();
    has(b"values") && (has(b"{{") || has(b"{%"))
}

fn roots(
    workspace: &Workspace,
    file: FileId,
    budget: &mut Budget,
) -> impl Iterator<Item = Node> + use<> {
    let text = workspace.file(file).text();
    let read = yaml::documents_within(file, text, budget, &mut Sink::unused()).read;
    read.into_iter().map(|it| it.root)
}

/// A walk through values.
#[derive(Default)]
struct Walk {
    path: Vec<String>,
    found: Vec<Vec<String>>,
}

impl Walk {
    /// Visits the values of a Project and those of its environments.
    fn visit_values(&mut self, project: &Node) {
        let Some(spec) = project.get("spec") else { return };
        let own = Veil::of_root().inside(project).below("spec", Some(spec));
        let mut visit = |map: &Node, veil: Veil| {
            if let Some(values) = map.get("values") {
                self.visit(values, veil.inside(map).below("values", Some(values)));
            }
        };
        visit(spec, own);
        if let Some(environments) = spec.get("environments") {
            let of_all = own.inside(spec).below("environments", Some(environments));
            for entry in environments.entries() {
                let inside = of_all.inside(environments);
                visit(&entry.value, inside.below(&entry.key, Some(&entry.value)));
            }
        }
    }

    fn visit(&mut self, node: &Node, veil: Veil) {
        let is_leaf = node.entries().is_empty() && node.items().is_empty();
        if veil.hides_all(node) || is_leaf && veil.hides_scalar(node) {
            self.found.push(self.path.clone());
            return;
        }
        let inside = veil.inside(node);
        for entry in node.entries() {
            self.path.push(entry.key.to_string());
            self.visit(&entry.value, inside.below(&entry.key, Some(&entry.value)));
            self.path.pop();
        }
        for (at, item) in node.items().iter().enumerate() {
            self.path.push(at.to_string());
            self.visit(item, veil.item());
            self.path.pop();
        }
    }
}
