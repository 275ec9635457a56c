//! Checks of Pods that start but probably not as intended.

use super::{Provider, finding};
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::dialect::nodepool::model::LabelModel;
use crate::dialect::nodepool::node_pool::Driver;
use crate::dialect::nodepool::sizes::amount;
use crate::sorted::SortedSet;
use crate::tree::{Node, items};

declare_rules! {
    NODEPOOL_LIMIT_WITHOUT_REQUEST = "nodepool-limit-without-request", Warning;
    NODEPOOL_PRIVILEGED_NAMESPACE = "nodepool-privileged-namespace", Warning;
    NODEPOOL_SHELL_MISSING = "nodepool-shell-missing", Warning;
    NODEPOOL_TOKEN_MOUNTED = "nodepool-token-mounted", Warning;
    NODEPOOL_UNIT_SUSPICIOUS = "nodepool-unit-suspicious", Warning;
    NODEPOOL_VOLUME_UNMOUNTED = "nodepool-volume-unmounted", Warning;
}

/// The label of a Namespace with its Pod Security level.
const ENFORCE: &str = "pod-security.kubernetes.io/enforce";
/// The factor between MiB and GiB, or MiB and KiB.
const FACTOR: i128 = 1024;

pub(super) fn check(provider: &Provider<'_>, sink: &mut Sink) {
    for (pool, label) in provider.labels() {
        let default = pool.pool.default_resources.as_ref().map(|it| &it.node);
        check_units(label, default, sink);
        if !label.node_type().is_pod() {
            continue;
        }
        // OpenShift admits Pods by their ServiceAccount, not by labels of the Namespace.
        if pool.driver == Driver::Kubernetes {
            check_privileged(label, sink);
        }
        if let Some(spec) = &label.label.spec {
            check_shell(label, &spec.node, sink);
            check_token(label, &spec.node, sink);
        } else {
            check_limits(label, sink);
            check_volumes(label, sink);
        }
    }
}

/// Reports a limit without a request: Kubernetes requests the limit, but the launcher counts
/// nothing.
fn check_limits(label: &LabelModel, sink: &mut Sink) {
    let Some(resources) = &label.resources else { return };
    let requests = resources.get("requests").map_or(&[][..], Node::entries).iter();
    let requested: SortedSet<_> = requests.map(|entry| entry.key.as_str()).collect();
    for entry in resources.get("limits").map_or(&[][..], Node::entries) {
        if requested.contains(entry.key.as_str()) {
            continue;
        }
        sink.report(
            finding(
                &NODEPOOL_LIMIT_WITHOUT_REQUEST,
                &entry.value,
                message!("label `{}` has a limit but no request for `{}`", label.shown_name(), entry.key),
            )
            .at("counts as 0 for the quota")
            .path(&format!("{}.resources", label.path))
            .note("the API server sets the request to the limit, but the launcher only counts requests")
            .help("add a request"),
        );
    }
}

/// Reports a privileged Pod in a Namespace without a level: the API server rejects it if the
/// cluster has a stricter default, as most have.
fn check_privileged(label: &LabelModel, sink: &mut Sink) {
    if ["labels", "dynamicLabels"].iter().any(|map| label.node.at(&[map, ENFORCE]).is_some()) {
        return;
    }
    let spec = label.label.spec.iter();
    let containers = spec.flat_map(|spec| {
        ["initContainers", "containers"].into_iter().flat_map(|list| items(&spec.node, list))
    });
    let of_spec = containers.filter_map(|it| it.at(&["securityContext", "privileged"]));
    let mut flags = label.node.get("privileged").into_iter().chain(of_spec);
    let Some(privileged) = flags.find(|flag| flag.as_bool() == Some(true)) else { return };
    sink.report(
        finding(
            &NODEPOOL_PRIVILEGED_NAMESPACE,
            privileged,
            message!(
                "privileged Pod of label `{}` in a Namespace without a Pod Security level",
                label.shown_name()
            ),
        )
        .at("privileged")
        .path(&label.path)
        .note("a cluster with a default level rejects the Pod")
        .help(message!("add `{ENFORCE}: privileged` to `labels` of the label")),
    );
}

/// Checks the first container, in which Zuul runs commands, so that it must run as long as a job.
fn check_shell(label: &LabelModel, spec: &Node, sink: &mut Sink) {
    let Some(first) = items(spec, "containers").first() else { return };
    // With open standard input, the shell of an image waits forever.
    let waits = first.get("stdin").and_then(Node::as_bool) == Some(true);
    if waits || first.get("command").is_some() || first.get("args").is_some() {
        return;
    }
    let place = first.get("name").unwrap_or(first);
    sink.report(
        finding(
            &NODEPOOL_SHELL_MISSING,
            place,
            message!(
                "first container `{}` of label `{}` has no `command` and no `args`",
                first.text_at(&["name"]),
                label.shown_name()
            ),
        )
        .at("jobs run here")
        .path(&format!("{}.spec.containers[0]", label.path))
        .note("Zuul runs each command of a job in the first container, which needs a shell and must not exit")
        .help("add a command that does not end, such as `command: [sleep, infinity]`"),
    );
}

/// Reports a Pod without a ServiceAccount, which has the token of `default`; Zuul's own account is
/// another one.
fn check_token(label: &LabelModel, spec: &Node, sink: &mut Sink) {
    let says = ["serviceAccountName", "serviceAccount", "automountServiceAccountToken"];
    if says.iter().any(|key| spec.get(key).is_some()) {
        return;
    }
    sink.report(
        Diagnostic::new(
            &NODEPOOL_TOKEN_MOUNTED,
            label.node.entry("spec").map_or_else(|| spec.span(), |entry| entry.key_origin().span()),
            message!(
                "the Pod of label `{}` has the token of the ServiceAccount `default`",
                label.shown_name()
            ),
        )
        .at("does not name a ServiceAccount")
        .path(&format!("{}.spec", label.path))
        .note("`zuul-worker` is the account of Zuul, not of the Pod")
        .help("add `automountServiceAccountToken: false`, or `serviceAccountName`"),
    );
}

/// Reports a volume that no container mounts.
fn check_volumes(label: &LabelModel, sink: &mut Sink) {
    if label.node.get("initContainers").is_some()
        || label.node.at(&["podOverrides", "containers"]).is_some()
    {
        return;
    }
    let mounts = items(&label.node, "volumeMounts").iter();
    let mounted: SortedSet<_> = mounts.filter_map(|it| it.str_at(&["name"])).collect();
    for volume in items(&label.node, "volumes") {
        let Some(name) = volume.get("name") else { continue };
        let Some(text) = name.as_str().filter(|text| !mounted.contains(text)) else { continue };
        sink.report(
            finding(
                &NODEPOOL_VOLUME_UNMOUNTED,
                name,
                message!("volume `{text}` of label `{}` is not mounted", label.shown_name()),
            )
            .at("no mount has this name")
            .path(&format!("{}.volumes", label.path))
            .help("add it to `volumeMounts`, or remove it"),
        );
    }
}

/// Reports a size of a label that is 1024 times the pool's default, or a 1024th of it.
fn check_units<'n>(label: &'n LabelModel, default: Option<&'n Node>, sink: &mut Sink) {
    let own = label.node.get("resources");
    for resource in ["memory", "ephemeral-storage"] {
        for list in ["requests", "limits"] {
            let node = |resources: Option<&'n Node>| resources?.get(list)?.get(resource);
            let (Some(node), Some(other)) = (node(own), node(default)) else { continue };
            let (Some(size), Some(usual)) = (amount(node), amount(other)) else { continue };
            let (size, usual) = (size.billionths(), usual.billionths());
            let is_far = size != 0
                && usual != 0
                && (size.checked_mul(FACTOR) == Some(usual)
                    || usual.checked_mul(FACTOR) == Some(size));
            if is_far {
                let factor = if size > usual { "1024 times" } else { "1/1024 of" };
                sink.report(
                    finding(
                        &NODEPOOL_UNIT_SUSPICIOUS,
                        node,
                        message!(
                            "`{resource}` of label `{}` is {factor} the default of its pool",
                            label.shown_name()
                        ),
                    )
                    .at("probably the wrong unit")
                    .label(other.span(), "the default")
                    .path(&format!("{}.resources.{list}.{resource}", label.path))
                    .note("a `nodepool.yaml` has memory in MiB and storage in MB")
                    .help("check the unit"),
                );
            }
        }
    }
}
