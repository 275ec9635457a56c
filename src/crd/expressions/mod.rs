//! Rules of a custom resource definition, `x-kubernetes-validations`: compiled where they stand, and run
//! on objects.
//!
//! After `Compile` and `Validator` of apiextensions-apiserver's `pkg/apiserver/schema/cel`, and
//! `ValidateCustomResourceDefinitionOpenAPISchema` of its `pkg/apis/apiextensions/validation`.

mod read;
mod run;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use lean_string::LeanStr;

use super::defaults::Defaults;
use crate::cel::{Program, Refusal, Shape};
use crate::source::Span;

pub(crate) use run::{Breach, Finding};

/// The rules of one version of a definition.
#[derive(Debug)]
pub(crate) struct Expressions {
    /// Those of the root, and below it.
    pub(crate) root: Place,
    defaults: Option<Defaults>,
    /// The status of a new object is dropped before the rules run.
    has_status: bool,
}

/// A schema that has rules, or has them somewhere below.
#[derive(Debug, Default)]
pub(crate) struct Place {
    /// In the order of the definition.
    pub(crate) rules: Vec<Rule>,
    /// What rules can see; `None` where there are no rules, or they can see nothing.
    shape: Option<Arc<Shape>>,
    /// The outermost list or map on the way, whose items before and after an update cannot be told
    /// apart: there is nothing that `oldSelf` could be.
    pub(crate) is_uncorrelatable: bool,
    properties: Vec<(LeanStr, Self)>,
    items: Option<Box<Self>>,
    values: Option<Box<Self>>,
}

/// A rule.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Where it stands.
    pub(crate) place: Span,
    /// As written.
    pub(crate) text: LeanStr,
    /// What it compiles to; `None` where it is blank.
    pub(crate) program: Option<Result<Program, Refusal>>,
    /// What it costs at most for a whole object, in the units of the API server.
    pub(crate) cost: u64,
    /// What is said where it is broken.
    message: Option<LeanStr>,
    /// An expression for what is said.
    pub(crate) message_program: Option<Result<Program, Refusal>>,
    /// The field that is to blame, from the place of the rule on.
    field_path: Vec<LeanStr>,
    /// Whether it runs without a value before an update as well.
    is_optional: bool,
}

impl Place {
    /// Whether rules can see what the schema describes.
    pub(crate) const fn is_visible(&self) -> bool {
        self.shape.is_some()
    }

    /// The rules of a property.
    pub(crate) fn property(&self, key: &str) -> Option<&Self> {
        self.properties.iter().find(|(name, _)| name == key).map(|(_, place)| place)
    }

    /// The rules of the items.
    pub(crate) fn items(&self) -> Option<&Self> {
        self.items.as_deref()
    }

    /// The rules of the values.
    pub(crate) fn values(&self) -> Option<&Self> {
        self.values.as_deref()
    }
}
