//! `expand` and expressions, which turn one definition into many.
//!
//! Templating is structural. YAML is parsed first; then minijinja evaluates the expressions in single
//! string scalars, never the text of the file: a value cannot change the structure of a document. A
//! scalar that is a single expression keeps the type of its value. Keys are never templated, and there
//! are no statements. Expressions have no access to files, network, environment or clock.
//!
//! This stage precedes decoding, because `replicas: "{{ values.replicas }}"` only becomes an
//! integer here.

#[cfg(test)]
mod bounds;
mod code;
mod environment;
mod expression;
mod instances;
mod literal;
mod meter;
#[cfg(any(test, fuzzing))]
mod neutral;
mod parts;
mod reads;
mod shape;
mod statements;
#[cfg(test)]
mod tests;
mod tokens;
mod unevaluated;

#[cfg(any(test, fuzzing))]
pub(crate) use neutral::assert_guards_are_neutral;

pub(crate) use environment::filters;
pub(crate) use literal::quote_expressions;
pub(crate) use reads::{all_value_paths, reads_defined_value, value_paths};
pub(crate) use shape::Expand;
pub(crate) use unevaluated::{Gaps, Unevaluated};

use self::expression::{
    EXPRESSION_STATEMENT, EXPRESSION_SYNTAX, EXPRESSION_TOO_LARGE, Guards, Plan,
};
use self::instances::{Known, Variables};
use crate::diag::{Diagnostic, Rule, Sink, out_of_fuel};
use crate::limits::Fuel;
use crate::sorted::SortedSet;
use crate::source::Workspace;
use crate::tree::{Entry, Node};

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[expression::RULES, instances::RULES];

/// The context of the expressions of a run.
#[derive(Debug)]
pub(crate) struct ExpressionContext<'c> {
    /// The files, to locate a fault in a scalar.
    workspace: &'c Workspace,
    /// The Project's values, merged with those of the chosen environment.
    values: &'c Node,
    /// The same for minijinja.
    context: minijinja::Value,
    /// The chosen environment.
    environment: Option<minijinja::Value>,
    /// The fuel of the run.
    fuel: &'c Fuel<'c>,
    /// The definitions whose `expand` has an expression that fails.
    unresolved: SortedSet<usize>,
}

impl<'c> ExpressionContext<'c> {
    /// Creates the context of a run.
    pub(crate) fn new(workspace: &'c Workspace, values: &'c Node, fuel: &'c Fuel<'c>) -> Self {
        let context = minijinja::Value::from_serialize(values.to_json());
        Self { workspace, values, context, environment: None, fuel, unresolved: SortedSet::new() }
    }

    /// Defines `environment` in expressions.
    pub(crate) fn with_environment(mut self, name: Option<&str>) -> Self {
        self.environment = name.map(minijinja::Value::from);
        self
    }

    /// Whether the run is out of fuel.
    pub(crate) fn is_out_of_fuel(&self) -> bool {
        self.fuel.is_out()
    }

    /// Evaluates the expressions in the `expand` of each definition, and spends fuel for what all of them
    /// create.
    ///
    /// # Errors
    /// If there is not enough, with the finding: the run creates nothing.
    pub(crate) fn plan<'d>(
        &mut self,
        definitions: impl Iterator<Item = &'d mut Node>,
    ) -> Result<(), Diagnostic> {
        for (number, root) in definitions.enumerate() {
            let Some(expand) = root.get_mut("expand") else { continue };
            if expression::has_any(expand) {
                match instances::resolve(self, expand, &mut Sink::new()) {
                    Some(resolved) => *expand = resolved,
                    None => _ = self.unresolved.insert(number),
                }
            }
            let place = expand.span();
            let (definitions, values) = instances::planned(root);
            if !self.fuel.make(definitions.saturating_add(values)) {
                let finding = out_of_fuel(self.fuel, place, "create definitions");
                return Err(finding.help("create fewer definitions"));
            }
        }
        Ok(())
    }
}

/// The definitions that one document represents: itself if it has neither `expand` nor expressions.
///
/// # Errors
/// If an expression or `expand` has a fault that was reported.
pub(crate) fn run(
    cx: &ExpressionContext<'_>,
    number: usize,
    mut root: Node,
    sink: &mut Sink,
) -> Result<Vec<Node>, Unevaluated> {
    let expand = root.as_map_mut().and_then(|map| map.remove("expand"));
    if expand.is_none() && (!expression::has_any(&root) || shape::is_elsewhere(&root)) {
        return Ok(vec![root]);
    }
    let fuel = cx.fuel.document();
    let document = Document { cx, fuel: &fuel, root: &root, expand: expand.as_ref() };
    if let Some(expand) = expand.as_ref().filter(|_| cx.unresolved.contains(&number)) {
        instances::resolve(cx, &expand.value, sink);
        return Err(document.unevaluated(None, sink));
    }
    match instances::of(cx, expand.as_ref(), root.get("spec").is_some(), sink) {
        Some(instances) => document.expanded(instances, sink),
        None => Err(document.unevaluated(None, sink)),
    }
}

/// A definition to be expanded.
struct Document<'d> {
    cx: &'d ExpressionContext<'d>,
    fuel: &'d Fuel<'d>,
    root: &'d Node,
    expand: Option<&'d Entry>,
}

impl Document<'_> {
    /// The instances of the definition.
    ///
    /// # Errors
    /// If a fault was reported.
    fn expanded(
        &self,
        instances: Vec<Variables>,
        sink: &mut Sink,
    ) -> Result<Vec<Node>, Unevaluated> {
        let Self { cx, fuel, root, expand } = *self;
        let known = Known::new(cx, expand, false);
        let mut findings = sink.part();
        let guards = Guards::new(cx, root, fuel, &mut findings);
        let plan = Plan::new(cx, &guards, &known, &mut findings);
        if !findings.is_empty() {
            return Err(self.unevaluated(instances.into_iter().next(), sink));
        }
        let mut expanded = Vec::with_capacity(instances.len());
        for variables in instances {
            let context = variables.context(cx);
            let (node, faults) = plan.apply(root, &context, fuel);
            if !faults.is_empty() {
                for fault in faults {
                    fault.report(&variables, &known, sink);
                }
                return Err(Unevaluated::new(node));
            }
            expanded.push(node);
        }
        Ok(expanded)
    }

    /// The definition with the values of the expressions that can be evaluated; reports the others.
    /// Without an instance, `expand` has a fault.
    fn unevaluated(&self, instance: Option<Variables>, sink: &mut Sink) -> Unevaluated {
        let Self { cx, fuel, root, expand } = *self;
        let known = Known::new(cx, expand, instance.is_none());
        let guards = Guards::new(cx, root, fuel, sink);
        let mut plan = Plan::new(cx, &guards, &known, sink);
        let variables = instance.unwrap_or_else(|| {
            plan.without_instances();
            Variables::default()
        });
        let context = variables.context(cx);
        let (node, faults) = plan.apply(root, &context, fuel);
        for fault in faults {
            fault.report(&variables, &known, sink);
        }
        Unevaluated::new(node)
    }
}
