//! The types that a field of a definition can have.

use std::marker::PhantomData;

use lean_string::LeanStr;

use super::{ChoiceValues, Docs};
use crate::schema::{List, ListType, PatchStrategy, StringFormat, Type};
use crate::source::Span;
use crate::tree::{Entry, Node, Value};

/// The type of a field: its schema, and how it is read from a checked tree.
pub(crate) trait Field: Sized {
    /// The schema type that the value is checked against.
    const TYPE: Type<'static>;

    /// The doc comments of the record that the value is or contains, if it is one of the language's
    /// own.
    const NESTED_DOCS: Option<&'static Docs> = None;

    /// Reads the value, if the node has the right type. `null` counts as absent, as in Kubernetes.
    fn read(node: Node) -> Option<Self>;
}

/// A string.
#[derive(Clone, Debug)]
pub(crate) struct Text(Node);

impl Text {
    /// The string.
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str().unwrap_or("")
    }

    /// The span in the source.
    pub(crate) fn span(&self) -> Span {
        self.0.span()
    }

    /// The node.
    pub(crate) const fn node(&self) -> &Node {
        &self.0
    }

    /// The node, to become part of an object.
    pub(crate) fn into_node(self) -> Node {
        self.0
    }

    /// Another string with the same span.
    pub(crate) fn with_text(&self, text: impl Into<LeanStr>) -> Self {
        Self(Node::string(text, self.0.origin()))
    }
}

impl Field for Text {
    const TYPE: Type<'static> = Type::String(StringFormat::Plain);

    fn read(node: Node) -> Option<Self> {
        node.as_str().is_some().then_some(Self(node))
    }
}

/// An integer of 32 bits.
#[derive(Clone, Debug)]
pub(crate) struct Integer {
    number: i64,
    node: Node,
}

impl Integer {
    /// The node.
    pub(crate) const fn node(&self) -> &Node {
        &self.node
    }

    /// The number.
    pub(crate) const fn as_i64(&self) -> i64 {
        self.number
    }

    /// The span in the source.
    pub(crate) const fn span(&self) -> Span {
        self.node.span()
    }

    /// The node, to become part of an object.
    pub(crate) fn into_node(self) -> Node {
        self.node
    }
}

impl Field for Integer {
    const TYPE: Type<'static> = Type::Int32;

    fn read(node: Node) -> Option<Self> {
        Some(Self { number: node.as_i64()?, node })
    }
}

/// A boolean.
#[derive(Clone, Debug)]
pub(crate) struct Flag(Node);

impl Flag {
    /// The node.
    pub(crate) const fn node(&self) -> &Node {
        &self.0
    }

    /// Whether it is `true`.
    pub(crate) fn is_set(&self) -> bool {
        self.0.as_bool() == Some(true)
    }

    /// The node, to become part of an object.
    pub(crate) fn into_node(self) -> Node {
        self.0
    }
}

impl Field for Flag {
    const TYPE: Type<'static> = Type::Bool;

    fn read(node: Node) -> Option<Self> {
        node.as_bool().is_some().then_some(Self(node))
    }
}

/// An amount with a unit: `500m`, `1Gi`.
#[derive(Clone, Debug)]
pub(crate) struct Quantity(Node);

impl Quantity {
    /// The node.
    pub(crate) const fn node(&self) -> &Node {
        &self.0
    }

    /// The node, to become part of an object.
    pub(crate) fn into_node(self) -> Node {
        self.0
    }
}

impl Field for Quantity {
    const TYPE: Type<'static> = Type::Quantity;

    fn read(node: Node) -> Option<Self> {
        (node.as_str().is_some() || node.as_number().is_some()).then_some(Self(node))
    }
}

/// A string from a closed list.
#[derive(Clone, Debug)]
pub(crate) struct Choice<E> {
    /// The value.
    pub(crate) value: E,
    node: Node,
}

impl<E> Choice<E> {
    /// The same string, as a value of another list that also has it.
    pub(crate) fn with_value<F>(&self, value: F) -> Choice<F> {
        Choice { value, node: self.node.clone() }
    }

    /// The span in the source.
    pub(crate) const fn span(&self) -> Span {
        self.node.span()
    }

    /// The node, to become part of an object.
    pub(crate) fn into_node(self) -> Node {
        self.node
    }
}

impl<E: ChoiceValues + Copy> Choice<E> {
    /// The value, as the author writes it.
    pub(crate) fn as_str(&self) -> &'static str {
        self.value.as_str()
    }
}

impl<E: ChoiceValues> Field for Choice<E> {
    const TYPE: Type<'static> = Type::Choice(E::VALUES);

    fn read(node: Node) -> Option<Self> {
        let value = E::parse(node.as_str()?)?;
        Some(Self { value, node })
    }
}

/// Any value.
#[derive(Clone, Debug)]
pub(crate) struct Anything {
    /// The author's tree.
    pub(crate) node: Node,
}

impl Field for Anything {
    const TYPE: Type<'static> = Type::Any;

    fn read(node: Node) -> Option<Self> {
        Some(Self { node })
    }
}

/// A value whose tree is kept: it was checked against the type, but its keys are still needed.
#[derive(Clone, Debug)]
pub(crate) struct Raw<T> {
    /// The author's tree.
    pub(crate) node: Node,
    shape: PhantomData<T>,
}

impl<T: Field> Raw<T> {
    /// The value itself.
    pub(crate) fn read(self) -> Option<T> {
        T::read(self.node)
    }
}

impl<T: Field> Field for Raw<T> {
    const TYPE: Type<'static> = T::TYPE;
    const NESTED_DOCS: Option<&'static Docs> = T::NESTED_DOCS;

    fn read(node: Node) -> Option<Self> {
        (!node.is_null()).then_some(Self { node, shape: PhantomData })
    }
}

/// The name of a definition, or an inline `spec` instead.
#[derive(Clone, Debug)]
pub(crate) enum NameOr<T> {
    /// The name.
    Name(Text),
    /// The spec.
    Inline(Box<T>),
}

impl<T: Field> NameOr<T> {
    const INLINE: Type<'static> = T::TYPE;
}

impl<T: Field + 'static> Field for NameOr<T> {
    const TYPE: Type<'static> = Type::NameOr(&Self::INLINE);
    const NESTED_DOCS: Option<&'static Docs> = T::NESTED_DOCS;

    fn read(node: Node) -> Option<Self> {
        if node.as_str().is_some() {
            return Text::read(node).map(Self::Name);
        }
        T::read(node).map(|read| Self::Inline(Box::new(read)))
    }
}

/// A list of definitions' own records; items merge by `name`.
#[derive(Clone, Debug)]
pub(crate) struct Listed<T> {
    /// In source order.
    pub(crate) items: Vec<T>,
}

impl<T: Field> Listed<T> {
    const LIST: List<'static> =
        List { items: T::TYPE, identity: ListType::Atomic, patch: PatchStrategy::Replace };
}

impl<T: Field + 'static> Field for Listed<T> {
    const TYPE: Type<'static> = Type::List(&Self::LIST);
    const NESTED_DOCS: Option<&'static Docs> = T::NESTED_DOCS;

    fn read(node: Node) -> Option<Self> {
        match node.value {
            Value::List(items) => {
                Some(Self { items: items.into_iter().filter_map(T::read).collect() })
            }
            _ => None,
        }
    }
}

/// A map with arbitrary keys.
#[derive(Clone, Debug)]
pub(crate) struct Mapped<T> {
    /// In source order.
    pub(crate) entries: Vec<(LeanStr, T)>,
    /// The span of each key.
    pub(crate) keys: Vec<Span>,
}

impl<T: Field> Mapped<T> {
    const VALUES: Type<'static> = T::TYPE;
}

impl<T: Field + 'static> Field for Mapped<T> {
    const TYPE: Type<'static> = Type::Map(&Self::VALUES);
    const NESTED_DOCS: Option<&'static Docs> = T::NESTED_DOCS;

    fn read(node: Node) -> Option<Self> {
        node.as_map()?;
        let entries = node.into_entries().into_iter();
        let read = |Entry { key, value }| {
            let span = key.span();
            Some(((key.into(), T::read(value)?), span))
        };
        let (entries, keys) = entries.filter_map(read).unzip();
        Some(Self { entries, keys })
    }
}

/// The name of a type in the compiled-in Kubernetes tables.
pub(crate) trait KubernetesType {
    /// The definition, `io.k8s.api.core.v1.PodSpec`.
    const DEFINITION: &'static str;
    /// One of its properties; `None` for the definition itself.
    const PROPERTY: Option<&'static str>;

    /// The type: [`find`](Self::find), once for all uses.
    fn lookup() -> Type<'static>;

    /// The type, from the tables.
    fn find() -> Type<'static> {
        let Some(definition) = crate::schema::definition(Self::DEFINITION) else {
            return Type::Any;
        };
        match Self::PROPERTY {
            None => Type::Object(definition),
            Some(name) => definition.property(name).map_or(Type::Any, |property| property.value),
        }
    }
}

/// A value with a Kubernetes type, so that a snippet from its documentation can be pasted in.
#[derive(Clone, Debug)]
pub(crate) struct Shaped<S> {
    /// The author's tree.
    pub(crate) node: Node,
    shape: PhantomData<S>,
}

impl<S> Shaped<S> {
    /// The node, to become part of an object.
    pub(crate) fn into_node(self) -> Node {
        self.node
    }
}

impl<S: KubernetesType> Field for Shaped<S> {
    const TYPE: Type<'static> = Type::Reference(S::lookup);

    fn read(node: Node) -> Option<Self> {
        (!node.is_null()).then_some(Self { node, shape: PhantomData })
    }
}

/// Declares names for Kubernetes types: `Name = "definition"` or `Name = "definition" . "property"`.
macro_rules! kubernetes_types {
    ($( $(#[doc = $doc:expr])* $name:ident = $definition:literal $(. $property:literal)?; )+) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, Debug)]
            pub(crate) struct $name;

            impl $crate::decode::KubernetesType for $name {
                const DEFINITION: &'static str = $definition;
                const PROPERTY: Option<&'static str> =
                    $crate::decode::kubernetes_types!(@property $($property)?);

                fn lookup() -> $crate::schema::Type<'static> {
                    static FOUND: std::sync::OnceLock<$crate::schema::Type<'static>> =
                        std::sync::OnceLock::new();
                    *FOUND.get_or_init(Self::find)
                }
            }
        )+
    };
    (@property) => { None };
    (@property $property:literal) => { Some($property) };
}
pub(crate) use kubernetes_types;
