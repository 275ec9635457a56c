//! Fields that authors write in a definition because the object that it compiles to has them.

use super::Kind;
use crate::diag::{About, Diagnostic, FieldPath, Meant, PathStep, Sink, message, nearest};
use crate::tree::{Entry, Node};

/// A field of the object that a kind compiles to, which the definition has in another form.
#[derive(Debug)]
pub(crate) struct Moved {
    /// Its path: `spec.warmPoolRef`, or `spec.pools[].cpu` for each item of a list.
    pub(crate) path: &'static str,
    /// The replacement, as an imperative.
    pub(crate) instead: &'static str,
    /// The required field with the same meaning in the same object. If this field is set, the other
    /// one is not reported as missing.
    pub(crate) replaced_by: Option<&'static str>,
}

/// Adds the findings about a definition to `sink`. A field with the object's name for it gets the
/// definition's form as help, and the corresponding required field is not reported as missing.
pub(super) fn explain(kind: &Kind, root: &Node, findings: Sink, sink: &mut Sink) {
    for finding in findings.into_sorted() {
        let former = kind.moved.iter().find_map(|moved| moved.entry_instead(&finding, root));
        let finding = match former {
            Some(entry) => finding.same_mistake_as(entry.key_origin().span()),
            None => finding,
        };
        sink.report(match finding.details().about {
            About::UnknownField(_) => with_what_to_write(kind, finding),
            _ => finding,
        });
    }
}

/// Adds the definition's form of an unknown field as help.
fn with_what_to_write(kind: &Kind, mut finding: Diagnostic) -> Diagnostic {
    let Some(path) = &finding.details().path else { return finding };
    if is_expand(path) {
        let is_in_place = path.steps().len() == 1;
        let key = finding.primary.span;
        let text = "write `expand`";
        finding = finding.about(About::UnknownField(Some(Meant::Elsewhere))).without_advice();
        return if is_in_place {
            finding.suggest(key, "expand", text)
        } else {
            finding.help(message!("{text} at the top level, next to `metadata` and `spec`"))
        };
    }
    match kind.moved.iter().find(|it| it.is_at(path)) {
        Some(moved) => finding
            .about(About::UnknownField(Some(Meant::Elsewhere)))
            .without_advice()
            .help(moved.instead),
        None => finding,
    }
}

/// Whether the unknown field is `expand`, misspelled or at another level. The fields of `expand`
/// are not part of the schema: it is removed before the check.
fn is_expand(path: &FieldPath) -> bool {
    let is_near = path
        .last_field()
        .is_some_and(|key| key == "expand" || key.len() < 12 && nearest(key, ["expand"]).is_some());
    let is_above = |name: &&str| ["metadata", "spec"].contains(name);
    is_near && path.steps().len() <= 2 && path.fields().rev().skip(1).all(|field| is_above(&field))
}

impl Moved {
    /// A field without a required counterpart.
    pub(crate) const fn new(path: &'static str, instead: &'static str) -> Self {
        Self { path, instead, replaced_by: None }
    }

    fn is_at(&self, path: &FieldPath) -> bool {
        let own = FieldPath::from(self.path);
        let is_equal = |(own, step): (&PathStep, &PathStep)| match (own, step) {
            (PathStep::Key(any), PathStep::Index(_)) if any.is_empty() => true,
            _ => own == step,
        };
        own.steps().len() == path.steps().len()
            && own.steps().iter().zip(path.steps()).all(is_equal)
    }

    /// The entry with the object's name for the required field that a finding reports as missing.
    fn entry_instead<'r>(&self, finding: &Diagnostic, root: &'r Node) -> Option<&'r Entry> {
        let (owner, key) = self.path.rsplit_once('.').unwrap_or(("", self.path));
        let keys: Vec<_> = owner.split('.').collect();
        let About::MissingField(field) = &finding.details().about else { return None };
        let is_replaced = self.replaced_by == Some(&**field)
            && finding.details().path.as_ref().is_some_and(|path| path.is(&keys));
        is_replaced.then(|| root.at(&keys)?.entry(key)).flatten()
    }
}
