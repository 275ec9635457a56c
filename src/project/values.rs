//! The values of a Project, whose keys only expressions read: they are what the author wrote.

use crate::diag::Sink;
use crate::sorted::SortedSet;
use crate::source::{Span, Workspace};
use crate::tree::{Map, Node, Value};
use crate::yaml::{self, KEY_NOT_TEXT};

/// Restores the text of keys that Kubernetes would change, and drops the findings about them.
pub(super) fn keep_keys(project: &mut Node, texts: &Workspace, sink: &mut Sink) {
    let mut kept = SortedSet::new();
    let Some(spec) = project.get_mut("spec") else { return };
    let Some(spec) = spec.as_map_mut() else { return };
    if let Some(values) = spec.get_mut("values") {
        keep(values, texts, &mut kept);
    }
    let environments = spec.get_mut("environments").and_then(Node::as_map_mut);
    for environment in environments.into_iter().flat_map(Map::fields_mut) {
        let environment = environment.value.as_map_mut();
        if let Some(values) = environment.and_then(|it| it.get_mut("values")) {
            keep(values, texts, &mut kept);
        }
    }
    sink.retain(|it| it.rule != &KEY_NOT_TEXT || !kept.contains(&it.primary.span));
}

fn keep(node: &mut Node, texts: &Workspace, kept: &mut SortedSet<Span>) {
    match &mut node.value {
        Value::Map(map) => {
            map.edit(|entries| {
                for entry in entries {
                    let place = entry.key_origin().span();
                    let written = texts.slice(place);
                    if yaml::is_changed_key(written) {
                        entry.rename(written);
                        kept.insert(place);
                    }
                    keep(&mut entry.value, texts, kept);
                }
            });
        }
        Value::List(items) => items.iter_mut().for_each(|it| keep(it, texts, kept)),
        _ => {}
    }
}
