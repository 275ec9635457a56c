//! Renders findings: as human-readable annotated source, and in the formats of other programs and
//! CI servers.
//!
//! This module makes no decisions: the findings are already sorted, and are shown in that order.

mod digest;
mod excerpt;
mod github;
mod human;
mod json;
mod junit;
mod marker;
mod sarif;
mod selection;
mod summary;
mod visible;
mod words;
mod wrap;

pub use digest::{RuleCount, count_by_rule, describe_hidden, most_important, table_of_rules};
pub use github::render_github;
pub(crate) use github::{data, property};
pub use human::{Paint, render_human, render_selection};
pub(crate) use json::findings_to_json;
pub use json::render_json;
pub use junit::render_junit;
pub(crate) use junit::{attribute as xml_attribute, content as xml_content};
pub use sarif::render_sarif;
pub use selection::Selection;
pub use summary::{Checked, Summary};
pub(crate) use visible::{escaped_json, visible, visible_line};
