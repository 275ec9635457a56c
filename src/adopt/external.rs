//! The objects of the cluster that definitions refer to: without a Project that declares them, `build`
//! would report each as an error.

use crate::compile::{Options, compile};
use crate::diag::{About, Severity};
use crate::dialect::setups;
use crate::emit::emit_stream;
use crate::import::object;
use crate::import::projects::{self, is_project};
use crate::kube::{Object, SharedKinds};
use crate::lower::{API_GROUP, Setup, imported_project};
use crate::scalar::KubernetesVersion;
use crate::schema::store;
use crate::sorted::SortedSet;
use crate::source::{Span, Workspace};
use crate::tree::{Node, Origin};

/// The maximum number of compilations: a missing object can hide another one.
const ROUNDS: usize = 3;

/// Declares the objects that are not in the input in a Project, a new one or that of the import. Returns
/// whether there are any.
pub(super) fn declare(objects: &mut Vec<Object>, place: Span) -> bool {
    let mut is_changed = false;
    for _ in 0..ROUNDS {
        let absent = absent_objects(objects);
        if absent.is_empty() {
            break;
        }
        is_changed = true;
        let origin = Origin::source(place);
        let external = absent.into_iter().map(|it| item(it, origin));
        let mut spec = Node::map(origin);
        spec.set("external", Node::list(external, origin));
        let project = object(imported_project(spec, origin), place, &SharedKinds::default());
        let at = if objects.iter().any(is_project) { objects.len() } else { 0 };
        objects.insert(at, project);
        projects::merge(objects);
    }
    is_changed
}

/// Kind, namespace, name and version of an object.
type Absent = ([String; 3], String);

/// The objects to which references of the built objects are errors.
fn absent_objects(objects: &[Object]) -> SortedSet<Absent> {
    let mut workspace = Workspace::new();
    workspace.add("<import>", emit_stream(objects));
    let found = compile(&workspace, &Options::default()).diagnostics;
    let errors = found.iter().filter(|it| it.severity == Severity::Error);
    let nowhere = Origin::source(workspace.start());
    let setups = setups(&Node::map(nowhere), &[], nowhere);
    let absent = errors.filter_map(|it| match &it.details().about {
        // A definition without objects of its own, such as a Runner, cannot be in the cluster.
        About::AbsentObject(it) if it.group != API_GROUP => {
            let version = api_version(&it.group, &it.kind, &setups);
            Some(([&it.kind, &it.namespace, &it.name].map(ToString::to_string), version))
        }
        _ => None,
    });
    absent.collect()
}

/// The item of `external` for an object.
fn item(([kind, namespace, name], version): Absent, origin: Origin) -> Node {
    let text = |it: String| Node::string(it, origin);
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
}

/// The version of a kind: that of a resource of the system, or the stable one of a built-in kind.
fn api_version(group: &str, kind: &str, setups: &[Setup]) -> String {
    let systems = setups.iter().filter_map(|setup| (setup.dialect.custom_resources)(setup));
    let mut owners = systems.filter(|system| system.names().any(|known| known == (group, kind)));
    if let Some(system) = owners.next() {
        return format!("{group}/{}", system.current_version(kind));
    }
    let of_group = |it: &&store::Kind| group.is_empty() || it.group == group;
    let is_served = |it: &&store::Kind| {
        it.versions.contains(KubernetesVersion::NEWEST) && it.is_served_by_default()
    };
    let mut kinds = store::kinds_named(kind).iter().filter(of_group).filter(is_served);
    kinds.next().map_or_else(|| "v1".to_owned(), store::Kind::api_version)
}
