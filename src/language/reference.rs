//! The reference page of the language, and the answers of `explain Template.image`.

use std::fmt::Write as _;

use crate::decode::{Docs, Record};
use crate::diag::nearest;
use crate::dialect::{self, PROJECT};
use crate::expand::Expand;
use crate::lower::Metadata;
use crate::rules;
use crate::schema::Property;

use super::types::{self, type_name};

/// All fields of all kinds as Markdown, in the order of declaration.
#[must_use]
pub fn reference() -> String {
    let mut page = "# The language\n\nEvery definition has `apiVersion: sandboxc.dev/v1alpha1`, a \
        `kind`, `metadata` and `spec`.\nTypes in `code` are Kubernetes types; see its API \
        reference.\n"
        .to_owned();
    for (name, docs) in kinds() {
        let _ = write!(page, "\n## {name}\n\n{}\n\n", prose(docs.summary));
        section(&mut page, docs, 3);
    }
    for (name, docs) in [("metadata", Metadata::DOCS), ("expand", Expand::DOCS)] {
        let _ = write!(page, "\n## `{name}` of every kind\n\n{}\n\n", prose(docs.summary));
        section(&mut page, docs, 3);
    }
    page
}

/// The description of a field such as `Template.network.egress`, with or without `spec` in between.
/// The path can lead into Kubernetes' own types: `Template.resources.limits`. `None` if the language
/// has no such kind or field.
#[must_use]
pub fn explain_field(path: &str) -> Option<String> {
    let (name, docs, steps) = parts(path)?;
    let Some((first, rest)) = steps.split_first() else {
        let mut text = format!("{name}: {}\n\n", prose(docs.summary));
        for field in &fields(docs) {
            line(&mut text, field);
        }
        return Some(text);
    };
    let mut field = fields(docs).into_iter().find(|it| it.property.name == *first)?;
    for (number, step) in rest.iter().enumerate() {
        let Some(inner) = field.nested else {
            return types::explain(field.property.value, rest.get(number..)?);
        };
        field = fields(inner).into_iter().find(|it| it.property.name == *step)?;
    }
    let mut text = String::new();
    line(&mut text, &field);
    match field.nested {
        Some(inner) => {
            text.push('\n');
            for field in &fields(inner) {
                line(&mut text, field);
            }
        }
        None => types::list_fields(&mut text, field.property.value),
    }
    Some(text)
}

/// The name of the kind, the comments of its spec or of the part that the first step names, and the
/// steps below it.
fn parts(path: &str) -> Option<(&'static str, &'static Docs, Vec<&str>)> {
    let mut steps = path.split('.').map(|step| step.split_once('[').map_or(step, |(step, _)| step));
    let kind = steps.next()?;
    let (name, mut docs) = kinds().find(|(name, _)| *name == kind)?;
    let mut steps: Vec<_> = steps.collect();
    match steps.first().copied() {
        Some("spec") => drop(steps.remove(0)),
        Some("metadata") => (docs, _) = (Metadata::DOCS, steps.remove(0)),
        Some("expand") => (docs, _) = (Expand::DOCS, steps.remove(0)),
        _ => {}
    }
    Some((name, docs, steps))
}

/// The explanation that best matches `name`: a rule, a kind, or a field of a kind.
#[must_use]
pub fn nearest_subject(name: &str) -> Option<String> {
    // The longest existing prefix of the path, and the field with a name similar to the next step.
    if let Some((known, unknown)) = split_known(name)
        && let Some(near) = nearest(unknown, fields_of(known))
    {
        return Some(format!("{known}.{near}"));
    }
    let mut names: Vec<_> = rules::all().iter().map(|rule| rule.name.to_owned()).collect();
    for (kind, docs) in kinds() {
        names.push(kind.to_owned());
        names.extend(fields(docs).iter().map(|field| format!("{kind}.{}", field.property.name)));
    }
    nearest(name, names.iter().map(String::as_str)).map(ToOwned::to_owned)
}

/// The longest existing prefix of a path below a kind, and the step after it.
fn split_known(path: &str) -> Option<(&str, &str)> {
    let dots = path.match_indices('.').map(|(at, _)| at);
    let mut splits: Vec<_> = dots.filter_map(|at| path.split_at_checked(at)).collect();
    splits.reverse();
    let (known, rest) = splits.into_iter().find(|(known, _)| explain_field(known).is_some())?;
    let step = rest.trim_start_matches('.').split('.').next()?;
    Some((known, step))
}

/// The names of the fields of a kind or field.
fn fields_of(path: &str) -> Vec<&'static str> {
    let Some((_, docs, steps)) = parts(path) else { return Vec::new() };
    let mut inside = Some(docs);
    let mut ty = None;
    for (number, step) in steps.iter().enumerate() {
        let Some(docs) = inside else {
            ty = ty.and_then(|ty| types::at(ty, steps.get(number..).unwrap_or(&[])));
            break;
        };
        let Some(field) = fields(docs).into_iter().find(|it| it.property.name == *step) else {
            return Vec::new();
        };
        (inside, ty) = (field.nested, Some(field.property.value));
    }
    match (inside, ty) {
        (Some(docs), _) => fields(docs).into_iter().map(|it| it.property.name).collect(),
        (None, Some(ty)) => types::names(ty),
        (None, None) => Vec::new(),
    }
}

/// The kinds with the comments of their specs.
fn kinds() -> impl Iterator<Item = (&'static str, &'static Docs)> {
    let kinds = dialect::kinds().map(|kind| (kind.name, kind.docs));
    kinds.chain([("Project", &*PROJECT)])
}

/// One field with its comment.
struct Field {
    property: &'static Property<'static>,
    docs: &'static str,
    nested: Option<&'static Docs>,
}

/// The fields of a record, those of the records flattened into it last.
fn fields(docs: &'static Docs) -> Vec<Field> {
    let own = docs.fields.iter().zip(docs.nested).filter_map(|((name, text), nested)| {
        Some(Field { property: docs.object.property(name)?, docs: text, nested: *nested })
    });
    own.chain(docs.flattened.iter().flat_map(|inner| fields(inner))).collect()
}

fn section(page: &mut String, docs: &'static Docs, depth: usize) {
    page.push_str("| field | type | |\n|---|---|---|\n");
    for field in fields(docs) {
        let required = if field.property.is_required { "**required.** " } else { "" };
        let name = field.property.name;
        let kind = type_name(field.property.value);
        let _ = writeln!(page, "| `{name}` | {kind} | {required}{} |", prose(field.docs));
    }
    for field in fields(docs) {
        let Some(inner) = field.nested else { continue };
        let marks = "#".repeat(depth);
        let (name, summary) = (field.property.name, prose(inner.summary));
        let _ = write!(page, "\n{marks} `{name}`\n\n{summary}\n\n");
        section(page, inner, depth + 1);
    }
}

fn line(text: &mut String, field: &Field) {
    let required = if field.property.is_required { ", required" } else { "" };
    let kind = type_name(field.property.value).replace('`', "");
    let _ = writeln!(text, "{} ({kind}{required}): {}", field.property.name, prose(field.docs));
}

/// A doc comment as running text.
fn prose(docs: &str) -> String {
    docs.split_whitespace().collect::<Vec<_>>().join(" ")
}
