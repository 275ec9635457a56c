//! The tree that all stages share, from the parser to the printer.
//!
//! A [`Node`] is a value as Kubernetes reads it (null, bool, number, string, list, map with ordered
//! keys) with its [`Origin`]: the author's line, or the built-in layer that set it. So every
//! message about the output can point at the input.

mod from_serde;
mod key;
mod map;
mod node;
mod origin;
mod path;
mod serializer;

pub use key::Key;
pub use map::{Field, Map};
pub use node::{Content, Entry, Node, Number};
pub use node::{Value, items};
pub use origin::{Layer, Origin};
pub use path::{Path, shortened};
