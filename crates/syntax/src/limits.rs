//! All limits of a run. `docs/limits.md` is generated from this table.

mod fuel;

use std::fmt::Write;

pub use fuel::Fuel;

/// A limit on the input, or on data derived from it.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The limited quantity.
    pub subject: &'static str,
    /// The maximum accepted value.
    pub most: u32,
    /// The unit of the limit.
    pub unit: &'static str,
    /// The rule or failure that reports a violation.
    pub error: &'static str,
}

impl Limit {
    /// The maximum accepted value as a length.
    pub const fn count(&self) -> usize {
        self.most as usize
    }
}

const fn limit(subject: &'static str, most: u32, unit: &'static str, error: &'static str) -> Limit {
    Limit { subject, most, unit, error }
}

pub const EXPRESSION_LENGTH: Limit = limit("one expression", 4096, "bytes", "expression-too-large");
pub const EXPRESSION_OPERATORS: Limit =
    limit("one expression", 100, "operators, calls and fields", "expression-too-large");
pub const EXPRESSION_DEPTH: Limit = limit("one expression", 32, "levels", "expression-too-large");
pub const GRAPH_PARTS: Limit =
    limit("`graph --to svg`", 1_000, "nodes, references and namespaces", "an error of the command");

pub const CEL_PRECISION: Limit =
    limit("a precision in `format` of CEL", 1000, "digits", "cel-rule-not-checked");

/// A short expression can have a type of any size: `[1].map(a, {a: a}).map(b, {b: b})`.
pub const CEL_TYPE: Limit = limit(
    "the type of a part of an expression in CEL",
    50,
    "types of items, keys and values, at all levels",
    "cel-rule-not-checked",
);

pub const POLICY_COST: Limit = limit(
    "the validations of an admission policy, its audit annotations, or a mutation, for one object",
    10_000_000,
    "units of cost, as in the API server",
    "policy-denied",
);
pub const POLICY_CONDITIONS_COST: Limit = limit(
    "the match conditions of an admission policy, for one object",
    2_500_000,
    "units of cost, as in the API server",
    "policy-denied",
);
pub const POLICY_CALL_COST: Limit = limit(
    "one expression of an admission policy, for one object",
    1_000_000,
    "units of cost, as in the API server",
    "policy-denied",
);
pub const POLICY_VARIABLES: Limit = limit(
    "an expression of an admission policy, with the variables that it uses",
    250,
    "nested operations",
    "policy-not-decided",
);
/// A patch can copy the object into itself, and so double its levels.
pub const PATCHED_LEVELS: Limit = limit(
    "an object that an admission policy changes",
    250,
    "levels of maps and lists",
    "policy-not-decided",
);

/// The maximum size of a file, in bytes.
pub const LARGEST_FILE: usize = FILE_BYTES.count();

/// The maximum size of an archive, unpacked, in bytes.
pub const LARGEST_ARCHIVE: usize = ARCHIVE_BYTES.count();

/// The maximum size of the files of a revision that are read, in bytes.
pub const LARGEST_REVISION: usize = REVISION_BYTES.count();

/// The maximum size of all files below a directory that list ignored files, in bytes.
pub const LARGEST_IGNORE_FILES: usize = IGNORE_BYTES.count();

pub const FILE_BYTES: Limit = limit("one file", 128 << 20, "bytes", "file-too-large");
pub const IGNORE_BYTES: Limit = limit(
    "all `.gitignore` and `.sandboxcignore` files below a directory",
    1 << 20,
    "bytes",
    "an error of the command",
);
/// That of Helm.
pub const ARCHIVE_BYTES: Limit = limit(
    "the archive of a chart, unpacked, with the archives in it",
    100 << 20,
    "bytes",
    "file-unreadable",
);
pub const REVISION_BYTES: Limit = limit(
    "all YAML and JSON files of the revision of `--git`",
    1 << 30,
    "bytes",
    "an error of the command",
);
pub const RUN_BYTES: Limit =
    limit("all files of a run", u32::MAX - (1 << 24), "bytes", "file-too-large");
pub const DOCUMENT_DEPTH: Limit =
    limit("one document", 100, "levels of maps and lists", "nesting-too-deep");
pub const DOCUMENT_VALUES: Limit =
    limit("one document, with its aliases expanded", 1_000_000, "values", "too-many-nodes");
pub const ALIAS_VALUES: Limit = limit(
    "all aliases of a run",
    2_000_000,
    "values that they represent; 64 bytes of text count as a value",
    "too-many-nodes",
);
pub const RUN_TREE_VALUES: Limit =
    limit("all documents of a run", 50_000_000, "values", "too-many-nodes");
pub const EXTENDS_LENGTH: Limit =
    limit("a chain of `extends`", 32, "definitions", "extends-too-deep");
pub const GLOB_ALTERNATIVES: Limit = limit("a glob", 32, "`{`", "exception-malformed");
pub const GLOB_LENGTH: Limit = limit("a glob", 1024, "bytes", "exception-malformed");
pub const ALLOW_WILDCARDS: Limit = limit(
    "`allow` of the Project",
    200,
    "different exceptions with wildcards",
    "exception-malformed",
);

pub const DOCUMENT_FINDINGS: Limit =
    limit("one document, at each stage", 2_000, "errors", "too-many-findings");
pub const RUN_FINDINGS: Limit = limit("a run", 50_000, "errors", "too-many-findings");

/// The number of findings in a run that have suggestions.
pub const DETAILED_FINDINGS: Limit =
    limit("suggestions of a run", 5_000, "findings; later ones have none", "");

/// The bytes of unreadable documents that a run parses again, to find further mistakes and to try
/// repairs.
pub const REPAIR_BYTES: Limit = limit("repairs of unreadable documents", 3 << 20, "bytes", "");

/// All limits, in the order of `docs/limits.md`.
const ALL: &[Limit] = &[
    FILE_BYTES,
    RUN_BYTES,
    IGNORE_BYTES,
    ARCHIVE_BYTES,
    REVISION_BYTES,
    DOCUMENT_DEPTH,
    DOCUMENT_VALUES,
    ALIAS_VALUES,
    RUN_TREE_VALUES,
    DOCUMENT_FINDINGS,
    RUN_FINDINGS,
    GLOB_ALTERNATIVES,
    GLOB_LENGTH,
    ALLOW_WILDCARDS,
    EXTENDS_LENGTH,
    EXPRESSION_LENGTH,
    EXPRESSION_OPERATORS,
    EXPRESSION_DEPTH,
    GRAPH_PARTS,
    CEL_PRECISION,
    CEL_TYPE,
    POLICY_CALL_COST,
    POLICY_COST,
    POLICY_CONDITIONS_COST,
    POLICY_VARIABLES,
    PATCHED_LEVELS,
];

/// The page of all limits, `docs/limits.md`.
#[must_use]
pub fn limits() -> String {
    let mut page = PAGE.to_owned();
    for limit in ALL {
        let Limit { subject, unit, error, .. } = limit;
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        // Not all are findings of a rule.
        let error = if error.contains(' ') { (*error).to_owned() } else { format!("`{error}`") };
        let _ = writeln!(page, "| {subject} | {}{unit} | {error} |", thousands(limit.count()));
    }
    page
}

const PAGE: &str = "\
# Limits

Exceeding a limit is an error and never truncates a result. The limits are far above the needs of manifests; they prevent a typo or a hostile file from exhausting memory or time.

After 2,000 warnings and notes of a document at one stage, and 50,000 of a run, further ones are left out, with the note `too-many-findings`. Errors are found after them.

Findings after the first 5,000 of a run have no suggestions, and long strings in them are truncated to 400 bytes.

Of a map of a built-in object with more than 256 fields, rules only see the known ones and the first 2,001 unknown ones. The run has the error `too-many-findings` then, because each unknown field is a finding.

To find all mistakes of an unreadable document and the likeliest repair of each, its text is parsed many times. After 3,145,728 bytes of a run that are parsed again, only the first mistake of an unreadable document is reported, with a note, and what only Kubernetes' parser accepts is an error.

The work of a run, and of each object in it, is counted in steps, of which each takes about 10 ns: see the rule `too-much-work`. An object has 50,000,000 for its schema, and as many for rules and policies. A run has 500,000,000, and 20 for each byte that it reads, which all target versions share.

| Subject | Maximum | Reported as |
|---|---|---|
";

/// A number as shown in pages and messages: `1,000,000`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
