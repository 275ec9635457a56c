//! Server-side apply: the merge of an applied form into an object by the owners of its fields.
//!
//! The functions are those of `sigs.k8s.io/structured-merge-diff`, in the order in which the field manager of
//! `k8s.io/apimachinery` calls them. `tools/applying-oracle` compares them.

mod fields;
mod managers;
mod merge;
mod typed;

use std::fmt::{self, Display, Formatter};

use fields::shown_path;
pub use fields::{FieldSet, Scalar, Step};
pub use managers::{Manager, Managers, Operation};
use merge::Comparison;
pub use typed::Typed;

use super::forms::without_managed_fields;
use crate::kube::LAST_APPLIED;
use crate::tree::Node;

/// A field that another manager owns with another value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The manager.
    pub manager: Manager,
    /// The path, as the API server prints it.
    pub path: String,
    steps: Vec<Step>,
}

/// Why the API server rejects an apply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Other managers own fields with other values. They are sorted by manager.
    Conflicts(Vec<Conflict>),
    /// Two items of an applied list have one key.
    Repeated {
        /// The path of the list.
        path: String,
        /// The key.
        key: String,
    },
    /// An item of a list has none of the fields that identify it.
    NoKey {
        /// The path of the list.
        path: String,
        /// The index of the item.
        index: i64,
    },
    /// A field of a custom resource becomes null, which its type does not allow: nothing of its value is left, and the
    /// form still has the field.
    Null {
        /// The path of the field.
        path: String,
    },
}

impl Display for Failure {
    /// The message of the API server.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated { path, key } => {
                write!(out, "{path}: duplicate entries for key {key}")
            }
            Self::NoKey { path, index } => write!(
                out,
                "{path}: element {index}: associative list with keys has an element that omits all key fields"
            ),
            Self::Null { path } => {
                let field = path.trim_start_matches('.');
                write!(out, "{field}: Invalid value: \"null\"")
            }
            Self::Conflicts(conflicts) => match &conflicts[..] {
                [Conflict { manager, path, .. }] => {
                    write!(out, "Apply failed with 1 conflict: conflict with {manager}: {path}")
                }
                conflicts => {
                    write!(out, "Apply failed with {} conflicts: ", conflicts.len())?;
                    let mut last = None;
                    for (Conflict { manager, path, .. }, index) in conflicts.iter().zip(0..) {
                        let line = if index == 0 { "" } else { "\n" };
                        if last != Some(manager) {
                            write!(out, "{line}conflicts with {manager}:")?;
                            last = Some(manager);
                        }
                        write!(out, "\n- {path}")?;
                    }
                    Ok(())
                }
            },
        }
    }
}

/// A form that a manager applies.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// The form.
    pub form: &'r Node,
    /// The manager.
    pub manager: &'r str,
    /// Whether it takes over the fields of others.
    pub is_forced: bool,
}

/// The result of an apply.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The object, before the API server decodes it: what is removed can be null.
    object: Node,
    /// The owners of its fields.
    pub managers: Managers,
}

/// What the API server makes of a form that is applied over an object.
///
/// # Errors
/// If it rejects the form.
pub fn apply(
    ty: Typed<'_>,
    live: &Node,
    managers: &Managers,
    request: Request<'_>,
) -> Result<Merged, Failure> {
    let [live, form] = [live, request.form].map(|form| without_managed_fields(form.clone()));
    ty.check(&form, &mut Vec::new())?;
    let merged = merge::merge(ty, [Some(&live), Some(&form)])?;
    let merged = merged.unwrap_or_else(|| Node::map(form.origin()));
    let mut managers = managers.clone();
    let applier = Manager::applier(request.manager);
    let last = managers.replace(applier.clone(), ty.fields(&form));
    let object = match last.filter(|last| !last.is_empty()) {
        Some(last) => prune(ty, &merged, &managers, &last),
        None => merged,
    };
    let comparison = Comparison::of(ty, &live, &object);
    let changed = comparison.modified.union(&comparison.added);
    let conflicts = managers.conflicts(&applier, &changed);
    if !request.is_forced && !conflicts.is_empty() {
        return Err(Failure::Conflicts(conflicts));
    }
    managers.take(&applier, &changed, &comparison.removed);
    Ok(Merged { object, managers })
}

/// What `kubectl apply --server-side` does: where the object was applied client-side, it takes over its fields.
///
/// # Errors
/// If the API server rejects the form.
pub fn apply_with_kubectl(
    ty: Typed<'_>,
    live: &Node,
    managers: &Managers,
    request: Request<'_>,
) -> Result<Merged, Failure> {
    let first = match apply(ty, live, managers, request) {
        Err(Failure::Conflicts(mut conflicts)) => {
            let own = own_fields(ty, live).unwrap_or_default();
            conflicts.retain(|conflict| !own.contains(&conflict.steps));
            if !conflicts.is_empty() {
                return Err(Failure::Conflicts(conflicts));
            }
            apply(ty, live, managers, Request { is_forced: true, ..request })?
        }
        first => first?,
    };
    match first.managers.migrated(request.manager) {
        Some(managers) => apply(ty, &first.object, &managers, request),
        None => Ok(first),
    }
}

/// The fields of the form that was applied client-side which the object still has (`allowedConflictsFromLastApplied`).
fn own_fields(ty: Typed<'_>, live: &Node) -> Option<FieldSet> {
    let text = live.str_at(&["metadata", "annotations", LAST_APPLIED])?;
    let last = Node::from_json(serde_json::from_str(text).ok()?, live.origin());
    if last.str_at(&["apiVersion"]) != live.str_at(&["apiVersion"])
        || ty.check(&last, &mut Vec::new()).is_err()
        || ty.check(live, &mut Vec::new()).is_err()
    {
        return None;
    }
    let Comparison { removed, modified, added } = Comparison::of(ty, &last, live);
    Some(ty.fields(&last).difference(&modified).difference(&added).difference(&removed))
}

/// Removes what the manager applied last time and no longer applies, unless another one owns it (`prune`).
fn prune(ty: Typed<'_>, merged: &Node, managers: &Managers, last: &FieldSet) -> Node {
    let last = last.with_named_fields(ty);
    let of_merged = ty.fields(merged).with_named_fields(ty);
    let named_fields = |node: &Node| ty.fields(node).with_named_fields(ty);
    let pruned = merge::remove(ty, merged, &last);
    let owned = named_fields(&pruned).union(&managers.all().with_named_fields(ty));
    let pruned = merge::remove(ty, merged, &of_merged.difference(&owned));
    let gone = of_merged.difference(&named_fields(&pruned));
    merge::remove(ty, merged, &gone.intersection(&last))
}

impl Merged {
    /// Reads null as the API server does: in a map of a built-in kind it is an empty string, and in a field of a custom
    /// resource that has another type it is an error.
    pub(in crate::applying) fn read_nulls(&mut self, ty: Typed<'_>) -> Result<(), Failure> {
        ty.set_empty_strings(&mut self.object);
        ty.check_nulls(&self.object, &mut Vec::new())
    }

    /// The object, before the API server adds defaults.
    #[must_use]
    pub fn into_object(self) -> Node {
        let mut object = self.object;
        super::merge::discard_nulls(&mut object);
        object
    }
}

#[cfg(test)]
mod tests;
