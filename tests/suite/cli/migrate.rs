//! `migrate`, `--check` and `--diff`.

use super::Folder;

const OLD: &str =
    "apiVersion: batch/v1beta1 # since 2019\r\nkind: CronJob\r\nmetadata: {name: a}\r\n";
const REMOVED: &str =
    "apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: a}\nspec: {}\n";

fn new() -> String {
    OLD.replace("v1beta1", "v1")
}

#[test]
fn files_are_written_once() {
    let folder = Folder::new(&[("a/job.yaml", OLD), ("c.txt", OLD)]);
    let (stdout, stderr) = folder.run(&["migrate", "."]).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", "migrated 1 object in 1 file\n"));
    assert_eq!((folder.read("a/job.yaml"), folder.read("c.txt")), (new(), OLD.to_owned()));
    let (stdout, stderr) = folder.run(&["migrate", "."]).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", ""));
}

#[test]
fn check_and_diff_change_no_file() {
    let folder = Folder::new(&[("job.yaml", OLD)]);
    let (stdout, stderr) = folder.run(&["migrate", "--check", "."]).expect(1);
    assert_eq!(
        (stdout.as_str(), stderr.as_str()),
        ("job.yaml\n", "would migrate 1 object in 1 file\n")
    );
    let (stdout, _) = folder.run(&["migrate", "--diff", "."]).expect(1);
    assert!(stdout.contains("\n-apiVersion: batch/v1beta1 # since 2019"), "{stdout}");
    assert!(stdout.contains("\n+apiVersion: batch/v1 # since 2019"), "{stdout}");
    assert_eq!(folder.read("job.yaml"), OLD);
}

#[test]
fn standard_input_is_printed() {
    let folder = Folder::new(&[]);
    let (stdout, _) = folder.run_with_stdin(&["migrate", "-"], OLD).expect(0);
    assert_eq!(stdout, new());
    let (stdout, stderr) = folder.run_with_stdin(&["migrate", "-"], REMOVED).expect(1);
    assert_eq!(stdout, "");
    assert!(
        stderr.contains("error[not-migrated]: `PodSecurityPolicy/a` is not migrated"),
        "{stderr}"
    );
}

#[test]
fn the_target_version_decides() {
    let claim =
        "apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {name: a}\nspec: {}\n";
    let folder = Folder::new(&[("claim.yaml", claim)]);
    folder.run(&["migrate", "--kubernetes", "1.33", "."]).expect(0);
    assert_eq!(folder.read("claim.yaml"), claim);
    folder.run(&["migrate", "--kubernetes", "1.36", "."]).expect(0);
    assert_eq!(folder.read("claim.yaml"), claim.replace("v1beta1", "v1"));
}

/// A patch is merged over an object, so its conversion must not set what the object can have.
#[test]
fn patches_of_kustomizations_are_converted_or_reported() {
    let kustomization = "patches: [{path: job.yaml}, {path: json.yaml}, {path: hook.yaml}]\n\
        patchesStrategicMerge: [web.yaml, ingress.yaml]\nconfigMapGenerator: [{name: a, files: [data.yaml]}]\n";
    let job = "apiVersion: batch/v1beta1 # old\nkind: CronJob\nmetadata: {name: a}\nspec: {schedule: '@daily'}\n";
    let json = "- {op: replace, path: /spec/schedule, value: '@daily'}\n";
    let web = "apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: 2}\n";
    let ingress = "apiVersion: networking.k8s.io/v1beta1\nkind: Ingress\nmetadata: {name: a}\nspec:\n  backend:\n    \
        serviceName: a\n    servicePort: 80\n";
    let hook = "apiVersion: admissionregistration.k8s.io/v1beta1\nkind: ValidatingWebhookConfiguration\n\
        metadata: {name: a}\nwebhooks: [{name: a.b.c, sideEffects: None}]\n";
    let folder = Folder::new(&[
        ("k/kustomization.yaml", kustomization),
        ("k/job.yaml", job),
        ("k/json.yaml", json),
        ("k/web.yaml", web),
        ("k/ingress.yaml", ingress),
        ("k/hook.yaml", hook),
        ("k/data.yaml", job),
        ("k/patches/more.yaml", job),
    ]);
    let (_, stderr) = folder.run(&["migrate", "k"]).expect(1);
    assert_eq!(folder.read("k/job.yaml"), job.replace("v1beta1", "v1"));
    assert_eq!(folder.read("k/patches/more.yaml"), job.replace("v1beta1", "v1"));
    // No default of the old version, which the object can set.
    assert_eq!(folder.read("k/web.yaml"), web.replace("extensions/v1beta1", "apps/v1"));
    let converted = folder.read("k/ingress.yaml");
    assert!(converted.contains("networking.k8s.io/v1\n"), "{converted}");
    assert!(converted.contains("  defaultBackend:\n    service:\n      name: a\n"), "{converted}");
    // Defaults of webhooks would replace what the object sets.
    assert_eq!(folder.read("k/hook.yaml"), hook);
    assert!(stderr.contains("k/hook.yaml:1:13"), "{stderr}");
    assert!(stderr.contains("is not migrated: it is a patch"), "{stderr}");
    // Data, and patches without a version.
    assert_eq!(
        (folder.read("k/data.yaml"), folder.read("k/json.yaml")),
        (job.to_owned(), json.to_owned())
    );
    let (_, stderr) = folder.run(&["migrate", "k"]).expect(1);
    assert!(stderr.contains("hook") && !stderr.contains("migrated 1"), "{stderr}");
}

#[test]
fn kustomizations_name_the_versions_of_the_migrated_objects() {
    let kustomization = "resources: [d.yaml]\npatches:\n- target: {group: apps, version: v1beta2, kind: Deployment, name: web}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 7}\n- patch: |-\n    apiVersion: apps/v1beta2\n    kind: Deployment\n    metadata: {name: web}\n    spec: {paused: true}\n- target:\n    version: v1beta1\n    kind: CronJob\n  path: c.yaml\n";
    let object = "apiVersion: apps/v1beta2\nkind: Deployment\nmetadata: {name: web}\nspec: {selector: {matchLabels: {a: b}}}\n";
    let folder = Folder::new(&[("kustomization.yaml", kustomization), ("d.yaml", object)]);
    let (_, stderr) = folder.run(&["migrate", "."]).expect(0);
    assert!(stderr.ends_with("migrated 4 objects in 2 files\n"), "{stderr}");
    assert!(!stderr.contains("skipped"), "{stderr}");
    let expected =
        kustomization.replace("v1beta2", "v1").replace("version: v1beta1", "version: v1");
    // Inline patches stay blocks.
    assert_eq!(folder.read("kustomization.yaml"), expected);
    let moved = "patches:\n- target: {group: extensions, version: v1beta1, kind: Ingress, name: web}\n  path: p.json\n";
    let folder = Folder::new(&[("kustomization.yaml", moved)]);
    let (_, stderr) = folder.run(&["migrate", "--check", "."]).expect(1);
    assert!(stderr.contains("its fields have other paths"), "{stderr}");
}

#[test]
fn targets_of_the_systems_and_targets_without_kind_follow() {
    let kustomization = "resources: [a.yaml]\npatches:\n\
        - target: {group: extensions.agents.x-k8s.io, version: v1alpha1, kind: SandboxTemplate}\n  patch: |-\n    - {op: remove, path: /spec/service}\n\
        - target: {group: kelos.dev, version: v1alpha1, kind: Task}\n  patch: |\n    # text\n    - {op: replace, path: /spec/prompt, value: x}\n\
        - target: {group: batch, version: v1beta1, name: job}\n  patch: |-\n    - {op: remove, path: /spec/suspend}\n";
    let job = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: job}\nspec: {schedule: '@daily', jobTemplate: {}}\n";
    let folder = Folder::new(&[("kustomization.yaml", kustomization), ("a.yaml", job)]);
    folder.run(&["migrate", "."]).expect(0);
    let expected = kustomization
        .replace("agents.x-k8s.io, version: v1alpha1", "agents.x-k8s.io, version: v1beta1")
        .replace("kelos.dev, version: v1alpha1", "kelos.dev, version: v1alpha2")
        .replace("batch, version: v1beta1", "batch, version: v1");
    assert_eq!(folder.read("kustomization.yaml"), expected);

    let merged = "patchesStrategicMerge:\n- |-\n  apiVersion: apps/v1beta2\n  kind: Deployment\n  metadata: {name: y} # text\n- a.yaml\n";
    let folder = Folder::new(&[("kustomization.yaml", merged)]);
    folder.run(&["migrate", "."]).expect(0);
    assert_eq!(folder.read("kustomization.yaml"), merged.replace("v1beta2", "v1"));

    // A field that has another path, and objects of several new versions.
    let moved = "patches:\n- target: {group: agents.x-k8s.io, version: v1alpha1, kind: Sandbox}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 0}\n";
    let folder = Folder::new(&[("kustomization.yaml", moved)]);
    let (_, stderr) = folder.run(&["migrate", "--check", "."]).expect(1);
    assert!(stderr.contains("its fields have other paths"), "{stderr}");
    let several =
        "resources: [a.yaml]\npatches:\n- target: {version: v1alpha1, name: a}\n  path: p.json\n";
    let objects = "apiVersion: extensions.agents.x-k8s.io/v1alpha1\nkind: SandboxWarmPool\nmetadata: {name: a}\n---\n\
        apiVersion: kelos.dev/v1alpha1\nkind: Workspace\nmetadata: {name: a}\n";
    let folder = Folder::new(&[("kustomization.yaml", several), ("a.yaml", objects)]);
    let (_, stderr) = folder.run(&["migrate", "--check", "."]).expect(1);
    assert!(stderr.contains("whose new versions differ"), "{stderr}");
}

#[test]
fn a_patch_that_cannot_be_read_is_kept() {
    let patch = |spec: &str| {
        format!(
            "patches:\n- patch: |\n    apiVersion: batch/v1beta1\n    kind: CronJob\n    metadata: {{name: a}}\n    \
             spec: {{{spec}}}\n"
        )
    };
    let folder = Folder::new(&[("kustomization.yaml", &patch("suspend: true, suspend: false"))]);
    folder.run(&["migrate", "."]).expect(0);
    assert_eq!(folder.read("kustomization.yaml"), patch("suspend: true, suspend: false"));
    folder.write("kustomization.yaml", &patch("suspend: true"));
    folder.run(&["migrate", "."]).expect(0);
    assert_eq!(folder.read("kustomization.yaml"), patch("suspend: true").replace("v1beta1", "v1"));
}

#[test]
fn other_values_in_braces_stay_as_they_are_written() {
    let job = "{apiVersion: batch/v1beta1, kind: 'CronJob', metadata: {name: \"job\"}, \
               spec: {schedule: '@daily', startingDeadlineSeconds: 0x10, jobTemplate: {}}}\n";
    let folder = Folder::new(&[("a.yaml", job)]);
    folder.run(&["migrate", "."]).expect(0);
    assert_eq!(folder.read("a.yaml"), job.replace("v1beta1", "v1"));
}
