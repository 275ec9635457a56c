//! A condition of an object's status, as every Kubernetes kind has it.

use crate::crd::description::{Limits, TextLimits, Value, record};

/// Conditions, a list in the order in which they were first set.
pub(super) const CONDITIONS: Value = Value::List(&Value::Record(&CONDITION));

record! {
    /// One thing that is true of an object, false of it, or unknown.
    CONDITION {
        /// When `status` last changed.
        lastTransitionTime: Value::Time, required = true;
        /// For people; at most 32768 characters.
        message: Value::LimitedText(TextLimits {
            min_length: None,
            max_length: Some(32_768),
            pattern: None,
        }), required = true;
        /// The `metadata.generation` that it speaks of; stale where the object's is higher.
        observedGeneration: Value::Int64(Limits::NOT_NEGATIVE);
        /// For programs: one word in CamelCase, 1 to 1024 characters.
        reason: Value::LimitedText(TextLimits {
            min_length: Some(1),
            max_length: Some(1024),
            pattern: Some("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"),
        }), required = true;
        /// Whether it is so.
        status: Value::Choice(&["True", "False", "Unknown"]), required = true;
        /// `Ready`, `Suspended`; may have a domain in front, as label keys do.
        type: Value::LimitedText(TextLimits {
            min_length: None,
            max_length: Some(316),
            pattern: Some(concat!(
                r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?",
                r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
            )),
        }), required = true;
    }
}
