//! Inputs in which thousands of objects share one mistake, and the same inputs without it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use sandboxc::{Options, Paint, Purpose, Workspace, compile, render_human};

/// The number of objects of an input.
const OBJECTS: usize = 10_000;
/// The maximum ratio of the times with and without the mistake.
const LIMIT: f64 = 1.2;

/// A mistake: its name, and the input with and without it.
type Pair = (&'static str, fn(bool) -> String);

const PAIRS: [Pair; 3] = [
    ("Pods, env, absent Secret", |is_wrong| pods(is_wrong, ENV)),
    ("Pods, envFrom, absent Secret", |is_wrong| pods(is_wrong, ENV_FROM)),
    ("claims, TTL that never fires", claims),
];

const ENV: &str = "env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: token, key: key}}}]";
const ENV_FROM: &str = "envFrom: [{secretRef: {name: token}}]";

/// Prints the time of each pair, and returns whether all ratios are within the limit.
pub(crate) fn measure(runs: usize) -> bool {
    let mut is_within = true;
    println!("{:>30} {:>9} {:>9} {:>6}", "mistake", "right ms", "wrong ms", "ratio");
    for (name, input) in PAIRS {
        let (right, wrong) = (input(false), input(true));
        let (mut of_right, mut of_wrong) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            of_right.push(time(&right, 0));
            of_wrong.push(time(&wrong, 1));
        }
        let [right, wrong] = [of_right, of_wrong].map(|it| super::median(it.into_iter()));
        let ratio = wrong.as_secs_f64() / right.as_secs_f64().max(1e-9);
        is_within &= ratio <= LIMIT;
        let [right, wrong] = [right, wrong].map(|it| it.as_secs_f64() * 1e3);
        println!("{name:>30} {right:>9.1} {wrong:>9.1} {ratio:>6.2}");
    }
    is_within
}

/// The time of a check of an input with this number of findings, and of its report.
fn time(text: &str, findings: usize) -> Duration {
    let mut workspace = Workspace::new();
    workspace.add("input.yaml", text);
    let mut options = Options::default();
    options.purpose = Purpose::Check;
    let start = Instant::now();
    let found = compile(&workspace, &options).diagnostics;
    let report = render_human(&workspace, &found, Paint::Plain);
    let time = start.elapsed();
    assert!(found.len() == findings && report.is_empty() == (findings == 0), "{report}");
    time
}

fn pods(is_wrong: bool, reference: &str) -> String {
    let mut text = String::new();
    if !is_wrong {
        text.push_str("apiVersion: v1\nkind: Secret\nmetadata: {name: token, namespace: team}\nstringData: {key: value}\n");
    }
    for index in 0..OBJECTS {
        let _ = write!(
            text,
            "---
apiVersion: v1
kind: Pod
metadata:
  name: pod-{index}
  namespace: team
  labels:
    app: worker
spec:
  containers:
    - name: main
      image: registry.example.com/app:1.2.3
      command: [\"sleep\", \"infinity\"]
      {reference}
      resources:
        requests:
          cpu: 100m
          memory: 128Mi
        limits:
          memory: 128Mi
"
        );
    }
    text
}

fn claims(is_wrong: bool) -> String {
    let policy = if is_wrong { "Always" } else { "Never" };
    let mut text = format!(
        "apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxTemplate
metadata: {{name: python, namespace: team}}
spec:
  podTemplate:
    spec:
      restartPolicy: {policy}
      containers: [{{name: main, image: \"python:3.13\"}}]
---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxWarmPool
metadata: {{name: python, namespace: team}}
spec:
  replicas: 0
  sandboxTemplateRef: {{name: python}}
"
    );
    for index in 0..OBJECTS {
        let _ = write!(
            text,
            "---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxClaim
metadata:
  name: claim-{index}
  namespace: team
  labels:
    app: worker
spec:
  warmPoolRef:
    name: python
  lifecycle:
    ttlSecondsAfterFinished: 600
"
        );
    }
    text
}
