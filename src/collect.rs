//! `crds collect`: the CustomResourceDefinitions of many files as one sorted file.

mod reduce;

use serde_json::Value;

use crate::diag::{Diagnostic, Sink};
use crate::findings::secrecy;
use crate::folder::{self, Skipped, Why};
use crate::kube::{GroupVersionKind, items_of_list};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileId, FileRole, Span, Workspace};
use crate::tree::{Node, Origin};
use crate::yaml::{self, Documents};

const GROUP: &str = "apiextensions.k8s.io";
const KIND: &str = "CustomResourceDefinition";

/// The definitions of the files of a workspace.
#[derive(Debug)]
pub struct CollectedCrds {
    /// The definitions by name.
    definitions: SortedMap<String, Vec<Found>>,
    /// The names of definitions in an API version that no API server has, each with its file.
    pub outdated: Vec<(String, String)>,
    /// The findings about files that cannot be read, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The spans of secret values near the findings, for [`Workspace::mask`].
    pub secrets: Vec<Span>,
}

/// A definition, and the files that have it.
#[derive(Debug)]
struct Found {
    definition: Value,
    /// The names of the files.
    files: SortedSet<String>,
}

/// Several definitions of one kind that differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrdConflict {
    /// The name: `widgets.example.com`.
    pub name: String,
    /// One file with each definition.
    pub files: Vec<String>,
    /// Whether they are equal without descriptions.
    pub is_about_docs: bool,
}

/// Collects the CustomResourceDefinitions of the files of a workspace. What only a server adds is left
/// out: status, managed fields, defaults; `has_docs` selects whether descriptions are kept.
#[must_use]
pub fn collect_crds(workspace: &Workspace, has_docs: bool) -> CollectedCrds {
    let mut skipped = Skipped::default();
    let mut sink = Sink::new();
    let mut budget = yaml::Budget::default();
    let (mut definitions, mut outdated) = (SortedMap::<String, Vec<Found>>::new(), Vec::new());
    for file in workspace.ids() {
        let source = workspace.file(file);
        let text = source.text();
        if source.unreadable().is_none()
            && memchr::memmem::find(text.as_bytes(), KIND.as_bytes()).is_none()
        {
            continue;
        }
        if yaml::check_file(file, source, &mut sink).is_err() {
            continue;
        }
        let mut findings = Sink::new();
        let Documents { read, .. } = yaml::documents_within(file, text, &mut budget, &mut findings);
        if source.role() == FileRole::Found && is_template(workspace, file, &findings) {
            skipped.add(workspace, file, Why::Template);
            continue;
        }
        sink.absorb(findings);
        let roots = read.into_iter().flat_map(|it| items_of_list(it.root, it.span));
        for (root, _) in roots {
            let text = |path: &[&str]| root.text_at(path).to_owned();
            let gvk = GroupVersionKind::new(&text(&["apiVersion"]), &text(&["kind"]));
            let name = text(&["metadata", "name"]);
            if !gvk.is(GROUP, KIND) || name.is_empty() {
                continue;
            }
            if gvk.version != "v1" {
                outdated.push((name, source.name().to_owned()));
                continue;
            }
            let definition = reduce::reduced(root.to_json(), has_docs);
            add(definitions.entry(name).or_default(), definition, source.name());
        }
    }
    skipped.report(workspace, &mut sink);
    let mut diagnostics = sink.into_sorted();
    let secrets = secrecy::redact(workspace, diagnostics.iter_mut().collect());
    CollectedCrds { definitions, outdated, diagnostics, secrets }
}

fn add(known: &mut Vec<Found>, definition: Value, file: &str) {
    match known.iter_mut().find(|it| it.definition == definition) {
        Some(same) => {
            same.files.insert(file.to_owned());
        }
        None => known.push(Found { definition, files: SortedSet::from([file.to_owned()]) }),
    }
}

/// Whether a file that cannot be read is a template of another program.
fn is_template(workspace: &Workspace, file: FileId, findings: &Sink) -> bool {
    let first = findings.iter().map(|it| workspace.locate(it.primary.span)).min();
    first.is_some_and(|it| folder::is_template(workspace.file(file).text(), it.start as usize))
}

impl CollectedCrds {
    /// The number of definitions.
    #[must_use]
    pub fn count(&self) -> usize {
        self.definitions.len()
    }

    /// The first kind with definitions that differ.
    #[must_use]
    pub fn conflict(&self) -> Option<CrdConflict> {
        let (name, found) = self.definitions.iter().find(|(_, found)| found.len() > 1)?;
        let bare = |it: &Found| reduce::reduced(it.definition.clone(), false);
        let first = found.first().map(bare);
        Some(CrdConflict {
            name: name.clone(),
            files: found.iter().filter_map(|it| it.files.first().cloned()).collect(),
            is_about_docs: found.iter().all(|it| Some(bare(it)) == first),
        })
    }

    /// The definitions as a YAML stream, sorted by name, each with the files that it comes from as
    /// `shown` names them. Of definitions that differ, the first one.
    #[must_use]
    pub fn to_yaml(&self, shown: &dyn Fn(&str) -> String) -> String {
        let mut text = String::from(
            "# Generated by `sandboxc crds collect`. The Project names this file under `crds`.\n",
        );
        let origin = Origin::source(Workspace::new().start());
        for Found { definition, files } in self.definitions.values().filter_map(|it| it.first()) {
            let files: SortedSet<_> = files.iter().map(|it| shown(it)).collect();
            let files: Vec<_> = files.into_iter().collect();
            text.push_str("---\n");
            yaml::print_comment(&format!("From {}", files.join(", ")), &mut text);
            yaml::print_document(&Node::from_json(definition.clone(), origin), &mut text);
        }
        // The layout of files that people keep.
        let file = Workspace::new().add("", "");
        yaml::layout(file, &text).unwrap_or(text)
    }
}
