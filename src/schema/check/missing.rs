//! `null`, which is absent for Go's decoder and a value for a structural schema.

use super::rules::NULL_NOT_ALLOWED;
use super::{Mode, Place, Walk};
use crate::diag::Diagnostic;
use crate::schema::{Property, Type};
use crate::tree::Node;

impl Walk<'_> {
    /// In custom resources a `null` is dropped where a default takes its place, and refused otherwise.
    pub(super) fn null(
        &mut self,
        node: &Node,
        ty: Type<'_>,
        property: Option<&Property<'_>>,
        place: &Place<'_>,
    ) {
        let has_default = property.is_some_and(|property| property.default.is_some());
        if place.mode == Mode::BuiltIn || has_default || matches!(ty, Type::Any) {
            return;
        }
        let key = place.key;
        let finding = Diagnostic::new(
            &NULL_NOT_ALLOWED,
            place.at,
            format!("`{key}` is `null`, but must be {}", super::text::kind_of(ty)),
        )
        .at("no value")
        .help(format!("remove `{key}`, or give it a value"));
        self.report(node.origin, place, finding);
    }
}
