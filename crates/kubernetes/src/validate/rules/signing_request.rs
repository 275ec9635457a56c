//! `CertificateSigningRequest`, after Kubernetes' `pkg/apis/certificates/validation`. The signature
//! in the request is not verified.

use super::judge::{
    Absence, Judge, is_empty_list, items, labelled, shown, text_of, texts, value_or_start,
};
use super::repeated::repeated;
use super::signers::{self, Request};
use crate::diag::{declare_rules, message};
use crate::scalar::decode_base64;
use crate::tree::Node;

declare_rules! {
    SIGNING_REQUEST_INVALID = "signing-request-invalid", Error;
}

/// The label of the PEM block of a request.
const LABEL: &str = "CERTIFICATE REQUEST";
/// The signer of certificates for clients of the API server.
const CLIENT_SIGNER: &str = "kubernetes.io/kube-apiserver-client";
/// The group with all permissions.
const MASTERS: &[u8] = b"system:masters";
/// The signer of an older API version.
const UNKNOWN_SIGNER: &str = "kubernetes.io/legacy-unknown";

/// The minimum lifetime of a certificate, in seconds.
const SHORTEST: i64 = 10 * 60;

/// Checks one request.
pub(super) fn check(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    check_request(judge, spec);
    if spec.str_at(&["signerName"]) == Some(UNKNOWN_SIGNER)
        && let Some(node) = spec.get("signerName")
    {
        let text =
            (message!("signer `{UNKNOWN_SIGNER}` is not allowed"), "write the name of a signer");
        judge.refuse(
            &SIGNING_REQUEST_INVALID,
            (node.span(), (&judge.object.root, "spec.signerName")),
            text,
        );
    } else {
        signers::check_name(judge, spec, Absence::BySchema);
    }
    judge.ranged(spec, "expirationSeconds", SHORTEST..=i64::MAX);
    let usages = items(spec, "usages");
    if usages.is_empty() {
        let at = value_or_start(spec, "usages");
        let text = ("a certificate request has no `usages`", "write `usages: [client auth]`");
        judge.lacks_all_of(
            &SIGNING_REQUEST_INVALID,
            (at, (&judge.object.root, "spec.usages")),
            text,
            (spec, &["usages"]),
        );
    }
    let texts = texts(usages);
    for (_, node) in texts.clone().filter(|(text, _)| text.is_empty()) {
        let text = ("a usage is empty", "remove it");
        judge.refuse(&SIGNING_REQUEST_INVALID, node, text);
    }
    repeated(texts, |usage, node, _| {
        let text =
            (message!("duplicate usage `{}`", shown(usage)), labelled("duplicate", "remove it"));
        judge.refuse(&SIGNING_REQUEST_INVALID, node, text);
    });
}

/// Checks the request, and that its subject is not an administrator (admission plugin
/// `CertificateSubjectRestriction`).
fn check_request(judge: &mut Judge<'_>, spec: &Node) {
    // The decoder reads bytes from a list as well.
    let written =
        |node: &Node| node.as_str().is_some() || !node.items().is_empty() || is_empty_list(node);
    let Some(node) = spec.get("request").filter(|node| written(node)) else { return };
    let bytes = decode_base64(text_of(node));
    let text = String::from_utf8_lossy(&bytes);
    let block = signers::blocks(&text).next().filter(|block| block.label == LABEL);
    let contents = block.map(|it| it.contents).unwrap_or_default();
    let refused = match Request::read(&contents) {
        None => (
            "`request` is not a certificate request",
            "write the PEM file of the request in base64",
        ),
        Some(request)
            if spec.str_at(&["signerName"]) == Some(CLIENT_SIGNER)
                && request.organizations.contains(&MASTERS) =>
        {
            (
                "`request` is for group `system:masters`, which the signer does not allow",
                "use another group, and bind it to a role",
            )
        }
        Some(_) => return,
    };
    judge.refuse(&SIGNING_REQUEST_INVALID, node, refused);
}
