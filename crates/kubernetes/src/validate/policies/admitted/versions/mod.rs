//! Objects in another version of their API.
//!
//! A default API server serves two versions of an autoscaler, and an Event in two groups. Versions
//! of a custom resource differ in `apiVersion` only, unless a webhook converts them.

mod event;

use super::{Conversion, type_of};
use crate::kube::{GroupVersionKind, autoscaler};
use crate::schema::api_version;
use crate::tree::Node;
use crate::validate::fields::{text_at, value_or_owner};
use crate::validate::objects::ObjectContext;
use crate::validate::policies::matching::GroupVersion;

/// An object as a policy for another version sees it. No defaults of that version are set.
pub(in crate::validate::policies) fn in_version(
    cx: ObjectContext<'_>,
    root: &Node,
    version: GroupVersion<'_>,
) -> Node {
    let origin = value_or_owner(root, "apiVersion").origin();
    let conversion = Conversion { target: cx.target, origin, sets_defaults: false };
    let mut root = root.clone();
    let kind = text_at(&root, &["kind"]).to_owned();
    root.set("apiVersion", Node::string(api_version(version.group, version.version), origin));
    match (version.group, kind.as_str()) {
        ("autoscaling", "HorizontalPodAutoscaler") => match version.version {
            "v1" => autoscaler::to_v1(&mut root, origin),
            _ => autoscaler::to_v2(&mut root, origin, cx.target),
        },
        ("events.k8s.io", "Event") => event::to_group(&mut root),
        ("", "Event") => event::to_core(&mut root),
        _ => return root,
    }
    conversion.convert(&mut root, type_of(cx, &kind, version));
    root
}

/// The reason why the API server rejects an object that a mutating policy changed in another
/// version of a built-in kind.
pub(in crate::validate::policies) fn conversion_fault(
    cx: ObjectContext<'_>,
    own: &GroupVersionKind,
    version: GroupVersion<'_>,
) -> Option<String> {
    let GroupVersionKind { group, version: to, kind, .. } = own;
    if cx.custom.find(group, kind).is_some() {
        return None;
    }
    let from = version.version;
    Some(if group.as_str() == version.group {
        format!("converting ({from}.{kind}) to ({to}.{kind}): unknown conversion")
    } else {
        let to = api_version(group, to);
        let scheme = "in scheme \"pkg/runtime/scheme.go:111\"";
        format!("{from}.{kind} is not suitable for converting to \"{to}\" {scheme}")
    })
}
