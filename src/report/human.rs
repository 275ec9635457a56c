//! Human-readable findings: annotated source in the style of `rustc`.

use std::fmt::Write as _;
use std::ops::{Range, RangeInclusive};

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use super::excerpt::{Excerpt, excerpts, line_range};
use super::marker::{fill, marker};
use super::selection::{self, Selection, Shown};
use super::words;
use super::wrap::wrapped;
use crate::diag::{Diagnostic, Severity, Suggestion};
use crate::limits::thousands;
use crate::markup::{visible, visible_line};
use crate::parallel::ordered_map;
use crate::sorted::SortedMap;
use crate::source::{FileId, Slice as _, Span, Workspace};

/// The maximum width of a rendered line. It is fixed, so that the same input gives the same output
/// everywhere.
const WIDTH: usize = 120;
/// The minimum width of a line; narrower terminals get lines of this width.
const NARROWEST: usize = 40;
/// The width of ` = note: `.
const REMARK: usize = 9;
/// The maximum number of secondary labels that are shown; others are counted.
const MAX_PLACES: usize = 12;
/// The maximum number of findings of one rule at one position that are shown; others are counted.
const MAX_OF_A_KIND: usize = 3;
/// The maximum number of similar findings that are listed; others are counted.
const MAX_ALIKE: usize = 20;
/// The minimum width of the part of a message that is shown.
const SHORTEST_MESSAGE: usize = 20;
/// The maximum number of lines of a suggestion that is shown as a patch; others are described in
/// words.
const LONGEST_PATCH: usize = 12;
/// The maximum line length, in bytes, of a suggestion that is shown as a patch.
const WIDEST_PATCH: usize = 200;

/// Whether the output has terminal colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// Without colors.
    Plain,
    /// With ANSI escape sequences.
    Coloured,
}

/// Renders findings as annotated source, in the given order, with an empty line after each. Of
/// consecutive findings of one rule at one position, a few are shown and the others counted; only
/// one is shown if they differ in nothing but a number.
///
/// ```
/// use sandboxc::{Options, Paint, Workspace, compile, render_human};
///
/// let mut workspace = Workspace::new();
/// workspace.add("a.yaml", "key: [a, b");
/// let compilation = compile(&workspace, &Options::default());
/// let text = render_human(&workspace, &compilation.diagnostics, Paint::Plain);
/// assert!(text.contains("a.yaml:1:"));
/// ```
#[must_use]
pub fn render_human(workspace: &Workspace, diagnostics: &[Diagnostic], paint: Paint) -> String {
    render(workspace, &Selection::all(diagnostics), paint, None)
}

/// Like [`render_human`], for selected findings: similar ones follow in one line each. For a
/// terminal with a number of columns, longer source lines are cut, and longer messages are wrapped.
#[must_use]
pub fn render_selection(
    workspace: &Workspace,
    selection: &Selection<'_>,
    paint: Paint,
    columns: Option<usize>,
) -> String {
    render(workspace, selection, paint, columns.map(|it| it.max(NARROWEST)))
}

fn render(
    workspace: &Workspace,
    selection: &Selection<'_>,
    paint: Paint,
    columns: Option<usize>,
) -> String {
    let renderer = match paint {
        Paint::Plain => Renderer::plain(),
        Paint::Coloured => Renderer::styled(),
    };
    let renderer = renderer.term_width(columns.unwrap_or(WIDTH));
    let groups = selection.shown.chunk_by(|a, b| words::is_same_fault(a.finding, b.finding));
    ordered_map(groups.collect(), |same| render_same(workspace, same, &renderer, columns)).concat()
}

/// Renders findings of one fault at the same place.
fn render_same(
    workspace: &Workspace,
    same: &[Shown<'_>],
    renderer: &Renderer,
    columns: Option<usize>,
) -> String {
    let is_one = words::differ_in_numbers(same.iter().map(|it| it.finding));
    let shown = if is_one { 1 } else { same.len().min(MAX_OF_A_KIND) };
    let hidden = same.iter().skip(shown).map(|it| words::occurrences(&it.finding.others)).sum();
    let mut text = String::new();
    for (at, Shown { finding, .. }) in same.iter().take(shown).enumerate() {
        let hidden = if at + 1 == shown { hidden } else { 0 };
        text.push_str(&render_one(workspace, finding, hidden, renderer, columns));
        text.push_str("\n\n");
    }
    if let Some(last) = same.last().filter(|it| !it.alike.is_empty()) {
        text.push_str(&render_alike(workspace, last, renderer, columns));
        text.push_str("\n\n");
    }
    text
}

/// Renders the findings that are similar to one: a line for each place.
fn render_alike(
    workspace: &Workspace,
    shown: &Shown<'_>,
    renderer: &Renderer,
    columns: Option<usize>,
) -> String {
    let Shown { finding, alike } = shown;
    let count = thousands(selection::occurrences(alike));
    let title = level(finding.severity)
        .primary_title(format!("{count} more findings of this kind"))
        .id(finding.rule.name);
    let mut text = renderer.render(&[Group::with_title(title)]);
    let listed = alike.len().min(MAX_ALIKE);
    for place in alike.iter().take(listed) {
        let Some(first) = place.first() else { continue };
        let more = selection::occurrences(&[*place]) - 1;
        let more =
            if more > 0 { format!(" (and {} more)", thousands(more)) } else { String::new() };
        let place = words::place(workspace, first.primary.span);
        let message = format!("{}{more}", visible_line(first.details().message.as_prose()));
        let _ = write!(text, "\n  {place}");
        let left = columns.map(|it| it.saturating_sub(place.chars().count() + "  : ".len()));
        if let Some(message) = cut(&message, left) {
            let _ = write!(text, ": {message}");
        }
    }
    let left = selection::occurrences(alike.slice(listed..));
    if left > 0 {
        let _ = write!(text, "\n  ... and {} more", thousands(left));
    }
    text.push_str("\n  `--all` shows each of them in full");
    text
}

/// The part of a message that fits into some columns, unless only a few words do. Places are never
/// cut.
fn cut(message: &str, columns: Option<usize>) -> Option<String> {
    match columns {
        Some(columns) if message.chars().count() > columns => (columns >= SHORTEST_MESSAGE)
            .then(|| message.chars().take(columns - 1).chain(['…']).collect()),
        _ => Some(message.to_owned()),
    }
}

/// Renders a finding that represents `hidden` ones at the same place.
fn render_one(
    workspace: &Workspace,
    diagnostic: &Diagnostic,
    hidden: usize,
    renderer: &Renderer,
    columns: Option<usize>,
) -> String {
    let mut places = Vec::new();
    let margin = margin(workspace, diagnostic);
    let remark = |text: &str| wrapped(&visible_line(text), columns, margin + REMARK);
    let parts = snippet_parts(workspace, diagnostic, &mut places);
    let (patches, in_words): (Vec<_>, Vec<_>) =
        diagnostic.details().suggestions.iter().partition(|it| can_be_shown(workspace, it));

    let title = level(diagnostic.severity)
        .primary_title(wrapped(
            &visible_line(diagnostic.details().message.as_prose()),
            columns,
            headline(diagnostic),
        ))
        .id(diagnostic.rule.name);
    let mut main = Group::with_title(title).elements(parts.into_iter().map(into_snippet));
    let left_out = diagnostic.details().secondary.len().saturating_sub(MAX_PLACES);
    if left_out > 0 {
        main = main.element(Level::NOTE.message(format!("and {left_out} more locations")));
    }
    let more = words::more_of_this_kind(diagnostic, hidden);
    for more in more.into_iter().chain(words::other_places(workspace, diagnostic)) {
        main = main.element(Level::NOTE.message(remark(&more)));
    }
    for note in &diagnostic.details().notes {
        main = main.element(Level::NOTE.message(remark(note.as_prose())));
    }
    for help in &diagnostic.details().help {
        main = main.element(Level::HELP.message(remark(help.as_prose())));
    }
    for suggestion in in_words {
        let words = words::suggestion(suggestion);
        main = main.element(Level::HELP.message(remark(&words)));
    }
    let mut groups = vec![main];
    for suggestion in patches {
        groups.push(patch_group(workspace, diagnostic, suggestion, &mut places));
    }
    let text = fill(&renderer.render(&groups), &places);
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The width of `error[rule]: `.
fn headline(diagnostic: &Diagnostic) -> usize {
    diagnostic.severity.as_str().len() + diagnostic.rule.name.len() + "[]: ".len()
}

/// The width of the line numbers of a finding.
fn margin(workspace: &Workspace, diagnostic: &Diagnostic) -> usize {
    let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.details().secondary);
    let last_lines = labels.map(|label| lines_of(workspace, label.span).1);
    last_lines.fold(0, usize::max).to_string().len()
}

const fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// One excerpt with its labels, the primary one first if it is there.
struct Part<'d> {
    excerpt: Excerpt,
    place: usize,
    labels: Vec<(AnnotationKind, &'d str)>,
}

/// The excerpts of a finding: the one with the primary span, then the others in order of position.
fn snippet_parts<'d>(
    workspace: &Workspace,
    diagnostic: &'d Diagnostic,
    places: &mut Vec<String>,
) -> Vec<Part<'d>> {
    let primary = std::iter::once((AnnotationKind::Primary, &diagnostic.primary));
    let secondary = diagnostic.details().secondary.iter().take(MAX_PLACES);
    let mut by_file: SortedMap<FileId, Vec<_>> = SortedMap::new();
    for (kind, label) in primary.chain(secondary.map(|it| (AnnotationKind::Context, it))) {
        by_file.entry(workspace.locate(label.span).file).or_default().push((kind, label));
    }
    let mut parts = Vec::new();
    for (file, labels) in by_file {
        let spans: Vec<_> = labels.iter().map(|(_, label)| label.span).collect();
        for excerpt in excerpts(workspace.file(file), &spans) {
            let shown: Vec<_> =
                excerpt.marks.iter().filter_map(|(number, _)| labels.get(*number)).collect();
            let first = shown.iter().find(|(kind, _)| *kind == AnnotationKind::Primary);
            let place = first.or_else(|| shown.first()).map(|(_, label)| label.span.start_point());
            let labels = shown.iter().map(|(kind, label)| (*kind, label.text.as_prose())).collect();
            parts.push((first.is_none(), place, Part { excerpt, place: 0, labels }));
        }
    }
    parts.sort_by_key(|(is_secondary, place, _)| (*is_secondary, *place));
    let number = |(_, place, part): (bool, Option<Span>, Part<'d>)| {
        places.push(place.map_or_else(String::new, |span| words::place(workspace, span)));
        Part { place: places.len() - 1, ..part }
    };
    parts.into_iter().map(number).collect()
}

fn into_snippet(part: Part<'_>) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    let annotations = part.excerpt.marks.into_iter().zip(part.labels);
    let annotations = annotations.map(|((_, range), (kind, text))| {
        kind.span(range).label((!text.is_empty()).then(|| visible_line(text)))
    });
    Snippet::source(part.excerpt.text)
        .line_start(part.excerpt.first_line)
        .path(marker(part.place))
        .annotations(annotations)
}

/// Whether the lines that a suggestion changes are few and short.
fn can_be_shown(workspace: &Workspace, suggestion: &Suggestion) -> bool {
    let (file, span) = workspace.file_and_span(suggestion.span);
    let (first, last) = lines_of(workspace, suggestion.span);
    file.text().get(span.range()).is_some()
        && last - first < LONGEST_PATCH
        && suggestion.replacement.lines().count() <= LONGEST_PATCH
        && suggestion.replacement.lines().all(|line| line.len() <= WIDEST_PATCH)
        && (first..=last).all(|line| line_range(file, line).len() <= WIDEST_PATCH)
}

fn lines_of(workspace: &Workspace, span: Span) -> (usize, usize) {
    let (file, span) = workspace.file_and_span(span);
    (file.lines().line_of(span.start), file.lines().line_of(span.end))
}

/// A suggestion as a change of the lines it touches.
fn patch_group<'d>(
    workspace: &Workspace,
    diagnostic: &Diagnostic,
    suggestion: &'d Suggestion,
    places: &mut Vec<String>,
) -> Group<'d> {
    let (first, last) = lines_of(workspace, suggestion.span);
    let (text, range) = patched_lines(workspace, suggestion.span, first..=last);
    let mut replacement = suggestion.replacement.as_str();
    let mut range = range;
    // Whole lines are shown without their last line feed, or the next line would seem to change.
    let is_whole_lines =
        range.end > range.start && text.get(..range.end).is_some_and(|it| it.ends_with('\n'));
    if is_whole_lines && (replacement.is_empty() || replacement.ends_with('\n')) {
        range.end -= 1;
        replacement = replacement.strip_suffix('\n').unwrap_or(replacement);
    }
    // Show a shortened string as a removal, because the renderer would mark the part that remains.
    if text.get(range.clone()).is_some_and(|it| it.starts_with(replacement)) {
        range.start += replacement.len();
        replacement = "";
    }
    // The marker of the primary file keeps the renderer from naming that file again.
    let file_of = |place| workspace.file_at(place).id();
    let place = if file_of(suggestion.span) == file_of(diagnostic.primary.span) {
        0
    } else {
        places.push(words::place(workspace, suggestion.span));
        places.len() - 1
    };
    let snippet = Snippet::source(text)
        .line_start(first)
        .path(marker(place))
        .patch(Patch::new(range, visible(replacement)));
    Level::HELP.secondary_title(visible_line(suggestion.text.as_prose())).element(snippet)
}

/// Lines that are safe to print, and the position in them of a span that starts and ends in these
/// lines.
fn patched_lines(
    workspace: &Workspace,
    span: Span,
    lines: RangeInclusive<usize>,
) -> (String, Range<usize>) {
    let (file, span) = workspace.file_and_span(span);
    let span = span.range();
    let (mut text, mut range) = (String::new(), 0..0);
    for line in lines {
        let bytes = line_range(file, line);
        for (offset, at) in [(span.start, &mut range.start), (span.end, &mut range.end)] {
            if offset >= bytes.start {
                let before = file.text().slice(bytes.start..offset.min(bytes.end));
                *at = text.len() + visible(before).len();
            }
        }
        text.push_str(&visible(file.text().slice(bytes)));
        text.push('\n');
    }
    (text, range)
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn messages_fit_or_are_left_out() {
        let message = "Secret `token` not found in the input";
        assert_eq!(cut(message, None).as_deref(), Some(message));
        assert_eq!(cut(message, Some(37)).as_deref(), Some(message));
        assert_eq!(cut(message, Some(20)).as_deref(), Some("Secret `token` not …"));
        assert_eq!(cut(message, Some(19)), None);
        assert_eq!(cut("no port", Some(7)).as_deref(), Some("no port"));
    }
}
