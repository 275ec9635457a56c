//! Compares patches and results with those of the Go packages, which `tools/applying-oracle` records.

use std::fs;

use serde_json::Value as Json;

use super::*;
use crate::source::Workspace;
use crate::tree::Origin;

/// A recorded case: the forms, and what the packages made of them.
fn compare(case: &Json) -> Option<String> {
    let origin = Origin::source(Workspace::new().start());
    let node = |name: &str| {
        let form = case.get(name).filter(|form| !form.is_null())?;
        Some(Node::from_json(form.clone(), origin))
    };
    let (last, new, live) = (node("last"), node("new")?, node("live")?);
    let text = |field: &str| new.text_at(&[field]);
    let gvk = GroupVersionKind::new(text("apiVersion"), text("kind"));
    let forms = Forms { last: last.as_ref(), new: &new, live: &live };
    let applied = client_side(definition(&gvk), forms);
    let answer = &case["answer"];
    let error = answer["error"].as_str();
    let difference = match (&applied, error) {
        (Err(Failure::Patch(_)), Some(error)) => !error.starts_with("patch:"),
        (Err(Failure::Merge(_)), Some(error)) => !error.starts_with("merge:"),
        (Ok(_), Some(_)) | (Err(_), None) => true,
        (Ok(Applied { patch, result }), None) => {
            let patch = patch.to_json();
            let expected = answer
                .get("patch")
                .cloned()
                .unwrap_or_else(|| Json::Object(serde_json::Map::new()));
            patch != expected || result.to_json() != answer["result"]
        }
    };
    let shown = || match &applied {
        Ok(Applied { patch, result }) => format!("{}\n  {}", patch.json_text(), result.json_text()),
        Err(failure) => format!("{failure:?}"),
    };
    difference.then(|| format!("{}: {}\n  {answer}", case["name"], shown()))
}

#[test]
fn patches_and_results_are_those_of_kubectl() {
    let path = std::env::var("APPLYING_CASES").unwrap_or_else(|_| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/applying/client-side.jsonl").to_owned()
    });
    let cases = fs::read_to_string(&path).expect("the recorded cases");
    let cases = cases.lines().map(|line| serde_json::from_str::<Json>(line).expect("a case"));
    let (mut count, mut differences) = (0, Vec::new());
    for case in cases {
        count += 1;
        differences.extend(compare(&case));
    }
    assert!(count > 0, "no cases in {path}");
    let shown: Vec<_> = differences.iter().take(5).map(String::as_str).collect();
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), shown.join("\n"));
}
