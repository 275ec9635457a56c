//! Projected and downward API volumes.

mod certificates;

use super::env::{Reader, check_field, check_resource};
use super::judge::PodJudge;
use super::volume_sources::{file_path, files, mode};
use super::volumes::{DOWNWARD_FILE_INVALID, PROJECTION_CONFLICT, TOKEN_LIFETIME_INVALID};
use crate::diag::message;
use crate::tree::Node;
use crate::validate::rules::judge::Judge;
use crate::validate::rules::judge::{Absence, items, labelled, shown, start};
use crate::validate::rules::repeated::repeated;

/// The minimum and maximum lifetime of a token, in seconds.
const SHORTEST_LIFE: i64 = 10 * 60;
const LONGEST_LIFE: i64 = 1 << 32;

/// The sources of files.
const SOURCES: [&str; 6] = [
    "secret",
    "configMap",
    "downwardAPI",
    "serviceAccountToken",
    "clusterTrustBundle",
    "podCertificate",
];
/// The fields with the paths of certificates.
const CERTIFICATES: [(&str, &str); 4] = [
    ("clusterTrustBundle", "path"),
    ("podCertificate", "credentialBundlePath"),
    ("podCertificate", "keyPath"),
    ("podCertificate", "certificateChainPath"),
];
/// The first minor version that keeps the sources of certificates.
const BUNDLE_MINOR: u8 = 37;

pub(super) fn check(judge: &mut PodJudge<'_>, projected: &Node) {
    mode(judge, projected, "defaultMode");
    let sources = items(projected, "sources");
    for source in sources {
        check_source(judge, source);
    }
    let of_certificates = if judge.minor < BUNDLE_MINOR { &[][..] } else { &CERTIFICATES };
    let all = sources.iter().flat_map(|source| {
        let lists = ["secret", "configMap", "downwardAPI"].into_iter();
        let items_of_lists = lists
            .flat_map(|name| source.get(name).map_or(&[][..], |volume| items(volume, "items")));
        let files = items_of_lists.filter_map(|file| file.get("path"));
        let certificates =
            of_certificates.iter().filter_map(|(kind, field)| source.at(&[kind, field]));
        files.chain(certificates).filter_map(|node| Some((node.as_str()?, node)))
    });
    let paths = all.filter(|(path, _)| !path.is_empty());
    repeated(paths, |file, node, _| {
        let text = (
            message!("duplicate file path `{}` in the volume", shown(file)),
            labelled("duplicate", "give each file a unique path"),
        );
        judge.refuse(&PROJECTION_CONFLICT, (node.span(), projected), text);
    });
}

fn check_source(judge: &mut PodJudge<'_>, source: &Node) {
    let all = SOURCES.len();
    // Older servers drop the last two.
    let known = if judge.minor < BUNDLE_MINOR { all - 2 } else { all };
    let mut given = SOURCES.iter().take(known).filter_map(|name| source.entry(name));
    if let (Some(first), Some(second)) = (given.next(), given.next()) {
        let text = (
            message!("projected source has both `{}` and `{}`", first.key, second.key),
            "split it into two items of `sources`",
        );
        judge.refuse(&PROJECTION_CONFLICT, (second.key_origin().span(), source), text);
    }
    for name in ["secret", "configMap"] {
        if let Some(object) = source.get(name) {
            judge.needed(object, "name", Absence::Here);
            files(judge, object);
        }
    }
    if let Some(source) = source.get("downwardAPI") {
        downward(judge, source);
    }
    if judge.minor >= BUNDLE_MINOR {
        certificates::check(judge, source);
    }
    let Some(token) = source.get("serviceAccountToken") else { return };
    file_path(judge, token);
    check_token_life(judge, token);
}

/// Checks the lifetime of a token, if it is set.
pub(in crate::validate::rules) fn check_token_life(judge: &mut Judge<'_>, token: &Node) {
    if let Some(node) = token.get("expirationSeconds")
        && let Some(seconds) =
            node.as_i64().filter(|seconds| !(SHORTEST_LIFE..=LONGEST_LIFE).contains(seconds))
    {
        let text = (
            message!("token lifetime {seconds} is outside 600-4294967296 seconds"),
            labelled("must be from 600 to 4294967296", "write a number from 600 to 4294967296"),
        );
        judge.refuse(&TOKEN_LIFETIME_INVALID, node, text);
    }
}

/// Checks fields of the Pod as files.
pub(super) fn downward(judge: &mut PodJudge<'_>, source: &Node) {
    mode(judge, source, "defaultMode");
    for file in items(source, "items") {
        file_path(judge, file);
        mode(judge, file, "mode");
        let (of_pod, of_container) = (file.get("fieldRef"), file.get("resourceFieldRef"));
        let text = match (of_pod, of_container) {
            (Some(_), Some(_)) => "file has both `fieldRef` and `resourceFieldRef`",
            (None, None) => "file has neither `fieldRef` nor `resourceFieldRef`",
            _ => "",
        };
        if !text.is_empty() {
            let text = (text, "write one of them");
            judge.refuse(&DOWNWARD_FILE_INVALID, (start(file), file), text);
        }
        if let Some(reference) = of_pod {
            check_field(judge, reference, Reader::File);
        }
        if let Some(reference) = of_container {
            judge.needed(reference, "containerName", Absence::Here);
            check_resource(judge, reference);
        }
    }
}
