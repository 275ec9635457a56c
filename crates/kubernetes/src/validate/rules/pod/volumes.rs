//! The volumes of a Pod: their names, and exactly one source for each.

use std::sync::LazyLock;

use super::judge::{Carrier, PodJudge};
use super::{projected, vendor_volumes, volume_sources};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::scalar::{check_dns_label, check_dns_subdomain, near_dns_label};
use crate::schema::{Object, definition};
use crate::sorted::SortedMap;
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{Absence, items, shown};
use crate::validate::rules::repeated::repeated;

declare_rules! {
    VOLUME_NAME_INVALID = "volume-name-invalid", Error;
    VOLUME_NAME_DUPLICATE = "volume-name-duplicate", Error;
    VOLUME_SOURCE_CONFLICT = "volume-source-conflict", Error;
    VOLUME_PATH_INVALID = "volume-path-invalid", Error;
    FILE_MODE_INVALID = "file-mode-invalid", Error;
    VOLUME_SOURCE_INVALID = "volume-source-invalid", Error, follows = [Misplaced];
    DOWNWARD_FILE_INVALID = "downward-file-invalid", Error;
    PROJECTION_CONFLICT = "projection-conflict", Error;
    TOKEN_LIFETIME_INVALID = "token-lifetime-invalid", Error;
    VOLUME_CLAIM_OF_EPHEMERAL = "volume-claim-of-ephemeral", Error;
}

/// The first minor version that keeps volumes of type `image` (`ImageVolume`).
const IMAGE_MINOR: u8 = 35;

pub(super) fn check(judge: &mut PodJudge<'_>) {
    let volumes = items(judge.pod.spec, "volumes");
    let pod = judge.pod;
    let read = pod.read_volumes().map(|(_, volume)| volume);
    for volume in read.clone() {
        check_volume(judge, volume);
    }
    let names = read.filter_map(|volume| {
        let node = volume.get("name")?;
        Some((node.as_str().filter(|it| !it.is_empty())?, node))
    });
    repeated(names, |name, node, first| {
        let message = message!("duplicate volume name `{}`", shown(name));
        let texts = (message, "duplicate name", "give each volume of the Pod a unique name");
        judge.conflict(&VOLUME_NAME_DUPLICATE, node, texts, (first, "first used here"));
    });
    if judge.carrier == Carrier::Pod {
        check_claims_of_ephemeral(judge, volumes);
    }
}

static VOLUME: LazyLock<Option<&'static Object<'static>>> =
    LazyLock::new(|| definition("io.k8s.api.core.v1.Volume"));

fn check_volume(judge: &mut PodJudge<'_>, volume: &Node) {
    // Earlier servers remove such a volume and its mounts without validating them.
    if judge.minor < IMAGE_MINOR && volume.get("image").is_some() {
        return;
    }
    if let Some((name, _)) = judge.needed_node(volume, "name", Absence::BySchema) {
        let rule = (&VOLUME_NAME_INVALID, "volume name");
        judge.form(name, rule, check_dns_label, near_dns_label);
    }
    // An unknown field is not a source: the schema reports it.
    let is_known = |key: &str| VOLUME.is_none_or(|known| known.property(key).is_some());
    let fields = volume.entries().iter();
    let sources = fields
        .filter(|entry| entry.key != "name" && !entry.value.is_null() && is_known(&entry.key));
    let mut first: Option<&Entry> = None;
    for source in sources {
        if let Some(first) = first {
            let message = message!("volume has both `{}` and `{}`", first.key, source.key);
            let finding =
                Diagnostic::new(&VOLUME_SOURCE_CONFLICT, source.key_origin().span(), message)
                    .at("the second source")
                    .label(first.key_origin().span(), "the first source")
                    .help("keep one of them, or split it into two volumes");
            judge.report(finding, source);
        }
        first = first.or(Some(source));
        match source.key.as_str() {
            "projected" => projected::check(judge, &source.value),
            name => {
                volume_sources::check(judge, name, &source.value);
                vendor_volumes::check(judge, volume, source);
            }
        }
    }
}

/// Checks the claims of ephemeral volumes, which are named after the Pod and the volume.
fn check_claims_of_ephemeral(judge: &mut PodJudge<'_>, volumes: &[Node]) {
    let pod = judge.pod.object.name.as_str();
    let made = |volume: &Node| {
        let name = volume.str_at(&["name"]).filter(|name| !name.is_empty() && !pod.is_empty())?;
        volume.get("ephemeral").map(|_| format!("{pod}-{name}"))
    };
    let rule = &VOLUME_CLAIM_OF_EPHEMERAL;
    if !volumes.iter().any(|volume| volume.get("ephemeral").is_some()) {
        return;
    }
    let mut users: SortedMap<&str, Vec<(&Node, &Node)>> = SortedMap::new();
    for volume in volumes {
        let node = volume.at(&["persistentVolumeClaim", "claimName"]);
        if let Some((name, node)) = node.and_then(|node| Some((node.as_str()?, node))) {
            users.entry(name).or_default().push((volume, node));
        }
    }
    for volume in volumes {
        let Some(claim) = made(volume) else { continue };
        if let (Err(fault), Some(node)) = (check_dns_subdomain(&claim), volume.get("name")) {
            let message = message!("generated claim name `{}` {fault}", shown(&claim));
            let finding = Diagnostic::new(rule, node.span(), message)
                .at("becomes part of the claim name")
                .help("shorten the name of the Pod or the volume");
            judge.report(finding, (volume, "name"));
        }
        for (user, node) in users.get(claim.as_str()).into_iter().flatten() {
            let message =
                message!("claim `{claim}` is created for an ephemeral volume of this Pod");
            let finding = Diagnostic::new(rule, node.span(), message)
                .at("claim of another volume")
                .label(volume.span(), "creates the claim")
                .help("mount the ephemeral volume instead");
            judge.report(finding, (*user, "persistentVolumeClaim"));
        }
    }
}
