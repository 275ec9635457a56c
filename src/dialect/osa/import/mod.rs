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
    let is_runner = |it: &Node| {
        let mut entries = it.entries().iter();
        it.as_map().is_some() && entries.all(|it| ["backend", "k8s"].contains(&it.key.as_str()))
    };
    let is_variable = |key: &str| key.to_ascii_uppercase().starts_with("OSA_");
    let variables = root.get("environment").map_or(&[][..], Node::entries);
    let is_deployment = |it: &Node| {
        it.get("title").is_some() && (has_items(it, "hooks") || it.get("ingester").is_some())
    };
    root.get("apiVersion").is_none()
        && (root.get("runner").is_some_and(is_runner)
            || variables.iter().any(|it| is_variable(&it.key))
            || ["hooks", "ingesters", "conventions"].iter().any(|key| has_items(root, key))
            || is_deployment(root))
}

/// Whether there is a list of maps under the key.
fn has_items(root: &Node, key: &str) -> bool {
    root.get(key).is_some_and(|it| it.items().iter().any(|it| it.as_map().is_some()))
}

fn definitions(root: Node, cx: &mut ImportCx<'_>) -> Vec<Node> {
    let mut writer = Writer::new(root.origin());
    left_out::name(&root, cx);
    if root.get("title").is_some() {
        let deployment = read::<ConventionInput>(root, "convention", cx);
        return deployment.map(|it| writer.convention(it, cx)).unwrap_or_default();
    }
    let mut root = root;
    environment::apply(&mut root, cx.sink);
    let Some(archive) = read::<Archive>(root, "configuration", cx) else { return Vec::new() };
    let Archive { runner, environment, conventions, hooks, ingesters, .. } = archive;
    // Without either, the document only has hooks and ingesters, and the Runner is in another one.
    let default = environment.map(|_| RunnerConfig { backend: None, k8s: None });
    let runner = runner.or(default).map(|it| writer.runner(it, cx));
    let mut definitions = runner.unwrap_or_default();
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
fn read<T: Record + Field>(mut root: Node, what: &str, cx: &mut ImportCx<'_>) -> Option<T> {
    environment::read_numbers(&mut root);
    let mut findings = Sink::new();
    models::check(&root, &mut findings);
    schema::check(&root, Type::Object(T::OBJECT), &CheckContext::settings(what), &mut findings);
    let is_sound = findings.reported().is_none();
    cx.sink.absorb(findings);
    T::read(root).filter(|_| is_sound)
}
