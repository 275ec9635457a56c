//! `split`: splits a stream into its documents, byte for byte.

use std::fmt::Write as _;

use sandboxc::markup::visible_line;
use sandboxc::{Diagnostic, Paint, Part, PartContent, Workspace};

use super::arguments::{Options, Split};
use super::failure::Failure;
use super::progress::Progress;
use super::report::Findings;
use super::writing::{Edited, File, OutputDirectory, Places};
use super::{Outcome, input, output};

/// The maximum length of a part of a file name, in bytes.
const LONGEST_WORD: usize = 80;

pub(crate) fn run(split: &Split, options: &Options) -> Result<Outcome, Failure> {
    let progress = Progress::start(options);
    let workspace = input::read(&split.inputs, options, &progress)?;
    drop(progress);
    let (mut documents, mut diagnostics) = (Vec::new(), Vec::new());
    for file in workspace.ids() {
        let parts = sandboxc::split(&workspace, file);
        diagnostics.extend(parts.diagnostics);
        // Empty documents and comments are not objects.
        documents.extend(parts.parts.into_iter().filter(|it| it.content == PartContent::Document));
    }
    let outcome = report_findings(&workspace, diagnostics, options)?;
    if outcome == Outcome::InputHasErrors {
        return Ok(outcome);
    }
    refuse_lossy(split, &workspace)?;
    if let Some(target) = &split.output {
        let width = documents.len().to_string().len().max(2);
        let files: Vec<_> = (1..)
            .zip(&documents)
            .map(|(number, part)| File {
                name: format!("{number:0width$}{}.yaml", suffix(part)),
                content: part.text.into(),
            })
            .collect();
        let edited = if split.force { Edited::Replace } else { Edited::Keep };
        let directory = OutputDirectory::find(&Places::of(&options.inputs), target)?;
        let changes = directory.replace(&files, edited)?;
        if !options.quiet {
            output::complain(&changes.describe(target));
        }
    } else if split.null {
        output::print(&joined(&workspace).join("\0"))?;
    } else {
        let mut list = String::new();
        for part in &documents {
            let file = workspace.file(part.span.file);
            let place = file.line_column(part.span.start);
            let _ =
                writeln!(list, "{}:{}: {}", visible_line(file.name()), place.line, describe(part));
        }
        output::show(&list, Paint::Plain)?;
    }
    Ok(outcome)
}

/// Reports the findings without the values of secrets.
fn report_findings(
    workspace: &Workspace,
    mut diagnostics: Vec<Diagnostic>,
    options: &Options,
) -> Result<Outcome, Failure> {
    let shown = sandboxc::mask_findings(workspace, &mut diagnostics);
    Findings::of_texts(&shown, &diagnostics).report(options)
}

/// The documents, which together contain every byte of the input: empty parts and comments are
/// appended to the document before them, or else prepended to the first one.
fn joined(workspace: &Workspace) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for file in workspace.ids() {
        let mut before = String::new();
        let first = texts.len();
        for part in sandboxc::split(workspace, file).parts {
            match texts.get_mut(first..).and_then(<[String]>::last_mut) {
                _ if part.content == PartContent::Document => {
                    texts.push(std::mem::take(&mut before) + part.text);
                }
                Some(last) => last.push_str(part.text),
                None => before.push_str(part.text),
            }
        }
    }
    texts
}

/// Rejects input whose bytes would change or that cannot be read.
fn refuse_lossy(split: &Split, workspace: &Workspace) -> Result<(), Failure> {
    for file in workspace.ids().map(|id| workspace.file(id)) {
        if let Some(reason) = file.unreadable() {
            return Err(Failure::input(
                format!("cannot read `{}`: {reason}", file.name()),
                "make the file readable, or exclude it: `--exclude`; nothing was split",
            ));
        }
        if let Some(at) = file.invalid_utf8_at() {
            return Err(Failure::input(
                format!("`{}` is not valid UTF-8 at byte {at}", file.name()),
                "save the file as UTF-8; nothing was split",
            ));
        }
        if split.null && file.text().contains('\0') {
            return Err(Failure::input(
                format!("`{}` contains a NUL byte", file.name()),
                "remove the NUL byte, which is invalid in YAML; nothing was split",
            ));
        }
    }
    Ok(())
}

/// The suffix `-configmap-web`, or `-document` for a document that is not an object.
fn suffix(part: &Part<'_>) -> String {
    let (kind, name) = part.kind_and_name().unwrap_or_default();
    let kind = if kind.is_empty() { "document" } else { kind.as_str() };
    [kind, &name]
        .into_iter()
        .map(word)
        .filter(|it| !it.is_empty())
        .fold(String::new(), |all, it| all + "-" + &it)
}

/// Converts to lowercase letters, digits and `-`, which are safe in file systems and shells.
fn word(text: &str) -> String {
    let safe = |c: char| {
        let c = c.to_ascii_lowercase();
        if c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.' { c } else { '-' }
    };
    let text: String = text.chars().take(LONGEST_WORD).map(safe).collect();
    text.trim_matches(['-', '.']).to_owned()
}

fn describe(part: &Part<'_>) -> String {
    match part.kind_and_name() {
        Some((kind, name)) if !kind.is_empty() => {
            format!("{}/{}", kind.escape_debug(), name.escape_debug())
        }
        _ => "a document that is not an object".to_owned(),
    }
}
