//! The language server as editors talk to it.

mod client;
mod completion;
mod edits;
mod files;
mod hostile;
mod insights;
mod large;
mod names;
mod session;
