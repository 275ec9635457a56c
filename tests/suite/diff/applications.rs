//! What the real programs did on a running API server of 1.37, and what `diff` says of it.
//! `tools/applying-oracle/applications.py` records both.

use std::fs;

use sandboxc::{
    Applier, Compilation, Diff, DiffSide, Options, Purpose, Workspace, compile, diff,
    render_diff_json,
};
use serde_json::{Map, Value as Json};

/// A side as text, compiled.
fn compiled(object: &Json) -> (Workspace, Compilation) {
    let mut options = Options::default();
    options.purpose = Purpose::Compare;
    let mut workspace = Workspace::new();
    workspace.add("object.yaml", object.to_string());
    let compilation = compile(&workspace, &options);
    (workspace, compilation)
}

fn compare(old: &Json, last: &Json, new: &Json, applier: Applier) -> Diff {
    let (mut old, new) = (compiled(old), compiled(new));
    if !last.is_null() {
        old.1.add_last_applied(&compiled(last).1);
    }
    let side = DiffSide::new(&new.0, &new.1).applied_by(applier);
    diff(&DiffSide::new(&old.0, &old.1), &side)
}

/// The paths of the fields that differ.
fn paths(found: &Diff) -> Vec<String> {
    let fields = found.objects.iter().flat_map(|change| &change.fields);
    let mut paths: Vec<_> = fields.map(|field| field.path.to_string()).collect();
    paths.sort();
    paths
}

/// What a JSON merge patch makes of a value.
fn patched(value: &Json, patch: &Json) -> Json {
    let Json::Object(patch) = patch else { return patch.clone() };
    let mut map = value.as_object().cloned().unwrap_or_default();
    for (key, change) in patch {
        if change.is_null() {
            map.remove(key);
        } else {
            let before = map.get(key).cloned().unwrap_or(Json::Null);
            map.insert(key.clone(), patched(&before, change));
        }
    }
    Json::Object(map)
}

fn applier_of(actor: &str) -> Applier {
    match actor {
        "client" | "files-client" => Applier::Client,
        "server" | "files-server" => Applier::Server,
        "replace" => Applier::Replace,
        "helm" | "helm4" => Applier::Helm,
        "flux" => Applier::Flux,
        actor => panic!("no program {actor}"),
    }
}

/// How what is said differs from what happened.
fn disagreement(case: &Json) -> Option<String> {
    let applier = applier_of(case["actor"].as_str()?);
    let old = case.get("old").unwrap_or(&case["live"]);
    let said = compare(old, &case["last"], &case["new"], applier);
    let json: Json = serde_json::from_str(&render_diff_json(&said, false)).expect("JSON");
    let outcome = json["objects"][0]["outcome"].as_object().cloned().unwrap_or_else(Map::new);
    let text = outcome.get("text").and_then(Json::as_str).unwrap_or_default();
    let is_rejected = outcome.get("effect").is_some_and(|effect| effect == "replaced");
    if is_rejected != case.get("error").is_some() {
        return Some(format!("{text:?}: {}", case["error"]));
    }
    if is_rejected {
        return None;
    }
    let result = patched(&case["live"], &case["change"]);
    let real = compare(&case["live"], &Json::Null, &result, Applier::Replace);
    let (said, real) = (paths(&said), paths(&real));
    if said != real {
        return Some(format!("{said:?} are said to change, {real:?} did"));
    }
    let kind = case["new"]["kind"].as_str().unwrap_or_default();
    let is_workload = matches!(kind, "Deployment" | "DaemonSet" | "StatefulSet");
    let changes_template = real.iter().any(|path| path.starts_with("spec.template"));
    let effect = outcome.get("effect").and_then(Json::as_str);
    let restarts = matches!(effect, Some("restarts" | "waits"));
    (is_workload && changes_template != restarts).then(|| format!("{text:?} for {real:?}"))
}

#[test]
fn what_is_said_is_what_happened() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/applying/applications.jsonl");
    let cases = fs::read_to_string(path).expect("the recorded applications");
    let cases: Vec<Json> =
        cases.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
    assert!(cases.len() > 100, "{} cases", cases.len());
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|case| Some(format!("{}: {}", case["name"], disagreement(case)?)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
