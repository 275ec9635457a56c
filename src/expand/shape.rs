//! The fields of `expand`.

use crate::decode::{Anything, Integer, definition};
use crate::diag::nearest;
use crate::tree::Node;

definition! {
    /// Creates many definitions from one. Exactly one of the three fields must be set.
    pub(crate) struct Expand in "expand" {
        /// Number of definitions. `{{ index }}` counts from 0.
        "count" optional count: Integer,
        /// List with an item for each definition. `{{ item }}` is the item, `{{ index }}` its
        /// index.
        "items" optional items: Anything,
        /// Map of lists, with a definition for each combination of their items.
        /// `{{ matrix.<key> }}` is the item of a list.
        "matrix" optional matrix: Anything,
    }
}

/// Whether `expand` is in another field of the definition or misspelled. That is reported as an
/// unknown field, and explains why `index` is undefined.
pub(super) fn is_elsewhere(root: &Node) -> bool {
    const NAME: &str = "expand";
    let is_meant =
        |key: &str| key == NAME || key.len() <= 2 * NAME.len() && nearest(key, [NAME]).is_some();
    let has = |node: &Node| node.entries().iter().any(|it| is_meant(&it.key));
    has(root) || ["metadata", "spec"].into_iter().filter_map(|key| root.get(key)).any(has)
}
