//! `CSIDriver`, `CSINode` and `VolumeAttachment`, after `ValidateCSIDriver`, `ValidateCSINode` and
//! `ValidateVolumeAttachment` of Kubernetes' `pkg/apis/storage/validation`.

use super::amounts::check_amount;
use super::judge::{
    Absence, Judge, Rejection, items, labelled, shown, start, text_at, texts, value_or_owner,
};
use super::names::{NameForm, check_name, needed_name};
use super::pod::check_token_life;
use super::qualified;
use super::repeated::repeated;
use super::selectors::check_selector;
use crate::diag::{Diagnostic, declare_rules, message};
use crate::scalar::check_dns_subdomain;
use crate::sorted::SortedSet;
use crate::tree::Node;

declare_rules! {
    DRIVER_TOKENS_INVALID = "driver-tokens-invalid", Error;
    DRIVER_NAME_INVALID = "driver-name-invalid", Error;
    CSI_NODE_INVALID = "csi-node-invalid", Error;
    DRIVER_TOKENS_LOGGED = "driver-tokens-logged", Warning;
    VOLUME_ATTACHMENT_INVALID = "volume-attachment-invalid", Error;
}

/// The maximum length of a driver name, and of a driver's identifier for a node, in bytes.
const LONGEST_DRIVER: usize = 63;
const LONGEST_NODE: usize = 256;

/// The first minor version that keeps `nodeAllocatableUpdatePeriodSeconds` (`MutableCSINodeAllocatableCount`)
/// and `serviceAccountTokenInSecrets` (`CSIServiceAccountTokenSecrets`).
const SETTINGS_MINOR: u8 = 35;

/// Checks one driver. Absent fields get defaults.
pub(super) fn check_driver(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    let policies = ["ReadWriteOnceWithFSType", "File", "None"];
    judge.listed(spec, "fsGroupPolicy", &policies);
    for mode in items(spec, "volumeLifecycleModes") {
        judge.one_of(mode, "volumeLifecycleModes", &["Persistent", "Ephemeral"]);
    }
    check_tokens(judge, spec);
    if judge.minor >= SETTINGS_MINOR {
        judge.ranged(spec, "nodeAllocatableUpdatePeriodSeconds", 10..=i64::MAX);
        check_tokens_in_attributes(judge, spec);
    }
}

/// Warns as `WarningsOnCreate` of Kubernetes' `pkg/registry/storage/csidriver`.
fn check_tokens_in_attributes(judge: &mut Judge<'_>, spec: &Node) {
    let Some(entry) = spec.entry("tokenRequests").filter(|entry| !entry.value.items().is_empty())
    else {
        return;
    };
    if spec.get("serviceAccountTokenInSecrets").is_some() {
        return;
    }
    let at = entry.key_origin().span();
    let message = "the driver gets tokens in volume attributes, which are often logged";
    let finding = Diagnostic::new(&DRIVER_TOKENS_LOGGED, at, message)
        .at("requests tokens")
        .note("the API server warns: `spec.serviceAccountTokenInSecrets` is unset")
        .help("set `serviceAccountTokenInSecrets: true` if the driver supports it, or `false`");
    judge.report_as(Rejection::Never, finding, (spec, "serviceAccountTokenInSecrets"));
}

fn check_tokens(judge: &mut Judge<'_>, spec: &Node) {
    let all = items(spec, "tokenRequests");
    let mut seen = SortedSet::new();
    for request in all {
        let audience = text_at(request, &["audience"]);
        if !seen.insert(audience) {
            let text = (
                message!("duplicate token audience `{}`", shown(audience)),
                labelled("duplicate", "request one token per audience"),
            );
            let at = value_or_owner(request, "audience").span();
            judge.refuse(&DRIVER_TOKENS_INVALID, (at, (request, "audience")), text);
            continue;
        }
        check_token_life(judge, request);
    }
    let setting = "serviceAccountTokenInSecrets";
    if judge.minor >= SETTINGS_MINOR
        && all.is_empty()
        && let Some(node) = spec.get(setting)
    {
        let message = message!("`{setting}` is set without `tokenRequests`");
        let finding = Diagnostic::new(&DRIVER_TOKENS_INVALID, node.span(), message)
            .at("requires `tokenRequests`")
            .help(message!("add `tokenRequests`, or remove `{setting}`"));
        judge.report(judge.missing(finding, spec, &["tokenRequests"]), (spec, setting));
    }
}

/// Checks the drivers of one node.
pub(super) fn check_node(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    let drivers = items(spec, "drivers");
    for driver in drivers {
        check_driver_of_node(judge, driver);
    }
    let names = drivers.iter().filter_map(|driver| Some((driver.str_at(&["name"])?, driver)));
    repeated(names, |name, driver, _| {
        let text = (
            message!("duplicate driver `{}`", shown(name)),
            labelled("duplicate", "remove one of the two"),
        );
        judge.refuse(
            &CSI_NODE_INVALID,
            (driver.span(), (&judge.object.root, "spec.drivers")),
            text,
        );
    });
}

fn check_driver_of_node(judge: &mut Judge<'_>, driver: &Node) {
    check_driver_name(judge, driver, "name");
    if let Some(id) = judge.needed(driver, "nodeID", Absence::BySchema)
        && id.len() > LONGEST_NODE
    {
        let at = value_or_owner(driver, "nodeID").span();
        let text = (
            message!("`nodeID` is {} bytes long, more than {LONGEST_NODE}", id.len()),
            "write the driver's identifier of the node",
        );
        judge.refuse(&CSI_NODE_INVALID, (at, (driver, "nodeID")), text);
    }
    if let Some(allocatable) = driver.get("allocatable") {
        judge.ranged(allocatable, "count", 0..=i64::MAX);
    }
    let keys = items(driver, "topologyKeys");
    for key in keys {
        qualified::check_name(judge, key, "label key");
    }
    repeated(texts(keys), |key, node, _| {
        let text = (
            message!("duplicate label key `{}`", shown(key)),
            labelled("duplicate", "remove one of the two"),
        );
        judge.refuse(&CSI_NODE_INVALID, (node.span(), (driver, "topologyKeys")), text);
    });
}

/// Checks one attachment. The server drops its status.
pub(super) fn check_attachment(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    check_driver_name(judge, spec, "attacher");
    check_name(judge, spec.get("nodeName"), NameForm::OBJECT);
    let Some(source) = spec.get("source") else { return };
    let field = "persistentVolumeName";
    let (by_name, inline) = (source.get(field), source.get("inlineVolumeSpec"));
    if by_name.is_some() {
        needed_name(judge, source, field, Absence::BySchema, NameForm::OBJECT);
    }
    if by_name.is_none() && inline.is_none() {
        let message = "VolumeAttachment source has no volume";
        let finding = Diagnostic::new(&VOLUME_ATTACHMENT_INVALID, start(source), message)
            .at("incomplete")
            .help("add `persistentVolumeName: ...`");
        judge.report(judge.missing(finding, source, &[field]), (&judge.object.root, "spec.source"));
    }
    if by_name.is_some() && inline.is_some() {
        let text =
            ("the source of the attachment names two volumes", "keep only `persistentVolumeName`");
        judge.refuse(
            &VOLUME_ATTACHMENT_INVALID,
            (start(source), (&judge.object.root, "spec.source")),
            text,
        );
    }
}

/// Checks the name of a driver, ignoring case.
fn check_driver_name(judge: &mut Judge<'_>, owner: &Node, field: &'static str) {
    if let Some((node, name)) = judge.needed_node(owner, field, Absence::BySchema)
        && !is_driver(name)
    {
        let text = (
            message!("invalid driver name `{}`", shown(name)),
            "write the name of the CSIDriver object",
        );
        judge.refuse(&DRIVER_NAME_INVALID, node, text);
    }
}

/// Whether a string is a valid driver name (`ValidateCSIDriverName`).
pub(super) fn is_driver(name: &str) -> bool {
    name.len() <= LONGEST_DRIVER && check_dns_subdomain(&name.to_lowercase()).is_ok()
}

/// Checks the capacity that a driver publishes for a storage class.
pub(super) fn check_capacity(judge: &mut Judge<'_>) {
    let object = &judge.object.root;
    needed_name(judge, object, "storageClassName", Absence::BySchema, NameForm::OBJECT);
    check_selector(judge, object.get("nodeTopology"));
    if let Some(entry) = object.entry("capacity") {
        check_amount(judge, entry);
    }
}
