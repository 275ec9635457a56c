//! `expand` and expressions: one definition becomes many.
//!
//! Templating is structural. YAML is parsed first; then minijinja runs inside single text scalars,
//! never over the text of the file: a value cannot change the structure of a document. A scalar that
//! is one whole expression keeps the expression's type. Keys are never templated. Expressions reach
//! neither files nor network nor environment nor clock.
//!
//! This stage precedes decoding, since `replicas: "{{ values.replicas }}"` is an integer only
//! after it has run.

mod environment;
mod expression;
mod guard;
mod instances;
mod meter;
mod shape;
#[cfg(test)]
mod tests;
mod tokens;

pub(crate) use shape::Expand;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use self::expression::{EXPRESSION_TOO_LARGE, Guards, Plan};
use self::instances::{EXPAND_TOO_LARGE, Known};
use self::meter::Budget;
use crate::diag::{Diagnostic, Rule, Sink};
use crate::limits;
use crate::source::{Span, Workspace};
use crate::tree::Node;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[expression::RULES, instances::RULES];

/// What the expressions of a run can refer to, and what they may cost.
#[derive(Debug)]
pub(crate) struct Cx<'c> {
    /// The files, to place a fault inside a scalar.
    workspace: &'c Workspace,
    /// The Project's values, those of the chosen environment laid over them.
    values: &'c Node,
    /// The same for minijinja.
    context: minijinja::Value,
    budget: Budget,
    /// The first definition with which the run is over its limits of `expand`, and why.
    too_large: Option<(usize, String)>,
    /// The definitions whose `expand` has an expression that fails.
    unresolved: BTreeSet<usize>,
    /// A definition was over a limit of the run: whatever follows is left out.
    is_over: AtomicBool,
}

impl<'c> Cx<'c> {
    /// For a run over so many definitions.
    pub(crate) fn new(workspace: &'c Workspace, values: &'c Node, definitions: usize) -> Self {
        Self {
            workspace,
            values,
            context: minijinja::Value::from_serialize(values.to_json()),
            budget: Budget::new(definitions),
            too_large: None,
            unresolved: BTreeSet::new(),
            is_over: AtomicBool::new(false),
        }
    }

    /// Evaluates the expressions in the `expand` of each definition, and adds up what all of them create:
    /// a run over its limits creates nothing.
    pub(crate) fn plan<'d>(&mut self, definitions: impl Iterator<Item = &'d mut Node>) {
        let (mut made, mut nodes) = (0_usize, 0_usize);
        for (number, root) in definitions.enumerate() {
            if let Some(expand) = root.as_map_mut().and_then(|map| map.get_mut("expand"))
                && expression::has_any(expand)
            {
                match instances::resolve(self, number, expand, &mut Sink::new()) {
                    Some(resolved) => *expand = resolved,
                    None => _ = self.unresolved.insert(number),
                }
            }
            let (definitions, values) = instances::planned(root);
            made = made.saturating_add(definitions);
            nodes = nodes.saturating_add(values);
            if self.too_large.is_none() {
                self.too_large = over_limit_of_run(made, nodes).map(|message| (number, message));
            }
        }
    }

    /// Called with what was found in each definition, in order. `false` where the run is over one of its
    /// limits: the first such definition has the finding, and what later ones became is left out.
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
        if sink.reported().is_none() {
            sink.report(
                Diagnostic::new(rule, document.start_point(), message)
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
        let left = u64::from(limits::EXPRESSION_WORK.most);
        Costs { budget: &self.budget, number, open: 0, left }
    }
}

/// What the expressions of one definition cost.
struct Costs<'c> {
    budget: &'c Budget,
    number: usize,
    /// What is not yet in the budget.
    open: u64,
    left: u64,
}

/// So much is spent before the budget is read, which takes longer the more definitions there are.
const SPENT_AT_ONCE: u64 = 100_000;

impl Costs<'_> {
    /// What an expression may cost.
    fn left(&self) -> u64 {
        self.left.saturating_sub(self.open)
    }

    /// Adds to the costs; `true` where they are above the limit of the run.
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

/// The definitions that one document represents; one, itself, where it has neither `expand` nor
/// expressions. None where something was reported, or the run is over a limit.
pub(crate) fn run(cx: &Cx<'_>, number: usize, mut root: Node, sink: &mut Sink) -> Vec<Node> {
    let is_left_out = cx.too_large.as_ref().is_some_and(|(first, _)| number >= *first);
    if is_left_out || cx.is_over.load(Ordering::Relaxed) {
        return Vec::new();
    }
    let expand = root.as_map_mut().and_then(|map| map.remove("expand"));
    if expand.is_none() && (!expression::has_any(&root) || shape::is_elsewhere(&root)) {
        return vec![root];
    }
    if let Some(expand) = expand.as_ref().filter(|_| cx.unresolved.contains(&number)) {
        instances::resolve(cx, number, &expand.value, sink);
        return Vec::new();
    }
    let Some(instances) = instances::of(cx, expand.as_ref(), sink) else { return Vec::new() };
    let known = Known { values: cx.values, expand: expand.as_ref() };
    let Some(guards) = Guards::new(cx, &root, sink) else { return Vec::new() };
    let Some(plan) = Plan::new(cx, &guards, &known, sink) else { return Vec::new() };
    let nodes = root.count();
    if !instances::fit(expand.as_ref(), instances.len(), nodes, sink) {
        return Vec::new();
    }
    let mut costs = cx.costs(number);
    let mut expanded = Vec::with_capacity(instances.len());
    for variables in instances {
        match plan.apply(&root, &variables.context(&cx.context), &mut costs) {
            Ok(node) => expanded.push(node),
            Err(fault) => {
                fault.report(&variables, &known, sink);
                return Vec::new();
            }
        }
    }
    expanded
}
