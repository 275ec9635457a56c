//! Names of signers, and `ClusterTrustBundle`, after Kubernetes' `pkg/apis/core/validation/names.go`
//! and `pkg/apis/certificates/validation`.

mod bundle;
mod der;
mod pem;

use super::judge::{Absence, Judge, shown, text_at, text_of};
use crate::diag::{declare_rules, message};
use crate::scalar::{Fault, check_dns_label, check_dns_prefix, check_dns_subdomain};
use crate::tree::Node;
pub(super) use der::Request;
pub(super) use pem::blocks;

declare_rules! {
    SIGNER_NAME_INVALID = "signer-name-invalid", Error;
    TRUST_BUNDLE_INVALID = "trust-bundle-invalid", Error;
}

/// The maximum length of the part after the `/`, in bytes.
const LONGEST_PATH: usize = 253 + 63 + 1;
/// The part before the `/` of the signers of Kubernetes.
const KUBERNETES: &str = "kubernetes.io";

/// Checks the name of a signer in `signerName`.
pub(super) fn check_name(judge: &mut Judge<'_>, owner: &Node, absence: Absence) {
    let Some(name) = judge.needed(owner, "signerName", absence) else { return };
    if let (false, Some(node)) = (is_signer(name), owner.get("signerName")) {
        let text = (
            message!("invalid signer name `{}`", shown(name)),
            "write a domain and a name: `example.com/signer`",
        );
        judge.refuse(&SIGNER_NAME_INVALID, (node.span(), (owner, "signerName")), text);
    }
}

fn is_signer(name: &str) -> bool {
    let Some((domain, rest)) = name.split_once('/').filter(|(_, rest)| !rest.contains('/')) else {
        return false;
    };
    domain.len() <= 253
        && domain.contains('.')
        && domain.split('.').all(|label| check_dns_label(label).is_ok())
        && rest.split('.').all(|part| check_dns_subdomain(part).is_ok())
        && name.len() <= 253 + 1 + LONGEST_PATH
}

/// Whether the signer is one of Kubernetes itself.
pub(super) fn is_of_kubernetes(name: &str) -> bool {
    let domain = name.split('/').next().unwrap_or(name);
    domain == KUBERNETES || domain.strip_suffix(KUBERNETES).is_some_and(|it| it.ends_with('.'))
}

/// Checks a trust bundle.
pub(super) fn check_bundle(judge: &mut Judge<'_>) {
    let object = judge.object;
    if object.gvk.version != "v1" {
        return;
    }
    let empty = Node::map(object.root.origin());
    let spec = judge.spec_or(&empty);
    let signer = text_at(spec, &["signerName"]);
    if !signer.is_empty() {
        check_name(judge, spec, Absence::BySchema);
    }
    for field in ["name", "generateName"] {
        let node = object.root.get("metadata").and_then(|it| it.get(field));
        if let Some(node) = node.filter(|node| node.as_str().is_some_and(|text| !text.is_empty())) {
            let form = if field == "name" { check_dns_subdomain } else { check_dns_prefix };
            check_bundle_name(judge, node, signer, form);
        }
    }
    let bundle = spec.get("trustBundle");
    let text = bundle.map_or("", text_of);
    let Some(fault) = bundle::fault(text) else { return };
    let at = bundle.unwrap_or(spec).span();
    let help = "write the certificates of the authorities, in PEM format";
    judge.refuse(
        &TRUST_BUNDLE_INVALID,
        (at, (&judge.object.root, "spec.trustBundle")),
        (message!("`trustBundle` {fault}"), help),
    );
}

/// Checks the name of a bundle, which starts with the name of its signer.
fn check_bundle_name(
    judge: &mut Judge<'_>,
    node: &Node,
    signer: &str,
    form: fn(&str) -> Result<(), Fault>,
) {
    let Some(name) = node.as_str() else { return };
    let (is_fine, help) = if signer.is_empty() {
        let help = "use lowercase letters, digits, `-` and `.`".into();
        (form(name).is_ok(), help)
    } else {
        let prefix = signer.replace('/', ":") + ":";
        let is_fine = name.strip_prefix(&prefix).is_some_and(|rest| form(rest).is_ok());
        (is_fine, message!("write it like `{}name`", shown(&prefix)))
    };
    if !is_fine {
        let text = (message!("invalid name `{}` of a ClusterTrustBundle", shown(name)), help);
        judge.refuse(&TRUST_BUNDLE_INVALID, node, text);
    }
}

/// Checks the name of a bundle that a volume refers to; the name of the signer is part of it.
pub(super) fn check_bundle_reference(judge: &mut Judge<'_>, owner: &Node) {
    let Some(name) = judge.needed(owner, "name", Absence::Here) else { return };
    let prefix = name.rsplit_once(':').map(|(signer, _)| signer.replace(':', "/"));
    if let Some(node) = owner.get("name") {
        let signer = prefix.unwrap_or_default();
        check_bundle_name(judge, node, &signer, check_dns_subdomain);
    }
}
