//! Edits of the repository's own documents: what does not change is byte for byte the same, and the
//! result reads as the intended tree.

use std::path::Path;

use super::{Replacement, new_origin, rewrite};
use crate::diag::{PathStep, Sink};
use crate::fuzzing::tests::sample::{portion, sampled};
use crate::source::{FileId, Workspace};
use crate::tree::Node;
use crate::yaml;

/// The documents of a text; none if one has a fault.
fn read(text: &str) -> (FileId, Vec<Node>) {
    let file = Workspace::new().add("a.yaml", text);
    let mut sink = Sink::new();
    let read = yaml::documents(file, text, &mut sink).read;
    let read = if sink.reported().is_some() { Vec::new() } else { read };
    (file, read.into_iter().map(|it| it.root).collect())
}

fn applied(text: &str, edit: &Replacement) -> String {
    let mut text = text.to_owned();
    text.replace_range(edit.range.clone(), &edit.text);
    text
}

/// The text after a change of its only document.
fn changed(text: &str, change: impl Fn(&mut Node)) -> Option<String> {
    let (file, roots) = read(text);
    let [old] = roots.as_slice() else { panic!("one document: {text}") };
    let mut new = old.clone();
    change(&mut new);
    let written = applied(text, &rewrite(file, text, old, &new)?);
    let (_, roots) = read(&written);
    let [read] = roots.as_slice() else { panic!("one document: {written}") };
    assert!(read.same_value(&new), "{written}");
    Some(written)
}

fn edit(node: &mut Node, path: &[&str], change: impl Fn(&mut Node)) {
    let path: Vec<_> = path.iter().map(|it| step(it)).collect();
    change(node.at_path_mut(&path).expect("the path exists"));
}

fn step(text: &str) -> PathStep {
    text.parse().map_or_else(|_| PathStep::Field(text.into()), PathStep::Index)
}

fn string(text: &str, like: &Node) -> Node {
    Node::string(text, new_origin(like.span()))
}

/// Moves two entries of a map into a new one.
fn nest(node: &mut Node) {
    let origin = new_origin(node.span());
    let map = node.as_map_mut().unwrap();
    let (name, port) = (map.remove("serviceName").unwrap(), map.remove("servicePort").unwrap());
    let mut service = Node::map(origin);
    let mut number = Node::map(origin);
    number.as_map_mut().unwrap().push(port.renamed("number"));
    service.as_map_mut().unwrap().push(name.renamed("name"));
    service.set("port", number);
    node.set("service", service);
}

#[test]
fn entries_move_with_their_comments() {
    let text = "spec:\n  # the rules\n  rules:\n  - host: a # first\n    backend: # where\n      # the name\n      serviceName: 'web' # why\n      servicePort: 80\n\n  # last\n  x: y\n";
    let written = changed(text, |it| edit(it, &["spec", "rules", "0", "backend"], nest));
    let expected = "spec:\n  # the rules\n  rules:\n  - host: a # first\n    backend: # where\n      # the name\n      service:\n        name: 'web' # why\n        port:\n          number: 80\n\n  # last\n  x: y\n";
    assert_eq!(written.as_deref(), Some(expected));
    let crlf = text.replace('\n', "\r\n");
    let written = changed(&crlf, |it| edit(it, &["spec", "rules", "0", "backend"], nest));
    assert_eq!(written, Some(expected.replace('\n', "\r\n")));
}

#[test]
fn items_keep_a_comment_after_their_dash() {
    let text = "items:\n- # one - 1\n  # more\n\n  a: 1\n- a: 2\n- # two\n  a: 3 # three\n";
    let written = changed(text, |it| {
        edit(it, &["items"], |list| {
            let items = list.items().to_vec();
            let origin = list.origin();
            let [first, _, last] = &items[..] else { panic!("three items") };
            let mut new = Node::map(new_origin(list.span()));
            new.set("a", string("x", list));
            *list = Node::list([first.clone(), new, last.clone()], origin);
        });
    });
    let expected = "items:\n- # one - 1\n  # more\n\n  a: 1\n- a: x\n- # two\n  a: 3 # three\n";
    assert_eq!(written.as_deref(), Some(expected));
}

#[test]
fn brackets_stay_brackets() {
    let text = "a: {serviceName: web, servicePort: 80} # c\nb: 1\n";
    let expected = "a: {service: {name: web, port: {number: 80}}} # c\nb: 1\n";
    assert_eq!(changed(text, |it| edit(it, &["a"], nest)).as_deref(), Some(expected));
    let text = "{\n  \"a\": {\n    \"serviceName\": \"web\",\n    \"servicePort\": 80\n  },\n  \"b\": 1\n}\n";
    let expected = "{\n  \"a\": {\n    \"service\": {\n      \"name\": \"web\",\n      \"port\": {\n        \"number\": 80\n      }\n    }\n  },\n  \"b\": 1\n}\n";
    assert_eq!(changed(text, |it| edit(it, &["a"], nest)).as_deref(), Some(expected));
    let text = "{\"a\":{\"serviceName\":\"web\",\"servicePort\":80},\"b\":1}";
    let expected = "{\"a\":{\"service\":{\"name\":\"web\",\"port\":{\"number\":80}}},\"b\":1}";
    assert_eq!(changed(text, |it| edit(it, &["a"], nest)).as_deref(), Some(expected));
}

#[test]
fn removed_entries_leave_their_comments() {
    let remove = |it: &mut Node| edit(it, &["a"], |it| drop(it.as_map_mut().unwrap().remove("b")));
    for (text, expected) in [
        ("a:\n  # why\n  b: 1 # one\n  c: 2\n", "a:\n  # why\n  # one\n  c: 2\n"),
        ("a:\n  c: 2\n  # why\n  b:\n    d: 3\n", "a:\n  c: 2\n  # why\n"),
        ("a: {b: 1, c: 2}\n", "a: {c: 2}\n"),
        ("a: {c: 2, b: 1}\n", "a: {c: 2}\n"),
        ("a: {\n  c: 2,\n  b: 1,\n}\n", "a: {\n  c: 2\n}\n"),
        ("a:\n  b: 1\n", "a: {}\n"),
    ] {
        assert_eq!(changed(text, remove).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn aliases_are_written_where_they_change() {
    let text = "a: &x\n  serviceName: w\n  servicePort: 1\nb: *x # same\n";
    let both = |it: &mut Node| {
        edit(it, &["a"], nest);
        edit(it, &["b"], nest);
    };
    let written = changed(text, both);
    let nested = "\n  service:\n    name: w\n    port:\n      number: 1\n";
    assert_eq!(written, Some(format!("a: &x{nested}b: # same{nested}")));
}

/// The documents of fixtures with objects.
fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = walkdir::WalkDir::new(root.join("fixtures/conformance/cases")).sort_by_file_name();
    let more = walkdir::WalkDir::new(root.join("examples")).sort_by_file_name();
    let files = files.into_iter().chain(more).filter_map(Result::ok);
    let files = files.filter(|it| it.path().extension().is_some_and(|it| it == "yaml"));
    let texts = files.filter_map(|it| std::fs::read_to_string(it.path()).ok());
    texts.flat_map(|it| documents(&it)).filter(|it| !it.contains('\u{ab}')).collect()
}

fn documents(text: &str) -> Vec<String> {
    let mut workspace = Workspace::new();
    let file = workspace.add("a.yaml", text);
    yaml::split(&workspace, file).parts.iter().map(|it| it.text.to_owned()).collect()
}

fn paths(node: &Node, at: &mut Vec<PathStep>, found: &mut Vec<Vec<PathStep>>) {
    for entry in node.entries() {
        at.push(PathStep::Field(entry.key.as_str().into()));
        found.push(at.clone());
        paths(&entry.value, at, found);
        at.pop();
    }
    for (index, item) in node.items().iter().enumerate() {
        at.push(PathStep::Index(index));
        paths(item, at, found);
        at.pop();
    }
}

#[test]
fn what_does_not_change_is_the_same() {
    let (mut tried, mut without) = (0, 0);
    for text in sampled(texts(), 10) {
        let (file, roots) = read(&text);
        for old in &roots {
            let mut all = Vec::new();
            paths(old, &mut Vec::new(), &mut all);
            for path in all.iter().step_by(4) {
                tried += 1;
                without += usize::from(!keeps_the_rest(file, &text, old, path));
            }
        }
    }
    assert!(tried > portion(5_000, 10), "{tried}");
    assert!(without * 200 < tried, "{without} of {tried} have no edit");
}

/// Whether there are edits that replace, remove and rename the entry at a path. Only its lines differ.
fn keeps_the_rest(file: FileId, text: &str, old: &Node, path: &[PathStep]) -> bool {
    let (last, owner) = path.split_last().unwrap();
    let PathStep::Field(key) = last else { panic!("an entry") };
    let mut replaced = old.clone();
    let node = replaced.at_path_mut(path).unwrap();
    *node = string("another value", node);
    let mut removed = old.clone();
    removed.remove_at(path);
    let mut renamed = old.clone();
    let map = renamed.at_path_mut(owner).unwrap().as_map_mut().unwrap();
    map.edit(|entries| {
        let entry = entries.iter_mut().find(|it| it.key.as_str() == &**key).unwrap();
        entry.rename("another-key");
    });
    let mut with_list = old.clone();
    let origin = new_origin(old.span());
    let items = Node::list([string("x", old), Node::map(origin)], origin);
    with_list.at_path_mut(owner).unwrap().set("another-key", items);
    for new in [replaced, removed, renamed, with_list] {
        let Some(edit) = rewrite(file, text, old, &new) else { return false };
        let written = applied(text, &edit);
        let (_, roots) = read(&written);
        // The caller compares as well, and does not apply such an edit.
        if !roots.iter().any(|it| it.same_value(&new)) {
            return false;
        }
        let before: Vec<_> = text.lines().collect();
        let after: Vec<_> = written.lines().collect();
        let start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
        let end = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
        let value = old.clone().at_path_mut(path).unwrap().span().within(file).range();
        let lines = text.get(value).map_or(1, |it| it.lines().count()) + 2;
        assert!(before.len() <= start + end + lines, "{path:?} of\n{text}\nbecame\n{written}");
    }
    true
}
