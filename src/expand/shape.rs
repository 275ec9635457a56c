//! The shape of `expand`.

use crate::decode::{Anything, Integer, definition};

definition! {
    /// Makes many definitions of one. Exactly one of the three fields is given.
    pub(crate) struct Expand in "expand" {
        /// How many; `{{ index }}` counts from 0.
        "count" optional count: Integer,
        /// One per item; `{{ item }}` is the item, `{{ index }}` its number.
        "items" optional items: Anything,
        /// One per combination of the lists' items; `{{ matrix.<key> }}` is the item of a list.
        "matrix" optional matrix: Anything,
    }
}
