//! Findings as text: for people as annotated source, for programs as JSON.
//!
//! Nothing here decides anything: the findings come sorted, and are shown in that order.

mod excerpt;
mod human;
mod json;
mod marker;
mod summary;
mod visible;

pub use human::{Paint, render_human};
pub use json::render_json;
pub use summary::Summary;
