//! A policy and its compiled expressions.

use crate::diag::Message;
use std::sync::Arc;

use lean_string::LeanStr;

use super::binding::Binding;
use super::parameters::Objects;
use crate::cel::{Compiled, Environment, Refusal, Variables, Wanted};
use crate::kube::Object;
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::{Node, items};
use crate::validate::fields::value_or_owner;
use crate::validate::fields::{filled, text_at, text_of};

/// A policy.
pub(super) struct Policy<'o> {
    pub(super) object: &'o Object,
    pub(super) spec: &'o Node,
    /// The objects of `paramKind`; `None` if the policy has no parameters.
    pub(super) parameters: Option<ParamKind<'o>>,
    /// Whether errors of the policy reject the object.
    pub(super) fails: bool,
    pub(super) conditions: Vec<Expression<'o>>,
    pub(super) variables: SortedMap<LeanStr, Compiled>,
    pub(super) validations: Vec<Validation<'o>>,
    pub(super) annotations: Vec<Expression<'o>>,
    pub(super) mutations: Vec<Mutation<'o>>,
    /// Whether the mutations are applied again after other changes.
    pub(super) is_reinvoked: bool,
    pub(super) bindings: Vec<Binding<'o>>,
    /// The cost of the comparison of a request with it and its bindings.
    pub(super) steps: usize,
    /// The expression that cannot be evaluated here, and why.
    pub(super) unsupported: Option<(Span, String)>,
    pub(super) reads: Reads,
}

/// The variables that expressions of a policy can read, of those that are costly to make.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reads {
    pub(super) request: bool,
    pub(super) namespace: bool,
}

/// The kind of the parameters of a policy.
pub(super) struct ParamKind<'o> {
    pub(super) kind: &'o str,
    pub(super) is_namespaced: bool,
    /// The objects of the kind in the input.
    pub(super) objects: Arc<Objects<'o>>,
}

/// An expression with its source.
pub(super) struct Expression<'o> {
    pub(super) node: &'o Node,
    pub(super) compiled: Compiled,
}

/// An item of `mutations`.
pub(super) struct Mutation<'o> {
    pub(super) patch: PatchType,
    pub(super) expression: Expression<'o>,
}

/// The form of a patch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PatchType {
    Apply,
    Json,
}

/// An item of `validations`.
pub(super) struct Validation<'o> {
    pub(super) expression: Expression<'o>,
    /// The message, trimmed.
    pub(super) message: &'o str,
    pub(super) message_expression: Option<Expression<'o>>,
    /// The reason of the response.
    pub(super) reason: &'o str,
}

impl Expression<'_> {
    pub(super) fn text(&self) -> &str {
        text_of(self.node)
    }
}

impl<'o> Policy<'o> {
    /// Reads a policy that the API server accepts.
    pub(super) fn read(object: &'o Object, parameters: Option<ParamKind<'o>>) -> Self {
        let spec = value_or_owner(&object.root, "spec");
        let has_params = parameters.is_some();
        let mut compiler = Compiler { unsupported: None };
        let plain = Environment::new(has_params, true);
        let match_conditions = items(spec, "matchConditions");
        let conditions = compiler.all(match_conditions, "expression", &plain, Wanted::Bool);
        let mut environment = plain.with_variables(Variables::default());
        let variables = compiler.variables(spec, &mut environment);
        let mut messages = Environment::new(has_params, false);
        if let Some(variables) = environment.variables() {
            messages = messages.with_variables(variables.clone());
        }
        let written = items(spec, "validations");
        let read = written.iter().filter_map(|validation| {
            let expression =
                compiler.one(validation.get("expression")?, &environment, Wanted::Bool)?;
            let message = filled(validation, "messageExpression");
            let message_expression =
                message.and_then(|node| compiler.one(node, &messages, Wanted::String));
            let message = text_at(validation, &["message"]).trim();
            let reason = validation.str_at(&["reason"]).unwrap_or("Invalid");
            Some(Validation { expression, message, message_expression, reason })
        });
        let validations = read.collect();
        let audit_annotations = items(spec, "auditAnnotations");
        let annotations =
            compiler.all(audit_annotations, "valueExpression", &environment, Wanted::StringOrNull);
        let patches = environment.clone().with_patches();
        let mutating = items(spec, "mutations").iter().filter_map(|mutation| {
            let (patch, field, wanted) = match mutation.str_at(&["patchType"])? {
                "ApplyConfiguration" => {
                    (PatchType::Apply, "applyConfiguration", Wanted::Configuration)
                }
                _ => (PatchType::Json, "jsonPatch", Wanted::Operations),
            };
            let node = mutation.at(&[field, "expression"])?;
            let expression = compiler.one(node, &patches, wanted)?;
            Some(Mutation { patch, expression })
        });
        let mutations = mutating.collect();
        Self {
            object,
            spec,
            parameters,
            fails: spec.str_at(&["failurePolicy"]) != Some("Ignore"),
            conditions,
            variables,
            validations,
            annotations,
            mutations,
            is_reinvoked: spec.str_at(&["reinvocationPolicy"]) == Some("IfNeeded"),
            bindings: Vec::new(),
            steps: comparison(spec.get("matchConstraints")),
            unsupported: compiler.unsupported,
            reads: Reads {
                request: mentions_word(spec, "request"),
                namespace: mentions_word(spec, "namespaceObject"),
            },
        }
    }

    /// The policy with its bindings.
    pub(super) fn bound_by(mut self, bindings: Vec<Binding<'o>>) -> Self {
        self.steps = bindings.iter().map(|it| it.steps).fold(self.steps, usize::saturating_add);
        self.bindings = bindings;
        self
    }

    /// Whether it changes objects.
    pub(super) fn is_mutating(&self) -> bool {
        self.object.gvk.kind == "MutatingAdmissionPolicy"
    }

    /// The policy, as written in messages.
    pub(super) fn describe(&self) -> Message {
        self.object.title()
    }
}

/// The steps of the comparison of a request with the constraints of a policy or a binding.
pub(super) fn comparison(constraints: Option<&Node>) -> usize {
    8 + constraints.map_or(0, Node::count)
}

/// Compiles expressions, and remembers the first that cannot be evaluated here.
struct Compiler {
    unsupported: Option<(Span, String)>,
}

impl Compiler {
    fn one<'o>(
        &mut self,
        node: &'o Node,
        environment: &Environment,
        wanted: Wanted,
    ) -> Option<Expression<'o>> {
        match environment.compile(node.as_str()?, wanted) {
            Ok(compiled) => Some(Expression { node, compiled }),
            Err(Refusal { message, .. }) => {
                self.unsupported.get_or_insert((node.span(), message));
                None
            }
        }
    }

    /// The expressions in a field of the items of a list.
    fn all<'o>(
        &mut self,
        list: &'o [Node],
        field: &str,
        environment: &Environment,
        wanted: Wanted,
    ) -> Vec<Expression<'o>> {
        let expressions = list.iter().filter_map(|it| it.get(field));
        expressions.filter_map(|expression| self.one(expression, environment, wanted)).collect()
    }

    fn variables(
        &mut self,
        spec: &Node,
        environment: &mut Environment,
    ) -> SortedMap<LeanStr, Compiled> {
        let mut variables = SortedMap::new();
        for variable in items(spec, "variables") {
            let (Some(name), Some(node)) = (variable.str_at(&["name"]), variable.get("expression"))
            else {
                continue;
            };
            let compiled = self.one(node, environment, Wanted::Any).map(|it| it.compiled);
            environment.define(name, compiled.as_ref());
            variables.extend(compiled.map(|compiled| (name.into(), compiled)));
        }
        variables
    }
}

/// Whether a string in a value contains a word.
fn mentions_word(node: &Node, word: &str) -> bool {
    node.as_str().is_some_and(|it| it.contains(word))
        || node.items().iter().any(|item| mentions_word(item, word))
        || node.entries().iter().any(|entry| mentions_word(&entry.value, word))
}
