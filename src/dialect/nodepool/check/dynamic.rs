//! Checks of labels: keys that Nodepool owns, and invalid format strings.

use super::{Provider, finding};
use crate::decode::Text;
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::dialect::nodepool::dynamic_label::{Attribute, Template, TemplateFault, Unrendered};
use crate::dialect::nodepool::model::LabelModel;
use crate::dialect::nodepool::node_labels::{MANAGED, dynamic_labels};
use crate::dialect::nodepool::nodes::planned_nodes;
use crate::scalar::{check_label_value, check_qualified_name};
use crate::tree::{Map, Node};

declare_rules! {
    NODEPOOL_DYNAMIC_LABEL_INVALID = "nodepool-dynamic-label-invalid", Error, follows = [Project];
    NODEPOOL_DYNAMIC_LABEL_UNRESOLVED = "nodepool-dynamic-label-unresolved", Warning, follows = [Project];
    NODEPOOL_LABEL_CONFLICT = "nodepool-label-conflict", Error;
    NODEPOOL_REQUESTOR_MIN_READY = "nodepool-requestor-min-ready", Warning;
}

pub(super) fn check(provider: &Provider<'_>, sink: &mut Sink) {
    for (_, label) in provider.labels() {
        check_keys(label, sink);
        for (key, text) in dynamic_labels(label) {
            if let Err(fault) = Template::parse(text.as_str()) {
                sink.report(invalid_label(label, key, text, fault));
            } else if let Err(fault) = check_qualified_name(key) {
                let message = message!("key `{key}` of `dynamicLabels` {fault}");
                sink.report(
                    finding(&NODEPOOL_DYNAMIC_LABEL_INVALID, text.node(), message)
                        .at("not a valid label key"),
                );
            }
        }
        check_requestor(provider, label, sink);
    }
    check_values(provider, sink);
}

/// Reports keys that Nodepool owns, and keys in both maps.
fn check_keys(label: &LabelModel, sink: &mut Sink) {
    let labels = label.node.get("labels");
    let dynamic = label.node.get("dynamicLabels");
    for (field, map) in [("labels", labels), ("dynamicLabels", dynamic)] {
        for entry in map.map_or(&[][..], Node::entries) {
            if MANAGED.contains(&entry.key.as_str()) {
                sink.report(
                    Diagnostic::new(
                        &NODEPOOL_LABEL_CONFLICT,
                        entry.key_origin().span(),
                        message!(
                            "label `{}` sets `{}`, which Nodepool sets",
                            label.shown_name(),
                            entry.key
                        ),
                    )
                    .at("belongs to Nodepool")
                    .path(&format!("{}.{field}.{}", label.path, entry.key))
                    .note("the launcher replaces the value: it finds its nodes by this label")
                    .help("use another key"),
                );
            }
        }
    }
    let labels = Map::of(labels);
    for entry in dynamic.map_or(&[][..], Node::entries) {
        let Some(other) = labels.entry(&entry.key) else { continue };
        if other.value.is_null() {
            continue;
        }
        sink.report(
            Diagnostic::new(
                &NODEPOOL_LABEL_CONFLICT,
                entry.key_origin().span(),
                message!(
                    "label `{}` has `{}` in `labels` and in `dynamicLabels`",
                    label.shown_name(),
                    entry.key
                ),
            )
            .at("replaces the other")
            .label(other.key_origin().span(), "the other")
            .path(&format!("{}.dynamicLabels.{}", label.path, entry.key))
            .help("remove one of them"),
        );
    }
}

fn invalid_label(label: &LabelModel, key: &str, text: &Text, fault: TemplateFault) -> Diagnostic {
    let TemplateFault { message, help, unknown } = fault;
    let message = message!("dynamic label `{key}` of label `{}` {message}", label.shown_name());
    let finding = finding(&NODEPOOL_DYNAMIC_LABEL_INVALID, text.node(), message)
        .at("can never be a label value")
        .path(&format!("{}.dynamicLabels.{key}", label.path))
        .note("the launcher logs the fault and omits the label, or the API server rejects it");
    let Some(unknown) = unknown else { return finding.help(help) };
    let attributes = Attribute::ALL.iter().map(|it| it.name());
    let name = ("request.", unknown.as_str());
    finding.suggest_near_inside_or((text.span(), text.as_str()), name, attributes, || help)
}

/// Reports uses of the requestor for ready nodes: Nodepool is their requestor, under a name that is
/// not a label value.
fn check_requestor(provider: &Provider<'_>, label: &LabelModel, sink: &mut Sink) {
    let declared = provider.declared.get(label.name()).filter(|declared| declared.ready() > 0);
    let Some(declared) = declared else { return };
    for (key, text) in dynamic_labels(label) {
        let template = Template::parse(text.as_str());
        if template.is_ok_and(|it| it.uses(Attribute::Requestor)) {
            let mut diagnostic = finding(
                &NODEPOOL_REQUESTOR_MIN_READY,
                text.node(),
                message!(
                    "dynamic label `{key}` uses the requestor, but label `{}` has `minReady`",
                    label.shown_name()
                ),
            )
            .at("`NodePool:min-ready` for these nodes")
            .path(&format!("{}.dynamicLabels.{key}", label.path))
            .note("the API server rejects that value, so no node is ever kept ready")
            .help("use another attribute, or set `minReady: 0`");
            if let Some(ready) = &declared.min_ready {
                diagnostic = diagnostic.label(ready.span(), "nodes kept ready");
            }
            sink.report(diagnostic);
        }
    }
}

/// Checks the values for the requests of the nodes to compile.
fn check_values(provider: &Provider<'_>, sink: &mut Sink) {
    if provider.labels().all(|(_, label)| dynamic_labels(label).next().is_none()) {
        return;
    }
    let request = provider.settings.and_then(|settings| Some(&settings.request.as_ref()?.node));
    let nodes = planned_nodes(&provider.definition.spec, provider.pools, request);
    for node in nodes.into_iter().flatten() {
        for (key, text) in dynamic_labels(node.label) {
            let Ok(template) = Template::parse(text.as_str()) else { continue };
            let what = || format!("dynamic label `{key}` of label `{}`", node.label.shown_name());
            let path = format!("{}.dynamicLabels.{key}", node.label.path);
            match (template.render(node.request, node.label.label.name.node()), node.request) {
                (Ok(value), _) => {
                    let Err(fault) = check_label_value(&value) else { continue };
                    sink.report(
                        finding(
                            &NODEPOOL_DYNAMIC_LABEL_INVALID,
                            text.node(),
                            message!("{} is `{value}`, which {fault}", what()),
                        )
                        .at("not a valid label value")
                        .path(&path)
                        .note("the API server rejects the Namespace of such a node")
                        .help("use another attribute, or cut the value with a precision such as `:.8`"),
                    );
                }
                (Err(Unrendered::Fault(fault)), _) => {
                    sink.report(invalid_label(node.label, key, text, fault));
                }
                (Err(Unrendered::Absent(attribute)), Some(request)) => {
                    sink.report(
                        finding(
                            &NODEPOOL_DYNAMIC_LABEL_INVALID,
                            text.node(),
                            message!(
                                "{} uses `request.{}`, which the request does not have",
                                what(),
                                attribute.name()
                            ),
                        )
                        .at("has no value")
                        .label(request.span(), message!("no such `{}` here", attribute.field()))
                        .path(&path)
                        .note("the launcher writes `None`, or logs the fault and omits the label")
                        .help("add it to the request, or use another attribute"),
                    );
                }
                (Err(Unrendered::Absent(_)), None) => sink.report(
                    finding(
                        &NODEPOOL_DYNAMIC_LABEL_UNRESOLVED,
                        text.node(),
                        message!("{} depends on the request", what()),
                    )
                    .at("no value without a request")
                    .path(&path)
                    .note("the objects have the format string in an annotation, and not the label")
                    .help("set `request` of the node, or `nodepool.request` of the Project"),
                ),
            }
        }
    }
}
