//! The custom resource definitions of agent-sandbox: sizes, structure, and what they accept.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use sandboxc::{Object, Options, Severity, Workspace};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::support::{fixtures, root};

const V0_5: &str = "0.5";
const V1_0: &str = "1.0";
const LINES: [&str; 2] = [V0_5, V1_0];

/// The custom resource definitions of a release line of agent-sandbox.
fn crds(line: &str) -> Vec<Object> {
    let mut options = Options::default();
    options.set("agent-sandbox", "release", line).unwrap();
    sandboxc::crds(&options, Some("agent-sandbox"))
}

/// All definitions of a release line as JSON.
fn definitions(line: &str) -> Vec<Value> {
    crds(line).iter().map(|object| serde_json::to_value(object.root()).unwrap()).collect()
}

/// The schemas of all versions of all definitions of both lines, with their names.
fn schemas() -> Vec<(String, Value)> {
    let mut schemas = Vec::new();
    for (line, crd) in
        LINES.iter().flat_map(|line| definitions(line).into_iter().map(move |it| (line, it)))
    {
        for version in crd["spec"]["versions"].as_array().unwrap() {
            let name = format!(
                "{line} {}/{}",
                crd["metadata"]["name"].as_str().unwrap(),
                version["name"].as_str().unwrap()
            );
            schemas.push((name, version["schema"]["openAPIV3Schema"].clone()));
        }
    }
    assert_eq!(schemas.len(), 12);
    schemas
}

/// Calls `visit` for each schema node, with its path.
fn walk(schema: &Value, path: &str, visit: &mut impl FnMut(&Value, &str)) {
    visit(schema, path);
    for (name, child) in schema["properties"].as_object().into_iter().flatten() {
        walk(child, &format!("{path}.{name}"), visit);
    }
    for (keyword, mark) in [("items", "[]"), ("additionalProperties", "{}")] {
        if let Some(child) = schema.get(keyword) {
            walk(child, &format!("{path}{mark}"), visit);
        }
    }
}

/// `fixtures/crd/definitions.tsv` has the digests of the definitions in the releases, which
/// `tools/agent-sandbox-oracle/definitions` prints.
#[test]
fn definitions_are_those_of_the_releases() {
    let recorded = fs::read_to_string(root().join("fixtures/crd/definitions.tsv")).unwrap();
    let mut ours = String::new();
    for line in LINES {
        for crd in definitions(line) {
            let name = crd["metadata"]["name"].as_str().unwrap();
            let digest = Sha256::digest(sorted(&crd).to_string());
            write!(ours, "{line}\t{name}\t").unwrap();
            for byte in digest {
                write!(ours, "{byte:02x}").unwrap();
            }
            ours.push('\n');
        }
    }
    assert_eq!(recorded, ours);
}

/// The value with its keys in alphabetical order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let map: BTreeMap<_, _> =
                map.iter().map(|(key, it)| (key.clone(), sorted(it))).collect();
            Value::Object(map.into_iter().collect())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        scalar => scalar.clone(),
    }
}

#[test]
fn a_line_with_one_version_has_no_webhook() {
    for crd in definitions(V1_0) {
        assert!(crd["spec"].get("conversion").is_none());
        assert_eq!(crd["spec"]["versions"].as_array().unwrap().len(), 1);
    }
    for crd in definitions(V0_5) {
        assert_eq!(crd["spec"]["conversion"]["strategy"], "Webhook");
        let stored = |version: &Value| version["storage"] == true;
        let versions = crd["spec"]["versions"].as_array().unwrap();
        assert_eq!(versions.iter().map(stored).collect::<Vec<_>>(), [true, false]);
    }
}

#[test]
fn schemas_are_structural() {
    for (name, schema) in schemas() {
        assert_eq!(schema["properties"]["metadata"], json!({"type": "object"}), "{name}");
        assert_eq!(schema["type"], "object", "{name}");
        walk(&schema, &name, &mut |node, path| {
            let is_int_or_string = node["x-kubernetes-int-or-string"] == true;
            assert!(node["type"].is_string() != is_int_or_string, "{path} has one type");
            assert_eq!(node["type"] == "array", node.get("items").is_some(), "{path}");
            let map_and_object =
                node.get("properties").is_some() && node.get("additionalProperties").is_some();
            assert!(!map_and_object, "{path} is a map or an object");
            assert!(node.get("description").is_none(), "{path} has no prose");
            assert!(node.get("nullable").is_none(), "{path}");
            if is_int_or_string {
                assert_eq!(node["anyOf"], json!([{"type": "integer"}, {"type": "string"}]));
            }
        });
    }
}

#[test]
fn keys_of_lists_are_scalars_that_are_required_or_have_a_default() {
    let mut lists = BTreeSet::new();
    for (name, schema) in schemas() {
        walk(&schema, &name, &mut |node, path| {
            let is_map = node["x-kubernetes-list-type"] == "map";
            assert_eq!(is_map, node.get("x-kubernetes-list-map-keys").is_some(), "{path}");
            if !is_map {
                return;
            }
            lists.insert(path.rsplit('.').next().unwrap().to_owned());
            let items = &node["items"];
            let required: Vec<_> = items["required"].as_array().into_iter().flatten().collect();
            for key in node["x-kubernetes-list-map-keys"].as_array().unwrap() {
                let property = &items["properties"][key.as_str().unwrap()];
                assert!(property["type"] == "string" || property["type"] == "integer", "{path}");
                let is_known = required.contains(&key) || property.get("default").is_some();
                assert!(is_known, "{path} {key}");
            }
        });
    }
    assert!(lists.contains("containers") && lists.contains("topologySpreadConstraints"));
}

#[test]
fn defaults_keep_their_own_schema() {
    let mut count = 0;
    for (name, schema) in schemas() {
        walk(&schema, &name, &mut |node, path| {
            let Some(default) = node.get("default") else { return };
            count += 1;
            let mut node = node.clone();
            node.as_object_mut().unwrap().remove("default");
            assert!(jsonschema::is_valid(&node, default), "{path}: {default}");
        });
    }
    assert!(count > 100, "{count} defaults");
}

/// A value with every property of the schema.
fn everything(schema: &Value) -> Value {
    if let Some(values) = schema["enum"].as_array() {
        return values[0].clone();
    }
    match schema["type"].as_str() {
        Some("boolean") => json!(true),
        Some("integer") => json!(1),
        Some("array") => json!([everything(&schema["items"])]),
        Some("object") => {
            let mut map = Map::new();
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                let value = match name.as_str() {
                    // Kubernetes requires an hour; the schema of the definition does not say so.
                    "maxExpirationSeconds" => json!(3600),
                    _ => everything(property),
                };
                map.insert(name.clone(), value);
            }
            if let Some(values) = schema.get("additionalProperties") {
                map.insert("example.com/key".to_owned(), everything(values));
            }
            Value::Object(map)
        }
        _ if schema["pattern"].as_str().is_some_and(|it| it.contains("A-Za-z")) => json!("Ready"),
        _ if schema["format"] == "date-time" => json!("2026-12-31T18:00:00Z"),
        _ => json!("1"),
    }
}

#[test]
fn another_validator_accepts_an_object_with_every_field() {
    for (name, schema) in schemas() {
        let object = everything(&schema);
        let errors: Vec<_> = jsonschema::validator_for(&schema)
            .unwrap()
            .iter_errors(&object)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}

/// The rules about violations of a schema.
const SCHEMA_RULES: &[&str] = &[
    "date-time-invalid",
    "field-missing",
    "list-item-duplicate",
    "null-not-allowed",
    "number-out-of-range",
    "pattern-mismatch",
    "size-out-of-range",
    "unknown-field",
    "wrong-type",
];

/// The number of findings of each schema rule for an object.
fn schema_findings(line: &str, object: &Value) -> BTreeMap<&'static str, usize> {
    let mut workspace = Workspace::new();
    workspace.add("object.json", object.to_string());
    let mut options = Options::default();
    options.set("agent-sandbox", "release", line).unwrap();
    let compilation = sandboxc::compile(&workspace, &options);
    let mut counts = BTreeMap::new();
    for finding in compilation.diagnostics {
        if SCHEMA_RULES.contains(&finding.rule.name) {
            *counts.entry(finding.rule.name).or_default() += 1;
        }
    }
    counts
}

/// Each kind in each version of a line, with every field of its schema.
fn objects_with_every_field(line: &str) -> Vec<(Value, Value)> {
    let mut objects = Vec::new();
    for crd in definitions(line) {
        for version in crd["spec"]["versions"].as_array().unwrap() {
            let schema = &version["schema"]["openAPIV3Schema"];
            let mut object = everything(schema);
            let group = crd["spec"]["group"].as_str().unwrap();
            let name = version["name"].as_str().unwrap();
            object["apiVersion"] = format!("{group}/{name}").into();
            object["kind"] = crd["spec"]["names"]["kind"].clone();
            object["metadata"] = json!({"name": "everything"});
            objects.push((schema.clone(), object));
        }
    }
    objects
}

#[test]
fn this_compiler_knows_every_field() {
    for line in LINES {
        for (_, object) in objects_with_every_field(line) {
            let found = schema_findings(line, &object);
            assert_eq!(found, BTreeMap::new(), "{line} {}", object["apiVersion"]);
        }
    }
}

/// Adds a key to each map with known keys, and returns the number of these maps.
fn add_unknown(schema: &Value, value: &mut Value) -> usize {
    let mut count = 0;
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = value.get_mut(name) {
            count += add_unknown(property, value);
        }
    }
    for item in value.as_array_mut().into_iter().flatten() {
        count += add_unknown(&schema["items"], item);
    }
    if schema.get("properties").is_some() {
        value.as_object_mut().unwrap().insert("qqqqqqqq".to_owned(), json!(1));
        count += 1;
    }
    count
}

#[test]
fn a_foreign_key_is_found_in_every_object() {
    for line in LINES {
        for (schema, mut object) in objects_with_every_field(line) {
            let count = add_unknown(&schema, &mut object);
            let expected = BTreeMap::from([("unknown-field", count)]);
            assert_eq!(schema_findings(line, &object), expected, "{line}");
        }
    }
}

/// The schema of a kind in a version, or `None` for other kinds. Only line 0.5 has `v1alpha1`.
fn schema_of(object: &Object, is_old: bool) -> Option<Value> {
    let crds = definitions(if is_old { V0_5 } else { V1_0 });
    let crd = crds.iter().find(|crd| {
        crd["spec"]["group"] == object.gvk().group()
            && crd["spec"]["names"]["kind"] == object.gvk().kind()
    })?;
    let versions = crd["spec"]["versions"].as_array().unwrap();
    let version = versions.iter().find(|it| it["name"] == object.gvk().version())?;
    Some(version["schema"]["openAPIV3Schema"].clone())
}

/// The properties of agent-sandbox's own types that no value in the object sets.
fn unset(schema: &Value, values: &[&Value], path: &str, unset_paths: &mut Vec<String>) {
    // Embedded Kubernetes types are covered by the object that is built from the schema.
    if path.ends_with(".podTemplate.spec") || path.ends_with("[].spec") {
        return;
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        let below: Vec<_> = values.iter().filter_map(|value| value.get(name)).collect();
        if below.is_empty() {
            unset_paths.push(path);
        } else if path != ".spec.networkPolicy" {
            unset(property, &below, &path, unset_paths);
        }
    }
    if let Some(items) = schema.get("items") {
        let items_set: Vec<_> =
            values.iter().filter_map(|value| value.as_array()).flatten().collect();
        if !items_set.is_empty() {
            unset(items, &items_set, &format!("{path}[]"), unset_paths);
        }
    }
}

#[test]
fn objects_with_every_field_are_accepted() {
    let mut kinds = BTreeSet::new();
    for fixture in fixtures("crd") {
        let (_, compilation) = fixture.compile();
        let errors: Vec<_> = compilation
            .diagnostics
            .iter()
            .filter(|it| it.severity == Severity::Error)
            .map(|it| format!("{}: {}", it.rule.name, it.details().message.as_prose()))
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", fixture.name);
        let subject: String = fixture.name.split('/').nth(1).unwrap().replace('_', "");
        for object in &compilation.objects {
            let schema = schema_of(object, fixture.name.contains("v1alpha1"));
            let schema = schema.expect("an agent-sandbox kind");
            let json = serde_json::to_value(object.root()).unwrap();
            assert!(jsonschema::is_valid(&schema, &json), "{} {}", fixture.name, object.gvk());
            if object.gvk().kind().to_lowercase() == subject
                && fixture.name.contains(object.gvk().version())
                    == (object.gvk().version() == "v1alpha1")
            {
                kinds.insert((object.gvk().kind().to_string(), object.gvk().version().to_string()));
                let mut paths = Vec::new();
                unset(&schema, &[&json], "", &mut paths);
                assert!(paths.is_empty(), "{}: nothing sets {paths:?}", fixture.name);
            }
        }
    }
    assert_eq!(kinds.len(), 8, "each kind in each version: {kinds:?}");
}
