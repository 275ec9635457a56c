//! Checks of all Tasks together: dependencies and branches.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    TASK_BRANCH_DEADLOCK, TASK_BRANCH_SHARED, TASK_DEPENDENCY_CYCLE, TASK_DEPENDENCY_EXPIRES,
    TASK_DEPENDENCY_REPEATED,
};
use crate::decode::{Integer, NameOr, Text};
use crate::diag::{Diagnostic, Sink};
use crate::dialect::kelos::settings::Target;
use crate::dialect::kelos::task::TaskSpec;
use crate::lower::{Definition, Instances, Setup};
use crate::source::Span;

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
}

/// The maximum time, in seconds, until the controller checks a single dependency again. With
/// several dependencies, it also waits for the slowest one.
const LONGEST_RETRY: i64 = 60;

/// Checks all Tasks of a run together.
pub(in crate::dialect::kelos) fn check(instances: &Instances<'_>, setup: &Setup, sink: &mut Sink) {
    let nodes: Vec<_> = instances.of_kind::<TaskSpec>().map(node).collect();
    let index: BTreeMap<_, _> =
        nodes.iter().enumerate().rev().map(|(at, it)| ((&*it.namespace, &*it.name), at)).collect();
    let mut edges: Vec<Vec<(usize, Span)>> = Vec::with_capacity(nodes.len());
    for node in &nodes {
        let mut seen = BTreeMap::new();
        let mut found = Vec::new();
        for name in &node.waits_for {
            if let Some(first) = seen.insert(name.as_str(), name.span()) {
                repeated(name, first, sink);
                continue;
            }
            // `find` reports a missing Task.
            let _ = instances.find::<TaskSpec>(&node.namespace, name, sink);
            let at = index.get(&(&*node.namespace, name.as_str()));
            found.extend(at.map(|at| (*at, name.span())));
        }
        edges.push(found);
    }
    cycles(&nodes, &edges, sink);
    let has_controller = setup.target() == Some(Target::Resources);
    if has_controller {
        expiring(&nodes, &edges, sink);
    }
    branches(&nodes, &edges, has_controller, sink);
}

fn node(definition: Definition<TaskSpec>) -> Node {
    let Definition { metadata, spec, document: _ } = definition;
    let fields = spec.fields;
    let workspace = match &fields.workspace {
        Some(NameOr::Name(name)) => name.as_str().to_owned(),
        Some(NameOr::Inline(inline)) => inline.repo.as_str().to_owned(),
        None => String::new(),
    };
    let branch = fields.branch.map(|it| it.as_str().to_owned()).filter(|it| !it.is_empty());
    Node {
        namespace: metadata.namespace.map_or_else(String::new, |it| it.as_str().to_owned()),
        name: metadata.name.as_str().to_owned(),
        place: metadata.name.span(),
        waits_for: fields.depends_on.map_or_else(Vec::new, |it| it.items),
        lock: branch.map(|it| (workspace, it)),
        ttl: fields.ttl_seconds_after_finished,
    }
}

/// Dependencies that kelos may delete before the Task that waits for them has seen them.
fn expiring(nodes: &[Node], edges: &[Vec<(usize, Span)>], sink: &mut Sink) {
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
fn cycles(nodes: &[Node], edges: &[Vec<(usize, Span)>], sink: &mut Sink) {
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
fn branches(nodes: &[Node], edges: &[Vec<(usize, Span)>], has_controller: bool, sink: &mut Sink) {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        if let Some(lock) = &node.lock {
            groups.entry((&node.namespace, lock)).or_default().push(at);
        }
    }
    for members in groups.values().filter(|it| it.len() > 1) {
        if has_controller {
            deadlocks(nodes, edges, members, sink);
        } else {
            shared(nodes, edges, members, sink);
        }
    }
}

/// Reports deadlocks: the Task that was created first gets the lock; if it waits for a later one,
/// neither runs.
fn deadlocks(nodes: &[Node], edges: &[Vec<(usize, Span)>], members: &[usize], sink: &mut Sink) {
    for earlier in members {
        let waits = edges.get(*earlier).into_iter().flatten();
        for (later, place) in waits.filter(|(it, _)| members.contains(it) && it > earlier) {
            let (Some(first), Some(second)) = (nodes.get(*earlier), nodes.get(*later)) else {
                continue;
            };
            let message = format!(
                "Tasks `{}` and `{}` wait for each other: one for the dependency, one for the branch",
                first.name, second.name
            );
            sink.report(
                Diagnostic::new(&TASK_BRANCH_DEADLOCK, *place, message)
                    .at("defined later")
                    .label(second.place, "waits for the branch of the earlier Task")
                    .note("kelos gives the branch to the Task that is created first")
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
fn shared(nodes: &[Node], edges: &[Vec<(usize, Span)>], members: &[usize], sink: &mut Sink) {
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
