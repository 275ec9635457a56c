//! Requests and answers.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::input::Input;
use crate::place::{Position, Range};
use crate::{check, commands, cursor};

/// A request, by its field `command`.
#[derive(Deserialize, Debug)]
#[serde(tag = "command", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Request {
    /// The version of the program, and the values of settings.
    Info,
    /// The findings.
    Check { input: Input },
    /// The findings as `check --format json` prints them.
    Report { input: Input },
    /// The changes for the findings in a range of a file.
    Actions { input: Input, file: String, range: Range },
    /// The description of what is at a position.
    Hover { input: Input, file: String, position: Position },
    /// What can be written at a position.
    Complete { input: Input, file: String, position: Position },
    /// The objects as YAML or JSON, with the origin of each line if requested.
    Build { input: Input, to: ObjectFormat, is_annotated: bool },
    /// The objects that controllers create.
    Effective { input: Input },
    /// The references between objects, as a picture and as text.
    Graph { input: Input },
    /// The differences between the objects of two inputs.
    Diff { old: Input, input: Input },
    /// The layers that set the fields of an object, or one of its fields.
    Why { input: Input, object: String, path: Option<String> },
    /// The files after repairs.
    Fix { input: Input, is_unsafe: bool },
    /// The files in their canonical layout.
    Format { input: Input },
    /// The documents of a file.
    Split { input: Input, file: String },
    /// The page of a rule, or the description of a kind or field; without a subject the list of rules.
    Explain { subject: Option<String>, api_version: Option<String> },
    /// The JSON Schema of the definitions, or of one kind.
    Schema { kind: Option<String>, kubernetes: Option<String> },
}

/// The format of objects.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ObjectFormat {
    Yaml,
    Json,
}

/// The reason why a request has no answer.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    message: String,
    help: String,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

pub(crate) type Answer = Result<Value, Refusal>;

/// Answers a request in JSON with JSON.
///
/// ```
/// let request = r#"{"command": "explain", "subject": "unknown-field", "apiVersion": null}"#;
/// assert!(sandboxc_wasm::answer(request).contains("Severity: error"));
/// ```
#[must_use]
pub fn answer(request: &str) -> String {
    let answer = serde_json::from_str(request)
        .map_err(|error| Refusal::new(format!("invalid request: {error}"), "reload the page"))
        .and_then(dispatch);
    match answer {
        Ok(value) => json!({ "ok": value }).to_string(),
        Err(refusal) => json!({ "error": refusal }).to_string(),
    }
}

fn dispatch(request: Request) -> Answer {
    match request {
        Request::Info => Ok(commands::info()),
        Request::Check { input } => check::check(&input),
        Request::Report { input } => check::report(&input),
        Request::Actions { input, file, range } => check::actions(&input, &file, range),
        Request::Hover { input, file, position } => cursor::hover(&input, &file, position),
        Request::Complete { input, file, position } => cursor::complete(&input, &file, position),
        Request::Build { input, to, is_annotated } => commands::build(&input, to, is_annotated),
        Request::Effective { input } => commands::effective(&input),
        Request::Graph { input } => commands::graph(&input),
        Request::Diff { old, input } => commands::diff(&old, &input),
        Request::Why { input, object, path } => commands::why(&input, &object, path.as_deref()),
        Request::Fix { input, is_unsafe } => commands::fix(&input, is_unsafe),
        Request::Format { input } => commands::format(&input),
        Request::Split { input, file } => commands::split(&input, &file),
        Request::Explain { subject, api_version } => {
            commands::explain(subject.as_deref(), api_version.as_deref())
        }
        Request::Schema { kind, kubernetes } => {
            commands::schema(kind.as_deref(), kubernetes.as_deref())
        }
    }
}

/// The value of an answer as JSON.
pub(crate) fn value(answer: impl Serialize) -> Answer {
    serde_json::to_value(answer)
        .map_err(|error| Refusal::new(format!("the answer is not JSON: {error}"), ""))
}
