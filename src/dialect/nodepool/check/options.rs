//! Compatibility of the options of a label.

use super::{Provider, finding};
use crate::decode::ChoiceValues as _;
use crate::diag::{Diagnostic, Message, Sink, declare_rules, headlined, message};
use crate::dialect::nodepool::model::LabelModel;
use crate::dialect::nodepool::node_label::NodeType;
use crate::dialect::nodepool::node_pool::Driver;
use crate::tree::{Entry, Node};

declare_rules! {
    NODEPOOL_DRIVER_CONFLICT = "nodepool-driver-conflict", Error;
    NODEPOOL_OPTION_WITHOUT_POD = "nodepool-option-without-pod", Warning;
    NODEPOOL_SHELL_TYPE = "nodepool-shell-type", Warning;
    NODEPOOL_SPEC_CONFLICT = "nodepool-spec-conflict", Error;
}

/// The options of a label with `spec`. `security` is not Nodepool's: the spec is only checked
/// against it.
const WITH_SPEC: [&str; 7] =
    ["annotations", "dynamicLabels", "labels", "name", "security", "spec", "type"];
/// The options of a label of type `namespace` or `project`: those that count for its quota, and those that Zuul
/// reads.
const WITHOUT_POD: [&str; 8] = [
    "dynamicLabels",
    "extraResources",
    "labels",
    "name",
    "pythonPath",
    "resources",
    "shellType",
    "type",
];
const SHELLS: [&str; 5] = ["cmd", "csh", "fish", "powershell", "sh"];
const WINDOWS_SHELLS: [&str; 2] = ["cmd", "powershell"];

pub(super) fn check(provider: &Provider<'_>, sink: &mut Sink) {
    check_driver(provider, sink);
    for (_, label) in provider.labels() {
        match label.node.entry("spec") {
            spec if !label.node_type().is_pod() => report_options_without_pod(label, spec, sink),
            Some(spec) => report_options_with_spec(label, spec, sink),
            None => {}
        }
        check_shell(label, sink);
    }
}

/// Reports types of nodes that the driver does not have, and settings for objects that it does not create.
fn check_driver(provider: &Provider<'_>, sink: &mut Sink) {
    let spec = &provider.definition.spec;
    let driver = spec.driver();
    let name = driver.as_str();
    for (_, label) in provider.labels() {
        let (node_type, types) = (label.node_type(), driver.node_types());
        if types.contains(&node_type) {
            continue;
        }
        let written = &label.label.node_type;
        let instead = types.last().map_or("pod", |it| it.as_str());
        sink.report(
            Diagnostic::new(
                &NODEPOOL_DRIVER_CONFLICT,
                written.span(),
                message!("the driver `{name}` has no nodes of type `{}`", node_type.as_str()),
            )
            .at("not a type of this driver")
            .path(&format!("{}.type", label.path))
            .note(match driver {
                Driver::Kubernetes => "the launcher creates a Pod for any type but `namespace`",
                Driver::OpenShift => "the launcher creates a Project for any type but `pod`",
                Driver::OpenShiftPods => "each node is a Pod in the Project of its pool",
            })
            .help(message!("write `type: {instead}`")),
        );
    }
    let role = spec.launcher_role.as_ref().filter(|_| driver != Driver::Kubernetes);
    let quota = spec.resource_quota.as_ref().filter(|_| driver == Driver::OpenShiftPods);
    for (field, flag, note) in [
        ("launcherRole", role, "the role is only known for `kubernetes`"),
        ("resourceQuota", quota, "all nodes of a pool share its Project"),
    ] {
        let Some(flag) = flag.filter(|flag| flag.is_set()) else { continue };
        sink.report(
            finding(
                &NODEPOOL_DRIVER_CONFLICT,
                flag.node(),
                message!("`{field}` is not available with the driver `{name}`"),
            )
            .at("not available")
            .path(field)
            .note(note)
            .help("remove it"),
        );
    }
}

impl Driver {
    /// The types of nodes, that with a Pod first.
    const fn node_types(self) -> &'static [NodeType] {
        match self {
            Self::Kubernetes => &[NodeType::Pod, NodeType::Namespace],
            Self::OpenShift => &[NodeType::Pod, NodeType::Project],
            Self::OpenShiftPods => &[NodeType::Pod],
        }
    }
}

/// The author's entries with a value, outside of `allowed`.
fn entries_outside<'n>(label: &'n LabelModel, allowed: &[&str]) -> Vec<&'n Entry> {
    let entries = label.node.entries().iter().filter(|entry| !entry.value.is_null());
    entries.filter(|entry| !allowed.contains(&entry.key.as_str())).collect()
}

fn report_options_with_spec(label: &LabelModel, spec: &Entry, sink: &mut Sink) {
    let others = entries_outside(label, &WITH_SPEC);
    let Some((first, rest)) = others.split_first() else { return };
    let names = headlined(others.iter().map(|other| other.key.as_str()));
    let mut diagnostic = Diagnostic::new(
        &NODEPOOL_SPEC_CONFLICT,
        first.key_origin().span(),
        message!("label `{}` has {names} and `spec`", label.shown_name()),
    )
    .at("not allowed with `spec`")
    .label(spec.key_origin().span(), "the whole spec of the Pod")
    .path(&format!("{}.{}", label.path, first.key))
    .note("the launcher ignores these options when a label has `spec`")
    .help(
        "move them into `spec`; only `name`, `type`, `labels`, `dynamicLabels`, `annotations` and \
         `security` are allowed with it",
    );
    for other in rest {
        diagnostic = diagnostic.label(other.key_origin().span(), "not allowed with `spec`");
    }
    sink.report(diagnostic);
}

fn report_options_without_pod(label: &LabelModel, spec: Option<&Entry>, sink: &mut Sink) {
    let node_type = label.label.node_type.span();
    if let Some(spec) = spec {
        sink.report(
            Diagnostic::new(
                &NODEPOOL_SPEC_CONFLICT,
                spec.key_origin().span(),
                message!(
                    "label `{}` of type `{}` has `spec`",
                    label.shown_name(),
                    label.node_type().as_str()
                ),
            )
            .at("never used")
            .label(node_type, label.node_type().without_pod())
            .path(&format!("{}.spec", label.path))
            .note("the launcher ignores it and creates no Pod")
            .help("write `type: pod`, or remove `spec`"),
        );
    }
    let mut allowed = WITHOUT_POD.to_vec();
    allowed.push("spec");
    let others = entries_outside(label, &allowed);
    let Some((first, rest)) = others.split_first() else { return };
    let names = headlined(others.iter().map(|other| other.key.as_str()));
    let verb = if others.len() == 1 { "has" } else { "have" };
    let mut diagnostic = Diagnostic::new(
        &NODEPOOL_OPTION_WITHOUT_POD,
        first.key_origin().span(),
        message!("{names} {verb} no effect on label `{}`, which has no Pod", label.shown_name()),
    )
    .at("only for a Pod")
    .label(node_type, label.node_type().without_pod())
    .path(&format!("{}.{}", label.path, first.key))
    .help("remove it, or write `type: pod`");
    for other in rest {
        diagnostic = diagnostic.label(other.key_origin().span(), "only for a Pod");
    }
    sink.report(diagnostic);
}

fn check_shell(label: &LabelModel, sink: &mut Sink) {
    let Some(shell) = &label.label.shell_type else { return };
    let text = shell.as_str();
    let report = |message: Message, mark: &'static str, help: &'static str| {
        finding(&NODEPOOL_SHELL_TYPE, shell.node(), message)
            .at(mark)
            .path(&format!("{}.shellType", label.path))
            .help(help)
    };
    if !SHELLS.contains(&text) {
        sink.report(
            report(
                message!("unknown shell type `{text}`"),
                "not a shell type of Ansible",
                "use `sh`, `csh`, `fish`, `cmd` or `powershell`",
            )
            .note("Ansible requires a plugin with this name; allow the finding if it is installed"),
        );
    } else if WINDOWS_SHELLS.contains(&text)
        && label.node_type().is_pod()
        && !runs_on_windows(&label.node)
    {
        sink.report(
            report(
                message!("shell type `{text}` on a node that does not select Windows"),
                "a shell of Windows",
                "add `nodeSelector: {kubernetes.io/os: windows}`, or remove `shellType`",
            )
            .note("Kubernetes can place the Pod on a Linux node, which has no such shell"),
        );
    }
}

fn runs_on_windows(label: &Node) -> bool {
    let os = label.get("nodeSelector").and_then(|it| it.get("kubernetes.io/os"));
    let declared = label.str_at(&["podOverrides", "os", "name"]);
    os.and_then(Node::as_str) == Some("windows") || declared == Some("windows")
}
