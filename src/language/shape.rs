//! The fields and values at a path of a document, for editors: of definitions, of Kubernetes' own
//! kinds and of custom resources.

use crate::decode::{Docs, Record};
use crate::expand::Expand;
use crate::lower::{API_VERSION, Metadata};
use crate::markup::{Markdown, Markup};
use crate::schema::store::{self, Kind};
use crate::schema::{StringFormat, Type, Versions, description};
use crate::sorted::CompactSort as _;
use crate::tree::Node;

use super::custom::{self, Field};
use super::reference::{as_prose, kinds};
use super::subject::{Root, Subject, part_subject};
use super::types::{form_note, item_type, keys_note};

/// What a document has at a path.
#[derive(Clone, Debug)]
pub(crate) struct Shape<'n> {
    inner: Inner<'n>,
    /// The versions that must have a field.
    targets: Versions,
}

#[derive(Clone, Debug)]
enum Inner<'n> {
    /// A definition: its kind, and the comments of its spec.
    Definition(&'static str, &'static Docs),
    Field(Subject),
    /// A custom resource.
    Resource(Field<'n>),
    /// A field of a custom resource.
    Custom(Field<'n>),
}

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// A scalar, or any value.
    Scalar,
    /// A map.
    Map,
    /// A list of scalars.
    List,
    /// A list of maps.
    ListOfMaps,
}

/// A kind with one of its versions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct KindName {
    pub(crate) kind: String,
    pub(crate) api_version: String,
    /// What it is for, or what its scope is.
    pub(crate) about: String,
    /// Whether an API server serves it by default.
    pub(crate) is_stable: bool,
}

/// The type of `metadata` of every object.
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

impl<'n> Shape<'n> {
    /// The document of a kind. `definitions` are CustomResourceDefinitions, which take precedence over
    /// those of the systems.
    pub(crate) fn of(
        (api_version, kind): (&str, &str),
        targets: Versions,
        definitions: impl IntoIterator<Item = &'n Node>,
    ) -> Option<Self> {
        let found = |inner| Some(Self { inner, targets });
        if api_version == API_VERSION {
            let (name, docs) = kinds().find(|it| it.0 == kind)?;
            return found(Inner::Definition(name, docs));
        }
        let version = Some(api_version).filter(|it| !it.is_empty());
        let given =
            definitions.into_iter().find_map(|definition| custom::root(definition, kind, version));
        if let Some(given) = given {
            return found(Inner::Resource(given));
        }
        if let Some(root @ Root::Builtin(known, _)) = Root::find(kind, version)
            && known.kind == kind
        {
            return found(Inner::Field(root.subject()));
        }
        found(Inner::Resource(custom::of_systems(kind, version)?))
    }

    /// The field called `name`. Items of a list are as the list.
    pub(crate) fn field(&self, name: &str) -> Option<Self> {
        let inner = match &self.inner {
            Inner::Definition(_, docs) => match name {
                "spec" => Inner::Field(part_subject(name, docs)),
                "metadata" => Inner::Field(part_subject(name, Metadata::DOCS)),
                "expand" => Inner::Field(part_subject(name, Expand::DOCS)),
                _ => return None,
            },
            Inner::Field(subject) => Inner::Field(subject.field(name)?),
            Inner::Resource(_) if name == "metadata" => Inner::Field(metadata_subject()?),
            Inner::Resource(field) | Inner::Custom(field) => Inner::Custom(field.below(name)?),
        };
        Some(Self { inner, targets: self.targets })
    }

    /// All fields, required ones first.
    pub(crate) fn fields(&self) -> Vec<Self> {
        let inner: Vec<_> = match &self.inner {
            Inner::Definition(..) => ["metadata", "expand", "spec"]
                .into_iter()
                .filter_map(|name| self.field(name))
                .map(|it| it.inner)
                .collect(),
            Inner::Field(subject) => {
                let is_known = |it: &Subject| it.is_in(self.targets);
                subject.fields().into_iter().filter(is_known).map(Inner::Field).collect()
            }
            Inner::Resource(field) => {
                let metadata = metadata_subject().map(Inner::Field);
                let others = field.fields().into_iter().filter(|field| field.name() != "metadata");
                metadata.into_iter().chain(others.map(Inner::Custom)).collect()
            }
            Inner::Custom(field) => field.fields().into_iter().map(Inner::Custom).collect(),
        };
        let mut fields: Vec<_> =
            inner.into_iter().map(|inner| Self { inner, targets: self.targets }).collect();
        fields.compact_sort_by_key(|it| !it.is_required());
        fields
    }

    pub(crate) fn name(&self) -> &str {
        match &self.inner {
            Inner::Definition(name, _) => name,
            Inner::Field(subject) => &subject.name,
            Inner::Resource(field) | Inner::Custom(field) => field.name(),
        }
    }

    /// Type, whether it is required, versions and default.
    pub(crate) fn traits(&self) -> String {
        match &self.inner {
            Inner::Definition(..) => API_VERSION.to_owned(),
            Inner::Field(subject) => subject.traits.clone(),
            Inner::Resource(_) => "object".to_owned(),
            Inner::Custom(field) => field.traits(),
        }
    }

    /// Its description in Markdown; empty without one. That of a definition in the input is text.
    pub(crate) fn page(&self) -> Markup<Markdown> {
        match &self.inner {
            Inner::Definition(..) | Inner::Field(_) => Markup::of_product(self.docs()),
            Inner::Resource(_) | Inner::Custom(_) => Markup::of(&self.docs()),
        }
    }

    /// Its description; empty without one.
    fn docs(&self) -> String {
        match &self.inner {
            Inner::Definition(_, docs) => as_prose(docs.summary),
            Inner::Field(subject) => {
                let mut text = vec![subject.docs.clone()];
                let keys = subject.owner.and_then(|owner| keys_note(owner.name, &subject.name));
                text.extend(keys.map(str::to_owned));
                text.extend(subject.ty.and_then(form_note).map(str::to_owned));
                text.retain(|it| !it.is_empty());
                text.join("\n\n")
            }
            Inner::Resource(field) | Inner::Custom(field) => field.docs(),
        }
    }

    pub(crate) fn is_required(&self) -> bool {
        match &self.inner {
            Inner::Definition(..) | Inner::Resource(_) => true,
            Inner::Field(subject) => subject.is_required,
            Inner::Custom(field) => field.is_required(),
        }
    }

    /// Whether its description says that it must not be used any more.
    pub(crate) fn is_deprecated(&self) -> bool {
        self.docs().to_ascii_lowercase().starts_with("deprecated")
    }

    /// The values that it may have, if the list is closed.
    pub(crate) fn values(&self) -> Vec<String> {
        match &self.inner {
            Inner::Definition(..) | Inner::Resource(_) => Vec::new(),
            Inner::Field(subject) => match subject.ty.map(item_type) {
                Some(Type::Bool) => ["true", "false"].map(str::to_owned).to_vec(),
                Some(Type::Enum(values) | Type::Choice(values)) => {
                    let is_known =
                        |versions: Versions| self.targets.iter().any(|of| versions.contains(of));
                    let known = values.iter().filter(|value| is_known(value.versions));
                    known.map(|value| value.value.to_owned()).filter(|it| !it.is_empty()).collect()
                }
                _ => Vec::new(),
            },
            Inner::Custom(field) => field.values(),
        }
    }

    /// How its value is written.
    pub(crate) fn form(&self) -> Form {
        match &self.inner {
            Inner::Definition(..) | Inner::Resource(_) => Form::Map,
            Inner::Field(subject) => subject.ty.map_or(Form::Map, form_of),
            Inner::Custom(field) => field.form(),
        }
    }

    /// Whether the value is a string, so that other scalars need quotes.
    pub(crate) fn is_string(&self) -> bool {
        match &self.inner {
            Inner::Field(subject) => {
                matches!(subject.ty.map(item_type), Some(Type::String(StringFormat::Plain)))
            }
            Inner::Custom(field) => field.is_string(),
            Inner::Definition(..) | Inner::Resource(_) => false,
        }
    }
}

fn form_of(ty: Type<'static>) -> Form {
    match ty.base() {
        Type::List(list) => match item_type(list.items) {
            Type::Object(_) | Type::Map(_) => Form::ListOfMaps,
            _ => Form::List,
        },
        Type::Object(_) | Type::Map(_) => Form::Map,
        _ => Form::Scalar,
    }
}

fn metadata_subject() -> Option<Subject> {
    let object = store::definition(OBJECT_META)?;
    let (name, traits) = ("metadata".to_owned(), "`ObjectMeta`".to_owned());
    Some(Subject {
        name,
        ty: Some(Type::Object(object)),
        traits,
        docs: description(object.name, None).to_owned(),
        nested: None,
        owner: None,
        is_required: true,
        versions: Versions::ALL,
    })
}

/// All kinds that a document can have: definitions, Kubernetes' kinds of the target versions, those of
/// the systems, and those of CustomResourceDefinitions.
pub(crate) fn kind_names<'n>(
    targets: Versions,
    definitions: impl IntoIterator<Item = &'n Node>,
) -> Vec<KindName> {
    let own = kinds().map(|(kind, docs)| KindName {
        kind: kind.to_owned(),
        api_version: API_VERSION.to_owned(),
        about: as_prose(docs.summary),
        is_stable: true,
    });
    let is_target = |kind: &&Kind| {
        kind.definition.is_some() && targets.iter().all(|target| kind.versions.contains(target))
    };
    let built_in = store::kinds().iter().filter(is_target).map(|kind| KindName {
        kind: kind.kind.to_owned(),
        api_version: kind.api_version(),
        about: if kind.is_namespaced { "namespaced" } else { "cluster-scoped" }.to_owned(),
        is_stable: kind.is_served_by_default(),
    });
    let mut names: Vec<_> = own.chain(built_in).collect();
    names.extend(custom::kind_names(definitions));
    names.sort();
    names.dedup_by(|one, other| one.kind == other.kind && one.api_version == other.api_version);
    names
}
