//! References to images that no container runtime reads.

use super::{IMAGE_REFERENCE_INVALID, warn};
use crate::diag::{Diagnostic, Safety, message};
use crate::kube::PodSpec;
use crate::scalar::{ImageFault, ImageReference, Placeholder};
use crate::validate::rules::judge::{Judge, shown};

pub(super) fn check(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    for container in pod.containers() {
        let Some(node) = container.node.get("image") else { continue };
        let Some(text) = node.as_str().filter(|text| !is_replaced_later(text)) else { continue };
        let (label, advice) = match ImageReference::parse(text.trim()) {
            Ok(_) if has_placeholder(text) => {
                ("has a placeholder", Advice::Help("write the value"))
            }
            Ok(_) => continue,
            Err(fault) => advice_for(text, fault),
        };
        let message = message!("invalid image reference `{}`", shown(text));
        let finding = Diagnostic::new(&IMAGE_REFERENCE_INVALID, node.span(), message)
            .at(label)
            .note("the kubelet cannot pull it: `InvalidImageName`");
        let finding = match advice {
            Advice::Write(image) => {
                finding.write_instead(node.span(), text, &image, Safety::Unsafe)
            }
            Advice::Help(help) => finding.help(help),
        };
        warn(judge, node, finding);
    }
}

/// Whether a tool writes the reference before the object is applied, in a form of its own: `ko://`, an
/// expression, `{tag}`.
fn is_replaced_later(text: &str) -> bool {
    let is_known = || {
        let mut forms = Placeholder::first_of_each_form(text);
        Placeholder::of_shell(text).is_some() || forms.any(|form| form.opening != "{{")
    };
    text.is_empty() || text.starts_with("ko://") || text.contains(['$', '{', '%']) && !is_known()
}

/// Whether a valid reference has a placeholder. Only `__TAG__` is valid, and a repository can have a name
/// such as `a__b__c`.
fn has_placeholder(text: &str) -> bool {
    let is_capital = |placeholder: Placeholder<'_>| {
        !placeholder.variable.contains(|c: char| c.is_ascii_lowercase())
    };
    text.contains("__") && Placeholder::first_of_each_form(text).any(is_capital)
}

/// The advice for an invalid reference.
enum Advice {
    Write(String),
    Help(&'static str),
}

fn advice_for(text: &str, fault: ImageFault) -> (&'static str, Advice) {
    let is_url = text.split_once("://").filter(|(scheme, _)| !scheme.contains(['/', ':']));
    if let Some((_, rest)) = is_url {
        let is_valid = ImageReference::parse(rest).is_ok();
        let advice = if is_valid {
            Advice::Write(rest.to_owned())
        } else {
            Advice::Help("write it like `registry.example.com/team/app:1.2`")
        };
        return ("a URL", advice);
    }
    let (label, help) = match fault {
        ImageFault::UpperCase => {
            let lowered = lower_name(text);
            let is_valid = ImageReference::parse(&lowered).is_ok();
            let advice = if is_valid {
                Advice::Write(lowered)
            } else {
                Advice::Help("write it like `registry.example.com/team/app:1.2`")
            };
            return ("has uppercase letters", advice);
        }
        ImageFault::Tag if text.ends_with(':') => {
            ("empty tag", "write a tag after the colon, or remove it")
        }
        ImageFault::Tag => {
            ("invalid tag", "use at most 128 letters, digits, `_`, `.` and `-` in the tag")
        }
        ImageFault::Digest => {
            ("invalid digest", "write `sha256:` and 64 lowercase hexadecimal digits")
        }
        ImageFault::Repository => (
            "not `[host[:port]/]repository[:tag][@digest]`",
            "write it like `registry.example.com/team/app:1.2`",
        ),
    };
    (label, Advice::Help(help))
}

/// The reference with its repository in lowercase; tags keep their case.
fn lower_name(text: &str) -> String {
    let name_end = text.rfind('/').map_or(0, |at| at + 1);
    let tag_at = text.get(name_end..).and_then(|it| it.find([':', '@']));
    let end = tag_at.map_or(text.len(), |at| name_end + at);
    match text.split_at_checked(end) {
        Some((name, tag)) => name.to_lowercase() + tag,
        None => text.to_lowercase(),
    }
}
