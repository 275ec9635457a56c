//! `Creator`: what the controllers of a system create.

use super::Object;

/// Creates the objects that controllers of a system create for one object of the input. One without a
/// `spec` only makes references to it valid.
pub type Creator<'s> = Box<dyn Fn(&Object) -> Vec<Object> + Send + Sync + 's>;
