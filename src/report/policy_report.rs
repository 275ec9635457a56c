//! Findings as policy reports (`wgpolicyk8s.io/v1alpha2`), which dashboards for the results of policy
//! engines show: a list that `kubectl apply` accepts.
//!
//! A report has the findings of one namespace. Those about objects without a namespace, and those
//! outside of all objects, are in a `ClusterPolicyReport`. A request to the API server is limited to 3 MiB,
//! so long reports are split.

use serde::Serialize;

use super::words;
use crate::diag::{Diagnostic, Severity};
use crate::kube::InputObject;
use crate::markup::pretty_json;
use crate::sorted::SortedMap;
use crate::source::Workspace;

/// The maximum number of findings in one report. A message rarely has more than 2 KB.
const MAX_RESULTS: usize = 500;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List<'r> {
    api_version: &'static str,
    kind: &'static str,
    items: Vec<Report<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'r> {
    api_version: &'static str,
    kind: &'static str,
    metadata: Metadata<'r>,
    summary: Counts,
    results: Vec<Finding<'r>>,
}

/// The length in bytes above which a name is invalid: one has at most 253, an `apiVersion` 317.
const LONGEST_NAME: usize = 400;

#[derive(Serialize)]
struct Metadata<'r> {
    name: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    namespace: &'r str,
}

/// The numbers of results, all of which a reader expects.
#[derive(Serialize, Default)]
struct Counts {
    pass: usize,
    fail: usize,
    warn: usize,
    error: usize,
    skip: usize,
}

#[derive(Serialize)]
struct Finding<'r> {
    source: &'static str,
    policy: &'static str,
    rule: &'static str,
    result: &'static str,
    severity: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<Resource<'r>>,
    properties: SortedMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'r> {
    api_version: String,
    kind: &'r str,
    #[serde(skip_serializing_if = "str::is_empty")]
    namespace: &'r str,
    name: &'r str,
}

/// Renders findings as a list of policy reports in JSON. Findings that do not fail the run are warnings.
pub(super) fn render_policy_report(report: &super::Report<'_>) -> String {
    let super::Report { workspace, inputs, diagnostics, fails, .. } = *report;
    let mut of_namespaces: SortedMap<&str, Vec<Finding<'_>>> = SortedMap::new();
    for diagnostic in diagnostics {
        let place = diagnostic.primary.span;
        let object = InputObject::index_at(inputs, place).and_then(|it| inputs.get(it));
        let object = object.filter(|object| can_exist(object));
        let findings = of_namespaces.entry(object.map_or("", InputObject::namespace)).or_default();
        findings.push(finding(workspace, object, diagnostic, fails));
    }
    let items =
        of_namespaces.into_iter().flat_map(|(namespace, findings)| reports(namespace, findings));
    let list = List { api_version: "v1", kind: "List", items: items.collect() };
    pretty_json(&list)
}

/// Whether a cluster can have an object with these names. With longer ones, a reader would find none, and the report
/// would repeat them with each finding.
fn can_exist(object: &InputObject) -> bool {
    let longest = object.gvk.api_version().len().max(object.gvk.kind.len());
    longest.max(object.namespace.len()).max(object.name.len()) <= LONGEST_NAME
}

/// The reports of a namespace: `sandboxc`, `sandboxc-2`.
fn reports<'r>(namespace: &'r str, findings: Vec<Finding<'r>>) -> Vec<Report<'r>> {
    let mut reports: Vec<Report<'r>> = Vec::new();
    for finding in findings {
        if reports.last().is_none_or(|it| it.results.len() == MAX_RESULTS) {
            let name = match reports.len() {
                0 => "sandboxc".to_owned(),
                earlier => format!("sandboxc-{}", earlier + 1),
            };
            let kind = if namespace.is_empty() { "ClusterPolicyReport" } else { "PolicyReport" };
            reports.push(Report {
                api_version: "wgpolicyk8s.io/v1alpha2",
                kind,
                metadata: Metadata { name, namespace },
                summary: Counts::default(),
                results: Vec::new(),
            });
        }
        if let Some(report) = reports.last_mut() {
            let counts = &mut report.summary;
            let count = if finding.result == FAIL { &mut counts.fail } else { &mut counts.warn };
            *count += 1;
            report.results.push(finding);
        }
    }
    reports
}

const FAIL: &str = "fail";

fn finding<'r>(
    workspace: &Workspace,
    object: Option<&'r InputObject>,
    diagnostic: &Diagnostic,
    fails: Severity,
) -> Finding<'r> {
    let place = ("location", words::place(workspace, diagnostic.primary.span));
    let path = words::path(diagnostic).map(|it| ("path", it));
    let resource = |object: &'r InputObject| Resource {
        api_version: object.gvk.api_version(),
        kind: &object.gvk.kind,
        namespace: &object.namespace,
        name: &object.name,
    };
    Finding {
        source: "sandboxc",
        policy: "sandboxc",
        rule: diagnostic.rule.name,
        result: if diagnostic.severity <= fails { FAIL } else { "warn" },
        severity: match diagnostic.severity {
            Severity::Error => "high",
            Severity::Warning => "medium",
            Severity::Note => "low",
        },
        message: words::described(workspace, diagnostic).join("\n"),
        resources: object.map(resource).into_iter().collect(),
        properties: [place].into_iter().chain(path).collect(),
    }
}
