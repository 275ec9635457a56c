//! The `sandboxc` command.

fn main() {}
