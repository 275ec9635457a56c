//! Environments of a Project.

use super::{Folder, OBJECT};

const PROJECT: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  \
    namespace: base\n  values: {tag: a}\n  environments:\n    \
    dev: {values: {tag: dev}, external: [secret/creds]}\n    \
    prod: {values: {tag: prod}, namespace: live, kubernetes: '1.33'}\n";

fn folder(template: &str) -> Folder {
    let template = format!(
        "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {{name: t}}\nspec:\n  \
         image: \"python:{{{{ values.tag }}}}\"\n  podSecurityContext: {{runAsUser: 1000}}\n{template}"
    );
    Folder::new(&[("sandboxc.yaml", PROJECT), ("t.yaml", &template)])
}

#[test]
fn environments_have_settings_of_their_own() {
    let folder = folder("");
    let (stdout, _) = folder.run(&["build", "--environment", "prod"]).expect(0);
    assert!(
        stdout.contains("namespace: live") && stdout.contains("image: python:prod"),
        "{stdout}"
    );
    let (_, stderr) = folder.run(&["check", "--environment", "prod"]).expect(0);
    assert!(
        stderr.contains("for Kubernetes 1.33 (project sandboxc.yaml, environment prod)"),
        "{stderr}"
    );
    let (stdout, _) = folder.run(&["build", "--environment=dev"]).expect(0);
    assert!(stdout.contains("namespace: base") && stdout.contains("image: python:dev"), "{stdout}");
}

#[test]
fn expressions_know_the_environment() {
    let folder = folder("  env: [{name: STAGE, value: \"{{ environment | upper }}\"}]\n");
    let (stdout, _) = folder.run(&["build", "--environment", "prod"]).expect(0);
    assert!(stdout.contains("value: PROD"), "{stdout}");
    let (_, stderr) = folder.run(&["check"]).expect(1);
    assert!(stderr.contains("undefined name `environment` in an expression"), "{stderr}");
    assert!(stderr.contains("--all-environments"), "{stderr}");
    folder.run(&["check", "--all-environments"]).expect(0);
}

#[test]
fn a_check_of_all_environments_names_theirs() {
    let secret = "  env: [{name: A, valueFrom: {secretKeyRef: {name: creds, key: a}}}]\n";
    let folder = folder(secret);
    let (_, stderr) = folder.run(&["check", "--all-environments"]).expect(1);
    assert_eq!(stderr.matches("error[secret-not-found]").count(), 1, "{stderr}");
    assert!(stderr.contains("= note: in the environment `prod`"), "{stderr}");
    assert!(stderr.contains("(project sandboxc.yaml, environments dev, prod)"), "{stderr}");
    folder.run(&["check", "--environment", "dev"]).expect(0);
    for several in
        [&["--environment=dev,prod"][..], &["--environment", "dev", "--environment", "prod"]]
    {
        let run = folder.run(&[&["check"], several].concat());
        assert_eq!(run.expect(1).1, stderr);
    }
    let (_, stderr) = folder.run(&["check", "--environment", "dev,prd"]).expect(1);
    assert!(stderr.contains("error[environment-not-found]: unknown environment `prd`"), "{stderr}");
}

#[test]
fn a_build_of_all_environments_writes_a_directory_for_each() {
    let folder = folder("");
    folder.run(&["build", "--all-environments", "-o", "out"]).expect(0);
    assert_eq!(folder.list("out"), ["dev", "prod"]);
    let [dev, prod] = ["dev", "prod"].map(|it| folder.list(&format!("out/{it}")));
    assert!(dev.iter().any(|it| it.contains("_base_t.yaml")), "{dev:?}");
    assert!(prod.iter().any(|it| it.contains("_live_t.yaml")), "{prod:?}");
    folder.run(&["check", "--all-environments"]).expect(0);
    let (stdout, stderr) = folder.run(&["build", "--all-environments"]).expect(2);
    assert_eq!(stdout, "");
    assert!(stderr.contains("several environments without an output directory"), "{stderr}");
    let (_, stderr) = folder.run(&["why", "SandboxTemplate/t", "--environment=dev,prod"]).expect(2);
    assert!(stderr.contains("several environments, but this command uses one"), "{stderr}");
    folder.write(
        "sandboxc.yaml",
        "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {values: {tag: a}}\n",
    );
    let (_, stderr) = folder.run(&["check", "--all-environments"]).expect(2);
    assert!(stderr.contains("the Project defines no environments"), "{stderr}");
    let alone = Folder::new(&[("web.yaml", OBJECT)]);
    let (_, stderr) = alone.run(&["check", "web.yaml", "--environment", "prod"]).expect(1);
    assert!(stderr.contains("]: environment `prod` without a Project\n"), "{stderr}");
    assert!(
        stderr.contains("help: add a `sandboxc.yaml` with `spec.environments.prod`"),
        "{stderr}"
    );
}

#[test]
fn external_objects_have_short_forms() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: live}\nspec:\n  \
        runtimeClassName: gvisor\n  serviceAccountName: web\n  containers: [{name: a, image: 'b:1'}]\n  \
        volumes: [{name: v, secret: {secretName: creds}}]\n";
    let project = |external: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {{external: [{external}]}}\n"
        )
    };
    let folder = Folder::new(&[
        ("sandboxc.yaml", &project("secret/live/creds, runtimeclass/gvisor, sa/live/web")),
        ("a.yaml", pod),
    ]);
    let (_, stderr) = folder.run(&["check"]).expect(0);
    assert!(stderr.contains(": no findings"), "{stderr}");
    folder.write("sandboxc.yaml", &project("secrt/creds, {kind: Secret, name: other}"));
    let (_, stderr) = folder.run(&["check"]).expect(1);
    assert!(stderr.contains("error[external-invalid]: unknown kind `secrt`"), "{stderr}");
    assert!(stderr.contains("did you mean `secret`?"), "{stderr}");
}

#[test]
fn expressions_of_ordinary_objects_are_evaluated_if_the_project_says_so() {
    let project = |settings: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  values: {{replicas: 3, host: a}}\n{settings}"
        )
    };
    let object = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: \"web-{{ values.host }}\", namespace: a}\n\
        spec:\n  replicas: \"{{ values.replicas }}\"\n  selector: {matchLabels: {app: web}}\n  template:\n    \
        metadata: {labels: {app: web}}\n    spec: {containers: [{name: web, image: 'nginx:1'}]}\n";
    let folder =
        Folder::new(&[("sandboxc.yaml", &project("  expressions: all\n")), ("a.yaml", object)]);
    folder.run(&["check"]).expect(0);
    let (stdout, _) = folder.run(&["build"]).expect(0);
    assert!(stdout.contains("name: web-a\n") && stdout.contains("replicas: 3\n"), "{stdout}");
    let (_, stderr) = folder.run(&["check", "--set", "replicas=many"]).expect(1);
    assert!(stderr.contains("error[wrong-type]: `replicas` must be an integer"), "{stderr}");
    folder.write("a.yaml", &object.replace("values.replicas", "values.replica"));
    let (_, stderr) = folder.run(&["check"]).expect(1);
    assert!(stderr.contains("error[expression-undefined]"), "{stderr}");
    assert!(stderr.contains(": 1 error\n"), "{stderr}");
    folder.write("a.yaml", object);
    folder.write("sandboxc.yaml", &project(""));
    let (_, stderr) = folder.run(&["check"]).expect(1);
    assert!(
        stderr.contains(
            "help: annotate the object with `sandboxc.dev/expressions: \"true\"`, or set \
             `expressions: all` in the Project"
        ),
        "{stderr}"
    );
    // The annotation is not part of the output.
    let annotated = object.replace(
        "namespace: a}",
        "namespace: a, annotations: {sandboxc.dev/expressions: \"true\"}}",
    );
    folder.write("a.yaml", &annotated);
    folder.run(&["check"]).expect(0);
    let (stdout, _) = folder.run(&["build"]).expect(0);
    assert!(stdout.contains("name: web-a\n") && stdout.contains("replicas: 3\n"), "{stdout}");
    assert!(!stdout.contains("annotations"), "{stdout}");
    folder.write("a.yaml", &annotated.replace("values.replicas", "values.replica"));
    let (_, stderr) = folder.run(&["check"]).expect(1);
    assert!(stderr.contains("error[expression-undefined]"), "{stderr}");
    assert!(stderr.contains(": 1 error\n"), "{stderr}");
}

#[test]
fn objects_of_the_cluster_are_read_from_files() {
    let cluster = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  \
        metadata: {name: creds, namespace: live, uid: a, managedFields: [{}]}\n  data: {a: \"!\"}\n\
        - apiVersion: example.com/v1\n  kind: Widget\n  metadata: {name: w, namespace: live}\n";
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: live}\nspec:\n  \
        containers: [{name: a, image: b}]\n  volumes: [{name: v, secret: {secretName: creds}}]\n";
    let project = |settings: &str| {
        format!("apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {{{settings}}}\n")
    };
    let folder = Folder::new(&[
        ("sandboxc.yaml", &project("external: [cluster/live.yaml]")),
        ("cluster/live.yaml", cluster),
        ("apps/a.yaml", pod),
    ]);
    // As a file, from standard input, in a directory and from a subdirectory.
    folder.run(&["check", "apps/a.yaml", "--deny", "warnings"]).expect(0);
    folder.run_with_stdin(&["check", "-", "--deny", "warnings"], pod).expect(0);
    let (stdout, stderr) = folder.run(&["build"]).expect(0);
    assert!(!stdout.contains("kind: Secret") && stderr.is_empty(), "{stdout}{stderr}");
    let (_, stderr) = folder.run(&["check", "-v"]).expect(0);
    assert!(stderr.contains("read cluster/live.yaml (objects of the cluster)\n"), "{stderr}");
    assert!(stderr.contains("checked 2 objects in 2 files "), "{stderr}");
    let mut command = folder.command(&["check", "--deny", "warnings"]);
    super::Run::from(command.current_dir(folder.path().join("apps")).output().unwrap()).expect(0);
    // Of an environment, the file only counts there.
    folder.write(
        "sandboxc.yaml",
        &project("environments: {dev: {}, live: {external: [./cluster/live.yaml]}}"),
    );
    folder.run(&["check", "--environment=live", "--deny", "warnings"]).expect(0);
    let (_, stderr) = folder.run(&["check", "--all-environments"]).expect(0);
    assert!(stderr.contains("warning[secret-not-found]"), "{stderr}");
    assert!(stderr.contains("note: in the environment `dev`"), "{stderr}");
    folder.write("cluster/live.yaml", "a: 1\n---\n");
    let (_, stderr) = folder.run(&["check", "--environment=live"]).expect(1);
    assert!(
        stderr.contains("error[external-invalid]: no objects in `./cluster/live.yaml`"),
        "{stderr}"
    );
    folder.write("sandboxc.yaml", &project("external: [absent.yaml]"));
    let (_, stderr) = folder.run(&["check"]).expect(2);
    assert!(
        stderr
            .contains("`sandboxc.yaml` names `absent.yaml` under `external`, which does not exist"),
        "{stderr}"
    );
}

#[test]
fn an_unknown_environment_is_one_error() {
    let folder = folder(
        "  env: [{name: A, value: \"{{ environment }}{{ values.other }}\"}]\n  \
         envFrom: [{secretRef: {name: creds}}]\n",
    );
    let (_, stderr) = folder.run(&["check", "--environment", "prd"]).expect(1);
    assert_eq!(stderr.matches("error[").count(), 1, "{stderr}");
    assert!(stderr.contains("help: did you mean `prod`?"), "{stderr}");
}
