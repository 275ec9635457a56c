//! `fixtures/merge/*.yaml`: a base, a layer, and the expected result.
//!
//! Each document of a file is one case:
//!
//! ```yaml
//! case: a sentence
//! base: {...}
//! override: {...}
//! expected: {...}
//! findings: [{rule: null-over-value, at: override.affinity.nodeAffinity, also: base.affinity.nodeAffinity}]
//! ```
//!
//! `at` and `also` are the paths of the primary and the second span in the case itself.

use std::fs;
use std::path::{Path as FilePath, PathBuf};

use super::{GUARDED_FIELD, Guard, Hold, MergeContext, Name, Row, Step, Strategy, Trace, apply};
use crate::diag::{Diagnostic, Sink};
use crate::schema::{Type, store};
use crate::source::{Span, Workspace};
use crate::tree::{Node, Path, Value};
use crate::yaml;

/// The guards of idegym: its container, and the service account.
static SERVER_GUARDS: &[Guard<'static>] = &[
    Guard {
        field: &[Step::Key(Name::Is("serviceAccountName"))],
        hold: Hold::Unset,
        rule: &GUARDED_FIELD,
        owner: "`spec.serviceAccountName`",
        place: None,
        noun: None,
        help: "set `serviceAccountName` next to `podOverrides`",
    },
    Guard {
        field: &[Step::Key(Name::Is("containers")), Step::Item("name", Name::Is("server"))],
        hold: Hold::Unset,
        rule: &GUARDED_FIELD,
        owner: "the container `server` of the kind",
        place: None,
        noun: None,
        help: "use the fields of `spec` for this container",
    },
    Guard {
        field: &[Step::Key(Name::Is("volumes")), Step::Item("name", Name::StartsWith("kelos-"))],
        hold: Hold::Unset,
        rule: &GUARDED_FIELD,
        owner: "the reserved volume names",
        place: None,
        noun: None,
        help: "choose a name that does not start with `kelos-`",
    },
];

/// The strategy of kelos for the Pod's security context.
static KEEP_FS_GROUP: &[Row<'static>] = &[Row {
    object: "io.k8s.api.core.v1.PodSpec",
    field: "securityContext",
    strategy: Strategy::ReplaceKeeping(&["fsGroup"]),
    reason: "the clone is owned by this group",
}];

/// The type of the trees that the tests of this module merge.
pub(super) fn pod_spec() -> Type<'static> {
    Type::Object(store::definition("io.k8s.api.core.v1.PodSpec").unwrap())
}

fn fixture_files() -> Vec<PathBuf> {
    let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/merge");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn layers_merge_as_in_the_fixtures() {
    let mut workspace = Workspace::new();
    let mut failures = Vec::new();
    let mut cases = 0;
    for path in fixture_files() {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let file = workspace.add(name.clone(), text.clone());
        let mut sink = Sink::new();
        for document in yaml::documents(file, &text, &mut sink).read {
            cases += 1;
            if let Err(failure) = check_case(&document.root) {
                let title = document.root.str_at(&["case"]).unwrap_or("?");
                failures.push(format!("{name}: {title}\n{failure}"));
            }
        }
        assert!(sink.is_empty(), "{name} cannot be read: {:?}", sink.into_sorted());
    }
    assert!(cases > 30, "only {cases} cases were found");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check_case(case: &Node) -> Result<(), String> {
    let (base, over) = (case.get("base").unwrap(), case.get("override").unwrap());
    let rows = if case.get("keepFsGroup").is_some() { KEEP_FS_GROUP } else { &[] };
    let guards = if case.get("guarded").is_some() { SERVER_GUARDS } else { &[] };
    let cx = MergeContext { rows, path: Path::root() };
    let (mut sink, mut trace) = (Sink::new(), Trace::default());
    let merged = apply(&cx, guards, base.clone(), over, pod_spec(), Some(&mut trace), &mut sink);

    let mut problems = Vec::new();
    let expected = case.get("expected").unwrap().to_json();
    let (merged_text, expected_text) = (merged.to_json().to_string(), expected.to_string());
    if merged_text != expected_text {
        problems.push(format!("  expected {expected}\n  merged   {}", merged.to_json()));
    }
    let found: Vec<_> = sink.into_sorted().iter().map(describe_finding).collect();
    let mut announced: Vec<_> = case
        .get("findings")
        .map_or(&[][..], Node::items)
        .iter()
        .map(|finding| {
            let span = |key| finding.str_at(&[key]).map(|way| place(case, way));
            (finding.str_at(&["rule"]).unwrap().to_owned(), span("at").unwrap(), span("also"))
        })
        .collect();
    announced.sort_by_key(|(_, span, _)| *span);
    if found != announced {
        problems.push(format!("  announced {announced:?}\n  found     {found:?}"));
    }
    if let Some(replaced) = case.get("replaced") {
        let paths: Vec<_> = trace.replaced.iter().map(|replaced| replaced.path.as_str()).collect();
        let wanted: Vec<_> = replaced.items().iter().filter_map(Node::as_str).collect();
        if paths != wanted {
            problems.push(format!("  replaced {paths:?}\n  wanted   {wanted:?}"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn describe_finding(finding: &Diagnostic) -> (String, Span, Option<Span>) {
    let also = finding.details().secondary.first().map(|label| label.span);
    (finding.rule.name.to_owned(), finding.primary.span, also)
}

/// The span at the end of a path: `override.containers.0.name`; with `~` the key instead of the
/// value. A number also counts the entries of a map.
pub(crate) fn place(case: &Node, way: &str) -> Span {
    let (way, of_key) = way.strip_suffix('~').map_or((way, false), |way| (way, true));
    let mut node = case;
    let mut key_span = case.span();
    for step in way.split('.') {
        let entry = match (step.parse::<usize>(), &node.value) {
            (Ok(index), Value::List(items)) => {
                node = &items[index];
                continue;
            }
            (Ok(index), Value::Map(map)) => &map.entries()[index],
            _ => node.as_map().unwrap().entry(step).unwrap_or_else(|| panic!("{way}: no {step}")),
        };
        key_span = entry.key_origin().span();
        node = &entry.value;
    }
    if of_key { key_span } else { node.span() }
}
