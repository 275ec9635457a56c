//! Keys of Secrets and ConfigMaps that `envFrom` cannot set in a server, because a managed variable
//! has the name.

use super::ENV_FROM_KEY_SHADOWED;
use crate::diag::{Diagnostic, Sink, message};
use crate::dialect::idegym::managed::CONTAINER;
use crate::kube::{Object, ObjectSet};
use crate::lower::Setup;
use crate::scalar::KubernetesVersion;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Node, items};

/// Checks the compiled servers.
pub(in crate::dialect::idegym) fn check(
    set: &ObjectSet<'_>,
    _: &Setup,
    _: KubernetesVersion,
    sink: &mut Sink,
) {
    for object in set.of_kind("apps", "Deployment") {
        let labels = ["metadata", "labels", "app.kubernetes.io/part-of"];
        if object.root.str_at(&labels) == Some("idegym") {
            check_server(set, object, sink);
        }
    }
}

fn check_server(set: &ObjectSet<'_>, object: &Object, sink: &mut Sink) {
    let Some(pod) = object.root.at(&["spec", "template", "spec"]) else { return };
    let is_server = |container: &&Node| container.str_at(&["name"]) == Some(CONTAINER);
    let Some(server) = items(pod, "containers").iter().find(is_server) else { return };
    let variables: SortedSet<_> =
        items(server, "env").iter().filter_map(|it| it.str_at(&["name"])).collect();
    let (mut objects, mut known) = (SortedMap::new(), SortedMap::new());
    for source in items(server, "envFrom") {
        let prefix = source.text_at(&["prefix"]);
        for (field, kind) in [("secretRef", "Secret"), ("configMapRef", "ConfigMap")] {
            let Some(name) = source.at(&[field, "name"]) else { continue };
            let text = name.as_str().unwrap_or_default();
            let Some(found) = set.find("", kind, &object.namespace, text) else { continue };
            // The same source can be named thousands of times.
            let keys: &Vec<_> = known.entry((kind, text, prefix)).or_insert_with(|| {
                let keys = objects.entry((kind, text)).or_insert_with(|| Keys::of(found));
                keys.shadowed_by(&variables, prefix)
            });
            for key in keys {
                if sink.is_over() {
                    return;
                }
                sink.report(shadowed_finding(name, kind, key, &format!("{prefix}{key}"), found));
            }
        }
    }
}

/// The keys of a Secret or ConfigMap.
struct Keys<'o> {
    all: Vec<&'o str>,
    positions: SortedMap<&'o str, Vec<usize>>,
}

impl<'o> Keys<'o> {
    fn of(object: &'o Object) -> Self {
        let maps = ["data", "binaryData", "stringData"].into_iter();
        let entries = maps.filter_map(|field| object.root.get(field)).flat_map(Node::entries);
        let all: Vec<_> = entries.map(|entry| entry.key.as_str()).collect();
        let mut positions: SortedMap<_, Vec<_>> = SortedMap::new();
        for (at, key) in all.iter().enumerate() {
            positions.entry(*key).or_default().push(at);
        }
        Self { all, positions }
    }

    /// Those that, after the prefix, name one of the variables, in order. Searches the keys or the
    /// variables, whichever are fewer: there can be many prefixes, and many objects.
    fn shadowed_by(&self, variables: &SortedSet<&str>, prefix: &str) -> Vec<&'o str> {
        let named = variables.starting_at(prefix).take_while(|it| it.starts_with(prefix));
        if named.clone().nth(self.all.len()).is_some() {
            let is_set = |name: &&&str| variables.contains(format!("{prefix}{name}").as_str());
            return self.all.iter().filter(is_set).copied().collect();
        }
        let keys = named.filter_map(|name| self.positions.get(name.strip_prefix(prefix)?));
        let mut found: Vec<_> = keys.flatten().copied().collect();
        found.sort_unstable();
        found.into_iter().filter_map(|at| self.all.get(at).copied()).collect()
    }
}

fn shadowed_finding(
    name: &Node,
    kind: &str,
    key: &str,
    variable: &str,
    found: &Object,
) -> Diagnostic {
    let text = name.as_str().unwrap_or_default();
    let message = message!(
        "key `{key}` of {kind} `{text}` cannot set the variable `{variable}` of the server"
    );
    Diagnostic::new(&ENV_FROM_KEY_SHADOWED, name.span(), message)
        .at(message!("has the key `{key}`"))
        .label(found.name_span(), "defined here")
        .note("`env` takes precedence over `envFrom`, and idegym sets this variable in `env`")
        .help("use another key, or a `prefix`")
}
