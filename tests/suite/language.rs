//! The JSON Schema of the definitions, checked with an independent engine.

use std::fs;

use sandboxc::{KubernetesVersion, explain_field, json_schema_text, nearest_subject};
use serde::Deserialize as _;

use crate::support::{fixtures, root};

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
    let mut files = fixtures("compile");
    let example = fs::read_dir(root().join("examples/quickstart")).unwrap();
    files.extend(example.map(|entry| entry.unwrap().path()));
    for path in files {
        let found = complaints(&validator, &fs::read_to_string(&path).unwrap());
        assert!(found.is_empty(), "{}: {found:?}", path.display());
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

#[test]
fn fields_are_explained_by_their_path() {
    let egress = explain_field("Template.network.egress").expect("a field");
    assert!(egress.starts_with("egress (list of NetworkPolicyEgressRule): "), "{egress}");
    assert_eq!(explain_field("Template.spec.network.egress"), Some(egress));
    let limits = explain_field("Template.resources.limits").expect("a field of Kubernetes");
    assert_eq!(limits, "limits (map of Quantity)\n");
    let resources = explain_field("Template.resources").expect("a field");
    assert!(resources.contains("\nlimits (map of Quantity)\n"), "{resources}");
    let probe = explain_field("Template.podOverrides.containers.livenessProbe").expect("a field");
    assert!(probe.contains("\nperiodSeconds (integer)\n"), "{probe}");
    assert_eq!(explain_field("Template.image.tag"), None);
    let near = nearest_subject("Template.resources.limts");
    assert_eq!(near.as_deref(), Some("Template.resources.limits"));
    let pool = explain_field("WarmPool").expect("a kind");
    assert!(pool.contains("\ntemplate (string, required): "), "{pool}");
    let claim = explain_field("Template.volumeClaims[].size").expect("a flattened field");
    assert!(claim.starts_with("size (Quantity): "), "{claim}");
    assert!(explain_field("Claim.metadata.name").is_some());
    assert!(explain_field("Claim.expand.count").is_some());
    assert_eq!(explain_field("Template.netwrk"), None);
    assert_eq!(nearest_subject("Template.netwrk").as_deref(), Some("Template.network"));
}
