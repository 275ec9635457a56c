//! The difference of two sets of objects, as data.

use super::applying::Kept;
use super::masking::{Masking, hidden};
use crate::compile::Compilation;
use crate::diag::{Diagnostic, FieldPath};
use crate::kube::Object;
use crate::lower::Outcome;
use crate::project::Applier;
use crate::schema::KubernetesVersion;
use crate::source::Workspace;
use crate::tree::{Layer, Node, Origin, Value};

/// One of the two sets of objects.
#[derive(Clone, Debug)]
pub struct Side<'s> {
    pub(super) workspace: &'s Workspace,
    pub(super) compilation: &'s Compilation,
    pub(super) masking: Masking<'s>,
    pub(super) label: String,
    applier: Option<Applier>,
}

impl<'s> Side<'s> {
    /// The objects of a compilation.
    #[must_use]
    pub fn new(workspace: &'s Workspace, compilation: &'s Compilation) -> Self {
        let masking = Masking::of(workspace);
        let applier = compilation.applier;
        Self { workspace, compilation, masking, label: String::new(), applier }
    }

    /// The same side, with a prefix for the names of its files in reports for people: `HEAD~1:`.
    #[must_use]
    pub fn labeled(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The same side, applied by another program than its Projects name.
    #[must_use]
    pub fn applied_by(self, applier: Applier) -> Self {
        Self { applier: Some(applier), ..self }
    }

    /// The program that applies the side, if it is known.
    pub(super) const fn applier(&self) -> Option<Applier> {
        self.applier
    }

    pub(super) fn objects(&self) -> &'s [Object] {
        &self.compilation.objects
    }

    /// The newest version whose defaults apply.
    pub(super) fn target(&self) -> KubernetesVersion {
        let versions = self.compilation.judged.iter().flat_map(|it| it.kubernetes.iter());
        versions.max().unwrap_or(KubernetesVersion::NEWEST)
    }
}

impl Shown {
    /// Replaces the value and its source. Neither a default nor what is empty has a secret.
    pub(super) fn hide(&mut self) {
        if self.is_default || is_empty_collection(&self.node) {
            return;
        }
        self.node = hidden(&self.node);
        if let Some(place) = &mut self.place {
            place.source = None;
        }
    }
}

/// Whether a value is a map or a list without entries.
pub(super) fn is_empty_collection(node: &Node) -> bool {
    match &node.value {
        Value::Map(map) => map.is_empty(),
        Value::List(items) => items.is_empty(),
        _ => false,
    }
}

/// The difference of two sets of objects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Diff {
    /// The objects that differ, in apply order; removed ones at the end.
    pub objects: Vec<ObjectChange>,
    /// The number of objects that do not differ in meaning.
    pub unchanged: usize,
    /// The objects of the new side that the old side may have had: it lacks them because of its errors.
    pub not_compared: Vec<ObjectAt>,
    /// The namespaces of objects that two environments have in different ones: those of the old side and of the new
    /// one.
    pub namespaces: Vec<[String; 2]>,
    /// Prefixes of file names for people.
    pub(super) labels: [String; 2],
}

impl Diff {
    /// Whether the two sides mean the same.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.namespaces.is_empty() && self.not_compared.is_empty()
    }
}

/// What became of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Fate {
    /// Only the new side has it.
    Added,
    /// Both sides have it, and it differs.
    Changed,
    /// It has another name, namespace or group, and nearly the same content.
    Renamed,
    /// Only the old side has it.
    Removed,
}

/// One object that differs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ObjectChange {
    /// What became of it.
    pub fate: Fate,
    /// The object on the old side.
    pub old: Option<ObjectAt>,
    /// The object on the new side.
    pub new: Option<ObjectAt>,
    /// The fields that differ, in the order of the old object, then of the new one. Empty for added
    /// and removed objects.
    pub fields: Vec<FieldChange>,
    /// What happens once the new side is applied.
    pub outcome: Option<Outcome>,
    /// Findings about the change itself, such as a field that the API server does not let change.
    pub findings: Vec<Diagnostic>,
    /// What the new side has, and client-side `kubectl apply` does not store.
    pub lost: Vec<FieldChange>,
    /// What the new side removes, and the stored object keeps.
    pub(super) kept: Option<Kept>,
    /// The positions of the object on both sides.
    pub(super) at: [Option<usize>; 2],
}

impl ObjectChange {
    /// The object on the new side, or else on the old one.
    #[must_use]
    pub fn object(&self) -> Option<&ObjectAt> {
        self.new.as_ref().or(self.old.as_ref())
    }

    /// Both forms of the object.
    pub(super) fn forms<'o>(
        &self,
        old: &'o [Object],
        new: &'o [Object],
    ) -> [Option<&'o Object>; 2] {
        let [before, after] = self.at;
        [before.and_then(|it| old.get(it)), after.and_then(|it| new.get(it))]
    }

    /// The position of the object on the new side.
    pub(super) const fn new_index(&self) -> Option<usize> {
        let [_, new] = self.at;
        new
    }
}

/// The identity of an object, and where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ObjectAt {
    /// `apps/v1`.
    pub api_version: String,
    /// `Deployment`.
    pub kind: String,
    /// Empty if the object does not name one.
    pub namespace: String,
    /// The name, or a prefix and `*` for `generateName`.
    pub name: String,
    /// Where it begins.
    pub place: Place,
}

impl ObjectAt {
    /// `Kind/name` or `Kind/namespace/name`, as `why` accepts it.
    #[must_use]
    pub fn describe(&self) -> String {
        let Self { kind, namespace, name, .. } = self;
        if namespace.is_empty() {
            format!("{kind}/{name}")
        } else {
            format!("{kind}/{namespace}/{name}")
        }
    }
}

/// A line of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Place {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The built-in layer that set the value for the definition at this line.
    pub layer: Option<Layer>,
    /// The expression of the author, if the value is the result of one.
    pub source: Option<String>,
}

/// How a field differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Difference {
    /// Its value differs, or only one side has it.
    Value,
    /// Its value is another form of the same quantity, such as `1000m` and `1`, and the API server stores it as it
    /// is written.
    Quantity,
    /// Items were removed from a list or added to it: `old` and `new` are those items.
    Items,
    /// A list has the same items in another order: `old` and `new` are the items that moved.
    Order,
}

/// One field that differs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FieldChange {
    /// The path; an item of a list with an identity has its key: `spec.containers[main].image`.
    pub path: FieldPath,
    /// How it differs.
    pub difference: Difference,
    /// The old values.
    pub old: Vec<Shown>,
    /// The new values.
    pub new: Vec<Shown>,
    /// Whether values are secret, and masked.
    pub is_hidden: bool,
}

/// A value of one side, without secrets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shown {
    /// The value.
    pub node: Node,
    /// Where it is written; `None` for a default.
    pub place: Option<Place>,
    /// Whether it is not written, and the API server sets this default.
    pub is_default: bool,
}

/// The identity of an object.
pub(super) fn object_at(workspace: &Workspace, object: &Object) -> ObjectAt {
    ObjectAt {
        api_version: object.gvk.api_version(),
        kind: object.gvk.kind().to_owned(),
        namespace: object.namespace().to_owned(),
        name: object.shown_name().to_string(),
        place: place_of(workspace, Origin::source(object.name_span())),
    }
}

/// The maximum length of an expression that is shown, in bytes.
const LONGEST_SOURCE: usize = 120;

/// The line of a value.
pub(super) fn place_of(workspace: &Workspace, origin: Origin) -> Place {
    let (file, span) = workspace.file_and_span(origin.span());
    let position = file.line_column(span.start);
    let written = if origin.layer().is_none() { workspace.slice(origin.span()) } else { "" };
    let is_expression =
        written.len() <= LONGEST_SOURCE && written.contains("{{") && !written.contains('\n');
    Place {
        file: file.name().to_owned(),
        line: position.line,
        column: position.column,
        layer: origin.layer(),
        source: is_expression.then(|| written.to_owned()),
    }
}
