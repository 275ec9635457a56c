//! Custom resource definitions: printed for agent-sandbox, read from the input for all others.

mod embed;
mod plant;
mod print;
mod structural;

pub use print::crds;
