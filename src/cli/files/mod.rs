//! The door to the files of the input: each is found and opened here, below a root.
//!
//! The command line and the environment name paths that are trusted. Everything that the input names or contains is
//! hostile: what a Project names, and what is found in a directory, links included. It is opened below the handle of
//! a directory, and resolved beneath it.

pub(in crate::cli) mod content;
mod ignored;
mod named;
mod root;
mod skipped;
mod walk;

pub(in crate::cli) use self::ignored::GIT_IGNORE_FILE;
pub(in crate::cli) use self::named::{
    canonical, is_link_of_input, kind_of_entry, kind_of_named, open_named, read_below, read_named,
    resolved, target_of_link, without_dots, working_directory,
};
pub(in crate::cli) use self::root::{Entry, Kind, Root, is_project_root};
pub(in crate::cli) use self::skipped::Skipped;
pub(in crate::cli) use self::walk::{
    Found, Ignored, NotWalked, Walk, Walked, is_input, is_snapshot,
};
