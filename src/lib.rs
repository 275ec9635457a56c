//! Compiles definitions of sandboxes, templates, warm pools and claims to Kubernetes YAML that a real
//! API server accepts, and reports offline what that API server would reject.
//!
//! The library does no I/O: strings in, objects and findings out. The command `sandboxc` adds files,
//! environment and terminal; it requires the default feature `cli`. As a library, use the crate with
//! `default-features = false`.
//!
//! # Compile
//!
//! A [`Workspace`] holds the input. [`compile()`] returns the objects in apply order and the findings;
//! [`emit_stream`] prints the objects as one YAML stream, [`emit_files`] as one file each.
//!
//! ```
//! use sandboxc::{Options, Workspace, compile, emit_stream};
//!
//! let mut workspace = Workspace::new();
//! workspace.add(
//!     "dev.yaml",
//!     "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: dev}\nspec: {image: 'python:3.13'}\n",
//! );
//! let compilation = compile(&workspace, &Options::default());
//! assert!(!compilation.has_errors());
//! assert!(emit_stream(&compilation.objects).starts_with("apiVersion: agents.x-k8s.io/v1"));
//! ```
//!
//! Do not use the objects if [`Compilation::has_errors`] returns true.
//!
//! # Check
//!
//! Each [`Diagnostic`] has a [`Rule`], a [`Severity`] and a [`Span`]; [`Workspace::locate`]
//! resolves the span to a file and a position. If you only need the findings, set
//! [`Purpose::Check`].
//!
//! ```
//! use sandboxc::{Options, Purpose, Workspace, compile};
//!
//! let mut workspace = Workspace::new();
//! workspace.add("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {container: []}\n");
//! let mut options = Options::default();
//! options.purpose = Purpose::Check;
//! let [finding] = &compile(&workspace, &options).diagnostics[..] else { panic!("one finding") };
//! let span = workspace.locate(finding.primary.span);
//! let position = workspace.file(span.file).line_column(span.start);
//! assert_eq!((finding.rule.name, position.line), ("unknown-field", 4));
//! ```
//!
//! # Split
//!
//! [`split`] divides a stream into its documents by YAML's grammar, without changing a byte.
//!
//! ```
//! use sandboxc::{Workspace, split};
//!
//! let mut workspace = Workspace::new();
//! let file = workspace.add("two.yaml", "text: |\n  a\n---\nb: 2\n");
//! let parts: Vec<_> = split(&workspace, file).parts.iter().map(|part| part.text).collect();
//! assert_eq!(parts, ["text: |\n  a\n", "---\nb: 2\n"]);
//! ```
//!
//! # Walk the objects
//!
//! An [`Object`] has a [`GroupVersionKind`], a name, and a tree of [`Node`]s. [`Node::at`] follows a
//! path; [`Node::content`] is for a `match`. Each node has an [`Origin`]: the author's line, or the
//! built-in layer that set the value. Nodes implement `serde::Serialize`.
//!
//! ```
//! use sandboxc::{Options, Workspace, compile};
//!
//! let mut workspace = Workspace::new();
//! workspace.add("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {key: text}\n");
//! let compilation = compile(&workspace, &Options::default());
//! for object in &compilation.objects {
//!     assert_eq!((object.gvk().kind(), object.name()), ("ConfigMap", "a"));
//!     let data = object.root().get("data").map_or(&[][..], |it| it.entries());
//!     assert!(data.iter().any(|it| it.key() == "key" && it.value().as_str() == Some("text")));
//! }
//! ```
//!
//! # Render
//!
//! Findings render as annotated source ([`render_human`]), JSON ([`render_json`]), and as a [`Report`]
//! in each [`ReportFormat`].
//!
//! ```
//! use sandboxc::{Options, Paint, Workspace, compile, render_human};
//!
//! let mut workspace = Workspace::new();
//! workspace.add("cm.yaml", "apiVersion: v1\nkind: ConfigMap\n");
//! let findings = compile(&workspace, &Options::default()).diagnostics;
//! assert!(render_human(&workspace, &findings, Paint::Plain).contains("--> cm.yaml:"));
//! ```
//!
//! The folder `examples/` has a small program for each of these.

#![forbid(unsafe_code)]

#[cfg(any(test, fuzzing))]
use sandboxc_kubernetes::cel;
use sandboxc_kubernetes::{applying, convert, crd, kube, pod_security, schema, validate};
#[doc(hidden)]
pub use sandboxc_syntax::markup;
use sandboxc_syntax::{diag, limits, parallel, scalar, sorted, source, tree, yaml};

mod adopt;
mod collect;
mod compile;

mod decode;

mod diff;

mod dialect;
mod discovery;
mod edited;
mod effective;
mod emit;
mod expand;
mod findings;
mod fix;
mod folder;
mod format;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod graph;
pub mod ide;
mod import;
mod krm;

mod language;

mod lower;
mod merge;
mod migrate;
mod object_query;

mod project;
mod report;
mod rewrite;
pub mod rules;

mod systems;
mod test_case;
mod testing;
mod unevaluated;

mod why;
mod workload;

pub use adopt::import;
pub use collect::{CollectedCrds, CrdConflict, collect_crds};
pub use compile::{
    ApartEnvironments, Cancellation, Compilation, Judged, Options, ProjectChoice, Purpose, Stage,
    UnknownSetting, compile, compile_observed,
};
pub use diag::{
    Details, Diagnostic, FieldPath, Label, Message, MessagePart, Others, PathStep, Rule, Safety,
    Severity, Suggestion,
};
pub use diff::{
    Diff, Difference, Fate, FieldChange, ObjectAt, ObjectChange, Place, Shown, Side as DiffSide,
    UpdateFindings, check_update, diff, diff_environments, render_diff_github, render_diff_human,
    render_diff_json, render_diff_markdown,
};
pub use discovery::{Choice, Discovered, ProjectSource, Roots, Scope, World, discover};
pub use edited::{Edited, FileChange};
pub use emit::{
    EmittedFile, emit_files, emit_json_files, emit_list, emit_stream, in_apply_order,
    remarked_files, render_remarked_json, write_list, write_remarked, write_stream,
};
pub use findings::consequence::LeftOut;
pub use findings::grouping::{Grouping, group_findings};
pub use findings::levels::Level;
pub use findings::rendered::TEMPLATE_COMMENT;
pub use findings::secrecy::{mask_findings, mask_secrets};
pub use fix::{Fixed, apply_suggestion, fix};
pub use folder::{
    KUSTOMIZATION_FILES, KustomizeFile, KustomizePart, KustomizePartKind, is_remote_directory,
    is_remote_file, kustomize_parts, unrendered_changes,
};
pub use format::{Unformatted, format, format_files};
pub use graph::Graph;
pub use import::{ImportOptions, Imported, importable, write_imported};
pub use krm::{
    Action, Built, Function, FunctionConfig, ItemPart, ListResults, NotAList, ResourceList,
};
pub use kube::{GroupVersionKind, InputObject, Object, Remark, Remarks};
pub use language::{
    ExplainOptions, Unexplained, explain_field, explainable, json_schema_of, json_schema_text,
    reference,
};
pub use limits::{LARGEST_ARCHIVE, LARGEST_FILE, LARGEST_IGNORE_FILES, LARGEST_REVISION, limits};
pub use lower::{Effect, Outcome};
pub use migrate::{Migrated, migrate};
pub use object_query::{ObjectQuery, QueryError};
pub use pod_security::PodSecurityLevel;
pub use project::Applier;
pub use report::{
    Checked, GithubStep, Paint, Report, ReportFormat, RuleCount, Selection, Summary, count_by_rule,
    describe_hidden, most_important, render_github, render_github_step, render_human, render_json,
    render_junit, render_sarif, render_selection, table_of_rules,
};
pub use schema::{KubernetesVersion, Versions};
pub use source::{
    FileId, FileRole, FileSpan, GENERATED_FILES, IGNORE_FILE, LineColumn, LineIndex,
    MANIFEST_EXTENSIONS, PROJECT_FILE, STDIN, SourceFile, Span, Workspace, content_hash,
};
pub use systems::{SystemFlag, crds, system_flags, system_names, system_targets};
pub use testing::{
    CaseInputs, SnapshotChange, TestCase, TestCases, TestReport, TestResult, TestRun, TestTotals,
    render_tests_json, render_tests_junit, run_tests, test_cases,
};
pub use tree::{Content, Entry, Layer, Node, Number, Origin};
pub use why::{Annotations, Explanation, SetBy, ValueRead, explanations_to_json, why, why_all};
pub use yaml::{Part, PartContent, Parts, split};
