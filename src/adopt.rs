//! `import` of custom resources: those of a system become definitions.
//!
//! Each definition is built and compared with its resource as `diff` compares them, so `build` gives the
//! same objects by construction. A resource without such a definition is kept, with the reason.

mod cluster;
mod common_parts;
mod external;

use crate::compile::{Options, Purpose, compile};
use crate::diag::{Diagnostic, Message, Severity, message};
use crate::dialect::DIALECTS;
use crate::diff::{self, Fate, ObjectAt, Side};
use crate::emit::emit_stream;
use crate::expand::quote_expressions;
use crate::findings::secrecy;
use crate::import::comments;
use crate::import::projects::is_project;
use crate::import::{self, IMPORT_PROJECT, ImportOptions, Imported, object};
use crate::kube::{Object, SharedKinds};
use crate::lower::{API_VERSION, Adoption, Dialect, IMPORT_KEPT, Migration};
use crate::sorted::{CompactSort as _, SortedMap, SortedSet};
use crate::source::Workspace;
use crate::tree::Node;

/// Kind, namespace and name of an object.
type Key = (String, String, String);

/// An object of the result, or a resource and its definition.
enum Slot {
    Object(Object),
    Resource {
        /// The resource in the current version, without what only a cluster adds.
        resource: Object,
        /// What its definition must build.
        expected: Object,
        definition: Option<Node>,
        /// Findings about the definition.
        notes: Vec<Diagnostic>,
    },
}

/// Converts the files of other programs, and the custom resources of systems, to definitions.
#[must_use]
pub fn import(workspace: &Workspace, options: &ImportOptions) -> Imported {
    let mut imported = import::import(workspace, options);
    let is_chosen = |it: &Dialect| options.system.as_ref().is_none_or(|name| *name == it.name);
    for dialect in DIALECTS.iter().filter(|it| is_chosen(it)) {
        if let Some(adoption) = &dialect.adoption {
            let migration = dialect.migration.as_ref();
            let mut run = Run {
                adoption,
                migration,
                found: Vec::new(),
                added: SortedSet::new(),
                is_used: false,
            };
            imported.objects = run.convert(std::mem::take(&mut imported.objects));
            imported.is_converted |= run.is_used;
            imported.diagnostics.append(&mut run.found);
        }
    }
    complete(&mut imported);
    imported.diagnostics.compact_sort_by(|a, b| a.identity().cmp(&b.identity()));
    imported.secrets = secrecy::redact(workspace, imported.diagnostics.iter_mut().collect());
    imported
}

/// Declares what the definitions refer to, and reports the Project.
fn complete(imported: &mut Imported) {
    if imported.diagnostics.iter().any(|it| it.severity == Severity::Error) {
        return;
    }
    let is_own = |object: &&Object| object.gvk().api_version() == API_VERSION;
    let place = imported.objects.iter().find(is_own).map(|it| it.document.start_point());
    let place = place.filter(|_| imported.is_converted);
    let is_declared = place.is_some_and(|it| external::declare(&mut imported.objects, it));
    let (kept, dropped) = comments::keep(&imported.comments, &imported.objects);
    imported.kept = kept;
    imported.diagnostics.extend(dropped);
    let Some(project) = imported.objects.iter().find(|it| is_project(it)) else { return };
    let (message, label) = if is_declared {
        (
            "the output contains a Project with the objects that are not in the input",
            "refers to objects of the cluster",
        )
    } else {
        (
            "the output contains a Project, and an input can have only one",
            "its settings are in the Project",
        )
    };
    let note = Diagnostic::new(&IMPORT_PROJECT, project.document, message).at(label);
    let help = "if your files have a Project, add the fields of the new one to it";
    imported.diagnostics.push(note.help(help));
}

/// The import of the resources of one system.
struct Run {
    adoption: &'static Adoption,
    migration: Option<&'static Migration>,
    found: Vec<Diagnostic>,
    /// The names of resources that others require, by namespace.
    added: SortedSet<(String, String)>,
    /// Whether the input has resources of the system.
    is_used: bool,
}

impl Run {
    fn convert(&mut self, objects: Vec<Object>) -> Vec<Object> {
        let groups = self.adoption.groups;
        let is_own = |it: &Object| groups.contains(&it.gvk().group());
        if !objects.iter().any(is_own) {
            return objects;
        }
        self.is_used = true;
        let (all, kinds) = (objects.clone(), SharedKinds::default());
        let mut slots = Vec::new();
        for it in objects {
            if is_own(&it) {
                let resources = self.current(it, &all, &kinds);
                slots.extend(resources.into_iter().map(|it| self.slot(it)));
            } else {
                slots.push(Slot::Object(it));
            }
        }
        self.keep_different(&mut slots);
        self.assemble(slots, &kinds)
    }

    /// Defines a resource, if that is possible.
    fn slot(&mut self, resource: Object) -> Slot {
        let mut notes = Vec::new();
        let mut expected = resource.clone();
        match (self.adoption.definition)(&mut expected.root, &mut notes) {
            Ok(mut definition) => {
                quote_expressions(&mut definition);
                Slot::Resource { resource, expected, definition: Some(definition), notes }
            }
            Err(refused) => {
                self.keep(&resource, refused.message);
                Slot::Object(resource)
            }
        }
    }

    fn keep(&mut self, resource: &Object, reason: impl Into<Message>) {
        let message = message!("`{}` is kept as an object: {}", resource.describe(), reason.into());
        let place = resource.document.start_point();
        self.found.push(Diagnostic::new(&IMPORT_KEPT, place, message).at("not a definition"));
    }

    /// Keeps the resources whose definitions would be other objects.
    fn keep_different(&mut self, slots: &mut [Slot]) {
        loop {
            let pairs = slots.iter().filter_map(|it| match it {
                Slot::Resource { expected, definition: Some(it), .. } => Some((expected, it)),
                _ => None,
            });
            let (resources, definitions): (Vec<_>, Vec<_>) = pairs.unzip();
            let different = differences(&resources, &definitions);
            let mut is_changed = false;
            for slot in slots.iter_mut() {
                let Slot::Resource { resource, definition, .. } = slot else { continue };
                let Some(reason) = different.get(&key_of(resource)) else { continue };
                if definition.take().is_some() {
                    is_changed = true;
                    let resource = resource.clone();
                    self.keep(&resource, reason.clone());
                }
            }
            if !is_changed {
                return;
            }
        }
    }

    /// The definitions, with what they have in common, and the other objects, in the order of the input.
    fn assemble(&mut self, slots: Vec<Slot>, kinds: &SharedKinds) -> Vec<Object> {
        let mut definitions = Vec::new();
        let mut resources = Vec::new();
        for (at, slot) in slots.iter().enumerate() {
            if let Slot::Resource { expected, definition: Some(definition), .. } = slot {
                definitions.push((at, definition.clone()));
                resources.push(expected);
            }
        }
        let shared = common_parts::share(&definitions, self.adoption.base);
        let nodes: Vec<_> = shared.iter().map(|it| &it.1).collect();
        let is_same =
            shared.len() == definitions.len() || differences(&resources, &nodes).is_empty();
        let mut by_slot: SortedMap<usize, Vec<Node>> = SortedMap::new();
        for (at, node) in if is_same { shared } else { definitions } {
            by_slot.entry(at).or_default().push(node);
        }
        let mut objects = Vec::new();
        for (at, slot) in slots.into_iter().enumerate() {
            match slot {
                Slot::Object(it) => objects.push(it),
                Slot::Resource { resource, definition: None, .. } => objects.push(resource),
                Slot::Resource { notes, resource, .. } => {
                    self.found.extend(notes);
                    let own = by_slot.remove(&at).into_iter().flatten();
                    objects.extend(own.map(|root| object(root, resource.document, kinds)));
                }
            }
        }
        objects
    }
}

fn key_of(object: &Object) -> Key {
    (object.gvk().kind().to_owned(), object.namespace().to_owned(), object.name().to_owned())
}

/// The resources that the definitions do not build, with the reasons.
fn differences(resources: &[&Object], definitions: &[&Node]) -> SortedMap<Key, Message> {
    let kinds = SharedKinds::default();
    let objects = |nodes: &[&Node]| {
        let object = |it: &&Node| object((*it).clone(), it.span(), &kinds);
        nodes.iter().map(object).collect::<Vec<_>>()
    };
    let roots: Vec<_> = resources.iter().map(|it| &it.root).collect();
    let [old, new] = [objects(&roots), objects(definitions)].map(|it| {
        let mut workspace = Workspace::new();
        workspace.add("<import>", emit_stream(&it));
        workspace
    });
    let mut options = Options::default();
    options.purpose = Purpose::Compare;
    let (before, after) = (compile(&old, &options), compile(&new, &options));
    let mut reasons = SortedMap::new();
    for change in diff::diff(&Side::new(&old, &before), &Side::new(&new, &after)).objects {
        let of = |it: &ObjectAt| (it.kind.clone(), it.namespace.clone(), it.name.clone());
        let reason = match (change.fate, change.fields.first()) {
            (Fate::Changed, Some(field)) => {
                message!("a definition would have another `{}`", field.path)
            }
            _ => error_of(&after.diagnostics),
        };
        for object in [&change.old, &change.new].into_iter().flatten() {
            reasons.insert(of(object), reason.clone());
        }
    }
    reasons
}

fn error_of(findings: &[Diagnostic]) -> Message {
    let first = findings.iter().find(|it| it.severity == Severity::Error);
    first.map_or_else(
        || "its definition would be another object".into(),
        |it| message!("its definition violates the rule `{}`", it.rule.name),
    )
}
