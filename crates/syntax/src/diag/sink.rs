//! The collector of findings.

use std::cmp::Ordering;

use super::{Diagnostic, Severity, Words, declare_rules, message};
use crate::limits::{self, Limit};
use crate::scalar::{KubernetesVersion, Versions};

declare_rules! {
    TOO_MANY_FINDINGS = "too-many-findings", Error;
}

/// The limit of a document after the limit of the run.
static NO_FINDINGS: Limit = Limit { most: 0, ..limits::DOCUMENT_FINDINGS };

/// Proof that an error was reported. Only [`Sink`] can create it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported(());

/// Collects the findings of one stage or one thread, up to a limit of errors, and of warnings and notes. The
/// first finding above the limit is replaced by one about the limit, and the others are left out.
#[derive(Clone, Debug)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    /// The numbers of these.
    kept: Counts,
    /// The number of reported findings, including those that were left out.
    reported: usize,
    /// The numbers of reported findings without those that were the same as others.
    distinct: Counts,
    most: &'static Limit,
    /// The weight of the earlier findings of the run, as of [`Sink::total`].
    before: usize,
    /// Whether so few findings were the same as others that it is not worth looking again.
    is_distinct: bool,
}

impl Default for Sink {
    fn default() -> Self {
        Self {
            diagnostics: Vec::new(),
            kept: Counts::default(),
            reported: 0,
            distinct: Counts::default(),
            most: &limits::RUN_FINDINGS,
            before: 0,
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

    /// The weight of the findings of the run so far: the number of errors, and that of warnings and notes as far as
    /// it decides whether further findings have details. They cannot end a run.
    #[must_use]
    pub fn total(&self) -> usize {
        let advice = self.distinct.advice.min(limits::DETAILED_FINDINGS.count());
        self.before.saturating_add(self.distinct.errors).saturating_add(advice)
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

    /// Whether the run has more errors than it reports: no further finding matters.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !self.is_unused() && self.total() > limits::RUN_FINDINGS.count()
    }

    /// Adds a finding of any severity.
    pub fn report(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.shorten(self.is_terse());
        let severity = diagnostic.severity;
        if self.kept.like(severity) == self.most.count() {
            self.make_room();
        }
        let kept = match self.kept.like(severity).cmp(&self.most.count()) {
            Ordering::Less => Some(diagnostic),
            Ordering::Equal => finding_about_limit(self.most, &diagnostic),
            Ordering::Greater => None,
        };
        if let Some(kept) = kept {
            self.kept.add(kept.severity);
            self.diagnostics.push(kept);
        }
        self.distinct.add(severity);
        self.reported = self.reported.saturating_add(1);
    }

    /// Merges findings of the run that are the same: thousands of definitions can have those of one
    /// that they extend.
    fn make_room(&mut self) {
        if self.most.most != limits::RUN_FINDINGS.most || self.is_distinct {
            return;
        }
        let before = (self.diagnostics.len(), self.kept);
        self.sort();
        self.kept = Counts::of(&self.diagnostics);
        self.distinct = self.distinct.without(before.1.without(self.kept));
        self.is_distinct = self.diagnostics.len() > before.0 / 4 * 3;
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

    /// Whether further errors are omitted.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.kept.errors > self.most.count()
    }

    /// Adds a finding that another sink has accepted.
    pub fn keep(&mut self, diagnostic: Diagnostic) {
        self.kept.add(diagnostic.severity);
        self.distinct.add(diagnostic.severity);
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
        let (found, kept) = (Counts::of(&other.diagnostics), self.kept);
        if kept.with(found).are_at_most(self.most.count()) {
            self.reported = self.reported.saturating_add(other.diagnostics.len());
            self.kept = kept.with(found);
            self.distinct = self.distinct.with(found);
            self.diagnostics.extend(other.diagnostics);
        } else {
            other.diagnostics.into_iter().for_each(|finding| self.report(finding));
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
            self.kept = self.kept.with(found.kept);
            self.distinct = self.distinct.with(found.distinct);
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
        let has_error = self.diagnostics.iter().any(|finding| finding.severity == Severity::Error);
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
        self.kept = Counts::of(&self.diagnostics);
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

/// The finding about the limit, in place of the first one above it. Where nothing is reported any more, only errors
/// matter.
fn finding_about_limit(most: &Limit, first: &Diagnostic) -> Option<Diagnostic> {
    let (number, is_run) =
        (limits::thousands(most.count()), most.most == limits::RUN_FINDINGS.most);
    let (subject, help) = if is_run {
        ("input", "fix the reported findings first, or check fewer files at a time")
    } else {
        ("document", "fix the reported findings first")
    };
    let is_error = first.severity == Severity::Error;
    let findings = if is_error { "errors" } else { "warnings and notes" };
    let message = message!("{} has more than {number} {}", Words(subject), Words(findings));
    let mut finding = Diagnostic::new(&TOO_MANY_FINDINGS, first.primary.span, message)
        .at("first finding that is not reported")
        .help(help);
    if !is_error {
        finding.severity = Severity::Note;
    }
    Some(finding).filter(|_| is_error || most.count() > 0)
}

/// Numbers of findings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Counts {
    errors: usize,
    /// Warnings and notes.
    advice: usize,
}

impl Counts {
    fn of(findings: &[Diagnostic]) -> Self {
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        Self { errors, advice: findings.len() - errors }
    }

    /// The number of those that share the limit of this severity.
    fn like(self, severity: Severity) -> usize {
        if severity == Severity::Error { self.errors } else { self.advice }
    }

    fn add(&mut self, severity: Severity) {
        let count = if severity == Severity::Error { &mut self.errors } else { &mut self.advice };
        *count = count.saturating_add(1);
    }

    fn with(self, other: Self) -> Self {
        let errors = self.errors.saturating_add(other.errors);
        Self { errors, advice: self.advice.saturating_add(other.advice) }
    }

    fn without(self, other: Self) -> Self {
        let errors = self.errors.saturating_sub(other.errors);
        Self { errors, advice: self.advice.saturating_sub(other.advice) }
    }

    fn are_at_most(self, most: usize) -> bool {
        self.errors <= most && self.advice <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Rule, message};
    use crate::source::{Span, Workspace};

    static A_RULE: Rule = Rule::new("a-rule", Severity::Error);
    static ADVICE: Rule = Rule::new("advice", Severity::Warning);

    /// Adds this number of errors to a sink, each with its own span.
    fn with(sink: Sink, count: usize) -> Sink {
        with_findings(sink, &A_RULE, count)
    }

    fn with_findings(mut sink: Sink, rule: &'static Rule, count: usize) -> Sink {
        let file = Workspace::new().add("a.yaml", "");
        for at in 0..count {
            let at = u32::try_from(at).unwrap();
            sink.report(Diagnostic::new(rule, Span::new(file, at, at), message!("finding {at}")));
        }
        sink
    }

    #[test]
    fn findings_end_at_the_limit_with_one_of_their_severity() {
        for (new, limit, rule, severity) in [
            (Sink::new as fn() -> Sink, limits::RUN_FINDINGS, &A_RULE, Severity::Error),
            (Sink::of_document, limits::DOCUMENT_FINDINGS, &A_RULE, Severity::Error),
            (Sink::new, limits::RUN_FINDINGS, &ADVICE, Severity::Note),
            (Sink::of_document, limits::DOCUMENT_FINDINGS, &ADVICE, Severity::Note),
        ] {
            let most = limit.count();
            for count in [most - 1, most] {
                let sink = with_findings(new(), rule, count);
                assert_eq!(sink.into_sorted().len(), count);
            }
            for count in [most + 1, most + 2, 2 * most] {
                let sink = with_findings(new(), rule, count);
                assert_eq!(sink.reported().is_some(), severity == Severity::Error);
                assert_eq!(sink.len(), count, "what is left out is counted");
                let findings = sink.into_sorted();
                assert_eq!(findings.len(), most + 1);
                let last = findings.last().unwrap();
                assert_eq!((last.rule.name, last.severity), ("too-many-findings", severity));
                assert_eq!(last.primary.span.start_point(), last.primary.span);
                assert!(
                    last.details().message.as_prose().contains(&limits::thousands(limit.count())),
                    "{}",
                    last.details().message.as_prose()
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
        assert_eq!((sink.iter().count(), sink.is_full()), (most, false));
        sink.absorb(one("b"));
        assert_eq!((sink.iter().count(), sink.is_full()), (most + 1, true));
        assert!(sink.iter().any(|finding| *finding.rule == TOO_MANY_FINDINGS));
    }

    #[test]
    fn errors_are_found_after_any_number_of_warnings() {
        let most = limits::RUN_FINDINGS.count();
        let mut sink = with_findings(Sink::new(), &ADVICE, 2 * most);
        assert!(!sink.is_over() && !sink.is_full() && sink.is_terse());
        assert!(!Sink::of_document_after(sink.total()).is_over());
        sink.absorb(with(Sink::of_document(), 1));
        assert!(sink.reported().is_some());
        assert_eq!(sink.into_sorted().len(), most + 2);
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
        assert!(!sink.iter().any(|finding| *finding.rule == TOO_MANY_FINDINGS));
        assert_eq!(sink.into_sorted().len(), most);
    }
}
