//! `Kind`: one kind of definition, as the registry of all kinds lists it.

use super::{API_GROUP, API_VERSION, Definition, Instance, Lowering, Moved};
use crate::decode::{Docs, Field, Record};
use crate::diag::{Diagnostic, Sink, declare_rules, nearest};
use crate::kube::GroupVersionKind;
use crate::schema::Object;
use crate::tree::Node;

declare_rules! {
    DEFINITION_KIND_UNKNOWN = "definition-kind-unknown", Error;
    DEFINITION_VERSION_UNKNOWN = "definition-version-unknown", Error;
}

/// One kind of definition.
#[derive(Debug)]
pub(crate) struct Kind {
    /// `Template`.
    pub(crate) name: &'static str,
    /// What its documents are held to.
    pub(crate) document: &'static Object<'static>,
    /// The doc comments of its spec.
    pub(crate) docs: &'static Docs,
    /// Whether `extends` of other definitions can name it.
    pub(crate) is_extensible: bool,
    /// Group and kind of the object that others refer to by the definition's name.
    pub(crate) compiles_to: (&'static str, &'static str),
    /// Fields of that object which the definition has in another form.
    pub(crate) moved: &'static [Moved],
    /// Compiles one definition that was checked against `document`.
    pub(crate) lower: fn(Instance, &mut Lowering<'_, '_>),
}

impl Kind {
    /// The kind of a definition, out of all kinds; a wrong `apiVersion` or `kind` is reported.
    pub(crate) fn of(
        root: &Node,
        kinds: &'static [&'static [Self]],
        sink: &mut Sink,
    ) -> Option<&'static Self> {
        let version = root.get("apiVersion")?;
        if version.as_str() != Some(API_VERSION) {
            sink.report(
                Diagnostic::new(
                    &DEFINITION_VERSION_UNKNOWN,
                    version.span(),
                    format!(
                        "there is no version `{}` of definitions",
                        version.as_str().unwrap_or("")
                    ),
                )
                .at("not a version of the language")
                .suggest(
                    version.span(),
                    API_VERSION,
                    "use the version that exists",
                ),
            );
            return None;
        }
        let Some(kind) = root.get("kind") else {
            sink.report(without_kind(root, version, kinds));
            return None;
        };
        let name = kind.as_str().unwrap_or("");
        let found = all(kinds).find(|it| it.name == name);
        if found.is_none() {
            sink.report(unknown(kind, kinds));
        }
        found
    }
}

/// No `kind`, or one that is written otherwise: `Kind`.
fn without_kind(root: &Node, version: &Node, kinds: &'static [&'static [Kind]]) -> Diagnostic {
    let finding =
        |span| Diagnostic::new(&DEFINITION_KIND_UNKNOWN, span, "the definition has no `kind`");
    let is_short = |key: &str| key.len() <= 2 * "kind".len();
    let misspelt = root.entries().iter().filter(|it| is_short(&it.key)).map(|it| {
        let near = nearest(&it.key, ["kind"]);
        near.map(|near| (it.key_origin.span(), near))
    });
    match misspelt.flatten().next() {
        Some((span, near)) => {
            finding(span).at("no such field").suggest(span, near, format!("did you mean `{near}`?"))
        }
        None => finding(version.span()).help(format!("add `kind:` with one of {}", names(kinds))),
    }
}

fn unknown(kind: &Node, kinds: &'static [&'static [Kind]]) -> Diagnostic {
    let name = kind.as_str().unwrap_or("");
    let finding = Diagnostic::new(
        &DEFINITION_KIND_UNKNOWN,
        kind.span(),
        format!("there is no kind `{name}` of definitions"),
    )
    .at("unknown kind");
    // `SandboxClaim` is what a Claim compiles to.
    if let Some(meant) = all(kinds).find(|it| it.compiles_to.1 == name) {
        let group = meant.compiles_to.0;
        return finding
            .note(format!(
                "`{name}` is a kind of `{group}`: its fields are not those of a definition"
            ))
            .suggest(kind.span(), meant.name, format!("write `kind: {}`", meant.name));
    }
    if let Some(meant) = nearest(name, all(kinds).map(|it| it.name)) {
        return finding.suggest(kind.span(), meant, format!("did you mean `{meant}`?"));
    }
    finding.help(format!("the kinds are {}", names(kinds)))
}

/// Reads an instance as a kind's definition and lowers it.
pub(crate) fn read_and<S: Record + Field>(
    instance: Instance,
    lowering: &mut Lowering<'_, '_>,
    lower: fn(Definition<S>, &mut Lowering<'_, '_>),
) {
    let Instance { kind: _, root, document } = instance;
    if let Some(definition) = Definition::read(root, document) {
        lower(definition, lowering);
    }
}

/// Whether an object is a definition but for a slip in the name of the group: `sandbox.dev/v1alpha1`.
pub(crate) fn is_slip(kinds: &'static [&'static [Kind]], gvk: &GroupVersionKind) -> bool {
    let is_version =
        API_VERSION.rsplit_once('/').is_some_and(|(_, version)| version == gvk.version);
    is_version
        && gvk.group.len() <= 2 * API_GROUP.len()
        && nearest(&gvk.group, [API_GROUP]).is_some()
        && all(kinds).any(|kind| kind.name == gvk.kind)
}

fn all(kinds: &'static [&'static [Kind]]) -> impl Iterator<Item = &'static Kind> {
    kinds.iter().copied().flatten()
}

fn names(kinds: &'static [&'static [Kind]]) -> String {
    let names: Vec<_> = all(kinds).map(|kind| format!("`{}`", kind.name)).collect();
    names.join(", ")
}
