//! The rule for scalars that readers interpret differently, in fields where it matters.

use super::reading::{Reading, readings, written};
use crate::diag::{Diagnostic, Message, Severity, declare_rules, message};
use crate::source::Span;

declare_rules! {
    SCALAR_AMBIGUOUS = "scalar-ambiguous", Warning;
}

/// The type that the field of a scalar expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// A string.
    Text,
    /// A boolean.
    Boolean,
    /// A number.
    Number,
}

/// The finding for a plain scalar that readers interpret differently (`Node::ambiguous`) in a field
/// that expects `expected`; `span` and `text` are the scalar as written, `field` is its key.
///
/// - A string is expected and Kubernetes reads another type: an error, with all readings.
/// - A string is expected and Kubernetes reads one, but others do not (`12:30:45`, `2001-01-01`): a
///   warning.
/// - A number or boolean is expected and another reader reads another value (`012`, `1_000`,
///   `yes`): a warning, with the unambiguous form. File modes with a leading zero are common and
///   not reported: `mode` and `defaultMode`.
/// - A number or boolean is expected and Kubernetes reads another type: no finding, because the
///   wrong type is reported separately.
pub fn ambiguity(span: Span, text: &str, expected: Expected, field: &str) -> Option<Diagnostic> {
    let readings = readings(text);
    // Only PyYAML rejects `=`, at once, and kustomize and kubectl print it without quotes.
    if !readings.differ() || text == "=" {
        return None;
    }
    let quoted = quote(text);
    let finding = |message: Message| Diagnostic::new(&SCALAR_AMBIGUOUS, span, message);
    match (expected, readings.kubernetes) {
        (Expected::Text, Reading::Text) => Some(
            finding(message!(
                "ambiguous value `{text}`: a string in Kubernetes, but not in every \
                parser"
            ))
            .note(readings.message())
            .fix(span, quoted, "quote the value"),
        ),
        (Expected::Text, _) => {
            let mut finding = finding(message!(
                "unquoted value `{text}` is not a string in \
                Kubernetes"
            ))
            .note(readings.message())
            .suggest(span, quoted, "if it is a string, quote it");
            finding.severity = Severity::Error;
            Some(finding)
        }
        (Expected::Boolean, Reading::Boolean(value)) => Some(
            finding(message!(
                "ambiguous value `{text}`: a boolean in Kubernetes, but not in every \
                parser"
            ))
            .note(readings.message())
            .fix(span, value.to_string(), message!("write `{value}`")),
        ),
        (Expected::Number, Reading::Number(value)) => {
            if matches!(field, "mode" | "defaultMode") && is_file_mode(text) {
                return None;
            }
            let plain = written(value);
            Some(
                finding(message!(
                    "ambiguous value `{text}`: {plain} in Kubernetes, but not in \
                    every parser"
                ))
                .note(readings.message())
                .fix(span, plain.clone(), message!("write `{plain}`")),
            )
        }
        _ => None,
    }
}

/// Whether it is a file mode in octal digits: `0644`, `0o644`.
fn is_file_mode(text: &str) -> bool {
    let digits = text.strip_prefix("0o").or_else(|| text.strip_prefix('0'));
    digits.is_some_and(|digits| digits.bytes().all(|byte| matches!(byte, b'0'..=b'7')))
}

/// The scalar in double quotes, as kubectl prints ambiguous strings. An ambiguous scalar has no
/// character that needs an escape.
pub fn quote(text: &str) -> String {
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    fn check(text: &str, expected: Expected, field: &str) -> Option<(Severity, String, String)> {
        let span = Span::new(Workspace::new().add("a.yaml", text), 0, 3);
        let finding = ambiguity(span, text, expected, field)?;
        let suggestion = finding.details().suggestions.first().expect("a suggestion");
        let notes = finding.details().notes.iter().map(|note| note.as_prose().to_owned()).collect();
        Some((finding.severity, notes, suggestion.replacement.clone()))
    }

    #[test]
    fn the_expected_type_determines_the_severity() {
        let (severity, readings, quoted) =
            check("yes", Expected::Text, "value").expect("a finding");
        assert_eq!(severity, Severity::Error);
        assert!(readings.contains("the boolean true") && readings.contains("the string `yes`"));
        assert_eq!(quoted, "\"yes\"");
        let warning = |text, expected, field| {
            let (severity, _, replacement) = check(text, expected, field).expect("a finding");
            assert_eq!(severity, Severity::Warning, "{text}");
            replacement
        };
        assert_eq!(warning("12:30:45", Expected::Text, "value"), "\"12:30:45\"");
        assert_eq!(warning("012", Expected::Number, "port"), "10");
        assert_eq!(warning("1_000", Expected::Number, "port"), "1000");
        assert_eq!(warning("on", Expected::Boolean, "tty"), "true");
    }

    #[test]
    fn octal_file_modes_are_the_convention() {
        assert_eq!(check("0644", Expected::Number, "defaultMode"), None);
        assert_eq!(check("0644", Expected::Number, "mode"), None);
        assert!(check("0644", Expected::Number, "port").is_some());
        assert!(check("0_644", Expected::Number, "mode").is_some());
    }

    #[test]
    fn unambiguous_scalars_are_not_reported() {
        assert_eq!(check("12", Expected::Text, "value"), None);
        assert_eq!(check("true", Expected::Boolean, "tty"), None);
    }
}
