//! `PodCertificateRequest`, after Kubernetes' `pkg/apis/certificates/validation`. The signature in
//! the request is not verified.

use super::judge::{Absence, Judge, entries, filled, filled_text, shown, start};
use super::names::{NameForm, needed_name};
use super::signers::{self, Request};
use super::signing_request::SIGNING_REQUEST_INVALID;
use crate::diag::message;
use crate::scalar::{check_qualified_name, decode_base64};
use crate::tree::Node;

/// The minimum lifetime of a certificate, in seconds.
const SHORTEST: i64 = 60 * 60;
/// The maximum lifetime of a certificate, in seconds.
const LONGEST: i64 = 91 * 24 * 60 * 60;
/// The same for the signers of Kubernetes.
const LONGEST_OF_KUBERNETES: i64 = 24 * 60 * 60;
/// The maximum length of a UID, in bytes.
const LONGEST_UID: usize = 128;

/// Checks one request.
pub(super) fn check(judge: &mut Judge<'_>) {
    if judge.object.gvk.version != "v1" {
        return;
    }
    let empty = Node::map(judge.object.root.origin());
    let spec = judge.spec_or(&empty);
    signers::check_name(judge, spec, Absence::BySchema);
    check_annotations(judge, spec, "unverifiedUserAnnotations");
    for field in ["podName", "serviceAccountName", "nodeName"] {
        needed_name(judge, spec, field, Absence::BySchema, NameForm::OBJECT);
    }
    for field in ["podUID", "serviceAccountUID", "nodeUID"] {
        let uid = judge.needed(spec, field, Absence::BySchema);
        if let (Some(LONGEST_UID..), Some(node)) = (uid.map(|uid| uid.len() - 1), spec.get(field)) {
            let text = (message!("`{field}` is longer than {LONGEST_UID} bytes"), "shorten it");
            judge.refuse(&SIGNING_REQUEST_INVALID, node, text);
        }
    }
    check_lifetime(judge, spec);
    let is_set = |field: &str| filled_text(spec, field).is_some();
    let request = filled(spec, "stubPKCS10Request");
    if let Some((node, text)) = request.and_then(|node| Some((node, node.as_str()?)))
        && Request::read(&decode_base64(text)).is_none()
    {
        let text = (
            "`stubPKCS10Request` is not a PKCS #10 request",
            "write the DER file of the request in base64",
        );
        judge.refuse(
            &SIGNING_REQUEST_INVALID,
            (node.span(), (&judge.object.root, "spec.stubPKCS10Request")),
            text,
        );
    }
    let fields = ["stubPKCS10Request", "pkixPublicKey", "proofOfPossession"];
    if !matches!(fields.map(is_set), [true, false, false] | [false, true, true]) {
        let text =
            ("a PodCertificateRequest has no request, or more than one", "set `stubPKCS10Request`");
        judge.lacks_all_of(
            &SIGNING_REQUEST_INVALID,
            (start(spec), (&judge.object.root, "spec")),
            text,
            (spec, &fields),
        );
    }
}

/// Checks the lifetime of a certificate, if it is set.
pub(super) fn check_lifetime(judge: &mut Judge<'_>, owner: &Node) {
    let is_of_kubernetes = owner.str_at(&["signerName"]).is_some_and(signers::is_of_kubernetes);
    let longest = if is_of_kubernetes { LONGEST_OF_KUBERNETES } else { LONGEST };
    judge.ranged(owner, "maxExpirationSeconds", SHORTEST..=longest);
}

/// Checks the annotations for the signer: their keys have a domain.
pub(super) fn check_annotations(judge: &mut Judge<'_>, owner: &Node, field: &str) {
    for entry in entries(owner, field) {
        let key = entry.key.to_lowercase();
        if check_qualified_name(&key).is_err() || !key.contains('/') {
            let message =
                message!("invalid key `{}` of an annotation for the signer", shown(&entry.key));
            let at = entry.key_origin().span();
            let text = (message, "must have a domain", "write it like `example.com/name`");
            judge.fault(&SIGNING_REQUEST_INVALID, (at, (owner, field)), text);
        }
    }
}
