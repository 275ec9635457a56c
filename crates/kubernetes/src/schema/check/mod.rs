//! The schema walker: checks a tree against a type, as strictly as the API server decodes it.
//!
//! One run finds all faults of a document: unknown fields at every depth, wrong types, values that
//! the decoder rejects, missing fields, values outside an enum. Each fault is reported once, at the
//! author's key or value. A valid tree costs no allocation. The recursion is as deep as the tree,
//! which the parser limits.

mod earlier;
mod fit;
mod former;
mod hints;
mod levels;
mod list;
mod metadata;
mod missing;
mod moved_lines;
mod object;
mod owners;
mod rules;
mod scalar;
mod slips;
#[cfg(test)]
mod tests;
mod text;
mod unknown;

pub use earlier::Earlier;
pub use metadata::check_annotations_size;
pub use rules::ENUM_VALUE_UNKNOWN;
pub use rules::INTERNAL;
pub use rules::ITEM_LOST_ON_APPLY;
pub(super) use rules::{BASE64_INVALID, QUANTITY_INVALID};
pub use rules::{DATE_TIME_INVALID, FIELD_MISSING, UNKNOWN_FIELD, WRONG_TYPE};

use super::{
    Constraint, Constraints, Format, KubernetesVersion, List, ListType, Object, Type,
    check_constraints, constraint_check, defaulted::defaulted,
};
use crate::diag::{Diagnostic, Message, Rule, Sink, message};
use crate::limits::Fuel;
use crate::source::{Span, Workspace};
use crate::tree::{Entry, Map, Node, Origin, Path, Value};

/// The rules of this module.
pub static RULES: &[&[&Rule]] = &[rules::RULES, metadata::RULES, constraint_check::RULES];

/// The decoder that reads the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Go types: `null` counts as absent, and lists can have duplicate items.
    BuiltIn,
    /// A structural schema: `null` in a list requires `nullable`, and items of sets and map lists
    /// are unique.
    Custom,
    /// A default in a structural schema, which is checked before the server sets other defaults or
    /// drops a `null`.
    Default,
}

/// The settings of a check.
#[derive(Clone, Copy, Debug)]
pub struct CheckContext<'c> {
    target: KubernetesVersion,
    mode: Mode,
    what: &'c str,
    texts: Option<&'c Workspace>,
    /// What the check may spend. The types of built-in kinds are small.
    fuel: Option<&'c Fuel<'c>>,
    /// Whether the tree is an object that kubectl applies by its types.
    is_applied: bool,
}

impl<'c> CheckContext<'c> {
    /// Settings for an object of a built-in kind; `what` is the kind.
    pub const fn built_in(target: KubernetesVersion, what: &'c str) -> Self {
        let (texts, fuel, is_applied) = (None, None, false);
        Self { target, mode: Mode::BuiltIn, what, texts, fuel, is_applied }
    }

    /// Settings for a definition of the language, which is decoded like a built-in kind; `what` is
    /// its kind.
    pub const fn definition(target: KubernetesVersion, what: &'c str) -> Self {
        Self::built_in(target, what)
    }

    /// Settings for the language's own settings, which contain no Kubernetes type and so are the
    /// same for all target versions.
    pub const fn settings(what: &'c str) -> Self {
        Self::built_in(KubernetesVersion::NEWEST, what)
    }

    /// Settings for a custom resource; `what` is the kind.
    pub const fn custom(target: KubernetesVersion, what: &'c str) -> Self {
        Self { mode: Mode::Custom, ..Self::built_in(target, what) }
    }

    /// Settings for a default in the schema of a custom resource.
    pub const fn default_value(target: KubernetesVersion) -> Self {
        Self { mode: Mode::Default, ..Self::built_in(target, "default") }
    }

    /// The settings for an object that kubectl applies by its types.
    #[must_use]
    pub const fn of_applied_object(self) -> Self {
        Self { is_applied: true, ..self }
    }

    /// Adds the source files of the tree, so that scalars are checked and quoted as written.
    #[must_use]
    pub const fn with_texts(self, texts: &'c Workspace) -> Self {
        Self { texts: Some(texts), ..self }
    }

    /// Adds the fuel that the check may spend. Out of fuel, the rest of the tree is accepted.
    #[must_use]
    pub const fn with_fuel(self, fuel: &'c Fuel<'c>) -> Self {
        Self { fuel: Some(fuel), ..self }
    }

    /// The version of the API server.
    pub(super) const fn target(&self) -> KubernetesVersion {
        self.target
    }

    /// Spends a number of steps, and returns whether the check may go on.
    pub(super) fn spend(&self, steps: impl FnOnce() -> usize) -> bool {
        self.fuel.is_none_or(|fuel| fuel.spend(steps()))
    }
}

/// Reports every fault of `root` as a value of type `ty`.
pub fn check(root: &Node, ty: Type<'_>, cx: &CheckContext<'_>, sink: &mut Sink) {
    check_at(root, Path::root(), ty, cx, sink);
}

/// Like [`check`], for a part of an object; `path` is its path.
pub fn check_at(root: &Node, path: Path<'_>, ty: Type<'_>, cx: &CheckContext<'_>, sink: &mut Sink) {
    let mut walk = Walk { cx, sink, advice: Fuel::of(HINTS), stray: None };
    let place = Position {
        path,
        key: if cx.mode == Mode::Default { cx.what } else { "" },
        at: root.span().start_point(),
        scope: None,
        mode: cx.mode,
        is_status: false,
        is_item: false,
    };
    walk.value(root, ty, &place);
}

/// The number of unknown names per document that are compared with the known ones. It limits the
/// work for hostile input; later findings have no suggestions.
const HINTS: u64 = 40;

struct Walk<'w> {
    cx: &'w CheckContext<'w>,
    sink: &'w mut Sink,
    advice: Fuel<'static>,
    /// A key that belongs elsewhere, where the following items of its list belong as well.
    stray: Option<Span>,
}

/// The steps of the comparison of a value with a type, excluding the values in it.
fn steps(node: &Node, ty: Type<'_>) -> usize {
    match ty.base() {
        Type::Object(object) => 1 + object.properties.len(),
        Type::Enum(values) => 1 + values.len(),
        Type::List(List { identity: ListType::Map(keys), .. }) => {
            1 + keys.len().saturating_mul(node.items().len())
        }
        _ => 1,
    }
}

/// Whether the value is a map or a list, as the type requires.
fn is_alike(node: &Node, ty: Type<'_>) -> bool {
    matches!(
        (&node.value, ty.resolve()),
        (Value::Map(_), Type::Object(_) | Type::Map(_)) | (Value::List(_), Type::List(_))
    )
}

/// The current position of the walk.
#[derive(Clone, Copy)]
struct Position<'p> {
    path: Path<'p>,
    /// The key of the field, or of the field that holds the list; empty at the root.
    key: &'p str,
    /// The span to report when a field is missing in the value: its key, or its first byte.
    at: Span,
    /// The objects around the value.
    scope: Option<&'p Scope<'p>>,
    mode: Mode,
    /// Whether the value is in `status` of a built-in kind, which the API server clears on
    /// creation: it must decode, but is not validated.
    is_status: bool,
    /// Whether the value is an item of the list under `key`.
    is_item: bool,
}

/// An enclosing object of the current value.
#[derive(Clone, Copy)]
struct Scope<'p> {
    object: &'p Object<'p>,
    path: &'p Path<'p>,
    parent: Option<&'p Scope<'p>>,
    map: &'p Map,
    /// The key of the object, or its first key where it is an item of a list.
    at: Span,
    is_item: bool,
}

impl Walk<'_> {
    /// Checks one value. Findings above the limit of a document are not even made.
    fn value(&mut self, node: &Node, ty: Type<'_>, place: &Position<'_>) {
        let ty = ty.resolve();
        if self.sink.is_full() || !self.cx.spend(|| steps(node, ty)) {
            return;
        }
        let ty = match ty {
            Type::Constrained(constrained) => {
                if node.is_null() && constrained.is_nullable {
                    // A string enum never allows `null`, even if it lists it.
                    if let Some((count, first)) = constrained.enum_values() {
                        let valid = text::values(count, first.iter().map(String::as_str));
                        self.null_outside_of_enum(node, &valid, place);
                    }
                    return;
                }
                if node.is_null() && place.drops_null() {
                    return;
                }
                let sink = &mut *self.sink;
                let defaulted = defaulted(constrained, node);
                check_constraints(
                    self.cx,
                    constrained.constraints,
                    defaulted.as_ref().unwrap_or(node),
                    &place.path,
                    &mut |at, finding| {
                        // The quantity check is more specific than the pattern.
                        let amount = (finding.rule == &QUANTITY_INVALID)
                            .then(|| scalar::quantity_fault(node, place.key))
                            .flatten()
                            .map(|it| it.path(&place.path));
                        sink.report(blame(at, amount.unwrap_or(finding)));
                    },
                );
                if let Some(otherwise) = constrained.otherwise()
                    && !is_alike(node, constrained.base)
                {
                    return self.value(node, otherwise, place);
                }
                // Strings with a format are checked by now. A plain scalar is a valid timestamp
                // here, so readers that take it for one are right.
                if node.as_str().is_some() && is_time(constrained.constraints) {
                    return;
                }
                constrained.base.resolve()
            }
            other => other,
        };
        if node.is_null() {
            self.null(node, ty, place);
            return;
        }
        match ty {
            Type::Any => {}
            Type::Object(object) => self.object(node, object, place),
            Type::Map(values) => self.map(node, *values, place),
            Type::List(list) => self.list(node, list, place),
            Type::NameOr(_) if node.as_str().is_some() => {}
            Type::NameOr(inline) => self.value(node, *inline, place),
            scalar => self.scalar(node, scalar, place),
        }
    }

    fn map(&mut self, node: &Node, values: Type<'_>, place: &Position<'_>) {
        let Some(map) = node.as_map() else {
            self.wrong_type(node, Type::Map(&values), place);
            return;
        };
        for entry in map.entries() {
            let path = place.path.key(&entry.key);
            self.value(
                &entry.value,
                values,
                &Position {
                    path,
                    key: &entry.key,
                    at: entry.key_origin().span(),
                    is_item: false,
                    ..*place
                },
            );
        }
    }

    fn report(&mut self, origin: Origin, place: &Position<'_>, finding: Diagnostic) {
        let finding = self.stray.into_iter().fold(finding, Diagnostic::same_mistake_as);
        self.sink.report(blame(origin, finding.path(&place.path)));
    }

    /// The value as written in the source, if the source is known.
    fn written(&self, node: &Node) -> Option<&str> {
        let texts = self.cx.texts.filter(|_| node.origin().layer().is_none())?;
        Some(texts.slice(node.span()))
    }

    /// Whether another unknown name may be compared with the known ones.
    fn may_hint(&self) -> bool {
        self.advice.spend(1) && !self.sink.is_terse()
    }
}

fn is_time(constraints: Constraints<'_>) -> bool {
    constraints
        .iter()
        .any(|constraint| matches!(constraint, Constraint::Format(Format::Date | Format::DateTime)))
}

const REPORT_IT: &str = "this is a bug in sandboxc: please report it with the input";

/// A fault of this compiler instead of the input. The code that finds it relies on a check that came before.
pub fn bug(place: Span, message: Message) -> Diagnostic {
    Diagnostic::new(&INTERNAL, place, message).help(REPORT_IT)
}

/// Turns an invalid value of a built-in layer into a bug report for this compiler.
fn blame(origin: Origin, finding: Diagnostic) -> Diagnostic {
    let Some(layer) = origin.layer() else { return finding };
    let preface = message!("{} set an invalid value", layer.describe());
    finding.of_other_rule(&INTERNAL, origin.span(), &preface).help(REPORT_IT)
}

/// The span that represents a list item: its first key, or its first byte.
fn start_of(item: &Node) -> Span {
    item.entries()
        .first()
        .map_or_else(|| item.span().start_point(), |first: &Entry| first.key_origin().span())
}
