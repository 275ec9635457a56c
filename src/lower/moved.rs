//! Fields that authors write in a definition because the object that it compiles to has them.

use super::Kind;
use crate::diag::{Diagnostic, Sink, nearest};
use crate::schema::{FIELD_MISSING, UNKNOWN_FIELD};
use crate::tree::Node;

/// A field of the object that a kind compiles to, which the definition has in another form.
#[derive(Debug)]
pub(crate) struct Moved {
    /// Its path: `spec.warmPoolRef`.
    pub(crate) path: &'static str,
    /// What to write instead, as an imperative.
    pub(crate) instead: &'static str,
    /// The required field beside it that says the same, and is not missed where this one stands.
    pub(crate) replaced_by: Option<&'static str>,
}

/// Hands the findings on a definition over to `sink`. A field that is found under the object's name for
/// it gets the definition's form as help, and is not missed as well.
pub(super) fn explain(kind: &Kind, root: &Node, findings: Sink, sink: &mut Sink) {
    for mut finding in findings.into_sorted() {
        if kind.moved.iter().any(|moved| moved.stands_for(&finding, root)) {
            continue;
        }
        let is_here = |moved: &&Moved| finding.path.as_deref() == Some(moved.path);
        let is_unknown = finding.rule == &UNKNOWN_FIELD;
        if is_unknown && is_expand(&finding) {
            finding.help = vec!["write `expand` beside `metadata` and `spec`, not indented".into()];
            finding.notes.clear();
        } else if is_unknown && let Some(moved) = kind.moved.iter().find(is_here) {
            finding.help = vec![moved.instead.to_owned()];
            finding.notes.clear();
            finding.suggestions.clear();
        }
        sink.report(finding);
    }
}

/// Whether the unknown field is `expand`, at another level or in another spelling. What may stand
/// there is no part of the schema: it is gone before that is asked.
fn is_expand(finding: &Diagnostic) -> bool {
    let path = finding.path.as_deref().unwrap_or_default();
    let (owner, key) = path.rsplit_once('.').unwrap_or(("", path));
    let is_near = key == "expand" || key.len() < 12 && nearest(key, ["expand"]).is_some();
    is_near && ["", "metadata", "spec"].contains(&owner)
}

impl Moved {
    /// Whether the finding misses what this field says.
    fn stands_for(&self, finding: &Diagnostic, root: &Node) -> bool {
        let (owner, key) = self.path.rsplit_once('.').unwrap_or(("", self.path));
        let keys: Vec<_> = owner.split('.').collect();
        finding.rule == &FIELD_MISSING
            && finding.path.as_deref() == Some(owner)
            && self.replaced_by.is_some_and(|it| finding.primary.text == format!("needs `{it}`"))
            && root.at(&keys).is_some_and(|it| it.get(key).is_some())
    }
}
