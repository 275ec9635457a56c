//! Findings as SARIF 2.1.0, the format of the OASIS standard that code scanning services read.
//!
//! Regions have lines, and columns in UTF-16 code units. File names are relative to the root of the
//! source, `%SRCROOT%`, unless they are absolute. Standard input is named `stdin`.
//!
//! The standard requires braces in messages to be doubled, for arguments. Messages here have no
//! arguments, and the services that show them do not undo the doubling, so braces are kept.

use std::fmt::Write as _;
use std::iter;

use serde::{Serialize, Serializer};

mod shape;

use shape::{
    Artifact, Change, Configuration, Descriptor, Driver, Finding, Fingerprint, Fix, Log, Logical,
    Message, Page, Physical, Region, Replacement, Run, SarifLocation, Tags, Tool,
};

use super::fingerprint::Fingerprints;
use super::location::Locations;
use super::words;
use crate::diag::{Details, Diagnostic, Label, Rule, Suggestion};
use crate::kube::InputObject;
use crate::markup::{sarif_message, write_pretty_json};
use crate::rules;
use crate::sorted::SortedMap;
use crate::source::{SourceFile, Span, Workspace};

/// Renders findings as one SARIF log with one run, in the given order, with a final line feed.
/// `inputs` are those of the compilation, sorted by position.
///
/// ```
/// use sandboxc::{Options, Workspace, compile, render_sarif};
///
/// let mut workspace = Workspace::new();
/// workspace.add("a.yaml", "key: [a, b");
/// let compilation = compile(&workspace, &Options::default());
/// let text = render_sarif(&workspace, &compilation.inputs, &compilation.diagnostics);
/// assert!(text.contains(r#""version": "2.1.0""#));
/// ```
#[must_use]
pub fn render_sarif(
    workspace: &Workspace,
    inputs: &[InputObject],
    diagnostics: &[Diagnostic],
) -> String {
    let broken: SortedMap<_, _> = diagnostics.iter().map(|it| (it.rule.name, it.rule)).collect();
    let names: Vec<_> = broken.keys().copied().collect();
    let mut fingerprints = Fingerprints::new(workspace, inputs);
    let fingerprints = diagnostics.iter().map(|it| fingerprints.of(it)).collect();
    let locations = Locations::of(workspace);
    let run = Run {
        column_kind: "utf16CodeUnits",
        newline_sequences: ["\r\n", "\n", "\r"],
        results: Results { workspace, locations, diagnostics, names, fingerprints },
        tool: Tool {
            driver: Driver {
                name: "sandboxc",
                semantic_version: env!("CARGO_PKG_VERSION"),
                information_uri: rules::repository(),
                rules: broken.into_values().map(descriptor).collect(),
            },
        },
    };
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
    // A log that grows to hundreds of megabytes would be copied each time.
    let mut text = Vec::with_capacity(BYTES_OF_RULES + BYTES_OF_RESULT * diagnostics.len());
    // Serialization only fails for a map with keys that are not strings, or a failing `Serialize`.
    let _ = write_pretty_json(&log, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// About the length of the descriptions of the rules, and more than most results have.
const BYTES_OF_RULES: usize = 1 << 16;
const BYTES_OF_RESULT: usize = 1 << 12;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A rule with its page.
fn descriptor(rule: &'static Rule) -> Descriptor {
    let page = rules::docs(rule);
    let about = page.split_once("## Example").map_or(page, |(about, _)| about);
    let is_prose = |line: &&str| !line.starts_with('#') && !line.is_empty();
    let about: Vec<_> = about.lines().filter(is_prose).collect();
    Descriptor {
        id: rule.name,
        short_description: Message { text: rules::summary(rule) },
        full_description: Message { text: about.join(" ") },
        help: Page { text: page, markdown: page },
        help_uri: rules::page_address(rule),
        properties: Tags { tags: rules::subjects(rule) },
        default_configuration: Configuration { level: rule.severity.as_str() },
    }
}

/// The results, each of which only exists while it is written: 100,000 with long messages would take
/// more memory than the log.
struct Results<'r> {
    workspace: &'r Workspace,
    locations: Locations<'r>,
    diagnostics: &'r [Diagnostic],
    /// The rules of the log, sorted.
    names: Vec<&'static str>,
    /// The fingerprint of each finding.
    fingerprints: Vec<String>,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let results = iter::zip(self.diagnostics, &self.fingerprints);
        serializer.collect_seq(results.map(|(diagnostic, fingerprint)| {
            let mut finding = finding(self.workspace, diagnostic, &self.names, fingerprint);
            if let Some(template) = self.locations.template(diagnostic.primary.span) {
                let [place] = &mut finding.locations;
                place.physical_location = Physical::of_whole(template);
            }
            finding
        }))
    }
}

fn finding<'r>(
    workspace: &Workspace,
    diagnostic: &'r Diagnostic,
    rules: &[&str],
    fingerprint: &'r str,
) -> Finding<'r> {
    let Diagnostic { rule, severity, primary, others, .. } = diagnostic;
    let Details { suggestions, .. } = diagnostic.details();
    let lines = words::described(workspace, diagnostic);
    let logical = words::path(diagnostic)
        .into_iter()
        .map(|path| Logical { fully_qualified_name: path, kind: "member" });
    let edits = suggestions.iter().take(words::MAX_PARTS).filter(|it| words::is_short(it));
    let location = SarifLocation {
        id: None,
        physical_location: physical(workspace, primary.span),
        logical_locations: logical.collect(),
        message: None,
    };
    Finding {
        rule_id: rule.name,
        rule_index: rules.binary_search(&rule.name).ok(),
        level: severity.as_str(),
        message: Message { text: sarif_message(&lines.join("\n")).into_owned() },
        locations: [location],
        occurrence_count: (others.count() > 0).then(|| words::occurrences(others)),
        related_locations: related(workspace, diagnostic),
        fixes: edits.map(|it| fix(workspace, it)).collect(),
        partial_fingerprints: Fingerprint { finding: fingerprint },
    }
}

/// The labels, and the other locations of the finding.
fn related<'r>(workspace: &Workspace, diagnostic: &'r Diagnostic) -> Vec<SarifLocation<'r>> {
    let labels = diagnostic.details().secondary.iter().take(words::MAX_PARTS);
    let labels = labels.map(|Label { span, text }| (*span, text.as_prose()));
    let others = diagnostic.others.places().iter().map(|span| (*span, "another occurrence"));
    let place = |((span, text), id): ((Span, &'r str), usize)| SarifLocation {
        id: Some(id),
        physical_location: physical(workspace, span),
        logical_locations: Vec::new(),
        message: (!text.is_empty()).then(|| Message { text: sarif_message(text) }),
    };
    labels.chain(others).zip(1..).map(place).collect()
}

fn fix<'r>(workspace: &Workspace, suggestion: &'r Suggestion) -> Fix<'r> {
    let Suggestion { span, replacement, text, .. } = suggestion;
    let Physical { artifact_location, region } = physical(workspace, *span);
    let inserted_content = Message { text: replacement.as_str() };
    Fix {
        description: Message { text: sarif_message(text.as_prose()) },
        artifact_changes: [Change {
            artifact_location,
            replacements: [Replacement { deleted_region: region, inserted_content }],
        }],
    }
}

fn physical(workspace: &Workspace, span: Span) -> Physical {
    let (file, span) = workspace.file_and_span(span);
    let start = file.line_column_utf16(span.start);
    let end = file.line_column_utf16(span.end);
    let region = Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    };
    Physical { artifact_location: artifact(file), region }
}

impl Physical {
    /// A file without a known position: services require a line, and show the first.
    fn of_whole(name: &str) -> Self {
        let artifact_location = Artifact { uri: encoded(name), uri_base_id: Some("%SRCROOT%") };
        let region = Region { start_line: 1, start_column: 1, end_line: 1, end_column: 1 };
        Self { artifact_location, region }
    }
}

fn artifact(file: &SourceFile) -> Artifact {
    let name = file.name();
    if !file.is_named() {
        Artifact { uri: "stdin".to_owned(), uri_base_id: None }
    } else if name.starts_with('/') {
        Artifact { uri: format!("file://{}", encoded(name)), uri_base_id: None }
    } else {
        Artifact { uri: encoded(name), uri_base_id: Some("%SRCROOT%") }
    }
}

/// Encodes a path as the path of a URI: characters that are not unreserved in RFC 3986 become `%`
/// and two digits.
fn encoded(path: &str) -> String {
    path.bytes().fold(String::with_capacity(path.len()), |mut uri, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
        uri
    })
}
