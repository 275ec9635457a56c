//! `cargo bench --profile dist --bench yaml`: measures the speed of parsing YAML to trees with
//! spans, for a stream of 20 MB of Pods: with the fast reader, and with the parser for documents
//! that the fast reader does not support (here because of Windows line endings).
//!
//! Each figure is the median of several runs. Seconds are not comparable between machines, but
//! ratios are.
#![expect(
    clippy::print_stdout,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a benchmark prints figures"
)]

use std::fmt::Write;
use std::time::{Duration, Instant};

use sandboxc::{Options, Stage, Workspace, compile_observed};

const RUNS: usize = 5;
const PODS: usize = 10_000;

fn main() {
    let pods = pods(PODS);
    for (name, text) in [("quick reader", pods.clone()), ("parser", pods.replace('\n', "\r\n"))] {
        let mut times: Vec<_> = (0..RUNS).map(|_| time_to_read(&text)).collect();
        times.sort();
        let seconds = times.get(RUNS / 2).map_or(0.0, Duration::as_secs_f64);
        let megabytes = text.len() as f64 / 1e6;
        println!(
            "{name:>14}: {megabytes:.1} MB in {:.0} ms, {:.0} MB/s",
            seconds * 1e3,
            megabytes / seconds
        );
    }
}

/// From the text to its trees: the stage `Read` of the pipeline.
fn time_to_read(text: &str) -> Duration {
    let mut workspace = Workspace::new();
    workspace.add("pods.yaml", text);
    let mut marks = Vec::new();
    let compilation = compile_observed(&workspace, &Options::default(), &mut |stage: Stage, _| {
        marks.push(Instant::now());
        assert!(marks.len() > 1 || stage == Stage::Read, "reading comes first");
    });
    assert_eq!(compilation.objects.len(), PODS, "all documents are read");
    match marks.as_slice() {
        [read, next, ..] => *next - *read,
        _ => Duration::ZERO,
    }
}

/// A stream of typical Pods.
fn pods(count: usize) -> String {
    let mut text = String::new();
    for number in 0..count {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "---
apiVersion: v1
kind: Pod
metadata:
  name: sandbox-{number}
  namespace: team-{team}
  labels:
    app.kubernetes.io/name: sandbox
    app.kubernetes.io/instance: sandbox-{number}
  annotations:
    example.com/owner: \"team {team}\"
    example.com/description: a place to run code, number {number}
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 30
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    seccompProfile:
      type: RuntimeDefault
  containers:
  - name: main
    image: registry.example.com/sandboxes/python:3.13-slim
    imagePullPolicy: IfNotPresent
    command: [\"/bin/sh\", \"-c\"]
    args:
    - |
      set -eu
      for file in /work/*; do
        echo \"$file\"
      done
      exec python -m http.server 8080
    env:
    - name: HOME
      value: /work
    - name: PYTHONUNBUFFERED
      value: \"1\"
    - name: TOKEN
      valueFrom:
        secretKeyRef:
          name: token-{number}
          key: token
    ports:
    - containerPort: 8080
      name: http
      protocol: TCP
    resources:
      requests:
        cpu: 500m
        memory: 512Mi
      limits:
        cpu: \"1\"
        memory: 1Gi
    readinessProbe:
      httpGet:
        path: /healthz
        port: http
      initialDelaySeconds: 5
      periodSeconds: 10
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: [\"ALL\"]
    volumeMounts:
    - name: work
      mountPath: /work
    - name: tmp
      mountPath: /tmp
  volumes:
  - name: work
    emptyDir:
      sizeLimit: 1Gi
  - name: tmp
    emptyDir: {{}}
  tolerations:
  - key: sandbox
    operator: Exists
    effect: NoSchedule
",
            team = number % 17
        );
    }
    text
}
