//! The door to the files of the input: each is opened below a root.
//!
//! The command line and the environment name paths that are trusted. Everything that the input names or contains is
//! hostile: what a Project names, and what is found in a directory, links included. It is opened below the handle of
//! a directory, and resolved beneath it.

mod root;

pub(in crate::cli) use self::root::Root;
