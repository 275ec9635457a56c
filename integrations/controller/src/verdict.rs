//! What an API server would say about an object.

use k8s_openapi::serde::Serialize;
use sandboxc::{Diagnostic, Options, Severity, Versions, Workspace, compile, Purpose};

/// The reasons why an API server rejects an object; empty if it accepts it.
pub fn rejections(object: &impl Serialize, versions: Versions) -> serde_json::Result<Vec<String>> {
    let mut workspace = Workspace::new();
    // JSON is YAML.
    workspace.add("object", serde_json::to_string(object)?);
    let mut options = Options::default();
    options.kubernetes = versions;
    options.purpose = Purpose::Check;
    let findings = compile(&workspace, &options).diagnostics;
    let errors = findings.iter().filter(|it| it.severity == Severity::Error);
    Ok(errors.map(sentence).collect())
}

fn sentence(finding: &Diagnostic) -> String {
    let details = finding.details();
    match &details.path {
        Some(path) => format!("{path}: {}", details.message.as_prose()),
        None => details.message.as_prose().to_owned(),
    }
}
