//! A condition of an object's status, as every Kubernetes kind has it.

use crate::crd::description::{Limits, TextLimits, Value, record};

/// Conditions, in the order in which they were first set.
pub(super) const CONDITIONS: Value = Value::List(&Value::Record(&CONDITION));

record! {
    /// One aspect of an object's state, which is true, false or unknown.
    CONDITION {
        /// When `status` last changed.
        lastTransitionTime: Value::Time, required = true;
        /// Human-readable details, at most 32768 characters.
        message: Value::LimitedText(TextLimits {
            min_length: None,
            max_length: Some(32_768),
            pattern: None,
        }), required = true;
        /// The `metadata.generation` that the condition is based on; stale if the object's is
        /// higher.
        observedGeneration: Value::Int64(Limits::NOT_NEGATIVE);
        /// Machine-readable reason: one word in CamelCase, 1 to 1024 characters.
        reason: Value::LimitedText(TextLimits {
            min_length: Some(1),
            max_length: Some(1024),
            pattern: Some("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"),
        }), required = true;
        /// Status of the condition.
        status: Value::Choice(&["True", "False", "Unknown"]), required = true;
        /// Type of the condition, such as `Ready` and `Suspended`; can have a domain as a prefix,
        /// like label keys.
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
