//! Ordered collections, and sorting, for the many types of keys and values.
//!
//! They have the order and the methods of the standard ones, and a tenth of the code: the compiler translates the code
//! of a collection again for each type of its entries, and with `BTreeMap` that was a third of its work on this
//! repository.

mod entry;
mod iterators;
mod map;
mod set;
mod sort;
#[cfg(test)]
mod tests;

pub use entry::Entry;
pub use iterators::{IntoIter, Iter, IterMut};
pub use map::SortedMap;
pub use set::{SetIntoIter, SetIter, SortedSet};
pub use sort::CompactSort;
