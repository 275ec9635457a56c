//! The `results` of a list.

use serde::Serialize;

use super::annotations::{INDEXES, PATHS, first_of};
use super::list::{ItemPart, ResourceList};
use super::output::Built;
use crate::diag::{Diagnostic, Severity};
use crate::kube::{GroupVersionKind, InputObject};
use crate::markup::{printable, visible_line};
use crate::report::{described, field_path};
use crate::source::Workspace;
use crate::tree::Node;

/// The results of a function.
#[derive(Clone, Default, Debug)]
pub struct ListResults {
    pub(super) results: Vec<FunctionResult>,
}

#[derive(Clone, Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct FunctionResult {
    message: String,
    severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_ref: Option<ResourceRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<File>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Tags>,
}

#[derive(Clone, Serialize, Debug)]
#[serde(rename_all = "camelCase")]
struct ResourceRef {
    api_version: String,
    kind: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    namespace: String,
    name: String,
}

#[derive(Clone, Serialize, Debug)]
struct Field {
    path: String,
}

#[derive(Clone, Serialize, Debug)]
struct File {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<i64>,
}

#[derive(Clone, Serialize, Debug)]
struct Tags {
    rule: &'static str,
}

impl ResourceList {
    /// Findings about a compilation whose first files are the items. `inputs` are sorted by position.
    #[must_use]
    pub fn results(
        &self,
        workspace: &Workspace,
        parts: &[ItemPart],
        inputs: &[InputObject],
        diagnostics: &[Diagnostic],
    ) -> ListResults {
        let items = Built::items(workspace, parts);
        let result = |finding: &Diagnostic| {
            let file = workspace.file_at(finding.primary.span);
            let item = items.get(&file.id()).and_then(|index| self.items().get(*index));
            let position = InputObject::index_at(inputs, finding.primary.span);
            let object = position.and_then(|at| inputs.get(at));
            FunctionResult {
                resource_ref: object.map(ResourceRef::of),
                file: match item {
                    Some(item) => File::of(item),
                    None if file.is_named() => {
                        Some(File { path: file.name().to_owned(), index: None })
                    }
                    None => None,
                },
                ..describe_finding(workspace, finding)
            }
        };
        ListResults { results: diagnostics.iter().map(result).collect() }
    }

    /// Faults of the `functionConfig` in the file of the list.
    #[must_use]
    pub fn results_of_config(
        &self,
        workspace: &Workspace,
        diagnostics: &[Diagnostic],
    ) -> ListResults {
        let config = self.root.get("functionConfig");
        let result = |finding: &Diagnostic| FunctionResult {
            resource_ref: config.map(ResourceRef::of_node),
            file: config.and_then(File::of),
            ..describe_finding(workspace, finding)
        };
        ListResults { results: diagnostics.iter().map(result).collect() }
    }

    /// A failure of the function as a whole.
    #[must_use]
    pub fn failure(&self, message: &str) -> ListResults {
        let config = self.root.get("functionConfig");
        let result = FunctionResult {
            message: one_line(message),
            severity: "error",
            resource_ref: config.map(ResourceRef::of_node),
            field: None,
            file: config.and_then(File::of),
            tags: None,
        };
        ListResults { results: vec![result] }
    }
}

/// The rule is part of the message, because programs show nothing else of a result. The message is one
/// line: kpt joins several without a separator.
fn describe_finding(workspace: &Workspace, diagnostic: &Diagnostic) -> FunctionResult {
    let rule = diagnostic.rule.name;
    let mut lines = described(workspace, diagnostic).into_iter();
    let headline = lines.next().unwrap_or_default();
    let remarks: Vec<_> = lines.chain([format!("rule: {rule}")]).collect();
    FunctionResult {
        // Programs print it on a terminal.
        message: one_line(&format!("{}. {}", headline.trim_end_matches('.'), remarks.join("; "))),
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "info",
        },
        resource_ref: None,
        field: field_path(diagnostic).map(|path| Field { path }),
        file: None,
        tags: Some(Tags { rule }),
    }
}

/// A message as a program can print it.
fn one_line(message: &str) -> String {
    printable(&visible_line(message), false).into_owned()
}

impl ResourceRef {
    fn of(object: &InputObject) -> Self {
        Self {
            api_version: object.gvk().api_version(),
            kind: object.gvk().kind().to_owned(),
            namespace: object.namespace().to_owned(),
            name: object.name().to_owned(),
        }
    }

    fn of_node(root: &Node) -> Self {
        let text = |path: &[&str]| root.text_at(path).to_owned();
        let gvk = GroupVersionKind::new(&text(&["apiVersion"]), &text(&["kind"]));
        Self {
            api_version: gvk.api_version(),
            kind: gvk.kind().to_owned(),
            namespace: text(&["metadata", "namespace"]),
            name: text(&["metadata", "name"]),
        }
    }
}

impl File {
    /// The file that an item was read from.
    fn of(item: &Node) -> Option<Self> {
        let path = first_of(item, &PATHS)?.to_owned();
        Some(Self { path, index: first_of(item, &INDEXES).and_then(|text| text.parse().ok()) })
    }
}
