//! The containers of a PodSpec: their presence, names and images.

use super::judge::PodJudge;
use crate::diag::{Diagnostic, Safety, declare_rules, message};
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Rejection, is_empty_list, items};
use crate::validate::rules::repeated::repeated;

declare_rules! {
    CONTAINERS_EMPTY = "containers-empty", Error, follows = [Misplaced];
    CONTAINER_NAME_INVALID = "container-name-invalid", Error;
    CONTAINER_NAME_DUPLICATE = "container-name-duplicate", Error;
    IMAGE_WITH_SPACE = "image-with-space", Error;
    EPHEMERAL_CONTAINERS_ON_CREATE = "ephemeral-containers-on-create", Error;
}

pub(super) fn check(judge: &mut PodJudge<'_>) {
    let pod = judge.pod;
    let spec = judge.pod.spec;
    if let Some(entry) = spec.entry("containers")
        && is_empty_list(&entry.value)
    {
        let text = (
            message!("{} has no container", judge.pod.object.describe()),
            "no container",
            "add a container: `- {name: main, image: ...}`",
        );
        judge.fault(&CONTAINERS_EMPTY, (entry.value.span(), (pod.spec, "containers")), text);
    }
    for container in judge.pod.containers() {
        check_names_and_image(judge, container.node);
    }
    check_duplicates(judge);
    if let Some(entry) = spec.entry("ephemeralContainers")
        && !entry.value.items().is_empty()
    {
        let finding = Diagnostic::new(
            &EPHEMERAL_CONTAINERS_ON_CREATE,
            entry.key_origin().span(),
            message!("{} has `ephemeralContainers`", judge.pod.object.describe()),
        )
        .at("not allowed on create")
        .help("remove `ephemeralContainers`; `kubectl debug` adds one to a running Pod");
        judge.report(finding, (pod.spec, "ephemeralContainers"));
    }
}

fn check_names_and_image(judge: &mut PodJudge<'_>, container: &Node) {
    if let Some((name, _)) = judge.needed_node(container, "name", Absence::BySchema) {
        let rule = (&CONTAINER_NAME_INVALID, "container name");
        judge.form(name, rule, check_dns_label, near_dns_label);
    }
    let Some(image) = judge.needed(container, "image", Absence::Here) else { return };
    // Go's `strings.TrimSpace` has the same definition of whitespace.
    if image.trim() != image
        && let Some(node) = container.get("image")
    {
        let finding = Diagnostic::new(
            &IMAGE_WITH_SPACE,
            node.span(),
            message!("image {image:?} has leading or trailing whitespace"),
        )
        .at("remove the whitespace")
        .write_instead(node.span(), image, image.trim(), Safety::Safe);
        judge.report_as(Rejection::OfPods, finding, node);
    }
}

/// Checks that names are unique over all three lists. The server checks `containers` first.
fn check_duplicates(judge: &mut PodJudge<'_>) {
    let spec = judge.pod.spec;
    let all =
        ["containers", "initContainers", "ephemeralContainers"].into_iter().flat_map(|list| {
            items(spec, list).iter().filter_map(|container| {
                let node = container.get("name")?;
                Some((node.as_str().filter(|name| !name.is_empty())?, node))
            })
        });
    repeated(all, |name, node, first| {
        let message = message!("duplicate container name `{name}`");
        let texts = (
            message,
            "duplicate name",
            "give each container of the Pod a unique name, including init containers",
        );
        judge.conflict(&CONTAINER_NAME_DUPLICATE, node, texts, (first, "first used here"));
    });
}
