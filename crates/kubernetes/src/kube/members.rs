//! `Members`: the Pods that the controller of a system keeps for an object.

use super::{Object, ObjectSet};
use crate::tree::Node;

/// The Pods that the controller of a system keeps for an object, all of them from one template.
#[derive(Debug)]
pub struct Members<'m> {
    /// Their number.
    pub count: i64,
    /// The field that has the number, if it is written.
    pub written: Option<&'m Node>,
    /// The object with the template of the Pods, and with their volume claims.
    pub template: &'m Object,
    /// The other resources of which each member has one, by their names in a quota.
    pub resources: Vec<&'static str>,
}

/// Returns the members of an object, if its controller keeps any.
pub type MembersOf = for<'m> fn(&'m ObjectSet<'_>, &'m Object) -> Option<Members<'m>>;
