//! `docs/yaml.md`: the recorded verdicts on the yaml-test-suite, and the reasons that valid cases
//! are rejected.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The reason that each rule rejects valid YAML.
pub(crate) const REASONS: &[(&str, &str)] = &[
    (
        "document-end-without-content",
        "kubectl passes a part with only `...` to its parser, which rejects it and the rest of the file.",
    ),
    (
        "document-marker-with-content",
        "kubectl rejects the file: `invalid Yaml document separator`.",
    ),
    (
        "document-without-marker",
        "Go's readers only split at `---`, so kubectl drops everything after the `...`.",
    ),
    ("escape-not-portable", "Kubernetes' parser rejects the escape."),
    (
        "key-not-text",
        "A key of a JSON object is a string: the API server rejects `null`, lists and maps as keys, and reads `yes` or `1.0` as another string than written.",
    ),
    ("key-over-lines", "Kubernetes' parser requires a key and its colon on one line."),
    (
        "line-of-dashes-with-text",
        "kubectl takes the line for a document separator and rejects the file.",
    ),
    ("tab-indentation", "Kubernetes' parser rejects the tab."),
    (
        "unquoted-text-in-brackets",
        "Kubernetes' parser takes these characters for indicators and rejects the document.",
    ),
    (
        "yaml-directive",
        "kubectl and Helm split the stream after the directive, so it becomes a document of its own that is rejected.",
    ),
    ("yaml-syntax", "Kubernetes' parser, which is older than YAML 1.2, rejects the document."),
];

/// The reason that each invalid case is accepted.
const ACCEPTED: &[(&str, &str)] = &[
    (
        "9C9N",
        "A closing bracket at the column of its key is common in manifests, and kubectl reads it.",
    ),
    ("9JBA", OLDER),
    ("CVW2", OLDER),
    ("DK95/01", OLDER),
    ("G5U8", OLDER),
    ("HRE5", OLDER),
    ("QB6E", "kubectl reads a quoted string whose lines are not indented."),
    ("S98Z", OLDER),
    ("SU5Z", OLDER),
    ("U99R", OLDER),
    ("X4QW", OLDER),
    ("Y79Y/003", OLDER),
    ("YJV2", OLDER),
];

/// The reason for cases that are invalid since YAML 1.2, or that go-yaml does not reject.
const OLDER: &str = "Kubernetes' parser reads it, so it is read with the same value.";

/// The page for these verdicts. Each line has a case, `valid` or `invalid`, and `accepted` or the
/// first rule that rejects it.
///
/// # Errors
/// If a verdict has no reason, or a reason no verdict.
pub(crate) fn page(recorded: &str) -> Result<String, String> {
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let mut refused: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut accepted = Vec::new();
    for line in recorded.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<_> = line.split('\t').collect();
        let [case, kind, verdict] = cells[..] else { return Err(format!("{line:?}")) };
        let is_accepted = verdict == "accepted";
        *counts.entry((kind, is_accepted)).or_default() += 1;
        match (kind, is_accepted) {
            ("valid", false) => refused.entry(verdict).or_default().push(case),
            ("invalid", true) => accepted.push(case),
            _ => {}
        }
    }
    let rules: Vec<_> = refused.keys().copied().collect();
    if rules != REASONS.iter().map(|(rule, _)| *rule).collect::<Vec<_>>() {
        return Err(format!("valid cases are rejected by {rules:?}; give the reason of each"));
    }
    if accepted != ACCEPTED.iter().map(|(case, _)| *case).collect::<Vec<_>>() {
        return Err(format!("invalid cases are accepted: {accepted:?}; give the reason of each"));
    }
    let count = |kind, is_accepted| counts.get(&(kind, is_accepted)).copied().unwrap_or(0);
    let mut page = INTRODUCTION.to_owned();
    for kind in ["valid", "invalid"] {
        let _ = writeln!(page, "| {kind} | {} | {} |", count(kind, true), count(kind, false));
    }
    page.push_str(REJECTED);
    for (rule, why) in REASONS {
        let cases = refused.get(rule).map(|it| it.join(" ")).unwrap_or_default();
        let _ = writeln!(page, "| [{rule}](rules/{rule}.md) | {why} | {cases} |");
    }
    page.push_str(INVALID);
    for (case, why) in ACCEPTED {
        let _ = writeln!(page, "- {case}: {why}");
    }
    Ok(page)
}

const INTRODUCTION: &str = "\
# YAML

Files are read with the grammar and the values of sigs.k8s.io/yaml (go-yaml v2), with which kubectl and the API server read. What they accept is accepted, with the same value; doubtful syntax in it is a warning. What YAML 1.2 allows but Kubernetes' own tools reject or lose is reported by a rule.
`tools/yaml-oracle` records the verdicts and values of that reader for 120,000 documents, which the tests require.

`tools/yaml-test-suite` compares the reader with the [yaml-test-suite](https://github.com/yaml/yaml-test-suite) (data of 2022-01-17). The value of each accepted case is that of the suite, except for 565N, 652Z, HM87/01 and Y2GN, which Kubernetes reads as YAML 1.1.

| cases | accepted | rejected |
|---|---|---|
";

const REJECTED: &str = "
## Valid cases that are rejected

Each is rejected by a rule for a document that a Kubernetes tool would not accept or would read as something else:

| rule | reason | cases |
|---|---|---|
";

const INVALID: &str = "
## Invalid cases that are accepted

";
