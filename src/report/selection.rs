//! The findings that a human-readable report shows, and in which form: one mistake in many objects
//! is shown in full for the first of them, and in one line for each of the others.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::words::{self, is_same_fault};
use crate::diag::{Diagnostic, FieldPath, PathStep, Severity};
use crate::parallel::ordered_map;
use crate::sorted::SortedMap;

/// The maximum number of places at which one mistake is shown in full.
const MAX_IN_FULL: usize = 5;
/// The number of places that are shown in full where there are more.
const IN_FULL: usize = 3;

/// The findings of a report, in order of position, and those that are not shown.
#[derive(Debug, Default)]
pub struct Selection<'d> {
    pub(super) shown: Vec<Shown<'d>>,
    hidden: Vec<&'d Diagnostic>,
}

/// A finding that is shown in full.
#[derive(Debug)]
pub(super) struct Shown<'d> {
    pub(super) finding: &'d Diagnostic,
    /// Findings that differ from it in names and positions, which are shown in one line for each
    /// place. A list has the findings at one place.
    pub(super) alike: Vec<&'d [Diagnostic]>,
}

impl<'d> Selection<'d> {
    /// All findings, in full.
    #[must_use]
    pub fn all(diagnostics: &'d [Diagnostic]) -> Self {
        let shown = |finding| Shown { finding, alike: Vec::new() };
        Self { shown: diagnostics.iter().map(shown).collect(), hidden: Vec::new() }
    }

    /// At most `most` findings in full, with those that are alike. Errors come before warnings, and the
    /// first finding of each rule before the second of any.
    #[must_use]
    pub fn of(diagnostics: &'d [Diagnostic], most: usize) -> Self {
        let mut selection = Self::default();
        let all = with_alike(diagnostics);
        let is_important = most_important(all.iter().map(|it| it.finding), most);
        for (shown, is_important) in all.into_iter().zip(is_important) {
            if is_important {
                selection.shown.push(shown);
            } else {
                let alike = shown.alike.into_iter().flatten();
                selection.hidden.extend(std::iter::once(shown.finding).chain(alike));
            }
        }
        selection
    }

    /// The findings that are shown, in full or in one line.
    pub fn findings(&self) -> impl Iterator<Item = &'d Diagnostic> {
        self.shown
            .iter()
            .flat_map(|it| std::iter::once(it.finding).chain(it.alike.iter().copied().flatten()))
    }

    /// The findings that are not shown.
    #[must_use]
    pub fn hidden(&self) -> &[&'d Diagnostic] {
        &self.hidden
    }
}

/// The findings to show in full, and those that are like them.
fn with_alike(diagnostics: &[Diagnostic]) -> Vec<Shown<'_>> {
    let places: Vec<_> = diagnostics.chunk_by(is_same_fault).collect();
    let mut of_mistakes: SortedMap<_, Vec<usize>> = SortedMap::new();
    let mistakes = ordered_map(places.clone(), |place| place.first().map(mistake));
    for (number, mistake) in mistakes.into_iter().enumerate() {
        of_mistakes.entry(mistake).or_default().push(number);
    }
    let mut alike: SortedMap<usize, Vec<&[Diagnostic]>> = SortedMap::new();
    let mut is_short = vec![false; places.len()];
    for numbers in of_mistakes.into_values().filter(|it| it.len() > MAX_IN_FULL) {
        let (in_full, others) = numbers.split_at(IN_FULL);
        for number in others {
            if let Some(it) = is_short.get_mut(*number) {
                *it = true;
            }
        }
        let others = others.iter().filter_map(|it| places.get(*it).copied());
        if let Some(last) = in_full.last() {
            alike.insert(*last, others.collect());
        }
    }
    let mut shown = Vec::new();
    let in_full = places.into_iter().zip(is_short).enumerate().filter(|(_, (_, it))| !it);
    for (number, (place, _)) in in_full {
        shown.extend(place.iter().map(|finding| Shown { finding, alike: Vec::new() }));
        if let (Some(last), Some(alike)) = (shown.last_mut(), alike.remove(&number)) {
            last.alike = alike;
        }
    }
    shown
}

/// Identifies what findings of one mistake have in common: all but names and positions.
fn mistake(finding: &Diagnostic) -> u64 {
    let mut hasher = DefaultHasher::new();
    (finding.rule.name, finding.severity, finding.kubernetes).hash(&mut hasher);
    for message in [&finding.details().message, &finding.primary.text] {
        message.words().for_each(|words| words.hash(&mut hasher));
    }
    for step in finding.details().path.iter().flat_map(FieldPath::steps) {
        match step {
            PathStep::Field(name) => name.hash(&mut hasher),
            PathStep::Key(_) | PathStep::Index(_) => 0_u8.hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// For each finding, whether it is among the `most` most important ones.
pub(super) fn most_important<'d>(
    findings: impl Iterator<Item = &'d Diagnostic>,
    most: usize,
) -> Vec<bool> {
    let mut of_rules: SortedMap<(Severity, &str), usize> = SortedMap::new();
    let mut order = Vec::new();
    for (position, Diagnostic { rule, severity, .. }) in findings.enumerate() {
        let of_rule = of_rules.entry((*severity, rule.name)).or_default();
        order.push((*severity, *of_rule, position));
        *of_rule += 1;
    }
    let mut is_important = vec![false; order.len()];
    order.sort_unstable();
    for (.., position) in order.into_iter().take(most) {
        if let Some(it) = is_important.get_mut(position) {
            *it = true;
        }
    }
    is_important
}

/// The number of findings at some places, including those that they represent.
pub(super) fn occurrences(places: &[&[Diagnostic]]) -> usize {
    places.iter().copied().flatten().map(|it| words::occurrences(&it.others)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Message, Rule, Severity, message};
    use crate::source::{Span, Workspace};

    static RULE: Rule = Rule::new("a-rule", Severity::Warning);

    fn finding(at: u32, text: impl Into<Message>, path: &str) -> Diagnostic {
        let span = Span::new(Workspace::new().add("a.yaml", ""), at, at + 1);
        Diagnostic::new(&RULE, span, text).path(path)
    }

    fn parts(selection: &Selection<'_>) -> (Vec<usize>, usize) {
        let alike = selection.shown.iter().map(|it| occurrences(&it.alike));
        (alike.collect(), selection.hidden().len())
    }

    #[test]
    fn more_than_five_findings_that_differ_in_names_are_shown_in_short_after_three() {
        let of = |count| (0..count).map(|at| finding(at, message!("no `{at}`"), "spec.items[0]"));
        let findings: Vec<_> = of(5).collect();
        assert_eq!(parts(&Selection::of(&findings, 100)), (vec![0; 5], 0));
        let named = (0..6).map(|at| finding(at, message!("Pod/web-{at} has no `a`"), "spec"));
        assert_eq!(parts(&Selection::of(&named.collect::<Vec<_>>(), 9)), (vec![0, 0, 3], 0));
        let findings: Vec<_> = of(6).collect();
        assert_eq!(parts(&Selection::of(&findings, 100)), (vec![0, 0, 3], 0));
        assert_eq!(parts(&Selection::of(&findings, 2)), (vec![0, 0], 4), "none is lost");
        assert_eq!(parts(&Selection::all(&findings)), (vec![0; 6], 0));
    }

    #[test]
    fn findings_that_differ_in_more_than_names_are_shown_in_full() {
        let words = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].into_iter().zip(0..);
        let texts: Vec<_> = words.map(|(word, at)| finding(at, word, "spec")).collect();
        let paths: Vec<_> = (0..9).map(|at| finding(at, "no", &format!("spec.a{at}"))).collect();
        for findings in [texts, paths] {
            assert_eq!(parts(&Selection::of(&findings, 100)), (vec![0; 9], 0));
        }
        let items = (0..9).map(|at| finding(at, "no", &format!("spec.items[{at}]")));
        assert_eq!(parts(&Selection::of(&items.collect::<Vec<_>>(), 9)), (vec![0, 0, 6], 0));
    }

    #[test]
    fn findings_at_one_place_count_as_one_place() {
        let at = |at: u32| (0..4).map(move |name| finding(at, message!("no `{name}`"), "spec"));
        let findings: Vec<_> = (0..7).flat_map(at).collect();
        let (alike, hidden) = parts(&Selection::of(&findings, 100));
        assert_eq!((alike.len(), alike.last(), hidden), (12, Some(&16), 0));
    }
}
