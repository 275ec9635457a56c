//! `import` of resources of agent-sandbox: `build` of the definitions gives the same objects.

use sandboxc::{ImportOptions, Imported, Options, Workspace, emit_stream, import, migrate};
use serde_json::{Value, json};

use crate::support::{difference, files_of_cases, sampled};

fn imported(text: &str) -> Imported {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    import(&workspace, &ImportOptions::default())
}

fn rules(imported: &Imported) -> Vec<&'static str> {
    let expected = ["import-default", "import-project"];
    let rules = imported.diagnostics.iter().map(|it| it.rule.name);
    rules.filter(|it| !expected.contains(it)).collect()
}

/// Writes out the token of Pods, as the import does.
fn with_token(mut object: Value) -> Value {
    let mounts = object["kind"] == "Sandbox";
    let pod = object.pointer_mut("/spec/podTemplate/spec").and_then(Value::as_object_mut);
    if let Some(pod) = pod {
        pod.entry("automountServiceAccountToken").or_insert(json!(mounts));
    }
    object
}

#[test]
fn upstream_examples_become_definitions() {
    let mut count = 0;
    for (path, text) in files_of_cases("migrate/agent-sandbox") {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text.clone());
        let migrated = migrate(&workspace, &Options::default());
        let current: String = migrated
            .edited
            .workspace
            .ids()
            .map(|it| migrated.edited.workspace.file(it).text().to_owned())
            .collect();
        let imported = imported(&text);
        assert!(!rules(&imported).contains(&"import-kept"), "{path}: {:?}", imported.diagnostics);
        let definitions = emit_stream(&imported.objects);
        assert!(!definitions.contains("\napiVersion: extensions.agents"), "{path}: {definitions}");
        assert!(!definitions.starts_with("apiVersion: agents."), "{path}: {definitions}");
        let found = difference(&current, &definitions);
        let is_token = |it: &&str| it.contains("automountServiceAccountToken");
        let fields =
            found.lines().filter(|it| it.starts_with("  spec") || it.starts_with("  metadata"));
        assert_eq!(fields.clone().count(), fields.filter(is_token).count(), "{path}\n{found}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn what_a_cluster_adds_is_left_out() {
    let claim = |name: &str| {
        json!({
            "apiVersion": "extensions.agents.x-k8s.io/v1beta1",
            "kind": "SandboxClaim",
            "metadata": {
                "name": name, "namespace": "team", "uid": "1", "resourceVersion": "2", "generation": 1,
                "creationTimestamp": "2026-01-01T00:00:00Z", "managedFields": [{"manager": "kubectl"}],
                "annotations": {"agents.x-k8s.io/sandbox-name": "pool-x", "team": "a"},
            },
            "spec": {"warmPoolRef": {"name": "pool"}, "lifecycle": {"ttlSecondsAfterFinished": 60}},
            "status": {"sandbox": {"name": "pool-x"}},
        })
    };
    let member = json!({
        "apiVersion": "agents.x-k8s.io/v1beta1",
        "kind": "Sandbox",
        "metadata": {"name": "pool-x", "ownerReferences": [{
            "apiVersion": "extensions.agents.x-k8s.io/v1beta1", "kind": "SandboxWarmPool",
            "name": "pool", "uid": "3", "controller": true,
        }]},
        "spec": {"podTemplate": {"spec": {"containers": []}}},
    });
    let list =
        json!({"apiVersion": "v1", "kind": "List", "items": [claim("b"), claim("a"), member]});
    let imported = imported(&list.to_string());
    assert_eq!(rules(&imported), ["import-kept"]);
    let expected = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata:\n  name: imported\nspec:\n  external:\n  - apiVersion: extensions.agents.x-k8s.io/v1beta1\n    kind: SandboxWarmPool\n    namespace: team\n    name: pool\n---\n\
        apiVersion: sandboxc.dev/v1alpha1\nkind: Claim\nmetadata:\n  name: '{{ item }}'\n  \
        namespace: team\n  annotations:\n    team: a\nexpand:\n  items:\n  - b\n  - a\nspec:\n  warmPool: pool\n  \
        lifecycle:\n    ttlSecondsAfterFinished: 60\n";
    assert_eq!(emit_stream(&imported.objects), expected);
}

#[test]
fn what_definitions_cannot_express_is_kept() {
    let template = |metadata: &str, spec: &str| {
        format!(
            "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxTemplate\nmetadata: {{name: a{metadata}}}\n\
            spec:\n  podTemplate:\n    spec:\n      automountServiceAccountToken: false\n      containers:\n      - name: main\n        image: a:1\n{spec}"
        )
    };
    for (metadata, spec, reason) in [
        (", finalizers: [a.example.com/b]", "", "no field for `finalizers`"),
        ("", "  networkPolicy: {}\n", "`networkPolicy: {}` denies all traffic"),
        (
            "",
            "  volumeClaimTemplates: [{metadata: {name: d}, spec: {}}]\n",
            "a definition would have another",
        ),
    ] {
        let text = template(metadata, spec);
        let imported = imported(&text);
        assert_eq!(rules(&imported), ["import-kept"], "{reason}");
        let message = imported.diagnostics[0].details().message.as_prose().to_string();
        assert!(
            message.starts_with("`SandboxTemplate/a` is kept as an object")
                && message.contains(reason),
            "{message}"
        );
        assert_eq!(difference(&text, &emit_stream(&imported.objects)), "");
    }
}

/// Numbers that follow from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn pick(&mut self, values: &[Value]) -> Value {
        let at = usize::try_from(self.below(values.len() as u64)).unwrap();
        values[at].clone()
    }

    fn maybe(&mut self, object: &mut Value, key: &str, values: &[Value]) {
        if self.below(2) == 0 {
            object[key] = self.pick(values);
        }
    }
}

fn container(numbers: &mut Numbers, name: &str) -> Value {
    let mut it = json!({"name": name});
    it["image"] = numbers.pick(&[json!("python:3.13"), json!("example.com/agent:1")]);
    numbers.maybe(
        &mut it,
        "command",
        &[json!(["sleep", "infinity"]), json!(["sh", "-c", "echo {{ a }}"])],
    );
    numbers.maybe(
        &mut it,
        "env",
        &[
            json!([{"name": "A", "value": "1"}, {"name": "B", "value": "yes"}]),
            json!([{"name": "T", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]),
        ],
    );
    numbers.maybe(
        &mut it,
        "ports",
        &[json!([{"containerPort": 8080}]), json!([{"containerPort": 53, "protocol": "UDP"}])],
    );
    numbers.maybe(
        &mut it,
        "resources",
        &[json!({"limits": {"cpu": "500m", "memory": "1Gi"}}), json!({"requests": {"cpu": 1}})],
    );
    numbers.maybe(
        &mut it,
        "securityContext",
        &[json!({"runAsUser": 1000}), json!({"privileged": false})],
    );
    numbers.maybe(&mut it, "volumeMounts", &[json!([{"name": "tmp", "mountPath": "/tmp"}])]);
    numbers.maybe(&mut it, "tty", &[json!(true)]);
    it
}

fn pod(numbers: &mut Numbers) -> Value {
    let main = numbers.pick(&[json!("main"), json!("agent")]);
    let mut containers = vec![container(numbers, main.as_str().unwrap())];
    if numbers.below(3) == 0 {
        containers.push(container(numbers, "sidecar"));
    }
    let mut it = json!({"containers": containers, "volumes": [{"name": "tmp", "emptyDir": {}}]});
    numbers.maybe(&mut it, "runtimeClassName", &[json!("gvisor")]);
    numbers.maybe(
        &mut it,
        "securityContext",
        &[json!({"fsGroup": 1000}), json!({"runAsNonRoot": true, "runAsUser": 5})],
    );
    numbers.maybe(&mut it, "automountServiceAccountToken", &[json!(true), json!(false)]);
    numbers.maybe(&mut it, "tolerations", &[json!([{"key": "gpu", "operator": "Exists"}])]);
    numbers.maybe(&mut it, "nodeSelector", &[json!({"pool": "agents"})]);
    numbers.maybe(&mut it, "hostAliases", &[json!([{"ip": "10.0.0.1", "hostnames": ["a"]}])]);
    numbers.maybe(&mut it, "dnsPolicy", &[json!("ClusterFirst")]);
    it
}

fn blueprint(numbers: &mut Numbers) -> Value {
    let mut spec = json!({"podTemplate": {"spec": pod(numbers)}});
    numbers.maybe(
        &mut spec["podTemplate"],
        "metadata",
        &[json!({"labels": {"app": "a"}}), json!({"annotations": {"a": "b"}})],
    );
    numbers.maybe(&mut spec, "service", &[json!(true), json!(false)]);
    numbers.maybe(&mut spec, "volumeClaimTemplates", &[
        json!([{"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]),
        json!([{"metadata": {"name": "data", "labels": {"a": "b"}}, "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "fast", "resources": {"requests": {"storage": "1Gi"}}}}]),
    ]);
    spec
}

fn object(group: &str, kind: &str, name: &str, spec: impl Into<Value>) -> Value {
    let spec: Value = spec.into();
    json!({"apiVersion": format!("{group}/v1beta1"), "kind": kind, "metadata": {"name": name}, "spec": spec})
}

const EXTENSIONS: &str = "extensions.agents.x-k8s.io";

fn fleet(seed: u64) -> Vec<Value> {
    let mut numbers = Numbers(seed);
    let mut objects = Vec::new();
    let like = blueprint(&mut numbers);
    for at in 0..=numbers.below(3) {
        let mut spec = if numbers.below(2) == 0 { like.clone() } else { blueprint(&mut numbers) };
        numbers.maybe(
            &mut spec,
            "networkPolicy",
            &[
                json!({"ingress": [], "egress": []}),
                json!({"egress": [{"ports": [{"port": 443}]}]}),
            ],
        );
        numbers.maybe(
            &mut spec,
            "networkPolicyManagement",
            &[json!("Managed"), json!("Unmanaged")],
        );
        numbers.maybe(&mut spec, "envVarsInjectionPolicy", &[json!("Allowed"), json!("Overrides")]);
        objects.push(object(EXTENSIONS, "SandboxTemplate", &format!("t{at}"), spec));
        let mut pool = json!({"sandboxTemplateRef": {"name": format!("t{at}")}});
        numbers.maybe(&mut pool, "replicas", &[json!(0), json!(5)]);
        numbers.maybe(&mut pool, "updateStrategy", &[json!({"type": "Recreate"})]);
        objects.push(object(EXTENSIONS, "SandboxWarmPool", &format!("p{at}"), pool));
        let mut claim = json!({"warmPoolRef": {"name": format!("p{at}")}});
        numbers.maybe(
            &mut claim,
            "lifecycle",
            &[json!({"shutdownPolicy": "Delete"}), json!({"ttlSecondsAfterFinished": 5})],
        );
        for number in 0..numbers.below(5) {
            objects.push(object(
                EXTENSIONS,
                "SandboxClaim",
                &format!("c{at}-{number}"),
                claim.clone(),
            ));
        }
    }
    let mut spec = blueprint(&mut numbers);
    numbers.maybe(&mut spec, "operatingMode", &[json!("Suspended"), json!("Running")]);
    objects.push(object("agents.x-k8s.io", "Sandbox", "s", spec));
    objects
}

#[test]
fn a_common_base_has_a_name_of_its_own() {
    let template = |name: &str, image: &str| {
        let container = json!({
            "name": "main", "image": image, "command": ["run"], "args": ["-v"], "workingDir": "/work",
            "env": [{"name": "A", "value": "b"}],
        });
        json!({
            "apiVersion": "extensions.agents.x-k8s.io/v1beta1",
            "kind": "SandboxTemplate",
            "metadata": {"name": name, "namespace": "team"},
            "spec": {"podTemplate": {"spec": {"containers": [container]}}},
        })
    };
    for (first, base) in [("first", "base"), ("base", "base-2")] {
        let items = [template(first, "a:1"), template("other", "b:1")];
        let list = json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string();
        let imported = imported(&list);
        let names: Vec<_> = imported.objects.iter().map(|it| it.name().to_owned()).collect();
        let definitions = emit_stream(&imported.objects);
        assert_eq!(names, [base, first, "other"], "{definitions}");
        assert_eq!(definitions.matches(&format!("extends: {base}\n")).count(), 2, "{definitions}");
    }
}

#[test]
fn generated_fleets_are_built_as_they_were() {
    let (mut kept, mut bases, mut expansions) = (0, 0, 0);
    for seed in sampled(0..60, 4) {
        let objects = fleet(seed);
        let list = json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string();
        let imported = imported(&list);
        let definitions = emit_stream(&imported.objects);
        let expected: Vec<_> = objects.into_iter().map(with_token).collect();
        let expected = json!({"apiVersion": "v1", "kind": "List", "items": expected}).to_string();
        assert_eq!(difference(&expected, &definitions), "", "seed {seed}\n{definitions}");
        kept += rules(&imported).iter().filter(|it| **it == "import-kept").count();
        bases += definitions.matches("abstract: true").count();
        expansions += definitions.matches("expand:").count();
    }
    assert_eq!(kept, 0);
    assert!(bases > 1 && expansions > 5, "{bases} {expansions}");
}
