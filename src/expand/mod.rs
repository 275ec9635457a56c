//! `expand` and expressions: one definition becomes many.
//!
//! Templating is structural. YAML is parsed first; then minijinja runs inside single text scalars,
//! never over the text of the file: a value cannot change the structure of a document. A scalar that
//! is one whole expression keeps the expression's type. Keys are never templated. Expressions reach
//! neither files nor network nor environment nor clock.
//!
//! This stage stands before decoding, since `replicas: "{{ values.replicas }}"` is an integer only
//! after it has run.

mod expression;
mod instances;
mod shape;

pub(crate) use shape::Expand;

use std::sync::LazyLock;

use minijinja::Environment;

use self::expression::Plan;
use self::instances::Variables;
use crate::diag::{Rule, Sink};
use crate::source::Workspace;
use crate::tree::Node;

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[expression::RULES, instances::RULES];

/// What expressions can refer to, besides the variables of `expand`.
#[derive(Debug)]
pub(crate) struct Cx<'c> {
    /// The texts, to place a fault inside a scalar.
    pub(crate) workspace: &'c Workspace,
    /// The Project's values, those of the chosen environment laid over them.
    pub(crate) values: &'c Node,
}

/// The definitions that one document stands for; one, itself, where it has neither `expand` nor
/// expressions. None where something was reported.
pub(crate) fn run(cx: &Cx<'_>, mut root: Node, sink: &mut Sink) -> Vec<Node> {
    let expand = root.as_map_mut().and_then(|map| map.remove("expand"));
    if expand.is_none() && (!expression::has_any(&root) || shape::is_elsewhere(&root)) {
        return vec![root];
    }
    let Some(instances) = instances::of(cx, expand.as_ref(), sink) else { return Vec::new() };
    let environment = &*ENVIRONMENT;
    let known = Variables::known(expand.as_ref(), cx.values);
    let Some(plan) = Plan::new(cx, environment, &root, &known, sink) else { return Vec::new() };
    let nodes = root.count();
    if !instances::fit(expand.as_ref(), instances.len(), nodes, sink) {
        return Vec::new();
    }
    let values = minijinja::Value::from_serialize(cx.values.to_json());
    let mut expanded = Vec::with_capacity(instances.len());
    for variables in instances {
        match plan.apply(&root, &variables.context(&values)) {
            Ok(node) => expanded.push(node),
            Err(fault) => {
                fault.report(cx, &variables, sink);
                return Vec::new();
            }
        }
    }
    expanded
}

/// Instructions that one run of one scalar may take.
const FUEL: u64 = 100_000;

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_keep_trailing_newline(true);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment
});
