//! The image of a hook or a source, and its digest.

use crate::decode::Text;
use crate::diag::{Diagnostic, Reported, Sink, declare_rules, message};
use crate::dialect::osa::identity::Role;
use crate::lower::Frame;
use crate::scalar::{ImageFault, ImageReference, check_digest};
use crate::tree::{Node, Value};

declare_rules! {
    OSA_IMAGE_INVALID = "osa-image-invalid", Error;
}

const LOWER_CASE: &str = "write the repository in lowercase";
const DIGEST: &str =
    "write the digest that the registry shows: `sha256:` and 64 lowercase hex digits";

/// The pinned image, `<image>@<digest>`, with the author's span.
///
/// # Errors
/// If image or digest are missing or invalid.
pub(in crate::dialect::osa) fn check(
    frame: &Frame,
    role: Role,
    image: Option<&Text>,
    digest: &Text,
    sink: &mut Sink,
) -> Result<Node, Reported> {
    let owner = format!("{} `{}`", role.kind(), frame.metadata().name.as_str());
    let pinned = check_digest(digest.as_str()).map_err(|_| {
        let message = message!("invalid `digest` `{}` of {owner}", digest.as_str());
        sink.error(
            Diagnostic::new(&OSA_IMAGE_INVALID, digest.span(), message)
                .at("not a digest")
                .note("the container runtime cannot pull the image: `InvalidImageName`")
                .help(DIGEST),
        )
    });
    let Some(image) = image.filter(|image| !image.as_str().is_empty()) else {
        let span = image.map_or_else(|| frame.name().span(), Text::span);
        let message = message!("{owner} has no `image`");
        return Err(sink.error(
            Diagnostic::new(&OSA_IMAGE_INVALID, span, message)
                .at("`image` is not set")
                .help("add `image: <repository>`, which `digest` is appended to"),
        ));
    };
    let text = image.as_str();
    let (fault, label, help) = match ImageReference::parse(text) {
        Ok(ImageReference { digest: None, .. }) => {
            pinned?;
            let node = image.clone().into_node();
            let pinned = format!("{text}@{}", digest.as_str());
            return Ok(node.with_value(Value::String(pinned.into())));
        }
        Ok(_) | Err(ImageFault::Digest) => {
            ("it already has a digest", "second digest", "remove the digest from `image`")
        }
        Err(ImageFault::UpperCase) => {
            ("the repository has uppercase letters", "not lowercase", LOWER_CASE)
        }
        Err(ImageFault::Repository) => {
            ("the repository is not valid", "not an image", "write `<registry>/<repository>:<tag>`")
        }
        Err(ImageFault::Tag) => (
            "the tag is not valid",
            "invalid tag",
            "write up to 128 letters, digits, `_`, `.` and `-`",
        ),
    };
    let message = message!("invalid `image` `{text}` of {owner}: {fault}");
    Err(sink.error(Diagnostic::new(&OSA_IMAGE_INVALID, image.span(), message).at(label).help(help)))
}
