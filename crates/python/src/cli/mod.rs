//! What reads files: with the door of the command, which is the same source.

#[allow(dead_code, unused_imports, reason = "the command uses more of it")]
#[path = "../../../../src/cli/files/mod.rs"]
mod files;
mod source;

pub(crate) use self::source::read;
