//! The Jobs of `effective` for Tasks of kelos, compared with those that its own builder made.

use std::fs;

use sandboxc::{Workspace, compile};
use serde_json::Value;

use super::steady;
use crate::oracles::compare::{compare, objects_by_name};
use crate::oracles::{Case, cases};

/// The end of the paths of scripts, which are our own with the same effect (`docs/kelos.md`).
const SCRIPT: &str = ".command[2]";

/// Further differences on purpose: a part of the line, and the reason.
const ON_PURPOSE: [(&str, &str); 4] = [
    ("config_mcp_secrets", "Secrets are read by the kubelet, and not copied into the Job"),
    ("Job/open-pr: only the system", "a Task with `dependsOn` has its Job later"),
    ("Job/write-tests: only the system", "a Task with `dependsOn` has its Job later"),
    ("volumeClaimTemplate.metadata: only the system", "an empty map, as Go encodes it"),
];

#[test]
fn the_job_of_a_task_is_that_of_the_controller() {
    let mut compared = 0;
    let mut differences = Vec::new();
    for case in cases().iter().filter(|case| case.name.starts_with("kelos/")) {
        let Some(ours) = jobs(case) else { continue };
        let recorded = recorded(case);
        if recorded.is_empty() || ours.is_empty() {
            continue;
        }
        compared += 1;
        for (target, detail) in compare(&objects_by_name(&recorded), &objects_by_name(&ours)) {
            let target = target.to_string();
            let line = format!("{}: {target}: {detail}", case.name);
            let is_script = target.contains("initContainers[") && target.ends_with(SCRIPT);
            if !is_script && !ON_PURPOSE.iter().any(|(part, _)| line.contains(part)) {
                differences.push(line);
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(compared > 60, "{compared}");
}

/// The Jobs of `effective`, without their owners, which the recordings do not have.
fn jobs(case: &Case) -> Option<Vec<Value>> {
    let mut workspace = Workspace::new();
    workspace.add("input.yaml", fs::read_to_string(case.folder().join("input.yaml")).ok()?);
    let compilation = compile(&workspace, &steady());
    let jobs = compilation.objects.iter().filter(|object| object.gvk().kind() == "Job");
    let jobs = jobs.map(|job| {
        let mut job = serde_json::to_value(job.root()).unwrap();
        let owners = job["metadata"].as_object_mut().unwrap().remove("ownerReferences");
        assert_eq!(owners.unwrap()[0]["kind"], "Task");
        job
    });
    Some(jobs.collect())
}

fn recorded(case: &Case) -> Vec<Value> {
    let text = fs::read_to_string(case.folder().join("observed.json")).unwrap();
    let observed: Value = serde_json::from_str(&text).unwrap();
    let objects = observed["objects"].as_array().unwrap().clone();
    objects.into_iter().filter(|object| object["kind"] == "Job").collect()
}
