//! Selection of the most important findings of a run with many, and counts by rule.

use std::cmp::Reverse;
use std::fmt::Write as _;

use super::selection;
use super::words::occurrences;
use super::wrap::wrapped;
use crate::diag::{Diagnostic, Severity, first_strings};
use crate::limits::thousands;
use crate::sorted::{CompactSort as _, SortedMap};

/// The maximum number of rules that are named.
const MAX_RULES: usize = 5;

/// The number of findings of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleCount {
    /// The name of the rule.
    pub rule: &'static str,
    /// Their severity; a rule can have findings of several.
    pub severity: Severity,
    /// The number of findings.
    pub findings: usize,
    /// The number of occurrences: a finding can represent others with the same cause.
    pub occurrences: usize,
}

/// Counts findings by rule and severity: errors first, then by number.
#[must_use]
pub fn count_by_rule<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<RuleCount> {
    let mut counts = SortedMap::new();
    for Diagnostic { rule, severity, others, .. } in diagnostics {
        let (findings, places) = counts.entry((*severity, rule.name)).or_insert((0, 0));
        *findings += 1;
        *places += occurrences(others);
    }
    let mut counts: Vec<_> = counts
        .into_iter()
        .map(|((severity, rule), (findings, occurrences))| RuleCount {
            rule,
            severity,
            findings,
            occurrences,
        })
        .collect();
    counts.compact_sort_by_key(|it| (it.severity, Reverse(it.findings)));
    counts
}

/// Splits findings into copies of at most `most` to show, in the given order, and the others. Errors
/// come before warnings, and the first finding of each rule before the second of any.
#[must_use]
pub fn most_important(
    diagnostics: &[Diagnostic],
    most: usize,
) -> (Vec<Diagnostic>, Vec<&Diagnostic>) {
    let is_shown = selection::most_important(diagnostics.iter(), most);
    let (mut shown, mut hidden) = (Vec::new(), Vec::new());
    for (finding, is_shown) in diagnostics.iter().zip(is_shown) {
        if is_shown {
            shown.push(finding.clone());
        } else {
            hidden.push(finding);
        }
    }
    (shown, hidden)
}

/// The line for findings that are not shown: their number, and their first rules. It is wrapped to a
/// number of columns.
#[must_use]
pub fn describe_hidden(hidden: &[&Diagnostic], columns: Option<usize>) -> String {
    let rules = count_by_rule(hidden.iter().copied());
    let noun_of_rules = if rules.len() > MAX_RULES { " rules" } else { "" };
    let rules = rules.iter().map(|it| format!("{} `{}`", thousands(it.findings), it.rule));
    let noun = if hidden.len() == 1 { "finding is" } else { "findings are" };
    let text = format!(
        "{} more {noun} not shown ({}{noun_of_rules}): use `--all` to show them",
        thousands(hidden.len()),
        first_strings(MAX_RULES, ", ", rules)
    );
    wrapped(&text, columns, 0)
}

/// A table of rules with their severities and counts, one per line.
#[must_use]
pub fn table_of_rules(counts: &[RuleCount]) -> String {
    let header = ["rule", "severity", "findings", "occurrences"].map(str::to_owned);
    let row = |it: &RuleCount| {
        let severity = it.severity.as_str().to_owned();
        [it.rule.to_owned(), severity, thousands(it.findings), thousands(it.occurrences)]
    };
    let rows: Vec<_> = std::iter::once(header).chain(counts.iter().map(row)).collect();
    let width =
        |at: usize| rows.iter().filter_map(|row| row.get(at)).map(String::len).fold(0, usize::max);
    let [rules, severities, findings, occurrences] = [0, 1, 2, 3].map(width);
    let mut text = String::new();
    for [rule, severity, found, places] in rows {
        let _ = writeln!(
            text,
            "{rule:rules$}  {severity:severities$}  {found:>findings$}  {places:>occurrences$}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Rule;
    use crate::source::Workspace;

    static COMMON: Rule = Rule::new("common", Severity::Warning);
    static RARE: Rule = Rule::new("rare", Severity::Warning);
    static FATAL: Rule = Rule::new("fatal", Severity::Error);

    fn findings(rules: &[(&'static Rule, usize)]) -> Vec<Diagnostic> {
        let place = Workspace::new().start();
        let of_rule = |(rule, count): &(&'static Rule, usize)| {
            vec![Diagnostic::new(rule, place, "x"); *count]
        };
        rules.iter().flat_map(of_rule).collect()
    }

    fn names(findings: &[Diagnostic]) -> Vec<&str> {
        findings.iter().map(|it| it.rule.name).collect()
    }

    #[test]
    fn errors_and_rare_rules_are_shown_before_the_hundredth_of_a_common_one() {
        let all = findings(&[(&COMMON, 500), (&RARE, 1), (&FATAL, 2)]);
        let (shown, hidden) = most_important(&all, 5);
        assert_eq!(names(&shown), ["common", "common", "rare", "fatal", "fatal"]);
        let text = "498 more findings are not shown (498 `common`): use `--all` to show them";
        assert_eq!(describe_hidden(&hidden, None), text);
        let lines = describe_hidden(&hidden, Some(40));
        assert!(lines.lines().all(|it| it.len() <= 40) && lines.replace('\n', " ") == text);
        let all = findings(&[(&COMMON, 5)]);
        let (shown, hidden) = most_important(&all, 5);
        assert_eq!((shown.len(), hidden.len()), (5, 0));
    }

    #[test]
    fn the_table_has_errors_first_and_aligned_columns() {
        let mut all = findings(&[(&RARE, 1), (&COMMON, 1200), (&FATAL, 3)]);
        all[0].others.add(Workspace::new().start(), &crate::diag::Others::default());
        let table = "rule    severity  findings  occurrences\n\
                     fatal   error            3            3\n\
                     common  warning      1,200        1,200\n\
                     rare    warning          1            2\n";
        assert_eq!(table_of_rules(&count_by_rule(&all)), table);
    }
}
