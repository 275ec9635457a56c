//! Validation rules of a custom resource definition, `x-kubernetes-validations`: compiled per
//! schema, and evaluated on objects.
//!
//! Follows `Compile` and `Validator` of apiextensions-apiserver's `pkg/apiserver/schema/cel`, and
//! `ValidateCustomResourceDefinitionOpenAPISchema` of its `pkg/apis/apiextensions/validation`.

mod read;
mod run;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use lean_string::LeanStr;

use super::defaults::Defaults;
use crate::cel::{Program, Refusal, Shape};
use crate::sorted::SortedMap;
use crate::source::Span;

pub(crate) use run::{Breach, Finding};

/// The rules of one version of a definition.
#[derive(Debug)]
pub struct Expressions {
    /// The rules of the root and below it.
    pub root: SchemaRules,
    defaults: Option<Defaults>,
    /// Whether the API server drops the status of a new object before the rules run.
    has_status: bool,
}

/// A schema with rules, either its own or those of schemas below it.
#[derive(Debug, Default)]
pub struct SchemaRules {
    /// Its rules, in the order of the definition.
    pub rules: Vec<Rule>,
    /// The shape of the values; `None` if there are no rules or the rules cannot access anything.
    shape: Option<Arc<Shape>>,
    /// Whether a list on the path makes old and new items impossible to match, so that
    /// `oldSelf` is not available.
    pub is_uncorrelatable: bool,
    /// The keys by which old and new items of the list are matched.
    list_keys: Vec<LeanStr>,
    properties: SortedMap<LeanStr, Self>,
    items: Option<Box<Self>>,
    values: Option<Box<Self>>,
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// The span of the rule.
    pub place: Span,
    /// The expression as written.
    pub text: LeanStr,
    /// The compiled expression; `None` if it is empty.
    pub program: Option<Result<Program, Refusal>>,
    /// The maximum cost for a whole object, in the units of the API server.
    pub cost: u64,
    /// The message for a violation.
    message: Option<LeanStr>,
    /// The expression that computes the message.
    pub message_program: Option<Result<Program, Refusal>>,
    /// The path of the reported field, relative to the rule's schema.
    field_path: Vec<LeanStr>,
    /// Whether the rule also runs without an old value.
    is_optional: bool,
}

impl SchemaRules {
    /// Whether rules can access values of the schema.
    pub const fn is_visible(&self) -> bool {
        self.shape.is_some()
    }

    /// The rules of a property.
    pub fn property(&self, key: &str) -> Option<&Self> {
        self.properties.get(key)
    }

    /// The rules of the items.
    pub fn items(&self) -> Option<&Self> {
        self.items.as_deref()
    }

    /// The rules of the values.
    pub fn values(&self) -> Option<&Self> {
        self.values.as_deref()
    }
}
