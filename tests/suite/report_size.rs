//! The size of reports is bounded for any input.
//!
//! Without limits, a message that quotes a value of several megabytes, or a finding for each of a
//! hundred thousand lines, would make a report many times larger than the input.

use std::fmt::Write as _;

use sandboxc::{
    Compilation, Options, Paint, Report, ReportFormat, Workspace, compile, most_important,
    render_github, render_human,
};

use crate::support::sampled;

/// The maximum size of a finding in a machine format, in bytes. Each of its parts is limited.
const OF_FINDING: usize = 6_000;
/// The maximum size of the rest of a report, in bytes: rules with their pages, and the inputs.
const OF_REPORT: usize = 64_000;

fn pod(name: &str, container: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec: {{containers: [{container}]}}\n"
    )
}

/// Inputs of about 300 kB that are designed to have large reports.
fn hostile() -> Vec<(&'static str, String)> {
    let long = "x".repeat(300_000);
    let keys = |key: fn(usize) -> String| {
        (0..15_000).fold(
            String::from("apiVersion: v1\nkind: ConfigMap\ndata:\n"),
            |mut text, at| {
                let _ = writeln!(text, "  {}: b", key(at));
                text
            },
        )
    };
    let many = |count: usize, item: String| vec![item; count].join(", ");
    let longer = "y".repeat(30_000);
    vec![
        ("one key again and again", keys(|_| "aaaaa".into())),
        ("each key twice", keys(|at| format!("a{:05}", at / 2))),
        ("a long name", pod(&long, "{name: main, image: a}")),
        (
            "a long quoted name",
            pod(&format!("'{}`'", long.replace("xx", "x`")), "{name: a, image: a}"),
        ),
        ("a long unknown field", pod("a", &format!("{{name: main, image: a, {long}: 1}}"))),
        (
            "a long value of the wrong type",
            pod("a", &format!("{{name: main, image: a, stdin: {long}}}")),
        ),
        (
            "long unknown fields",
            pod("a", &many(10, format!("{{name: main, image: a, {longer}: 1}}"))),
        ),
        (
            "long mounts",
            pod(
                "a",
                &format!(
                    "{{name: main, image: a, volumeMounts: [{}]}}",
                    many(10, format!("{{name: {longer}, mountPath: /a}}"))
                ),
            ),
        ),
        ("long names of containers", pod("a", &many(10, format!("{{name: {longer}, image: a}}")))),
        ("a long kind", format!("apiVersion: v1\nkind: {long}\nmetadata: {{name: a}}\n")),
        ("a long version", format!("apiVersion: {long}\nkind: Pod\nmetadata: {{name: a}}\n")),
        (
            "a long key of labels",
            format!(
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a, labels: {{{long}: a}}}}\n"
            ),
        ),
        ("no objects at all", "---\nx\n".repeat(1_000)),
        ("text that is not YAML", "[".repeat(9_000)),
    ]
}

#[test]
fn reports_are_bounded_whatever_the_input() {
    let mut complaints = Vec::new();
    for (what, text) in sampled(hostile(), 4) {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        let Compilation { diagnostics, inputs, .. } = compile(&workspace, &Options::default());
        assert!(!diagnostics.is_empty(), "{what}: no finding");
        let report = Report::new(&workspace, &inputs, &diagnostics);
        let of_machines = ReportFormat::ALL.iter().filter(|format| format.is_for_programs());
        let of_machines = of_machines.map(|format| (format.name(), report.render(*format)));
        let most = OF_REPORT + OF_FINDING * diagnostics.len();
        let (shown, _) = most_important(&diagnostics, 100);
        let of_readers = [
            ("human", render_human(&workspace, &shown, Paint::Plain)),
            ("github", render_github(&workspace, &shown)),
        ];
        let for_readers = OF_REPORT + OF_FINDING * shown.len();
        let reports = of_machines.map(|it| (it, most));
        for ((format, report), most) in reports.chain(of_readers.map(|it| (it, for_readers))) {
            if report.len() > most {
                complaints.push(format!("{what}: {format} has {} bytes of {most}", report.len()));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_key_repeated_many_times_is_one_finding() {
    let keys = "  aaaaa: b\n".repeat(15_000);
    let text = format!("apiVersion: v1\nkind: ConfigMap\ndata:\n  first: b\n{keys}");
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    let found = compile(&workspace, &Options::default()).diagnostics;
    let duplicates: Vec<_> = found.iter().filter(|it| it.rule.name == "duplicate-key").collect();
    assert_eq!(duplicates.len(), 1);
    assert!(duplicates[0].others.count() > 1_000);
}

fn definition(kind: &str, name: &str, spec: &str) -> String {
    format!(
        "apiVersion: sandboxc.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\n\
         spec: {{{spec}}}\n"
    )
}

fn task(at: usize, rest: &str) -> String {
    let rest = format!("agent: codex, credentials: {{type: none}}, prompt: a, {rest}");
    definition("Task", &format!("t{at}"), &rest)
}

/// The number of names that a message could list.
const NAMES: usize = 30;

fn numbered(item: impl Fn(usize) -> String, separator: &str) -> String {
    (0..NAMES).map(item).collect::<Vec<_>>().join(separator)
}

/// Inputs with many definitions that a message could name, with its rule.
fn many_definitions() -> [(&'static str, String); 3] {
    let workspace = definition("Workspace", "w", "repo: 'https://github.com/a/b.git'");
    let tasks = numbered(|at| task(at, "workspace: w, branch: x"), "---\n");
    let next = |at| (at + 1) % NAMES;
    let template =
        |at| definition("Template", &format!("t{at}"), &format!("extends: t{}", next(at)));
    [
        ("task-branch-shared", format!("{workspace}---\n{tasks}")),
        (
            "task-dependency-cycle",
            numbered(|at| task(at, &format!("dependsOn: [t{}]", next(at))), "---\n"),
        ),
        ("extends-cycle", numbered(template, "---\n")),
    ]
}

/// Inputs with many fields or keys that a message could name, with its rule.
fn many_fields() -> [(&'static str, String); 5] {
    let label = |rest: &str| {
        let label = format!("pools: [{{name: ci, labels: [{{name: l, {rest}}}]}}]");
        definition("NodePool", "p", &label)
    };
    let options = "args: [], command: [], env: [], envFrom: [], imagePullPolicy: Always, \
                   imagePullSecrets: [], lifecycle: {}, ports: [], podSecurityContext: {}, \
                   priorityClassName: a, restartPolicy: Never, runtimeClassName: a, image: a, \
                   serviceAccountName: a, terminationGracePeriodSeconds: 1, tolerations: []";
    let pod = "type: pod, spec: {containers: [{name: a, image: b}]}";
    let sources = "cron: {schedule: '0 0 * * *'}, githubIssues: {}, githubPullRequests: {}, \
                   slack: {}, jira: {}, webhook: {}, githubWebhook: {}, linearWebhook: {}";
    let template = "agent: codex, credentials: {type: none}, promptTemplate: a";
    let spawner = format!("when: {{{sources}}}, taskTemplate: {{{template}}}");
    let keys = numbered(|at| format!("app.kubernetes.io/k{at}: a"), ", ");
    let server = definition("Server", "s", "image: 'a:1'");
    let domains = numbered(|at| format!("d{at}.example.com"), ", ");
    let settings = format!("agentSandbox: {{allowedLabelDomains: [{domains}]}}");
    let claim = "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\n\
                 metadata: {name: w}\nspec: {replicas: 0, sandboxTemplateRef: {name: t}}\n---\n\
                 apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxClaim\n\
                 metadata: {name: c}\nspec: {warmPoolRef: {name: w}, additionalPodMetadata: \
                 {labels: {other.example.org/a: b}}}\n";
    [
        ("nodepool-spec-conflict", label(&format!("{pod}, {options}"))),
        ("nodepool-option-without-pod", label(&format!("type: namespace, {options}"))),
        ("guarded-field", server.replace("name: s", &format!("name: s, labels: {{{keys}}}"))),
        ("spawner-source-invalid", definition("TaskSpawner", "s", &spawner)),
        (
            "claim-label-domain-forbidden",
            format!("{}---\n{claim}", definition("Project", "p", &settings)),
        ),
    ]
}

/// The maximum length of a headline, in characters, with 20 of each name in it.
const OF_HEADLINE: usize = 200;
/// The maximum number of locations that a finding names, in addition to its own.
const OF_LOCATIONS: usize = 20;

#[test]
fn headlines_list_few_names() {
    let mut complaints = Vec::new();
    for (rule, text) in many_definitions().into_iter().chain(many_fields()) {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        let found = compile(&workspace, &Options::default()).diagnostics;
        let rules: Vec<_> = found.iter().map(|it| it.rule.name).collect();
        assert!(rules.contains(&rule), "{rule}: {rules:?}");
        for finding in found {
            let parts = finding.details().message.as_prose().split('`').enumerate();
            let length = parts.map(|(at, part)| {
                let length = part.chars().count();
                if at % 2 == 1 { length.min(20) + 2 } else { length }
            });
            if length.sum::<usize>() > OF_HEADLINE
                || finding.details().secondary.len() > OF_LOCATIONS
            {
                complaints.push(format!(
                    "{}, {}",
                    finding.details().secondary.len(),
                    finding.details().message.as_prose()
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn headlines_are_short_whatever_they_quote() {
    for (what, text) in sampled(hostile(), 4) {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        for finding in compile(&workspace, &Options::default()).diagnostics {
            assert!(
                finding.details().message.as_prose().len() <= 1_003,
                "{what}: {} bytes",
                finding.details().message.as_prose().len()
            );
        }
    }
}
