//! The part of a CustomResourceDefinition that its author wrote, in one form.

use serde_json::{Map, Value};

/// The annotation without which the API server rejects definitions of Kubernetes' own groups.
const APPROVED: &str = "api-approved.kubernetes.io";

/// A definition without what only a server adds or a cluster has, with sorted keys, so that the file of
/// a release and the output of `kubectl get` are equal.
pub(super) fn reduced(mut definition: Value, has_docs: bool) -> Value {
    let mut spec = definition.get_mut("spec").map_or(Value::Null, Value::take);
    let metadata = definition.get_mut("metadata").map_or(Value::Null, Value::take);
    if let Value::Object(spec) = &mut spec {
        drop_defaults(spec);
        for version in spec.get_mut("versions").and_then(Value::as_array_mut).into_iter().flatten()
        {
            if !has_docs {
                drop_docs(version);
            }
        }
    }
    let mut kept = Map::new();
    kept.insert("name".into(), metadata.get("name").map_or(Value::Null, Value::clone));
    if let Some(approved) = metadata.get("annotations").and_then(|it| it.get(APPROVED)) {
        kept.insert("annotations".into(), [(APPROVED, approved.clone())].into_iter().collect());
    }
    let field = |name: &str| definition.get(name).map_or(Value::Null, Value::clone);
    let fields = [
        ("apiVersion", field("apiVersion")),
        ("kind", field("kind")),
        ("metadata", Value::Object(kept)),
        ("spec", spec),
    ];
    sorted(fields.into_iter().collect())
}

/// Drops the defaults of the API server, and the certificate that a cluster injects.
///
/// Source: `pkg/apis/apiextensions/v1/defaults.go` of apiextensions-apiserver.
fn drop_defaults(spec: &mut Map<String, Value>) {
    let is_default = |it: &Value| it.as_object().is_some_and(|it| it.len() == 1);
    if spec
        .get("conversion")
        .is_some_and(|it| is_default(it) && it.get("strategy").is_some_and(|it| it == "None"))
    {
        spec.remove("conversion");
    }
    if spec.get("preserveUnknownFields") == Some(&Value::Bool(false)) {
        spec.remove("preserveUnknownFields");
    }
    if let Some(Value::Object(names)) = spec.get_mut("names") {
        let kind = names.get("kind").and_then(Value::as_str).unwrap_or("").to_owned();
        for (key, default) in [("singular", kind.to_lowercase()), ("listKind", kind + "List")] {
            if names.get(key).and_then(Value::as_str) == Some(&default) {
                names.remove(key);
            }
        }
    }
    let webhook = spec.get_mut("conversion").and_then(|it| it.get_mut("webhook"));
    if let Some(Value::Object(client)) = webhook.and_then(|it| it.get_mut("clientConfig")) {
        client.remove("caBundle");
        if let Some(Value::Object(service)) = client.get_mut("service")
            && service.get("port") == Some(&443.into())
        {
            service.remove("port");
        }
    }
}

/// Drops the descriptions of a version.
fn drop_docs(version: &mut Value) {
    if let Some(schema) = version.get_mut("schema").and_then(|it| it.get_mut("openAPIV3Schema")) {
        drop_docs_of_schema(schema);
    }
    let columns = version.get_mut("additionalPrinterColumns").and_then(Value::as_array_mut);
    for column in columns.into_iter().flatten() {
        if let Value::Object(column) = column {
            column.remove("description");
        }
    }
}

/// Drops the descriptions of a schema, and of those in it. A property can be named `description`.
fn drop_docs_of_schema(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    for key in ["description", "title", "example", "externalDocs"] {
        schema.remove(key);
    }
    for key in ["properties", "patternProperties", "definitions"] {
        if let Some(Value::Object(schemas)) = schema.get_mut(key) {
            schemas.values_mut().for_each(drop_docs_of_schema);
        }
    }
    for key in ["items", "additionalProperties", "not"] {
        schema.get_mut(key).into_iter().for_each(drop_docs_of_schema);
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        let schemas = schema.get_mut(key).and_then(Value::as_array_mut);
        schemas.into_iter().flatten().for_each(drop_docs_of_schema);
    }
}

/// A value whose maps have sorted keys.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.into_iter().collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            entries.into_iter().map(|(key, value)| (key, sorted(value))).collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_server_adds_is_dropped() {
        let written = json!({
            "kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1",
            "metadata": {"name": "widgets.example.com"},
            "spec": {
                "group": "example.com", "scope": "Namespaced",
                "names": {"kind": "Widget", "plural": "widgets"},
                "versions": [{"name": "v1", "served": true, "storage": true}],
            },
        });
        let mut stored = written.clone();
        stored["metadata"]["uid"] = json!("1");
        stored["metadata"]["annotations"] = json!({"a": "b"});
        stored["spec"]["names"]["singular"] = json!("widget");
        stored["spec"]["names"]["listKind"] = json!("WidgetList");
        stored["spec"]["conversion"] = json!({"strategy": "None"});
        stored["status"] = json!({"storedVersions": ["v1"]});
        assert_eq!(reduced(stored, true), reduced(written.clone(), true));
        let mut approved = written.clone();
        approved["metadata"]["annotations"] = json!({APPROVED: "https://example.com"});
        assert_ne!(reduced(approved, true), reduced(written, true));
    }

    #[test]
    fn a_property_can_be_named_description() {
        let mut schema = json!({
            "description": "x", "type": "object",
            "properties": {
                "description": {"type": "string", "description": "x"},
                "items": {"type": "array", "items": {"description": "x", "type": "string"}},
            },
        });
        drop_docs_of_schema(&mut schema);
        assert_eq!(
            schema,
            json!({
                "type": "object",
                "properties": {
                    "description": {"type": "string"},
                    "items": {"type": "array", "items": {"type": "string"}},
                },
            })
        );
    }

    #[test]
    fn a_webhook_has_neither_its_certificate_nor_the_default_port() {
        let webhook = |client: Value| {
            let spec =
                json!({"conversion": {"strategy": "Webhook", "webhook": {"clientConfig": client}}});
            let definition = json!({"metadata": {"name": "a"}, "spec": spec});
            reduced(definition, true)["spec"]["conversion"]["webhook"]["clientConfig"].clone()
        };
        let service =
            |port: u16| json!({"caBundle": "Cg==", "service": {"name": "a", "port": port}});
        assert_eq!(webhook(service(443)), json!({"service": {"name": "a"}}));
        assert_eq!(webhook(service(8443)), json!({"service": {"name": "a", "port": 8443}}));
    }
}
