//! The door to the files of the input: each is found and opened here, below a [`Root`].
//!
//! The command line and the environment name paths that are trusted. Everything that the input names or contains is
//! hostile: what a Project names, and what is found in a directory, links included. It is opened below the handle of
//! a directory, and resolved beneath it.

#![forbid(unsafe_code)]

pub mod content;
mod ignored;
mod named;
mod root;
mod skipped;
mod walk;

pub use self::ignored::GIT_IGNORE_FILE;
pub use self::named::{
    canonical, current_directory, is_link_of_input, kind_of_entry, kind_of_named, open_named,
    read_below, read_named, resolved, strip_directory, target_of_link, without_dots,
    working_directory,
};
pub use self::root::{Entry, Kind, Root, is_project_root};
pub use self::skipped::Skipped;
pub use self::walk::{Found, Ignored, NotWalked, Walk, Walked, is_input, is_snapshot};
