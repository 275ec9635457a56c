//! The maximum cost of an expression, estimated before it runs (cel-go, `checker/cost.go`).
//!
//! The API server rejects rules by this estimate, so every step follows its code, including the odd
//! ones.
#![allow(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are multiplied by the factors of the API server, in floats as there"
)]

use lean_string::LeanStr;

use super::ast::{Comprehension, Expression, Kind, Literal};
use super::call_cost;
use super::check::Checked;
use super::function::Function;
use super::shape::{Shape, ShapeKind};
use super::types::Type;

/// A range of sizes or costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) least: u64,
    pub(super) most: u64,
}

impl Range {
    pub(super) const ZERO: Self = Self::exactly(0);
    pub(super) const ONE: Self = Self::exactly(1);
    pub(super) const UNKNOWN: Self = Self { least: 0, most: u64::MAX };

    pub(super) const fn exactly(value: u64) -> Self {
        Self { least: value, most: value }
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    pub(super) const fn times(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_mul(other.least),
            most: self.most.saturating_mul(other.most),
        }
    }

    /// Multiplies by a factor and rounds up.
    pub(super) fn scaled(self, factor: f64) -> Self {
        let scale = |value: u64| (value as f64 * factor).ceil() as u64;
        Self { least: scale(self.least), most: scale(self.most) }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

/// The sizes of the keys and the values of a list or a map.
#[derive(Clone, Copy, Debug)]
struct Entries {
    is_list: bool,
    key: Range,
    value: Range,
}

impl Entries {
    fn or(self, other: Self) -> Self {
        let (key, value) = (self.key.or(other.key), self.value.or(other.value));
        Self { is_list: self.is_list, key, value }
    }
}

/// A step on the path from a variable to a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The variable at the start of the path, or a field.
    Name(LeanStr),
    /// Items of a list, or values of a map.
    Elements,
    Keys,
    /// Indexes of a list.
    Indices,
}

/// A variable of a comprehension, with its path and size.
#[derive(Debug)]
struct Local {
    name: LeanStr,
    path: Vec<Step>,
    size: Option<Range>,
    entries: Option<Entries>,
}

/// Estimates the cost of a checked expression whose `self` has the shape `root`.
pub(super) fn most(expression: &Expression, checked: &Checked, root: &Shape) -> u64 {
    let count = checked.types.len();
    let mut coster = Coster {
        checked,
        root,
        paths: vec![Vec::new(); count],
        sizes: vec![None; count],
        entries: vec![None; count],
        locals: Vec::new(),
    };
    coster.cost(expression).most
}

/// The known facts about one argument of a call.
pub(super) struct Argument<'a> {
    pub(super) expression: &'a Expression,
    pub(super) value_type: &'a Type,
    pub(super) path: Vec<Step>,
    /// The size, if the expression or the schema determines it.
    pub(super) computed: Option<Range>,
}

impl Argument<'_> {
    pub(super) fn size(&self) -> Range {
        self.computed.unwrap_or(Range::UNKNOWN)
    }
}

pub(super) struct Coster<'c> {
    checked: &'c Checked,
    root: &'c Shape,
    paths: Vec<Vec<Step>>,
    sizes: Vec<Option<Range>>,
    entries: Vec<Option<Entries>>,
    locals: Vec<Local>,
}

impl Coster<'_> {
    fn cost(&mut self, expression: &Expression) -> Range {
        match &expression.kind {
            Kind::Literal(_) => Range::ZERO,
            Kind::Identifier(name) => {
                let path = match self.local(name) {
                    Some(local) => local.path.clone(),
                    None => vec![Step::Name(name.trim_start_matches('.').into())],
                };
                self.set_path(expression, path);
                Range::ONE
            }
            Kind::Select { operand, field, is_test } => {
                self.select(expression, operand, field, *is_test)
            }
            Kind::Call { target, function, arguments } => {
                self.call(expression, target.as_deref(), function, arguments)
            }
            Kind::List(items) => self.list(expression, items),
            Kind::Map(entries) => self.map(expression, entries),
            Kind::Struct(..) => Range::exactly(40),
            Kind::Comprehension(it) if it.is_binding() => {
                let before = self.cost(&it.range).plus(self.cost(&it.initial));
                self.push_local(&it.accumulator, &it.initial);
                let sum = before.plus(self.cost(&it.result));
                self.locals.pop();
                let (size, entries) = (self.size(&it.result), self.entries_of(&it.result));
                self.set_size(expression, size);
                self.set_entries(expression, entries);
                sum
            }
            Kind::Comprehension(it) => self.comprehension(expression, it),
        }
    }

    fn select(
        &mut self,
        expression: &Expression,
        operand: &Expression,
        field: &LeanStr,
        is_test: bool,
    ) -> Range {
        // A dotted name can be one variable.
        if self.checked.type_of(expression) == &Type::Meta {
            self.set_path(expression, vec![Step::Name(field.clone())]);
            return Range::ONE;
        }
        let sum = self.cost(operand);
        if is_test {
            return sum;
        }
        let mut path = self.path(operand);
        path.push(Step::Name(field.clone()));
        self.set_path(expression, path);
        match self.checked.type_of(operand) {
            Type::Map(_) | Type::Object(_) | Type::Fields(_) | Type::Parameter(_) => {
                sum.plus(Range::ONE)
            }
            _ => sum,
        }
    }

    fn call(
        &mut self,
        expression: &Expression,
        target: Option<&Expression>,
        function: &Function,
        arguments: &[Expression],
    ) -> Range {
        if let (Function::Dyn, [argument]) = (function, arguments) {
            let sum = self.cost(argument).plus(Range::ONE);
            let (size, entries) = (self.size(argument), self.entries_of(argument));
            self.set_size(expression, size);
            self.set_entries(expression, entries);
            return sum;
        }
        let costs: Vec<_> = arguments.iter().map(|argument| self.cost(argument)).collect();
        let target_cost = target.map_or(Range::ZERO, |target| self.cost(target));
        let argument_nodes: Vec<_> =
            arguments.iter().map(|argument| self.argument(argument)).collect();
        let target_node = target.map(|target| self.argument(target));
        let mut sum: Option<Range> = None;
        let mut size: Option<Range> = None;
        for overload in self.checked.overloads_of(expression) {
            self.join_entries(expression, overload.id, arguments);
            let call = call_cost::Call {
                function: function.name(),
                overload: overload.id,
                target: target_node.as_ref(),
                arguments: &argument_nodes,
                costs: &costs,
            };
            let estimate = call.estimate(self);
            sum = Some(sum.map_or(estimate.cost, |sum| sum.or(estimate.cost)));
            if let Some(result) = estimate.size {
                size = Some(size.map_or(result, |size| size.or(result)));
            }
            if let ("index_list" | "index_map", Some(list)) = (overload.id, arguments.first()) {
                size = self.entries_of(list).map(|entries| entries.value);
                let mut path = self.path(list);
                path.push(Step::Elements);
                self.set_path(expression, path);
            }
            if size.is_none() {
                size = self.size(expression);
            }
        }
        self.set_size(expression, size);
        sum.map_or(Range::ZERO, |sum| sum.plus(target_cost))
    }

    /// The sizes of the items of the result of `+` and `?:`.
    fn join_entries(&mut self, expression: &Expression, overload: &str, arguments: &[Expression]) {
        let (("conditional", [_, first, second])
        | ("add_string" | "add_bytes" | "add_list", [first, second])) = (overload, arguments)
        else {
            return;
        };
        if let (Some(first), Some(second)) = (self.entries_of(first), self.entries_of(second)) {
            self.set_entries(expression, Some(first.or(second)));
        }
    }

    fn list(&mut self, expression: &Expression, items: &[(Expression, bool)]) -> Range {
        let mut sum = Range::exactly(10);
        let least = if items.is_empty() { 0 } else { u64::MAX };
        let mut value = Range { least, most: 0 };
        for (item, _) in items {
            sum = sum.plus(self.cost(item));
            value = value.or(self.size_or_unknown(item));
        }
        let entries = Entries { is_list: true, key: Range::ONE, value };
        self.set_entries(expression, Some(entries));
        sum
    }

    fn map(&mut self, expression: &Expression, pairs: &[(Expression, Expression, bool)]) -> Range {
        let mut sum = Range::exactly(30);
        let least = if pairs.is_empty() { 0 } else { u64::MAX };
        let (mut keys, mut values) = (Range { least, most: 0 }, Range { least, most: 0 });
        for (key, value, _) in pairs {
            sum = sum.plus(self.cost(key)).plus(self.cost(value));
            keys = keys.or(self.size_or_unknown(key));
            values = values.or(self.size_or_unknown(value));
        }
        self.set_entries(expression, Some(Entries { is_list: false, key: keys, value: values }));
        sum
    }

    fn comprehension(&mut self, expression: &Expression, comprehension: &Comprehension) -> Range {
        let sum = self.cost(&comprehension.range).plus(self.cost(&comprehension.initial));
        self.push_local(&comprehension.accumulator, &comprehension.initial);
        let outside = self.locals.len();
        let entries = self.entries_of(&comprehension.range);
        let is_list = entries.map_or_else(
            || matches!(self.checked.type_of(&comprehension.range), Type::List(_)),
            |it| it.is_list,
        );
        let path = self.path(&comprehension.range);
        let mut push = |name: &LeanStr, step: Step, size: Option<Range>| {
            let mut path = path.clone();
            path.push(step);
            self.locals.push(Local { name: name.clone(), path, size, entries: None });
        };
        let (key, value) = (entries.map(|it| it.key), entries.map(|it| it.value));
        let keys = if is_list { Step::Indices } else { Step::Keys };
        match &comprehension.second {
            Some(second) => {
                push(&comprehension.variable, keys, key);
                push(second, Step::Elements, value);
            }
            None if is_list => push(&comprehension.variable, Step::Elements, value),
            None => push(&comprehension.variable, keys, key),
        }
        let condition = self.cost(&comprehension.condition);
        let step = self.cost(&comprehension.step);
        self.locals.truncate(outside);
        let sum = sum.plus(self.cost(&comprehension.result));
        self.locals.pop();
        let count = self.size_or_unknown(&comprehension.range);
        match &comprehension.initial.kind {
            Kind::Literal(_) => {
                let size = self.size(&comprehension.initial);
                self.set_size(expression, size);
            }
            Kind::List(_) | Kind::Map(_) => {
                self.set_size(expression, Some(count));
                let entries = self.entries_of(&comprehension.step);
                self.set_entries(expression, entries);
            }
            _ => {}
        }
        sum.plus(count.times(step.plus(condition)))
    }

    fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    fn push_local(&mut self, name: &LeanStr, value: &Expression) {
        let (path, entries, size) = (self.path(value), self.entries_of(value), self.size(value));
        self.locals.push(Local { name: name.clone(), path, size, entries });
    }

    fn path(&self, expression: &Expression) -> Vec<Step> {
        if let Some(local) = expression.as_identifier().and_then(|name| self.local(name)) {
            return local.path.clone();
        }
        self.paths.get(expression.id).cloned().unwrap_or_default()
    }

    fn set_path(&mut self, expression: &Expression, path: Vec<Step>) {
        if let Some(slot) = self.paths.get_mut(expression.id) {
            *slot = path;
        }
    }

    fn set_size(&mut self, expression: &Expression, size: Option<Range>) {
        if let (Some(slot), Some(size)) = (self.sizes.get_mut(expression.id), size) {
            *slot = Some(size);
        }
    }

    fn set_entries(&mut self, expression: &Expression, entries: Option<Entries>) {
        if let (Some(slot), Some(entries)) = (self.entries.get_mut(expression.id), entries) {
            *slot = Some(entries);
        }
    }

    fn entries_of(&self, expression: &Expression) -> Option<Entries> {
        if let Some(entries) = self.entries.get(expression.id).copied().flatten() {
            return Some(entries);
        }
        self.local(expression.as_identifier()?)?.entries
    }

    fn argument<'a>(&mut self, expression: &'a Expression) -> Argument<'a>
    where
        Self: 'a,
    {
        let value_type = self.checked.types.get(expression.id).unwrap_or(&Type::Dyn);
        let (path, computed) = (self.path(expression), self.size(expression));
        Argument { expression, value_type, path, computed }
    }

    fn size_or_unknown(&mut self, expression: &Expression) -> Range {
        self.size(expression).unwrap_or(Range::UNKNOWN)
    }

    fn size(&mut self, expression: &Expression) -> Option<Range> {
        if let Some(size) = self.sizes.get(expression.id).copied().flatten() {
            return Some(size);
        }
        if let Some(size) = written_size(expression) {
            return Some(Range::exactly(size));
        }
        if let Some(size) = self.schema_size(&self.path(expression)) {
            self.set_size(expression, Some(size));
            return Some(size);
        }
        if self.checked.type_of(expression).is_scalar() {
            return Some(Range::ONE);
        }
        self.local(expression.as_identifier()?)?.size
    }

    /// The limit of the schema for the size of the value at the end of a path. The first step, a
    /// variable, is treated as `self` whatever its name.
    pub(super) fn schema_size(&self, path: &[Step]) -> Option<Range> {
        let (_, path) = path.split_first()?;
        let mut shape = self.root;
        for step in path {
            shape = match step {
                Step::Elements => shape.element()?,
                // Keys are strings whose length a schema cannot limit.
                Step::Keys => match &shape.kind {
                    ShapeKind::Map { .. } => return Some(Range::ZERO),
                    _ => return None,
                },
                Step::Indices => return None,
                Step::Name(name) => &shape.declared(name)?.shape,
            };
        }
        Some(Range { least: 0, most: shape.largest })
    }
}

/// The size of a literal.
fn written_size(expression: &Expression) -> Option<u64> {
    let size = match &expression.kind {
        Kind::Literal(Literal::String(text)) => text.chars().count(),
        Kind::Literal(Literal::Bytes(bytes)) => bytes.len(),
        Kind::Literal(_) => 1,
        Kind::List(items) => items.len(),
        Kind::Map(entries) => entries.len(),
        _ => return None,
    };
    u64::try_from(size).ok()
}
