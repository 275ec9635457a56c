//! The language server as editors talk to it.

mod client;
mod edits;
mod insights;
mod session;
