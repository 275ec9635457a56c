//! The one tree that runs from the parser to the printer.
//!
//! A [`Node`] is what Kubernetes' own readers would see (null, bool, number, string, list, map with
//! ordered keys), and next to each node is its [`Origin`]: the author's line, or the built-in
//! layer that put it there. Every message about an output can therefore point at an input.

mod from_serde;
mod node;
mod origin;
mod path;

pub use node::{Content, Entry, Node, Number};
pub(crate) use node::{Map, Value};
pub use origin::{Layer, Origin};
pub(crate) use path::Path;
