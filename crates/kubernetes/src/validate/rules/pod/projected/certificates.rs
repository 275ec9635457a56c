//! Certificates as files of a projected volume.

use crate::diag::{Rule, message};
use crate::scalar::check_file_path;
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, filled_node, shown, start};
use crate::validate::rules::pod::judge::PodJudge;
use crate::validate::rules::pod::volume_sources::file_path;
use crate::validate::rules::pod::volumes::{PROJECTION_CONFLICT, VOLUME_PATH_INVALID};
use crate::validate::rules::selectors::check_selector;
use crate::validate::rules::{pod_certificate, signers};

const CONFLICT: &Rule = &PROJECTION_CONFLICT;
const PATHS: [&str; 3] = ["credentialBundlePath", "keyPath", "certificateChainPath"];

/// Checks the trust bundle and the certificate of the Pod in a source.
pub(super) fn check(judge: &mut PodJudge<'_>, source: &Node) {
    if let Some(bundle) = source.get("clusterTrustBundle") {
        check_bundle(judge, bundle);
    }
    if let Some(certificate) = source.get("podCertificate") {
        check_certificate(judge, certificate);
    }
}

fn check_bundle(judge: &mut PodJudge<'_>, bundle: &Node) {
    let (name, signer) = (bundle.get("name"), bundle.get("signerName"));
    match (name, signer) {
        (Some(_), Some(signer)) => {
            let text =
                ("`clusterTrustBundle` has both `name` and `signerName`", "remove one of them");
            judge.refuse(CONFLICT, (signer.span(), bundle), text);
        }
        (None, None) => {
            let text = ("`clusterTrustBundle` has neither `name` nor `signerName`", "set `name`");
            let fields = (bundle, &["name", "signerName"][..]);
            judge.lacks_all_of(CONFLICT, (start(bundle), bundle), text, fields);
        }
        (Some(_), None) => {
            signers::check_bundle_reference(judge, bundle);
            if let Some(selector) = bundle.get("labelSelector") {
                let text = ("`labelSelector` is set together with `name`", "remove one of them");
                judge.refuse(CONFLICT, selector, text);
            }
        }
        (None, Some(_)) => {
            signers::check_name(judge, bundle, Absence::Here);
            check_selector(judge, bundle.get("labelSelector"));
        }
    }
    file_path(judge, bundle);
}

fn check_certificate(judge: &mut PodJudge<'_>, certificate: &Node) {
    signers::check_name(judge, certificate, Absence::BySchema);
    pod_certificate::check_annotations(judge, certificate, "userAnnotations");
    pod_certificate::check_lifetime(judge, certificate);
    let keys = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
    if judge.needed(certificate, "keyType", Absence::BySchema).is_some() {
        judge.listed(certificate, "keyType", &keys);
    }
    let mut count = 0;
    for field in PATHS {
        let Some((node, text)) = filled_node(certificate, field) else { continue };
        count += 1;
        if let Err(fault) = check_file_path(text) {
            let message = message!("path `{}` {fault}", shown(text));
            let help = "write a path relative to the root of the volume";
            judge.refuse(&VOLUME_PATH_INVALID, node, (message, help));
        }
    }
    if count == 0 {
        let text = ("`podCertificate` has no path", "set `credentialBundlePath`");
        judge.lacks_all_of(
            CONFLICT,
            (start(certificate), certificate),
            text,
            (certificate, &PATHS),
        );
    }
}
