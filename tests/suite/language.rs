//! The JSON Schema of the definitions, checked with an independent engine.

use std::fs;

use sandboxc::{ExplainOptions, KubernetesVersion, explain_field, json_schema_text};
use serde::Deserialize as _;

use crate::support::{inputs, root};

fn json_schema(version: KubernetesVersion) -> serde_json::Value {
    serde_json::from_str(&json_schema_text(version)).unwrap()
}

fn validator(version: KubernetesVersion) -> jsonschema::Validator {
    jsonschema::draft202012::new(&json_schema(version)).expect("a schema of draft 2020-12")
}

/// The documents of a file, read by another parser.
fn documents(text: &str) -> Vec<serde_json::Value> {
    serde_yaml::Deserializer::from_str(text)
        .map(|document| serde_json::Value::deserialize(document).unwrap())
        .collect()
}

fn complaints(validator: &jsonschema::Validator, text: &str) -> Vec<String> {
    documents(text)
        .iter()
        .flat_map(|document| validator.iter_errors(document).map(|error| error.to_string()))
        .collect()
}

#[test]
fn the_schema_accepts_every_valid_definition() {
    let validator = validator(KubernetesVersion::NEWEST);
    let mut files = inputs("compile");
    let example = fs::read_dir(root().join("examples/quickstart")).unwrap();
    files.extend(example.map(|entry| {
        let path = entry.unwrap().path();
        (path.display().to_string(), fs::read(path).unwrap())
    }));
    for (name, bytes) in files {
        let found = complaints(&validator, str::from_utf8(&bytes).unwrap());
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}

#[test]
fn the_schema_rejects_what_the_compiler_rejects() {
    let validator = validator(KubernetesVersion::NEWEST);
    let spec = |spec: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {{name: a}}\nspec: {spec}\n"
        )
    };
    for (wrong, right) in [
        ("{imgae: a}", "{image: a}"),
        ("{image: [a]}", "{image: a}"),
        ("{security: strict}", "{security: baseline}"),
        ("{volumeClaims: [{size: 1Gi}]}", "{volumeClaims: [{name: a}]}"),
        ("{resources: {limit: {cpu: 1}}}", "{resources: {limits: {cpu: 1}}}"),
        ("{service: {enabled: true}}", "{service: true}"),
        ("{podOverrides: {hostnetwork: true}}", "{podOverrides: {hostNetwork: true}}"),
        ("{service: 'yes'}", "{service: '{{ values.service }}'}"),
    ] {
        assert!(!complaints(&validator, &spec(wrong)).is_empty(), "{wrong} is accepted");
        let found = complaints(&validator, &spec(right));
        assert!(found.is_empty(), "{right} is refused: {found:?}");
    }
    let unknown_kind = "apiVersion: sandboxc.dev/v1alpha1\nkind: Warmpool\nmetadata: {name: a}\n";
    assert!(!complaints(&validator, unknown_kind).is_empty());
}

#[test]
fn the_schema_accepts_other_objects() {
    let validator = validator(KubernetesVersion::NEWEST);
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: '{{ b }}'}\n";
    assert_eq!(complaints(&validator, text), Vec::<String>::new());
}

#[test]
fn every_version_has_a_schema_with_its_own_fields() {
    for version in KubernetesVersion::all() {
        let text = json_schema(version).to_string();
        let has = text.contains("\"hostnameOverride\"");
        assert_eq!(has, version.minor() >= 34, "hostnameOverride exists since 1.34: {version}");
    }
}

/// The explanation of a path with the default options.
fn explain(path: &str) -> String {
    explain_field(path, ExplainOptions::default()).unwrap_or_else(|fault| panic!("{fault:?}"))
}

/// The message and the help for a path that cannot be explained.
fn unexplained(path: &str) -> (String, String) {
    let fault = explain_field(path, ExplainOptions::default()).expect_err(path);
    (fault.message, fault.help)
}

#[test]
fn fields_are_explained_by_their_path() {
    let egress = explain("Template.network.egress");
    assert!(egress.starts_with("egress (list of NetworkPolicyEgressRule): "), "{egress}");
    assert_eq!(explain("Template.spec.network.egress"), egress);
    let resources = explain("Template.resources");
    assert!(resources.contains("\nlimits (map of Quantity): "), "{resources}");
    let probe = explain("Template.podOverrides.containers.livenessProbe");
    assert!(
        probe.contains("\nperiodSeconds (integer): How often (in seconds) to perform the probe.\n"),
        "{probe}"
    );
    let pool = explain("WarmPool");
    assert!(pool.contains("\ntemplate (string, required): "), "{pool}");
    assert_eq!(explain("warmpool"), pool);
    let claim = explain("Template.volumeClaims[].size");
    assert!(claim.starts_with("size (Quantity): "), "{claim}");
    assert!(explain("Claim.metadata.name").contains("name (string"));
    assert!(explain("Claim.expand.count").contains("{{ index }}"));
}

#[test]
fn maps_of_quantities_are_explained_with_their_keys_and_form() {
    for path in ["Template.resources.limits", "Template.resources.limits.cpu"] {
        let text = explain(path);
        for part in ["hugepages-2Mi", "nvidia.com/gpu", "`Mi`", "powers of 1024"] {
            assert!(text.contains(part), "{path}: {text}");
        }
    }
    let limits = explain("Template.resources.limits");
    let description = "Limits describes the maximum amount of compute resources allowed.";
    assert!(limits.contains(description), "{limits}");
}

#[test]
fn built_in_kinds_are_explained_like_kubectl_does() {
    let pod = explain("Pod");
    assert!(pod.starts_with("Pod (v1, namespaced): Pod is a collection of containers"), "{pod}");
    assert!(
        pod.contains("\nspec (PodSpec): Specification of the desired behavior of the pod.\n"),
        "{pod}"
    );
    for name in ["pod", "pods", "po", "PODS"] {
        assert_eq!(explain(name), pod, "{name}");
    }
    let strategy = explain("deploy.spec.strategy");
    let types = "type (Recreate or RollingUpdate): Type of deployment.";
    assert!(strategy.contains(types), "{strategy}");
    assert!(strategy.starts_with(
        "strategy (DeploymentStrategy): The deployment strategy to use to replace existing pods"
    ));
    // All of it for the field itself, the first sentence for each of its fields.
    let policy = explain("Pod.spec.containers.imagePullPolicy");
    assert!(
        policy.contains("Cannot be updated. More info: https://kubernetes.io/docs/"),
        "{policy}"
    );
    let container = explain("Pod.spec.containers");
    let line = "imagePullPolicy (Always or IfNotPresent or Never): Image pull policy.";
    assert!(container.lines().any(|it| it == line), "{container}");
    assert!(
        explain("Pod.spec.containers[0].ports")
            .contains("protocol (SCTP or TCP or UDP, default \"TCP\")")
    );
    assert!(explain("hpa").starts_with("HorizontalPodAutoscaler (autoscaling/v2, namespaced)"));
    let old = ExplainOptions { api_version: Some("autoscaling/v1"), ..Default::default() };
    let old = explain_field("hpa", old).expect("a version");
    assert!(old.starts_with("HorizontalPodAutoscaler (autoscaling/v1, namespaced)"), "{old}");
    assert!(explain("events").starts_with("Event (v1, "));
}

#[test]
fn fields_of_fields_are_listed_once_per_branch() {
    let all = ExplainOptions { is_recursive: true, ..Default::default() };
    let pods = explain_field("pods", all).expect("a kind");
    assert!(pods.contains("\n    resources (ResourceRequirements)\n      claims (list"));
    let crd = explain_field("crd", all).expect("a kind that contains itself");
    assert!(crd.lines().any(|it| it.trim() == "properties (map of JSONSchemaProps)"));
    assert!(crd.lines().count() < 1000);
    let claims = explain_field("sandboxclaims.spec", all).expect("a custom resource");
    let volumes = "\nvolumeClaimTemplates (list of object)\n  metadata (object)\n    annotations (map of string)\n";
    assert!(claims.contains(volumes), "{claims}");
    let template = explain_field("Template.resources", all).expect("a field");
    assert!(template.contains("\n  name (string, required)\n"), "{template}");
}

#[test]
fn a_wrong_path_is_answered_with_the_right_one() {
    for (path, near) in [
        ("Template.netwrk", "Template.network"),
        ("Template.resources.limts", "Template.resources.limits"),
        ("Template.resorces.limts", "Template.resources.limits"),
        ("Pod.spec.contaners.image", "Pod.spec.containers.image"),
        ("pods.spec.containers.imge", "pods.spec.containers.image"),
        ("Deploymnt.spec.stategy", "Deployment.spec.strategy"),
        ("unknown-feld", "unknown-field"),
        // A field of the custom resource with the name of a definition.
        ("Task.spec.worke", "Task.spec.worker"),
    ] {
        assert_eq!(unexplained(path).1, format!("did you mean `{near}`?"), "{path}");
    }
    let (message, help) = unexplained("Template.image.tag");
    assert_eq!(message, "unknown field `tag` in `Template.image`");
    assert!(help.starts_with("`Template.image` has no fields: image (string)"), "{help}");
    let (_, help) = unexplained("Pod.zzzz");
    assert_eq!(help, "fields of `Pod`: apiVersion, kind, metadata, spec, status");
    let version = ExplainOptions { api_version: Some("v9"), ..Default::default() };
    let fault = explain_field("hpa", version).expect_err("no version");
    assert_eq!(fault.help, "use autoscaling/v1 or autoscaling/v2");
}

/// A rule is found before a kind, so no kind may have the name of a rule.
#[test]
fn rules_and_kinds_have_different_names() {
    for rule in sandboxc::rules::all() {
        let found = explain_field(rule.name, ExplainOptions::default());
        assert!(found.is_err(), "{} is a rule and a kind", rule.name);
    }
}
