//! Checks of all Tasks together: dependencies and branches.

use super::{
    TASK_BRANCH_DEADLOCK, TASK_BRANCH_SHARED, TASK_DEPENDENCY_CYCLE, TASK_DEPENDENCY_EXPIRES,
    TASK_DEPENDENCY_REPEATED, earlier,
};
use crate::decode::{Field, Integer, NameOr, Text};
use crate::diag::{Diagnostic, Message, Sink, headlined, message};
use crate::dialect::kelos::GROUP;
use crate::dialect::kelos::settings::Target;
use crate::dialect::kelos::task::TaskSpec;
use crate::kube::{Object, ObjectSet, meeting_namespace};
use crate::lower::{Definition, Instances, Setup};
use crate::parallel::ordered_map;
use crate::sorted::{SortedMap, SortedSet};
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
    let nodes = instances.map_kind(Node::of_definition);
    let edges = find_edges(&nodes, sink);
    for node in &nodes {
        let distinct: SortedMap<_, _> =
            node.waits_for.iter().map(|own| (own.as_str(), own)).collect();
        for name in distinct.into_values() {
            // A missing Task is reported.
            let _ = instances.require::<TaskSpec>(&node.namespace, name, sink);
        }
    }
    report_cycles(&nodes, &edges, sink);
    check_branches(&nodes, &edges, report_shared, sink);
}

/// Checks all Tasks of kelos together. A missing Task is reported like any other missing object.
pub(super) fn of_objects(set: &ObjectSet<'_>, sink: &mut Sink) {
    let nodes = ordered_map(set.of_kind(GROUP, "Task").collect(), Node::of_object);
    let edges = find_edges(&nodes, sink);
    report_cycles(&nodes, &edges, sink);
    report_expiring(&nodes, &edges, sink);
    check_branches(&nodes, &edges, report_deadlocks, sink);
}

/// The dependencies of each Task that are in the input, with their spans.
fn find_edges(nodes: &[Node], sink: &mut Sink) -> Vec<Edges> {
    let numbered = nodes.iter().enumerate().rev();
    let index: SortedMap<_, _> =
        numbered.map(|(at, node)| ((&*node.name, &*node.namespace), at)).collect();
    let edges = nodes.iter().map(|node| {
        let mut seen = SortedMap::new();
        let mut found = Vec::new();
        for name in &node.waits_for {
            if let Some(first) = earlier(&mut seen, name.as_str(), name.span()) {
                report_repeated(name, first, sink);
                continue;
            }
            if !name.as_str().is_empty()
                && let Some(at) = index.get(&(name.as_str(), &*node.namespace))
            {
                found.push((*at, name.span()));
            }
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
        let branch = fields.branch.filter(|text| !text.as_str().is_empty());
        let namespace = metadata.namespace.as_ref().map_or("", Text::as_str);
        Self {
            namespace: namespace.to_owned(),
            name: metadata.name.as_str().to_owned(),
            place: metadata.name.span(),
            waits_for: fields.depends_on.map_or_else(Vec::new, |it| it.items),
            lock: branch.map(|branch| (workspace, branch.as_str().to_owned())),
            ttl: fields.ttl_seconds_after_finished,
            is_sorted: false,
        }
    }

    fn of_object(object: &Object) -> Self {
        let spec = |path: &[&str]| object.root.get("spec").and_then(|it| it.at(path));
        let workspace = spec(&["worker", "workspaceRef", "name"])
            .or_else(|| spec(&["workspaceRef", "name"]))
            .and_then(tree::Node::as_str)
            .unwrap_or_default();
        let branch = spec(&["branch"]).and_then(tree::Node::as_str).filter(|it| !it.is_empty());
        let waits_for = spec(&["dependsOn"]).map_or(&[][..], tree::Node::items);
        Self {
            namespace: meeting_namespace(&object.namespace).to_owned(),
            name: object.name.to_string(),
            place: object.name_span(),
            waits_for: waits_for.iter().cloned().filter_map(Text::read).collect(),
            lock: branch.map(|branch| (workspace.to_owned(), branch.to_owned())),
            ttl: spec(&["ttlSecondsAfterFinished"]).cloned().and_then(Integer::read),
            is_sorted: object.is_compiled(),
        }
    }
}

/// Dependencies that kelos may delete before the Task that waits for them has seen them.
fn report_expiring(nodes: &[Node], edges: &[Edges], sink: &mut Sink) {
    for (node, waits_for) in nodes.iter().zip(edges) {
        for (at, place) in waits_for {
            let Some(dependency) = nodes.get(*at) else { continue };
            let Some(ttl) = &dependency.ttl else { continue };
            let seconds = ttl.as_i64();
            if waits_for.len() == 1 && seconds > LONGEST_RETRY {
                continue;
            }
            let (task, name) = (&node.name, &dependency.name);
            let message = message!(
                "Task `{task}` depends on Task `{name}`, which is deleted {seconds} seconds after it finishes"
            );
            sink.report(
                Diagnostic::new(&TASK_DEPENDENCY_EXPIRES, *place, message)
                    .at("may be deleted too early")
                    .label(ttl.span(), "deleted after this time")
                    .note("kelos waits forever for a dependency that is gone")
                    .help(message!("remove `ttlSecondsAfterFinished` of `{name}`")),
            );
        }
    }
}

fn report_repeated(name: &Text, first: Span, sink: &mut Sink) {
    let message = message!("duplicate dependency `{}`", name.as_str());
    sink.report(
        Diagnostic::new(&TASK_DEPENDENCY_REPEATED, name.span(), message)
            .at("named again here")
            .label(first, "first named here")
            .help("remove one of them"),
    );
}

/// Reports each cycle once, at its first member in the input.
fn report_cycles(nodes: &[Node], edges: &[Edges], sink: &mut Sink) {
    let mut done: SortedSet<usize> = SortedSet::new();
    for start in 0..nodes.len() {
        if edges.get(start).is_none_or(Vec::is_empty) || done.contains(&start) {
            continue;
        }
        // Each entry is a Task on the path, with the number of its visited dependencies.
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        let mut on_path = SortedMap::from([(start, 0)]);
        while let Some((at, followed)) = path.last_mut() {
            let (at, next) = (*at, edges.get(*at).and_then(|own| own.get(*followed)).copied());
            *followed += 1;
            let Some((next, place)) = next.filter(|_| !done.contains(&at)) else {
                done.insert(at);
                on_path.remove(&at);
                path.pop();
                continue;
            };
            if let Some(begin) = on_path.get(&next) {
                let members = path.iter().skip(*begin).map(|(member, _)| *member);
                sink.report(cycle_finding(nodes, members, place));
            } else if !done.contains(&next) {
                on_path.insert(next, path.len());
                path.push((next, 0));
            }
        }
    }
}

/// The maximum number of Tasks that the message about a cycle names.
const MAX_NAMED: usize = 8;

fn cycle_finding(
    nodes: &[Node],
    mut members: impl ExactSizeIterator<Item = usize>,
    place: Span,
) -> Diagnostic {
    let shown = members.by_ref().take(MAX_NAMED).filter_map(|member| nodes.get(member));
    let mut names: Vec<_> = shown.map(|node| message!("`{}`", node.name)).collect();
    let first = names.first().cloned();
    if members.len() > 0 {
        names.push(message!("{} more", members.len()));
    }
    names.extend(first);
    let message = match names.as_slice() {
        [only, _] => message!("Task {only} depends on itself"),
        _ => message!("Tasks depend on each other in a cycle: {}", Message::joined(names, " → ")),
    };
    Diagnostic::new(&TASK_DEPENDENCY_CYCLE, place, message)
        .at("closes the cycle")
        .note("none of them ever starts")
        .help("remove one of the dependencies")
}

/// Checks Tasks on one branch of one Workspace, which the controller runs one after another.
fn check_branches(nodes: &[Node], edges: &[Edges], judge: Judge, sink: &mut Sink) {
    let mut groups: SortedMap<_, Vec<usize>> = SortedMap::new();
    for (at, node) in nodes.iter().enumerate() {
        if let Some(lock) = &node.lock {
            groups.entry((&node.namespace, lock)).or_default().push(at);
        }
    }
    for members in groups.values().filter(|group| group.len() > 1) {
        judge(nodes, edges, members, sink);
    }
}

/// Reports deadlocks: a Task that waits for a dependency blocks the branch for Tasks that are
/// created later. The output of definitions has each Task after its dependencies.
fn report_deadlocks(nodes: &[Node], edges: &[Edges], members: &[usize], sink: &mut Sink) {
    let of_branch: SortedSet<_> = members.iter().collect();
    for earlier in members {
        let waits = edges.get(*earlier).into_iter().flatten();
        for (later, place) in waits.filter(|(at, _)| of_branch.contains(at) && at > earlier) {
            let (Some(first), Some(second)) = (nodes.get(*earlier), nodes.get(*later)) else {
                continue;
            };
            if first.is_sorted && second.is_sorted {
                continue;
            }
            let message = message!(
                "Tasks `{}` and `{}` wait for each other: one for the dependency, one for the branch",
                first.name,
                second.name
            );
            sink.report(
                Diagnostic::new(&TASK_BRANCH_DEADLOCK, *place, message)
                    .at("defined later")
                    .label(second.place, "waits for the branch of the earlier Task")
                    .note(
                        "the kelos controller gives the branch to the Task that was created first",
                    )
                    .note("Tasks that are created in the same second are not affected")
                    .help(message!(
                        "define `{}` before `{}`, or use different branches",
                        second.name,
                        first.name
                    )),
            );
        }
    }
}

/// Reports Tasks on one branch, which can run at the same time without a controller. A Task that
/// depends on another one is suspended, so such a pair is not reported.
fn report_shared(nodes: &[Node], edges: &[Edges], members: &[usize], sink: &mut Sink) {
    let depends = |at: usize| edges.get(at).is_some_and(|own| !own.is_empty());
    let independent = members.iter().filter(|at| !depends(**at));
    let free: Vec<_> = independent.filter_map(|at| nodes.get(*at)).collect();
    let [first, second, ..] = free.as_slice() else { return };
    let names = headlined(free.iter().map(|node| node.name.as_str()));
    let branch = first.lock.as_ref().map_or("", |(_, branch)| branch.as_str());
    sink.report(
        Diagnostic::new(
            &TASK_BRANCH_SHARED,
            second.place,
            message!("Tasks {names} work on branch `{branch}` at the same time"),
        )
        .at("uses the same branch")
        .label(first.place, "uses the branch too")
        .note("without the kelos controller nothing runs them one after the other")
        .help("use different branches, or set `kelos: {target: resources}` in the Project"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    fn found(edges: &[Vec<usize>]) -> Vec<String> {
        let place = Workspace::new().start();
        let node = |(at, _)| Node {
            namespace: String::new(),
            name: format!("t{at}"),
            place,
            waits_for: Vec::new(),
            lock: None,
            ttl: None,
            is_sorted: false,
        };
        let nodes: Vec<_> = edges.iter().enumerate().map(node).collect();
        let edges: Vec<Edges> =
            edges.iter().map(|targets| targets.iter().map(|at| (*at, place)).collect()).collect();
        let mut sink = Sink::new();
        report_cycles(&nodes, &edges, &mut sink);
        sink.iter().map(|finding| finding.details().message.as_prose().to_string()).collect()
    }

    #[test]
    fn each_cycle_is_found_once() {
        let message = "Tasks depend on each other in a cycle: ";
        assert_eq!(found(&[vec![1], vec![2], vec![]]), [""; 0]);
        assert_eq!(found(&[vec![0]]), ["Task `t0` depends on itself"]);
        let two = found(&[vec![1], vec![2, 0], vec![1]]);
        assert_eq!(
            two,
            ["`t1` → `t2` → `t1`", "`t0` → `t1` → `t0`"].map(|cycle| format!("{message}{cycle}"))
        );
    }

    /// Each of these Tasks closes a cycle of all Tasks before it.
    #[test]
    fn the_names_of_a_long_cycle_are_limited() {
        let count = 20_000;
        let edges: Vec<_> = (0..count).map(|at| vec![at + 1, 0]).collect();
        let found = found(&edges);
        assert_eq!(found.len(), count);
        let end = format!(" → `t7` → {} more → `t0`", count - 8);
        assert!(found[0].ends_with(&end), "{}", found[0]);
    }
}
