//! Findings as an editor shows them: each at one range of one line, with its remarks in its message.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::diag::{Diagnostic, Rule, Severity};
use crate::markup::visible_line;
use crate::report::remarks_with_excerpt;
use crate::rules;
use crate::source::{FileId, FileSpan, Slice as _, SourceFile, Workspace, offset};

/// A finding in a file.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The range to underline: a part of one line, and not empty unless the line is.
    pub range: Range<usize>,
    /// The severity.
    pub severity: Severity,
    /// The violated rule.
    pub rule: &'static Rule,
    /// The headline, followed by a line for each remark.
    pub message: String,
    /// The address of the rule's page.
    pub page: Option<String>,
    /// Places that explain the finding, in any file.
    pub related: Vec<Related>,
    /// The presentation of the range, in addition to its severity.
    pub tag: Option<Tag>,
    /// The position of the finding in the list that it is from.
    pub index: usize,
}

/// A place that explains a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// The place.
    pub place: FileSpan,
    /// The text of its label.
    pub text: String,
}

/// The presentation of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// Struck through: it still works, and there is a replacement.
    Deprecated,
    /// Faded: it has no effect.
    Unnecessary,
}

/// Rules about the files of a run, and not about one of them.
const ABOUT_RUN: [&str; 8] = [
    "build-output-skipped",
    "file-not-a-manifest",
    "helm-chart-skipped",
    "input-without-objects",
    "kustomization-skipped",
    "patch-skipped",
    "template-skipped",
    "vendored-skipped",
];

/// Rules about what can be removed without an effect.
const UNNECESSARY: [&str; 7] = [
    "exception-unused",
    "field-without-effect",
    "network-policy-without-effect",
    "override-without-effect",
    "pod-user-without-effect",
    "preparation-field-ignored",
    "worker-pool-field-ignored",
];

/// Returns the findings of each file, in the given order. Findings about the selection of files are
/// left out: an editor has selected its file.
#[must_use]
pub fn findings(
    workspace: &Workspace,
    diagnostics: &[Diagnostic],
) -> BTreeMap<FileId, Vec<Finding>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (index, diagnostic) in diagnostics.iter().enumerate() {
        if !ABOUT_RUN.contains(&diagnostic.rule.name) {
            let file = workspace.file_at(diagnostic.primary.span).id();
            found.entry(file).or_default().push(finding(workspace, diagnostic, index));
        }
    }
    found
}

fn finding(workspace: &Workspace, diagnostic: &Diagnostic, index: usize) -> Finding {
    let (file, span) = workspace.file_and_span(diagnostic.primary.span);
    let details = diagnostic.details();
    let mut lines = vec![details.message.as_prose().to_string()];
    lines.extend(remarks_with_excerpt(workspace, diagnostic));
    let related = details.secondary.iter().map(|label| Related {
        place: workspace.locate(label.span),
        text: visible_line(label.text.as_prose()).into_owned(),
    });
    let lines: Vec<_> = lines.iter().map(|it| visible_line(it)).collect();
    Finding {
        range: shown(file, span),
        severity: diagnostic.severity,
        rule: diagnostic.rule,
        message: lines.join("\n"),
        page: rules::page_address(diagnostic.rule),
        related: related.collect(),
        tag: tag(diagnostic.rule),
        index,
    }
}

fn tag(rule: &Rule) -> Option<Tag> {
    if rule.name.ends_with("-deprecated") {
        Some(Tag::Deprecated)
    } else {
        UNNECESSARY.contains(&rule.name).then_some(Tag::Unnecessary)
    }
}

/// The part of a span on its first line; the character at its start, or the one before it at the end
/// of a line, if it is empty. A map can have a thousand lines, and a missing field has no text.
pub(super) fn shown(file: &SourceFile, span: FileSpan) -> Range<usize> {
    let text = file.text();
    let start = text.floor_char_boundary(span.range().start);
    let rest = text.slice(start..);
    let lines = file.lines();
    // A line can have all that is in a file, so it is not searched for its end.
    let line = lines.line_of(offset(start));
    let line = lines.line_end(text, line).max(start);
    let end = text.floor_char_boundary(span.range().end).clamp(start, line);
    let end = start + text.slice(start..end).trim_end().len();
    if start < end {
        return start..end;
    }
    if let Some(next) = rest.chars().next().filter(|_| start < line) {
        return start..start + next.len_utf8();
    }
    let before = text.slice(..start).chars().next_back();
    let before = before.filter(|it| !matches!(it, '\n' | '\r'));
    start - before.map_or(0, char::len_utf8)..start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Options, compile};

    fn found(text: &str) -> Vec<Finding> {
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", text);
        let diagnostics = compile(&workspace, &Options::default()).diagnostics;
        findings(&workspace, &diagnostics).remove(&file).unwrap_or_default()
    }

    #[test]
    fn rules_with_a_presentation_exist() {
        for name in ABOUT_RUN.iter().chain(&UNNECESSARY) {
            assert!(rules::find(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_range_is_a_part_of_one_line() {
        let mut workspace = Workspace::new();
        let id = workspace.add("a.yaml", "a: é\r\nb:\n  c: 1\n\n");
        let file = workspace.file(id);
        for (span, expected) in [
            ((0, 15), 0..5),
            ((3, 3), 3..5),
            ((5, 5), 3..5),
            ((4, 4), 3..5),
            ((7, 15), 7..9),
            ((17, 17), 17..17),
            ((900, 999), 18..18),
        ] {
            let span = FileSpan::new(id, span.0, span.1);
            assert_eq!(shown(file, span), expected, "{span:?}");
        }
    }

    #[test]
    fn a_finding_has_its_remarks_and_related_places() {
        let text =
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: a}\ndata: {k: b}\n";
        let [finding] = &found(text)[..] else { panic!("one finding") };
        assert_eq!(finding.rule.name, "duplicate-key");
        assert_eq!(finding.message.lines().next(), Some("duplicate key `data`"));
        assert_eq!(&text[finding.range.clone()], "data");
        assert_eq!(finding.related.len(), 1);
        assert_eq!(finding.related[0].place.start as usize, text.find("\ndata").unwrap() + 1);
    }

    #[test]
    fn a_label_that_repeats_the_headline_is_left_out() {
        let text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  serviceAccountName: robot\n  \
                    containers: [{name: a, image: 'b:1', imagePulPolicy: Always}]\n";
        let found = found(text);
        let message = |rule: &str| &*found.iter().find(|it| it.rule.name == rule).unwrap().message;
        let lines: Vec<_> = message("service-account-not-found").lines().take(2).collect();
        assert_eq!(lines[0], "ServiceAccount `robot` not found in the input");
        assert!(lines[1].starts_with("note: "), "{lines:?}");
        assert!(message("unknown-field").contains("\n`imagePulPolicy`: no such field\n"));
    }

    #[test]
    fn a_deprecated_field_is_tagged() {
        let text = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  \
                    trafficDistribution: PreferClose\n  ports: [{port: 80}]\n";
        let tags: Vec<_> = found(text).iter().filter_map(|it| it.tag).collect();
        assert!(tags.contains(&Tag::Deprecated), "{tags:?}");
    }
}
