//! What each program that applies objects asks the API server for, by its options and by annotations of the object.

use crate::applying::{HELM, Method, has_applied, is_live};
use crate::kube::Object;
use crate::project::Applier;

/// A request for an object that exists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    /// The form is merged into the object.
    Apply(Method),
    /// The form is stored as it is.
    Replace,
    /// None.
    Leave,
}

/// How a program applies an object.
#[derive(Clone, Copy)]
pub(super) struct ApplyRequest {
    pub(super) request: Request,
    /// Whether the program deletes an object whose update is rejected, and creates it again.
    pub(super) is_recreated: bool,
}

impl ApplyRequest {
    const fn of(request: Request) -> Self {
        Self { request, is_recreated: false }
    }

    /// The request of a program; without one, client-side apply.
    pub(super) fn new(applier: Option<Applier>, old: &Object, object: &Object) -> Self {
        let annotation = |name| object.root.str_at(&["metadata", "annotations", name]);
        match applier {
            None | Some(Applier::Client) => Self::of(Request::Apply(Method::ClientSide)),
            // Helm 4 keeps the method by which a release was installed.
            Some(Applier::Helm) if has_applied(HELM, old) => {
                Self::of(Request::Apply(Method::HELM_SERVER_SIDE))
            }
            Some(Applier::Helm) => Self::of(Request::Apply(Method::Helm)),
            Some(Applier::Server) => Self::of(Request::Apply(Method::KUBECTL_SERVER_SIDE)),
            Some(Applier::Replace) => Self::of(Request::Replace),
            Some(Applier::ArgoCd) => {
                let request = if has_sync_option(object, "Replace=true") {
                    Request::Replace
                } else if has_sync_option(object, "ServerSideApply=true") {
                    Request::Apply(forced("argocd-controller"))
                } else {
                    Request::Apply(Method::ClientSide)
                };
                Self { request, is_recreated: has_sync_option(object, "Force=true") }
            }
            Some(Applier::Flux) => {
                let is_left = annotation("kustomize.toolkit.fluxcd.io/reconcile")
                    == Some("disabled")
                    || matches!(
                        annotation("kustomize.toolkit.fluxcd.io/ssa"),
                        Some("Ignore" | "IfNotPresent")
                    );
                if is_left {
                    return Self::of(Request::Leave);
                }
                let is_recreated =
                    annotation("kustomize.toolkit.fluxcd.io/force") == Some("enabled");
                let request = Request::Apply(forced("kustomize-controller"));
                Self { is_recreated, ..Self::of(request) }
            }
        }
    }
}

/// Whether an object has an option of Argo CD, such as `Prune=false`.
pub(super) fn has_sync_option(object: &Object, option: &str) -> bool {
    let path = ["metadata", "annotations", "argocd.argoproj.io/sync-options"];
    object.root.text_at(&path).split(',').any(|known| known.trim() == option)
}

const fn forced(manager: &'static str) -> Method {
    Method::ServerSide { manager, is_forced: true }
}

/// The methods of `kubectl apply` by which an update is judged. Both if it is not known which one is used: an object of a
/// cluster shows it.
pub(super) fn methods(applier: Option<Applier>, old: &Object, new: &Object) -> Vec<Method> {
    match (applier, ApplyRequest::new(applier, old, new).request) {
        (None, _) if !is_live(old) => vec![Method::ClientSide, Method::KUBECTL_SERVER_SIDE],
        (_, Request::Apply(method)) => vec![method],
        (_, Request::Replace | Request::Leave) => Vec::new(),
    }
}
