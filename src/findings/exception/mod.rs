//! Exceptions: findings that a user has read and allows, with a reason.
//!
//! They are in a comment next to their subject, or in the Project. An error cannot be allowed: the
//! API server rejects the object, and no comment changes that. A violation of a Pod Security level
//! can be allowed, because the level is the author's own choice.

mod comment;
mod setting;

pub(crate) use comment::{WORD, removal};

use std::cell::LazyCell;

use crate::diag::{Diagnostic, Rule, Severity, Sink, declare_rules, message, nearest};
use crate::findings::rendered::Templates;
use crate::kube::InputObject;
use crate::project::Project;
use crate::source::{Span, Workspace};

declare_rules! {
    EXCEPTION_FOR_ERROR = "exception-for-error", Warning;
    EXCEPTION_MALFORMED = "exception-malformed", Warning;
    EXCEPTION_RULE_UNKNOWN = "exception-rule-unknown", Warning;
    EXCEPTION_UNUSED = "exception-unused", Warning;
    EXCEPTION_WITHOUT_REASON = "exception-without-reason", Warning;
}

/// The sources of exceptions, and the facts that they are checked against.
pub(crate) struct ExceptionContext<'r> {
    /// The files, for their comments.
    pub(crate) texts: &'r Workspace,
    /// The objects of the input, sorted by position.
    pub(crate) inputs: &'r [InputObject],
    /// The settings of the run.
    pub(crate) project: &'r Project,
    /// All rules, sorted by name; only computed if there is an exception.
    pub(crate) rules: LazyCell<Vec<&'static Rule>>,
    /// The templates of rendered documents: an exception for a file applies to what is rendered from it.
    pub(crate) templates: &'r Templates<'r>,
}

/// The result of applying the exceptions of a run.
#[derive(Debug)]
pub(crate) struct Held {
    /// The remaining findings, and those about the exceptions themselves, sorted.
    pub(crate) findings: Vec<Diagnostic>,
    /// The number of allowed findings.
    pub(crate) allowed: usize,
}

/// The maximum number of findings about exceptions for which a similar rule is suggested.
const MAX_SUGGESTIONS: usize = 1_000;

/// An exception for one rule.
struct Exception {
    rule: &'static Rule,
    /// The span of the rule's name.
    place: Span,
    met: Met,
}

/// The findings that an exception has matched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Met {
    /// No finding yet.
    Nothing,
    /// Only errors; this is the first.
    Error(Span),
    /// A finding that it allowed.
    Allowed,
}

/// Whether a rule is about exceptions, none of which can allow its findings.
pub(crate) fn is_about(rule: &Rule) -> bool {
    RULES.contains(&rule)
}

/// Whether a finding is about an exception that allows nothing.
pub(crate) fn is_unused(finding: &Diagnostic) -> bool {
    finding.rule == &EXCEPTION_UNUSED
}

impl Exception {
    fn new(rule: &'static Rule, place: Span) -> Self {
        Self { rule, place, met: Met::Nothing }
    }

    /// Records a finding that it covers, and returns whether it allows it.
    fn meet(&mut self, finding: &Diagnostic) -> bool {
        let can_be_allowed = finding.severity != Severity::Error || finding.is_policy;
        if can_be_allowed {
            self.met = Met::Allowed;
        } else if self.met == Met::Nothing {
            self.met = Met::Error(finding.primary.span);
        }
        can_be_allowed
    }

    /// Reports an exception without effect. `around` names the scope that it applies to.
    fn report_useless(&self, around: &str, left: &Left<'_>, sink: &mut Sink) {
        let Self { rule, place, met } = self;
        let name = rule.name;
        let finding = match met {
            Met::Allowed => return,
            Met::Nothing if left.has_errors => return,
            Met::Nothing => {
                let message = message!("unused exception for `{name}`");
                let finding = Diagnostic::new(&EXCEPTION_UNUSED, *place, message)
                    .at(message!("no finding {around}"));
                match left.nearest(name, *place) {
                    Some(other) => finding
                        .label(other, "finding of this rule")
                        .help("move the exception to the finding, or remove it"),
                    None => finding.help("remove the exception"),
                }
            }
            Met::Error(error) => {
                let message = message!("exception for an error of `{name}`");
                Diagnostic::new(&EXCEPTION_FOR_ERROR, *place, message)
                    .at("has no effect")
                    .label(*error, "error")
                    .help("fix the error and remove the exception")
            }
        };
        sink.report(finding);
    }
}

/// The remaining findings of a run.
struct Left<'r> {
    texts: &'r Workspace,
    has_errors: bool,
    /// The findings by rule and span.
    places: Vec<(&'static str, Span)>,
}

impl<'r> Left<'r> {
    fn of(texts: &'r Workspace, findings: &Sink) -> Self {
        let has_errors = findings.reported().is_some();
        let mut places: Vec<_> =
            findings.iter().map(|it| (it.rule.name, it.primary.span)).collect();
        places.sort_unstable();
        Self { texts, has_errors, places }
    }

    /// The nearest finding of a rule in the file of `place`, by bytes.
    fn nearest(&self, rule: &'static str, place: Span) -> Option<Span> {
        let file = |place| self.texts.file_at(place).id();
        let behind = self.places.partition_point(|it| *it < (rule, place));
        let neighbours = [behind.checked_sub(1), Some(behind)].into_iter().flatten();
        neighbours
            .filter_map(|at| self.places.get(at))
            .filter(|(name, other)| *name == rule && file(*other) == file(place))
            .map(|(_, other)| *other)
            .min_by_key(|other| other.distance(place))
    }
}

/// Removes the allowed findings of a run. Without exceptions it only costs a search for one word.
pub(crate) fn hold(cx: &ExceptionContext<'_>, findings: Vec<Diagnostic>) -> Held {
    let mut sink = Sink::new();
    let mut comments = comment::Exceptions::read(cx, &mut sink);
    let mut settings = setting::Exceptions::read(cx, &mut sink);
    if comments.is_empty() && settings.is_empty() && sink.is_empty() {
        return Held { findings, allowed: 0 };
    }
    let mut allowed = 0;
    for finding in findings {
        let by_comment = comments.allow(&finding);
        let by_setting = settings.allow(&finding, cx);
        if by_comment || by_setting {
            allowed += 1;
        } else {
            sink.keep(finding);
        }
    }
    let left = Left::of(cx.texts, &sink);
    comments.report_useless(&left, &mut sink);
    settings.report_useless(&left, &mut sink);
    Held { findings: sink.into_sorted(), allowed }
}

/// The rule of an exception; reports an unknown name.
fn find_rule(
    cx: &ExceptionContext<'_>,
    name: &str,
    place: Span,
    sink: &mut Sink,
) -> Option<&'static Rule> {
    if let Ok(at) = cx.rules.binary_search_by_key(&name, |rule| rule.name) {
        return cx.rules.get(at).copied();
    }
    let message = message!("unknown rule `{name}` in an exception");
    let finding = Diagnostic::new(&EXCEPTION_RULE_UNKNOWN, place, message).at("unknown rule");
    let near = (sink.len() < MAX_SUGGESTIONS)
        .then(|| nearest(name, cx.rules.iter().map(|rule| rule.name)))
        .flatten();
    sink.report(match near {
        Some(meant) => finding.suggest(place, meant, message!("did you mean `{meant}`?")),
        None => finding.help("write the name in brackets after the severity of the finding"),
    });
    None
}

/// Reports an exception without a reason, which is ignored.
fn report_no_reason(place: Span, sink: &mut Sink) {
    sink.report(
        Diagnostic::new(
            &EXCEPTION_WITHOUT_REASON,
            place,
            "exception without a reason has no effect",
        )
        .help("add the reason: `because <reason>`"),
    );
}
