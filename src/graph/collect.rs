//! The objects of a compilation, and what each refers to or selects.

use lean_string::LeanStr;

use super::{Hub, Item, Link, Parts, SELECTS, State};
use crate::compile::Compilation;
use crate::diag::{About, Diagnostic, ObjectName, Severity};
use crate::kube::{
    Found, Object, PodSpec, Selects, meeting_namespace, visit_pod_references, visit_references,
};
use crate::limits::Fuel;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::Entry;
use crate::validate::{effort, keys_of_selector, pod_selector, selects_pod};

/// Collects all objects and the links between them; `None` if that exceeds this number of
/// comparisons of selectors with Pods.
pub(super) fn collect(compilation: &Compilation, fuel: &Fuel<'_>) -> Option<Parts> {
    let errors = error_spans(&compilation.diagnostics);
    let mut collection = Collection {
        items: Vec::new(),
        by_name: SortedMap::new(),
        broken: SortedMap::new(),
        absent: missing_objects(compilation),
        links: Vec::new(),
    };
    // A Namespace that contains objects is drawn as a frame around them, not as a node.
    let spaces: SortedSet<_> =
        compilation.objects.iter().map(|object| object.namespace.as_str()).collect();
    let is_frame =
        |object: &&Object| object.gvk.is("", "Namespace") && spaces.contains(object.name.as_str());
    let objects: Vec<_> = compilation.objects.iter().filter(|object| !is_frame(object)).collect();
    for object in &objects {
        collection.add_object(object, has_error(&errors, object.document));
    }
    let compiled: SortedSet<_> = compilation.objects.iter().map(|it| it.document).collect();
    for input in &compilation.inputs {
        if !compiled.contains(&input.place) && has_error(&errors, input.place) {
            let namespace = meeting_namespace(&input.namespace);
            let key = (namespace.into(), input.name.clone());
            collection.broken.insert(key, collection.items.len());
            collection.items.push(Item {
                kind: input.gvk.kind.clone(),
                namespace: input.namespace.clone(),
                name: input.name.clone(),
                last: None,
                count: 1,
                state: State::Faulty,
            });
        }
    }
    for (position, object) in objects.iter().copied().enumerate() {
        let mut link = |found: Found<'_, '_>| collection.link(position, object, &found);
        visit_references(object, &mut link);
        if let Some(pod) = PodSpec::of(object) {
            visit_pod_references(&pod, &mut link);
        }
    }
    let hubs = link_selectors(&objects, &mut collection.links, fuel)?;
    collection.links.sort_unstable();
    collection.links.dedup();
    Some(Parts { items: collection.items, links: collection.links, hubs })
}

/// The objects that select Pods, and the Pods: as hubs where several select the same ones, or else as links.
fn link_selectors(objects: &[&Object], links: &mut Vec<Link>, fuel: &Fuel<'_>) -> Option<Vec<Hub>> {
    let mut namespaces = class_pods(objects, fuel)?;
    for (position, object) in objects.iter().copied().enumerate() {
        let Some(selector) = pod_selector(object) else { continue };
        let Some(classes) = namespaces.get_mut(meeting_namespace(&object.namespace)) else {
            continue;
        };
        if !fuel.spend(effort(selector, classes.values().map(|class| &class.pod))) {
            return None;
        }
        for class in classes.values_mut() {
            if selects_pod(object, selector, &class.pod) == Selects::Yes {
                class.selectors.push(position);
            }
        }
    }
    let mut by_selectors = SortedMap::<Vec<usize>, Vec<usize>>::new();
    for class in namespaces.into_values().flat_map(SortedMap::into_values) {
        by_selectors.entry(class.selectors).or_default().extend(class.members);
    }
    let mut hubs = Vec::new();
    for (from, mut to) in by_selectors {
        if from.len() > 1 && to.len() > 1 {
            to.sort_unstable();
            hubs.push(Hub { from, to });
        } else {
            let pairs = from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to)));
            links.extend(pairs.map(|(from, to)| Link { from, to, label: SELECTS }));
        }
    }
    Some(hubs)
}

/// Pods that each selector either selects or not.
struct Class<'o> {
    /// One of them.
    pod: PodSpec<'o>,
    members: Vec<usize>,
    /// The objects that select them.
    selectors: Vec<usize>,
}

/// What selectors know of a Pod: whether a controller creates it and its own label, and those of its other labels
/// that a selector of the namespace depends on, with the values that are strings.
type Labels<'o> = (bool, Option<(&'static str, String)>, Vec<(&'o str, Option<&'o str>)>);

/// The Pods of each namespace, classed by their labels: not by those that no selector depends on, such as one of each
/// Pod.
fn class_pods<'o>(
    objects: &[&'o Object],
    fuel: &Fuel<'_>,
) -> Option<SortedMap<&'o str, SortedMap<Labels<'o>, Class<'o>>>> {
    let mut keys = SortedSet::new();
    for object in objects {
        let Some(selector) = pod_selector(object) else { continue };
        let namespace = meeting_namespace(&object.namespace);
        keys.extend(keys_of_selector(object, selector).map(|key| (namespace, key)));
    }
    let mut namespaces = SortedMap::<_, SortedMap<_, _>>::new();
    for (position, object) in objects.iter().copied().enumerate() {
        let Some(pod) = PodSpec::of(object) else { continue };
        let namespace = meeting_namespace(&object.namespace);
        let all = pod.labels();
        if !fuel.spend(PER_POD + all.len()) {
            return None;
        }
        let of_selectors = all.iter().filter(|label| keys.contains(&(namespace, label.key())));
        let labels = labels_of(object, of_selectors);
        let of_namespace = namespaces.entry(namespace).or_default();
        let class = of_namespace.entry(labels).or_insert_with(|| Class {
            pod,
            members: Vec::new(),
            selectors: Vec::new(),
        });
        class.members.push(position);
    }
    Some(namespaces)
}

/// The steps to class a Pod without labels.
const PER_POD: usize = 16;

fn labels_of<'o>(object: &Object, labels: impl Iterator<Item = &'o Entry>) -> Labels<'o> {
    let mut sorted: Vec<_> = labels.map(|label| (label.key(), label.value().as_str())).collect();
    sorted.sort_unstable();
    let pod_label = object.gvk.facts().and_then(|it| it.pod_label);
    let own = pod_label.map(|label| (label.key, (label.value)(&object.name)));
    (object.gvk.kind != "Pod", own, sorted)
}

/// The spans of all errors, sorted.
fn error_spans(diagnostics: &[Diagnostic]) -> Vec<Span> {
    // A reference to a missing object is drawn as a broken link; the referring object is not
    // marked.
    let is_own_error = |finding: &&Diagnostic| {
        finding.severity == Severity::Error
            && !matches!(finding.details().about, About::AbsentObject(_))
    };
    let own_errors = diagnostics.iter().filter(is_own_error);
    let mut places: Vec<_> = own_errors.map(|error| error.primary.span).collect();
    places.sort_unstable();
    places
}

fn has_error(errors: &[Span], document: Span) -> bool {
    let first = errors.partition_point(|error| error.parts().0 < document.parts().0);
    errors.get(first).is_some_and(|error| document.has_begin_of(*error))
}

/// The objects that findings report as missing.
fn missing_objects(compilation: &Compilation) -> SortedSet<ObjectName> {
    let left_out = compilation.left_out.iter().map(|it| &it.finding);
    let findings = compilation.diagnostics.iter().chain(left_out);
    let missing = findings.filter_map(|finding| match &finding.details().about {
        About::AbsentObject(object) => {
            Some(key_of(&object.group, &object.kind, &object.namespace, &object.name))
        }
        _ => None,
    });
    missing.collect()
}

struct Collection {
    items: Vec<Item>,
    by_name: SortedMap<ObjectName, usize>,
    /// Definitions that could not be compiled, by namespace and name.
    broken: SortedMap<(LeanStr, LeanStr), usize>,
    absent: SortedSet<ObjectName>,
    links: Vec<Link>,
}

impl Collection {
    fn add_object(&mut self, object: &Object, is_faulty: bool) {
        let Object { gvk, name, namespace, .. } = object;
        let key = key_of(&gvk.group, &gvk.kind, namespace, name);
        self.by_name.entry(key).or_insert(self.items.len());
        self.items.push(Item {
            kind: gvk.kind.clone(),
            namespace: namespace.clone(),
            name: object.shown_name(),
            last: None,
            count: 1,
            state: if is_faulty { State::Faulty } else { State::Sound },
        });
    }

    /// Adds a link to the named object. Adds a node for the object if it is not in the input, unless it is
    /// optional.
    fn link(&mut self, from: usize, object: &Object, found: &Found<'_, '_>) {
        let Some((group, kind)) = found.group_kind() else { return };
        let Some(name) = found.name.as_str().filter(|name| !name.is_empty()) else { return };
        let namespace = found.namespace(&object.namespace);
        let key = key_of(group, kind, namespace, name);
        let broken = || {
            let key = (LeanStr::from(meeting_namespace(namespace)), LeanStr::from(name));
            self.broken.get(&key)
        };
        let known = self.by_name.get(&key);
        if known.is_none() && found.is_optional() {
            return;
        }
        let known = known.or_else(broken).copied();
        let to = known.unwrap_or_else(|| {
            let is_absent = self.absent.contains(&key);
            self.by_name.insert(key, self.items.len());
            self.items.push(Item {
                kind: kind.into(),
                namespace: namespace.into(),
                name: name.into(),
                last: None,
                count: 1,
                state: if is_absent { State::Missing } else { State::Elsewhere },
            });
            self.items.len() - 1
        });
        if from != to {
            self.links.push(Link { from, to, label: found.reference.usage.label() });
        }
    }
}

/// The key under which references find an object: no namespace is the same as `default`.
fn key_of(group: &str, kind: &str, namespace: &str, name: &str) -> ObjectName {
    ObjectName::new(group, kind, meeting_namespace(namespace), name)
}
