//! A controller that judges the Pod of a Workbench before it creates it.
//!
//! An API server rejects a Pod with an invalid field, and the controller would try again forever. Here the
//! reason is in the status of the Workbench at once, with all faults in one message, and nothing is sent.

mod verdict;

use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, ApiResource, DynamicObject, GroupVersionKind, Patch, PatchParams};
use kube::{Client, ResourceExt};
use sandboxc::Versions;
use serde_json::json;

pub use verdict::rejections;

/// The name of the controller, which owns the fields that it sets.
const MANAGER: &str = "workbench-controller";

/// What a reconciliation did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The Pod is as the Workbench requires.
    Applied,
    /// An API server would reject the Pod, for these reasons. They are in the status.
    Rejected(Vec<String>),
}

/// Why a reconciliation has no outcome, and is tried again.
#[derive(thiserror::Error, Debug)]
pub enum Error {
    #[error("the request failed")]
    Request(#[from] kube::Error),
    #[error("the Pod is not JSON")]
    Json(#[from] serde_json::Error),
}

/// The resource that users create.
pub fn workbench() -> ApiResource {
    let kind = GroupVersionKind::gvk("example.org", "v1", "Workbench");
    ApiResource::from_gvk_with_plural(&kind, "workbenches")
}

/// Brings the Pod of a Workbench to the required state. `versions` are those of the API server.
pub async fn reconcile(
    client: &Client,
    workbench: &DynamicObject,
    versions: Versions,
) -> Result<Outcome, Error> {
    let (name, namespace) = (workbench.name_any(), workbench.namespace().unwrap_or_default());
    let pod = pod(workbench)?;
    let reasons = rejections(&pod, versions)?;
    let parameters = PatchParams::apply(MANAGER).force();
    if reasons.is_empty() {
        let pods: Api<Pod> = Api::namespaced(client.clone(), &namespace);
        pods.patch(&name, &parameters, &Patch::Apply(&pod)).await?;
    }
    let status = json!({
        "apiVersion": "example.org/v1",
        "kind": "Workbench",
        "status": { "accepted": reasons.is_empty(), "message": reasons.join("\n") },
    });
    let resource = self::workbench();
    let workbenches: Api<DynamicObject> =
        Api::namespaced_with(client.clone(), &namespace, &resource);
    workbenches.patch_status(&name, &parameters, &Patch::Apply(&status)).await?;
    Ok(if reasons.is_empty() { Outcome::Applied } else { Outcome::Rejected(reasons) })
}

/// The Pod that a Workbench requires.
fn pod(workbench: &DynamicObject) -> serde_json::Result<Pod> {
    let spec = &workbench.data["spec"];
    serde_json::from_value(json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": { "name": workbench.name_any(), "namespace": workbench.namespace() },
        "spec": {
            "containers": [{
                "name": "main",
                "image": spec["image"],
                "resources": { "limits": { "memory": spec["memory"] } },
            }],
        },
    }))
}
