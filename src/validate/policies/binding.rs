//! The bindings of a policy.

use super::GROUP;
use super::parameters;
use super::policy::Policy;
use crate::diag::Sink;
use crate::kube::{Object, ObjectSet};
use crate::tree::Node;

/// A binding.
pub(super) struct Binding<'o> {
    pub(super) object: &'o Object,
    pub(super) spec: &'o Node,
    /// What happens to an object that the policy denies.
    pub(super) actions: Vec<&'o str>,
}

/// The bindings of a policy in the input.
pub(super) fn of_policy<'o>(
    set: &ObjectSet<'o>,
    policy: &'o Object,
) -> impl Iterator<Item = &'o Object> + use<'o> {
    let kind = format!("{}Binding", policy.gvk.kind);
    let name = policy.name.as_str();
    set.all().iter().filter(move |it| {
        it.gvk.is(GROUP, &kind) && it.root.str_at(&["spec", "policyName"]) == Some(name)
    })
}

impl<'o> Binding<'o> {
    /// Reads a binding of a policy, and reports a parameter that the input lacks.
    pub(super) fn read(object: &'o Object, policy: &Policy<'o>, sink: &mut Sink) -> Self {
        let spec = object.root.get("spec").unwrap_or(&object.root);
        let actions = spec.get("validationActions").map_or(&[][..], Node::items);
        let actions = actions.iter().filter_map(Node::as_str).collect();
        let binding = Self { object, spec, actions };
        parameters::check(policy, &binding, sink);
        binding
    }
}
