//! The findings about an update alone: what the API server rejects when one set of objects is applied
//! over another one.

use super::compare::BothSides;
use super::pairs::{Pair, pairs};
use super::unbuilt::Unbuilt;
use super::{Side, with_cx};
use crate::diag::Diagnostic;
use crate::findings::secrecy;
use crate::parallel::ordered_map;
use crate::sorted::CompactSort as _;
use crate::source::Span;
use crate::validate::request::too_large_to_apply;

/// What the API server rejects in an update.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UpdateFindings {
    /// The findings, sorted by position on the new side, without the values of secrets.
    pub diagnostics: Vec<Diagnostic>,
    /// The values of secrets near them: call [`Workspace::mask`](crate::Workspace::mask) with them
    /// before you show source text of the new side.
    pub secrets: Vec<Span>,
}

/// Judges the update of the old side to the new one, both compiled for
/// [`Purpose::Compare`](crate::Purpose::Compare).
///
/// ```
/// use sandboxc::{DiffSide, Options, Purpose, Workspace, check_update, compile};
///
/// let mut options = Options::default();
/// options.purpose = Purpose::Compare;
/// let [old, new] = ["a", "b"].map(|value| {
///     let mut workspace = Workspace::new();
///     let text = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\nimmutable: true\ndata: {{a: {value}}}\n");
///     workspace.add("map.yaml", text);
///     workspace
/// });
/// let compiled = [&old, &new].map(|it| compile(it, &options));
/// let [before, after] = &compiled;
/// let found = check_update(&DiffSide::new(&old, before), &DiffSide::new(&new, after));
/// assert_eq!(found.diagnostics[0].rule.name, "field-immutable");
/// ```
#[must_use]
pub fn check_update(old: &Side<'_>, new: &Side<'_>) -> UpdateFindings {
    let pairs = pairs(old, new, &Unbuilt::of(old));
    let found = with_cx([old, new], |sides| ordered_map(pairs, |pair| sides.findings_of(pair)));
    let mut diagnostics: Vec<_> = found.into_iter().flatten().collect();
    diagnostics.compact_sort_by_key(|it| it.primary.span);
    let secrets = secrecy::redact(new.workspace, diagnostics.iter_mut().collect());
    UpdateFindings { diagnostics, secrets }
}

impl BothSides<'_> {
    /// The findings about applying the new form of a pair.
    fn findings_of(&self, pair: Pair<'_>) -> Vec<Diagnostic> {
        let Some(new) = pair.new else { return Vec::new() };
        let old = pair.old.filter(|_| !pair.is_renamed);
        let refusals = old.map_or_else(Vec::new, |old| self.refusals(old, new));
        let is_same = old.is_some_and(|old| old.root.same_value(&new.root));
        let size = (!is_same && self.is_too_large(new)).then(|| too_large_to_apply(new));
        refusals.into_iter().map(|refusal| refusal.finding).chain(size).collect()
    }
}
