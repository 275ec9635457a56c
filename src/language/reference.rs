//! The reference page of the language.

use std::fmt::Write as _;

use crate::decode::{Docs, Record};
use crate::dialect::{self, PROJECT};
use crate::expand::Expand;
use crate::lower::Metadata;
use crate::schema::Property;
use crate::test_case::{self, TestSpec};

use super::types::type_name;

/// The levels of headings that Markdown has.
const LEVELS: usize = 6;

/// All fields of all kinds as Markdown, in the order of declaration.
#[must_use]
pub fn reference() -> String {
    let mut page = "# The language\n\nEvery definition has `apiVersion: sandboxc.dev/v1alpha1`, a \
        `kind`, `metadata` and `spec`.\nTypes in `code` are Kubernetes types; see its API \
        reference.\n\nAn object that it compiles to consists of layers, each merged over those \
        before it: the security profile, the built-in layer (what every object of the kind has), the \
        definitions that it extends, its own fields, and `podOverrides`.\n\nA string can contain \
        expressions, `{{ values.tag }}`, but no statements: a condition is `{{ 'a' if values.x else \
        'b' }}`, and `expand` takes the place of a loop. See [the \
        guide](guide.md#expressions-and-expand).\n"
        .to_owned();
    let common = [("metadata", Metadata::DOCS), ("expand", Expand::DOCS)]
        .map(|(name, docs)| (format!("`{name}` of every kind"), docs));
    let chapters: Vec<(String, &'static Docs)> =
        kinds().map(|(name, docs)| (name.to_owned(), docs)).chain(common).collect();
    page.push('\n');
    for (title, docs) in &chapters {
        let _ = writeln!(page, "- [{title}](#{}): {}", anchor_of(title), as_prose(docs.summary));
    }
    for (title, docs) in chapters {
        let _ = write!(page, "\n## {title}\n\n{}\n\n", as_prose(docs.summary));
        write_section(&mut page, docs, 3, "");
    }
    page
}

/// The fragment of a heading, as GitHub makes it.
fn anchor_of(title: &str) -> String {
    title.to_lowercase().replace('`', "").replace(' ', "-")
}

/// The kinds with the comments of their specs.
pub(super) fn kinds() -> impl Iterator<Item = (&'static str, &'static Docs)> {
    dialect::kinds().map(|kind| (kind.name, kind.docs)).chain(kinds_without_output())
}

/// The kinds that compile to nothing, with the comments of their specs.
pub(super) fn kinds_without_output() -> [(&'static str, &'static Docs); 2] {
    [("Project", &*PROJECT), (test_case::KIND, TestSpec::DOCS)]
}

/// One field with its comment.
pub(super) struct Field {
    /// Its name and type.
    pub(super) property: &'static Property<'static>,
    /// Its doc comment.
    pub(super) docs: &'static str,
    /// The comments of the fields of its value.
    pub(super) nested: Option<&'static Docs>,
}

/// The fields of a record, those of the records flattened into it last.
pub(super) fn fields_of(docs: &'static Docs) -> Vec<Field> {
    let own = docs.fields.iter().zip(docs.nested).filter_map(|((name, text), nested)| {
        Some(Field { property: docs.object.property(name)?, docs: text, nested: *nested })
    });
    own.chain(docs.flattened.iter().flat_map(|inner| fields_of(inner))).collect()
}

/// The fields of a record, and of the records in them. `owner` is the field that has the record.
fn write_section(page: &mut String, docs: &'static Docs, depth: usize, owner: &str) {
    page.push_str("| field | type | description |\n|---|---|---|\n");
    for field in fields_of(docs) {
        let required = if field.property.is_required { "**required.** " } else { "" };
        let name = field.property.name;
        let kind = type_name(field.property.value);
        let _ = writeln!(page, "| `{name}` | {kind} | {required}{} |", as_prose(field.docs));
    }
    for field in fields_of(docs) {
        let Some(inner) = field.nested else { continue };
        let marks = "#".repeat(depth.min(LEVELS));
        let (name, summary) = (field.property.name, as_prose(inner.summary));
        // Below the last level of headings, the owner of a field is in its title.
        let title = if depth > LEVELS { format!("{owner}.{name}") } else { name.to_owned() };
        let _ = write!(page, "\n{marks} `{title}`\n\n{summary}\n\n");
        write_section(page, inner, depth + 1, &title);
    }
}

/// A doc comment as running text.
pub(super) fn as_prose(docs: &str) -> String {
    docs.split_whitespace().collect::<Vec<_>>().join(" ")
}
