//! Expressions of admission policies and webhooks: their variables, and the types of their results.
//!
//! Follows `mustBuildEnvs` of k8s.io/apiserver, `pkg/admission/plugin/cel`.

use std::sync::Arc;

use lean_string::LeanStr;

use super::ast::Expression;
use super::program::{NEWEST, Newest, newest_call};
use super::types::Type;
use super::{Patterns, Refusal, check, literals, parser};
use crate::sorted::SortedMap;

/// The type that the result of an expression must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A condition.
    Bool,
    /// A message.
    String,
    /// The value of an audit annotation.
    StringOrNull,
    /// A variable.
    Any,
    /// The selection of a device.
    BoolOrDyn,
    /// A patch in the form of an object.
    Configuration,
    /// A list of patch operations.
    Operations,
}

/// The types of the variables that a policy defines.
#[derive(Clone, Default, Debug)]
pub struct Variables {
    /// Shared with the expressions that are compiled, so that none copies the types of all others.
    types: Arc<SortedMap<LeanStr, Type>>,
}

/// The variables that an expression can read.
#[derive(Clone, Debug)]
pub struct Environment {
    variables: Vec<(&'static str, Type)>,
    /// The types of the variables that a policy defines.
    composed: Option<Variables>,
}

/// An expression that the API server accepts.
#[derive(Debug)]
pub struct Compiled {
    pub(super) expression: Expression,
    pub(super) patterns: Patterns,
    /// The maximum nesting depth.
    pub(super) depth: usize,
    result: Type,
    /// The call that requires the newest release, unless all supported releases have it.
    pub newest: Option<Newest>,
}

impl Environment {
    /// The variables of every request, with `params` and `authorizer` where they are available.
    pub fn new(has_params: bool, has_authorizer: bool) -> Self {
        let mut variables = vec![
            ("object", Type::Dyn),
            ("oldObject", Type::Dyn),
            ("namespaceObject", namespace_type()),
            ("request", request_type()),
        ];
        if has_params {
            variables.push(("params", Type::Dyn));
        }
        if has_authorizer {
            variables.push(("authorizer", Type::Library("kubernetes.authorization.Authorizer")));
            let check = Type::Library("kubernetes.authorization.ResourceCheck");
            variables.push(("authorizer.requestResource", check));
        }
        Self { variables, composed: None }
    }

    /// The variable of a selector of devices (`pkg/cel` of dynamic-resource-allocation).
    pub fn of_device() -> Self {
        let by_name = |value| Type::map(Type::String, Type::map(Type::String, value));
        let device = typed_fields([
            ("driver", Type::String),
            ("attributes", by_name(Type::Dyn)),
            ("capacity", by_name(Type::Library("kubernetes.Quantity"))),
            ("allowMultipleAllocations", Type::Bool),
        ]);
        Self { variables: vec![("device", device)], composed: None }
    }

    /// Adds `variables`, which has the given variables of a policy.
    #[must_use]
    pub fn with_variables(mut self, variables: Variables) -> Self {
        self.composed = Some(variables);
        self
    }

    /// Adds the types and functions of patches.
    #[must_use]
    pub fn with_patches(mut self) -> Self {
        self.variables.push((check::PATCHES, Type::Null));
        self
    }

    /// The variables that the policy defines, if it can define any.
    pub const fn variables(&self) -> Option<&Variables> {
        self.composed.as_ref()
    }

    /// Adds a variable of the policy to `variables`. One that does not compile has any type, as in
    /// the API server (`CompileAndStoreVariable` in admission/plugin/cel/composition.go).
    pub fn define(&mut self, name: &str, compiled: Option<&Compiled>) {
        let result = compiled.map_or(Type::Dyn, |compiled| compiled.result.clone());
        if let Some(composed) = &mut self.composed {
            Arc::make_mut(&mut composed.types).insert(name.into(), result);
        }
    }

    /// Compiles an expression as the newest API server does for a new object.
    pub fn compile(&self, text: &str, wanted: Wanted) -> Result<Compiled, Refusal> {
        let (mut expression, count) = parser::parse(text, NEWEST)?;
        if UNKNOWN.iter().any(|name| text.contains(name)) {
            return Err(Refusal::undecided(expression.at, "a function of devices"));
        }
        let mut variables = self.variables.clone();
        if let Some(composed) = &self.composed {
            variables.push(("variables", Type::Fields(Arc::clone(&composed.types))));
        }
        let checked = check::check(&expression, count, &variables, NEWEST)?;
        let patterns = literals::check(&mut expression, &checked)?;
        let result = checked.type_of(&expression).clone();
        let name = match wanted {
            Wanted::Bool if result != Type::Bool => "a bool",
            Wanted::String if result != Type::String => "a string",
            Wanted::BoolOrDyn if !matches!(result, Type::Bool | Type::Dyn) => "a bool",
            Wanted::Configuration if result != Type::Library("Object") => "an `Object`",
            Wanted::Operations if !is_operations(&result) => "a list of `JSONPatch`",
            Wanted::StringOrNull if !matches!(result, Type::String | Type::Null) => {
                "a string or null"
            }
            _ => {
                let newest = newest_call(&mut expression, &checked);
                let depth = nesting_depth(&mut expression);
                // The type of `variables` grows with each further variable.
                let is_nested = self
                    .composed
                    .as_ref()
                    .is_some_and(|variables| result.contains_fields(&variables.types));
                let result = if is_nested { Type::Dyn } else { result };
                return Ok(Compiled { expression, patterns, depth, result, newest });
            }
        };
        let message = format!("it must be {name}, but is of type {result}");
        Err(Refusal::at(expression.at, message))
    }
}

/// The nesting depth of an expression.
fn nesting_depth(expression: &mut Expression) -> usize {
    let mut below = 0;
    expression.each_child_mut(|child| below = below.max(nesting_depth(child)));
    below + 1
}

/// Functions of devices that the rules of custom resources do not have.
const UNKNOWN: [&str; 2] = ["cel.bind", ".includes("];

/// Whether a type is a list of patch operations.
fn is_operations(result: &Type) -> bool {
    matches!(result, Type::List(item) if matches!(**item, Type::Library("JSONPatch")))
}

fn typed_fields<const N: usize>(fields: [(&str, Type); N]) -> Type {
    Type::Fields(Arc::new(fields.into_iter().map(|(name, ty)| (name.into(), ty)).collect()))
}

fn string_fields<const N: usize>(names: [&str; N]) -> Type {
    typed_fields(names.map(|name| (name, Type::String)))
}

fn request_type() -> Type {
    let kind = string_fields(["group", "version", "kind"]);
    let resource = string_fields(["group", "version", "resource"]);
    let texts = || Type::list(Type::String);
    let user = typed_fields([
        ("username", Type::String),
        ("uid", Type::String),
        ("groups", texts()),
        ("extra", Type::map(Type::String, texts())),
    ]);
    typed_fields([
        ("kind", kind.clone()),
        ("resource", resource.clone()),
        ("subResource", Type::String),
        ("requestKind", kind),
        ("requestResource", resource),
        ("requestSubResource", Type::String),
        ("name", Type::String),
        ("namespace", Type::String),
        ("operation", Type::String),
        ("userInfo", user),
        ("dryRun", Type::Bool),
        ("options", Type::Dyn),
    ])
}

fn namespace_type() -> Type {
    let texts = || Type::list(Type::String);
    let labels = || Type::map(Type::String, Type::String);
    let metadata = typed_fields([
        ("name", Type::String),
        ("generateName", Type::String),
        ("namespace", Type::String),
        ("labels", labels()),
        ("annotations", labels()),
        ("UID", Type::String),
        ("creationTimestamp", Type::Timestamp),
        ("deletionGracePeriodSeconds", Type::Int),
        ("deletionTimestamp", Type::Timestamp),
        ("generation", Type::Int),
        ("resourceVersion", Type::String),
        ("finalizers", texts()),
    ]);
    let condition = typed_fields([
        ("status", Type::String),
        ("type", Type::String),
        ("lastTransitionTime", Type::Timestamp),
        ("message", Type::String),
        ("reason", Type::String),
    ]);
    let status = typed_fields([("conditions", Type::list(condition)), ("phase", Type::String)]);
    typed_fields([
        ("metadata", metadata),
        ("spec", typed_fields([("finalizers", texts())])),
        ("status", status),
    ])
}
