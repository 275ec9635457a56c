//! The macros `definition!` and `choice!`, which declare a type, its schema and its documentation
//! together.

use thin_vec::ThinVec;

use crate::schema::{EnumValue, Object, Property, Type};
use crate::tree::{Entry, Node};

/// A struct declared with [`definition!`].
pub(crate) trait Record: Sized {
    /// Its schema.
    const OBJECT: &'static Object<'static>;
    /// The doc comments of the record and its fields, and its nested records.
    const DOCS: &'static Docs;

    /// Reads its fields from the entries, which it removes.
    fn take(fields: &mut Fields) -> Option<Self>;
}

/// The doc comments of a record, for `schema` and `explain`.
#[derive(Debug)]
pub(crate) struct Docs {
    /// The object that this describes.
    pub(crate) object: &'static Object<'static>,
    /// The comment of the record.
    pub(crate) summary: &'static str,
    /// Each field with its comment, in the order of declaration.
    pub(crate) fields: &'static [(&'static str, &'static str)],
    /// The records whose fields appear among this record's own.
    pub(crate) flattened: &'static [&'static Docs],
    /// The records in its fields.
    pub(crate) nested: &'static [Option<&'static Docs>],
}

/// The entries of a map, to be removed one by one.
#[derive(Debug)]
pub(crate) struct Fields {
    entries: ThinVec<Entry>,
}

impl Fields {
    /// The entries of `node`; empty if it is not a map.
    pub(crate) fn of(node: Node) -> Self {
        Self { entries: node.into_entries() }
    }

    /// Removes the value of `key` and returns it. `null` counts as absent.
    pub(crate) fn take(&mut self, key: &str) -> Option<Node> {
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        let entry = self.entries.swap_remove(at);
        (!entry.value.is_null()).then_some(entry.value)
    }
}

/// Sorts properties by name at compile time, for binary search.
#[expect(clippy::indexing_slicing, reason = "runs while compiling: a bad index does not build")]
pub(crate) const fn sorted<const N: usize>(
    parts: &[&[Property<'static>]],
) -> [Property<'static>; N] {
    let mut all = [Property::new("", Type::Any, false); N];
    let (mut count, mut part) = (0, 0);
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() {
            all[count] = parts[part][index];
            let mut at = count;
            while at > 0 && is_before(all[at].name.as_bytes(), all[at - 1].name.as_bytes()) {
                (all[at], all[at - 1]) = (all[at - 1], all[at]);
                at -= 1;
            }
            count += 1;
            index += 1;
        }
        part += 1;
    }
    all
}

#[expect(clippy::indexing_slicing, reason = "runs while compiling: a bad index does not build")]
const fn is_before(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() {
        if a[at] != b[at] {
            return a[at] < b[at];
        }
        at += 1;
    }
    a.len() < b.len()
}

/// Declares a record: a struct whose fields have a key, a doc comment, and are `required` or
/// `optional`. The fields of a `flatten` record appear among its own.
///
/// ```text
/// definition! {
///     /// Sandboxes that are started before they are claimed.
///     pub(crate) struct WarmPoolSpec in "WarmPool.spec" {
///         /// The Template of the sandboxes.
///         "template" required template: Text,
///         /// How many wait.
///         "replicas" optional replicas: Integer,
///     }
/// }
/// ```
macro_rules! definition {
    (
        $(#[doc = $summary:expr])+
        pub(crate) struct $record:ident in $object:literal {
            $( flatten $flat:ident: $flattened:ty, )*
            $( $(#[doc = $doc:expr])+ $key:literal $requirement:ident $field:ident: $value:ty, )*
        }
    ) => {
        $(#[doc = $summary])+
        #[derive(Clone, Debug)]
        #[allow(dead_code, reason = "a field may be declared for its schema alone")]
        pub(crate) struct $record {
            $( pub(crate) $flat: $flattened, )*
            $(
                $(#[doc = $doc])+
                pub(crate) $field: $crate::decode::definition!(@type $requirement $value),
            )*
        }

        impl $crate::decode::Record for $record {
            const OBJECT: &'static $crate::schema::Object<'static> = {
                const COUNT: usize = 0
                    $( + $crate::decode::definition!(@one $key) )*
                    $( + <$flattened as $crate::decode::Record>::OBJECT.properties.len() )*;
                const PROPERTIES: [$crate::schema::Property<'static>; COUNT] =
                    $crate::decode::sorted(&[
                        &[$( $crate::schema::Property::new(
                            $key,
                            <$value as $crate::decode::Field>::TYPE,
                            $crate::decode::definition!(@is_required $requirement),
                        ) ),*],
                        $( <$flattened as $crate::decode::Record>::OBJECT.properties, )*
                    ]);
                &$crate::schema::Object::new($object, &PROPERTIES)
            };

            const DOCS: &'static $crate::decode::Docs = &$crate::decode::Docs {
                object: <Self as $crate::decode::Record>::OBJECT,
                summary: concat!($($summary, "\n"),+),
                fields: &[$( ($key, concat!($($doc, "\n"),+)) ),*],
                flattened: &[$( <$flattened as $crate::decode::Record>::DOCS ),*],
                nested: &[$( <$value as $crate::decode::Field>::NESTED_DOCS ),*],
            };

            fn take(fields: &mut $crate::decode::Fields) -> Option<Self> {
                Some(Self {
                    $( $flat: <$flattened as $crate::decode::Record>::take(fields)?, )*
                    $( $field: {
                        let value = fields.take($key).and_then(<$value as $crate::decode::Field>::read);
                        $crate::decode::definition!(@value $requirement value)
                    }, )*
                })
            }
        }

        impl $crate::decode::Field for $record {
            const TYPE: $crate::schema::Type<'static> =
                $crate::schema::Type::Object(<Self as $crate::decode::Record>::OBJECT);
            const NESTED_DOCS: Option<&'static $crate::decode::Docs> =
                Some(<Self as $crate::decode::Record>::DOCS);

            fn read(node: $crate::tree::Node) -> Option<Self> {
                node.as_map()?;
                $crate::decode::Record::take(&mut $crate::decode::Fields::of(node))
            }
        }
    };
    (@type required $value:ty) => { $value };
    (@type optional $value:ty) => { Option<$value> };
    (@is_required required) => { true };
    (@is_required optional) => { false };
    (@value required $value:ident) => { $value? };
    (@value optional $value:ident) => { $value };
    (@one $key:literal) => { 1 };
}
pub(crate) use definition;

/// An enum declared with [`choice!`].
pub(crate) trait ChoiceValues: Copy + 'static {
    /// All values, as the author writes them.
    const VALUES: &'static [EnumValue<'static>];

    /// Parses a value.
    fn parse(text: &str) -> Option<Self>;

    /// The value, as the author writes it.
    fn as_str(self) -> &'static str;
}

/// Declares an enum of strings: `Variant = "text"`.
macro_rules! choice {
    (
        $(#[doc = $summary:expr])+
        pub(crate) enum $choice:ident {
            $( $(#[doc = $doc:expr])+ $variant:ident = $text:literal, )+
        }
    ) => {
        $(#[doc = $summary])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum $choice {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl $crate::decode::ChoiceValues for $choice {
            const VALUES: &'static [$crate::schema::EnumValue<'static>] = &[
                $( $crate::schema::EnumValue {
                    value: $text,
                    versions: $crate::schema::Versions::ALL,
                } ),+
            ];

            fn parse(text: &str) -> Option<Self> {
                match text {
                    $( $text => Some(Self::$variant), )+
                    _ => None,
                }
            }

            fn as_str(self) -> &'static str {
                match self {
                    $( Self::$variant => $text, )+
                }
            }
        }
    };
}
pub(crate) use choice;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{Choice, Field, Flag, Integer, Text};
    use crate::source::Workspace;
    use crate::tree::Origin;

    choice! {
        /// Sizes.
        pub(crate) enum Size {
            /// Small.
            Small = "small",
            /// Large.
            Large = "large",
        }
    }

    definition! {
        /// What all shapes have.
        pub(crate) struct Common in "Common" {
            /// Its name.
            "name" required name: Text,
            /// Whether it is shown.
            "visible" optional visible: Flag,
        }
    }

    definition! {
        /// A shape.
        pub(crate) struct Shape in "Shape" {
            flatten common: Common,
            /// How big.
            "size" optional size: Choice<Size>,
            /// How many.
            "count" optional count: Integer,
        }
    }

    fn read(json: serde_json::Value) -> Option<Shape> {
        let file = Workspace::new().add("t", "");
        Shape::read(Node::from_json(json, Origin::source(crate::source::Span::new(file, 0, 0))))
    }

    #[test]
    fn properties_are_sorted_and_include_flattened_ones() {
        let names: Vec<_> = Shape::OBJECT.properties.iter().map(|it| it.name).collect();
        assert_eq!(names, ["count", "name", "size", "visible"]);
        assert!(Shape::OBJECT.property("name").is_some_and(|it| it.is_required));
    }

    #[test]
    fn reads_required_optional_and_flattened_fields() {
        let shape = read(serde_json::json!({"name": "a", "size": "large", "count": null}));
        let shape = shape.expect("a shape");
        assert_eq!(shape.common.name.as_str(), "a");
        assert_eq!(shape.size.map(|it| it.value), Some(Size::Large));
        assert!(shape.count.is_none());
        assert!(read(serde_json::json!({"size": "large"})).is_none());
    }

    #[test]
    fn a_value_has_the_string_that_it_is_read_from() {
        for (value, text) in [(Size::Small, "small"), (Size::Large, "large")] {
            assert_eq!((value.as_str(), Size::parse(text)), (text, Some(value)));
        }
        assert_eq!(Size::parse("huge"), None);
    }

    #[test]
    fn doc_comments_are_kept() {
        assert_eq!(<Shape as Record>::DOCS.fields.first(), Some(&("size", " How big.\n")));
        assert_eq!(<Shape as Record>::DOCS.flattened.len(), 1);
    }
}
