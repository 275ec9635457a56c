//! The definition and the field at a location in the input.

use std::cell::RefCell;
use std::sync::OnceLock;

use super::parts::{Parts, Step};
use super::render::is_option;
use super::route::step_of;
use super::values::lines_read;
use crate::compile::Compilation;
use crate::diag::{FieldPath, PathStep, Sink, cut};
use crate::findings::secrecy::{self, SecretValues};
use crate::kube::{InputObject, Object};
use crate::lower::API_GROUP;
use crate::markup::visible_line;
use crate::sorted::SortedMap;
use crate::source::{FileId, Span, Workspace};
use crate::tree::{Entry, Node, Origin};
use crate::yaml::{self, Budget};

/// The length in bytes above which the values that an expression reads are not all named in a comment.
/// Tens of thousands of lines can have the same one.
const LONGEST_READS: usize = 400;

/// The locations in the input of a run.
#[derive(Debug)]
pub(super) struct Places<'w> {
    workspace: &'w Workspace,
    inputs: &'w [InputObject],
    /// The selected environment of the Project.
    environment: Option<&'w str>,
    /// The position of the Project.
    project: Option<Span>,
    /// The documents of each file, read again on first use.
    files: SortedMap<FileId, OnceLock<ReadFile>>,
    secret_values: SecretValues<'w>,
}

/// A file that is read again.
#[derive(Debug)]
struct ReadFile {
    roots: Vec<Node>,
    parts: Parts,
    secrets: Vec<Span>,
}

impl<'w> Places<'w> {
    pub(super) fn new(workspace: &'w Workspace, compilation: &'w Compilation) -> Self {
        let files = workspace.ids().map(|id| (id, OnceLock::new())).collect();
        let environment = compilation.environment.as_deref();
        let inputs = &compilation.inputs;
        let is_project =
            |object: &&InputObject| object.gvk.group == API_GROUP && object.gvk.kind == "Project";
        let project = inputs.iter().find(is_project).map(|document| document.place.start_point());
        let secret_values = SecretValues::of(workspace);
        Self { workspace, inputs, environment, project, files, secret_values }
    }

    pub(super) const fn workspace(&self) -> &'w Workspace {
        self.workspace
    }

    pub(super) const fn environment(&self) -> Option<&'w str> {
        self.environment
    }

    /// The Project.
    pub(super) fn project(&self) -> Option<&Node> {
        self.root_at(self.project?)
    }

    /// The documents of a file.
    pub(super) fn roots(&self, file: FileId) -> &[Node] {
        self.read(file).map_or(&[], |it| &it.roots)
    }

    /// The document that contains a location.
    fn root_at(&self, place: Span) -> Option<&Node> {
        let roots = &self.file(place)?.roots;
        // Documents are sorted by position.
        let after = roots.partition_point(|root| root.span().start_point() <= place.start_point());
        roots.get(after.checked_sub(1)?)
    }

    /// The value in the source with exactly this span.
    pub(super) fn node_at(&self, place: Span) -> Option<&Node> {
        let file = self.file(place)?;
        file.parts.value_at(&file.roots, place)
    }

    fn file(&self, place: Span) -> Option<&ReadFile> {
        self.read(self.workspace.file_at(place).id())
    }

    fn read(&self, id: FileId) -> Option<&ReadFile> {
        self.files.get(&id).map(|file| {
            file.get_or_init(|| {
                let text = self.workspace.file(id).text();
                let read = yaml::documents(id, text, &mut Sink::unused()).read;
                let budget = &mut Budget::default();
                let secrets = secrecy::secrets_and_references(self.workspace, id, budget);
                let roots: Vec<_> = read.into_iter().map(|it| it.root).collect();
                ReadFile { parts: Parts::of(&roots), roots, secrets }
            })
        })
    }

    /// `team/base.yaml:12`. An option of the command line has no lines.
    pub(super) fn line(&self, place: Span) -> String {
        let (file, span) = self.workspace.file_and_span(place);
        let name = visible_line(file.name());
        if is_option(file.name()) {
            return name.into_owned();
        }
        format!("{name}:{}", file.line_column(span.start).line)
    }

    /// The object or definition that contains a location.
    pub(super) fn input(&self, place: Span) -> Option<&'w InputObject> {
        self.inputs.get(InputObject::index_at(self.inputs, place)?)
    }

    /// The name of the object or definition that contains a location.
    pub(super) fn owner(&self, place: Span) -> String {
        self.input(place).map_or_else(String::new, InputObject::describe)
    }

    /// The path of the field at a location in its document.
    pub(super) fn field(&self, place: Span) -> Option<FieldPath> {
        let step = |step| match step {
            Step::Entry(entry) => step_of(&entry.key),
            Step::Item(at) => PathStep::Index(at),
        };
        Some(self.steps(place)?.into_iter().map(step).collect())
    }

    /// Whether the field at a location is below `podOverrides`.
    fn is_override(&self, place: Span) -> bool {
        let is_it =
            |step: &Step<'_>| matches!(step, Step::Entry(entry) if entry.key == "podOverrides");
        self.steps(place).is_some_and(|steps| steps.iter().any(is_it))
    }

    /// The steps to the value or key at a location in its document.
    fn steps(&self, place: Span) -> Option<Vec<Step<'_>>> {
        let file = self.file(place)?;
        file.parts.steps_to(&file.roots, place)
    }

    /// Whether the object is compiled from a definition.
    pub(super) fn is_compiled(&self, object: &Object) -> bool {
        self.input(object.document).is_some_and(|object| object.gvk.group == API_GROUP)
    }

    /// Whether the key of an entry is a secret.
    pub(super) fn has_secret_key(&self, entry: &Entry) -> bool {
        let origin = entry.key_origin();
        origin.layer().is_none() && self.is_secret(origin.span())
    }

    /// The start of a path, before the first key that is a secret.
    pub(super) fn without_secret_keys(&self, root: &Node, path: &FieldPath) -> FieldPath {
        let mut at = Some(root);
        let is_shown = |step: &&PathStep| {
            let node = at;
            let entry = step.name().and_then(|key| node?.as_map()?.entry(key));
            at = match step {
                PathStep::Index(index) => node.and_then(|node| node.items().get(*index)),
                _ => entry.map(|it| &it.value),
            };
            !entry.is_some_and(|entry| self.has_secret_key(entry))
        };
        path.steps().iter().take_while(is_shown).cloned().collect()
    }

    /// Whether the value at a location is a secret, or an expression that reads a secret.
    pub(super) fn is_secret(&self, place: Span) -> bool {
        self.is_written_secret(place) || self.secret_values.are_read_at(place)
    }

    /// Whether what is written at a location is a secret.
    pub(super) fn is_written_secret(&self, place: Span) -> bool {
        /// A value that is found twice can have two slightly different spans.
        const NEAR: usize = 16;
        self.file(place).is_some_and(|file| {
            let before =
                file.secrets.partition_point(|secret| secret.start_point() <= place.start_point());
            let near = file.secrets.iter().take(before).rev().take(NEAR);
            near.into_iter().any(|secret| secret.contains(place))
        })
    }

    /// The layer that set a value: a built-in layer, or a field of a document.
    pub(super) fn layer(&self, origin: Origin) -> String {
        if let Some(layer) = origin.layer() {
            return layer.describe().to_owned();
        }
        let owner = self.owner(origin.span());
        match self.field(origin.span()) {
            Some(field) if !field.steps().is_empty() => format!("{owner} {field}"),
            _ => owner,
        }
    }

    /// The layer that set a value of an object from this document, shortened for a comment; see
    /// [`layer`](Self::layer).
    fn comment(&self, origin: Origin, document: Span) -> String {
        if let Some(layer) = origin.layer() {
            return layer.describe().trim_start_matches("the ").to_owned();
        }
        let mut comment = self.line(origin.span());
        if !document.has_begin_of(origin.span())
            && let Some(owner) = self.input(origin.span())
        {
            comment.push(' ');
            comment.push_str(&owner.describe());
        }
        if self.is_override(origin.span()) {
            comment.push_str(" podOverrides");
        }
        let reads = lines_read(self, origin.span()).map(|(name, line)| format!(", {name} {line}"));
        comment.push_str(&cut(&reads.collect::<String>(), LONGEST_READS));
        comment
    }
}

/// The comments on the lines of one object. All lines of a value that an expression creates have the
/// same one.
pub(super) struct Comments<'p> {
    places: &'p Places<'p>,
    document: Span,
    last: RefCell<Option<(Origin, String)>>,
}

impl<'p> Comments<'p> {
    pub(super) const fn new(places: &'p Places<'p>, object: &Object) -> Self {
        Self { places, document: object.document, last: RefCell::new(None) }
    }

    /// The comment on a line whose value has this origin.
    pub(super) fn of(&self, origin: Origin) -> String {
        let mut last = self.last.borrow_mut();
        match &*last {
            Some((of, text)) if *of == origin => text.clone(),
            _ => {
                let text = self.places.comment(origin, self.document);
                last.insert((origin, text)).1.clone()
            }
        }
    }
}
