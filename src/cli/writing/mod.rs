//! The door to all files that are written: each is found below a root, and replaced by a rename.
//!
//! What a run writes is named by the command line, which is trusted, or is a part of the input, which is not: a
//! path that a Test names, a file that was found in a directory, and a link in the path of either. A link that was
//! found is never written through. A link that the command line names is followed if it stays in the repository,
//! or else in the project or directory.

mod access;
mod directory;
mod exchange;
mod files;
mod guard;
mod names;
mod place;
mod scratch;
mod temporary;

pub(in crate::cli) use self::directory::{Edited, File, OutputDirectory};
pub(in crate::cli) use self::files::{Replacement, replace_files, write_file};
pub(in crate::cli) use self::names::{Collision, find_collision, unusable_name};
pub(in crate::cli) use self::place::{Origin, Places};
pub(in crate::cli) use self::scratch::Scratch;
