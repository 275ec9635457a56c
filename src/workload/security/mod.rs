//! The layer of a profile: its values for fields that the author left out.
//!
//! `restricted` sets exactly what the Pod Security Standard of that name requires, on the Pod and
//! on every container: regular, init, sidecar and ephemeral. It does not set
//! `readOnlyRootFilesystem`, which breaks most images, `automountServiceAccountToken`, which the
//! definition decides, nor `runAsUser`, because the image's user is not known offline; the standard
//! requires none of them. `baseline` and `privileged` require no value to be set, so their layers
//! are empty.

use k8s_openapi::api::core::v1::{
    Capabilities, Container, PodSecurityContext, PodSpec, SeccompProfile, SecurityContext,
};

use crate::decode::ChoiceValues;
use crate::merge;
use crate::pod_security::{
    CONTAINER_LISTS, Profile, gains_privileges, is_windows, satisfies, uses_user_namespace,
};
use crate::schema::{EnumValue, KubernetesVersion, Type, Versions, store};
use crate::source::Span;
use crate::tree::{Layer, Node, Origin, Path, Value};

/// The profile of a definition that sets none.
pub(crate) const DEFAULT_PROFILE: Profile = Profile::Restricted;

impl ChoiceValues for Profile {
    const VALUES: &'static [EnumValue<'static>] = &{
        let [a, b, c] = Self::ALL;
        [choice_of(a), choice_of(b), choice_of(c)]
    };

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    fn as_str(self) -> &'static str {
        self.as_str()
    }
}

const fn choice_of(profile: Profile) -> EnumValue<'static> {
    EnumValue { value: profile.as_str(), versions: Versions::ALL }
}

const CX: merge::MergeContext<'static> = merge::MergeContext { rows: &[], path: Path::root() };

/// Sets the fields that the finished `pod` (a PodSpec with all layers merged) leaves out, on behalf
/// of the definition at `definition`. Existing values keep their order.
///
/// Adds `ALL` to `capabilities.drop` even if the author drops single capabilities: dropping more
/// removes no value of theirs. A Pod that satisfies the standard, such as with settings on each
/// container instead of the Pod, is not changed.
pub(crate) fn fill(
    pod: Node,
    profile: Profile,
    version: KubernetesVersion,
    definition: Span,
) -> Node {
    if profile != Profile::Restricted || satisfies(&pod, None, profile, version) {
        return pod;
    }
    let origin = Origin::of_layer(Layer::SecurityRestricted, definition);
    let is_windows = is_windows(&pod);
    let pod_layer = security_context(&pod_layer(&pod, version), origin);
    let mut pod = lay_below(pod, &pod_layer, "PodSpec");
    // The API server rejects these fields of a container on Windows.
    if !is_windows {
        let full = security_context(&container_layer(true), origin);
        let without_escalation = security_context(&container_layer(false), origin);
        for list in CONTAINER_LISTS {
            for container in items_mut(&mut pod, list) {
                let layer = if gains_privileges(container) { &without_escalation } else { &full };
                let open = std::mem::replace(container, Node::new(Value::Null, origin));
                *container = lay_below(open, layer, "Container");
            }
        }
    }
    pod
}

fn pod_layer(pod: &Node, version: KubernetesVersion) -> PodSpec {
    let seccomp_profile = (!is_windows(pod))
        .then(|| SeccompProfile { type_: "RuntimeDefault".to_owned(), localhost_profile: None });
    // In a user namespace, root maps to an unprivileged user of the node: since 1.35 the standard
    // requires no other user.
    let run_as_non_root = (!uses_user_namespace(pod, u32::from(version.minor()))).then_some(true);
    let security_context =
        Some(PodSecurityContext { run_as_non_root, seccomp_profile, ..Default::default() });
    PodSpec { security_context, ..Default::default() }
}

fn container_layer(denies_escalation: bool) -> Container {
    let capabilities = Capabilities { add: None, drop: Some(vec!["ALL".to_owned()]) };
    let security_context = Some(SecurityContext {
        allow_privilege_escalation: denies_escalation.then_some(false),
        capabilities: Some(capabilities),
        ..Default::default()
    });
    Container { security_context, ..Default::default() }
}

/// Converts a built-in struct to a tree. Required fields that a layer does not set (`containers`,
/// `name`) are empty in the struct, and are removed.
fn security_context<T: serde::Serialize>(layer: &T, origin: Origin) -> Node {
    let mut node = Node::built_in(layer, origin);
    if let Some(map) = node.as_map_mut() {
        map.retain(|entry| entry.key == "securityContext");
    }
    node
}

/// Puts a layer below a value of a type. A layer that could not be converted replaces the value, so
/// that the schema check reports it.
fn lay_below(value: Node, layer: &Node, ty: &str) -> Node {
    if layer.as_map().is_none() {
        return layer.clone();
    }
    merge::underlay(&CX, value, layer, definition_of(ty))
}

fn definition_of(name: &str) -> Type<'static> {
    store::definition(&format!("io.k8s.api.core.v1.{name}")).map_or(Type::Any, Type::Object)
}

fn items_mut<'n>(pod: &'n mut Node, list: &str) -> &'n mut [Node] {
    match pod.get_mut(list).map(|node| &mut node.value) {
        Some(Value::List(items)) => items,
        _ => &mut [],
    }
}

#[cfg(test)]
mod tests;
