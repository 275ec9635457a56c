//! Findings as data: rules, diagnostics, and the sink that collects them.
//!
//! No stage prints. A stage that cannot continue returns [`Reported`], which only a [`Sink`] with
//! an error can create: a failure without a message is impossible.

mod about;
mod article;
mod column;
mod diagnostic;
mod field_path;
mod listed;
mod nearest;
mod others;
mod repeated;
mod rule;
mod sink;
mod suggestion;
mod work;

pub use crate::message::{Message, MessagePart, Words, brief, cut, message};
pub use about::{About, Cause, CommonCause, Meant, ObjectName};
pub use article::with_article;
pub use column::{aligned, column_width};
pub use diagnostic::{Details, Diagnostic, Label};
pub use field_path::owner;
pub use field_path::{FieldPath, PathStep};
pub use listed::{MAX_LISTED, first_of, first_strings, headlined, listed, listed_of};
pub use nearest::{Names, did_you_mean, nearest, nearest_of};
pub use others::Others;
pub use repeated::Repeated;
pub use rule::declare_rules;
pub use rule::{Rule, Severity};
pub use sink::{RULES, Reported, Sink, TOO_MANY_FINDINGS};
pub use suggestion::{Safety, Suggestion};
pub use work::{
    RULES as WORK_RULES, TOO_MUCH_WORK, out_of_fuel, report_work, too_much_work, within,
};
