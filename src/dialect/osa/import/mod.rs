//! `import`: converts the configuration of an archive, with its hooks and ingesters, to
//! definitions.

mod environment;
mod input;
mod left_out;
mod models;
#[cfg(test)]
mod tests;
mod writer;

use input::{Archive, ConventionInput, RunnerConfig};
use writer::Writer;

use crate::decode::{Field, Record};
use crate::diag::Sink;
use crate::lower::{Import, ImportCx};
use crate::schema::{self, CheckContext, Type};
use crate::tree::Node;

/// The import of an archive's configuration.
pub(super) const IMPORT: Import = Import {
    what: "the configuration of an Open Science Archive",
    recognizes,
    definitions,
    is_pyyaml: true,
};

/// Recognizes the configuration of an archive. A document with an `apiVersion` is a Kubernetes
/// object.
fn recognizes(root: &Node) -> bool {
    let is_runner = |node: &Node| {
        let mut entries = node.entries().iter();
        node.as_map().is_some()
            && entries.all(|entry| ["backend", "k8s"].contains(&entry.key.as_str()))
    };
    let is_variable = |key: &str| key.to_ascii_uppercase().starts_with("OSA_");
    let variables = root.get("environment").map_or(&[][..], Node::entries);
    let is_deployment = |node: &Node| {
        node.get("title").is_some() && (has_items(node, "hooks") || node.get("ingester").is_some())
    };
    root.get("apiVersion").is_none()
        && (root.get("runner").is_some_and(is_runner)
            || variables.iter().any(|variable| is_variable(&variable.key))
            || ["hooks", "ingesters", "conventions"].iter().any(|key| has_items(root, key))
            || is_deployment(root))
}

/// Whether there is a list of maps under the key.
fn has_items(root: &Node, key: &str) -> bool {
    root.get(key).is_some_and(|list| list.items().iter().any(|item| item.as_map().is_some()))
}

fn definitions(mut root: Node, cx: &mut ImportCx<'_>) -> Vec<Node> {
    let mut writer = Writer::new(root.origin());
    left_out::report(&root, cx);
    if root.get("title").is_some() {
        return match read_checked::<ConventionInput>(root, "convention", cx) {
            Some(deployment) => writer.convention(deployment, cx),
            None => Vec::new(),
        };
    }
    environment::apply(&mut root, cx.sink);
    let Some(archive) = read_checked::<Archive>(root, "configuration", cx) else {
        return Vec::new();
    };
    let Archive { runner, environment, conventions, hooks, ingesters, .. } = archive;
    // Without either, the document only has hooks and ingesters, and the Runner is in another one.
    let default = environment.map(|_| RunnerConfig { backend: None, k8s: None });
    let mut definitions = Vec::new();
    if let Some(runner) = runner.or(default) {
        definitions.extend(writer.runner(runner, cx));
    }
    for convention in conventions.into_iter().flat_map(|it| it.items) {
        definitions.extend(writer.convention(convention, cx));
    }
    for hook in hooks.into_iter().flat_map(|it| it.items) {
        definitions.extend(writer.hook(hook, cx));
    }
    for ingester in ingesters.into_iter().flat_map(|it| it.items) {
        definitions.extend(writer.source(ingester, None, cx));
    }
    definitions
}

/// Checks a document against its type, and reads it.
fn read_checked<T: Record + Field>(mut root: Node, what: &str, cx: &mut ImportCx<'_>) -> Option<T> {
    environment::read_numbers(&mut root);
    let mut findings = Sink::new();
    models::check(&root, &mut findings);
    schema::check(&root, Type::Object(T::OBJECT), &CheckContext::settings(what), &mut findings);
    let is_sound = findings.reported().is_none();
    cx.sink.absorb(findings);
    T::read(root).filter(|_| is_sound)
}
