//! Bindings of `rbac.authorization.k8s.io/v1alpha1`, whose subjects have an `apiVersion`.

use super::edits::{Edits, Refused, check_list, items_mut};
use crate::tree::{Node, Origin};

const GROUP: &str = "rbac.authorization.k8s.io";

pub(super) fn binding(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_list(edits.root, &["subjects"])?;
    let origin = edits.origin;
    for subject in items_mut(edits.root, &["subjects"]) {
        convert_subject(subject, origin);
    }
    Ok(())
}

/// `apiVersion` becomes `apiGroup`, which users and groups always have.
fn convert_subject(subject: &mut Node, origin: Origin) {
    let kind = subject.text_at(&["kind"]).to_owned();
    let is_everybody = kind == "User" && subject.str_at(&["name"]) == Some("*");
    let Some(map) = subject.as_map_mut() else { return };
    let version = map.remove("apiVersion");
    let group = match kind.as_str() {
        "ServiceAccount" => None,
        "User" | "Group" => Some(GROUP.to_owned()),
        _ => {
            let version = version.as_ref().and_then(|entry| entry.value.as_str());
            version.and_then(|it| it.split_once('/')).map(|(group, _)| group.to_owned())
        }
    };
    map.remove("apiGroup");
    if let Some(group) = group {
        subject.set("apiGroup", Node::string(group.as_str(), origin));
    }
    if is_everybody {
        subject.set("kind", Node::string("Group", origin));
        subject.set("name", Node::string("system:authenticated", origin));
    }
}
