//! Properties of the created objects, for every input of the repository that can be compiled: the
//! API server accepts them, and those of the target `pods` can be applied unchanged.

use std::fs;

use rayon::prelude::*;
use sandboxc::{Object, Options, Purpose, Severity, emit_stream};

use super::lines::of_line;
use super::{BUILT_IN, effective, run, worked};
use crate::oracles::{file_name, folders};
use crate::support::{Fixture, fixtures, of_rules, portion, sampled};
use crate::unpacked::unpacked;

/// The fixtures of `build`, of the rules and of the controller recordings.
fn inputs() -> Vec<Fixture> {
    let mut inputs = fixtures("compile");
    // Fixtures without expected findings are the ones that their rule accepts.
    inputs.extend(of_rules().into_iter().filter(|it| {
        let text = String::from_utf8_lossy(&it.bytes);
        let is_accepted = it.expected.is_empty() && !it.is_import;
        is_accepted && it.name.contains("/ok_") && text.contains("agents.x-k8s.io/")
    }));
    for case in folders(&unpacked().join("effective")) {
        let bytes = fs::read(case.join("input.yaml")).unwrap();
        inputs.push(Fixture::new(format!("effective/{}", file_name(&case)), bytes));
    }
    inputs
}

/// The errors that `check` reports for the created objects, with the same versions.
fn errors(name: &str, line: &str, options: &Options, objects: &[Object]) -> Vec<String> {
    let text = emit_stream(objects);
    let mut check = of_line(line, Options::default());
    check.kubernetes = options.kubernetes;
    check.purpose = Purpose::Check;
    let found = run(&text, &check).diagnostics;
    let errors = found.into_iter().filter(|it| it.severity == Severity::Error);
    errors
        .map(|it| format!("{name}: {}: {}", it.rule.name, it.details().message.as_prose()))
        .collect()
}

/// The argument of fixtures for the older release line.
const OLD_LINE: &str = "--agent-sandbox=0.5";

/// The number of objects that controllers create from a fixture, and their errors.
fn judge(fixture: &Fixture) -> (usize, Vec<String>) {
    let compile = |change: fn(&mut Options)| {
        let mut fixture = Fixture::new(fixture.name.clone(), fixture.bytes.clone());
        fixture.options.purpose = Purpose::Build;
        change(&mut fixture.options);
        (fixture.compile().1, fixture.options)
    };
    let (steady, options) = compile(|it| it.purpose = Purpose::Effective);
    let (plain, plain_options) = compile(|it| it.set("agent-sandbox", "target", "pods").unwrap());
    let line = if fixture.arguments.contains(&OLD_LINE.to_owned()) { "0.5" } else { "1.0" };
    let mut faults = Vec::new();
    if !steady.has_errors() {
        faults.extend(errors(&fixture.name, line, &options, &steady.objects));
    }
    if !plain.has_errors() {
        let name = format!("{} (pods)", fixture.name);
        faults.extend(errors(&name, line, &plain_options, &plain.objects));
        let of_controllers = |it: &&Object| it.gvk().group().ends_with("agents.x-k8s.io");
        let left = plain.objects.iter().filter(of_controllers);
        faults.extend(left.map(|it| format!("{name}: {} is left", it.describe())));
        let text = emit_stream(&plain.objects);
        let marks = ["placeholder", "-xxxx", "ownerReferences:\n  - apiVersion: agents"];
        faults.extend(
            marks.into_iter().filter(|it| text.contains(it)).map(|it| format!("{name}: {it}")),
        );
    }
    (steady.objects.len(), faults)
}

#[test]
fn created_objects_pass_check_and_plain_ones_have_no_placeholders() {
    let inputs = sampled(inputs(), 12);
    let judged: Vec<_> = inputs.par_iter().map(judge).collect();
    let faults: Vec<_> = judged.iter().flat_map(|it| it.1.clone()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let count: usize = judged.iter().map(|it| it.0).sum();
    assert!(count > portion(500, 12), "{count} objects of {} inputs", inputs.len());
    for objects in [effective(BUILT_IN), worked()] {
        let faults = errors("built-in", "1.0", &Options::default(), &objects);
        assert!(faults.is_empty(), "{faults:?}");
    }
}

/// A fixed set of Pods cannot be scaled.
#[test]
fn autoscaling_is_an_error_with_the_target_pods() {
    let text = "\
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata: {name: t}
spec: {image: 'python:3.13'}
---
apiVersion: sandboxc.dev/v1alpha1
kind: WarmPool
metadata: {name: p}
spec:
  template: t
  autoscaling:
    minReplicas: 1
    maxReplicas: 3
    metrics:
    - type: External
      external: {metric: {name: claims_waiting}, target: {type: AverageValue, averageValue: '2'}}
";
    let rules = |target: &str| -> Vec<&str> {
        let mut options = Options::default();
        options.set("agent-sandbox", "target", target).unwrap();
        let found = run(text, &options).diagnostics.into_iter();
        found.filter(|it| it.severity == Severity::Error).map(|it| it.rule.name).collect()
    };
    assert_eq!(rules("pods"), ["autoscaling-without-controller"]);
    assert!(rules("resources").is_empty());
}
