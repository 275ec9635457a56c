//! Shared fields that a kind does not have, because the system sets them itself.

use super::fields::{ContainerFields, PodSpecFields};
use super::pod::PodPart;
use crate::diag::{Diagnostic, Sink, message};
use crate::merge::GUARDED_FIELD;
use crate::tree::{Entry, Node, Value};

/// A shared field that a kind does not have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused {
    /// The field of `spec`: `command`.
    pub(crate) field: &'static str,
    /// The owner of the field, to follow "belongs to": `the entry point of the agent`.
    pub(crate) owner: &'static str,
    /// The alternative for the author, as an imperative.
    pub(crate) help: &'static str,
}

/// Removes the rejected fields from a definition's layers, and reports each.
pub(super) fn take_out(part: &mut PodPart, container: &str, refused: &[Refused], sink: &mut Sink) {
    for field in refused {
        let of_pod = name_in(PodSpecFields::NAMES, field.field);
        let is_of_pod = of_pod.is_some();
        let Some(key) = of_pod.or_else(|| name_in(ContainerFields::NAMES, field.field)) else {
            continue;
        };
        let mut remove = |spec: &mut Node, path: &dyn Fn(usize) -> String| {
            let (owner, at) = if is_of_pod {
                (Some(spec), 0)
            } else {
                match container_named(spec, container) {
                    Some((at, container)) => (Some(container), at),
                    None => (None, 0),
                }
            };
            let entry = owner.and_then(|owner| owner.as_map_mut()?.remove(key));
            if let Some(entry) = entry.filter(|entry| !entry.value.is_null()) {
                sink.report(refused_finding(field, &entry, &path(at)));
            }
        };
        remove(&mut part.typed, &|_| format!("spec.{}", field.field));
        if let Some(overrides) = &mut part.overrides {
            remove(overrides, &|at| {
                if is_of_pod {
                    format!("spec.podOverrides.{key}")
                } else {
                    format!("spec.podOverrides.containers[{at}].{key}")
                }
            });
        }
    }
}

/// The name of a shared field in the PodSpec or in the container, if it belongs to it.
fn name_in(names: &[(&str, &'static str)], field: &str) -> Option<&'static str> {
    names.iter().find(|(name, _)| *name == field).map(|(_, name)| *name)
}

/// Finds the container with this name, and its index.
fn container_named<'n>(spec: &'n mut Node, container: &str) -> Option<(usize, &'n mut Node)> {
    let containers = spec.get_mut("containers")?;
    let Value::List(items) = &mut containers.value else { return None };
    items.iter_mut().enumerate().find(|(_, item)| item.str_at(&["name"]) == Some(container))
}

fn refused_finding(refused: &Refused, entry: &Entry, path: &str) -> Diagnostic {
    let Refused { owner, help, .. } = refused;
    // The key of a typed field is the compiler's; its value is the author's.
    let key = entry.key_origin();
    let span = if key.layer().is_some() { entry.value.span() } else { key.span() };
    Diagnostic::new(
        &GUARDED_FIELD,
        span,
        message!("`{path}` cannot be set here: it belongs to {owner}"),
    )
    .at(message!("belongs to {owner}"))
    .path(&path)
    .help(*help)
}
