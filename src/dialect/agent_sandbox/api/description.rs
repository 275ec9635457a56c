//! The words in which the kinds are described: what a Go type and its markers say of an API.

use super::ApiVersion;

/// A kind of agent-sandbox. Its root has `apiVersion`, `kind`, `metadata` and these two.
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
    /// What `kubectl get` takes beside plural and singular.
    pub(crate) short_name: &'static str,
    /// `spec`, which every kind requires.
    pub(crate) spec: &'static Record,
    /// `status`, a subresource of its own: writes to the object itself leave it alone.
    pub(crate) status: Option<&'static Record>,
    /// The table that `kubectl get` prints.
    pub(crate) columns: &'static [Column],
    /// Versions whose objects are printed in that table; the others show name and age.
    pub(crate) columns_in: ApiVersions,
    /// Versions in which `kubectl scale` and an autoscaler can set `spec.replicas`.
    pub(crate) scales_in: ApiVersions,
    /// Fields that authors write and that are not there.
    pub(crate) moved: &'static [Moved],
    /// Fields whose unknown names and malformed values a rule of this system reports in its own
    /// words; `[]` stands for any item.
    pub(crate) told_by_rules: &'static [&'static str],
}

/// A field that a kind does not have, though manuals, another version or a like-named kind do.
#[derive(Debug)]
pub(crate) struct Moved {
    /// From the object's root: `spec.replicas`.
    pub(crate) path: &'static str,
    /// The versions that do not have it.
    pub(crate) versions: ApiVersions,
    /// What to write instead, as an imperative.
    pub(crate) instead: &'static str,
    /// The required field beside it that says the same, and is not missed where this one stands.
    pub(crate) replaced_by: Option<&'static str>,
}

/// A column of `kubectl get`.
#[derive(Debug)]
pub(crate) struct Column {
    /// The heading.
    pub(crate) name: &'static str,
    /// `string`, `integer` or `date`.
    pub(crate) kind: &'static str,
    /// Where the value is, from the object's root.
    pub(crate) json_path: &'static str,
}

impl Column {
    /// Whether the object's condition `Ready` is met.
    pub(super) const READY: Self = Self {
        name: "Ready",
        kind: "string",
        json_path: ".status.conditions[?(@.type=='Ready')].status",
    };
    /// Why it is met or not.
    pub(super) const REASON: Self = Self {
        name: "Reason",
        kind: "string",
        json_path: ".status.conditions[?(@.type=='Ready')].reason",
    };
    /// The time since the object was made.
    pub(super) const AGE: Self =
        Self { name: "Age", kind: "date", json_path: ".metadata.creationTimestamp" };
}

/// A set of versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ApiVersions {
    /// Every version.
    All,
    /// One version only.
    Only(ApiVersion),
    /// No version.
    None,
}

impl ApiVersions {
    /// Whether `version` is in the set.
    pub(crate) fn contains(self, version: ApiVersion) -> bool {
        match self {
            Self::All => true,
            Self::Only(only) => only == version,
            Self::None => false,
        }
    }

    /// Whether the version of this name is in the set.
    pub(crate) fn contains_name(self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(only) => only.as_str() == name,
            Self::None => false,
        }
    }
}

/// A map with known keys: a Go struct.
#[derive(Debug)]
pub(crate) struct Record {
    /// What it is.
    #[expect(dead_code, reason = "for the reader of the table")]
    pub(crate) docs: &'static str,
    /// Its fields. A name stands twice where two versions disagree about the field.
    pub(crate) fields: &'static [Field],
    /// Rules in the Common Expression Language over the whole of it.
    pub(crate) rules: &'static [Rule],
}

/// A field of a record.
#[derive(Debug)]
pub(crate) struct Field {
    /// The key.
    pub(crate) name: &'static str,
    /// What it means.
    #[expect(dead_code, reason = "for the reader of the table")]
    pub(crate) docs: &'static str,
    /// The type of its value.
    pub(crate) value: Value,
    /// Must be present.
    pub(crate) required: bool,
    /// What the API server writes where the key is absent and the record is there.
    pub(crate) default: Option<Default>,
    /// The versions that have it.
    pub(crate) versions: ApiVersions,
}

impl Field {
    /// An optional field of every version; the macro changes what is said otherwise.
    pub(super) const OPTIONAL: Self = Self {
        name: "",
        docs: "",
        value: Value::Bool,
        required: false,
        default: None,
        versions: ApiVersions::All,
    };
}

/// What the API server writes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Default {
    /// A text.
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
    /// `string` out of a closed list.
    Choice(&'static [&'static str]),
    /// `map[string]string`.
    TextMap,
    /// A list without a word on how its items are told apart.
    List(&'static Value),
    /// A list that is one value (`listType=atomic`).
    AtomicList(&'static Value),
    /// A struct of agent-sandbox.
    Record(&'static Record),
    /// A struct of Kubernetes, by its name in the OpenAPI definitions.
    Builtin(&'static str),
}

/// The smallest and the largest integer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The smallest.
    pub(crate) minimum: Option<i64>,
    /// The largest.
    pub(crate) maximum: Option<i64>,
}

impl Limits {
    /// As the type itself.
    pub(super) const NONE: Self = Self { minimum: None, maximum: None };
    /// 0 or more.
    pub(super) const NOT_NEGATIVE: Self = Self { minimum: Some(0), maximum: None };
}

/// Length in code points, and a regular expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLimits {
    /// The shortest.
    pub(crate) min_length: Option<i64>,
    /// The longest.
    pub(crate) max_length: Option<i64>,
    /// Must be found in the text.
    pub(crate) pattern: Option<&'static str>,
}

/// A rule in the Common Expression Language.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The expression.
    pub(crate) expression: &'static str,
    /// What the API server says where it is false.
    pub(crate) message: &'static str,
    /// The versions that have it.
    pub(crate) versions: ApiVersions,
}

/// Writes a record as its Go type reads: doc comment, field, type, and what its markers say. Rules
/// over the whole record stand in brackets behind its name.
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
        pub(super) static $record: $crate::dialect::agent_sandbox::api::description::Record =
            $crate::dialect::agent_sandbox::api::description::Record {
                docs: concat!($($docs, "\n"),+),
                fields: &[$(
                    $crate::dialect::agent_sandbox::api::description::Field {
                        name: stringify!($field),
                        docs: concat!($($field_docs, "\n"),+),
                        value: $value,
                        $($marker: $setting,)*
                        ..$crate::dialect::agent_sandbox::api::description::Field::OPTIONAL
                    },
                )+],
                rules: &[$($($rule),+)?],
            };
    };
}
pub(super) use record;
