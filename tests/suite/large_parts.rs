//! Inputs in which two large parts are compared with each other: each finishes quickly. Without all inputs
//! only some are compiled, and some are smaller.

use std::time::{Duration, Instant};

use sandboxc::{Options, Purpose, Workspace, compile};

use crate::support::{has_all, portion};

/// A time limit far above that of these inputs on a busy machine, and far below that of a search from
/// the start for each part.
const SOON: Duration = Duration::from_secs(30);

fn check(name: &str, text: &str) -> Vec<&'static str> {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    let mut options = Options::default();
    options.purpose = Purpose::Check;
    let start = Instant::now();
    let findings = compile(&workspace, &options).diagnostics;
    assert!(start.elapsed() < SOON, "{name}: {:?}", start.elapsed());
    let mut rules: Vec<_> = findings.iter().map(|it| it.rule.name).collect();
    // Each of these objects is large.
    rules.retain(|rule| *rule != "object-too-large-to-apply");
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// `count` entries of a map.
fn entries(count: usize, prefix: &str, value: &str) -> String {
    let entries: Vec<_> = (0..count).map(|it| format!("{prefix}{it}: {value}")).collect();
    entries.join(", ")
}

fn pod(name: usize, spec: &str) -> String {
    format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: p{name}}}\nspec: {{{spec}}}\n")
}

const CONTAINERS: &str = "containers: [{name: a, image: \"b:1\"}]";

#[test]
fn two_large_maps_are_compared_in_linear_time() {
    let many = portion(40_000, 4);
    let keys = entries(many, "k", "v");
    let others = entries(many, "j", "YQ==");
    let config = |kind, one, other| {
        format!(
            "apiVersion: v1\nkind: {kind}\nmetadata: {{name: a}}\n{one}: {{{keys}}}\n{other}: {{{others}}}\n"
        )
    };
    assert_eq!(check("ConfigMap", &config("ConfigMap", "data", "binaryData")), [""; 0]);
    assert_eq!(check("Secret", &config("Secret", "stringData", "data")), [""; 0]);
    let deployment = format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a}}\nspec: {{selector: {{matchLabels: \
         {{{keys}}}}}, template: {{metadata: {{labels: {{{keys}}}}}, spec: {{{CONTAINERS}}}}}}}\n"
    );
    assert_eq!(check("Deployment", &deployment), [""; 0]);
    let amounts = entries(many, "a.b/k", "1");
    let resources = format!("resources: {{requests: {{{amounts}}}, limits: {{{amounts}}}}}");
    let requests = pod(0, &format!("containers: [{{name: a, image: \"b:1\", {resources}}}]"));
    assert_eq!(check("requests", &requests), [""; 0]);
    let class = format!(
        "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {{name: r}}\nhandler: a\nscheduling: \
         {{nodeSelector: {{{keys}}}}}\n---\n"
    );
    let selector = entries(many, "j", "v");
    let own = pod(0, &format!("runtimeClassName: r, nodeSelector: {{{selector}}}, {CONTAINERS}"));
    assert_eq!(check("RuntimeClass", &(class + &own)), [""; 0]);
    let quota = format!(
        "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q}}\nspec: {{hard: {{{}}}}}\n",
        entries(many, "requests.a.b/k", "1")
    );
    assert_eq!(check("ResourceQuota", &(requests + &quota)), [""; 0]);
}

#[test]
fn annotations_and_containers_are_compared_in_linear_time() {
    let many = 10_000;
    let annotations =
        entries(many, "container.apparmor.security.beta.kubernetes.io/c", "unconfined");
    let containers: Vec<_> =
        (0..many).map(|it| format!("{{name: c{it}, image: \"b:1\"}}")).collect();
    let text = pod(0, &format!("containers: [{}]", containers.join(", ")));
    let text = text.replace("name: p0", &format!("name: p0, annotations: {{{annotations}}}"));
    assert!(check("annotations", &text).contains(&"annotation-deprecated"));
}

/// The input may have several files with alternatives.
#[test]
fn references_to_objects_with_one_name_are_resolved_in_linear_time() {
    let many = 4_000;
    let config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n---\n";
    let key = "env: [{name: A, valueFrom: {configMapKeyRef: {name: c, key: x}}}]";
    let spec = format!("containers: [{{name: a, image: \"b:1\", {key}}}]");
    let pods: Vec<_> = (0..many).map(|it| pod(it, &spec)).collect();
    let found = check("keys", &(config.repeat(many) + &pods.join("---\n")));
    assert_eq!(found, ["config-map-key-not-found", "object-duplicate"]);
    let range = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: []}\n---\n";
    let ranges = range.repeat(20_000) + &pod(0, CONTAINERS);
    assert_eq!(check("LimitRange", &ranges), ["object-duplicate"]);
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    let items: Vec<_> = (0..count).map(item).collect();
    format!("[{}]", items.join(", "))
}

#[test]
fn two_large_lists_are_compared_in_linear_time() {
    if !has_all() {
        return;
    }
    let many = 20_000;
    let [keys, others] = ["k", "j"].map(|prefix| list(2 * many, |it| format!("{prefix}{it}")));
    let term = format!(
        "topologyKey: a, labelSelector: {{}}, matchLabelKeys: {keys}, mismatchLabelKeys: {others}"
    );
    let affinity = format!(
        "{CONTAINERS}, affinity: {{podAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: \
         [{{{term}}}]}}}}"
    );
    assert_eq!(check("affinity", &pod(0, &affinity)), [""; 0]);
    let quota = format!(
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q}}\nspec: {{scopes: {}, hard: {{{}}}}}\n",
        list(many, |_| "Terminating".to_owned()),
        entries(many, "requests.a.b/k", "1")
    );
    assert_eq!(check("scopes", &quota), [""; 0]);
    let volumes = list(many, |it| format!("{{name: v{it}, emptyDir: {{}}}}"));
    let claim = "accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}";
    let claims = list(many, |it| format!("{{metadata: {{name: w{it}}}, spec: {{{claim}}}}}"));
    let set = format!(
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: a}}\nspec: {{serviceName: s, selector: \
         {{matchLabels: {{a: b}}}}, template: {{metadata: {{labels: {{a: b}}}}, spec: {{{CONTAINERS}, \
         volumes: {volumes}}}}}, volumeClaimTemplates: {claims}}}\n"
    );
    assert_eq!(check("claims", &set), [""; 0]);
    let ports = |host: bool| {
        let port = |it: usize| {
            let host = if host { format!(", hostPort: {}", 1 + it) } else { String::new() };
            format!("{{containerPort: 80, name: p{it}{host}}}")
        };
        pod(0, &format!("containers: [{{name: a, image: \"b:1\", ports: {}}}]", list(many, port)))
    };
    assert_eq!(check("ports", &ports(false)), ["port-repeated", "too-many-findings"]);
    let lost = ["item-lost-on-apply", "too-many-findings"];
    assert_eq!(check("host ports", &ports(true)), lost);
}
