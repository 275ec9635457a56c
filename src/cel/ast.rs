//! The tree of an expression, after its macros were expanded.

use lean_string::LeanStr;

/// The variable that a comprehension gathers its result in. No text can name it.
pub(super) const ACCUMULATOR: &str = "@result";

/// One node of an expression.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    /// Its number in the tree, from 0 on.
    pub(super) id: usize,
    /// Where it begins in the text, in bytes.
    pub(super) at: usize,
    /// What it is.
    pub(super) kind: Kind,
}

/// The kinds of nodes.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A value written down.
    Literal(Literal),
    /// The name of a variable or of a type.
    Identifier(LeanStr),
    /// `operand.field`, or `has(operand.field)` where `is_test`.
    Select { operand: Box<Expression>, field: LeanStr, is_test: bool },
    /// `target.function(arguments)` or `function(arguments)`; operators have names like `_+_`.
    Call { target: Option<Box<Expression>>, function: LeanStr, arguments: Vec<Expression> },
    /// `[a, ?b]`: each item, and whether it is left out where it has no value.
    List(Vec<(Expression, bool)>),
    /// `{a: b, ?c: d}`: each entry, and whether it is left out where it has no value.
    Map(Vec<(Expression, Expression, bool)>),
    /// `name{field: value}`: an object of a named type, which no rule has a use for.
    Struct(LeanStr),
    /// A loop over a list or a map, made by a macro.
    Comprehension(Box<Comprehension>),
}

/// A value written down.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(LeanStr),
    Bytes(Vec<u8>),
}

/// A loop: the accumulator begins as `initial`, and is `step` after each item for as long as
/// `condition` holds; the value is `result`.
#[derive(Clone, Debug)]
pub(super) struct Comprehension {
    /// What is walked.
    pub(super) range: Expression,
    /// An item of a list or a key of a map; with `second`, the index or the key.
    pub(super) variable: LeanStr,
    /// The item or the value.
    pub(super) second: Option<LeanStr>,
    /// The name of the accumulator.
    pub(super) accumulator: LeanStr,
    pub(super) initial: Expression,
    pub(super) condition: Expression,
    pub(super) step: Expression,
    pub(super) result: Expression,
}

impl Comprehension {
    /// Whether it only gives a value a name: it walks nothing.
    pub(super) fn is_binding(&self) -> bool {
        matches!(&self.range.kind, Kind::List(items) if items.is_empty())
            && matches!(self.condition.kind, Kind::Literal(Literal::Bool(false)))
            && self.accumulator != ACCUMULATOR
    }
}

impl Expression {
    /// A node whose number is given later.
    pub(super) const fn new(at: usize, kind: Kind) -> Self {
        Self { id: 0, at, kind }
    }

    pub(super) fn literal(at: usize, literal: Literal) -> Self {
        Self::new(at, Kind::Literal(literal))
    }

    pub(super) fn identifier(at: usize, name: impl Into<LeanStr>) -> Self {
        Self::new(at, Kind::Identifier(name.into()))
    }

    /// A call without a target.
    pub(super) fn call(at: usize, function: &str, arguments: Vec<Self>) -> Self {
        Self::new(at, Kind::Call { target: None, function: function.into(), arguments })
    }

    /// A call of a member.
    pub(super) fn member(at: usize, target: Self, function: &str, arguments: Vec<Self>) -> Self {
        let target = Some(Box::new(target));
        Self::new(at, Kind::Call { target, function: function.into(), arguments })
    }

    /// The name, where it is a name alone.
    pub(super) fn as_identifier(&self) -> Option<&LeanStr> {
        match &self.kind {
            Kind::Identifier(name) => Some(name),
            _ => None,
        }
    }

    /// `a.b.c`, where it is names and dots alone.
    pub(super) fn qualified_name(&self) -> Option<String> {
        match &self.kind {
            Kind::Identifier(name) => Some(name.to_string()),
            Kind::Select { operand, field, is_test: false } => {
                Some(format!("{}.{field}", operand.qualified_name()?))
            }
            _ => None,
        }
    }

    /// The nodes directly below, in the order of the text.
    pub(super) fn children_mut(&mut self) -> Vec<&mut Self> {
        match &mut self.kind {
            Kind::Literal(_) | Kind::Identifier(_) | Kind::Struct(_) => Vec::new(),
            Kind::Select { operand, .. } => vec![operand],
            Kind::Call { target, arguments, .. } => {
                target.iter_mut().map(AsMut::as_mut).chain(arguments).collect()
            }
            Kind::List(items) => items.iter_mut().map(|(item, _)| item).collect(),
            Kind::Map(entries) => {
                entries.iter_mut().flat_map(|(key, value, _)| [key, value]).collect()
            }
            Kind::Comprehension(it) => vec![
                &mut it.range,
                &mut it.initial,
                &mut it.condition,
                &mut it.step,
                &mut it.result,
            ],
        }
    }
}
