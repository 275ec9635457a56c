//! Keys of Secrets and ConfigMaps that `envFrom` cannot set in a server, because a managed variable
//! has the name.

use super::ENV_FROM_KEY_SHADOWED;
use crate::diag::{Diagnostic, Sink};
use crate::dialect::idegym::managed::CONTAINER;
use crate::kube::{Object, ObjectSet};
use crate::lower::Setup;
use crate::scalar::KubernetesVersion;
use crate::tree::Node;

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
    let containers = object.root.at(&["spec", "template", "spec", "containers"]);
    let mut containers = containers.map_or(&[][..], Node::items).iter();
    let Some(server) = containers.find(|it| it.str_at(&["name"]) == Some(CONTAINER)) else {
        return;
    };
    let variables = server.get("env").map_or(&[][..], Node::items);
    for source in server.get("envFrom").map_or(&[][..], Node::items) {
        let prefix = source.str_at(&["prefix"]).unwrap_or_default();
        for (field, kind) in [("secretRef", "Secret"), ("configMapRef", "ConfigMap")] {
            let Some(name) = source.at(&[field, "name"]) else { continue };
            let text = name.as_str().unwrap_or_default();
            let Some(found) = set.find("", kind, &object.namespace, text) else { continue };
            for key in keys(found) {
                let variable = format!("{prefix}{key}");
                let own = variables.iter().find(|it| it.str_at(&["name"]) == Some(&variable));
                if own.is_some() {
                    sink.report(shadowed(name, kind, key, &variable, found));
                }
            }
        }
    }
}

fn keys(object: &Object) -> impl Iterator<Item = &str> {
    let maps = ["data", "binaryData", "stringData"].into_iter();
    let maps = maps.filter_map(|field| object.root.get(field));
    maps.flat_map(Node::entries).map(|entry| entry.key.as_str())
}

fn shadowed(name: &Node, kind: &str, key: &str, variable: &str, found: &Object) -> Diagnostic {
    let text = name.as_str().unwrap_or_default();
    let message = format!(
        "key `{key}` of {kind} `{text}` cannot set the variable `{variable}` of the server"
    );
    Diagnostic::new(&ENV_FROM_KEY_SHADOWED, name.span(), message)
        .at(format!("has the key `{key}`"))
        .label(found.name_span(), "defined here")
        .note("`env` takes precedence over `envFrom`, and idegym sets this variable in `env`")
        .help("use another key, or a `prefix`")
}
