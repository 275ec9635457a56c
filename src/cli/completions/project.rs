//! The project that a command line is about.

use std::ffi::OsString;

use sandboxc::{Compilation, Content, Node, Object, ObjectQuery, ProjectSource};

use super::line::Line;
use crate::cli::arguments::{Arguments, Inputs, KnownKinds, Options, Verb};
use crate::cli::input;
use crate::cli::progress::Progress;
use crate::cli::report;

/// The command of which a line has the options: it has all that select input and settings.
const VERB: &str = "why";
/// Options of that command which do not.
const OTHERS: [&str; 5] = ["to", "color", "quiet", "verbose", "help"];

/// The inputs and settings of a line.
struct Asked {
    inputs: Inputs,
    kinds: KnownKinds,
    options: Options,
}

impl Asked {
    /// `None` if the options of the line are invalid.
    fn of(line: &Line<'_>) -> Option<Self> {
        let known = line.root.find_subcommand(VERB)?;
        let mut words = vec!["sandboxc".to_owned(), VERB.to_owned(), "--quiet".to_owned()];
        for (option, value) in &line.options {
            let id = option.get_id();
            let is_known = known.get_arguments().any(|it| it.get_id() == id);
            let Some(name) = option.get_long().filter(|_| is_known) else { continue };
            if OTHERS.contains(&id.as_str()) {
                continue;
            }
            words.push(match value {
                Some(value) => format!("--{name}={value}"),
                None => format!("--{name}"),
            });
        }
        words.extend(["--".to_owned(), "Kind/name".to_owned()]);
        let arguments = Arguments::of_words(words.into_iter().map(OsString::from)).ok()?;
        let options = arguments.options();
        let Verb::Why(why) = arguments.verb else { return None };
        let is_input = |it: &&String| line.command.get_name() != VERB || !is_question(it);
        let inputs = line.positionals.iter().filter(is_input).map(Into::into).collect();
        let (named, exclude) = (why.named, why.exclude);
        let inputs = Inputs { inputs, named, exclude, ..Inputs::default() };
        let reads_terminal = inputs.all().any(|path| path.as_os_str() == "-");
        (!reads_terminal).then_some(Self { inputs, kinds: why.kinds, options })
    }

    fn projects(&self) -> Option<Vec<ProjectSource>> {
        let Self { inputs, kinds, options } = self;
        let progress = Progress::start(options);
        Some(input::read_with_context(inputs, kinds, options, &progress).ok()?.projects)
    }
}

/// Whether an argument of `why` is an object or a path, and not an input.
fn is_question(word: &str) -> bool {
    ObjectQuery::parse(word).is_some()
}

/// The environments of the Projects.
pub(super) fn environments(line: &Line<'_>) -> Vec<String> {
    let Some(projects) = Asked::of(line).and_then(|asked| asked.projects()) else {
        return Vec::new();
    };
    let mut names = ProjectSource::environments_of(&projects);
    names.sort();
    names
}

/// The objects of the output, as `why` names them, each with its group.
pub(super) fn objects(line: &Line<'_>) -> Vec<(String, String)> {
    with_objects(line, |compilation| {
        compilation
            .objects
            .iter()
            .map(|object| (query(object), object.gvk().group().to_owned()))
            .collect()
    })
}

/// The paths in the object of a line that can follow the start of one, and whether one of them has
/// fields of its own.
pub(super) fn paths(line: &Line<'_>, start: &str) -> (Vec<String>, bool) {
    let Some(object) = line.positionals.iter().find_map(|it| ObjectQuery::parse_like_kubectl(it))
    else {
        return (Vec::new(), false);
    };
    with_objects(line, |compilation| {
        let found = object.find_compiled(&compilation.objects, &compilation.inputs);
        found.map_or((Vec::new(), false), |object| paths_in(object.root(), start))
    })
}

fn with_objects<T: Default>(line: &Line<'_>, read: impl FnOnce(&Compilation) -> T) -> T {
    let Some(asked) = Asked::of(line) else { return T::default() };
    match report::compile_to_ask(&asked.inputs, &asked.kinds, &asked.options) {
        Ok((_, _, compilation)) => read(&compilation),
        Err(_) => T::default(),
    }
}

/// The shortest form that a namespace is part of.
fn query(object: &Object) -> String {
    let (kind, namespace, name) = (object.gvk().kind(), object.namespace(), object.name());
    let namespace = if namespace.is_empty() { "" } else { &format!("/{namespace}") };
    format!("{kind}{namespace}/{name}")
}

/// The paths below the field that the start is in.
fn paths_in(root: &Node, start: &str) -> (Vec<String>, bool) {
    let mut below = children(root, "");
    loop {
        let is_above = |it: &&(String, &Node)| {
            start.strip_prefix(&it.0).is_some_and(|rest| rest.starts_with(['.', '[']))
        };
        let Some((path, node)) = below.iter().find(is_above) else { break };
        below = children(node, path);
    }
    below.retain(|entry| entry.0.starts_with(start));
    // A whole path is followed by what is below it.
    if let [(path, node)] = &below[..]
        && path == start
    {
        below = children(node, path);
    }
    let is_open = below.iter().any(|entry| !children(entry.1, "").is_empty());
    (below.into_iter().map(|it| it.0).collect(), is_open)
}

/// The fields or items of a node, with their paths.
fn children<'n>(node: &'n Node, path: &str) -> Vec<(String, &'n Node)> {
    match node.content() {
        Content::Map(entries) => {
            let field = |key: &str| {
                let is_word = key
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
                match (is_word, path.is_empty()) {
                    (true, true) => key.to_owned(),
                    (true, false) => format!("{path}.{key}"),
                    (false, _) => format!("{path}[{key}]"),
                }
            };
            entries.iter().map(|entry| (field(entry.key()), entry.value())).collect()
        }
        Content::List(items) => {
            let item = |(number, item): (usize, &'n Node)| {
                let name = item.str_at(&["name"]).map_or(number.to_string(), str::to_owned);
                (format!("{path}[{name}]"), item)
            };
            items.iter().enumerate().map(item).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use sandboxc::{Workspace, compile};

    use super::*;

    #[test]
    fn paths_are_completed_step_by_step_and_items_by_their_names() {
        let mut workspace = Workspace::new();
        workspace.add(
            "pod.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app.kubernetes.io/name: web}}\n\
             spec: {containers: [{name: main, image: 'a:1', args: [x]}, {name: log, image: 'b:1'}]}\n",
        );
        let compilation = compile(&workspace, &sandboxc::Options::default());
        let [pod] = &compilation.objects[..] else { panic!("one object") };
        for (start, expected, is_open) in [
            ("", "apiVersion kind metadata spec", true),
            ("spec", "spec.containers", true),
            ("spec.", "spec.containers", true),
            ("spec.containers", "spec.containers[main] spec.containers[log]", true),
            ("spec.containers[m", "spec.containers[main]", true),
            ("spec.containers[main].i", "spec.containers[main].image", false),
            ("spec.containers[main].args", "spec.containers[main].args[0]", false),
            ("metadata.labels[app.k", "metadata.labels[app.kubernetes.io/name]", false),
            ("status.", "", false),
        ] {
            let (paths, more) = paths_in(pod.root(), start);
            assert_eq!((paths.join(" ").as_str(), more), (expected, is_open), "{start}");
        }
    }
}
