//! What can be explained: the kinds of the language and of Kubernetes, and their fields.

use std::fmt::Write as _;

use crate::decode::{Docs, Record};
use crate::expand::Expand;
use crate::kube::is_name_of_kind;
use crate::lower::Metadata;
use crate::schema::store::{self, Kind};
use crate::schema::{KubernetesVersion, Object, Property, Type, Versions, description};

use super::reference::{as_prose, fields_of, kinds};
use super::types::{item_type, type_name};

/// The root of a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Root {
    /// A kind of definition, and the comments of its spec.
    Definition(&'static str, &'static Docs),
    /// A built-in kind of Kubernetes.
    Builtin(&'static Kind, &'static Object<'static>),
}

/// A field, or the root of a path.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// Its name.
    pub(super) name: String,
    /// Its type, without comments; `None` for the root and for parts of a definition.
    pub(super) ty: Option<Type<'static>>,
    /// What its line says after the name: type, whether it is required, versions, default.
    pub(super) traits: String,
    /// Its comment, for Kubernetes' types their own description. Empty without one.
    pub(super) docs: String,
    /// The comments of the fields of its value.
    pub(super) nested: Option<&'static Docs>,
    /// The type that has the field.
    pub(super) owner: Option<&'static Object<'static>>,
    /// Whether the API server or the compiler requires the field.
    pub(super) is_required: bool,
    /// The versions that have it.
    pub(super) versions: Versions,
}

impl Root {
    /// The root called `name`: a kind or its plural, in any case, or a short name of a built-in kind.
    pub(super) fn find(name: &str, api_version: Option<&str>) -> Option<Self> {
        let definition = |is: &dyn Fn(&str) -> bool| {
            let found = kinds().find(|(kind, _)| api_version.is_none() && is(kind));
            found.map(|(kind, docs)| Self::Definition(kind, docs))
        };
        let is_named = |kind: &str| is_name_of_kind(name, kind);
        definition(&|kind| kind == name)
            .or_else(|| find_builtin(&is_named, api_version))
            .or_else(|| definition(&is_named))
    }

    /// The names of all kinds.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        let builtin = store::kinds().iter().filter(|kind| kind.definition.is_some());
        kinds().map(|(kind, _)| kind).chain(builtin.map(|it| it.kind))
    }

    /// The `apiVersion` fields of a built-in kind that is called `name`.
    pub(super) fn api_versions(name: &str) -> Vec<String> {
        let Some(Self::Builtin(kind, _)) = Self::find(name, None) else { return Vec::new() };
        let known = store::kinds_named(kind.kind).iter().filter(|kind| kind.definition.is_some());
        known.map(Kind::api_version).collect()
    }

    /// The root as the start of a path.
    pub(super) fn subject(self) -> Subject {
        let (name, traits, docs, ty, nested) = match self {
            Self::Definition(name, docs) => {
                (name, String::new(), as_prose(docs.summary), None, Some(docs))
            }
            Self::Builtin(kind, object) => {
                let scope = if kind.is_namespaced { "namespaced" } else { "cluster-scoped" };
                let traits = format!("{}, {scope}{}", kind.api_version(), only_in(kind.versions));
                let docs = description(object.name, None).to_owned();
                (kind.kind, traits, docs, Some(Type::Object(object)), None)
            }
        };
        let versions = match self {
            Self::Definition(..) => Versions::ALL,
            Self::Builtin(kind, _) => kind.versions,
        };
        let (is_required, owner) = (true, None);
        Subject { name: name.to_owned(), ty, traits, docs, nested, owner, is_required, versions }
    }
}

/// The built-in kind with a matching name, in the API version that kubectl prefers.
fn find_builtin(is_named: &dyn Fn(&str) -> bool, api_version: Option<&str>) -> Option<Root> {
    let found =
        store::kinds().iter().filter(|kind| is_named(kind.kind)).filter(|kind| match api_version {
            Some(version) => kind.api_version() == version,
            None => true,
        });
    let kind = found.filter(|kind| kind.definition.is_some()).max_by_key(|kind| {
        let is_new = kind.versions.contains(KubernetesVersion::NEWEST);
        // `v2` before `v1`, `v1beta2` before `v1beta1`; the core group before others.
        (kind.is_served_by_default(), is_new, kind.group.is_empty(), kind.version)
    })?;
    Some(Root::Builtin(kind, kind.definition?))
}

impl Subject {
    /// The field called `name`.
    pub(super) fn field(&self, name: &str) -> Option<Self> {
        if let Some(docs) = self.nested {
            if self.owner.is_none() && self.ty.is_none() {
                match name {
                    "spec" => return Some(Self { name: name.to_owned(), ..self.clone() }),
                    "metadata" => return Some(part_subject(name, Metadata::DOCS)),
                    "expand" => return Some(part_subject(name, Expand::DOCS)),
                    _ => {}
                }
            }
            return documented_fields(docs).find(|field| field.name == name);
        }
        match item_type(self.ty?) {
            Type::Object(object) => {
                object.property(name).map(|property| property_field(object, property))
            }
            Type::Map(values) => Some(Self {
                name: name.to_owned(),
                ty: Some(*values),
                traits: type_words(*values),
                docs: String::new(),
                nested: None,
                owner: None,
                is_required: false,
                versions: Versions::ALL,
            }),
            _ => None,
        }
    }

    /// Whether one of the versions has it.
    pub(super) fn is_in(&self, targets: Versions) -> bool {
        targets.iter().any(|target| self.versions.contains(target))
    }

    /// All fields, in the order in which they are printed.
    pub(super) fn fields(&self) -> Vec<Self> {
        if let Some(docs) = self.nested {
            return documented_fields(docs).collect();
        }
        let Some(Type::Object(object)) = self.ty.map(item_type) else { return Vec::new() };
        let mut all: Vec<_> = object.properties.iter().collect();
        all.dedup_by_key(|it| it.name);
        all.into_iter().map(|property| property_field(object, property)).collect()
    }

    /// The Kubernetes type of the value.
    pub(super) fn object(&self) -> Option<&'static Object<'static>> {
        match self.ty.map(item_type)? {
            Type::Object(object) if self.nested.is_none() => Some(object),
            _ => None,
        }
    }

    /// Its line: `limits (map of Quantity)`, with its comment.
    pub(super) fn line(&self) -> String {
        self.line_with(&self.docs)
    }

    /// Its line, with what its comment begins with: that of a field of Kubernetes can be a page.
    pub(super) fn short_line(&self) -> String {
        self.line_with(self.summary())
    }

    /// What its comment begins with.
    pub(super) fn summary(&self) -> &str {
        if self.owner.is_some() { first_sentence(&self.docs) } else { &self.docs }
    }

    fn line_with(&self, docs: &str) -> String {
        let mut line = self.name.clone();
        if !self.traits.is_empty() {
            let _ = write!(line, " ({})", self.traits);
        }
        if !docs.is_empty() {
            line.push_str(": ");
            line.push_str(docs);
        }
        line
    }
}

/// A part of each definition: `metadata`, `expand`.
pub(super) fn part_subject(name: &str, docs: &'static Docs) -> Subject {
    let is_required = name != "expand";
    let (name, summary) = (name.to_owned(), as_prose(docs.summary));
    let traits = "object".to_owned();
    Subject {
        name,
        ty: Some(Type::Object(docs.object)),
        traits,
        docs: summary,
        nested: Some(docs),
        owner: None,
        is_required,
        versions: Versions::ALL,
    }
}

fn documented_fields(docs: &'static Docs) -> impl Iterator<Item = Subject> {
    fields_of(docs).into_iter().map(|field| Subject {
        name: field.property.name.to_owned(),
        ty: Some(field.property.value),
        traits: traits_of(field.property, ""),
        docs: as_prose(field.docs),
        nested: field.nested,
        owner: None,
        is_required: field.property.is_required,
        versions: field.property.versions,
    })
}

fn property_field(
    object: &'static Object<'static>,
    property: &'static Property<'static>,
) -> Subject {
    let variants = object.properties.iter().filter(|variant| variant.name == property.name);
    let versions = variants.fold(Versions::NONE, |all, variant| all.union(variant.versions));
    Subject {
        name: property.name.to_owned(),
        ty: Some(property.value),
        traits: traits_of(property, &only_in(versions)),
        docs: description(object.name, Some(property.name)).to_owned(),
        nested: None,
        owner: Some(object),
        is_required: property.is_required,
        versions,
    }
}

fn traits_of(property: &Property<'static>, versions: &str) -> String {
    let required = if property.is_required { ", required" } else { "" };
    let default = property.default.map_or_else(String::new, |it| format!(", default {it}"));
    format!("{}{required}{default}{versions}", type_words(property.value))
}

/// The first sentence of a text, which ends at a period before a capital letter, or with its line.
fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or("");
    let is_end = |at: &usize| {
        line.get(at + 2..).is_some_and(|rest| rest.trim_start().starts_with(char::is_uppercase))
    };
    let end = line.match_indices(". ").map(|it| it.0).find(is_end);
    end.and_then(|end| line.get(..=end)).unwrap_or(line)
}

fn type_words(ty: Type<'static>) -> String {
    type_name(ty).replace('`', "")
}

/// `, only in Kubernetes 1.36, 1.37`.
fn only_in(versions: Versions) -> String {
    if versions == Versions::ALL {
        String::new()
    } else {
        format!(", only in Kubernetes {versions}")
    }
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn a_sentence_ends_before_a_capital_letter() {
        for (text, expected) in [
            ("Image pull policy. One of Always, Never.", "Image pull policy."),
            ("A size, e.g. one. or 2.", "A size, e.g. one. or 2."),
            ("See e.g. RFC.  Then more", "See e.g."),
            ("No end\nmore. Text", "No end"),
            ("One.", "One."),
            ("", ""),
        ] {
            assert_eq!(first_sentence(text), expected);
        }
    }
}
