//! Names of objects with Pods, which the names and host names of the Pods begin with.

use super::{NAME_NOT_A_HOST_NAME, filled_text, shown};
use crate::diag::message;
use crate::scalar::{check_dns_label, check_dns_subdomain};
use crate::validate::rules::judge::Judge;

pub(super) fn check(judge: &mut Judge<'_>) {
    let Some(metadata) = judge.object.root.get("metadata") else { return };
    let is_given = filled_text(metadata, "name").is_some();
    let field = if is_given { "name" } else { "generateName" };
    let (Some(node), Some(name)) = (metadata.get(field), filled_text(metadata, field)) else {
        return;
    };
    // The suffix of the server is a valid end of any name.
    let whole = if is_given { name.to_owned() } else { format!("{name}a") };
    // A name that the server rejects is reported once, as an error.
    if check_dns_subdomain(&whole).is_err() {
        return;
    }
    let Err(fault) = check_dns_label(&whole) else { return };
    let text = (
        message!("name `{}` {fault}", shown(name)),
        "becomes part of host names",
        "use at most 63 lowercase letters, digits and `-`",
    );
    judge.fault(&NAME_NOT_A_HOST_NAME, node, text);
}
