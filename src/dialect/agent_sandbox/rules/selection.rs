//! `Selectors`: the objects of the input that select the Pods of a template or a Sandbox.

use super::blueprint::entries_by_key;
use super::named::Named;
use crate::dialect::agent_sandbox::domains::Domains;
use crate::dialect::agent_sandbox::names::{
    CREATED_BY, SANDBOX_NAME_HASH, TEMPLATE_REF_HASH, is_reserved_label,
};
use crate::kube::{LabelState, Object, Selects, selects, selects_by_map};
use crate::limits::Fuel;
use crate::scalar::name_hash;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Entry, Node};

/// The labels that the Pods of a template or a Sandbox will have.
pub(super) struct PodLabels<'o> {
    object: &'o Object,
    own: Named<'o, &'o Entry>,
    /// The key of the label with the hash of the object's own name, and the hash.
    hash: (&'static str, String),
    /// Domains of the labels that claims can add; none for a Sandbox without a claim.
    claim_domains: Option<&'o Domains>,
}

impl<'o> PodLabels<'o> {
    /// The labels of the Pods of a SandboxTemplate.
    pub(super) fn of_template(object: &'o Object, claim_domains: &'o Domains) -> Self {
        let hash = (TEMPLATE_REF_HASH, name_hash(&object.name));
        let claim_domains = Some(claim_domains);
        Self { object, own: own_labels(object), hash, claim_domains }
    }

    /// The labels of the Pod of a Sandbox without a claim.
    pub(super) fn of_sandbox(object: &'o Object) -> Self {
        let hash = (SANDBOX_NAME_HASH, name_hash(&object.name));
        Self { object, own: own_labels(object), hash, claim_domains: None }
    }

    fn state(&self, key: &str) -> LabelState<'_> {
        if key == self.hash.0 {
            LabelState::Value(&self.hash.1)
        } else if is_reserved_label(key) {
            let is_bare = self.hash.0 == SANDBOX_NAME_HASH;
            if is_bare && key != CREATED_BY { LabelState::Absent } else { LabelState::Unknown }
        } else if let Some(entry) = self.own.get(key) {
            entry.value.as_str().map_or(LabelState::Absent, LabelState::Value)
        } else if self.claim_domains.is_some_and(|it| it.contain_key(key)) {
            LabelState::Unknown
        } else {
            LabelState::Absent
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let own = self.own.iter().filter(|(key, _)| !is_reserved_label(key));
        let own = own.filter_map(|(key, entry)| Some((key, entry.value.as_str()?)));
        own.chain([(self.hash.0, self.hash.1.as_str())])
    }
}

fn own_labels(object: &Object) -> Named<'_, &Entry> {
    entries_by_key(object.root.at(&["spec", "podTemplate", "metadata", "labels"]))
}

/// The form of a kind's Pod selector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A LabelSelector; one that is empty selects everything.
    Selector,
    /// A plain map of labels; one that is empty selects nothing.
    Map,
}

/// The objects of a kind that select Pods of their own namespace.
///
/// `T` represents an object, with the facts about it that are read for each Pod that it selects.
pub(super) struct Selectors<'o, T = &'o Object> {
    all: Vec<Selector<'o, T>>,
    form: Form,
    /// The objects by namespace and first label.
    by_label: SortedMap<(&'o str, &'o str, &'o str), Vec<usize>>,
    /// The objects whose selector names no label, by namespace.
    unlabelled: SortedMap<&'o str, Vec<usize>>,
    /// Namespaces with a selector that depends on the state of the cluster.
    uncertain: SortedSet<&'o str>,
    /// Thousands of selectors can begin with the same label.
    fuel: &'o Fuel<'o>,
}

/// The selector of one object.
struct Selector<'o, T> {
    of: T,
    node: Option<&'o Node>,
    /// The steps of its comparison with a Pod.
    steps: usize,
}

/// The objects that select some Pods.
pub(super) struct Selecting<T> {
    /// The objects that certainly select them.
    pub(super) certain: Vec<T>,
    /// Whether other objects may select them.
    pub(super) is_open: bool,
}

impl<'o, T: Copy> Selectors<'o, T> {
    /// Indexes objects; `path` is the path of their selector.
    pub(super) fn new(
        fuel: &'o Fuel<'o>,
        objects: impl Iterator<Item = (T, &'o Object)>,
        path: &[&str],
        form: Form,
        claim_domains: &Domains,
    ) -> Self {
        let mut this = Self {
            all: Vec::new(),
            form,
            by_label: SortedMap::new(),
            unlabelled: SortedMap::new(),
            uncertain: SortedSet::new(),
            fuel,
        };
        for (of, object) in objects {
            this.insert(of, object, object.root.at(path), claim_domains);
        }
        this
    }

    fn insert(
        &mut self,
        of: T,
        object: &'o Object,
        selector: Option<&'o Node>,
        claim_domains: &Domains,
    ) {
        let (at, namespace) = (self.all.len(), object.namespace.as_str());
        let map = match self.form {
            Form::Selector => selector.and_then(|it| it.get("matchLabels")),
            Form::Map => selector,
        };
        let labels = map.map_or(&[][..], Node::entries);
        let is_open = |key: &str| {
            let is_own_hash = key == TEMPLATE_REF_HASH || key == SANDBOX_NAME_HASH;
            (is_reserved_label(key) && !is_own_hash) || claim_domains.contain_key(key)
        };
        let first = labels.iter().find(|entry| !is_open(&entry.key)).or(labels.first());
        match first.and_then(|entry| Some((entry, entry.value.as_str()?))) {
            Some((entry, value)) => {
                if is_open(&entry.key) {
                    self.uncertain.insert(namespace);
                }
                let key = (namespace, entry.key.as_str(), value);
                self.by_label.entry(key).or_default().push(at);
            }
            None if labels.is_empty() && self.form == Form::Selector => {
                self.unlabelled.entry(namespace).or_default().push(at);
            }
            None => {}
        }
        let steps = 16 + selector.map_or(0, Node::weight);
        self.all.push(Selector { of, node: selector, steps });
    }

    /// The objects that select these Pods.
    pub(super) fn of(&self, pod: &PodLabels<'_>) -> Selecting<T> {
        let namespace = pod.object.namespace.as_str();
        let mut selecting =
            Selecting { certain: Vec::new(), is_open: self.uncertain.contains(namespace) };
        let labelled =
            pod.pairs().filter_map(|(key, value)| self.by_label.get(&(namespace, key, value)));
        let unlabelled = self.unlabelled.get(namespace);
        for at in labelled.chain(unlabelled).flatten() {
            let Some(Selector { of, node, steps }) = self.all.get(*at) else { continue };
            if !self.fuel.spend(*steps) {
                selecting.is_open = true;
                return selecting;
            }
            match self.selects(*node, pod) {
                Selects::Yes => selecting.certain.push(*of),
                Selects::Perhaps => selecting.is_open = true,
                Selects::No => {}
            }
        }
        selecting
    }

    fn selects(&self, selector: Option<&Node>, pod: &PodLabels<'_>) -> Selects {
        match (self.form, selector) {
            (Form::Selector, Some(selector)) => selects(selector, |key| pod.state(key)),
            (Form::Selector, None) => Selects::Yes,
            (Form::Map, selector) => selects_by_map(selector, |key| pod.state(key)),
        }
    }
}
