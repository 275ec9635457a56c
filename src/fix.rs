//! `check --fix`: applies suggestions to the source. `migrate` applies its edits with the same code.
//!
//! Edits are applied in rounds, each to the result of the previous one, because a fix can reveal
//! the next fault. An edit that adds an error is not applied. The rest of a file does not change:
//! comments, formatting and line endings are preserved.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::compile::{Compilation, Options, compile_observed};
use crate::diag::{Diagnostic, PathStep, Safety, Severity, Suggestion};
use crate::edited::{FileChange, changes, shown_changes};
use crate::findings::json;
use crate::limits::Fuel;
use crate::schema::{UNKNOWN_FIELD, WRONG_TYPE};
use crate::source::{FileId, Workspace};

/// The steps of a compilation, of each byte, object, file and finding in it: a small input can have many.
const OF_COMPILATION: usize = 50_000;
const OF_BYTE: usize = 3;
const OF_OBJECT: usize = 1_500;
const OF_FILE: usize = 750;
const OF_FINDING: usize = 1_500;

/// The result of [`fix`].
#[derive(Debug)]
pub struct Fixed {
    /// The files after the changes, in the order of the original workspace.
    pub workspace: Workspace,
    /// The compilation of the changed files, with the remaining findings.
    pub compilation: Compilation,
    /// The positions of the changed files in the workspace.
    pub files: BTreeSet<usize>,
    /// The number of applied suggestions.
    pub applied: usize,
    /// The number of remaining suggestions that may change the meaning, which [`Safety::Unsafe`]
    /// applies.
    pub unsafe_left: usize,
    /// Whether another call may apply more suggestions, because the input is too large to be
    /// compiled often.
    pub is_partial: bool,
}

impl Fixed {
    /// Returns the changed files, compared with the original workspace.
    #[must_use]
    pub fn changes(&self, before: &Workspace) -> Vec<FileChange> {
        changes(before, &self.workspace, &self.files)
    }

    /// Returns [`changes`](Self::changes) for display, with secret values masked.
    #[must_use]
    pub fn shown_changes(&self, before: &Workspace) -> Vec<FileChange> {
        shown_changes(before, &self.workspace, &self.files)
    }
}

/// Applies the suggestions of a workspace up to a safety level.
///
/// Only files that were named or found in a directory change. The result never has more errors than
/// the input, and fixing it again applies nothing.
#[must_use]
pub fn fix(workspace: &Workspace, options: &Options, level: Safety) -> Fixed {
    fix_within(workspace, options, level, &Fuel::of_run(0))
}

/// Like [`fix`], and compiles again once, and then as long as there is fuel.
fn fix_within(workspace: &Workspace, options: &Options, level: Safety, fuel: &Fuel<'_>) -> Fixed {
    let workspace = workspace.with_texts(BTreeMap::new());
    // Secret values are fixed like others, and hidden in what is left.
    let mut options = options.clone();
    options.keeps_secrets = true;
    let options = &options;
    let (compilation, mut steps) = compile_counted(&workspace, options);
    let mut fixed = Fixed {
        workspace,
        compilation,
        files: BTreeSet::new(),
        applied: 0,
        unsafe_left: 0,
        is_partial: false,
    };
    let mut rejected = BTreeSet::new();
    // Each round but the last applies at least one edit.
    loop {
        let edits = edits(&fixed.workspace, &fixed.compilation.diagnostics, level, &rejected);
        let mut round =
            Round { options, level, base: fixed, accepted: Vec::new(), rejected, steps, fuel };
        round.try_all(edits);
        (rejected, steps) = (round.rejected, round.steps);
        let is_last = round.accepted.is_empty();
        fixed = round.base;
        if is_last {
            break;
        }
    }
    if level < Safety::Unsafe {
        let is_unsafe =
            |it: &&Diagnostic| it.details().suggestions.iter().all(|it| it.safety > level);
        let left = fixed.compilation.diagnostics.iter().filter(is_unsafe);
        // Only what would be applied is offered.
        if !edits_of(&fixed.workspace, left, Safety::Unsafe).is_empty() {
            let all = fix_within(&fixed.workspace, options, Safety::Unsafe, fuel);
            fixed.unsafe_left = all.applied;
        }
    }
    fixed.compilation.hide_secrets(&fixed.workspace);
    fixed
}

/// Compiles a workspace, and returns the steps that this takes.
fn compile_counted(workspace: &Workspace, options: &Options) -> (Compilation, usize) {
    let mut objects = 0;
    let mut compilation =
        compile_observed(workspace, options, &mut |_, count| objects = objects.max(count));
    let texts = workspace.ids().map(|it| OF_FILE + OF_BYTE * workspace.file(it).text().len());
    let findings = OF_FINDING * compilation.diagnostics.len();
    compilation.release();
    let steps = OF_COMPILATION + texts.sum::<usize>() + OF_OBJECT * objects + findings;
    (compilation, steps)
}

/// One change of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Edit {
    /// The position of the file.
    pub(crate) file: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) replacement: String,
    /// The rule that suggests it.
    pub(crate) rule: &'static str,
}

/// The edits that can be applied together, sorted by position.
fn edits(
    workspace: &Workspace,
    findings: &[Diagnostic],
    level: Safety,
    rejected: &BTreeSet<Edit>,
) -> Vec<Edit> {
    let candidates = edits_of(workspace, findings, level);
    let candidates: Vec<_> = candidates.into_iter().filter(|it| !rejected.contains(it)).collect();
    let mut places: BTreeMap<(usize, usize, usize, &str), usize> = BTreeMap::new();
    for it in &candidates {
        *places.entry((it.file, it.start, it.end, it.rule)).or_default() += 1;
    }
    // If one rule suggests several edits at one location, none of them is certain.
    let is_certain = |it: &Edit| places.get(&(it.file, it.start, it.end, it.rule)) == Some(&1);
    let mut chosen: Vec<Edit> = Vec::new();
    for edit in candidates.into_iter().filter(is_certain) {
        // Conflicting edits wait for the next round.
        let is_free = chosen.last().is_none_or(|before| {
            before.file != edit.file
                || before.end < edit.start
                || before.end == edit.start && before.start < before.end && edit.start < edit.end
        });
        if is_free {
            chosen.push(edit);
        }
    }
    chosen
}

/// All edits, without duplicates: a definition can expand to many objects with the same finding.
fn edits_of<'f>(
    workspace: &Workspace,
    findings: impl IntoIterator<Item = &'f Diagnostic>,
    level: Safety,
) -> BTreeSet<Edit> {
    let mut files = facts_of(workspace);
    let edit = |finding: &Diagnostic| {
        // Several suggestions are alternatives.
        let [suggestion] = finding.details().suggestions.as_slice() else { return None };
        let is_allowed = suggestion.safety <= level;
        is_allowed.then(|| edit_of(workspace, &mut files, finding.rule.name, suggestion)).flatten()
    };
    findings.into_iter().filter_map(edit).collect()
}

/// Applies one suggestion of a finding in the workspace, as [`fix`] would; `None` if it cannot be
/// applied, because its file must not change or does not have the expected text.
#[must_use]
pub fn apply_suggestion(workspace: &Workspace, suggestion: &Suggestion) -> Option<Workspace> {
    let mut files = facts_of(workspace);
    let edit = edit_of(workspace, &mut files, "", suggestion)?;
    let texts: Vec<_> = workspace.ids().map(|it| workspace.file(it).text().to_owned()).collect();
    Some(workspace.with_texts(applied(&texts, &BTreeSet::from([edit]))))
}

/// The change that a suggestion makes to its file, as [`fix`] would; `None` if it cannot be applied.
pub(crate) fn source_edit(
    workspace: &Workspace,
    suggestion: &Suggestion,
) -> Option<(FileId, Range<usize>, String)> {
    let file = workspace.file_at(suggestion.span).id();
    let mut files = BTreeMap::from([(file, FileFacts { position: 0, has_crlf: None })]);
    let Edit { start, end, replacement, .. } = edit_of(workspace, &mut files, "", suggestion)?;
    Some((file, start..end, replacement))
}

fn facts_of(workspace: &Workspace) -> BTreeMap<FileId, FileFacts> {
    let files = workspace.ids().enumerate();
    files.map(|(position, id)| (id, FileFacts { position, has_crlf: None })).collect()
}

/// What edits of a file depend on.
struct FileFacts {
    position: usize,
    /// Whether lines end in CRLF, once an edit depends on it.
    has_crlf: Option<bool>,
}

fn edit_of(
    workspace: &Workspace,
    files: &mut BTreeMap<FileId, FileFacts>,
    rule: &'static str,
    suggestion: &Suggestion,
) -> Option<Edit> {
    let (file, span) = workspace.file_and_span(suggestion.span);
    if !file.can_change() || file.invalid_utf8_at().is_some() {
        return None;
    }
    let written = file.text().get(span.range())?;
    let is_expected = |name: &str| written.trim_matches(['"', '\'']) == name;
    if !suggestion.replaces.as_deref().is_none_or(is_expected) {
        return None;
    }
    let is_expression = |text: &str| text.contains("{{") || text.contains("{%");
    // Do not replace an expression by a literal: the finding is about its value.
    if is_expression(written) && !is_expression(&suggestion.replacement) {
        return None;
    }
    let facts = files.get_mut(&file.id())?;
    let new_lines = suggestion.replacement.contains('\n') && !suggestion.replacement.contains('\r');
    // Searching the file for each of thousands of edits would be slow.
    let mut has_crlf = || *facts.has_crlf.get_or_insert_with(|| file.text().contains("\r\n"));
    let replacement = if new_lines && has_crlf() {
        suggestion.replacement.replace('\n', "\r\n")
    } else {
        suggestion.replacement.clone()
    };
    let edit = Edit {
        file: facts.position,
        start: span.range().start,
        end: span.range().end,
        replacement,
        rule,
    };
    (written != edit.replacement).then_some(edit)
}

/// One round, which applies all edits that do not add an error.
struct Round<'o> {
    options: &'o Options,
    level: Safety,
    base: Fixed,
    accepted: Vec<Edit>,
    rejected: BTreeSet<Edit>,
    /// The steps of a compilation of the input, so far.
    steps: usize,
    fuel: &'o Fuel<'o>,
}

impl Round<'_> {
    fn try_all(&mut self, edits: Vec<Edit>) {
        let original: Vec<String> = {
            let workspace = &self.base.workspace;
            workspace.ids().map(|it| workspace.file(it).text().to_owned()).collect()
        };
        self.try_some(&original, edits);
        self.base.applied += self.accepted.len();
        self.base.files.extend(self.accepted.iter().map(|it| it.file));
    }

    /// Applies the edits in addition to the accepted ones. If that adds an error, tries each half.
    fn try_some(&mut self, original: &[String], mut edits: Vec<Edit>) {
        if edits.is_empty() {
            return;
        }
        // Without the first attempt no suggestion for a large input could be applied.
        let is_first = self.fuel.spent() == 0;
        if !self.fuel.spend(self.steps) && !is_first {
            self.base.is_partial = true;
            return;
        }
        let together: BTreeSet<_> = self.accepted.iter().chain(&edits).cloned().collect();
        let texts = applied(original, &together);
        let stays_json = texts.iter().all(|(file, text)| {
            original.get(*file).is_some_and(|original| json::stays_json(original, text))
        });
        let workspace = self.base.workspace.with_texts(texts);
        let (compilation, steps) = compile_counted(&workspace, self.options);
        self.steps = self.steps.max(steps);
        let is_no_worse = count_errors(&compilation) <= count_errors(&self.base.compilation);
        let leads_on = || {
            let next = edits_of(&workspace, &compilation.diagnostics, self.level);
            !would_be_undone(original, &edits, &workspace, &next)
                && !would_be_repeated(&together, &edits, &next)
                && !renames_only_the_key(&edits, &workspace, &compilation)
        };
        if is_no_worse && stays_json && leads_on() {
            self.base.workspace = workspace;
            self.base.compilation = compilation;
            self.accepted.extend(edits);
            return;
        }
        if edits.len() == 1 {
            self.rejected.extend(edits);
            return;
        }
        let second = edits.split_off(edits.len() / 2);
        self.try_some(original, edits);
        self.try_some(original, second);
    }
}

/// Whether one of the edits leads to a suggestion that reverts it: `next` are those for the edited files.
fn would_be_undone(
    original: &[String],
    edits: &[Edit],
    workspace: &Workspace,
    next: &BTreeSet<Edit>,
) -> bool {
    let texts: Vec<_> = workspace.ids().map(|id| workspace.file(id).text()).collect();
    let text_at = |edit: &Edit| texts.get(edit.file)?.get(edit.start..edit.end);
    let reverted = edits.iter().filter_map(|edit| {
        let before = original.get(edit.file)?.get(edit.start..edit.end)?;
        Some((edit.file, edit.replacement.as_str(), before))
    });
    let reverted: BTreeSet<_> = reverted.collect();
    next.iter().any(|later| {
        text_at(later).is_some_and(|written| {
            reverted.contains(&(later.file, written, later.replacement.as_str()))
        })
    })
}

/// Whether one of the edits leads to a suggestion that writes the same at its end or in it: it repairs nothing,
/// and each round would add another one. `together` are all edits of the files, `next` those that follow.
fn would_be_repeated(together: &BTreeSet<Edit>, edits: &[Edit], next: &BTreeSet<Edit>) -> bool {
    let edits: BTreeSet<_> = edits.iter().collect();
    let next: BTreeSet<_> =
        next.iter().map(|edit| (edit.file, edit.start, edit.replacement.as_str())).collect();
    let (mut file, mut added, mut removed) = (0, 0, 0);
    together.iter().any(|edit| {
        if edit.file != file {
            (file, added, removed) = (edit.file, 0, 0);
        }
        let start = (edit.start + added).saturating_sub(removed);
        let end = start + edit.replacement.len();
        added += edit.replacement.len();
        removed += edit.end - edit.start;
        edits.contains(edit)
            && next
                .range((file, start, "")..(file, end + 1, ""))
                .any(|(_, _, replacement)| *replacement == edit.replacement)
    })
}

/// Whether the value of a renamed field is not one of the new field: the field is from another version, and its
/// value would have to be written in another form as well.
fn renames_only_the_key(edits: &[Edit], workspace: &Workspace, compilation: &Compilation) -> bool {
    let renames = edits.iter().filter(|edit| edit.rule == UNKNOWN_FIELD.name);
    let new_names: BTreeSet<_> =
        renames.map(|edit| (edit.file, edit.replacement.as_str())).collect();
    let files = facts_of(workspace);
    let is_about_value = |finding: &Diagnostic| {
        let Some(path) = finding.details().path.as_ref() else { return false };
        let names: Vec<_> = path.steps().iter().rev().map(PathStep::name).take(2).collect();
        // A misspelled name below a misspelled one has a suggestion of its own.
        let is_foreign = *finding.rule == UNKNOWN_FIELD && finding.details().suggestions.is_empty();
        let of_value = if is_foreign {
            names.get(1)
        } else {
            names.first().filter(|_| *finding.rule == WRONG_TYPE)
        };
        let file = files.get(&workspace.file_at(finding.primary.span).id());
        file.zip(of_value.copied().flatten())
            .is_some_and(|(file, name)| new_names.contains(&(file.position, name)))
    };
    errors_of(compilation).any(is_about_value)
}

fn errors_of(compilation: &Compilation) -> impl Iterator<Item = &Diagnostic> {
    compilation.diagnostics.iter().filter(|finding| finding.severity == Severity::Error)
}

fn count_errors(compilation: &Compilation) -> usize {
    errors_of(compilation).count()
}

/// The changed files by position. Edits must not overlap.
pub(crate) fn applied(original: &[String], edits: &BTreeSet<Edit>) -> BTreeMap<usize, String> {
    let mut texts: BTreeMap<usize, (String, usize)> = BTreeMap::new();
    for edit in edits {
        let Some(text) = original.get(edit.file) else { continue };
        let (changed, copied) = texts.entry(edit.file).or_default();
        let Some(between) = text.get(*copied..edit.start) else { continue };
        if text.get(edit.start..edit.end).is_some() {
            changed.push_str(between);
            changed.push_str(&edit.replacement);
            *copied = edit.end;
        }
    }
    let whole = |(file, (mut changed, copied)): (usize, (String, usize))| {
        changed.push_str(original.get(file)?.get(copied..)?);
        Some((file, changed))
    };
    texts.into_iter().filter_map(whole).collect()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::diag::Rule;
    use crate::source::Span;

    static A_RULE: Rule = Rule::new("a-rule", Severity::Error);

    fn fixed(text: &str, level: Safety) -> (String, usize) {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        let Fixed { workspace, applied, .. } = fix(&workspace, &Options::default(), level);
        let text = workspace.ids().map(|it| workspace.file(it).text().to_owned()).collect();
        (text, applied)
    }

    const JOB: &str = "apiVersion: batch/v1\r\nkind: Job # a comment\r\nmetadata: {name: a}\r\nspec:\r\n  \
        backoffLimit: \"3\"\r\n  template:\r\n    spec:\r\n      restartpolicy: Never\r\n      \
        containers: [{name: a, imag: \"a:1\"}]\r\n";

    #[test]
    fn safe_edits_keep_everything_else() {
        let (text, applied) = fixed(JOB, Safety::Safe);
        let expected = JOB.replace("\"3\"", "3").replace("restartpolicy", "restartPolicy");
        assert_eq!((text.as_str(), applied), (expected.as_str(), 2));
        assert_eq!(fixed(&text, Safety::Safe), (text.clone(), 0), "a second run");
    }

    #[test]
    fn a_field_of_another_version_is_not_renamed_alone() {
        let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
            metadata: {name: foos.demo.example.com}\nspec:\n  group: demo.example.com\n  \
            names: {kind: Foo, plural: foos}\n  scope: Namespaced\n  version: v1alpha1\n";
        let ingress = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\n\
            spec:\n  backend: {serviceName: web, servicePort: 80}\n";
        for text in [definition, ingress] {
            assert_eq!(fixed(text, Safety::Unsafe), (text.to_owned(), 0));
        }
        let typos = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n\
            spec:\n  contianers: [{name: a, image: 'b:1', prots: [{containerPort: 1}]}]\n";
        let (text, applied) = fixed(typos, Safety::Unsafe);
        assert_eq!(applied, 2, "{text}");
        assert!(text.contains("containers:") && text.contains("ports:"), "{text}");
    }

    #[test]
    fn an_edit_that_only_leads_to_itself_is_not_applied() {
        let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  \"c d\" :e\n";
        assert_eq!(fixed(text, Safety::Unsafe), (text.to_owned(), 0));
        let text = text.replace("\"c d\" :e", "a: {b: \"c\",, d: e}");
        let (fixed, _) = fixed(&text, Safety::Unsafe);
        assert!(!fixed.contains(",,"), "{fixed}");
    }

    #[test]
    fn unsafe_edits_are_applied_on_request() {
        let (text, applied) = fixed(JOB, Safety::Unsafe);
        assert_eq!(applied, 3);
        assert!(text.contains("image: \"a:1\""), "{text}");
    }

    #[test]
    fn large_input_is_compiled_a_limited_number_of_times() {
        // The fields of `Spec` are only checked after its own typo is fixed, so two rounds are
        // necessary: the first applies three edits, the second two.
        let other = JOB.replace("name: a", "name: b").replacen("spec:", "Spec:", 1);
        let comments = "# of a file that is larger than its objects count\r\n".repeat(40);
        let text = format!("{comments}{JOB}---\r\n{other}");
        let run = |most| {
            let mut workspace = Workspace::new();
            workspace.add("a.yaml", text.clone());
            let fixed = fix_within(&workspace, &Options::default(), Safety::Safe, &Fuel::of(most));
            (fixed.applied, fixed.is_partial)
        };
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text.clone());
        let (_, steps) = compile_counted(&workspace, &Options::default());
        let steps = u64::try_from(steps).unwrap();
        let tried = [0, 2 * steps - 1, 2 * steps].map(run);
        assert_eq!(tried, [(3, true), (3, true), (5, false)]);
    }

    #[test]
    fn small_input_with_many_objects_is_compiled_a_limited_number_of_times() {
        let text = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: \"a-{{ index }}\"}\n\
            expand: {count: 100}\nSpec:\n  image: a:1\n  podsecuritycontext: {runAsUser: 1000}\n";
        let run = |most| {
            let mut workspace = Workspace::new();
            workspace.add("a.yaml", text);
            let fixed = fix_within(&workspace, &Options::default(), Safety::Safe, &Fuel::of(most));
            (fixed.applied, fixed.is_partial)
        };
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        let (_, steps) = compile_counted(&workspace, &Options::default());
        assert!(steps > 100 * OF_OBJECT);
        let steps = u64::try_from(steps).unwrap();
        assert_eq!([2 * steps - 1, 2 * steps].map(run), [(1, true), (2, false)]);
    }

    fn least(run: impl Fn()) -> Duration {
        let once = |_| {
            let start = Instant::now();
            run();
            start.elapsed()
        };
        (0..5).map(once).min().unwrap()
    }

    /// Searching or moving the text of the file for each edit takes a hundred times as long.
    #[test]
    fn edits_take_about_the_time_of_copying_their_findings() {
        let count = 32_000;
        let line = "key: 1 # with a comment that makes the file larger than its edits\r\n";
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", line.repeat(count));
        let finding = |at: usize| {
            let start = u32::try_from(at * line.len()).unwrap();
            let span = Span::new(file, start, start + 3);
            Diagnostic::new(&A_RULE, span, "a").suggest(span, "cay\n", "write this")
        };
        let findings: Vec<_> = (0..count).map(finding).collect();
        let original = [workspace.file(file).text().to_owned()];
        let apply = || applied(&original, &edits_of(&workspace, &findings, Safety::Unsafe));
        let changed = line.replacen("key", "cay\r\n", 1).repeat(count);
        assert_eq!(apply(), BTreeMap::from([(0, changed)]));
        let copy = || assert_eq!(findings.clone().len(), count);
        let (copying, applying) = (least(copy), least(|| assert_eq!(apply().len(), 1)));
        assert!(applying < 40 * copying, "{applying:?} and {copying:?}");
    }

    #[test]
    fn two_edits_at_one_place_are_not_applied_together() {
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", "key: a\n");
        let finding = |start, end, text: &'static str| {
            let span = Span::new(file, start, end);
            Diagnostic::new(&A_RULE, span, "a").suggest(span, text, "write this")
        };
        let chosen = |findings: &[Diagnostic]| {
            let edits = edits(&workspace, findings, Safety::Unsafe, &BTreeSet::new());
            edits.into_iter().map(|it| it.replacement).collect::<Vec<_>>()
        };
        assert_eq!(chosen(&[finding(0, 3, "b"), finding(0, 3, "b")]), ["b"]);
        assert_eq!(chosen(&[finding(0, 3, "b"), finding(0, 3, "c")]), [""; 0]);
        assert_eq!(chosen(&[finding(0, 3, "b"), finding(3, 4, "c")]), ["b", "c"]);
        assert_eq!(chosen(&[finding(0, 3, "b"), finding(2, 4, "c")]), ["b"]);
        // The order of an insertion and its neighbor is not certain.
        assert_eq!(chosen(&[finding(0, 3, "b"), finding(3, 3, "c")]), ["b"]);
        assert_eq!(chosen(&[finding(3, 3, "b"), finding(3, 4, "c")]), ["b"]);
    }

    #[test]
    fn an_expanded_definition_is_edited_once() {
        let text = "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: \"a-{{ index }}\"}\n\
            expand: {count: 3}\nspec:\n  image: a:1\n  podsecuritycontext: {runAsUser: 1000}\n";
        let (fixed, applied) = fixed(text, Safety::Safe);
        assert_eq!(applied, 1);
        assert_eq!(fixed, text.replace("podsecuritycontext", "podSecurityContext"));
    }
}
