//! Grouping of findings: findings of one rule with a common cause become one.
//!
//! Ten thousand Pods that refer to one missing Secret are one mistake. The first finding represents
//! the others, counts them, and keeps the first locations. Grouping runs after exceptions, which
//! apply to locations, and after findings that follow from others are left out. Severity, policy
//! and versions of findings in a group are equal, so the verdict is the same with and without
//! groups.

use crate::diag::{
    About, CommonCause, Diagnostic, Message, ObjectName, Severity, Suggestion, first_of, message,
};
use crate::findings::consequence::LeftOut;
use crate::scalar::Versions;
use crate::sorted::SortedMap;
use crate::source::{FileRole, Span, Workspace};

/// The maximum number of different findings of a rule at one location that are compared with each
/// other.
const MAX_COMPARED: usize = 50;

/// The maximum number of warnings or notes of a rule that a check of a directory shows one by one.
const MAX_OF_A_RULE: usize = 3;

/// The maximum number of subjects that a summary names.
const MAX_NAMED: usize = 10;

/// The properties that findings of a group share.
type Key<'f> = (&'static str, Severity, bool, Option<Versions>, Shared<'f>, &'f [Suggestion]);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Shared<'f> {
    Object(&'f ObjectName),
    FirstKey(Span),
    Cause(&'f CommonCause),
}

/// Which findings of a rule become one: the first one, which counts the others.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Grouping {
    /// Those with one cause, for people.
    #[default]
    ByCause,
    /// Those that say the same about one place, for programs, which compare places.
    ByPlace,
    /// None.
    None,
}

/// Groups findings, which are sorted by position. Findings that were left out in favor of one in a group are left
/// out in favor of its representative.
pub(super) fn group_by(
    grouping: Grouping,
    workspace: &Workspace,
    findings: Vec<Diagnostic>,
    is_check: bool,
    left_out: &mut [LeftOut],
) -> Vec<Diagnostic> {
    match grouping {
        Grouping::None => findings,
        Grouping::ByPlace => group_by_place(findings, left_out),
        Grouping::ByCause => group(workspace, findings, is_check, left_out),
    }
}

/// Groups findings for people, who read a cause once; `is_check` also summarizes advice of one rule in
/// files that were found in directories. The findings are those of a compilation by place, see
/// [`Grouping::ByPlace`].
#[must_use]
pub fn group_findings(
    workspace: &Workspace,
    findings: Vec<Diagnostic>,
    is_check: bool,
) -> Vec<Diagnostic> {
    group(workspace, findings, is_check, &mut [])
}

/// Groups findings with one cause.
fn group(
    workspace: &Workspace,
    findings: Vec<Diagnostic>,
    is_check: bool,
    left_out: &mut [LeftOut],
) -> Vec<Diagnostic> {
    let representatives = representatives(&findings, key);
    let findings = unite(findings, &representatives, left_out);
    if is_check { summarize(findings, workspace, left_out) } else { findings }
}

/// Groups findings that report the same fault at one place, such as a line that several objects share.
fn group_by_place(findings: Vec<Diagnostic>, left_out: &mut [LeftOut]) -> Vec<Diagnostic> {
    let representatives = representatives(&findings, |_| None);
    unite(findings, &representatives, left_out)
}

/// Summarizes the warnings and notes of a rule in files that were found in a directory: more than a
/// few that report the same fault become one finding. A repository can have hundreds of objects, and advice that applies to
/// most of them only needs to be read once. Findings with edits are only summarized if they have one cause, the
/// program that wrote their file.
fn summarize(
    findings: Vec<Diagnostic>,
    workspace: &Workspace,
    left_out: &mut [LeftOut],
) -> Vec<Diagnostic> {
    let is_found = |place| workspace.role_at(place) == FileRole::Found;
    let mut of_rules: SortedMap<_, Vec<usize>> = SortedMap::new();
    for (number, finding) in findings.iter().enumerate() {
        let is_advice = finding.severity != Severity::Error && !finding.is_policy;
        let is_without_edit = || finding.details().suggestions.is_empty();
        let writer = writer_of(finding);
        if is_advice && (writer.is_some() || is_without_edit() && is_found(finding.primary.span)) {
            let Diagnostic { rule, severity, kubernetes, .. } = finding;
            let policy = policy_of(finding).map(|it| workspace.file_at(it).id());
            let fault = (kind_of(finding), fault(finding), policy, writer);
            let key = (rule.name, *severity, *kubernetes, fault);
            of_rules.entry(key).or_default().push(number);
        }
    }
    let mut representatives: Vec<_> = (0..findings.len()).collect();
    let mut names = SortedMap::new();
    for numbers in of_rules.into_values().filter(|it| it.len() > MAX_OF_A_RULE) {
        let Some((first, others)) = numbers.split_first() else { continue };
        let subjects = others.iter().filter_map(|it| subject(findings.get(*it)?));
        names.insert(*first, subjects.collect());
        for number in others {
            if let Some(representative) = representatives.get_mut(*number) {
                *representative = *first;
            }
        }
    }
    let mut findings = findings;
    for (number, names) in names {
        if let Some(finding) = findings.get_mut(number) {
            finding.details_mut().notes.extend(also(names));
        }
    }
    unite(findings, &representatives, left_out)
}

/// The kind of the object that a finding reports as missing.
fn kind_of(finding: &Diagnostic) -> Option<(&str, &str)> {
    match &finding.details().about {
        About::AbsentObject(object) => Some((&object.group, &object.kind)),
        _ => None,
    }
}

/// The policy that a finding is a decision of.
fn policy_of(finding: &Diagnostic) -> Option<Span> {
    match finding.details().common_cause {
        Some(CommonCause::Decision(policy, _)) => Some(policy),
        _ => None,
    }
}

/// The file whose writer causes a finding.
fn writer_of(finding: &Diagnostic) -> Option<Span> {
    match finding.details().common_cause {
        Some(CommonCause::Writer(file)) => Some(file),
        _ => None,
    }
}

/// The fault that a finding reports. An object is absent, whether it has a namespace or not.
fn fault(finding: &Diagnostic) -> Vec<&str> {
    match finding.details().about {
        About::AbsentObject(_) => Vec::new(),
        _ => finding.variant(),
    }
}

/// The name of the subject, where it distinguishes a finding from others of its rule.
fn subject(finding: &Diagnostic) -> Option<String> {
    match (&finding.details().about, &finding.details().common_cause) {
        (About::AbsentObject(object), _) => Some(object.name.to_string()),
        (_, Some(CommonCause::Kind(_, kind))) => Some(kind.to_string()),
        _ => None,
    }
}

/// `also: `a`, `b` and 3 more`.
fn also(mut names: Vec<String>) -> Option<Message> {
    names.dedup();
    let quoted = names.iter().map(|it| message!("`{it}`"));
    (!names.is_empty()).then(|| message!("also: {}", first_of(MAX_NAMED, ", ", quoted)))
}

/// Unites each finding with its representative, which is the finding itself or an earlier one.
fn unite(
    findings: Vec<Diagnostic>,
    representatives: &[usize],
    left_out: &mut [LeftOut],
) -> Vec<Diagnostic> {
    let mut positions: Vec<usize> = Vec::with_capacity(findings.len());
    let mut grouped: Vec<Diagnostic> = Vec::new();
    for (number, finding) in findings.into_iter().enumerate() {
        let representative = representatives.get(number).filter(|it| **it != number);
        let position = representative.and_then(|number| positions.get(*number)).copied();
        if let Some((at, first)) = position.and_then(|at| Some((at, grouped.get_mut(at)?))) {
            first.others.add(finding.primary.span, &finding.others);
            positions.push(at);
        } else {
            positions.push(grouped.len());
            grouped.push(finding);
        }
    }
    for LeftOut { in_favor_of, .. } in left_out {
        if let Some(position) = positions.get(*in_favor_of) {
            *in_favor_of = *position;
        }
    }
    grouped
}

/// For each finding, the index of its representative, which can be itself.
fn representatives<'f>(
    findings: &'f [Diagnostic],
    key: impl Fn(&'f Diagnostic) -> Option<Key<'f>>,
) -> Vec<usize> {
    let mut first: SortedMap<Key<'f>, usize> = SortedMap::new();
    let mut here = Here::default();
    let representative = |(number, finding): (usize, &'f Diagnostic)| match key(finding) {
        Some(key) => *first.entry(key).or_insert(number),
        None => here.representative(findings, number),
    };
    findings.iter().enumerate().map(representative).collect()
}

/// The key that groups a finding with those at other locations.
fn key(finding: &Diagnostic) -> Option<Key<'_>> {
    let shared = match (&finding.details().common_cause, &finding.details().about) {
        // Few of them are shown one by one, see `summarize`.
        (Some(CommonCause::Writer(_)), _) => return None,
        (Some(cause), _) => Shared::Cause(cause),
        (None, About::AbsentObject(object)) => Shared::Object(object),
        (None, About::DuplicateKey { kept, .. }) => Shared::FirstKey(*kept),
        (None, _) => return None,
    };
    let Diagnostic { rule, severity, is_policy, kubernetes, .. } = finding;
    Some((rule.name, *severity, *is_policy, *kubernetes, shared, &finding.details().suggestions))
}

/// The findings at the current location.
#[derive(Default)]
struct Here {
    place: Option<Span>,
    /// The indexes of its distinct findings.
    seen: Vec<usize>,
}

impl Here {
    fn representative(&mut self, findings: &[Diagnostic], number: usize) -> usize {
        let Some(finding) = findings.get(number) else { return number };
        if self.place != Some(finding.primary.span) {
            self.place = Some(finding.primary.span);
            self.seen.clear();
        }
        let is_like =
            |other: &&usize| findings.get(**other).is_some_and(|other| are_alike(finding, other));
        let like = self.seen.iter().find(is_like).copied();
        if like.is_none() && self.seen.len() < MAX_COMPARED {
            self.seen.push(number);
        }
        like.unwrap_or(number)
    }
}

/// Whether two findings at one location report the same fault in a line that several objects share.
fn are_alike(one: &Diagnostic, other: &Diagnostic) -> bool {
    let parts = |it: &Diagnostic| (it.rule.name, it.severity, it.is_policy, it.kubernetes);
    parts(one) == parts(other)
        && one.primary == other.primary
        && one.details().path == other.details().path
        && (one.details().about == other.details().about
            || is_same_name(&one.details().about, &other.details().about))
        && one.details().suggestions == other.details().suggestions
}

/// Whether both are about an invalid name that objects of different kinds share.
fn is_same_name(one: &About, other: &About) -> bool {
    match (one, other) {
        (About::InvalidName(one), About::InvalidName(other)) => one.name == other.name,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Rule;
    use crate::source::Workspace;

    fn group(findings: Vec<Diagnostic>, left_out: &mut [LeftOut]) -> Vec<Diagnostic> {
        super::group(&Workspace::new(), findings, false, left_out)
    }

    static RULE: Rule = Rule::new("a-rule", Severity::Warning);
    static OTHER: Rule = Rule::new("other-rule", Severity::Warning);

    fn place(at: u32) -> Span {
        Span::new(Workspace::new().add("a.yaml", ""), at, at + 1)
    }

    fn absent(rule: &'static Rule, at: u32, name: &str) -> Diagnostic {
        let object = ObjectName::new("", "Secret", "team", name);
        Diagnostic::new(rule, place(at), message!("no `{name}`")).about(About::AbsentObject(object))
    }

    fn shown(findings: &[Diagnostic]) -> Vec<(Span, usize, Vec<Span>)> {
        let parts =
            |it: &Diagnostic| (it.primary.span, it.others.count(), it.others.places().to_vec());
        findings.iter().map(parts).collect()
    }

    #[test]
    fn the_first_finding_represents_the_others_and_keeps_twenty_locations() {
        let findings: Vec<_> = (0..10_000).map(|at| absent(&RULE, at, "token")).collect();
        let places = (1..20).map(place).collect();
        assert_eq!(shown(&group(findings, &mut [])), [(place(0), 9_999, places)]);
    }

    #[test]
    fn findings_that_differ_are_not_grouped() {
        let first = || absent(&RULE, 0, "token");
        let mut error = absent(&RULE, 1, "token");
        error.severity = Severity::Error;
        let mut policy = absent(&RULE, 1, "token");
        policy.is_policy = true;
        let mut old = absent(&RULE, 1, "token");
        old.kubernetes = Versions::parse("1.33");
        let edit = absent(&RULE, 1, "token").suggest(place(1), "tokens", "did you mean `tokens`?");
        let others =
            [absent(&OTHER, 1, "token"), absent(&RULE, 1, "key"), error, policy, old, edit];
        for other in others {
            assert_eq!(group(vec![first(), other.clone()], &mut []).len(), 2, "{other:?}");
        }
        assert_eq!(group(vec![first(), absent(&RULE, 1, "token")], &mut []).len(), 1);
    }

    #[test]
    fn equal_findings_at_one_location_are_one() {
        let at = |name: Message| Diagnostic::new(&RULE, place(0), name).path(&"spec");
        let findings: Vec<_> = (0..10).map(|number| at(message!("a {number}"))).collect();
        let grouped = group(findings, &mut []);
        assert_eq!(grouped.iter().map(|it| it.others.count()).collect::<Vec<_>>(), [9]);
        let field =
            |name| at(Message::default()).about(About::MissingField(format!("{name}").into()));
        let findings: Vec<_> = (0..10).map(field).collect();
        assert_eq!(group(findings, &mut []).len(), 10, "ten fields that are missing");
    }

    #[test]
    fn many_warnings_of_a_rule_in_a_directory_are_one() {
        let names = ["a", "b", "c", "d"];
        let findings = || (0..).zip(names).map(|(at, name)| absent(&RULE, at, name));
        let run = |findings: Vec<_>, is_found: bool| {
            let mut workspace = Workspace::new();
            let file = workspace.add("a.yaml", "a: b\n");
            workspace.set_role(file, if is_found { FileRole::Found } else { FileRole::Named });
            summarize(findings, &workspace, &mut [])
        };
        assert_eq!(run(findings().collect(), false).len(), 4, "files that were named");
        assert_eq!(run(findings().take(3).collect(), true).len(), 3, "a few");
        let [one] = &run(findings().collect(), true)[..] else { panic!("one finding") };
        assert_eq!(
            (one.others.count(), one.details().notes[0].as_prose()),
            (3, "also: `b`, `c`, `d`")
        );
        let two_texts = (0..).zip(names).map(|(at, name)| {
            Diagnostic::new(&RULE, place(at), message!("no `{name}`")).at(if at < 2 {
                "not in `a`"
            } else {
                "no key"
            })
        });
        let two_places = (0..).zip(names).map(|(at, name)| {
            absent(&RULE, at, name).at(if at < 2 { "not in namespace `a`" } else { "not in input" })
        });
        assert_eq!(run(two_places.collect(), true).len(), 1, "one fault: an object is absent");
        assert_eq!(run(two_texts.collect(), true).len(), 4, "two faults, two findings each");
        let edit = |it: Diagnostic| it.suggest(Workspace::new().start(), "x", "write `x`");
        let of_writer = || findings().map(|it| edit(it.because_of(CommonCause::Writer(place(0)))));
        assert_eq!(run(of_writer().collect(), false).len(), 1, "a program wrote all of them");
        assert_eq!(run(of_writer().take(3).collect(), false).len(), 3, "a few, with their edits");
        let errors = findings().map(|it| it.with_severity(Severity::Error));
        assert_eq!(run(errors.collect(), true).len(), 4, "errors are reported one by one");
        let edits = findings().map(|it| it.suggest(Workspace::new().start(), "x", "write `x`"));
        assert_eq!(run(edits.collect(), true).len(), 4, "as each has its own edit");
    }

    #[test]
    fn left_out_findings_refer_to_the_representative() {
        let findings = vec![
            absent(&RULE, 0, "token"),
            absent(&RULE, 1, "token"),
            absent(&RULE, 2, "key"),
            absent(&RULE, 3, "token"),
        ];
        let left = |in_favor_of| LeftOut { finding: absent(&OTHER, 9, "x"), in_favor_of };
        let mut left_out = [left(0), left(1), left(2), left(3)];
        assert_eq!(group(findings, &mut left_out).len(), 2);
        assert_eq!(left_out.map(|it| it.in_favor_of), [0, 0, 1, 0]);
    }
}
