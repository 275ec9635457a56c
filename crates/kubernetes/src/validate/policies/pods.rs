//! The objects that controllers create, which policies judge as well: the ReplicaSet of a
//! Deployment, the Job of a CronJob, and Pods.

use std::sync::Arc;

use crate::kube::{GroupVersionKind, Object, controllers};
use crate::tree::Node;
use crate::validate::fields::text_at;

/// The object of a request.
#[derive(Clone, Copy, Debug)]
pub(super) enum Judged<'o> {
    /// An object of the input.
    Object(&'o Object),
    /// An object of a controller, with the object of the input that it is created for.
    Made { object: &'o Object, maker: &'o Object },
}

impl<'o> Judged<'o> {
    /// The object that is created.
    pub(super) const fn object(self) -> &'o Object {
        match self {
            Self::Object(object) | Self::Made { object, .. } => object,
        }
    }

    /// The object of the input.
    pub(super) const fn written(self) -> &'o Object {
        match self {
            Self::Object(maker) | Self::Made { maker, .. } => maker,
        }
    }

    /// What a controller creates: `Pods`, `ReplicaSet`; `None` for an object of the input.
    pub(super) fn made(self) -> Option<&'o str> {
        match self {
            Self::Object(_) => None,
            Self::Made { object, .. } => Some(match object.gvk.kind.as_str() {
                "Pod" => "Pods",
                kind => kind,
            }),
        }
    }

    /// The object in headlines.
    pub(super) fn subject(self) -> String {
        let Object { gvk, name, .. } = self.written();
        let of = self.made().map(|made| format!("the {made} of ")).unwrap_or_default();
        if name.is_empty() {
            format!("{of}{}", gvk.kind)
        } else {
            format!("{of}{} `{name}`", gvk.kind)
        }
    }

    /// The object in lists: `Deployment/web`.
    pub(super) fn describe(self) -> String {
        let written = self.written().describe();
        match self.made() {
            Some(it) => format!("{it} of {written}"),
            None => written,
        }
    }
}

/// The object between an object and its Pods.
pub(super) fn intermediate(maker: &Object) -> Option<Object> {
    Some(made_object(maker, controllers::intermediate(maker)?))
}

/// A Pod that a controller creates for an object, or for the object between them.
pub(super) fn pod(maker: &Object, between: Option<&Object>) -> Option<Object> {
    Some(made_object(maker, controllers::first_pod(maker, between.map(|it| &it.root))?))
}

fn made_object(maker: &Object, root: Node) -> Object {
    let text = |path: &[&str]| text_at(&root, path);
    Object {
        gvk: Arc::new(GroupVersionKind::new(text(&["apiVersion"]), text(&["kind"]))),
        name: text(&["metadata", "name"]).into(),
        namespace: maker.namespace.clone(),
        document: maker.document,
        root,
    }
}
