//! `effective` and the target `pods`: the objects that controllers create.

mod kelos;
mod lines;
mod properties;
mod recorded;

use sandboxc::{Compilation, Object, Options, Purpose, Severity, Workspace, compile, emit_stream};
use serde_json::{Value, json};

use crate::support::portion;

fn run(text: &str, options: &Options) -> Compilation {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    compile(&workspace, options)
}

fn steady() -> Options {
    let mut options = Options::default();
    options.purpose = Purpose::Effective;
    options
}

fn effective(text: &str) -> Vec<Object> {
    let compilation = run(text, &steady());
    assert!(!compilation.has_errors(), "{:#?}", compilation.diagnostics);
    compilation.objects
}

fn plain(text: &str) -> Compilation {
    let mut options = Options::default();
    options.set("agent-sandbox", "target", "pods").unwrap();
    run(text, &options)
}

/// The object of a kind and name, as JSON.
fn find(objects: &[Object], kind: &str, name: &str) -> Value {
    let is_it = |it: &&Object| it.gvk().kind() == kind && it.name() == name;
    let found = objects.iter().find(is_it);
    let names: Vec<_> = objects.iter().map(Object::describe).collect();
    let found = found.unwrap_or_else(|| panic!("{kind}/{name} is not among {names:?}"));
    serde_json::to_value(found.root()).unwrap()
}

fn names(objects: &[Object]) -> Vec<String> {
    objects.iter().map(Object::describe).collect()
}

const TEMPLATE: &str = "\
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxTemplate
metadata: {name: python-runtime, namespace: team-a}
spec:
  envVarsInjectionPolicy: Allowed
  podTemplate:
    metadata:
      labels: {app: py}
      annotations: {note: hi}
    spec:
      containers:
      - {name: py, image: 'python:3.13', ports: [{containerPort: 8888}]}
---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxWarmPool
metadata: {name: python-pool, namespace: team-a}
spec: {replicas: 1, sandboxTemplateRef: {name: python-runtime}}
---
";

const CLAIMS: &str = "\
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxClaim
metadata:
  name: alice
  namespace: team-a
  labels: {agents.x-k8s.io/created-by: go-client}
spec:
  warmPoolRef: {name: python-pool}
  additionalPodMetadata:
    labels: {sandbox.users.io/user: alice}
    annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: 'false'}
---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxClaim
metadata: {name: bob, namespace: team-a}
spec:
  warmPoolRef: {name: python-pool}
  env: [{name: FOO, value: bar}]
";

fn worked() -> Vec<Object> {
    effective(&format!("{TEMPLATE}{CLAIMS}"))
}

#[test]
fn the_worked_expansion_has_all_objects() {
    let expected = [
        "NetworkPolicy/python-runtime-network-policy",
        "Sandbox/bob",
        "Sandbox/python-pool-xxxx1",
        "Sandbox/python-pool-xxxx2",
        "Pod/bob",
        "Pod/python-pool-xxxx1",
        "Pod/python-pool-xxxx2",
    ];
    assert_eq!(sorted(names(&worked())), sorted(expected.map(str::to_owned).to_vec()));
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

#[test]
fn an_idle_member_has_the_labels_of_its_pool_and_the_secure_defaults() {
    let objects = worked();
    let pod = find(&objects, "Pod", "python-pool-xxxx2");
    assert_eq!(
        pod["metadata"]["labels"],
        json!({
            "app": "py",
            "agents.x-k8s.io/created-by": "controller",
            "agents.x-k8s.io/sandbox-name-hash": name_hash("python-pool-xxxx2"),
            "agents.x-k8s.io/sandbox-template-ref-hash": "7c7dd1d6",
            "agents.x-k8s.io/warm-pool-sandbox": "ed572cc4",
        })
    );
    assert_eq!(
        pod["metadata"]["annotations"],
        json!({
            "note": "hi",
            "cluster-autoscaler.kubernetes.io/safe-to-evict": "true",
            "agents.x-k8s.io/propagated-labels": "app",
            "agents.x-k8s.io/propagated-annotations":
                "cluster-autoscaler.kubernetes.io/safe-to-evict,note",
        })
    );
    let spec = &pod["spec"];
    assert_eq!(spec["automountServiceAccountToken"], false);
    assert_eq!(spec["dnsPolicy"], "None");
    assert_eq!(spec["dnsConfig"], json!({"nameservers": ["8.8.8.8", "1.1.1.1"]}));
    // `protocol` has a default in the custom resource definition.
    assert_eq!(spec["containers"][0]["ports"], json!([{"containerPort": 8888, "protocol": "TCP"}]));
    let sandbox = find(&objects, "Sandbox", "python-pool-xxxx2");
    let owner = &sandbox["metadata"]["ownerReferences"][0];
    assert_eq!(
        (&owner["kind"], &owner["name"]),
        (&json!("SandboxWarmPool"), &json!("python-pool"))
    );
    assert_eq!(sandbox["metadata"]["generateName"], "python-pool-");
    let labels = &sandbox["metadata"]["labels"];
    assert_eq!(labels["agents.x-k8s.io/launch-type"], "warm");
    let annotations = json!({"agents.x-k8s.io/sandbox-template-ref": "python-runtime"});
    assert_eq!(sandbox["metadata"]["annotations"], annotations);
}

/// 32-bit FNV-1a, implemented independently of the compiler.
fn name_hash(text: &str) -> String {
    let fold = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
    format!("{:08x}", text.bytes().fold(2_166_136_261, fold))
}

#[test]
fn an_adopted_member_belongs_to_its_claim() {
    let objects = worked();
    let pod = find(&objects, "Pod", "python-pool-xxxx1");
    assert_eq!(
        pod["metadata"]["labels"],
        json!({
            "app": "py",
            "sandbox.users.io/user": "alice",
            "agents.x-k8s.io/claim-uid": "placeholder-uid-of-sandboxclaim-alice",
            "agents.x-k8s.io/created-by": "go-client",
            "agents.x-k8s.io/sandbox-name-hash": name_hash("python-pool-xxxx1"),
            "agents.x-k8s.io/sandbox-template-ref-hash": "7c7dd1d6",
        })
    );
    let annotations = &pod["metadata"]["annotations"];
    assert_eq!(annotations["cluster-autoscaler.kubernetes.io/safe-to-evict"], "false");
    assert_eq!(annotations["agents.x-k8s.io/propagated-labels"], "app,sandbox.users.io/user");
    let sandbox = find(&objects, "Sandbox", "python-pool-xxxx1");
    let owners = sandbox["metadata"]["ownerReferences"].as_array().unwrap();
    assert_eq!(owners.len(), 1);
    assert_eq!((&owners[0]["kind"], &owners[0]["name"]), (&json!("SandboxClaim"), &json!("alice")));
    let labels: Vec<_> = sandbox["metadata"]["labels"].as_object().unwrap().keys().collect();
    assert_eq!(
        sorted(labels.into_iter().cloned().collect()),
        [
            "agents.x-k8s.io/claim-uid",
            "agents.x-k8s.io/created-by",
            "agents.x-k8s.io/launch-type",
            "agents.x-k8s.io/sandbox-template-ref-hash",
        ]
    );
}

/// Only a member whose Pod is ready can be adopted.
#[test]
fn a_claim_of_a_gated_pool_starts_cold() {
    let pool = "---\napiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\n\
        metadata: {name: pool, namespace: team-a}\n\
        spec: {sandboxTemplateRef: {name: python-runtime}}\n\
        ---\napiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxClaim\n\
        metadata: {name: one, namespace: team-a}\nspec: {warmPoolRef: {name: pool}}\n";
    let template = TEMPLATE.trim_end().trim_end_matches("---");
    let queued = "labels: {app: py, kueue.x-k8s.io/queue-name: gpu}";
    for (text, launch) in [
        (template.to_owned(), "warm"),
        (
            template.replace("    spec:\n", "    spec:\n      schedulingGates: [{name: g}]\n"),
            "cold",
        ),
        (template.replace("labels: {app: py}", queued), "cold"),
    ] {
        let objects = effective(&format!("{text}{pool}"));
        let sandboxes = objects.iter().filter(|object| object.gvk().kind() == "Sandbox");
        let of_claim = sandboxes
            .map(|object| serde_json::to_value(object.root()).unwrap())
            .find(|sandbox| sandbox["metadata"]["labels"]["agents.x-k8s.io/claim-uid"].is_string());
        let labels = &of_claim.unwrap()["metadata"]["labels"];
        assert_eq!(labels["agents.x-k8s.io/launch-type"], launch, "{text}");
    }
}

#[test]
fn a_claim_with_variables_starts_cold() {
    let objects = worked();
    let pod = find(&objects, "Pod", "bob");
    assert_eq!(
        pod["metadata"]["labels"],
        json!({
            "app": "py",
            "agents.x-k8s.io/claim-uid": "placeholder-uid-of-sandboxclaim-bob",
            "agents.x-k8s.io/sandbox-name-hash": "86c6a0d4",
            "agents.x-k8s.io/sandbox-template-ref-hash": "7c7dd1d6",
        })
    );
    assert_eq!(pod["spec"]["containers"][0]["env"], json!([{"name": "FOO", "value": "bar"}]));
    let annotations = pod["metadata"]["annotations"].as_object().unwrap();
    assert!(!annotations.contains_key("cluster-autoscaler.kubernetes.io/safe-to-evict"));
    let labels = &find(&objects, "Sandbox", "bob")["metadata"]["labels"];
    assert_eq!(labels["agents.x-k8s.io/launch-type"], "cold");
}

#[test]
fn the_default_network_policy_is_the_recorded_one() {
    let policy = find(&worked(), "NetworkPolicy", "python-runtime-network-policy");
    let block = |cidr: &str, except: &[&str]| json!({"ipBlock": {"cidr": cidr, "except": except}});
    let private = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"];
    assert_eq!(
        policy["spec"],
        json!({
            "podSelector": {"matchLabels": {
                "agents.x-k8s.io/sandbox-template-ref-hash": "7c7dd1d6"}},
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [{"from": [{
                "namespaceSelector": {"matchLabels": {
                    "kubernetes.io/metadata.name": "agent-sandbox-system"}},
                "podSelector": {"matchLabels": {"app": "sandbox-router"}}}]}],
            "egress": [{"to": [
                block("0.0.0.0/0", &private), block("::/0", &["fc00::/7", "fe80::/10"])]}],
        })
    );
    let closed = TEMPLATE.replace("  podTemplate:", "  networkPolicy: {}\n  podTemplate:");
    let objects = effective(&closed);
    let policy = find(&objects, "NetworkPolicy", "python-runtime-network-policy");
    let keys: Vec<_> = policy["spec"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(sorted(keys), ["podSelector", "policyTypes"]);
    let pod = find(&objects, "Pod", "python-pool-xxxx1");
    assert_eq!(pod["spec"].get("dnsPolicy"), None);
}

const BARE: &str = "\
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata: {name: dev-box, labels: {agents.x-k8s.io/created-by: weird-client}}
spec:
  service: true
  volumeClaimTemplates:
  - metadata: {name: data, labels: {tier: gold}}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
  podTemplate:
    metadata:
      labels: {agents.x-k8s.io/sandbox-name-hash: deadbeef, a: b}
      annotations: {opentelemetry.io/trace-context: x}
    spec:
      volumes: [{name: data, emptyDir: {}}, {name: tmp, emptyDir: {}}]
      containers:
      - name: main
        image: busybox
        ports: [{name: http, containerPort: 80}]
        volumeMounts: [{name: data, mountPath: /data}, {name: tmp, mountPath: /tmp}]
";

#[test]
fn a_bare_sandbox_has_a_pod_a_service_and_volume_claims() {
    let objects = effective(BARE);
    let expected = ["PersistentVolumeClaim/data-dev-box", "Pod/dev-box", "Service/dev-box"];
    assert_eq!(sorted(names(&objects)), expected);
    let claim = find(&objects, "PersistentVolumeClaim", "data-dev-box");
    let hash = "agents.x-k8s.io/sandbox-name-hash";
    assert_eq!(claim["metadata"]["labels"], json!({"tier": "gold", hash: "a6b0e084"}));
    let service = find(&objects, "Service", "dev-box");
    assert_eq!(
        service["spec"],
        json!({
            "clusterIP": "None",
            "selector": {hash: "a6b0e084"},
            "ports": [{"name": "http", "protocol": "TCP", "port": 80, "targetPort": 80}],
        })
    );
    let pod = find(&objects, "Pod", "dev-box");
    let labels = json!({"a": "b", hash: "a6b0e084", "agents.x-k8s.io/created-by": "unknown"});
    assert_eq!(pod["metadata"]["labels"], labels);
    let annotations = json!({"agents.x-k8s.io/propagated-labels": "a"});
    assert_eq!(pod["metadata"]["annotations"], annotations);
    assert_eq!(
        pod["spec"]["volumes"],
        json!([{"name": "tmp", "emptyDir": {}},
            {"name": "data", "persistentVolumeClaim": {"claimName": "data-dev-box"}}])
    );
    assert_eq!(pod["spec"].get("automountServiceAccountToken"), None);
    let suspended = effective(&BARE.replace("  service: true", "  operatingMode: Suspended"));
    assert_eq!(names(&suspended), ["PersistentVolumeClaim/data-dev-box"]);
}

#[test]
fn claims_override_variables_and_volumes_in_the_order_of_the_template() {
    let text = "\
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxTemplate
metadata: {name: t}
spec:
  envVarsInjectionPolicy: Overrides
  volumeClaimTemplatesPolicy: Overrides
  volumeClaimTemplates:
  - {metadata: {name: a}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
  - {metadata: {name: b}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
  podTemplate:
    spec:
      initContainers: [{name: init, image: i}]
      containers:
      - name: main
        image: m
        env: [{name: X, value: x}, {name: S, valueFrom: {secretKeyRef: {name: s, key: k}}}]
        volumeMounts: [{name: a, mountPath: /a}, {name: b, mountPath: /b}]
---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxWarmPool
metadata: {name: p}
spec: {replicas: 0, sandboxTemplateRef: {name: t}}
---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxClaim
metadata: {name: c}
spec:
  warmPoolRef: {name: p}
  volumeClaimTemplates:
  - {metadata: {name: new}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 3Gi}}}}
  - {metadata: {name: a}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}}
  env:
  - {name: S, value: first}
  - {name: Z, value: z}
  - {name: S, value: last}
  - {name: Q, value: q, containerName: main}
  - {name: Q, value: q, containerName: init}
";
    let sandbox = find(&effective(text), "Sandbox", "c");
    let pod = &sandbox["spec"]["podTemplate"]["spec"];
    let env = |values: &[(&str, &str)]| {
        let variable = |(name, value): &(&str, &str)| json!({"name": name, "value": value});
        Value::from(values.iter().map(variable).collect::<Vec<_>>())
    };
    // Variables that name the container come first.
    let expected = env(&[("X", "x"), ("S", "last"), ("Q", "q"), ("Z", "z")]);
    assert_eq!(pod["containers"][0]["env"], expected);
    assert_eq!(pod["initContainers"][0]["env"], env(&[("Q", "q")]));
    let claims = sandbox["spec"]["volumeClaimTemplates"].as_array().unwrap().iter();
    let claims: Vec<_> = claims
        .map(|it| {
            let size = it["spec"]["resources"]["requests"]["storage"].as_str().unwrap();
            format!("{} {size}", it["metadata"]["name"].as_str().unwrap())
        })
        .collect();
    assert_eq!(claims, ["a 2Gi", "b 1Gi", "new 3Gi"]);
}

/// The notes of the first error of a claim that the controller rejects.
fn notes(template: &str, claim: &str) -> String {
    let claim = format!(
        "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxClaim\n\
        metadata: {{name: c, namespace: team-a}}\nspec:\n  warmPoolRef: {{name: python-pool}}\n{claim}"
    );
    let compilation = run(&format!("{template}{claim}"), &steady());
    let errors = compilation.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    errors
        .flat_map(|it| &it.details().notes)
        .map(|note| note.as_prose().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_rejected_claim_has_the_reason_and_message_of_the_controller() {
    let closed = TEMPLATE.replace("  envVarsInjectionPolicy: Allowed\n", "");
    let open = TEMPLATE.replace("image: 'python:3.13',", "image: p, env: [{name: A, value: a}],");
    let volume = "  volumeClaimTemplates:\n  - {metadata: {name: v}, spec: {accessModes: \
        [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}\n";
    let env = "  env: [{name: A, value: b}]\n";
    let label = |key: &str| format!("  additionalPodMetadata: {{labels: {{{key}: bar}}}}\n");
    let cases = [
        (
            &closed,
            env.to_owned(),
            "`EnvVarsInjectionRejected`: environment variable injection rejected: environment \
             variable injection is not allowed by the template policy",
        ),
        (
            &open,
            env.to_owned(),
            "`ReconcilerError`: Error seen: environment variable override is not allowed by the \
             template policy for variable \"A\"",
        ),
        (
            &open,
            "  env: [{name: B, value: b, containerName: x}]\n".to_owned(),
            "`ReconcilerError`: Error seen: target container \"x\" not found in template for \
             environment variable \"B\"",
        ),
        // Volume claims are checked before variables.
        (
            &closed,
            format!("{env}{volume}"),
            "`VolumeClaimTemplatesError`: failed to merge volume claim templates: volume claim \
             templates are disallowed by the template",
        ),
        (
            &open,
            label("foo"),
            "`InvalidMetadata`: invalid additionalPodMetadata: failed to validate label \"foo\": \
             label \"foo\" must have a domain prefix (e.g. 'sandbox.users.io/my-label') to prevent \
             opting into unintended policy domains",
        ),
        (
            &open,
            label("example.com/foo"),
            "`InvalidMetadata`: invalid additionalPodMetadata: failed to validate label \
             \"example.com/foo\": label domain \"example.com\" is not in the allowlist",
        ),
        (
            &open,
            "  additionalPodMetadata: {annotations: {foo.k8s.io/x: v}}\n".to_owned(),
            "`InvalidMetadata`: invalid additionalPodMetadata: failed to validate annotation \
             \"foo.k8s.io/x\": restricted system domain: \"foo.k8s.io/x\" is not allowed in \
             AdditionalPodMetadata",
        ),
        (
            &open,
            "  additionalPodMetadata: {annotations: {note: v}}\n".to_owned(),
            "`ReconcilerError`: Error seen: failed to complete adoption of \"python-pool-xxxx1\": \
             metadata override conflict: annotation \"note\" is defined in template with value \
             \"hi\", but claim requests \"v\"",
        ),
    ];
    for (template, claim, expected) in cases {
        let notes = notes(template, &claim);
        assert!(notes.contains(expected), "{claim}\n{notes}\n{expected}");
    }
}

const BUILT_IN: &str = "\
apiVersion: batch/v1
kind: Job
metadata: {name: indexed}
spec:
  completions: 3
  parallelism: 2
  completionMode: Indexed
  template:
    metadata: {labels: {app: j}}
    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: 0 3 * * *
  jobTemplate:
    metadata: {labels: {app: c}}
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {team: a}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: busybox}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 2
  ordinals: {start: 3}
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: main, image: busybox, volumeMounts: [{name: data, mountPath: /d}]}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
";

#[test]
fn built_in_controllers_take_one_step() {
    let objects = effective(BUILT_IN);
    let expected = [
        "Job/nightly-xxxxxxxx",
        "PersistentVolumeClaim/data-db-3",
        "PersistentVolumeClaim/data-db-4",
        "Pod/db-3",
        "Pod/db-4",
        "Pod/indexed-0-xxxx1",
        "Pod/indexed-1-xxxx2",
        "Pod/web-placeholder-xxxx1",
        "Pod/web-placeholder-xxxx2",
        "ReplicaSet/web-placeholder",
    ];
    assert_eq!(sorted(names(&objects)), expected);
    let pod = find(&objects, "Pod", "indexed-1-xxxx2");
    let labels = &pod["metadata"]["labels"];
    assert_eq!(labels["batch.kubernetes.io/job-name"], "indexed");
    assert_eq!(labels["batch.kubernetes.io/job-completion-index"], "1");
    assert_eq!(pod["spec"]["hostname"], "indexed-1");
    assert_eq!(pod["spec"]["containers"][0]["env"][0]["name"], "JOB_COMPLETION_INDEX");
    assert_eq!(pod["metadata"]["finalizers"], json!(["batch.kubernetes.io/job-tracking"]));
    let set = find(&objects, "ReplicaSet", "web-placeholder");
    let matched = json!({"app": "web", "pod-template-hash": "placeholder"});
    assert_eq!(set["spec"]["selector"]["matchLabels"], matched);
    let annotations = &set["metadata"]["annotations"];
    assert_eq!(annotations["team"], "a");
    assert_eq!(annotations["deployment.kubernetes.io/max-replicas"], "3");
    let pod = find(&objects, "Pod", "db-3");
    assert_eq!(pod["metadata"]["labels"]["statefulset.kubernetes.io/pod-name"], "db-3");
    assert_eq!(pod["metadata"]["labels"]["apps.kubernetes.io/pod-index"], "3");
    assert_eq!(
        (&pod["spec"]["hostname"], &pod["spec"]["subdomain"]),
        (&json!("db-3"), &json!("db"))
    );
    let claim = &pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"];
    assert_eq!(claim, "data-db-3");
    let labels = &find(&objects, "PersistentVolumeClaim", "data-db-3")["metadata"]["labels"];
    assert_eq!(*labels, json!({"app": "db"}));
}

#[test]
fn plain_objects_have_no_owners_and_no_placeholders() {
    let compilation = plain(&format!("{TEMPLATE}{CLAIMS}---\n{BARE}"));
    assert!(!compilation.has_errors(), "{:#?}", compilation.diagnostics);
    let text = emit_stream(&compilation.objects);
    for word in ["placeholder", "ownerReferences", "xxxx", "extensions.agents", "kind: Sandbox"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    assert_eq!(text.matches("kind: Pod\n").count(), 4);
    let again = emit_stream(&plain(&format!("{TEMPLATE}{CLAIMS}---\n{BARE}")).objects);
    assert_eq!(again, text);
}

/// Compiles a ReplicaSet with this number of Pods.
fn replicas(count: usize) -> Compilation {
    let text = format!(
        "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {{name: web}}\nspec:\n  replicas: {count}\n  \
        selector: {{matchLabels: {{app: web}}}}\n  template:\n    metadata: {{labels: {{app: web}}}}\n    \
        spec: {{containers: [{{name: main, image: busybox}}]}}\n"
    );
    run(&text, &steady())
}

#[test]
fn as_many_objects_are_created_as_there_is_fuel_for() {
    let many = portion(60_000, 6);
    assert_eq!(replicas(many).objects.len(), many);
    let above = replicas(10_000_000);
    let rules: Vec<_> = above.diagnostics.iter().map(|it| it.rule.name).collect();
    assert_eq!((rules.as_slice(), above.objects.len()), (&["too-much-work"][..], 0));
}
