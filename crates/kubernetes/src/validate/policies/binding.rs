//! The bindings of a policy.

use super::GROUP;
use super::decision::OF_VALIDATION;
use super::parameters;
use super::policy::{Policy, comparison};
use crate::diag::Sink;
use crate::kube::{Object, ObjectSet};
use crate::sorted::SortedMap;
use crate::tree::{Node, items};
use crate::validate::fields::value_or_owner;

/// A binding.
pub(super) struct Binding<'o> {
    pub(super) object: &'o Object,
    pub(super) spec: &'o Node,
    /// What happens to an object that the policy denies.
    pub(super) actions: Vec<&'o str>,
    /// The cost of the comparison of a request with it.
    pub(super) steps: usize,
}

/// The kinds of policies, with those of their bindings.
pub(super) static KINDS: [(&str, &str); 2] = [
    ("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"),
    ("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"),
];

/// The bindings in the input, by the kind and the name of the policy.
pub(super) struct Bindings<'o>(SortedMap<(&'o str, &'o str), Vec<&'o Object>>);

impl<'o> Bindings<'o> {
    pub(super) fn of(set: &ObjectSet<'o>) -> Self {
        let mut all: SortedMap<_, Vec<_>> = SortedMap::new();
        for (policy, binding) in KINDS {
            for object in set.of_kind(GROUP, binding) {
                if let Some(name) = object.root.str_at(&["spec", "policyName"]) {
                    all.entry((policy, name)).or_default().push(object);
                }
            }
        }
        Self(all)
    }

    /// The bindings of a policy.
    pub(super) fn of_policy(&self, policy: &'o Object) -> &[&'o Object] {
        let key = (policy.gvk.kind.as_str(), policy.name.as_str());
        self.0.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// The cost of the parameters of a binding for one request: those with a name are compared with its
/// namespace, but the policy is evaluated for each that a selector selects.
fn of_parameters(policy: &Policy<'_>, spec: &Node) -> usize {
    let Some(objects) = policy.parameters.as_ref().map(|it| &it.objects) else { return 0 };
    if spec.at(&["paramRef", "selector"]).is_some() {
        return OF_VALIDATION.saturating_mul(objects.count());
    }
    spec.str_at(&["paramRef", "name"]).map_or(0, |name| objects.named(name).count())
}

impl<'o> Binding<'o> {
    /// Reads a binding of a policy, and reports a parameter that the input lacks.
    pub(super) fn read(object: &'o Object, policy: &Policy<'o>, sink: &mut Sink) -> Self {
        let spec = value_or_owner(&object.root, "spec");
        let actions = items(spec, "validationActions").iter().filter_map(Node::as_str).collect();
        let steps =
            comparison(spec.get("matchResources")).saturating_add(of_parameters(policy, spec));
        let binding = Self { object, spec, actions, steps };
        parameters::check(policy, &binding, sink);
        binding
    }
}
