//! `test`: the cases of test files.

use std::fs;

use super::Folder;
use crate::support::root;

const PROJECT: &str = "\
apiVersion: sandboxc.dev/v1alpha1
kind: Project
spec:
  namespace: agents
  values: {registry: a.example.com}
  environments: {prod: {values: {registry: b.example.com}}}
";

const TEMPLATE: &str = "\
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata: {name: python}
spec:
  image: \"{{ values.registry }}/python\"
  command: [sleep, infinity]
  podSecurityContext: {runAsUser: 1000}
  env: [{name: A, value: a}, {name: API_TOKEN, value: hunter2}]
  resources: {limits: {cpu: '1', memory: 512Mi}}
";

const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: agents}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: 'web:1', ports: [{containerPort: 80}]}
";

const SECRET: &str = "\
apiVersion: v1
kind: Secret
metadata: {name: key, namespace: agents}
stringData: {key: hunter2}
";

/// A test file with cases, indented by four spaces.
fn cases(cases: &str) -> String {
    format!("apiVersion: sandboxc.dev/v1alpha1\nkind: Test\nspec:\n  cases:\n{cases}")
}

/// A case without input of its own.
fn expecting(expect: &str) -> String {
    cases(&format!("  - name: it\n    expect:\n      {expect}\n"))
}

fn project(test: &str) -> Folder {
    Folder::new(&[
        ("sandboxc.yaml", PROJECT),
        ("python.yaml", TEMPLATE),
        ("web.yaml", DEPLOYMENT),
        ("key.yaml", SECRET),
        ("a.test.yaml", test),
    ])
}

/// Runs one case, and returns the headlines of its failures.
#[track_caller]
fn failures(expect: &str) -> Vec<String> {
    let folder = project(&expecting(expect));
    let run = folder.run(&["test"]);
    let is_passed = run.status == 0;
    let (stdout, stderr) = run.expect(i32::from(!is_passed));
    assert_eq!(stderr, "");
    assert!(stdout.contains(if is_passed { "it ... ok\n" } else { "it ... FAILED\n" }), "{stdout}");
    let headlines = stdout.lines().filter_map(|it| it.strip_prefix("error[test-failed]: "));
    headlines.map(str::to_owned).collect()
}

#[track_caller]
fn passes(expect: &str) {
    assert_eq!(failures(expect), [""; 0], "{expect}");
}

/// The only failure.
#[track_caller]
fn failure(expect: &str) -> String {
    let found = failures(expect);
    let [failure] = &found[..] else { panic!("{expect}: {found:?}") };
    failure.clone()
}

#[test]
fn parts_of_objects_are_compared_by_meaning() {
    let container = |fields: &str| {
        format!(
            "objects: [{{kind: Deployment, metadata: {{name: web}}, spec: {{template: {{spec: \
            {{containers: [{{name: web, {fields}}}]}}}}}}}}]"
        )
    };
    passes(&container("image: 'web:1'"));
    passes(&container("ports: [{containerPort: 80, protocol: TCP}]"));
    passes(&container("imagePullPolicy: IfNotPresent"));
    passes(&container("resources: null, command: null"));
    assert_eq!(
        failure(&container("image: 'web:2'")),
        "`spec.template.spec.containers[web].image` of Deployment/web is `web:1`, not `web:2`"
    );
    assert_eq!(
        failure(&container("imagePullPolicy: Always")),
        "`spec.template.spec.containers[web].imagePullPolicy` of Deployment/web is `IfNotPresent` \
        by default, not `Always`"
    );
    assert_eq!(
        failure(&container("image: null")),
        "`spec.template.spec.containers[web].image` of Deployment/web is `web:1`, but must not be set"
    );
    assert_eq!(
        failure(&container("ports: [{containerPort: 81}]")),
        "`spec.template.spec.containers[web].ports[81/TCP]` of Deployment/web is not set"
    );
    passes("objects: [{kind: Deployment, spec: {replicas: 1}}]");
    assert_eq!(
        failure("objects: [{kind: Deployment, spec: {replicas: 2}}]"),
        "`spec.replicas` of Deployment/web is `1` by default, not `2`"
    );
}

#[test]
fn fields_of_compiled_objects_are_compared_too() {
    let template = |main: &str| {
        format!(
            "objects: [{{kind: SandboxTemplate, metadata: {{name: python}}, spec: {{podTemplate: \
            {{spec: {{containers: [{{name: main, {main}}}]}}}}}}}}]"
        )
    };
    passes(&template("resources: {limits: {cpu: 1000m, memory: 0.5Gi}}"));
    passes(&template("env: [{name: A, value: a}]"));
    passes(&template("command: [sleep, infinity]"));
    let main = "spec.podTemplate.spec.containers[main]";
    for (fields, expected) in [
        (
            "resources: {limits: {cpu: 1001m}}",
            "resources.limits.cpu` of SandboxTemplate/python is `1`, not `1001m`",
        ),
        ("env: [{name: B, value: b}]", "env[B]` of SandboxTemplate/python is not set"),
        ("command: [sleep]", "command` of SandboxTemplate/python also has `infinity`"),
        (
            "command: [infinity, sleep]",
            "command` of SandboxTemplate/python are `sleep`, `infinity`, not `infinity`, `sleep`",
        ),
    ] {
        let found = failure(&template(fields));
        let rest = found.split_once(main).map(|it| it.1.trim_start_matches('.'));
        assert_eq!(rest, Some(expected), "{fields}");
    }
}

/// Items that are not written are ignored, but an empty list has none.
#[test]
fn an_empty_list_must_be_empty() {
    let expect = "objects: [{kind: SandboxTemplate, metadata: {name: python}, spec: {podTemplate: \
        {spec: {containers: [{name: main, env: [], args: []}]}}}}]";
    let of = "of SandboxTemplate/python is";
    let env = "`spec.podTemplate.spec.containers[main].env";
    let expected = [
        format!(
            "{env}[API_TOKEN]` {of} `{{\"name\":\"API_TOKEN\",\"value\":\"••••••\"}}`, but must not be set"
        ),
        format!("{env}[A]` {of} `{{\"name\":\"A\",\"value\":\"a\"}}`, but must not be set"),
    ];
    assert_eq!(failures(expect), expected);
}

#[test]
fn an_object_that_is_not_in_the_output_is_a_failure() {
    assert_eq!(
        failure("objects: [{kind: SandboxTemplate, metadata: {name: pyhton}}]"),
        "object `SandboxTemplate/pyhton` not found in the output"
    );
    assert_eq!(
        failure("objects: [{apiVersion: v1, kind: Deployment}]"),
        "no object of the kind `Deployment` in the output"
    );
    assert_eq!(
        failure("objects: [{kind: Deployment, metadata: {name: web, namespace: other}}]"),
        "object `Deployment/other/web` not found in the output"
    );
}

#[test]
fn absent_objects_and_counts() {
    passes("absent: [Deployment/other, Deployment/x/web, Deployment.extensions/web]");
    assert_eq!(failure("absent: [Deployment/agents/web]"), "the output contains Deployment/web");
    passes("count: {Deployment: 1, Deployment.apps: 1, Pod: 0}");
    assert_eq!(failure("count: {Deployment: 2}"), "1 object of the kind `Deployment`, not 2");
    assert_eq!(failure("count: {Deploymint: 1}"), "no objects of the kind `Deploymint`, not 1");
}

#[test]
fn fields_have_paths() {
    let field = |path: &str, value: &str| {
        format!("fields: {{SandboxTemplate/python: {{'spec.podTemplate.spec.{path}': {value}}}}}")
    };
    passes(&field("containers[main].image", "a.example.com/python"));
    passes(&field("containers[0].resources.limits[cpu]", "1000m"));
    passes(&field("containers[main].command", "[sleep, infinity]"));
    passes(&field("nodeSelector", "null"));
    passes(
        "fields: {Deployment/web: {spec.replicas: 1, 'spec.template.spec.restartPolicy': Always}}",
    );
    let of = "of SandboxTemplate/python";
    for (path, value, expected) in [
        ("containers[main].image", "b", format!("{of} is `a.example.com/python`, not `b`")),
        (
            "containers[main].image",
            "null",
            format!("{of} is `a.example.com/python`, but must not be set"),
        ),
        ("containers[side].image", "b", format!("{of} is not set")),
        (
            "containers[main].command",
            "[sleep]",
            format!("{of} is `[\"sleep\",\"infinity\"]`, not `[\"sleep\"]`"),
        ),
        (
            "containers[main].env[API_TOKEN].value",
            "hunter3",
            format!("{of} is `••••••`, not `••••••`"),
        ),
        ("nodeselector", "{a: b}", format!("{of} is not set")),
    ] {
        assert_eq!(
            failure(&field(path, value)),
            format!("`spec.podTemplate.spec.{path}` {expected}")
        );
    }
    assert_eq!(failure("fields: {Pod/x: {a: 1}}"), "object `Pod/x` not found in the output");
}

#[test]
fn findings_are_listed_completely() {
    let folder = project(&cases(
        "  - name: unexpected\n    definitions: &wrong [{apiVersion: sandboxc.dev/v1alpha1, kind: Claim, metadata: {name: c}, spec: {warmPool: p}}]\n    expect: {count: {Pod: 0}}\n\
        \x20 - name: not listed\n    definitions: *wrong\n    expect: {findings: []}\n\
        \x20 - name: listed\n    definitions: *wrong\n    expect: {findings: [{rule: warm-pool-not-found, object: Claim/c, file: a.test.yaml, severity: error, message: 'WarmPool `p`'}]}\n\
        \x20 - name: other object\n    definitions: *wrong\n    expect: {findings: [{rule: warm-pool-not-found, object: Claim/d}]}\n\
        \x20 - name: other severity\n    definitions: *wrong\n    expect: {findings: [{rule: warm-pool-not-found, severity: note}]}\n\
        \x20 - name: other file\n    definitions: *wrong\n    expect: {findings: [{rule: warm-pool-not-found, file: web.yaml}]}\n\
        \x20 - name: none\n    expect: {findings: [{rule: warm-pool-not-found}]}\n\
        \x20 - name: nothing is built\n    definitions: *wrong\n    expect: {findings: [{rule: warm-pool-not-found}], absent: [Deployment/web]}\n",
    ));
    let (stdout, _) = folder.run(&["test"]).expect(1);
    let results: Vec<_> =
        stdout.lines().filter_map(|it| it.strip_prefix("test a.test.yaml: ")).collect();
    let expected = [
        "unexpected ... FAILED",
        "not listed ... FAILED",
        "listed ... ok",
        "other object ... FAILED",
        "other severity ... FAILED",
        "other file ... FAILED",
        "none ... FAILED",
        "nothing is built ... ok",
    ];
    assert_eq!(results, expected, "{stdout}");
    let of = |name: &str| {
        let start = stdout.find(&format!("---- a.test.yaml: {name} ----")).unwrap();
        let rest = &stdout[start + 4..];
        rest[..rest.find("\n---- ").unwrap_or(rest.len())].to_owned()
    };
    let wrong = "error[warm-pool-not-found]: WarmPool `p` not found in namespace `agents`\n --> a.test.yaml:6:113\n";
    for name in ["unexpected", "not listed", "other object", "other severity", "other file"] {
        assert!(of(name).contains(wrong), "{}", of(name));
    }
    assert!(!of("unexpected").contains("does not expect"), "{}", of("unexpected"));
    assert!(of("not listed").contains("= note: the case does not expect this finding"), "{stdout}");
    let other = "error[test-failed]: no such finding of the rule `warm-pool-not-found`\n  --> a.test.yaml:16:32\n";
    assert!(of("other object").contains(other), "{}", of("other object"));
    let none = "error[test-failed]: no finding of the rule `warm-pool-not-found`\n  --> a.test.yaml:24:32\n";
    assert!(of("none").contains(none), "{}", of("none"));
}

#[test]
fn a_case_has_input_of_its_own() {
    let image = "spec.podTemplate.spec.containers[main].image";
    let fields = |value: &str| {
        format!(
            "    expect: {{fields: {{SandboxTemplate/python: {{'{image}': {value}/python}}}}}}\n"
        )
    };
    let test = format!(
        "apiVersion: sandboxc.dev/v1alpha1\nkind: Test\nspec:\n  environment: prod\n  \
        values: {{registry: c}}\n  cases:\n\
        \x20 - name: common\n{}\
        \x20 - name: own values\n    values: {{registry: d}}\n{}\
        ---\napiVersion: sandboxc.dev/v1alpha1\nkind: Test\nspec:\n  cases:\n\
        \x20 - name: project\n{}\
        \x20 - name: environment\n    environment: prod\n{}\
        \x20 - name: unknown environment\n    environment: production\n{}\
        \x20 - name: version\n    kubernetes: '1.31'\n    expect: {{count: {{Deployment: 1}}}}\n",
        fields("c"),
        fields("d"),
        fields("a.example.com"),
        fields("b.example.com"),
        fields("x"),
    );
    // A version that is not supported is a fault of the file.
    let (_, stderr) = project(&test).run(&["test"]).expect(1);
    assert!(stderr.contains("error[kubernetes-version-unknown]"), "{stderr}");
    let (stdout, stderr) = project(&test.replace("1.31", "1.33")).run(&["test"]).expect(1);
    assert_eq!(stderr, "");
    assert!(stdout.contains("error[environment-not-found]: unknown environment `production`"));
    assert!(
        stdout.ends_with("test result: FAILED. 5 passed; 1 failed; 0 filtered out\n"),
        "{stdout}"
    );
}

#[test]
fn inputs_are_relative_to_the_test_file() {
    let one = "  - name: one\n    inputs: [../web.yaml]\n    expect: {count: {Deployment: 1, SandboxTemplate: 0}}\n";
    let glob = "  - name: glob\n    inputs: ['../*.yaml']\n    expect: {count: {Deployment: 1, SandboxTemplate: 1}}\n";
    let gone = "  - name: gone\n    inputs: [gone.yaml]\n    expect: {count: {Deployment: 1}}\n";
    let folder = project(&expecting("count: {Deployment: 1}"));
    folder.write("tests/b.test.yaml", &cases(&format!("{one}{glob}{gone}")));
    let (stdout, _) = folder.run(&["test"]).expect(1);
    let expected = "\
test a.test.yaml: it ... ok
test tests/b.test.yaml: one ... ok
test tests/b.test.yaml: glob ... ok
test tests/b.test.yaml: gone ... FAILED

failures:

---- tests/b.test.yaml: gone ----
error[test-failed]: cannot read `tests/gone.yaml`
  --> tests/b.test.yaml:12:14
   |
12 |     inputs: [gone.yaml]
   |              ^^^^^^^^^ input of the case

test result: FAILED. 3 passed; 1 failed; 0 filtered out
";
    assert_eq!(stdout, expected);
    // In another directory, with the same project.
    let (stdout, _) = folder.run(&["test", "tests", "--filter", "glob"]).expect(0);
    assert!(stdout.ends_with("test result: ok. 1 passed; 0 failed; 2 filtered out\n"), "{stdout}");
    let (_, stderr) = folder.run(&["test", "--filter", "two"]).expect(2);
    assert!(stderr.starts_with("error: no name of a case contains `two`\n"), "{stderr}");
    let (_, stderr) = Folder::new(&[("a.yaml", DEPLOYMENT)]).run(&["test", "."]).expect(2);
    assert!(stderr.starts_with("error: no *.test.yaml files in `.`\n"), "{stderr}");
}

#[test]
fn a_snapshot_is_the_output_of_build() {
    let folder = project(&expecting("snapshot: out/it.snap.yaml"));
    let (stdout, _) = folder.run(&["test"]).expect(1);
    assert!(
        stdout.contains("error[test-failed]: the snapshot `out/it.snap.yaml` does not exist\n")
    );
    assert!(stdout.contains("+++ out/it.snap.yaml\n") && stdout.contains("\n+kind: Deployment\n"));
    assert!(!stdout.contains("hunter2"), "{stdout}");
    let (_, stderr) = folder.run(&["test", "--update"]).expect(0);
    assert_eq!(stderr, "wrote 1 snapshot\n");
    let (built, _) = folder.run(&["build"]).expect(0);
    assert_eq!(folder.read("out/it.snap.yaml"), built);
    // It is not part of the input.
    folder.run(&["test"]).expect(0);
    let (again, _) = folder.run(&["build", "."]).expect(0);
    assert_eq!(again, built);
    let (again, _) = folder.run(&["build", "**/*.yaml"]).expect(0);
    assert_eq!(again, built);

    folder.write("web.yaml", &DEPLOYMENT.replace("web:1", "web:2"));
    let (stdout, _) = folder.run(&["test"]).expect(1);
    let change = "-      - {name: web, image: 'web:1'";
    let is_shown = stdout.contains("-        image: web:1\n+        image: web:2\n");
    assert!(is_shown || stdout.contains(change), "{stdout}");
    folder.write("web.yaml", DEPLOYMENT);
    folder.write("key.yaml", &SECRET.replace("hunter2", "hunter3"));
    let (stdout, _) = folder.run(&["test"]).expect(1);
    assert!(stdout.contains("= note: only values of secrets differ\n"), "{stdout}");
    assert!(!stdout.contains("hunter"), "{stdout}");
}

#[test]
fn values_of_secrets_are_not_shown() {
    let expect = "objects:\n      - {kind: Secret, metadata: {name: key}, data: {key: aHVudGVyMw==}}\n      \
        - {kind: Secret, metadata: {name: key}, stringData: {key: hunter3}}\n      \
        fields: {Secret/key: {'stringData[key]': hunter3}}";
    let test = expecting(expect);
    for format in ["human", "json", "junit"] {
        let (stdout, _) = project(&test).run(&["test", "--format", format]).expect(1);
        assert!(stdout.contains("of Secret/key is"), "{stdout}");
        for secret in ["hunter2", "hunter3", "aHVudGVyMw", "aHVudGVyMg"] {
            assert!(!stdout.contains(secret), "{format}: {stdout}");
        }
    }
    passes("objects: [{kind: Secret, metadata: {name: key}, data: {key: aHVudGVyMg==}}]");
    passes("objects: [{kind: Secret, metadata: {name: key}, stringData: {key: hunter2}}]");
}

#[test]
fn the_form_of_a_test_file_is_checked() {
    for (test, rule, message) in [
        (
            expecting("object: []"),
            "unknown-field",
            "unknown field `object` in `spec.cases[0].expect`",
        ),
        (cases("  - {name: it, expect: {}}\n"), "test-invalid", "case `it` expects nothing"),
        (cases("    []\n"), "test-invalid", "a Test without cases"),
        (
            expecting("objects: [a]"),
            "test-invalid",
            "an expected object must be a map, not a string",
        ),
        (
            expecting("objects: [{metadata: {name: a}}]"),
            "test-invalid",
            "an expected object has no `kind`",
        ),
        (expecting("absent: [web]"), "test-invalid", "`web` does not name an object"),
        (expecting("fields: {web: {a: 1}}"), "test-invalid", "`web` does not name an object"),
        (
            expecting("findings: [{rule: unknown-feild}]"),
            "test-invalid",
            "unknown rule `unknown-feild`",
        ),
        (
            expecting("snapshot: a.yaml"),
            "test-invalid",
            "the name of a snapshot must end with `.snap.yaml`",
        ),
        (
            cases(&"  - {name: it, expect: {findings: []}}\n".repeat(2)),
            "test-invalid",
            "duplicate name `it` of a case",
        ),
        (
            cases(
                "  - {name: a, expect: {snapshot: a.snap.yaml}}\n  - {name: b, expect: {snapshot: a.snap.yaml}}\n",
            ),
            "test-invalid",
            "duplicate snapshot `a.snap.yaml`",
        ),
        (
            cases("  - {name: it, values: [a], expect: {findings: []}}\n"),
            "test-invalid",
            "`values` must be a map, not a list",
        ),
    ] {
        let folder = project(&test);
        for command in ["check", "test", "build"] {
            let (_, stderr) = folder.run(&[command]).expect(1);
            let headline = format!("error[{rule}]: {message}\n");
            assert!(stderr.contains(&headline), "{command}: {headline}\n{stderr}");
        }
    }
    let (_, stderr) = project(DEPLOYMENT).run(&["test"]).expect(1);
    assert!(stderr.contains("a test file only contains documents of the kind `Test`"), "{stderr}");
}

#[test]
fn other_commands_do_not_read_the_definitions_of_cases() {
    let test = "  - name: it\n    definitions: [{apiVersion: v1, kind: Pod, metadata: {name: '{{ x }}'}}]\n    \
        expect: {findings: []}\n";
    let folder = project(&cases(test));
    let (stdout, _) = folder.run(&["build"]).expect(0);
    assert!(!stdout.contains("kind: Pod\n") && !stdout.contains("kind: Test"), "{stdout}");
    folder.run(&["check"]).expect(0);
    let (stdout, _) = folder.run(&["explain", "Test.cases.expect.findings"]).expect(0);
    assert!(stdout.contains("rule (string, required)"), "{stdout}");
    let (stdout, _) = folder.run(&["schema", "--for", "Test"]).expect(0);
    assert!(stdout.contains("\"cases\""), "{stdout}");
    let (_, stderr) = folder.run(&["tests"]).expect(2);
    assert!(stderr.contains("`test`") || stderr.contains("'test'"), "{stderr}");
}

#[test]
fn reports_for_programs() {
    let folder = project(&cases(
        "  - {name: good, expect: {findings: []}}\n  - {name: 'bad <&>', expect: {count: {Pod: 1}}}\n",
    ));
    let (stdout, _) = folder.run(&["test", "--format", "json"]).expect(1);
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["summary"], serde_json::json!({"passed": 1, "failed": 1, "filtered": 0}));
    assert_eq!(report["cases"][0]["passed"], true);
    let bad = &report["cases"][1];
    assert_eq!((&bad["name"], &bad["line"]), (&"bad <&>".into(), &6.into()));
    assert_eq!(bad["failures"][0]["rule"], "test-failed");
    let (stdout, _) = folder.run(&["test", "--format", "junit"]).expect(1);
    let report = roxmltree::Document::parse(&stdout).unwrap();
    let cases: Vec<_> = report.descendants().filter(|it| it.has_tag_name("testcase")).collect();
    assert_eq!(cases[1].attribute("name"), Some("bad <&>"));
    let failures =
        cases.iter().map(|it| it.children().filter(|it| it.has_tag_name("failure")).count());
    assert_eq!(failures.collect::<Vec<_>>(), [0, 1]);
    let (stdout, _) = folder.run(&["test", "--quiet"]).expect(1);
    assert!(stdout.starts_with("test a.test.yaml: bad <&> ... FAILED\n"), "{stdout}");
}

#[test]
fn the_example_passes() {
    let folder = Folder::new(&[]);
    let example = root().join("examples/platform");
    for entry in fs::read_dir(&example).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        folder.write(name, &fs::read_to_string(&path).unwrap());
    }
    let (stdout, _) = folder.run(&["test"]).expect(0);
    assert!(stdout.ends_with("test result: ok. 4 passed; 0 failed; 0 filtered out\n"), "{stdout}");
    folder.run(&["check", "--deny", "warnings"]).expect(0);
    folder.run(&["fmt", "--check"]).expect(0);
}
