//! `Arena`: owns the types that are read from the input.

use super::{
    Constrained, Constraint, Constraints, EnumValue, List, Object, Pattern, Property, Type,
};
use crate::sorted::CompactSort as _;
use crate::tree::Node;

/// The maximum number of patterns whose compiled form is kept. Each takes up to a few MiB.
const COMPILED_PATTERNS: usize = 200;

/// Owns all parts of the types of one run; they live as long as the arena and refer to each other.
#[derive(Default)]
pub struct Arena<'s> {
    types: typed_arena::Arena<Type<'s>>,
    lists: typed_arena::Arena<List<'s>>,
    objects: typed_arena::Arena<Object<'s>>,
    properties: typed_arena::Arena<Property<'s>>,
    constrained: typed_arena::Arena<Constrained<'s>>,
    constraints: typed_arena::Arena<Constraint<'s>>,
    groups: typed_arena::Arena<Constraints<'s>>,
    named_groups: typed_arena::Arena<(&'s str, Constraints<'s>)>,
    enum_values: typed_arena::Arena<EnumValue<'s>>,
    names: typed_arena::Arena<&'s str>,
    nodes: typed_arena::Arena<Node>,
    patterns: typed_arena::Arena<Pattern>,
    texts: typed_arena::Arena<u8>,
}

impl<'s> Arena<'s> {
    /// Creates an empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a type.
    pub fn type_(&'s self, value: Type<'s>) -> &'s Type<'s> {
        self.types.alloc(value)
    }

    /// Keeps a list.
    pub fn list(&'s self, value: List<'s>) -> &'s List<'s> {
        self.lists.alloc(value)
    }

    /// Keeps an object.
    pub fn object(&'s self, value: Object<'s>) -> &'s Object<'s> {
        self.objects.alloc(value)
    }

    /// Keeps properties, sorted by name.
    pub fn properties(&'s self, mut values: Vec<Property<'s>>) -> &'s [Property<'s>] {
        values.compact_sort_by(|a, b| a.name.cmp(b.name));
        self.properties.alloc_extend(values)
    }

    /// Keeps a constrained type.
    pub fn constrained(&'s self, value: Constrained<'s>) -> &'s Constrained<'s> {
        self.constrained.alloc(value)
    }

    /// Keeps constraints.
    pub fn constraints(&'s self, values: Vec<Constraint<'s>>) -> Constraints<'s> {
        self.constraints.alloc_extend(values)
    }

    /// Keeps groups of constraints.
    pub fn groups(&'s self, values: Vec<Constraints<'s>>) -> &'s [Constraints<'s>] {
        self.groups.alloc_extend(values)
    }

    /// Keeps named groups of constraints.
    pub fn named_groups(
        &'s self,
        values: Vec<(&'s str, Constraints<'s>)>,
    ) -> &'s [(&'s str, Constraints<'s>)] {
        self.named_groups.alloc_extend(values)
    }

    /// Keeps values of an enum.
    pub fn enum_values(&'s self, values: Vec<EnumValue<'s>>) -> &'s [EnumValue<'s>] {
        self.enum_values.alloc_extend(values)
    }

    /// Keeps names.
    pub fn names(&'s self, values: Vec<&'s str>) -> &'s [&'s str] {
        self.names.alloc_extend(values)
    }

    /// Keeps nodes.
    pub fn nodes(&'s self, values: Vec<Node>) -> &'s [Node] {
        self.nodes.alloc_extend(values)
    }

    /// Keeps a pattern; of very many the compiled forms are not kept.
    pub fn pattern(&'s self, text: &str) -> &'s Pattern {
        let is_one_of_many = self.patterns.len() >= COMPILED_PATTERNS;
        let new = if is_one_of_many { Pattern::of_many } else { Pattern::new };
        self.patterns.alloc(new(text))
    }

    /// Keeps a string.
    pub fn text(&'s self, value: &str) -> &'s str {
        self.texts.alloc_str(value)
    }
}
