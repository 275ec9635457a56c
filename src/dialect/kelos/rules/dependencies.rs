//! Checks of all Tasks together: dependencies and branches.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    TASK_BRANCH_DEADLOCK, TASK_BRANCH_SHARED, TASK_DEPENDENCY_CYCLE, TASK_DEPENDENCY_EXPIRES,
    TASK_DEPENDENCY_REPEATED,
};
use crate::decode::{Field, Integer, NameOr, Text};
use crate::diag::{Diagnostic, Sink};
use crate::dialect::kelos::GROUP;
use crate::dialect::kelos::settings::Target;
use crate::dialect::kelos::task::TaskSpec;
use crate::kube::{Object, ObjectSet, meeting_namespace};
use crate::lower::{Definition, Instances, Setup};
use crate::source::Span;
use crate::tree;

/// A Task in the graph of dependencies.
struct Node {
    namespace: String,
    name: String,
    place: Span,
    /// The names of the Tasks that it waits for, with their spans.
    waits_for: Vec<Text>,
    /// The workspace and branch that it shares with Tasks that must not run at the same time.
    lock: Option<(String, String)>,
    /// Seconds after which the finished Task is deleted.
    ttl: Option<Integer>,
    /// Whether the output has the Task after the Tasks that it waits for.
    is_sorted: bool,
}

/// The dependencies of a Task: their positions, with the spans of the references.
type Edges = Vec<(usize, Span)>;
/// The check of the Tasks on one branch of one Workspace.
type Judge = fn(&[Node], &[Edges], &[usize], &mut Sink);

/// The maximum time, in seconds, until the controller checks a single dependency again. With
/// several dependencies, it also waits for the slowest one.
const LONGEST_RETRY: i64 = 60;

/// Checks all definitions of Tasks together, for clusters without kelos.
pub(in crate::dialect::kelos) fn check(instances: &Instances<'_>, setup: &Setup, sink: &mut Sink) {
    // Compiled objects are checked together with manifests.
    if setup.target() == Some(Target::Resources) {
        return;
    }
    let nodes: Vec<_> = instances.of_kind::<TaskSpec>().map(Node::of_definition).collect();
    let edges = edges(&nodes, sink);
    for node in &nodes {
        let distinct: BTreeMap<_, _> = node.waits_for.iter().map(|it| (it.as_str(), it)).collect();
        for name in distinct.into_values() {
            // `find` reports a missing Task.
            let _ = instances.find::<TaskSpec>(&node.namespace, name, sink);
        }
    }
    cycles(&nodes, &edges, sink);
    branches(&nodes, &edges, shared, sink);
}

/// Checks all Tasks of kelos together. A missing Task is reported like any other missing object.
pub(super) fn of_objects(set: &ObjectSet<'_>, sink: &mut Sink) {
    let nodes: Vec<_> = set.of_kind(GROUP, "Task").map(Node::of_object).collect();
    let edges = edges(&nodes, sink);
    cycles(&nodes, &edges, sink);
    expiring(&nodes, &edges, sink);
    branches(&nodes, &edges, deadlocks, sink);
}

/// The dependencies of each Task that are in the input, with their spans.
fn edges(nodes: &[Node], sink: &mut Sink) -> Vec<Edges> {
    let index: BTreeMap<_, _> =
        nodes.iter().enumerate().rev().map(|(at, it)| ((&*it.namespace, &*it.name), at)).collect();
    let edges = nodes.iter().map(|node| {
        let mut seen = BTreeMap::new();
        let mut found = Vec::new();
        for name in &node.waits_for {
            if let Some(first) = seen.insert(name.as_str(), name.span()) {
                repeated(name, first, sink);
                continue;
            }
            let at = index.get(&(&*node.namespace, name.as_str()));
            found.extend(at.map(|at| (*at, name.span())));
        }
        found
    });
    edges.collect()
}

impl Node {
    fn of_definition(definition: Definition<TaskSpec>) -> Self {
        let Definition { metadata, spec, document: _ } = definition;
        let fields = spec.fields;
        let workspace = match &fields.workspace {
            Some(NameOr::Name(name)) => name.as_str().to_owned(),
            Some(NameOr::Inline(inline)) => inline.repo.as_str().to_owned(),
            None => String::new(),
        };
        let branch = fields.branch.map(|it| it.as_str().to_owned()).filter(|it| !it.is_empty());
        Self {
            namespace: metadata.namespace.map_or_else(String::new, |it| it.as_str().to_owned()),
            name: metadata.name.as_str().to_owned(),
            place: metadata.name.span(),
            waits_for: fields.depends_on.map_or_else(Vec::new, |it| it.items),
            lock: branch.map(|it| (workspace, it)),
            ttl: fields.ttl_seconds_after_finished,
            is_sorted: false,
        }
    }

    fn of_object(object: &Object) -> Self {
        let spec = |path: &[&str]| object.root.get("spec").and_then(|it| it.at(path));
        let workspace = spec(&["worker", "workspaceRef", "name"])
            .or_else(|| spec(&["workspaceRef", "name"]))
            .and_then(tree::Node::as_str);
        let branch = spec(&["branch"]).and_then(tree::Node::as_str).filter(|it| !it.is_empty());
        let waits_for = spec(&["dependsOn"]).map_or(&[][..], tree::Node::items);
        Self {
            namespace: meeting_namespace(&object.namespace).to_owned(),
            name: object.name.to_string(),
            place: object.name_span(),
            waits_for: waits_for.iter().cloned().filter_map(Text::read).collect(),
            lock: branch.map(|it| (workspace.unwrap_or_default().to_owned(), it.to_owned())),
            ttl: spec(&["ttlSecondsAfterFinished"]).cloned().and_then(Integer::read),
            is_sorted: object.is_compiled(),
        }
    }
}

/// Dependencies that kelos may delete before the Task that waits for them has seen them.
fn expiring(nodes: &[Node], edges: &[Edges], sink: &mut Sink) {
    for (node, waits_for) in nodes.iter().zip(edges) {
        for (at, place) in waits_for {
            let Some(dependency) = nodes.get(*at) else { continue };
            let Some(ttl) = &dependency.ttl else { continue };
            let seconds = ttl.as_i64();
            if waits_for.len() == 1 && seconds > LONGEST_RETRY {
                continue;
            }
            let (task, name) = (&node.name, &dependency.name);
            let message = format!(
                "Task `{task}` depends on Task `{name}`, which is deleted {seconds} seconds after it finishes"
            );
            sink.report(
                Diagnostic::new(&TASK_DEPENDENCY_EXPIRES, *place, message)
                    .at("may be deleted too early")
                    .label(ttl.span(), "deleted after this time")
                    .note("kelos waits forever for a dependency that is gone")
                    .help(format!("remove `ttlSecondsAfterFinished` of `{name}`")),
            );
        }
    }
}

fn repeated(name: &Text, first: Span, sink: &mut Sink) {
    let message = format!("duplicate dependency `{}`", name.as_str());
    sink.report(
        Diagnostic::new(&TASK_DEPENDENCY_REPEATED, name.span(), message)
            .at("named again here")
            .label(first, "first named here")
            .help("remove one of them"),
    );
}

/// Reports each cycle once, at its first member in the input.
fn cycles(nodes: &[Node], edges: &[Edges], sink: &mut Sink) {
    let mut done: BTreeSet<usize> = BTreeSet::new();
    for start in 0..nodes.len() {
        // Each entry is a Task on the path, with the number of its visited dependencies.
        let mut way: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((at, followed)) = way.last_mut() {
            let (at, next) = (*at, edges.get(*at).and_then(|it| it.get(*followed)).copied());
            *followed += 1;
            let Some((next, place)) = next.filter(|_| !done.contains(&at)) else {
                done.insert(at);
                way.pop();
                continue;
            };
            if let Some(begin) = way.iter().position(|(it, _)| *it == next) {
                let members: Vec<_> = way.iter().skip(begin).map(|(it, _)| *it).collect();
                cycle(nodes, &members, place, sink);
            } else if !done.contains(&next) {
                way.push((next, 0));
            }
        }
    }
}

fn cycle(nodes: &[Node], members: &[usize], place: Span, sink: &mut Sink) {
    let mut names: Vec<_> =
        members.iter().filter_map(|it| nodes.get(*it)).map(|it| format!("`{}`", it.name)).collect();
    names.extend(names.first().cloned());
    let message = match names.as_slice() {
        [only, _] => format!("Task {only} depends on itself"),
        _ => format!("Tasks depend on each other in a cycle: {}", names.join(" → ")),
    };
    sink.report(
        Diagnostic::new(&TASK_DEPENDENCY_CYCLE, place, message)
            .at("closes the cycle")
            .note("none of them ever starts")
            .help("remove one of the dependencies"),
    );
}

/// Checks Tasks on one branch of one Workspace, which the controller runs one after another.
fn branches(nodes: &[Node], edges: &[Edges], judge: Judge, sink: &mut Sink) {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        if let Some(lock) = &node.lock {
            groups.entry((&node.namespace, lock)).or_default().push(at);
        }
    }
    for members in groups.values().filter(|it| it.len() > 1) {
        judge(nodes, edges, members, sink);
    }
}

/// Reports deadlocks: a Task that waits for a dependency blocks the branch for Tasks that are
/// created later. The output of definitions has each Task after its dependencies.
fn deadlocks(nodes: &[Node], edges: &[Edges], members: &[usize], sink: &mut Sink) {
    for earlier in members {
        let waits = edges.get(*earlier).into_iter().flatten();
        for (later, place) in waits.filter(|(it, _)| members.contains(it) && it > earlier) {
            let (Some(first), Some(second)) = (nodes.get(*earlier), nodes.get(*later)) else {
                continue;
            };
            if first.is_sorted && second.is_sorted {
                continue;
            }
            let message = format!(
                "Tasks `{}` and `{}` wait for each other: one for the dependency, one for the branch",
                first.name, second.name
            );
            sink.report(
                Diagnostic::new(&TASK_BRANCH_DEADLOCK, *place, message)
                    .at("defined later")
                    .label(second.place, "waits for the branch of the earlier Task")
                    .note(
                        "the kelos controller gives the branch to the Task that was created first",
                    )
                    .note("Tasks that are created in the same second are not affected")
                    .help(format!(
                        "define `{}` before `{}`, or use different branches",
                        second.name, first.name
                    )),
            );
        }
    }
}

/// Reports Tasks on one branch, which can run at the same time without a controller. A Task that
/// depends on another one is suspended, so such a pair is not reported.
fn shared(nodes: &[Node], edges: &[Edges], members: &[usize], sink: &mut Sink) {
    let depends = |it: &usize| edges.get(*it).is_some_and(|it| !it.is_empty());
    let free: Vec<_> =
        members.iter().filter(|it| !depends(it)).filter_map(|it| nodes.get(*it)).collect();
    let [first, second, ..] = free.as_slice() else { return };
    let names: Vec<_> = free.iter().map(|it| format!("`{}`", it.name)).collect();
    let branch = first.lock.as_ref().map_or("", |(_, branch)| branch.as_str());
    sink.report(
        Diagnostic::new(
            &TASK_BRANCH_SHARED,
            second.place,
            format!("Tasks {} work on branch `{branch}` at the same time", names.join(", ")),
        )
        .at("uses the same branch")
        .label(first.place, "uses the branch too")
        .note("without the kelos controller nothing runs them one after the other")
        .help("use different branches, or set `kelos: {target: resources}` in the Project"),
    );
}
