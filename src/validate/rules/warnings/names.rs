//! Names of objects with Pods, which the names and host names of the Pods begin with.

use super::{NAME_NOT_A_HOST_NAME, ObjectJudge, shown, text, warn};
use crate::scalar::check_dns_label;
use crate::tree::Path;

pub(super) fn check(judge: &mut ObjectJudge<'_, '_>) {
    let Some(metadata) = judge.object.root.get("metadata") else { return };
    let is_given = text(metadata, "name").is_some();
    let field = if is_given { "name" } else { "generateName" };
    let (Some(node), Some(name)) = (metadata.get(field), text(metadata, field)) else { return };
    let fault = if is_given {
        check_dns_label(name)
    } else {
        // The suffix of the server is a valid end of any name.
        check_dns_label(&format!("{name}a"))
    };
    let Err(fault) = fault else { return };
    let root = Path::root();
    let path = root.field("metadata");
    warn(
        judge,
        &NAME_NOT_A_HOST_NAME,
        (node.span(), "becomes part of host names"),
        format!("name `{}` {fault}", shown(name)),
        "use at most 63 lowercase letters, digits and `-`",
        &path.field(field),
    );
}
