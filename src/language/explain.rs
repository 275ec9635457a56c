//! The answers of `explain`: kinds of definitions, built-in kinds of Kubernetes, and their fields.

use std::fmt::Write as _;

use crate::diag::nearest;
use crate::rules;
use crate::schema::Object;
use crate::sorted::SortedSet;

use super::custom;
use super::subject::{Root, Subject};
use super::types;

/// The length of a word that names of kinds are searched for. Shorter ones are in too many.
const SHORTEST_WORD: usize = 4;

/// How `explain` describes a field.
#[derive(Clone, Copy, Default, Debug)]
pub struct ExplainOptions<'o> {
    /// The `apiVersion` of a built-in kind, such as `autoscaling/v1`; by default the preferred one.
    pub api_version: Option<&'o str>,
    /// Whether the fields of fields are listed too, without their descriptions.
    pub is_recursive: bool,
}

/// The reason why a path cannot be explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexplained {
    /// What is wrong.
    pub message: String,
    /// What to write.
    pub help: String,
    /// The path that was probably meant.
    pub nearest: Option<String>,
}

/// The description of a kind, such as `Template` or `Pod`, or of a field, such as
/// `Template.network.egress` or `deploy.spec.strategy`. Kinds can be plurals, and those of Kubernetes
/// short names; a definition's path can omit `spec`.
///
/// # Errors
///
/// If there is no such kind or field.
pub fn explain_field(path: &str, options: ExplainOptions<'_>) -> Result<String, Unexplained> {
    let subjects = match walk(path, options.api_version) {
        Ok(found) => found,
        // A kind of a system can have the name of a definition: `Task.spec.worker`.
        Err(fault) => {
            let kind = path.split('.').next().unwrap_or(path);
            let is_known = Root::find(kind, options.api_version).is_some();
            return match custom::explain(path, options) {
                Some(Err(other))
                    if is_known && (fault.nearest.is_some() || other.nearest.is_none()) =>
                {
                    Err(fault)
                }
                other => other.unwrap_or(Err(fault)),
            };
        }
    };
    let subject = subjects.last().ok_or_else(|| unknown_kind(path, &[]))?;
    let mut text = format!("{}\n", subject.line());
    let mut notes = Vec::new();
    notes.extend(subject.owner.and_then(|owner| types::keys_note(owner.name, &subject.name)));
    notes.extend(key_notes(&subjects));
    notes.extend(subject.ty.and_then(types::form_note));
    for note in notes {
        let _ = write!(text, "\n{note}\n");
    }
    let fields = subject.fields();
    if !fields.is_empty() {
        text.push('\n');
    }
    if options.is_recursive {
        write_tree(&mut text, subject, 0, &mut Vec::new());
    } else {
        for field in fields {
            let _ = writeln!(text, "{}", field.short_line());
        }
    }
    Ok(text)
}

/// The keys of the map that the subject itself is an entry of: `limits.cpu`.
fn key_notes(subjects: &[Subject]) -> Option<&'static str> {
    let [.., map, entry] = subjects else { return None };
    let is_entry = entry.owner.is_none() && entry.docs.is_empty();
    is_entry.then(|| types::keys_note(map.owner?.name, &map.name)).flatten()
}

/// The fields below a subject, indented by depth. A type inside itself is not repeated.
fn write_tree(
    text: &mut String,
    subject: &Subject,
    depth: usize,
    above: &mut Vec<*const Object<'static>>,
) {
    let object = subject.object().map(std::ptr::from_ref);
    if object.is_some_and(|object| above.contains(&object)) {
        return;
    }
    above.extend(object);
    for field in subject.fields() {
        let line = Subject { docs: String::new(), ..field.clone() }.line();
        let _ = writeln!(text, "{:indent$}{line}", "", indent = 2 * depth);
        write_tree(text, &field, depth + 1, above);
    }
    if object.is_some() {
        above.pop();
    }
}

/// The names in a path, without indexes.
pub(super) fn path_steps(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').map(|part| part.split_once('[').map_or(part, |it| it.0))
}

/// The subject of each step of a path, that of its root first.
pub(super) fn walk(path: &str, api_version: Option<&str>) -> Result<Vec<Subject>, Unexplained> {
    let steps: Vec<_> = path_steps(path).collect();
    let (name, rest) = steps.split_first().map_or(("", &[][..]), |(name, rest)| (*name, rest));
    let Some(root) = Root::find(name, api_version) else {
        return Err(match (api_version, Root::api_versions(name)) {
            (Some(version), known) if !known.is_empty() => Unexplained {
                message: format!("`{}` has no API version `{version}`", name.escape_debug()),
                help: format!("use {}", known.join(" or ")),
                nearest: None,
            },
            _ => unknown_kind(name, rest),
        });
    };
    let mut known = vec![name];
    let mut subjects = vec![root.subject()];
    for step in rest {
        let Some(subject) = subjects.last() else { break };
        let Some(field) = subject.field(step) else {
            let names: Vec<_> = subject.fields().into_iter().map(|it| it.name).collect();
            let repair = |_: &str| repair_path(&steps);
            return Err(no_such_field(&known, step, &names, repair, &subject.line()));
        };
        known.push(step);
        subjects.push(field);
    }
    Ok(subjects)
}

/// No kind has this name. The nearest rule or kind is suggested, with the fields that exist in it.
fn unknown_kind(name: &str, rest: &[&str]) -> Unexplained {
    let subject = if rest.is_empty() { "rule or kind" } else { "kind" };
    let rules = rules::all().into_iter().map(|rule| rule.name).filter(|_| rest.is_empty());
    let known = Root::names().chain(rules).map(str::to_owned);
    let names: Vec<_> = known.chain(custom::names()).collect();
    let near = nearest(name, names.iter().map(String::as_str))
        .map(|part| repair_path(&[&[part], rest].concat()));
    let help = match &near {
        Some(near) => format!("did you mean `{near}`?"),
        None => related_kinds(name).unwrap_or_else(|| {
            if rest.is_empty() {
                return "run `sandboxc explain` without a name to list all rules".to_owned();
            }
            let kinds: Vec<_> = super::reference::kinds().map(|(name, _)| name).collect();
            format!("kinds of definitions: {}", kinds.join(", "))
        }),
    };
    let message = format!("unknown {subject} `{}`", name.escape_debug());
    Unexplained { message, help, nearest: near }
}

/// Names the kinds that contain a word: `Pools` is a part of `NodePool` and `WarmPool`.
fn related_kinds(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    if singular.len() < SHORTEST_WORD {
        return None;
    }
    let names = Root::names().map(str::to_owned).chain(custom::names());
    let related: SortedSet<_> =
        names.filter(|name| name.to_ascii_lowercase().contains(singular)).collect();
    if related.is_empty() {
        return None;
    }
    let quoted: Vec<_> = related.iter().map(|name| format!("`{name}`")).collect();
    Some(format!("kinds with this word in their names: {}", quoted.join(", ")))
}

/// The object at the end of these steps has fields of other names than the next step. `repair` returns
/// the path with the nearest name, `line` is the description of the object.
pub(super) fn no_such_field(
    steps: &[&str],
    step: &str,
    names: &[impl AsRef<str>],
    repair: impl FnOnce(&str) -> String,
    line: &str,
) -> Unexplained {
    let path = steps.join(".");
    let names: Vec<_> = names.iter().map(AsRef::as_ref).collect();
    let near = nearest(step, names.iter().copied()).map(repair);
    let help = match &near {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => format!("`{path}` has no fields: {line}"),
        None => format!("fields of `{path}`: {}", names.join(", ")),
    };
    let message = format!("unknown field `{}` in `{path}`", step.escape_debug());
    Unexplained { message, help, nearest: near }
}

/// The path with each unknown step replaced by the nearest field, up to the first without one.
fn repair_path(steps: &[&str]) -> String {
    let Some((name, rest)) = steps.split_first() else { return String::new() };
    let mut path = (*name).to_owned();
    let Some(root) = Root::find(name, None) else { return path };
    let mut subject = root.subject();
    for step in rest {
        let names: Vec<_> = subject.fields().into_iter().map(|it| it.name).collect();
        let near = || nearest(step, names.iter().map(String::as_str));
        let exists = subject.field(step).is_some();
        let Some(step) = exists.then_some(*step).or_else(near) else { break };
        let Some(field) = subject.field(step) else { break };
        path = format!("{path}.{step}");
        subject = field;
    }
    path
}
