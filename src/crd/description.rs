//! Descriptions of the custom resources of a system: its Go types and their markers, as data.

use super::Installed;
use crate::schema::KubernetesVersion;

/// The custom resources of a system, as one of its releases installs them.
#[derive(Debug)]
pub(crate) struct System {
    /// The name of the system: `agent-sandbox`.
    pub(crate) name: &'static str,
    /// The kinds with a description.
    pub(crate) kinds: &'static [&'static Kind],
    /// Their versions, the stored one first.
    pub(crate) versions: &'static [Version],
    /// A version that the system served earlier.
    pub(crate) removed: Option<&'static Removed>,
    /// The next release line, which may have fields that this one does not have.
    pub(crate) newer: Option<&'static Newer>,
    /// The webhook that converts between the versions, if there are several.
    pub(crate) conversion: Option<&'static Conversion>,
    /// The Kubernetes release whose types the kinds embed, whatever the version of the cluster.
    pub(crate) embeds: KubernetesVersion,
    /// Kinds whose definitions are the YAML files that the system installs.
    pub(crate) files: &'static [DefinitionFile],
    /// Those of its kinds that were read.
    pub(crate) installed: Installed,
}

/// A version that a release of a system has removed.
#[derive(Debug)]
pub(crate) struct Removed {
    /// `v1alpha1`.
    pub(crate) version: &'static str,
    /// `agent-sandbox 1.0`.
    pub(crate) release: &'static str,
    /// How to check against a release that serves it, as an imperative for help messages.
    pub(crate) instead: &'static str,
}

/// The release line after another one.
#[derive(Debug)]
pub(crate) struct Newer {
    /// Its custom resources.
    pub(crate) system: &'static System,
    /// `agent-sandbox 1.0`.
    pub(crate) release: &'static str,
    /// How to check against it, as an imperative for help messages.
    pub(crate) instead: &'static str,
}

/// A version of the kinds of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Version {
    /// `v1beta1`.
    pub(crate) name: &'static str,
    /// Whether the API server returns a warning for each request.
    pub(crate) is_deprecated: bool,
}

/// The webhook that converts between versions. The controller writes its own certificate authority
/// into the definition when it starts; port 443 is implied.
#[derive(Debug)]
pub(crate) struct Conversion {
    /// The Service of the webhook.
    pub(crate) service: &'static str,
    /// Its namespace.
    pub(crate) namespace: &'static str,
    /// The path of the endpoint.
    pub(crate) path: &'static str,
    /// Versions of `ConversionReview` that it understands, best first.
    pub(crate) review_versions: &'static [&'static str],
}

/// A custom resource definition as a file.
#[derive(Debug)]
pub(crate) struct DefinitionFile {
    /// The API group.
    pub(crate) group: &'static str,
    /// The kind.
    pub(crate) kind: &'static str,
    /// The storage version.
    pub(crate) version: &'static str,
    /// The definition as YAML or JSON.
    pub(crate) text: &'static str,
}

impl System {
    /// The group and name of each kind.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let of_kinds = self.kinds.iter().map(|it| (it.group, it.name));
        of_kinds.chain(self.files.iter().map(|it| (it.group, it.kind)))
    }

    /// The version to use for new objects of a kind.
    pub(crate) fn current_version(&self, kind: &str) -> &'static str {
        let file = self.files.iter().find(|it| it.kind == kind).map(|it| it.version);
        file.or_else(|| self.versions.first().map(|it| it.name)).unwrap_or_default()
    }
}

/// A kind of custom resource. Its root has `apiVersion`, `kind`, `metadata`, and the two fields
/// here.
#[derive(Debug)]
pub(crate) struct Kind {
    /// The API group.
    pub(crate) group: &'static str,
    /// `Sandbox`.
    pub(crate) name: &'static str,
    /// `sandboxes`; with the group it is the name of the custom resource definition.
    pub(crate) plural: &'static str,
    /// `sandbox`.
    pub(crate) singular: &'static str,
    /// The short name that `kubectl get` accepts.
    pub(crate) short_name: &'static str,
    /// `spec`, which every kind requires.
    pub(crate) spec: &'static Record,
    /// The subresource `status`, which writes to the object itself do not change.
    pub(crate) status: Option<&'static Record>,
    /// The table that `kubectl get` prints.
    pub(crate) columns: &'static [Column],
    /// Versions whose objects `kubectl get` prints with these columns; for others it prints name
    /// and age.
    pub(crate) columns_in: ApiVersions,
    /// Versions in which `kubectl scale` and an autoscaler can set `spec.replicas`.
    pub(crate) scales_in: ApiVersions,
    /// Fields that authors write although the kind does not have them.
    pub(crate) moved: &'static [Moved],
    /// Fields whose unknown names and invalid values are reported by a rule of this system; `[]`
    /// matches any item.
    pub(crate) told_by_rules: &'static [&'static str],
}

/// A field that a kind does not have, although manuals, another version or a similarly named kind
/// do.
#[derive(Debug)]
pub(crate) struct Moved {
    /// The path from the root of the object: `spec.replicas`.
    pub(crate) path: &'static str,
    /// The versions that do not have it.
    pub(crate) versions: ApiVersions,
    /// The replacement, as an imperative for help messages.
    pub(crate) instead: &'static str,
    /// The required field with the same meaning in the same object. If this field is set, the other
    /// one is not reported as missing.
    pub(crate) replaced_by: Option<&'static str>,
}

/// A column of `kubectl get`.
#[derive(Debug)]
pub(crate) struct Column {
    /// The heading.
    pub(crate) name: &'static str,
    /// `string`, `integer` or `date`.
    pub(crate) kind: &'static str,
    /// The path of the value, from the root of the object.
    pub(crate) json_path: &'static str,
}

impl Column {
    /// The status of the condition `Ready`.
    pub(crate) const READY: Self = Self {
        name: "Ready",
        kind: "string",
        json_path: ".status.conditions[?(@.type=='Ready')].status",
    };
    /// The reason of the condition `Ready`.
    pub(crate) const REASON: Self = Self {
        name: "Reason",
        kind: "string",
        json_path: ".status.conditions[?(@.type=='Ready')].reason",
    };
    /// The age of the object.
    pub(crate) const AGE: Self =
        Self { name: "Age", kind: "date", json_path: ".metadata.creationTimestamp" };
}

/// A set of versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ApiVersions {
    /// Every version.
    All,
    /// One version only.
    Only(&'static str),
    /// No version.
    None,
}

impl ApiVersions {
    /// Whether the version of this name is in the set.
    pub(crate) fn contains(self, version: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(only) => only == version,
            Self::None => false,
        }
    }
}

/// A map with known keys: a Go struct.
#[derive(Debug)]
pub(crate) struct Record {
    /// The description of the record.
    #[expect(dead_code, reason = "for the reader of the table")]
    pub(crate) docs: &'static str,
    /// Its fields. A name occurs twice if two versions declare the field differently.
    pub(crate) fields: &'static [Field],
    /// Validation rules in the Common Expression Language for the whole record.
    pub(crate) rules: &'static [Rule],
}

/// A field of a record.
#[derive(Debug)]
pub(crate) struct Field {
    /// The key.
    pub(crate) name: &'static str,
    /// The description of the field.
    #[expect(dead_code, reason = "for the reader of the table")]
    pub(crate) docs: &'static str,
    /// The type of its value.
    pub(crate) value: Value,
    /// Whether the field is required.
    pub(crate) required: bool,
    /// The default that the API server sets if the record is present without this key.
    pub(crate) default: Option<Default>,
    /// The versions that have it.
    pub(crate) versions: ApiVersions,
}

impl Field {
    /// An optional field of every version; the macro overrides the differences.
    pub(crate) const OPTIONAL: Self = Self {
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
pub(crate) enum Default {
    /// A string.
    Text(&'static str),
    /// An integer.
    Int(i64),
}

/// The type of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
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
pub(crate) struct Limits {
    /// The minimum.
    pub(crate) minimum: Option<i64>,
    /// The maximum.
    pub(crate) maximum: Option<i64>,
}

impl Limits {
    /// The limits of the type itself.
    pub(crate) const NONE: Self = Self { minimum: None, maximum: None };
    /// 0 or more.
    pub(crate) const NOT_NEGATIVE: Self = Self { minimum: Some(0), maximum: None };
}

/// The limits of a string: its length in code points, and a regular expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLimits {
    /// The minimum length.
    pub(crate) min_length: Option<i64>,
    /// The maximum length.
    pub(crate) max_length: Option<i64>,
    /// A regular expression that the string must match.
    pub(crate) pattern: Option<&'static str>,
}

/// A rule in the Common Expression Language.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The expression.
    pub(crate) expression: &'static str,
    /// The error message if the expression is false.
    pub(crate) message: &'static str,
    /// The versions that have it.
    pub(crate) versions: ApiVersions,
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
pub(crate) use record;
