//! Renders findings: as human-readable annotated source, and in the formats of other programs and
//! CI servers.
//!
//! This module makes no decisions: the findings are already sorted, and are shown in that order.

mod cases;
mod checkstyle;
mod digest;
mod excerpt;
mod fingerprint;
mod format;
mod github;
mod github_summary;
mod gitlab;
mod human;
mod json;
mod junit;
mod location;
mod marker;
mod policy_report;
mod rdjson;
mod sarif;
mod selection;
mod summary;
mod tap;
mod words;
mod wrap;

pub use digest::{RuleCount, count_by_rule, describe_hidden, most_important, table_of_rules};
pub use format::{Report, ReportFormat};
pub use github::{GithubStep, render_github, render_github_step};
pub use human::{Paint, render_human, render_selection};
pub(crate) use json::findings_to_json;
pub use json::render_json;
pub use junit::render_junit;
pub use sarif::render_sarif;
pub use selection::Selection;
pub use summary::{Checked, Summary};
pub(crate) use words::{described, path as field_path, remarks_with_excerpt};
