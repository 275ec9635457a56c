//! The run of a hook or a source.

use crate::decode::{Integer, Text};
use crate::diag::{About, Diagnostic, Message, Reported, Sink, declare_rules, message};
use crate::dialect::osa::identity::Role;
use crate::dialect::osa::job::RunFields;
use crate::dialect::osa::since::format_since;
use crate::lower::Frame;
use crate::tree::Node;

declare_rules! {
    OSA_FIELD_NOT_COMPILED = "osa-field-not-compiled", Note;
    OSA_RUN_INVALID = "osa-run-invalid", Error;
    OSA_RUN_MISSING = "osa-run-missing", Note;
}

/// Reports a definition that is only checked.
pub(in crate::dialect::osa) fn report_missing(frame: &Frame, role: Role, sink: &mut Sink) {
    let what = role.kind();
    let message =
        message!("{what} `{}` compiles to no Job without `run`", frame.metadata().name.as_str());
    sink.report(
        Diagnostic::new(&OSA_RUN_MISSING, frame.name().span(), message)
            .at("only checked")
            .help("add `run` with the `workDir` of a run"),
    );
}

/// Reports a map that the server writes to a file for the container.
pub(in crate::dialect::osa) fn report_file(field: &str, node: &Node, sink: &mut Sink) {
    if !node.entries().is_empty() {
        let file = message!("the server writes it to `/osa/in/{field}.json` for the container");
        report_not_compiled(field, node, file, sink);
    }
}

/// Reports a schedule field, which only the server uses.
pub(in crate::dialect::osa) fn report_schedule(field: &str, node: &Node, sink: &mut Sink) {
    report_not_compiled(field, node, "the server decides when it runs a source".into(), sink);
}

fn report_not_compiled(field: &str, node: &Node, reason: Message, sink: &mut Sink) {
    let message = message!("`{field}` is not part of the Job");
    sink.report(
        Diagnostic::new(&OSA_FIELD_NOT_COMPILED, node.span(), message)
            .at("only used by the server")
            .note(reason),
    );
}

/// Checks the ID and the batch of a run.
///
/// # Errors
/// If one is invalid.
pub(in crate::dialect::osa) fn check_fields(
    run: &RunFields,
    sink: &mut Sink,
) -> Result<Option<u32>, Reported> {
    if let Some(id) = run.run_id.as_ref().filter(|id| id.as_str().is_empty()) {
        let message = "`runId` is empty";
        return Err(sink.error(
            Diagnostic::new(&OSA_RUN_INVALID, id.span(), message)
                .at("empty")
                .help("write the id of the ingest run, or remove `runId`"),
        ));
    }
    run.batch.as_ref().map(|batch| check_count("batch", batch, sink)).transpose()
}

/// Checks that a hook has a batch of an ingest run, or a deposition.
///
/// # Errors
/// If neither is set: the server could not distinguish the Jobs of such runs.
pub(in crate::dialect::osa) fn check_named(
    run: &RunFields,
    subject: Option<&Text>,
    sink: &mut Sink,
) -> Result<(), Reported> {
    if run.run_id.is_some() || subject.is_some() {
        return Ok(());
    }
    let message = "the run has neither `runId` nor `subject`";
    Err(sink.error(
        Diagnostic::new(&OSA_RUN_INVALID, run.work_dir.span(), message)
            .at("directory of the run")
            .about(About::MissingField("subject".into()))
            .note("the server cannot distinguish the Job from those of other runs of the hook")
            .help("add the `runId` of a batch, or the `subject` of a deposition"),
    ))
}

/// Checks that a number is not negative.
///
/// # Errors
/// If it is negative.
pub(in crate::dialect::osa) fn check_count(
    field: &str,
    count: &Integer,
    sink: &mut Sink,
) -> Result<u32, Reported> {
    let number = count.as_i64();
    u32::try_from(number).map_err(|_| {
        let message = message!("`{field}` {number} must not be negative");
        sink.error(
            Diagnostic::new(&OSA_RUN_INVALID, count.span(), message)
                .at("must be at least 0")
                .help("write 0 or a positive number"),
        )
    })
}

/// Converts a time to the server's format.
///
/// # Errors
/// If it is not a time.
pub(in crate::dialect::osa) fn check_since(
    text: &Text,
    sink: &mut Sink,
) -> Result<String, Reported> {
    format_since(text.as_str()).ok_or_else(|| {
        let message = message!("invalid time `{}` in `since`", text.as_str().escape_debug());
        sink.error(
            Diagnostic::new(&OSA_RUN_INVALID, text.span(), message)
                .at("not a time")
                .help("write a time such as `2026-01-01T00:00:00Z`"),
        )
    })
}
