//! Realistic directories: repositories with charts, kustomizations, and YAML of other programs.

use std::fs;

use super::{BROKEN, Folder, OBJECT};

const DEFINITION: &str = "apiVersion: sandboxc.dev/v1alpha1\n";

#[test]
fn other_files_are_skipped_with_one_note() {
    let folder = Folder::new(&[
        ("a.yaml", OBJECT),
        ("mkdocs.yml", "site_name: a\nmarkdown_extensions:\n- x: !!python/name:materialx.y\n"),
        ("package.json", "{\"name\": \"a\"}"),
        ("values.yaml", "image: {tag: 1}\n"),
    ]);
    let (_, stderr) = folder.run(&["check", "."]).expect(0);
    assert!(stderr.contains("note[file-not-a-manifest]: skipped 3 files"), "{stderr}");
    assert!(stderr.contains("`mkdocs.yml`, `package.json`, `values.yaml`"), "{stderr}");
    assert!(stderr.contains("checked 1 object in 1 file for Kubernetes 1.37: 1 note"), "{stderr}");
    folder.run(&["check", "values.yaml"]).expect(1);
}

#[test]
fn likely_manifests_are_never_skipped() {
    for text in [
        "apiversion: v1\nKind: Pod\n",
        "metadata: {name: a}\nspec: {}\n",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a\nspec: {}\n",
        "kind: Pod\nmetadata: {name: a}\n",
        "a: 1\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    ] {
        let folder = Folder::new(&[("a.yaml", OBJECT), ("b.yaml", text)]);
        let (_, stderr) = folder.run(&["check", "."]).expect(1);
        assert!(stderr.contains(" b.yaml:"), "{text}\n{stderr}");
    }
}

#[test]
fn a_chart_is_skipped_except_for_its_crds() {
    let folder = Folder::new(&[
        ("a.yaml", OBJECT),
        ("deploy/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n"),
        ("deploy/web/values.yaml", "a: 1\n"),
        ("deploy/web/crds/a.yaml", "apiVersion: v1\nkind: Nothing\nmetadata: {name: a}\n"),
        ("deploy/web/templates/a.yaml", "apiVersion: v1\n{{- if .Values.a }}\nkind: Pod\n"),
    ]);
    let (_, stderr) = folder.run(&["check", "."]).expect(1);
    assert!(stderr.contains("note[helm-chart-skipped]: skipped 1 Helm chart"), "{stderr}");
    assert!(stderr.contains("deploy/web/Chart.yaml:1:1"), "{stderr}");
    assert!(stderr.contains("`sandboxc check --render deploy/web`"), "{stderr}");
    assert!(stderr.contains("deploy/web/crds/a.yaml:"), "{stderr}");
    assert!(!stderr.contains("templates/a.yaml"), "{stderr}");
}

#[test]
fn a_kustomization_is_skipped_with_its_patches() {
    let patch = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n\
                 spec: {template: {spec: {containers: [{name: web, image: a}]}}}\n";
    let folder = Folder::new(&[
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("base/a.yaml", OBJECT),
        (
            "prod/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n\
             resources: [../base]\npatches:\n- path: patches/web.yaml\n- patch: |\n    a: b\n\
             patchesStrategicMerge: [../more.yaml]\n",
        ),
        ("prod/patches/web.yaml", patch),
        ("more.yaml", patch),
    ]);
    let (_, stderr) = folder.run(&["check", "."]).expect(0);
    assert!(stderr.contains("note[kustomization-skipped]: skipped 2 kustomizations"), "{stderr}");
    assert!(stderr.contains("`sandboxc check --render base`"), "{stderr}");
    assert!(stderr.contains("checked 1 object in 1 file for Kubernetes 1.37: 1 note"), "{stderr}");
    let (_, stderr) = folder.run(&["check", "prod/kustomization.yaml"]).expect(0);
    assert!(stderr.contains("note[kustomization-skipped]"), "{stderr}");
}

#[test]
fn a_template_in_a_directory_is_an_error_in_build_and_if_it_is_named() {
    let template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Name }}}\n";
    let folder = Folder::new(&[("a.yaml", OBJECT), ("load/b.yaml", template)]);
    let (_, stderr) = folder.run(&["check", "."]).expect(0);
    assert!(stderr.contains("note[template-skipped]: skipped 1 template"), "{stderr}");
    for arguments in [&["build", "."][..], &["check", "load/b.yaml"]] {
        let (_, stderr) = folder.run(arguments).expect(1);
        assert!(stderr.contains("error[placeholder-not-substituted]"), "{stderr}");
    }
}

#[test]
fn ignored_and_excluded_files_are_left_out() {
    let folder = Folder::new(&[
        ("a.yaml", OBJECT),
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".gitignore", "generated/\n"),
        (".sandboxcignore", "drafts/*.yaml\n"),
        ("generated/b.yaml", BROKEN),
        ("drafts/c.yaml", "apiVersion: v1\n"),
        ("vendor/d.yaml", "kind: Pod\n"),
    ]);
    let (_, stderr) = folder.run(&["check", "--exclude", "vendor", "."]).expect(0);
    let expected = "checked 1 object in 1 file for Kubernetes 1.37: no findings\n\
                    2 files skipped: 1 ignored by .sandboxcignore, 1 ignored by .gitignore\n";
    assert_eq!(stderr, expected);
    folder.run(&["check", "."]).expect(1);
    folder.run(&["check", "drafts/c.yaml"]).expect(1);
    folder.run(&["check", "**/c.yaml"]).expect(1);
    let (_, stderr) = folder.run(&["check", "--exclude", "[a", "."]).expect(2);
    assert!(stderr.contains("`--exclude`: error parsing glob '![a'"), "{stderr}");
}

#[test]
fn lists_of_ignored_files_have_a_maximum_size() {
    let most = sandboxc::LARGEST_IGNORE_FILES;
    let half = format!("#{}\n", "x".repeat(most / 2 - 2));
    let folder = |more: &str| {
        let lists = [(".gitignore", half.as_str()), ("b/.sandboxcignore", half.as_str())];
        Folder::new(&[
            ("a.yaml", OBJECT),
            lists[0],
            lists[1],
            ("b/c/.gitignore", more),
            ("b/c/d.yaml", OBJECT),
        ])
    };
    folder("").run(&["check", "."]).expect(0);
    let (_, stderr) = folder("x").run(&["check", "."]).expect(2);
    let message = "`.gitignore` and `.sandboxcignore` files in `.` exceed 1048576 bytes";
    assert!(stderr.contains(message), "{stderr}");
    folder("x").run(&["check", "a.yaml"]).expect(0);
}

#[test]
fn a_definition_alone_finds_its_project() {
    let claim =
        format!("{DEFINITION}kind: Claim\nmetadata: {{name: a}}\nspec: {{warmPool: python}}\n");
    let pool = "kind: WarmPool\nmetadata: {name: python}\nspec: {template: python, replica: 1}\n";
    let project = "kind: Project\nspec: {namespace: team}\n";
    let folder = Folder::new(&[
        ("sandboxc.yaml", &format!("{DEFINITION}{project}")),
        ("pools/python.yaml", &format!("{DEFINITION}{pool}")),
        ("claims/a.yaml", &claim),
    ]);
    // The pool has its own error, which is not reported because the pool was not named.
    let (stdout, stderr) = folder.run(&["build", "claims/a.yaml"]).expect(0);
    assert_eq!(stderr, "");
    assert!(
        stdout.contains("kind: SandboxClaim") && stdout.contains("namespace: team"),
        "{stdout}"
    );
    assert!(!stdout.contains("WarmPool\n"), "{stdout}");
    let (_, stderr) = folder.run(&["check", "claims"]).expect(0);
    assert_eq!(
        stderr,
        "checked 1 object in 1 file for Kubernetes 1.37 (project sandboxc.yaml): no findings\n"
    );
    let (_, stderr) = folder.run(&["check", "pools/python.yaml"]).expect(1);
    assert!(stderr.contains("unknown field `replica`"), "{stderr}");
}

#[test]
fn a_definition_without_a_project_is_checked_alone() {
    let folder = Folder::new(&[(
        "claims/a.yaml",
        &format!("{DEFINITION}kind: Claim\nmetadata: {{name: a}}\nspec: {{warmPool: python}}\n"),
    )]);
    let (_, stderr) = folder.run(&["check", "claims/a.yaml"]).expect(1);
    assert!(stderr.contains("warm-pool-not-found"), "{stderr}");
}

#[test]
fn objects_of_alternative_folders_are_one_note() {
    let (a, b) = (OBJECT, OBJECT.replace("web", "db"));
    let folder = Folder::new(&[
        ("base/a.yaml", a),
        ("base/b.yaml", &b),
        ("prod/a.yaml", a),
        ("prod/b.yaml", &b),
        ("test/a.yaml", a),
    ]);
    let (_, stderr) = folder.run(&["check", "."]).expect(0);
    assert!(stderr.contains("note[object-in-several-files]: 3 objects are"), "{stderr}");
    assert!(
        stderr.contains("--> prod/a.yaml:3:18") && stderr.contains("::: base/a.yaml:3:18"),
        "{stderr}"
    );
    assert!(
        stderr.contains("checked 5 objects in 5 files for Kubernetes 1.37: 1 note\n"),
        "{stderr}"
    );
    folder.write("prod/old.yaml", a);
    let (_, stderr) = folder.run(&["check", "."]).expect(0);
    assert!(stderr.contains("warning[object-in-several-files]: 4 objects are"), "{stderr}");
    fs::remove_file(folder.path().join("prod/old.yaml")).unwrap();
    // The objects of a build are applied together.
    let (_, stderr) = folder.run(&["build", "."]).expect(1);
    assert_eq!(stderr.matches("error[object-duplicate]").count(), 3, "{stderr}");
}

#[test]
fn a_duplicate_object_in_one_file_is_always_an_error() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("b.yaml", &format!("{OBJECT}---\n{OBJECT}"))]);
    let (_, stderr) = folder.run(&["check", "."]).expect(1);
    assert!(
        stderr.contains("error[object-duplicate]") && stderr.contains("--> b.yaml:7:18"),
        "{stderr}"
    );
    assert!(stderr.contains("warning[object-in-several-files]: ConfigMap/web is"), "{stderr}");
}

#[test]
fn a_definition_and_an_object_with_one_name_are_an_error_across_files() {
    let definition = format!(
        "{DEFINITION}kind: Template\nmetadata: {{name: a, namespace: b}}\nspec: {{image: \"a:1\"}}\n"
    );
    let folder = Folder::new(&[("a.yaml", &definition), ("b.yaml", &definition)]);
    let (_, stderr) = folder.run(&["check", "."]).expect(1);
    assert!(stderr.contains("error[object-duplicate]"), "{stderr}");
}

#[test]
fn a_known_kind_may_also_be_in_the_input() {
    let kind = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
        metadata: {name: tests.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n  \
        names: {plural: tests, singular: test, kind: Test, listKind: TestList}\n  versions:\n  \
        - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n";
    let folder = Folder::new(&[("a.yaml", kind), ("known/b.yaml", kind)]);
    let (_, stderr) = folder.run(&["check", "--crd", "known", "a.yaml"]).expect(0);
    assert_eq!(stderr, "checked 2 objects in 2 files for Kubernetes 1.37: no findings\n");
}

#[test]
fn an_example_of_a_policy_denies_the_objects_of_its_own_directory() {
    let policy = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
        metadata: {name: replicas}\nspec:\n  matchConstraints:\n    resourceRules:\n    - \
        {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}\n  \
        validations: [{expression: \"!has(object.data)\"}]\n---\n\
        apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n\
        metadata: {name: replicas}\nspec: {policyName: replicas, validationActions: [Deny]}\n";
    let object = |name: &str| {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{a: b}}\n")
    };
    let denied = |policies: &str, objects: &str, verb: &str| {
        let (policies, objects) = (format!("{policies}/policy.yaml"), format!("{objects}/a.yaml"));
        let folder = Folder::new(&[(&policies, policy), (&objects, &object("web"))]);
        let run = folder.run(&[verb, "."]).stderr;
        assert!(run.contains("[policy-denied]: ValidatingAdmissionPolicy `replicas`"), "{run}");
        run.starts_with("error")
    };
    assert!(denied("examples/policy", "examples/policy", "check"));
    assert!(denied("examples/policy", "examples/policy/web", "check"));
    assert!(!denied("examples/policy", "examples/web", "check"), "not applied together");
    assert!(denied("examples/policy", "examples/web", "build"));
    assert!(denied("policies", "apps", "check"), "applied to one cluster");
}
