//! Conversion of `v1alpha1` objects to `v1beta1`, like the conversion webhook of the controllers.

use crate::dialect::agent_sandbox::names::{
    SANDBOX, SANDBOX_CLAIM, SANDBOX_TEMPLATE, VERSION, shadow_pool_name,
};
use crate::tree::{Map, Node};

use super::metadata;

/// The annotation of a `v1alpha1` template for a field that this version does not have.
const CLAIMS_POLICY: &str = "api.agents.x-k8s.io/v1beta1-volume-claim-templates-policy";

/// Converts an object of a kind from `v1alpha1` and adds the defaults of that version.
pub(super) fn convert(kind: &str, root: &mut Node) {
    let origin = root.origin();
    match kind {
        SANDBOX => {
            let replicas = root.at(&["spec", "replicas"]).and_then(Node::as_i64);
            let mode = if replicas == Some(0) { "Suspended" } else { "Running" };
            metadata::edit(root, &["spec"], origin, &mut |spec| {
                spec.as_map_mut().map(|map: &mut Map| map.remove("replicas"));
                spec.set("operatingMode", Node::string(mode, origin));
            });
        }
        SANDBOX_TEMPLATE => {
            let policy = root.at(&["metadata", "annotations"]).and_then(|it| it.get(CLAIMS_POLICY));
            if let Some(policy) = policy.cloned() {
                metadata::edit(root, &["spec"], origin, &mut |spec| {
                    spec.set("volumeClaimTemplatesPolicy", policy.clone());
                });
            }
        }
        SANDBOX_CLAIM => {
            let named = root.text_at(&["spec", "warmpool"]);
            let template = root.text_at(&["spec", "sandboxTemplateRef", "name"]);
            let pool = match named {
                "" | "none" | "default" => shadow_pool_name(template),
                pool => pool.to_owned(),
            };
            metadata::edit(root, &["spec", "warmPoolRef"], origin, &mut |reference| {
                reference.set("name", Node::string(pool.as_str(), origin));
            });
        }
        _ => {}
    }
    if let Some((group, _)) = root.str_at(&["apiVersion"]).and_then(|it| it.split_once('/')) {
        let version = format!("{group}/{VERSION}");
        root.set("apiVersion", Node::string(version, origin));
    }
}
