//! `sandboxc` compiles definitions of sandboxes, templates, warm pools and claims to Kubernetes YAML
//! that a real API server accepts, and says offline what that API server would say.
//!
//! The library is pure: texts in, objects and diagnostics out. Files, terminal and environment are
//! the business of the binary alone.
//!
//! ```
//! let mut workspace = sandboxc::Workspace::new();
//! workspace.add("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
//! let compilation = sandboxc::compile(&workspace, &sandboxc::Options::default());
//! assert_eq!(compilation.objects.len(), 1);
//! ```

mod cel;
mod compile;
mod consequence;
mod crd;
mod decode;
mod diag;
mod dialect;
mod emit;
mod exception;
mod expand;
mod folder;
mod kinds;
mod kube;
mod language;
mod lower;
mod merge;
mod parallel;
mod project;
mod report;
pub mod rules;
mod scalar;
mod schema;
mod source;
mod tree;
mod validate;
mod workload;
mod yaml;

pub use compile::{
    Compilation, Options, Stage, compile, compile_observed, crds_of_projects, project_is_missing,
};
pub use crd::crds;
pub use diag::{Diagnostic, Label, Rule, Severity, Suggestion};
pub use dialect::agent_sandbox::ControllerLine;
pub use emit::{EmittedFile, emit_files, emit_stream, in_apply_order, write_stream};
pub use kube::{GroupVersionKind, InputObject, Object};
pub use language::{explain_field, json_schema, json_schema_text, nearest_subject, reference};
pub use report::{
    Checked, Paint, Summary, render_github, render_human, render_json, render_junit, render_sarif,
};
pub use schema::{KubernetesVersion, Versions};
pub use source::{
    FileId, FileRole, FileSpan, LineColumn, LineIndex, STDIN, SourceFile, Span, Workspace,
    content_hash,
};
pub use tree::{Entry, Layer, Map, Node, Number, Origin, Value};
pub use workload::security::PodSecurityLevel;
pub use yaml::{Part, PartContent, Parts, split};
