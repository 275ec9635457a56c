//! Compares our verdicts on updates with those of the API server's own code, recorded by
//! `tools/oracle`.

#[path = "../../../../../tests/support/sample.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod sample;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sample::{portion, sampled};
use serde_json::Value as Json;

use super::{UpdateContext, judge_merged, judge_update, stored_form, typed};
use crate::applying::Method;
use crate::applying::server_side::{self, Managers, Request};
use crate::crd::CustomKinds;
use crate::diag::Sink;
use crate::kube::{InputObject, Object, SharedKinds};
use crate::limits::Fuel;
use crate::schema::{Arena, KubernetesVersion};
use crate::source::Workspace;
use crate::tree::Node;

fn fixture_folder() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/conformance")).to_owned()
}

/// The documents of the streams, by name.
fn read_documents() -> BTreeMap<String, Json> {
    let mut documents = BTreeMap::new();
    let files = |folder: PathBuf| {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let cases = files(fixture_folder().join("cases")).into_iter();
    let cases = cases.flat_map(|path| if path.is_dir() { files(path) } else { vec![path] });
    for path in cases.chain(files(fixture_folder().join("updates"))) {
        let name = path.strip_prefix(fixture_folder()).unwrap().with_extension("");
        let name = name.to_str().unwrap().replace('\\', "/");
        let text = format!("\n{}", fs::read_to_string(&path).unwrap());
        for part in text.split("\n--- # ").skip(1) {
            let (head, text) = part.split_once('\n').unwrap();
            let case = head.split_whitespace().next().unwrap();
            let mut workspace = Workspace::new();
            if let Some(object) = read_object(&mut workspace, &SharedKinds::default(), text) {
                let id =
                    if case.contains('#') { case.to_owned() } else { format!("{name}#{case}") };
                documents.insert(id, object.root.to_json());
            }
        }
    }
    documents
}

fn read_object(workspace: &mut Workspace, kinds: &SharedKinds, text: &str) -> Option<Object> {
    let file = workspace.add("x.yaml", text.to_owned());
    let text = workspace.file(file).text();
    let documents = crate::yaml::documents(file, text, &mut Sink::unused());
    let document = documents.read.into_iter().find(|document| !document.root.is_null())?;
    let input = InputObject::of(&document.root, document.span, kinds);
    let InputObject { gvk, name, namespace, place } = input;
    let root = document.root;
    Some(Object { gvk, name, namespace, root, document: place })
}

/// Applies an operation of a JSON patch.
fn patch_json(root: &mut Json, change: &Json) {
    let path = change["path"].as_str().unwrap();
    let (owner, last) = path.rsplit_once('/').unwrap();
    let last = last.replace("~1", "/").replace("~0", "~");
    let is_removal = change["op"] == "remove";
    let value = || change["value"].clone();
    match root.pointer_mut(owner).unwrap() {
        Json::Object(map) if is_removal => drop(map.remove(&last)),
        Json::Object(map) => drop(map.insert(last, value())),
        Json::Array(items) if last == "-" => items.push(value()),
        Json::Array(items) if is_removal => drop(items.remove(last.parse().unwrap())),
        Json::Array(items) => items[last.parse::<usize>().unwrap()] = value(),
        _ => panic!("{path} has no owner"),
    }
}

/// The errors that we report.
fn errors(
    old: &Json,
    new: &Json,
    definition: Option<&Json>,
    target: KubernetesVersion,
) -> Vec<String> {
    let mut workspace = Workspace::new();
    let kinds = SharedKinds::default();
    let old = read_object(&mut workspace, &kinds, &old.to_string()).unwrap();
    let new = read_object(&mut workspace, &kinds, &new.to_string()).unwrap();
    let definition =
        definition.map(|json| read_object(&mut workspace, &kinds, &json.to_string()).unwrap());
    let arena = Arena::new();
    let custom = CustomKinds::new(&arena, [], definition.as_slice(), &workspace);
    let fuel = Fuel::of(u64::MAX);
    let cx = UpdateContext { target, custom: [&custom, &custom], classes: &[], fuel: &fuel };
    let mut found = judge_update(cx, &old, &new);
    if found.is_empty() {
        // The recorded requests were sent with `force` by the manager of the stored object.
        let method = Method::ServerSide { manager: "oracle", is_forced: true };
        found = judge_merged(cx, [&old, &new], &[method]);
    }
    found.iter().map(|refusal| refusal.finding.details().message.as_prose().to_string()).collect()
}

/// What an API server of 1.37 made of the forms that two managers applied with kubectl: first one, then the other one
/// with `--force-conflicts`, then the first one again.
#[test]
fn server_side_apply_is_that_of_a_running_server() {
    let path = fixture_folder().join("../applying/server.jsonl");
    let cases = fs::read_to_string(path).unwrap();
    assert!(!cases.is_empty());
    for line in cases.lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let answer = &case["answer"];
        match (applied_in_turn(&case), answer["error"].as_str()) {
            (Ok(stored), None) => {
                let spec = answer["result"]["spec"].as_object().unwrap();
                for (field, value) in stored["spec"].as_object().unwrap() {
                    assert_eq!(spec.get(field), Some(value), "{field} of {}", case["name"]);
                }
                // Only an allocator sets the families of a Service.
                let absent = spec.keys().filter(|field| stored["spec"].get(field).is_none());
                assert!(absent.clone().all(|field| field.starts_with("ipFamil")), "{line}");
            }
            (Err(failure), Some(error)) => {
                assert!(error.ends_with(&failure.to_string()), "{failure}: {line}");
            }
            (outcome, _) => panic!("{outcome:?}: {line}"),
        }
    }
}

/// The object that is stored after all forms of a case were applied.
fn applied_in_turn(case: &Json) -> Result<Json, server_side::Failure> {
    let mut workspace = Workspace::new();
    let kinds = SharedKinds::default();
    let arena = Arena::new();
    let nothing = Workspace::new();
    let custom = CustomKinds::new(&arena, [], &[], &nothing);
    let fuel = Fuel::of(u64::MAX);
    let cx = UpdateContext {
        target: KubernetesVersion::NEWEST,
        custom: [&custom, &custom],
        classes: &[],
        fuel: &fuel,
    };
    let mut live = Json::Object(serde_json::Map::new());
    let mut managers = Managers::default();
    for (form, manager) in [("first", "kubectl"), ("other", "other"), ("new", "kubectl")] {
        let Some(form) = case.get(form) else { continue };
        let form = read_object(&mut workspace, &kinds, &form.to_string()).unwrap();
        let request = Request { form: &form.root, manager, is_forced: manager == "other" };
        let stored = Node::from_json(live, form.root.origin());
        let merged = server_side::apply(typed(cx, &form), &stored, &managers, request)?;
        managers = merged.managers.clone();
        let object = Object { root: merged.into_object(), ..form };
        live = stored_form(cx, &object).root.to_json();
    }
    Ok(live)
}

/// Updates that the server rejects because of labels that only it sets, or of the status, which are not judged.
const UNJUDGED: [&str; 2] =
    ["cases/customresource/scale_and_status#status-list@88", "updates/job#suspended@51"];

/// The verdicts on objects that could be created are those of the server.
#[test]
fn updates_are_judged_as_by_the_server() {
    let documents = read_documents();
    let mut changes = BTreeMap::new();
    for name in ["pairs", "written"] {
        let path = fixture_folder().join(format!("updates/{name}.jsonl"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let change: Json = serde_json::from_str(line).unwrap();
            changes.insert(change["id"].as_str().unwrap().to_owned(), change);
        }
    }
    let text = fs::read_to_string(fixture_folder().join("recorded/updates.jsonl")).unwrap();
    let mut lines = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let all = lines.next().unwrap()["versions"].clone();
    let (mut failures, mut count) = (Vec::new(), 0);
    for verdict in sampled(lines, 8) {
        let id = verdict["id"].as_str().unwrap();
        let base = id.split('@').next().unwrap();
        // The merge of a patch is not judged.
        let is_judged = verdict["stage"] != "apply";
        // What a creation would also reject is not among our errors.
        let is_rejected_anyway = verdict["stage"] != "accepted" && verdict.get("create").is_some();
        if !is_judged || is_rejected_anyway {
            continue;
        }
        let old = &documents[base];
        let (stream, _) = base.split_once('#').unwrap();
        let definition = documents.get(&format!("{stream}#definition"));
        let mut new = old.clone();
        patch_json(&mut new, &changes[id]);
        for version in verdict.get("versions").unwrap_or(&all).as_array().unwrap() {
            let target = KubernetesVersion::parse(version.as_str().unwrap()).unwrap();
            let errors = errors(old, &new, definition, target);
            count += 1;
            let is_same = errors.is_empty() == (verdict["stage"] == "accepted");
            if is_same == UNJUDGED.contains(&id) {
                failures.push(format!("{version} {id} {}: {errors:?}", verdict["errors"]));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    assert!(count > portion(12_000, 8), "only {count} updates were compared");
}
