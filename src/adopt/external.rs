//! The objects of the cluster that definitions refer to: without a Project that declares them, `build`
//! would report each as an error.

use crate::compile::{Options, compile};
use crate::diag::{About, Diagnostic, Severity};
use crate::emit::emit_stream;
use crate::import::{IMPORT_PROJECT, object, projects};
use crate::kube::{Object, SharedKinds};
use crate::lower::{API_VERSION, Adoption};
use crate::scalar::KubernetesVersion;
use crate::schema::store;
use crate::sorted::SortedSet;
use crate::source::{Span, Workspace};
use crate::tree::{Node, Origin};

/// Adds a Project with the objects that are not in the input. Returns a note about it.
pub(super) fn declare(
    objects: &mut Vec<Object>,
    place: Span,
    adoption: &Adoption,
) -> Option<Diagnostic> {
    let mut workspace = Workspace::new();
    workspace.add("<import>", emit_stream(objects));
    let found = compile(&workspace, &Options::default()).diagnostics;
    let errors = found.iter().filter(|it| it.severity == Severity::Error);
    let absent = errors.filter_map(|it| match &it.details().about {
        About::AbsentObject(it) => {
            let version = api_version(&it.group, &it.kind, adoption);
            let key = [&it.kind, &it.namespace, &it.name].map(ToString::to_string);
            Some((key, version))
        }
        _ => None,
    });
    let absent: SortedSet<_> = absent.collect();
    if absent.is_empty() {
        return None;
    }
    let origin = Origin::source(place);
    let text = |it: &str| Node::string(it, origin);
    let external = absent.iter().map(|([kind, namespace, name], version)| {
        let mut item = Node::map(origin);
        if version != "v1" {
            item.set("apiVersion", text(version));
        }
        item.set("kind", text(kind));
        if !namespace.is_empty() {
            item.set("namespace", text(namespace));
        }
        item.set("name", text(name));
        item
    });
    let mut spec = Node::map(origin);
    spec.set("external", Node::list(external, origin));
    let mut metadata = Node::map(origin);
    metadata.set("name", text("imported"));
    let mut project = Node::map(origin);
    project.set("apiVersion", text(API_VERSION));
    project.set("kind", text("Project"));
    project.set("metadata", metadata);
    project.set("spec", spec);
    objects.insert(0, object(project, place, &SharedKinds::default()));
    projects::merge(objects);
    let message = "the output contains a Project with the objects that are not in the input";
    Some(
        Diagnostic::new(&IMPORT_PROJECT, place, message)
            .at("refers to objects of the cluster")
            .help("if your files have a Project, add the fields of the new one to it"),
    )
}

/// The version of a kind: that of a resource of the system, or the stable one of a built-in kind.
fn api_version(group: &str, kind: &str, adoption: &Adoption) -> String {
    if adoption.groups.contains(&group) {
        return format!("{group}/{}", adoption.version);
    }
    let of_group = |it: &&store::Kind| group.is_empty() || it.group == group;
    let is_served = |it: &&store::Kind| {
        it.versions.contains(KubernetesVersion::NEWEST) && it.is_served_by_default()
    };
    let mut kinds = store::kinds_named(kind).iter().filter(of_group).filter(is_served);
    kinds.next().map_or_else(|| "v1".to_owned(), store::Kind::api_version)
}
