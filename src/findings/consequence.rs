//! One message per mistake: findings that only follow from another one are left out.
//!
//! Each stage reports its findings independently of the others. A field that is one level too high
//! is unknown there, and the object that it belongs in appears to be empty; a label with an invalid
//! value is not selected by any selector. Correcting the first mistake resolves the second finding.
//!
//! A finding is left out only in favor of one that is itself reported, is at least as severe, and
//! applies to every target version of the one left out. So the verdict is the same with and without
//! it. This is the only module that leaves out findings in favor of others. It runs after the
//! exceptions: a suppressed finding explains nothing.

mod causes;
mod relation;

use crate::diag::{About, Diagnostic, Severity};
use crate::kube::InputObject;
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::yaml;
use causes::Causes;

/// Data about the objects of a run.
#[derive(Clone, Copy)]
pub(crate) struct ObjectsOfRun<'c> {
    /// The objects of the input, sorted by position.
    pub(crate) inputs: &'c [InputObject],
    /// The documents of definitions that extend another one, each with the document of its base.
    pub(crate) bases: &'c SortedMap<Span, Span>,
    /// The documents of Projects, and of kinds with a similar name.
    pub(crate) projects: &'c [Span],
    /// The documents that cannot be read and are probably a Project.
    pub(crate) unread_projects: &'c [Span],
}

/// A finding that follows from a reported one.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// The finding.
    pub finding: Diagnostic,
    /// The index of the finding that it follows from, among the reported ones.
    pub in_favor_of: usize,
}

/// The maximum length of a chain of findings that follow from each other. Findings further down the
/// chain are reported.
const MAX_CHAIN: usize = 256;

/// The maximum distance of an error from its explanation, among the findings sorted by position.
const MAX_DISTANCE: usize = 16;

/// Splits the findings, which are sorted by position, into those to report and those that follow
/// from them.
pub(crate) fn leave_out(
    cx: ObjectsOfRun<'_>,
    mut findings: Vec<Diagnostic>,
) -> (Vec<Diagnostic>, Vec<LeftOut>) {
    let misread = promote(&mut findings);
    let roots = roots(cx, &findings, &misread);
    let mut positions = vec![0; findings.len()];
    let (mut reported, mut following) = (Vec::new(), Vec::new());
    for (number, finding) in findings.into_iter().enumerate() {
        if let Some(root) = roots.get(number).copied().flatten() {
            following.push((finding, root));
            continue;
        }
        if let Some(position) = positions.get_mut(number) {
            *position = reported.len();
        }
        reported.push(finding);
    }
    let left_out = following.into_iter().map(|(finding, root)| LeftOut {
        finding,
        in_favor_of: positions.get(root).copied().unwrap_or_default(),
    });
    let left_out = left_out.collect();
    (reported, left_out)
}

/// The length in bytes of the longest key of a label or resource: a prefix, `/` and a name.
const LONGEST_KEY: u32 = 253 + 1 + 63;

/// Whether the range of a finding is as short as a key, and not a list or an object.
fn is_key(finding: &Diagnostic) -> bool {
    finding.primary.span.parts().1 <= LONGEST_KEY
}

/// Makes a warning about a text that Kubernetes probably reads otherwise than intended an error, if the
/// text is one: `image:web` is an unknown field. Returns each such error with its explanation.
fn promote(findings: &mut [Diagnostic]) -> SortedMap<usize, usize> {
    let mut misread = SortedMap::new();
    for (number, warning) in findings.iter().enumerate() {
        if warning.severity != Severity::Warning || !yaml::explains_misreading(warning.rule) {
            continue;
        }
        let start = warning.primary.span.start_point();
        let is_explained = |it: &Diagnostic| {
            it.severity == Severity::Error
                && (matches!(it.details().about, About::UnknownField(_) | About::WrongType)
                    || is_key(it))
                && it.primary.span.has_begin_of(start)
        };
        let near = number.saturating_sub(MAX_DISTANCE)..number.saturating_add(MAX_DISTANCE);
        let errors = near.filter(|error| findings.get(*error).is_some_and(is_explained));
        misread.extend(errors.map(|error| (error, number)));
    }
    for warning in misread.values() {
        if let Some(warning) = findings.get_mut(*warning) {
            warning.severity = Severity::Error;
        }
    }
    misread
}

/// For each finding, the reported one that it follows from, if any.
fn roots(
    cx: ObjectsOfRun<'_>,
    findings: &[Diagnostic],
    misread: &SortedMap<usize, usize>,
) -> Vec<Option<usize>> {
    let can_follow = |it: &Diagnostic| {
        let is_inherited =
            !cx.bases.is_empty() && matches!(it.details().about, About::MissingField(_));
        is_inherited || !(it.rule.follows.is_empty() && it.details().same_mistake.is_empty())
    };
    if misread.is_empty() && !findings.iter().any(can_follow) {
        return Vec::new();
    }
    let causes = Causes::of(cx, findings);
    let states = vec![State::Unknown; findings.len()];
    let mut search = Search { findings, causes, misread, states };
    for number in 0..findings.len() {
        search.root(number, 0);
    }
    let root = |state| match state {
        State::LeftOut(root) => Some(root),
        State::Unknown | State::Open | State::Reported => None,
    };
    search.states.into_iter().map(root).collect()
}

/// The state of a finding.
#[derive(Clone, Copy)]
enum State {
    Unknown,
    /// Its causes are being read.
    Open,
    Reported,
    /// Left out in favor of this one, which is reported.
    LeftOut(usize),
}

struct Search<'f> {
    findings: &'f [Diagnostic],
    causes: Causes<'f>,
    misread: &'f SortedMap<usize, usize>,
    states: Vec<State>,
}

impl Search<'_> {
    /// The reported finding at the end of the chain that begins with this one, or the finding
    /// itself if it is reported. `None` while its causes are being read.
    fn root(&mut self, number: usize, depth: usize) -> Option<usize> {
        match *self.states.get(number)? {
            State::Reported => return Some(number),
            State::LeftOut(root) => return Some(root),
            State::Open => return None,
            State::Unknown if depth > MAX_CHAIN => return None,
            State::Unknown => {}
        }
        self.set(number, State::Open);
        let misread = self.misread.get(&number).copied();
        for cause in misread.into_iter().chain(self.causes.of_finding(number)) {
            if let Some(root) = self.root(cause, depth + 1)
                && self.covers(root, number)
            {
                self.set(number, State::LeftOut(root));
                return Some(root);
            }
        }
        self.set(number, State::Reported);
        Some(number)
    }

    fn set(&mut self, number: usize, state: State) {
        if let Some(place) = self.states.get_mut(number) {
            *place = state;
        }
    }

    /// Whether one reported finding can replace another: it is at least as severe, for every
    /// version.
    fn covers(&self, reported: usize, other: usize) -> bool {
        let findings = self.findings.get(reported).zip(self.findings.get(other));
        findings.is_some_and(|(reported, other)| {
            reported.severity <= other.severity
                && (other.is_policy || !reported.is_policy)
                && reported.applies_wherever(other)
        })
    }
}
