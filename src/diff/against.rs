//! The findings about an update alone: what the API server rejects when one set of objects is applied
//! over another one.

use super::pairs::pairs;
use super::{Side, with_cx};
use crate::diag::Diagnostic;
use crate::findings::secrecy;
use crate::parallel::ordered_map;
use crate::sorted::CompactSort as _;
use crate::source::Span;

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
    let updates = pairs(old, new).into_iter().filter(|it| !it.is_renamed);
    let updates = updates.filter_map(|it| it.old.zip(it.new)).collect();
    let found = with_cx([old, new], |cx| ordered_map(updates, |(old, new)| cx.refusals(old, new)));
    let mut diagnostics: Vec<_> = found.into_iter().flatten().map(|it| it.finding).collect();
    diagnostics.compact_sort_by_key(|it| it.primary.span);
    let secrets = secrecy::redact(new.workspace, diagnostics.iter_mut().collect());
    UpdateFindings { diagnostics, secrets }
}
