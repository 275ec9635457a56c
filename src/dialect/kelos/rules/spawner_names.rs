//! The names and labels of the Tasks that a TaskSpawner of kelos creates.

use super::{
    KELOS_LABEL_SHADOWED, SPAWNER_LABEL_INVALID, SPAWNER_NAME_REPEATED, SPAWNER_NAME_TOO_LONG,
    SPAWNER_TEMPLATE_INVALID,
};
use crate::decode::{Anything, Text};
use crate::diag::{Diagnostic, Message, Severity, Sink, message};
use crate::dialect::kelos::names::SPAWNER_LABELS;
use crate::dialect::kelos::spawner::{TaskSpawnerSpec, When};
use crate::dialect::kelos::template::Template;
use crate::scalar::{check_label_value, check_qualified_name};
use crate::tree::Node;

/// The maximum length of the name of a Task, which is also a label value.
const LONGEST_NAME: usize = 63;
/// The length of the suffix for a scheduled time: `20260302-0900`.
const TICK: usize = "20260302-0900".len();
/// The number of characters of the hash in the name of a Task for an event.
const HASH: usize = 12;
/// Values of events that are free text and rarely valid label values.
const FREE_TEXT: [&str; 8] = [
    "Title",
    "Body",
    "URL",
    "Comments",
    "ReviewComments",
    "CommentBody",
    "CommentURL",
    "CheckRunURL",
];

/// Checks the names of the created Tasks.
pub(super) fn check(name: &Text, spec: &TaskSpawnerSpec, sink: &mut Sink) {
    match &spec.task_template.name_template {
        Some(template) => check_own_name(spec, template, sink),
        None => check_default_name(name, &spec.when, sink),
    }
    check_label_of_spawner(name, sink);
    let labels = spec.task_template.metadata.iter().filter_map(|metadata| metadata.labels.as_ref());
    for (key, value) in labels.flat_map(|it| &it.entries) {
        check_label(key, value, &spec.when, sink);
    }
}

fn too_long_finding(
    text: &Text,
    message: Message,
    label: Message,
    note: impl Into<Message>,
    help: &'static str,
) -> Diagnostic {
    Diagnostic::new(&SPAWNER_NAME_TOO_LONG, text.span(), message).at(label).note(note).help(help)
}

/// Checks the name as the value of a label, which each Task has. A longer suffix is reported first.
fn check_label_of_spawner(name: &Text, sink: &mut Sink) {
    let length = name.as_str().len();
    let is_known = sink.iter().any(|finding| {
        *finding.rule == SPAWNER_NAME_TOO_LONG
            && finding.severity == Severity::Error
            && finding.primary.span == name.span()
    });
    if length > LONGEST_NAME && !is_known {
        let message = message!(
            "the name of the TaskSpawner has {length} characters, more than {LONGEST_NAME}"
        );
        let label = message!("at most {LONGEST_NAME} characters");
        let note = "it becomes a label value: the API server rejects each Task";
        sink.report(too_long_finding(name, message, label, note, "shorten the name"));
    }
}

/// Checks the default name, to which kelos appends the event and a hash, or the scheduled time.
fn check_default_name(name: &Text, when: &When, sink: &mut Sink) {
    fn field<'s>(source: Option<&'s Anything>, key: &str) -> Option<&'s Node> {
        source?.node.get(key)
    }
    let longest = |list: &Node| {
        let items = list.items().iter().filter_map(Node::as_str);
        items.max_by_key(|it| it.len()).map(|item| item.replace('_', "-").to_lowercase())
    };
    let event = field(when.github_webhook.as_ref(), "events")
        .and_then(longest)
        .or_else(|| field(when.linear_webhook.as_ref(), "types").and_then(longest))
        .or_else(|| field(when.webhook.as_ref(), "source")?.as_str().map(str::to_owned))
        .or_else(|| when.slack.as_ref().map(|_| "slack".to_owned()));
    // A name with a truncated hash still differs from most others.
    let severity = if event.is_some() { Severity::Warning } else { Severity::Error };
    let (suffix, note) = match event {
        Some(event) => (
            1 + event.len() + 1 + HASH,
            message!(
                "kelos appends `-{event}-` and a hash of {HASH} digits, and truncates the name, so different Tasks can get the same name"
            ),
        ),
        None if when.cron.is_some() => (
            1 + TICK,
            "kelos appends the time of the tick, and the name of a Task is a label value".into(),
        ),
        None => return,
    };
    let (length, most) = (name.as_str().len(), LONGEST_NAME.saturating_sub(suffix));
    if length > most {
        let message =
            message!("the name of the TaskSpawner has {length} characters, more than {most}");
        let help = "shorten the name, or set `nameTemplate`";
        let label = message!("at most {most} characters");
        let finding = too_long_finding(name, message, label, note, help);
        sink.report(finding.with_severity(severity));
    }
}

/// A value that the template always prints and that contains characters that no label value has, and an
/// example of it.
fn never_a_label<'t>(template: &'t Template, when: &When) -> Option<(&'t str, &'static str)> {
    let invalid: &[_] = if when.cron.is_some() {
        &[("Time", "2026-03-02T09:00:00Z"), ("Schedule", "0 9 * * 1")]
    } else if when.github_webhook.is_some() {
        &[("Repository", "acme/shop")]
    } else {
        &[]
    };
    let printed = || template.printed.iter().map(String::as_str);
    printed().find_map(|name| {
        let (_, value) = invalid.iter().find(|row| row.0 == name)?;
        Some((name, *value))
    })
}

/// Checks `nameTemplate`: kelos truncates the rendered name, and does not start a second Task with
/// the same name.
fn check_own_name(spec: &TaskSpawnerSpec, text: &Text, sink: &mut Sink) {
    let Ok(template) = Template::parse(text.as_str()) else { return };
    if !template.has_actions {
        if is_empty_name(text.as_str()) {
            let message = message!("`nameTemplate` `{}` results in an empty name", text.as_str());
            sink.report(
                Diagnostic::new(&SPAWNER_TEMPLATE_INVALID, text.span(), message)
                    .at("no letter or digit")
                    .note("kelos replaces other characters by `-`, and removes those at the start and end: it cannot start a Task")
                    .help("use a value of the event: `{{.ID}}`"),
            );
            return;
        }
        sink.report(
            Diagnostic::new(
                &SPAWNER_NAME_REPEATED,
                text.span(),
                "all Tasks of the TaskSpawner have the same name",
            )
            .at("uses no value of the event")
            .note("kelos does not start a Task while another one has the same name")
            .help("add a value of the event: `{{.ID}}`"),
        );
        return;
    }
    let value = if spec.when.cron.is_some() { TICK } else { 1 };
    let most = LONGEST_NAME - value;
    if template.prefix > most {
        let message =
            message!("`nameTemplate` starts with {} characters, more than {most}", template.prefix);
        let note =
            "kelos truncates the name to 63 characters, so different Tasks get the same name";
        let label = message!("at most {most} before a value");
        sink.report(too_long_finding(text, message, label, note, "shorten the name"));
    }
}

/// Whether the name that kelos makes of a text is empty: it truncates the text, and only keeps
/// lowercase letters and digits at the ends of its parts (`sanitizeName` in
/// `internal/taskbuilder/builder.go`).
fn is_empty_name(text: &str) -> bool {
    let is_kept = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    !text.to_lowercase().chars().take(LONGEST_NAME).any(is_kept)
}

fn check_label(key: &str, value: &Text, when: &When, sink: &mut Sink) {
    if SPAWNER_LABELS.contains(&key) {
        let message = message!("label `{key}` has no effect: kelos sets it");
        sink.report(
            Diagnostic::new(&KELOS_LABEL_SHADOWED, value.span(), message)
                .at("replaced by kelos")
                .help("remove the label"),
        );
        return;
    }
    let finding = |message: Message| {
        Diagnostic::new(&SPAWNER_LABEL_INVALID, value.span(), message)
            .note("the API server rejects Tasks with this label")
    };
    if let Err(fault) = check_qualified_name(key) {
        sink.report(
            finding(message!("invalid label key `{key}`: it {fault}"))
                .at("its key is invalid")
                .help("write `NAME` or `DOMAIN/NAME`"),
        );
        return;
    }
    let Ok(template) = Template::parse(value.as_str()) else { return };
    if !template.has_actions {
        if let Err(fault) = check_label_value(value.as_str()) {
            sink.report(
                finding(message!("invalid label value `{}`: it {fault}", value.as_str()))
                    .at("not a label value")
                    .help("use an annotation for other text"),
            );
        }
        return;
    }
    if let Some((name, example)) = never_a_label(&template, when) {
        let message = message!("label `{key}` is `.{name}`, which is never a label value");
        sink.report(
            finding(message)
                .at(message!("such as `{example}`"))
                .help("use an annotation, or `{{.ID}}`"),
        );
        return;
    }
    let mut names = template.reads.iter().filter_map(|read| read.path.first());
    if let Some(name) = names.find(|name| FREE_TEXT.contains(&name.as_str())) {
        let mut found =
            finding(message!("label `{key}` reads `.{name}`, which is rarely a label value"))
                .at("free text")
                .help("use an annotation for text");
        found.severity = Severity::Warning;
        sink.report(found);
    }
}
