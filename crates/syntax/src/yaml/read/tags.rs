//! Converts scalars with and without tags to values.

use super::event::{Style, Tag};
use crate::diag::{Diagnostic, Severity, Sink, declare_rules, message};
use crate::scalar::{decode_base64, is_base64};
use crate::source::FileSpan;
use crate::tree::Value;
use crate::yaml::scalar;

declare_rules! {
    UNKNOWN_TAG = "unknown-tag", Warning;
    TAG_MISMATCH = "tag-mismatch", Error;
    NUMBER_NOT_FINITE = "number-not-finite", Error;
}

/// The namespace of YAML's own tags.
const YAML: &str = "tag:yaml.org,2002:";

/// The value of a scalar, and whether readers disagree about it.
pub(super) fn scalar_value(
    text: &str,
    style: Style,
    tag: Option<&Tag>,
    span: FileSpan,
    sink: &mut Sink,
) -> (Value, bool) {
    if let Some(tag) = tag {
        return (tagged_value(text, tag, span, sink), false);
    }
    if style != Style::Plain {
        return (Value::String(text.into()), false);
    }
    if let (Some(value), is_ambiguous) = scalar::read(text) {
        return (value, is_ambiguous);
    }
    sink.error(
        Diagnostic::new(
            &NUMBER_NOT_FINITE,
            span,
            message!("number `{text}` cannot be represented in JSON"),
        )
        .note("Kubernetes converts YAML to JSON, and rejects the document")
        .suggest(span, scalar::quote(text), "if it is a string, quote it"),
    );
    (Value::String(text.into()), false)
}

fn tagged_value(text: &str, tag: &Tag, span: FileSpan, sink: &mut Sink) -> Value {
    let as_text = Value::String(text.into());
    let place = FileSpan::new(span.file, tag.start, tag.end);
    let name = tag.name.strip_prefix(YAML);
    let wanted = match name {
        // The bare `!` makes a scalar a string, in Kubernetes as in YAML 1.2.
        None if tag.name == "!" => return as_text,
        Some("str") => return as_text,
        Some("int") => "an integer",
        Some("float") => "a number",
        Some("bool") => "a boolean",
        Some("null") => "null",
        Some("timestamp") => "a timestamp",
        Some("map") => {
            sink.report(kind_mismatch(text, "a map", span, place));
            return as_text;
        }
        Some("seq") => {
            sink.report(kind_mismatch(text, "a list", span, place));
            return as_text;
        }
        Some("binary") => {
            sink.report(unknown_tag(tag, place));
            return decode_binary(text, span, sink);
        }
        // What is glued to a tag is reported as such.
        _ if tag.name.contains([',', '[', ']']) => return as_text,
        _ => {
            sink.report(unknown_tag(tag, place));
            return as_text;
        }
    };
    if !scalar::has_tagged_value(name.unwrap_or(""), text) {
        sink.error(tag_mismatch(text, wanted, span, place));
        return as_text;
    }
    if name == Some("timestamp") {
        sink.report(unknown_tag(tag, place));
        return as_text;
    }
    scalar::read(text).0.unwrap_or(as_text)
}

/// The key that Kubernetes makes of a scalar with the tag `!!float`, or `None` for other scalars.
pub(super) fn float_key(text: &str, tag: &Tag) -> Option<String> {
    if tag.name.strip_prefix(YAML) != Some("float") {
        return None;
    }
    match scalar::read(text).0 {
        None => scalar::key(text),
        #[expect(clippy::cast_precision_loss, reason = "go-yaml converts the integer to a float")]
        Some(Value::Int(value)) => Some(scalar::float_key(value as f64)),
        Some(_) => None,
    }
}

fn tag_mismatch(text: &str, wanted: &str, span: FileSpan, place: FileSpan) -> Diagnostic {
    let message = message!("tagged value `{text}` is not {wanted}");
    Diagnostic::new(&TAG_MISMATCH, span, message)
        .at("value")
        .label(place, message!("tag for {wanted}"))
        .help("remove the tag, or write a value of that type")
}

/// The warning for a scalar with the tag of a collection, or the other way round, which Kubernetes
/// ignores.
fn kind_mismatch(text: &str, wanted: &str, span: FileSpan, place: FileSpan) -> Diagnostic {
    let mut finding = tag_mismatch(text, wanted, span, place);
    finding.severity = Severity::Warning;
    finding.note("Kubernetes ignores the tag")
}

/// Decodes `!!binary`.
fn decode_binary(text: &str, span: FileSpan, sink: &mut Sink) -> Value {
    if !is_base64(text) {
        sink.error(
            Diagnostic::new(&TAG_MISMATCH, span, "invalid base64 in a value tagged `!!binary`")
                .at("invalid base64")
                .help("remove the tag, or write base64: `aGVsbG8=`"),
        );
        return Value::String(text.into());
    }
    let bytes = decode_base64(text);
    let mut decoded = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        decoded.push_str(chunk.valid());
        // Go replaces each invalid byte when it writes JSON.
        decoded.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Value::String(decoded.into())
}

/// Checks the tag of a map or list.
pub(super) fn check_collection(tag: Option<&Tag>, is_list: bool, span: FileSpan, sink: &mut Sink) {
    let Some(tag) = tag else { return };
    let place = FileSpan::new(span.file, tag.start, tag.end);
    match tag.name.strip_prefix(YAML) {
        None if tag.name == "!" => {}
        Some("map") if !is_list => {}
        Some("seq") if is_list => {}
        Some("str" | "int" | "float" | "bool" | "null" | "map" | "seq") => {
            let actual = if is_list { "a list" } else { "a map" };
            let mut finding =
                Diagnostic::new(&TAG_MISMATCH, place, message!("scalar tag on {actual}"))
                    .label(span.start_point(), "value starts here")
                    .note("Kubernetes ignores the tag")
                    .help("remove the tag");
            finding.severity = Severity::Warning;
            sink.report(finding);
        }
        _ => sink.report(unknown_tag(tag, place)),
    }
}

fn unknown_tag(tag: &Tag, place: FileSpan) -> Diagnostic {
    let shown = match tag.name.strip_prefix(YAML) {
        Some(name) => format!("!!{name}"),
        None => tag.name.clone(),
    };
    let finding = Diagnostic::new(&UNKNOWN_TAG, place, message!("unknown tag `{shown}`"));
    if shown == "!!binary" {
        return finding
            .note("Kubernetes decodes the value and uses the bytes as a string")
            .help("remove the tag: `data` of a Secret contains base64");
    }
    finding
        .note("Kubernetes silently ignores unknown tags and keeps their values")
        .help("remove the tag and write the final value; if the value starts with `!`, quote it")
}
