//! Defaults of custom resources.

use crate::crd::fill_defaults;
use crate::schema::Type;
use crate::tree::{Node, Origin};
use crate::validate::policies::work::Work;

/// Fills in the defaults, whose number is limited: a short object can have many.
pub(super) fn fill(root: &mut Node, ty: Type<'_>, origin: Origin, work: &Work) {
    // No policy is evaluated after the limit.
    if work.is_over() {
        return;
    }
    let most = work.most_added();
    let mut left = most;
    let is_complete = fill_defaults(root, ty, origin, &mut left).is_some();
    work.add_values(is_complete.then(|| most - left));
}
