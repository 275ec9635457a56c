//! Reports of a difference, one file per format.

mod github;
mod groups;
mod human;
mod json;
mod lines;
mod markdown;
mod words;

pub use github::render_diff_github;
pub use human::render_diff_human;
pub use json::render_diff_json;
pub use markdown::render_diff_markdown;
