//! The pipeline.

use crate::diag::{Diagnostic, Severity, Sink};
use crate::dialect::agent_sandbox::{self, ControllerLine};
use crate::emit::in_apply_order;
use crate::kube::{GroupVersionKind, Object, ObjectSet};
use crate::schema::KubernetesVersion;
use crate::source::Workspace;
use crate::tree::Node;
use crate::validate;
use crate::yaml;

/// What a run is asked to do.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The version whose API server shall accept the output.
    pub kubernetes: KubernetesVersion,
    /// The releases of agent-sandbox whose controllers run in the cluster.
    pub agent_sandbox: ControllerLine,
}

impl Options {
    /// The defaults, for a target version.
    #[must_use]
    pub const fn new(kubernetes: KubernetesVersion) -> Self {
        Self { kubernetes, agent_sandbox: ControllerLine::DEFAULT }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new(KubernetesVersion::NEWEST)
    }
}

/// What a run made: the objects in apply order, and everything there is to say about the input.
#[derive(Debug)]
pub struct Compilation {
    /// The objects, in apply order. Not to be printed where a diagnostic is an error.
    pub objects: Vec<Object>,
    /// Sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Compilation {
    /// Whether the output must not be used.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Compiles the texts of a workspace.
#[must_use]
pub fn compile(workspace: &Workspace, options: &Options) -> Compilation {
    let mut sink = Sink::new();
    let mut objects = Vec::new();
    for file in workspace.ids() {
        for document in yaml::documents(file, workspace.file(file).text(), &mut sink) {
            if document.root.is_null() {
                continue;
            }
            let text = |keys: &[&str]| document.root.str_at(keys).unwrap_or("").to_owned();
            objects.push(Object {
                gvk: GroupVersionKind::new(&text(&["apiVersion"]), &text(&["kind"])),
                name: text(&["metadata", "name"]).into(),
                namespace: text(&["metadata", "namespace"]).into(),
                root: Node::clone(&document.root),
                document: document.span,
            });
        }
    }
    let set = ObjectSet::new(&objects);
    let settings = agent_sandbox::Settings {
        line: options.agent_sandbox,
        ..agent_sandbox::Settings::default()
    };
    agent_sandbox::rules::check(&set, &settings, &mut sink);
    validate::rules::check(&set, options.kubernetes, &mut sink);
    let objects = in_apply_order(objects);
    Compilation { objects, diagnostics: sink.into_sorted() }
}
