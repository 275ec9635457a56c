//! `null`, which Go's decoder and the pruning of custom resources treat as absent, except in lists
//! of a custom resource.

use super::rules::{ENUM_VALUE_UNKNOWN, NULL_NOT_ALLOWED};
use super::{Mode, Position, Walk, text};
use crate::diag::{Diagnostic, Message, Words, message};
use crate::schema::Type;
use crate::tree::{Map, Node};

impl Position<'_> {
    /// Whether a `null` counts as absent. In custom resources the server drops it from objects and
    /// maps or replaces it with the default, and keeps it in lists (apiextensions-apiserver,
    /// `pkg/apiserver/schema/defaulting`).
    pub(super) fn drops_null(&self) -> bool {
        match self.mode {
            Mode::BuiltIn => true,
            Mode::Custom => !self.is_item,
            Mode::Default => false,
        }
    }
}

impl Walk<'_> {
    /// Reports a `null` in a list of a built-in kind. Go's decoder makes it the zero value: an
    /// object without fields, an empty string.
    fn null_item(&mut self, node: &Node, ty: Type<'_>, place: &Position<'_>) {
        match ty {
            Type::Object(object) if !place.is_status => {
                self.required(node, &Map::default(), object, place);
            }
            Type::Enum(values) | Type::Choice(values) => {
                let valid = text::values(values.len(), values.iter().map(|it| it.value));
                self.null_outside_of_enum(node, &valid, place);
            }
            _ => {}
        }
    }

    /// Reports a `null` that the schema allows but its `enum` does not: the API server does not
    /// find it among the values (kube-openapi, `basicCommonValidator`).
    pub(super) fn null_outside_of_enum(
        &mut self,
        node: &Node,
        valid: &Message,
        place: &Position<'_>,
    ) {
        let message = message!("invalid value `null` for `{}`", place.key);
        let what = Words(if place.is_item { "item" } else { "field" });
        let finding = Diagnostic::new(&ENUM_VALUE_UNKNOWN, node.span(), message)
            .at(message!("must be {valid}"))
            .help(message!("omit the {what}"));
        self.report(node.origin(), place, finding);
    }

    /// Reports a `null` that is not allowed.
    pub(super) fn null(&mut self, node: &Node, ty: Type<'_>, place: &Position<'_>) {
        if place.mode == Mode::BuiltIn && place.is_item {
            return self.null_item(node, ty, place);
        }
        if place.drops_null() || matches!(ty, Type::Any) {
            return;
        }
        let (key, wanted) = (place.key, text::kind_of(ty));
        let words = if place.is_item { ["an item of ", "item"] } else { ["", "field"] };
        let [subject, what] = words.map(Words);
        let message = message!("{subject}`{key}` is `null`, but must be {wanted}");
        let finding = Diagnostic::new(&NULL_NOT_ALLOWED, place.at, message)
            .at("no value")
            .help(message!("remove the {what}, or give it a value"));
        self.report(node.origin(), place, finding);
    }
}
