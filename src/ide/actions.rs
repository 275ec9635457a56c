//! Changes that an editor offers for findings: their repairs, and comments that allow them.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::compile::Options;
use crate::diag::{Diagnostic, Safety, Severity};
use crate::findings::exception;
use crate::fix;
use crate::sorted::CompactSort as _;
use crate::source::{FileId, FileRole, SourceFile, Workspace, lines};
use crate::yaml::{self, Beside};

use super::findings::shown;

/// A change that an editor offers.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Action {
    /// An imperative.
    pub title: String,
    /// The kind of the change.
    pub kind: ActionKind,
    /// The position of the finding in the list of findings.
    pub finding: usize,
    /// The changes of files.
    pub edits: Vec<Edit>,
}

/// The kind of an [`Action`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ActionKind {
    /// It certainly repairs the finding.
    Fix,
    /// It is the likeliest repair, and may not be what the author meant.
    UnsafeFix,
    /// It suppresses the finding, with a reason.
    Allow,
    /// It removes an exception that has no effect.
    Remove,
}

/// A change of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The file.
    pub file: FileId,
    /// The range to replace.
    pub range: Range<usize>,
    /// The text to write.
    pub text: String,
}

/// The reason in an exception, which the author must replace.
const REASON: &str = "TODO: state the reason";

/// The maximum number of findings for which changes are offered: a person reads the list, and each comment is
/// tried in the whole file.
const MOST: usize = 50;

/// Returns the changes for the findings that an editor shows in a range of a file, repairs first.
#[must_use]
pub fn actions(
    workspace: &Workspace,
    diagnostics: &[Diagnostic],
    file: FileId,
    range: Range<usize>,
) -> Vec<Action> {
    let source = workspace.file(file);
    let mut actions = Vec::new();
    let touched = diagnostics.iter().enumerate().filter_map(|(finding, diagnostic)| {
        let (of, span) = workspace.file_and_span(diagnostic.primary.span);
        let shown = (of.id() == file).then(|| shown(source, span))?;
        let is_touched = shown.start <= range.end && range.start <= shown.end;
        is_touched.then_some((finding, diagnostic, shown.start))
    });
    for (finding, diagnostic, start) in touched.take(MOST) {
        actions.extend(repairs(workspace, diagnostic, finding));
        if exception::is_about(diagnostic.rule) {
            actions.extend(remove(source, diagnostic, start, finding));
        } else {
            actions.extend(allow(source, diagnostic, start, finding));
        }
    }
    actions.compact_sort_by_key(|it| (it.kind, it.finding));
    actions
}

/// The suggestions of a finding.
fn repairs(
    workspace: &Workspace,
    diagnostic: &Diagnostic,
    finding: usize,
) -> impl Iterator<Item = Action> {
    diagnostic.details().suggestions.iter().filter_map(move |suggestion| {
        let (file, range, text) = fix::source_edit(workspace, suggestion)?;
        let words = capitalized(suggestion.text.as_prose().trim_end_matches('?'));
        let (kind, title) = match suggestion.safety {
            Safety::Safe => (ActionKind::Fix, words),
            Safety::Unsafe => (ActionKind::UnsafeFix, format!("{words} (may change the meaning)")),
        };
        Some(Action { title, kind, finding, edits: vec![Edit { file, range, text }] })
    })
}

/// An exception for a finding, on a line of its own above it. None for an error, which no exception
/// can allow, and where a comment is not possible, as in JSON and in block scalars.
fn allow(
    source: &SourceFile,
    diagnostic: &Diagnostic,
    start: usize,
    finding: usize,
) -> Option<Action> {
    let can_be_allowed = diagnostic.severity != Severity::Error || diagnostic.is_policy;
    let rule = diagnostic.rule.name;
    let text = source.text();
    if !can_be_allowed || text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let at = lines::start(text, start);
    let line = text.get(at..)?;
    let indentation: String = line.chars().take_while(|it| *it == ' ').collect();
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let comment = format!("{indentation}# {} allow {rule} because {REASON}{end}", exception::WORD);
    let allowed = format!("{}{comment}{line}", text.get(..at)?);
    let is_read = yaml::comments(source.id(), &allowed, exception::WORD, &mut { yaml::ALIASES })
        .iter()
        .any(|it| {
            let is_new = it.span.range().start == at + indentation.len();
            let shifted = start + comment.len();
            let (Beside::Line(reach) | Beside::Document(reach)) = it.beside;
            is_new && reach.range().contains(&shifted)
        });
    is_read.then(|| Action {
        title: format!("Allow `{rule}` here, with a reason"),
        kind: ActionKind::Allow,
        finding,
        edits: vec![Edit { file: source.id(), range: at..at, text: comment }],
    })
}

/// The removal of the exception that a finding is about. None for one of the Project, and for one that can be
/// completed.
fn remove(
    source: &SourceFile,
    diagnostic: &Diagnostic,
    start: usize,
    finding: usize,
) -> Option<Action> {
    let comments =
        yaml::comments(source.id(), source.text(), exception::WORD, &mut { yaml::ALIASES });
    let comment = comments.iter().find(|comment| comment.span.range().contains(&start))?;
    let range = exception::removal(diagnostic.rule, source.text(), comment, start)?;
    Some(Action {
        title: "Remove the exception".to_owned(),
        kind: ActionKind::Remove,
        finding,
        edits: vec![Edit { file: source.id(), range, text: String::new() }],
    })
}

/// Returns the text of a file after its safe repairs, as `check --fix` applies them; `None` without a
/// change. Other files are not changed.
#[must_use]
pub fn fix_all(workspace: &Workspace, options: &Options, file: FileId) -> Option<String> {
    let mut alone = workspace.with_texts(BTreeMap::new());
    for id in workspace.ids().filter(|it| *it != file) {
        if matches!(alone.file(id).role(), FileRole::Named | FileRole::Found) {
            alone.set_role(id, FileRole::Context);
        }
    }
    let fixed = fix::fix(&alone, options, Safety::Safe);
    let change = fixed.changes(&alone).into_iter().next()?;
    Some(change.after)
}

fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;

    const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  serviceAccount: web\n  \
                       containers:\n  - name: a\n    image: b:1\n    imagePullPolicy: always\n";

    fn offered(text: &str, at: &str) -> Vec<(ActionKind, String)> {
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", text);
        let diagnostics = compile(&workspace, &Options::default()).diagnostics;
        let at = text.find(at).unwrap();
        let edited = |action: Action| {
            let mut text = text.to_owned();
            for Edit { range, text: new, .. } in action.edits {
                text.replace_range(range, &new);
            }
            (action.kind, text)
        };
        actions(&workspace, &diagnostics, file, at..at).into_iter().map(edited).collect()
    }

    #[test]
    fn a_misspelled_value_is_replaced() {
        let offered = offered(POD, "always");
        let (kind, text) = &offered[0];
        assert_eq!(*kind, ActionKind::Fix);
        assert_eq!(*text, POD.replace("always", "Always"));
    }

    #[test]
    fn a_warning_is_allowed_above_its_line() {
        let text = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  \
                    trafficDistribution: PreferClose\n  ports: [{port: 80}]\n";
        let offered = offered(text, "PreferClose");
        let allowed: Vec<_> = offered.iter().filter(|it| it.0 == ActionKind::Allow).collect();
        let [(_, allowed)] = allowed[..] else { panic!("{offered:?}") };
        let comment =
            "  # sandboxc: allow field-deprecated because TODO: state the reason\n  traffic";
        assert_eq!(*allowed, text.replace("  traffic", comment));
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", allowed.as_str());
        let left = compile(&workspace, &Options::default()).diagnostics;
        assert!(left.iter().all(|it| it.rule.name != "field-deprecated"));
    }

    #[test]
    fn an_exception_without_effect_is_removed() {
        let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n";
        let comment = "# sandboxc: allow env-repeated because x";
        let rules = "# sandboxc: allow env-repeated, image-with-space because x";
        let beside = text.replacen('\n', &format!(" {comment}\r\n"), 1);
        for (before, at, after) in [
            (format!("{comment}\n{text}"), "env-", text.to_owned()),
            (beside, "env-", text.replacen('\n', "\r\n", 1)),
            (
                format!("{rules}\n{text}"),
                "env-",
                format!("{}\n{text}", rules.replace("env-repeated, ", "")),
            ),
            (
                format!("{rules}\n{text}"),
                "image-",
                format!("{}\n{text}", rules.replace(", image-with-space", "")),
            ),
        ] {
            assert_eq!(offered(&before, at), [(ActionKind::Remove, after)], "{before}");
        }
    }

    #[test]
    fn an_error_is_never_allowed() {
        assert!(offered(POD, "always").iter().all(|it| it.0 != ActionKind::Allow));
    }

    #[test]
    fn all_safe_repairs_are_those_of_one_file() {
        let mut workspace = Workspace::new();
        let text = "kind: Pod\napiVersion: v1\nmetadata: {name: a}\nspec: {}\n";
        let first = workspace.add("a.yaml", text);
        workspace.add("b.yaml", text);
        let options = Options::default();
        let fixed = fix_all(&workspace, &options, first);
        assert!(fixed.is_none_or(|it| it != text));
    }
}
