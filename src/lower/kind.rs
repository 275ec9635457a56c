//! `Kind`: one kind of definition, as an entry in the list of all kinds.

use lean_string::LeanStr;

use super::{API_GROUP, API_VERSION, Definition, Dialect, Instance, Lowering, Moved, Setup};
use crate::decode::{Docs, Field, Record};
use crate::diag::{About, Diagnostic, Reported, Sink, declare_rules, message, nearest};
use crate::kube::GroupVersionKind;
use crate::schema::{self, Object};
use crate::tree::{Entry, Node};

declare_rules! {
    DEFINITION_KIND_UNKNOWN = "definition-kind-unknown", Error;
    DEFINITION_VERSION_UNKNOWN = "definition-version-unknown", Error;
}

/// One kind of definition.
#[derive(Debug)]
pub(crate) struct Kind {
    /// `Template`.
    pub(crate) name: &'static str,
    /// The type of its documents.
    pub(crate) document: &'static Object<'static>,
    /// The doc comments of its spec.
    pub(crate) docs: &'static Docs,
    /// Whether other definitions can refer to it (`extends`, `runner`, `dependsOn`), or are checked
    /// together with it: see [`Instances`](super::Instances).
    pub(crate) is_referenced: bool,
    /// Whether `lower` can reject a definition that fits its schema, or `declares` reads more than the metadata.
    /// Otherwise no copy is kept while it is compiled: a run can have a million.
    pub(crate) can_fail: bool,
    /// Group and kind of the objects that it compiles to, with the one that others refer to first.
    /// An author who writes one of these kinds probably means this kind. Empty if it compiles to no
    /// objects on its own.
    pub(crate) compiles_to: &'static [(&'static str, &'static str)],
    /// The objects that a valid definition with this name would have: a reference to one of them is
    /// not reported as missing if the definition has a fault. [`same_name`] for most kinds.
    pub(crate) declares: fn(&Instance, &Setup) -> Vec<ObjectKey>,
    /// Fields of these objects that the definition has in another form.
    pub(crate) moved: &'static [Moved],
    /// Compiles one definition that was checked against `document`. An error means that objects are
    /// missing, or have stand-ins, because of a fault that was reported, here or elsewhere: see
    /// [`Faults`](super::Faults).
    pub(crate) lower: fn(Instance, &mut Lowering<'_, '_>) -> Result<(), Reported>,
}

/// An object that a definition is compiled to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ObjectKey {
    /// `batch`; empty for the core group.
    pub(crate) group: &'static str,
    /// `Job`.
    pub(crate) kind: &'static str,
    /// The namespace; empty if absent, and for cluster-scoped kinds.
    pub(crate) namespace: LeanStr,
    /// Its name.
    pub(crate) name: LeanStr,
}

impl ObjectKey {
    /// An object in the namespace of the definition.
    pub(crate) fn of(
        instance: &Instance,
        group: &'static str,
        kind: &'static str,
        name: impl Into<LeanStr>,
    ) -> Self {
        Self { group, kind, namespace: instance.namespace().into(), name: name.into() }
    }
}

/// The objects of a kind whose objects have the definition's own name and namespace.
pub(crate) fn same_name(instance: &Instance, _: &Setup) -> Vec<ObjectKey> {
    let objects = instance.kind.compiles_to.iter();
    objects.map(|(group, kind)| ObjectKey::of(instance, group, kind, instance.name())).collect()
}

impl Kind {
    /// The kind of a definition; reports a wrong `apiVersion` or `kind`.
    pub(crate) fn of(
        root: &Node,
        dialects: &'static [&'static Dialect],
        sink: &mut Sink,
    ) -> Option<&'static Self> {
        let version = root.get("apiVersion").filter(|version| version.as_str() != Some(""));
        let Some(version) = version else {
            sink.report(missing_version(root));
            return None;
        };
        if version.as_str() != Some(API_VERSION) {
            sink.report(
                Diagnostic::new(
                    &DEFINITION_VERSION_UNKNOWN,
                    version.span(),
                    message!(
                        "unknown `apiVersion` of a definition: `{}`",
                        version.as_str().unwrap_or("")
                    ),
                )
                .at("unknown version")
                .about(About::UnknownKind)
                .fix(version.span(), API_VERSION, "use the existing version"),
            );
            return None;
        }
        let Some(kind) = root.get("kind") else {
            sink.report(missing_kind(root, version, dialects));
            return None;
        };
        let name = kind.as_str().unwrap_or("");
        let found = all_kinds(dialects).find(|kind| kind.name == name);
        if found.is_none() {
            sink.report(unknown_kind(kind, dialects));
        }
        found
    }
}

/// Reports a missing `apiVersion` of a kind that only definitions have.
fn missing_version(root: &Node) -> Diagnostic {
    let key = "apiVersion";
    let entries = root.entries();
    let is_short = |entry: &&Entry| entry.key.len() <= 2 * key.len();
    let own = entries.iter().find(|entry| entry.key == key);
    let misspelt = entries
        .iter()
        .filter(is_short)
        .find(|entry| nearest(&entry.key, [key]).is_some() && own.is_none());
    let start = own
        .or(misspelt)
        .or(entries.first())
        .map_or_else(|| root.span().start_point(), |entry| entry.key_origin().span());
    let message = "missing `apiVersion` of a definition";
    let finding =
        Diagnostic::new(&DEFINITION_VERSION_UNKNOWN, start, message).about(About::UnknownKind);
    match misspelt {
        Some(_) => {
            finding.at("unknown field").suggest(start, key, message!("did you mean `{key}`?"))
        }
        None => finding
            .at(if own.is_some() { "has no value" } else { "needs `apiVersion`" })
            .help(message!("write `{key}: {API_VERSION}`")),
    }
}

/// Reports a missing `kind`, or one with another capitalization: `Kind`.
fn missing_kind(root: &Node, version: &Node, dialects: &'static [&'static Dialect]) -> Diagnostic {
    let finding = |span| {
        Diagnostic::new(&DEFINITION_KIND_UNKNOWN, span, "missing `kind` in a definition")
            .about(About::UnknownKind)
    };
    let empty = root.entries().iter().find(|entry| entry.key == "kind");
    if let Some(empty) = empty {
        return finding(empty.key_origin().span())
            .at("has no value")
            .help(message!("write one of {}", list_kinds(dialects)));
    }
    let is_short = |key: &str| key.len() <= 2 * "kind".len();
    let misspelt = root.entries().iter().filter(|entry| is_short(&entry.key)).map(|entry| {
        let near = nearest(&entry.key, ["kind"]);
        near.map(|near| (entry.key_origin().span(), near))
    });
    match misspelt.flatten().next() {
        Some((span, near)) => finding(span).at("unknown field").suggest(
            span,
            near,
            message!("did you mean `{near}`?"),
        ),
        None => finding(version.span())
            .help(message!("add `kind` with one of {}", list_kinds(dialects))),
    }
}

fn unknown_kind(kind: &Node, dialects: &'static [&'static Dialect]) -> Diagnostic {
    let name = kind.as_str().unwrap_or("");
    let finding = Diagnostic::new(
        &DEFINITION_KIND_UNKNOWN,
        kind.span(),
        message!("unknown kind `{name}` of a definition"),
    )
    .at("unknown kind")
    .about(About::UnknownKind);
    // `SandboxClaim` is what a Claim compiles to.
    let object_of = |kind: &'static Kind| kind.compiles_to.iter().find(|object| object.1 == name);
    let meant = all_kinds(dialects).find_map(|kind| Some((kind, object_of(kind)?)));
    if let Some((meant, (group, _))) = meant {
        return finding
            .note(message!(
                "`{name}` is a kind of the API group `{group}`, whose fields differ from those of \
                a definition"
            ))
            .suggest(kind.span(), meant.name, message!("write `kind: {}`", meant.name));
    }
    if let Some(meant) =
        nearest(name, all_kinds(dialects).map(|it| it.name).chain(["Project", "Test"]))
    {
        return finding.suggest(kind.span(), meant, message!("did you mean `{meant}`?"));
    }
    finding.help(message!("known kinds: {}", list_kinds(dialects)))
}

/// The return type of a lowering: `()` if it cannot fail, else a result.
pub(crate) trait Outcome {
    /// The same as a result.
    fn into_result(self) -> Result<(), Reported>;
}

impl Outcome for () {
    fn into_result(self) -> Result<(), Reported> {
        Ok(self)
    }
}

impl Outcome for Result<(), Reported> {
    fn into_result(self) -> Self {
        self
    }
}

/// Reads an instance as a kind's definition and lowers it.
pub(crate) fn read_and<S: Record + Field, O: Outcome>(
    instance: Instance,
    lowering: &mut Lowering<'_, '_>,
    lower: fn(Definition<S>, &mut Lowering<'_, '_>) -> O,
) -> Result<(), Reported> {
    let definition = read(instance, lowering.sink)?;
    lower(definition, lowering).into_result()
}

/// Reads an instance as a kind's definition.
///
/// # Errors
/// If its fields cannot be read, which its schema accepts.
pub(crate) fn read<S: Record + Field>(
    instance: Instance,
    sink: &mut Sink,
) -> Result<Definition<S>, Reported> {
    let Instance { kind, root, document } = instance;
    Definition::read(root, document).ok_or_else(|| {
        let message = message!("the {} is not compiled: its fields cannot be read", kind.name);
        sink.error(schema::bug(document.start_point(), message))
    })
}

/// Whether an object is a definition with a typo in the name of the group: `sandbox.dev/v1alpha1`,
/// with the `apiVersion` of a built-in kind, or without one.
pub(crate) fn is_slip(dialects: &'static [&'static Dialect], gvk: &GroupVersionKind) -> bool {
    let is_kind = || gvk.kind == "Project" || all_kinds(dialects).any(|kind| kind.name == gvk.kind);
    if gvk.group.is_empty() && gvk.version.is_empty() {
        return is_kind() && schema::store::kinds_named(&gvk.kind).is_empty();
    }
    let is_of_kubernetes = !gvk.group.contains('.') || gvk.group.ends_with(".k8s.io");
    if is_of_kubernetes && !gvk.version.is_empty() {
        return is_kind() && schema::store::kinds_named(&gvk.kind).is_empty();
    }
    let is_version =
        API_VERSION.rsplit_once('/').is_some_and(|(_, version)| version == gvk.version);
    is_version
        && gvk.group.len() <= 2 * API_GROUP.len()
        && nearest(&gvk.group, [API_GROUP]).is_some()
        && is_kind()
}

fn all_kinds(dialects: &'static [&'static Dialect]) -> impl Iterator<Item = &'static Kind> {
    dialects.iter().flat_map(|it| it.kinds)
}

fn list_kinds(dialects: &'static [&'static Dialect]) -> String {
    let names: Vec<_> = all_kinds(dialects).map(|kind| format!("`{}`", kind.name)).collect();
    names.join(", ")
}
