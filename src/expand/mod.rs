//! `expand` and expressions, which turn one definition into many.
//!
//! Templating is structural. YAML is parsed first; then minijinja evaluates single string scalars,
//! never the text of the file: a value cannot change the structure of a document. A scalar that is
//! a single expression keeps the type of its value. Keys are never templated. Expressions have no
//! access to files, network, environment or clock.
//!
//! This stage precedes decoding, because `replicas: "{{ values.replicas }}"` only becomes an
//! integer here.

#[cfg(test)]
mod bounds;
mod environment;
mod expression;
mod guard;
mod instances;
mod literal;
mod meter;
#[cfg(any(test, fuzzing))]
mod neutral;
mod reads;
mod shape;
#[cfg(test)]
mod tests;
mod tokens;
mod unevaluated;

#[cfg(any(test, fuzzing))]
pub(crate) use neutral::assert_guards_are_neutral;

pub(crate) use literal::quote_expressions;
pub(crate) use reads::{reads_defined_value, value_paths};
pub(crate) use shape::Expand;
pub(crate) use unevaluated::{Gaps, Unevaluated};

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use self::expression::{EXPRESSION_TOO_LARGE, Guards, Plan};
use self::instances::{EXPAND_TOO_LARGE, Known, Variables};
use self::meter::Budget;
use crate::diag::{About, Diagnostic, Rule, Sink};
use crate::limits;
use crate::source::{Span, Workspace};
use crate::tree::{Entry, Node};

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[expression::RULES, instances::RULES];

/// The context of the expressions of a run, and their cost limits.
#[derive(Debug)]
pub(crate) struct Cx<'c> {
    /// The files, to locate a fault in a scalar.
    workspace: &'c Workspace,
    /// The Project's values, merged with those of the chosen environment.
    values: &'c Node,
    /// The same for minijinja.
    context: minijinja::Value,
    /// The chosen environment.
    environment: Option<minijinja::Value>,
    budget: Budget,
    /// The first definition that exceeds the run's limits of `expand`, and the reason.
    too_large: Option<(usize, String)>,
    /// The definitions whose `expand` has an expression that fails.
    unresolved: BTreeSet<usize>,
    /// Whether a definition exceeded a limit of the run; later ones are skipped.
    is_over: AtomicBool,
}

impl<'c> Cx<'c> {
    /// Creates the context for a run over this number of definitions.
    pub(crate) fn new(workspace: &'c Workspace, values: &'c Node, definitions: usize) -> Self {
        Self {
            workspace,
            values,
            context: minijinja::Value::from_serialize(values.to_json()),
            environment: None,
            budget: Budget::new(definitions),
            too_large: None,
            unresolved: BTreeSet::new(),
            is_over: AtomicBool::new(false),
        }
    }

    /// Defines `environment` in expressions.
    pub(crate) fn with_environment(mut self, name: Option<&str>) -> Self {
        self.environment = name.map(minijinja::Value::from);
        self
    }

    /// Evaluates the expressions in the `expand` of each definition, and adds up what all of them create:
    /// a run over its limits creates nothing.
    pub(crate) fn plan<'d>(&mut self, definitions: impl Iterator<Item = &'d mut Node>) {
        let (mut made, mut nodes) = (0_usize, 0_usize);
        for (number, root) in definitions.enumerate() {
            if let Some(expand) = root.get_mut("expand")
                && expression::has_any(expand)
            {
                match instances::resolve(self, number, expand, &mut Sink::new()) {
                    Some(resolved) => *expand = resolved,
                    None => _ = self.unresolved.insert(number),
                }
            }
            let (definitions, values) = instances::planned(root);
            // It creates nothing, and has a finding of its own.
            if instances::is_over_limit(definitions, values) {
                continue;
            }
            made = made.saturating_add(definitions);
            nodes = nodes.saturating_add(values);
            if self.too_large.is_none() {
                self.too_large = over_limit_of_run(made, nodes).map(|message| (number, message));
            }
        }
    }

    /// Called with the findings of each definition, in order. Returns `false` if the run exceeds
    /// one of its limits: the first such definition has the finding, and the results of later ones
    /// are dropped.
    pub(crate) fn accepts(&self, number: usize, document: Span, sink: &mut Sink) -> bool {
        if self.is_over.load(Ordering::Relaxed) {
            *sink = Sink::new();
            return false;
        }
        let (rule, message) = match &self.too_large {
            Some((first, message)) if number >= *first => (&EXPAND_TOO_LARGE, message.clone()),
            _ if self.budget.settle(number) => {
                (&EXPRESSION_TOO_LARGE, meter::TOO_MUCH_WORK.clone())
            }
            _ => return true,
        };
        self.is_over.store(true, Ordering::Relaxed);
        // The results of all later definitions are dropped, which must be said even if this one has
        // findings of its own.
        if !sink.iter().any(|it| it.details().about == About::RunLimit) {
            sink.report(
                Diagnostic::new(rule, document.start_point(), message)
                    .about(About::RunLimit)
                    .note("this definition and those after it are not compiled")
                    .help("compile fewer definitions at a time"),
            );
        }
        false
    }
}

fn over_limit_of_run(definitions: usize, values: usize) -> Option<String> {
    let (most, most_values) = (limits::RUN_DEFINITIONS, limits::RUN_VALUES);
    if definitions > most.count() {
        return Some(format!("`expand` creates more than {} definitions in this run", most.most));
    }
    (values > most_values.count())
        .then(|| format!("`expand` creates more than {} values in this run", most_values.most))
}

impl Cx<'_> {
    fn costs(&self, number: usize) -> Costs<'_> {
        Costs { budget: &self.budget, number, open: 0, left: self.budget.all() }
    }
}

/// The cost of the expressions of one definition.
struct Costs<'c> {
    budget: &'c Budget,
    number: usize,
    /// The cost that is not yet deducted from the budget.
    open: u64,
    left: u64,
}

/// The cost that accumulates before the shared budget is updated, which is slower with more
/// definitions.
const SPENT_AT_ONCE: u64 = 100_000;

impl Costs<'_> {
    /// The cost limit of an expression.
    fn left(&self) -> u64 {
        self.left.saturating_sub(self.open)
    }

    /// Adds to the cost; returns whether it exceeds the limit of the run.
    fn spend(&mut self, steps: u64) -> bool {
        self.open = self.open.saturating_add(steps);
        if self.open >= SPENT_AT_ONCE {
            self.budget.spend(self.number, self.open);
            self.open = 0;
            self.left = self.budget.left(self.number);
        }
        self.left == 0
    }
}

impl Drop for Costs<'_> {
    fn drop(&mut self) {
        self.budget.spend(self.number, self.open);
    }
}

/// The definitions that one document represents: itself if it has neither `expand` nor expressions,
/// and none if the run exceeds a limit.
///
/// # Errors
/// If an expression or `expand` has a fault that was reported.
pub(crate) fn run(
    cx: &Cx<'_>,
    number: usize,
    mut root: Node,
    sink: &mut Sink,
) -> Result<Vec<Node>, Unevaluated> {
    let is_left_out = cx.too_large.as_ref().is_some_and(|(first, _)| number >= *first);
    if is_left_out || cx.is_over.load(Ordering::Relaxed) {
        return Ok(Vec::new());
    }
    let expand = root.as_map_mut().and_then(|map| map.remove("expand"));
    if expand.is_none() && (!expression::has_any(&root) || shape::is_elsewhere(&root)) {
        return Ok(vec![root]);
    }
    let document = Document { cx, number, root: &root, expand: expand.as_ref() };
    if let Some(expand) = expand.as_ref().filter(|_| cx.unresolved.contains(&number)) {
        instances::resolve(cx, number, &expand.value, sink);
        return Err(document.unevaluated(None, sink));
    }
    match instances::of(cx, expand.as_ref(), root.get("spec").is_some(), sink) {
        Some(instances) => document.expanded(instances, sink),
        None => Err(document.unevaluated(None, sink)),
    }
}

/// A definition to be expanded.
struct Document<'d> {
    cx: &'d Cx<'d>,
    number: usize,
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
        let Self { cx, number, root, expand } = *self;
        let known = Known::new(cx, expand, false);
        let mut findings = sink.part();
        let guards = Guards::new(cx, root, &mut findings);
        let plan = Plan::new(cx, &guards, &known, &mut findings);
        if !findings.is_empty() {
            return Err(self.unevaluated(instances.into_iter().next(), sink));
        }
        if !instances::fit(expand, instances.len(), root.weight(), sink) {
            return Err(Unevaluated::new(root.clone()));
        }
        let mut costs = cx.costs(number);
        let mut expanded = Vec::with_capacity(instances.len());
        for variables in instances {
            let context = variables.context(cx);
            let (node, faults) = plan.apply(root, &context, &mut costs);
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
        let Self { cx, number, root, expand } = *self;
        let known = Known::new(cx, expand, instance.is_none());
        let guards = Guards::new(cx, root, sink);
        let mut plan = Plan::new(cx, &guards, &known, sink);
        if instance.is_none() {
            plan.without_instances();
        }
        let variables = instance.unwrap_or_default();
        let context = variables.context(cx);
        let (node, faults) = plan.apply(root, &context, &mut cx.costs(number));
        for fault in faults {
            fault.report(&variables, &known, sink);
        }
        Unevaluated::new(node)
    }
}
