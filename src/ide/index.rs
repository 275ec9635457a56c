//! The files of a project as outlines: what an editor needs at once, while a check takes its time.

use std::sync::{Arc, OnceLock};

use crate::dialect;
use crate::language::{KindName, Shape, kind_names};
use crate::lower::API_VERSION;
use crate::schema::{KubernetesVersion, Versions};
use crate::sorted::SortedMap;
use crate::source::{FileId, Workspace};
use crate::tree::Node;

use super::outline::{Document, Outline, Step};

/// The files of a project. They are numbered in the order in which they were added.
#[derive(Debug)]
pub struct Index {
    files: Vec<Arc<Outline>>,
    targets: Versions,
    /// The files and documents that declare an object of each name, once something has needed them.
    names: OnceLock<Names>,
}

/// The numbers of files and documents by the name of their objects.
type Names = SortedMap<Box<str>, Vec<(usize, usize)>>;

/// A document that declares an object.
#[derive(Clone, Copy)]
pub(super) struct Declared<'i> {
    pub(super) file: usize,
    pub(super) outline: &'i Outline,
    pub(super) document: &'i Document,
}

impl Index {
    /// The files with these outlines. Fields are those of the given Kubernetes versions; without any, those
    /// of the versions that the Project names, or of the newest.
    #[must_use]
    pub fn new(files: Vec<Arc<Outline>>, kubernetes: Versions) -> Self {
        let mut index = Self { files, targets: kubernetes, names: OnceLock::new() };
        if index.targets.is_empty() {
            let named = index.declared().filter(Declared::is_project).find_map(|it| {
                Versions::parse(it.outline.scalar_at(it.document, &["spec", "kubernetes"]))
            });
            index.targets = named.unwrap_or_else(|| KubernetesVersion::NEWEST.into());
        }
        index
    }

    /// The files of a workspace, numbered in its order.
    #[must_use]
    pub fn of(workspace: &Workspace, kubernetes: Versions) -> Self {
        let outline = |id: FileId| Arc::new(Outline::new(workspace.file(id).text().into()));
        Self::new(workspace.ids().map(outline).collect(), kubernetes)
    }

    /// The outline of a file.
    #[must_use]
    pub fn outline(&self, file: usize) -> Option<&Outline> {
        self.files.get(file).map(|it| &**it)
    }

    /// All documents with a kind, and the items of a List in its place.
    pub(super) fn declared(&self) -> impl Iterator<Item = Declared<'_>> {
        self.files.iter().enumerate().flat_map(|(file, outline)| {
            let documents = outline.documents().iter();
            let documents =
                documents.filter(|document| document.head.kind.is_some() && !document.is_list());
            documents.map(move |document| Declared { file, outline, document })
        })
    }

    /// The documents that declare an object of this name, in order.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = Declared<'_>> {
        let names = self.names.get_or_init(|| {
            let mut names = Names::new();
            for (file, outline) in self.files.iter().enumerate() {
                for (number, document) in outline.documents().iter().enumerate() {
                    let name = outline.name(document);
                    if document.head.kind.is_some() && !name.is_empty() {
                        names.entry(name.into()).or_default().push((file, number));
                    }
                }
            }
            names
        });
        names.get(name).into_iter().flatten().filter_map(|(file, number)| {
            let outline = &**self.files.get(*file)?;
            let document = outline.documents().get(*number)?;
            Some(Declared { file: *file, outline, document })
        })
    }

    /// The objects that a reference to one of these kinds can mean: those of the kinds, and definitions
    /// that compile to them.
    pub(super) fn of_kinds<'i>(
        &'i self,
        kinds: &'i [&'i str],
    ) -> impl Iterator<Item = Declared<'i>> {
        self.declared().filter(move |it| it.is_one_of(kinds))
    }

    fn definitions(&self) -> impl Iterator<Item = &Node> {
        self.files.iter().flat_map(|it| it.custom_definitions())
    }

    /// The kinds that a document can have.
    pub(super) fn kinds(&self) -> Vec<KindName> {
        kind_names(self.targets, self.definitions())
    }

    /// What a document of a kind contains.
    pub(super) fn shape_of(&self, api_version: &str, kind: &str) -> Option<Shape<'_>> {
        Shape::of((api_version, kind), self.targets, self.definitions())
    }

    /// What a document has at a path.
    pub(super) fn shape_at(
        &self,
        outline: &Outline,
        document: &Document,
        path: &[Step<'_>],
    ) -> Option<Shape<'_>> {
        let root = self.shape_of(outline.api_version(document), outline.kind(document))?;
        path.iter().try_fold(root, |shape, step| match step {
            Step::Field(name) => shape.field(name),
            Step::Item(_) => Some(shape),
        })
    }
}

impl Declared<'_> {
    pub(super) fn is_project(&self) -> bool {
        self.outline.kind(self.document) == "Project" && self.is_definition()
    }

    pub(super) fn is_definition(&self) -> bool {
        self.outline.api_version(self.document) == API_VERSION
    }

    /// Whether it has one of these kinds, or compiles to one of them. The name of a field can be that of a
    /// kind in other case.
    pub(super) fn is_one_of(&self, kinds: &[&str]) -> bool {
        let kind = self.outline.kind(self.document);
        if kinds.iter().any(|it| it.eq_ignore_ascii_case(kind)) {
            return true;
        }
        self.is_definition()
            && dialect::kinds()
                .filter(|it| it.name == kind)
                .flat_map(|it| it.compiles_to)
                .any(|(_, it)| kinds.contains(it))
    }
}
