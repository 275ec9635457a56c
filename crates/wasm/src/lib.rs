//! The compiler as one function from JSON to JSON, for a page in a browser: [`answer`].
//!
//! A request names a command and has all files; an answer is `{"ok": ...}` or
//! `{"error": {"message", "help"}}`. Nothing is kept between requests. The page runs the function in a
//! worker, and ends the worker if an answer takes too long.
//!
//! Positions are lines and columns from 1, columns in code units of UTF-16, as editors in browsers
//! count them.

#[cfg(target_arch = "wasm32")]
pub mod browser;
mod check;
mod commands;
mod cursor;
mod input;
mod place;
mod request;

pub use request::answer;
