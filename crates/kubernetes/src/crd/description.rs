//! Descriptions of the custom resources of a system: its Go types and their markers, as data.

use super::Installed;
use crate::schema::KubernetesVersion;

/// The custom resources of a system, as one of its releases installs them.
#[derive(Debug)]
pub struct System {
    /// The name of the system: `agent-sandbox`.
    pub name: &'static str,
    /// The kinds with a description.
    pub kinds: &'static [&'static Kind],
    /// Their versions, the stored one first.
    pub versions: &'static [Version],
    /// A version that the system served earlier.
    pub removed: Option<&'static Removed>,
    /// The next release line, which may have fields that this one does not have.
    pub newer: Option<&'static Newer>,
    /// The webhook that converts between the versions, if there are several.
    pub conversion: Option<&'static Conversion>,
    /// The Kubernetes release whose types the kinds embed, whatever the version of the cluster.
    pub embeds: KubernetesVersion,
    /// Kinds whose definitions are the YAML files that the system installs.
    pub files: &'static [DefinitionFile],
    /// Those of its kinds that were read.
    pub installed: Installed,
}

/// A version that a release of a system has removed.
#[derive(Debug)]
pub struct Removed {
    /// `v1alpha1`.
    pub version: &'static str,
    /// `agent-sandbox 1.0`.
    pub release: &'static str,
    /// The custom resources of the last release that serves it.
    pub served_by: &'static System,
    /// How to check against a release that serves it, as an imperative for help messages.
    pub instead: &'static str,
}

/// The release line after another one.
#[derive(Debug)]
pub struct Newer {
    /// Its custom resources.
    pub system: &'static System,
    /// `agent-sandbox 1.0`.
    pub release: &'static str,
    /// How to check against it, as an imperative for help messages.
    pub instead: &'static str,
}

/// A version of the kinds of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Version {
    /// `v1beta1`.
    pub name: &'static str,
    /// Whether the API server returns a warning for each request.
    pub is_deprecated: bool,
}

/// The webhook that converts between versions. The controller writes its own certificate authority
/// into the definition when it starts; port 443 is implied.
#[derive(Debug)]
pub struct Conversion {
    /// The Service of the webhook.
    pub service: &'static str,
    /// Its namespace.
    pub namespace: &'static str,
    /// The path of the endpoint.
    pub path: &'static str,
    /// Versions of `ConversionReview` that it understands, best first.
    pub review_versions: &'static [&'static str],
}

/// A custom resource definition as a file.
#[derive(Debug)]
pub struct DefinitionFile {
    /// The API group.
    pub group: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// The storage version.
    pub version: &'static str,
    /// The definition as YAML or JSON.
    pub text: &'static str,
}

impl System {
    /// The group and name of each kind.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let of_kinds = self.kinds.iter().map(|kind| (kind.group, kind.name));
        of_kinds.chain(self.files.iter().map(|file| (file.group, file.kind)))
    }

    /// The version to use for new objects of a kind.
    pub fn current_version(&self, kind: &str) -> &'static str {
        let file = self.files.iter().find(|file| file.kind == kind).map(|it| it.version);
        file.or_else(|| self.versions.first().map(|it| it.name)).unwrap_or_default()
    }
}

/// A kind of custom resource. Its root has `apiVersion`, `kind`, `metadata`, and the two fields
/// here.
#[derive(Debug)]
pub struct Kind {
    /// The API group.
    pub group: &'static str,
    /// `Sandbox`.
    pub name: &'static str,
    /// `sandboxes`; with the group it is the name of the custom resource definition.
    pub plural: &'static str,
    /// `sandbox`.
    pub singular: &'static str,
    /// The short name that `kubectl get` accepts.
    pub short_name: &'static str,
    /// `spec`, which every kind requires.
    pub spec: &'static Record,
    /// The subresource `status`, which writes to the object itself do not change.
    pub status: Option<&'static Record>,
    /// The table that `kubectl get` prints.
    pub columns: &'static [Column],
    /// Versions whose objects `kubectl get` prints with these columns; for others it prints name
    /// and age.
    pub columns_in: ApiVersions,
    /// Versions in which `kubectl scale` and an autoscaler can set `spec.replicas`.
    pub scales_in: ApiVersions,
    /// Fields that authors write although the kind does not have them.
    pub moved: &'static [Moved],
    /// Fields whose unknown names and invalid values are reported by a rule of this system; `[]`
    /// matches any item.
    pub told_by_rules: &'static [&'static str],
}

/// A field that a kind does not have, although manuals, another version or a similarly named kind
/// do.
#[derive(Debug)]
pub struct Moved {
    /// The path from the root of the object: `spec.replicas`.
    pub path: &'static str,
    /// The versions that do not have it.
    pub versions: ApiVersions,
    /// The replacement, as an imperative for help messages.
    pub instead: &'static str,
    /// The required field with the same meaning in the same object. If this field is set, the other
    /// one is not reported as missing.
    pub replaced_by: Option<&'static str>,
}

/// A column of `kubectl get`.
#[derive(Debug)]
pub struct Column {
    /// The heading.
    pub name: &'static str,
    /// `string`, `integer` or `date`.
    pub kind: &'static str,
    /// The path of the value, from the root of the object.
    pub json_path: &'static str,
}

impl Column {
    /// The status of the condition `Ready`.
    pub const READY: Self = Self {
        name: "Ready",
        kind: "string",
        json_path: ".status.conditions[?(@.type=='Ready')].status",
    };
    /// The reason of the condition `Ready`.
    pub const REASON: Self = Self {
        name: "Reason",
        kind: "string",
        json_path: ".status.conditions[?(@.type=='Ready')].reason",
    };
    /// The age of the object.
    pub const AGE: Self =
        Self { name: "Age", kind: "date", json_path: ".metadata.creationTimestamp" };
}

/// A set of versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ApiVersions {
    /// Every version.
    All,
    /// One version only.
    Only(&'static str),
    /// No version.
    None,
}

impl ApiVersions {
    /// Whether the version of this name is in the set.
    pub fn contains(self, version: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(only) => only == version,
            Self::None => false,
        }
    }
}

/// A map with known keys: a Go struct.
#[derive(Debug)]
pub struct Record {
    /// The description of the record.
    pub docs: &'static str,
    /// Its fields. A name occurs twice if two versions declare the field differently.
    pub fields: &'static [Field],
    /// Validation rules in the Common Expression Language for the whole record.
    pub rules: &'static [Rule],
}

/// A field of a record.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// The description of the field.
    pub docs: &'static str,
    /// The type of its value.
    pub value: Value,
    /// Whether the field is required.
    pub required: bool,
    /// The default that the API server sets if the record is present without this key.
    pub default: Option<Default>,
    /// The versions that have it.
    pub versions: ApiVersions,
}

impl Field {
    /// An optional field of every version; the macro overrides the differences.
    pub const OPTIONAL: Self = Self {
        name: "",
        docs: "",
        value: Value::Bool,
        required: false,
        default: None,
        versions: ApiVersions::All,
    };
}

/// A default value.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// A string.
    Text(&'static str),
    /// An integer.
    Int(i64),
}

/// The type of a value.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// `bool`, or a pointer to one.
    Bool,
    /// `int32` within limits.
    Int32(Limits),
    /// `int64` within limits.
    Int64(Limits),
    /// `string`.
    Text,
    /// `string` within limits.
    LimitedText(TextLimits),
    /// `metav1.Time`.
    Time,
    /// `string` from a closed list.
    Choice(&'static [&'static str]),
    /// `map[string]string`.
    TextMap,
    /// A list without a declared list type.
    List(&'static Value),
    /// A list that is one value (`listType=atomic`).
    AtomicList(&'static Value),
    /// A struct of the system.
    Record(&'static Record),
    /// A struct of Kubernetes, by its name in the OpenAPI definitions.
    Builtin(&'static str),
}

/// The limits of an integer.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The minimum.
    pub minimum: Option<i64>,
    /// The maximum.
    pub maximum: Option<i64>,
}

impl Limits {
    /// The limits of the type itself.
    pub const NONE: Self = Self { minimum: None, maximum: None };
    /// 0 or more.
    pub const NOT_NEGATIVE: Self = Self { minimum: Some(0), maximum: None };
}

/// The limits of a string: its length in code points, and a regular expression.
#[derive(Clone, Copy, Debug)]
pub struct TextLimits {
    /// The minimum length.
    pub min_length: Option<i64>,
    /// The maximum length.
    pub max_length: Option<i64>,
    /// A regular expression that the string must match.
    pub pattern: Option<&'static str>,
}

/// A rule in the Common Expression Language.
#[derive(Debug)]
pub struct Rule {
    /// The expression.
    pub expression: &'static str,
    /// The error message if the expression is false.
    pub message: &'static str,
    /// The versions that have it.
    pub versions: ApiVersions,
}

/// Declares a record in the order of its Go type: doc comment, field, type, and the contents of its
/// markers. Rules for the whole record follow its name in brackets.
///
/// ```text
/// record! {
///     /// How many.
///     SPEC {
///         /// At least 0; the API server writes 1.
///         replicas: Value::Int32(Limits::NOT_NEGATIVE), default = Some(Default::Int(1));
///     }
/// }
/// ```
#[macro_export]
macro_rules! record {
    (
        $(#[doc = $docs:expr])+
        $record:ident $([ $($rule:expr),+ ])? {
            $( $(#[doc = $field_docs:expr])+
               $field:ident: $value:expr $(, $marker:ident = $setting:expr)*; )+
        }
    ) => {
        $(#[doc = $docs])+
        pub(super) static $record: $crate::crd::description::Record =
            $crate::crd::description::Record {
                docs: concat!($($docs, "\n"),+),
                fields: &[$(
                    $crate::crd::description::Field {
                        name: stringify!($field),
                        docs: concat!($($field_docs, "\n"),+),
                        value: $value,
                        $($marker: $setting,)*
                        ..$crate::crd::description::Field::OPTIONAL
                    },
                )+],
                rules: &[$($($rule),+)?],
            };
    };
}
pub use crate::record;
