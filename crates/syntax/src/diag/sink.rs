//! The collector of findings.

use std::cmp::Ordering;

use super::{Diagnostic, Severity, Words, declare_rules, message};
use crate::limits::{self, Limit};
use crate::scalar::{KubernetesVersion, Versions};
use crate::source::Span;

declare_rules! {
    TOO_MANY_FINDINGS = "too-many-findings", Error;
}

/// The limit of a document after the limit of the run.
static NO_FINDINGS: Limit = Limit { most: 0, ..limits::DOCUMENT_FINDINGS };

/// Proof that an error was reported. Only [`Sink`] can create it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported(());

/// Collects the findings of one stage or one thread, up to a limit. The first finding above the
/// limit is replaced by an error about the limit, and the others are left out.
#[derive(Clone, Debug)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    /// The number of reported findings, including those that were left out.
    reported: usize,
    most: &'static Limit,
    /// The number of earlier findings of the run.
    before: usize,
    /// The number of reported findings that were the same as others.
    merged: usize,
    /// Whether so few findings were the same as others that it is not worth looking again.
    is_distinct: bool,
}

impl Default for Sink {
    fn default() -> Self {
        Self {
            diagnostics: Vec::new(),
            reported: 0,
            most: &limits::RUN_FINDINGS,
            before: 0,
            merged: 0,
            is_distinct: false,
        }
    }
}

impl Sink {
    /// An empty sink.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty sink for one document, while many are processed at once.
    #[must_use]
    pub fn of_document() -> Self {
        Self { most: &limits::DOCUMENT_FINDINGS, ..Self::default() }
    }

    /// An empty sink for one document of a run that already has this number of findings.
    #[must_use]
    pub fn of_document_after(findings: usize) -> Self {
        // Above the limit of the run, only the existence of findings matters.
        let is_over = findings > limits::RUN_FINDINGS.count();
        let most = if is_over { &NO_FINDINGS } else { &limits::DOCUMENT_FINDINGS };
        Self { most, before: findings, ..Self::default() }
    }

    /// An empty sink for a part of the findings of this one, with the same limit.
    #[must_use]
    pub fn part(&self) -> Self {
        Self { before: self.total(), most: self.most, ..Self::default() }
    }

    /// A sink whose findings are not used.
    #[must_use]
    pub fn unused() -> Self {
        Self::of_document_after(usize::MAX)
    }

    /// Whether the findings are not used, so that it is not worth searching for their reasons.
    #[must_use]
    pub fn is_unused(&self) -> bool {
        self.before == usize::MAX
    }

    /// The number of findings of the run so far.
    #[must_use]
    pub fn total(&self) -> usize {
        self.before.saturating_add(self.reported - self.merged)
    }

    /// Whether the run has so many findings that expensive parts of further ones are omitted:
    /// similar names, the likeliest repair, and the rest of long strings. What is left out has no such parts either.
    #[must_use]
    pub fn is_terse(&self) -> bool {
        self.total() >= limits::DETAILED_FINDINGS.count() || self.is_full()
    }

    /// The candidates for a similar name; none if advice is omitted.
    pub fn near<I: Iterator>(&self, candidates: I) -> std::iter::Take<I> {
        candidates.take(if self.is_terse() { 0 } else { usize::MAX })
    }

    /// Whether the run has more findings than it reports: no further finding matters.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !self.is_unused() && self.total() > limits::RUN_FINDINGS.count()
    }

    /// Adds a finding of any severity.
    pub fn report(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.shorten(self.is_terse());
        if self.diagnostics.len() == self.most.count() {
            self.make_room();
        }
        match self.diagnostics.len().cmp(&self.most.count()) {
            Ordering::Less => self.diagnostics.push(diagnostic),
            Ordering::Equal => self.diagnostics.push(too_many(self.most, diagnostic.primary.span)),
            Ordering::Greater => {}
        }
        self.reported = self.reported.saturating_add(1);
    }

    /// Merges findings of the run that are the same: thousands of definitions can have those of one
    /// that they extend.
    fn make_room(&mut self) {
        if self.most.most != limits::RUN_FINDINGS.most || self.is_distinct {
            return;
        }
        let before = self.diagnostics.len();
        self.sort();
        self.merged += before - self.diagnostics.len();
        self.is_distinct = self.diagnostics.len() > before / 4 * 3;
    }

    /// Sorts the findings, and drops exact duplicates and those that are also reported as an error.
    fn sort(&mut self) {
        self.diagnostics.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        self.diagnostics.dedup_by(|repetition, first| {
            if repetition.sort_key() == first.sort_key() {
                first.unite(repetition);
                return true;
            }
            repetition.is_covered_by(first)
        });
    }

    /// Whether further findings are omitted.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.diagnostics.len() > self.most.count()
    }

    /// Adds a finding that another sink has accepted.
    pub fn keep(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
        self.reported = self.reported.saturating_add(1);
    }

    /// Adds an error, and returns the token that lets a stage stop.
    pub fn error(&mut self, mut diagnostic: Diagnostic) -> Reported {
        diagnostic.severity = Severity::Error;
        self.report(diagnostic);
        Reported(())
    }

    /// Adds the findings of another sink.
    pub fn absorb(&mut self, other: Self) {
        if self.diagnostics.len() + other.diagnostics.len() <= self.most.count() {
            self.reported = self.reported.saturating_add(other.diagnostics.len());
            self.diagnostics.extend(other.diagnostics);
        } else {
            other.diagnostics.into_iter().for_each(|it| self.report(it));
        }
    }

    /// Runs a check once for each target version, and restricts its findings to that version. Most findings
    /// are the same for all versions, so the limit applies to each of them.
    pub fn per_version(
        &mut self,
        targets: Versions,
        mut check: impl FnMut(KubernetesVersion, &mut Self),
    ) {
        for target in targets.iter() {
            let mut found = self.part();
            check(target, &mut found);
            self.reported = self.reported.saturating_add(found.reported);
            self.merged += found.merged;
            for finding in &mut found.diagnostics {
                finding.kubernetes = Some(target.into());
            }
            if self.diagnostics.is_empty() {
                self.diagnostics = found.diagnostics;
            } else {
                self.diagnostics.append(&mut found.diagnostics);
            }
        }
    }

    /// The token, if an error was reported.
    #[must_use]
    pub fn reported(&self) -> Option<Reported> {
        let has_error = self.diagnostics.iter().any(|it| it.severity == Severity::Error);
        has_error.then_some(Reported(()))
    }

    /// The findings so far, in the order of reporting.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter()
    }

    /// The findings so far, mutable.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.diagnostics.iter_mut()
    }

    /// Keeps only the findings for which `holds` returns true.
    pub fn retain(&mut self, holds: impl FnMut(&Diagnostic) -> bool) {
        self.diagnostics.retain(holds);
    }

    /// The number of findings that were reported, including those above the limit.
    #[must_use]
    pub fn len(&self) -> usize {
        self.reported
    }

    /// Whether there are no findings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// All findings in the order of output: by position, rule and message. A finding that is also
    /// reported as an error is dropped, and so are exact duplicates.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.sort();
        self.diagnostics
    }

    /// Like [`into_sorted`](Self::into_sorted), for a run with these target versions: findings that
    /// only apply to some of them name these.
    #[must_use]
    pub fn into_sorted_for(self, targets: Versions) -> Vec<Diagnostic> {
        let mut findings = self.into_sorted();
        for finding in &mut findings {
            finding.kubernetes = finding.kubernetes.filter(|versions| *versions != targets);
            if let Some(versions) = finding.kubernetes {
                finding.add_note(message!("on Kubernetes {versions}"));
            }
        }
        findings
    }
}

fn too_many(most: &Limit, place: Span) -> Diagnostic {
    let (number, is_run) =
        (limits::thousands(most.count()), most.most == limits::RUN_FINDINGS.most);
    let (subject, help) = if is_run {
        ("input", "fix the reported findings first, or check fewer files at a time")
    } else {
        ("document", "fix the reported findings first")
    };
    Diagnostic::new(
        &TOO_MANY_FINDINGS,
        place,
        message!("{} has more than {number} findings", Words(subject)),
    )
    .at("first finding that is not reported")
    .help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Rule, message};
    use crate::source::Workspace;

    static A_RULE: Rule = Rule::new("a-rule", Severity::Warning);

    /// Adds this number of warnings to a sink, each with its own span.
    fn with(mut sink: Sink, count: usize) -> Sink {
        let file = Workspace::new().add("a.yaml", "");
        for at in 0..count {
            let at = u32::try_from(at).unwrap();
            sink.report(Diagnostic::new(
                &A_RULE,
                Span::new(file, at, at),
                message!("finding {at}"),
            ));
        }
        sink
    }

    #[test]
    fn findings_end_at_the_limit_with_an_error() {
        for (new, limit) in [
            (Sink::new as fn() -> Sink, limits::RUN_FINDINGS),
            (Sink::of_document, limits::DOCUMENT_FINDINGS),
        ] {
            let most = limit.count();
            for count in [most - 1, most] {
                let sink = with(new(), count);
                assert!(sink.reported().is_none());
                assert_eq!(sink.into_sorted().len(), count);
            }
            for count in [most + 1, most + 2, 2 * most] {
                let sink = with(new(), count);
                assert!(sink.reported().is_some());
                assert_eq!(sink.len(), count, "what is left out is counted");
                let findings = sink.into_sorted();
                assert_eq!(findings.len(), most + 1);
                let last = findings.last().unwrap();
                assert_eq!(last.rule.name, "too-many-findings");
                assert_eq!(last.primary.span.start_point(), last.primary.span);
                assert!(
                    last.details().message.contains(&limits::thousands(limit.count())),
                    "{}",
                    last.details().message.as_str()
                );
            }
        }
    }

    #[test]
    fn a_part_has_the_limit_of_the_whole() {
        let most = limits::DOCUMENT_FINDINGS.count();
        for (count, is_full) in [(most, false), (most + 1, true)] {
            assert_eq!(with(Sink::of_document().part(), count).is_full(), is_full, "{count}");
        }
    }

    #[test]
    fn absorbed_findings_count() {
        let most = limits::RUN_FINDINGS.count();
        let mut sink = with(Sink::new(), most - 1);
        let one = |message| {
            let mut sink = Sink::of_document();
            sink.report(Diagnostic::new(&A_RULE, Workspace::new().start(), message));
            sink
        };
        sink.absorb(one("a"));
        assert!(sink.reported().is_none());
        sink.absorb(one("b"));
        assert!(sink.reported().is_some());
        assert_eq!(sink.iter().count(), most + 1);
    }

    #[test]
    fn later_findings_of_a_run_have_no_suggestions() {
        let most = limits::DETAILED_FINDINGS.count();
        for (count, is_terse) in [(most - 1, false), (most, true), (most + 1, true)] {
            assert_eq!(Sink::of_document_after(count).is_terse(), is_terse, "{count}");
            let run = with(Sink::new(), count);
            assert_eq!(run.is_terse(), is_terse, "{count}");
            assert_eq!(run.part().is_terse(), is_terse, "{count}");
            assert_eq!(run.part().part().is_terse(), is_terse, "{count}");
        }
        assert!(Sink::unused().is_terse());
    }

    #[test]
    fn findings_that_are_left_out_have_no_suggestions() {
        let most = limits::DOCUMENT_FINDINGS.count();
        assert!(!with(Sink::of_document(), most).is_terse());
        assert!(with(Sink::of_document(), most + 1).is_terse());
    }

    #[test]
    fn a_run_is_over_after_the_limit() {
        let most = limits::RUN_FINDINGS.count();
        for (count, is_over) in [(most - 1, false), (most, false), (most + 1, true)] {
            let run = with(Sink::new(), count);
            assert_eq!((run.is_over(), run.part().is_over()), (is_over, is_over), "{count}");
            assert_eq!(Sink::of_document_after(count).is_over(), is_over, "{count}");
        }
        assert!(!Sink::unused().is_over(), "not part of a run");
        assert!(Sink::unused().is_unused() && Sink::unused().part().is_unused());
        assert!(!Sink::of_document_after(most + 1).is_unused());
    }

    #[test]
    fn findings_of_a_run_that_are_the_same_count_once() {
        let most = limits::RUN_FINDINGS.count();
        let mut sink = Sink::new();
        for _ in 0..3 {
            sink.absorb(with(Sink::new(), most / 2));
        }
        assert_eq!((sink.total(), sink.len(), sink.is_over()), (most, 3 * most / 2, false));
        // Half of them are the same, so they are merged once more.
        sink.report(Diagnostic::new(&A_RULE, Workspace::new().start(), "another"));
        assert_eq!((sink.total(), sink.len()), (most / 2 + 1, 3 * most / 2 + 1));
        assert_eq!(sink.into_sorted().len(), most / 2 + 1);

        let mut sink = with(Sink::new(), most);
        sink.report(Diagnostic::new(&A_RULE, Workspace::new().start(), "another"));
        assert!(sink.is_over() && sink.reported().is_some());
    }

    #[test]
    fn documents_after_the_limit_of_a_run_keep_no_findings() {
        let most = limits::RUN_FINDINGS.count();
        assert_eq!(with(Sink::of_document_after(most), 9).iter().count(), 9);
        let sink = with(Sink::of_document_after(most + 1), 9);
        assert_eq!((sink.iter().count(), sink.len(), sink.reported().is_some()), (1, 9, true));
        assert_eq!(Sink::of_document_after(most + 1).reported(), None);
    }

    #[test]
    fn each_version_has_the_whole_limit() {
        let most = limits::DOCUMENT_FINDINGS.count();
        let mut sink = Sink::of_document();
        sink.per_version(Versions::ALL, |_, found| {
            found.absorb(with(Sink::of_document(), most));
        });
        assert!(sink.reported().is_none());
        assert_eq!(sink.into_sorted().len(), most);
    }
}
