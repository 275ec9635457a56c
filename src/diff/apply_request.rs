//! What each program that applies objects asks the API server for, by its options and by annotations of the object.

use crate::applying::{Method, is_live};
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
    /// Whether the program stores the form in an annotation of the object, as client-side `kubectl apply` does.
    pub(super) is_annotated: bool,
}

impl ApplyRequest {
    const fn of(request: Request) -> Self {
        Self { request, is_recreated: false, is_annotated: false }
    }

    /// The request of a program; without one, client-side apply.
    pub(super) fn new(applier: Option<Applier>, object: &Object) -> Self {
        let annotation = |name| object.root.str_at(&["metadata", "annotations", name]);
        match applier {
            None | Some(Applier::Client) => {
                Self { is_annotated: true, ..Self::of(Request::Apply(Method::ClientSide)) }
            }
            Some(Applier::Helm) => Self::of(Request::Apply(Method::ClientSide)),
            Some(Applier::Server) => Self::of(Request::Apply(Method::KUBECTL_SERVER_SIDE)),
            Some(Applier::Replace) => Self::of(Request::Replace),
            Some(Applier::ArgoCd) => {
                let options = annotation("argocd.argoproj.io/sync-options").unwrap_or_default();
                let has = |option| options.split(',').any(|it| it.trim() == option);
                let request = if has("Replace=true") {
                    Request::Replace
                } else if has("ServerSideApply=true") {
                    Request::Apply(forced("argocd-controller"))
                } else {
                    Request::Apply(Method::ClientSide)
                };
                let is_annotated = request == Request::Apply(Method::ClientSide);
                Self { request, is_recreated: has("Force=true"), is_annotated }
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

const fn forced(manager: &'static str) -> Method {
    Method::ServerSide { manager, is_forced: true }
}

/// The methods of `kubectl apply` by which an update is judged. Both if it is not known which one is used: an object of a
/// cluster shows it.
pub(super) fn methods(applier: Option<Applier>, old: &Object, new: &Object) -> Vec<Method> {
    match (applier, ApplyRequest::new(applier, new).request) {
        (None, _) if !is_live(old) => vec![Method::ClientSide, Method::KUBECTL_SERVER_SIDE],
        (_, Request::Apply(method)) => vec![method],
        (_, Request::Replace | Request::Leave) => Vec::new(),
    }
}
