//! The language server as editors talk to it.

mod client;
mod edits;
mod hostile;
mod insights;
mod session;
