//! Certificates as files of a projected volume.

use crate::diag::Rule;
use crate::scalar::check_file_path;
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Absence, Judging, shown, start};
use crate::validate::rules::pod::judge::Judge;
use crate::validate::rules::pod::volume_sources::file_path;
use crate::validate::rules::pod::volumes::{PROJECTION_CONFLICT, VOLUME_PATH_INVALID};
use crate::validate::rules::selectors::check_selector;
use crate::validate::rules::{pod_certificate, signers};

const CONFLICT: &Rule = &PROJECTION_CONFLICT;
const PATHS: [&str; 3] = ["credentialBundlePath", "keyPath", "certificateChainPath"];

/// Checks the trust bundle and the certificate of the Pod in a source.
pub(super) fn check(judge: &mut Judge<'_, '_>, source: &Node, path: &Path<'_>) {
    if let Some(bundle) = source.get("clusterTrustBundle") {
        check_bundle(judge, bundle, &path.field("clusterTrustBundle"));
    }
    if let Some(certificate) = source.get("podCertificate") {
        check_certificate(judge, certificate, &path.field("podCertificate"));
    }
}

fn check_bundle(judge: &mut Judge<'_, '_>, bundle: &Node, path: &Path<'_>) {
    let (name, signer) = (bundle.get("name"), bundle.get("signerName"));
    match (name, signer) {
        (Some(_), Some(signer)) => {
            let text =
                ("`clusterTrustBundle` has both `name` and `signerName`", "remove one of them");
            judge.refuse(CONFLICT, signer.span(), text, path);
        }
        (None, None) => {
            let text = ("`clusterTrustBundle` has neither `name` nor `signerName`", "set `name`");
            let fields = (bundle, &["name", "signerName"][..]);
            judge.lacks_all_of(CONFLICT, start(bundle), text, fields, path);
        }
        (Some(_), None) => {
            signers::check_bundle_reference(judge, bundle, path);
            if let Some(selector) = bundle.get("labelSelector") {
                let text = ("`labelSelector` is set together with `name`", "remove one of them");
                judge.refuse(CONFLICT, selector.span(), text, &path.field("labelSelector"));
            }
        }
        (None, Some(_)) => {
            signers::check_name(judge, bundle, Absence::Here, path);
            if let Some(selector) = bundle.get("labelSelector") {
                check_selector(judge, selector, &path.field("labelSelector"));
            }
        }
    }
    file_path(judge, bundle, path);
}

fn check_certificate(judge: &mut Judge<'_, '_>, certificate: &Node, path: &Path<'_>) {
    signers::check_name(judge, certificate, Absence::BySchema, path);
    pod_certificate::check_annotations(judge, certificate, "userAnnotations", path);
    pod_certificate::check_lifetime(judge, certificate, path);
    let keys = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
    if judge.needed(certificate, "keyType", Absence::BySchema, path).is_some() {
        judge.listed(certificate, "keyType", &keys, path);
    }
    let mut count = 0;
    for field in PATHS {
        let Some(node) = certificate.get(field) else { continue };
        let Some(text) = node.as_str().filter(|it| !it.is_empty()) else { continue };
        count += 1;
        if let Err(fault) = check_file_path(text) {
            let message = format!("path `{}` {fault}", shown(text));
            let help = "write a path relative to the root of the volume";
            judge.refuse(&VOLUME_PATH_INVALID, node.span(), (message, help), &path.field(field));
        }
    }
    if count == 0 {
        let text = ("`podCertificate` has no path", "set `credentialBundlePath`");
        judge.lacks_all_of(CONFLICT, start(certificate), text, (certificate, &PATHS), path);
    }
}
