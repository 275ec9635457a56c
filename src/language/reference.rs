//! The reference page of the language, and the answers of `explain Template.image`.

use std::fmt::Write as _;

use crate::decode::{Docs, Record};
use crate::diag::nearest;
use crate::dialect::{self, PROJECT};
use crate::expand::Expand;
use crate::lower::Metadata;
use crate::rules;
use crate::schema::{Object, Property, Type};

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
/// `None` if the language has no such kind or field.
#[must_use]
pub fn explain_field(path: &str) -> Option<String> {
    let mut steps = path.split('.').map(|step| step.trim_end_matches("[]"));
    let kind = steps.next()?;
    let (name, mut docs) = kinds().find(|(name, _)| *name == kind)?;
    let mut steps: Vec<_> = steps.collect();
    match steps.first().copied() {
        Some("spec") => drop(steps.remove(0)),
        Some("metadata") => (docs, _) = (Metadata::DOCS, steps.remove(0)),
        Some("expand") => (docs, _) = (Expand::DOCS, steps.remove(0)),
        _ => {}
    }
    let Some((last, way)) = steps.split_last() else {
        let mut text = format!("{name}: {}\n\n", prose(docs.summary));
        for field in &fields(docs) {
            line(&mut text, field);
        }
        return Some(text);
    };
    for step in way {
        docs = nested(docs, step)?;
    }
    let field = fields(docs).into_iter().find(|field| field.property.name == *last)?;
    let mut text = String::new();
    line(&mut text, &field);
    if let Some(inner) = nested(docs, last) {
        text.push('\n');
        for field in &fields(inner) {
            line(&mut text, field);
        }
    }
    Some(text)
}

/// The explanation that best matches `name`: a rule, a kind, or a field of a kind.
#[must_use]
pub fn nearest_subject(name: &str) -> Option<String> {
    let mut names: Vec<_> = rules::all().iter().map(|rule| rule.name.to_owned()).collect();
    for (kind, docs) in kinds() {
        names.push(kind.to_owned());
        names.extend(fields(docs).iter().map(|field| format!("{kind}.{}", field.property.name)));
    }
    nearest(name, names.iter().map(String::as_str)).map(ToOwned::to_owned)
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

fn nested(docs: &'static Docs, name: &str) -> Option<&'static Docs> {
    fields(docs).into_iter().find(|field| field.property.name == name)?.nested
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

/// A type in words; Kubernetes' own by name.
fn type_name(ty: Type<'static>) -> String {
    match ty.resolve() {
        Type::Any | Type::Reference(_) => "any".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Int32 | Type::Int64 => "integer".to_owned(),
        Type::Number => "number".to_owned(),
        Type::String(_) => "string".to_owned(),
        Type::Enum(values) => {
            let values: Vec<_> = values.iter().map(|it| format!("`{}`", it.value)).collect();
            values.join(" or ")
        }
        Type::IntOrString => "integer or string".to_owned(),
        Type::NameOr(inline) => format!("string or {}", type_name(*inline)),
        Type::Quantity => "`Quantity`".to_owned(),
        Type::List(list) => format!("list of {}", type_name(list.items)),
        Type::Map(values) => format!("map of {}", type_name(*values)),
        Type::Object(object) => object_name(object),
        Type::Constrained(constrained) => type_name(constrained.base),
    }
}

fn object_name(object: &Object<'_>) -> String {
    match object.name.rsplit_once('.') {
        Some((_, name)) if object.name.starts_with("io.k8s.") => format!("`{name}`"),
        _ => "object".to_owned(),
    }
}

/// A doc comment as running text.
fn prose(docs: &str) -> String {
    docs.split_whitespace().collect::<Vec<_>>().join(" ")
}
