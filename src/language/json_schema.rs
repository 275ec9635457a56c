//! Generates one JSON Schema from the schemas of the definitions and the Kubernetes types in them.
//!
//! It describes a file before expansion: an expression can replace any value that is not a string.
//! Documents that are not definitions are not restricted.

use serde_json::{Map, Value, json};

use super::reference::{as_prose, kinds, kinds_without_output};
use crate::decode::{Docs, Field, Record};
use crate::dialect;
use crate::expand::Expand;
use crate::lower::{API_VERSION, Metadata};
use crate::schema::{KubernetesVersion, Object, StringFormat, Type};
use crate::sorted::SortedMap;

/// The JSON Schema (draft 2020-12) of definitions for one Kubernetes version.
#[must_use]
fn json_schema(target: KubernetesVersion) -> Value {
    let mut builder = Builder::new(target);
    let kinds: Vec<_> = dialect::kinds().collect();
    let mut branches = Vec::new();
    for (kind, docs) in kinds_without_output() {
        branches.push(branch_for(kind, &builder.settings_schema(kind, docs)));
    }
    for kind in &kinds {
        branches.push(builder.kind_branch(kind.name, kind.docs));
    }
    let others = kinds_without_output().map(|it| it.0);
    let names: Vec<_> = kinds.iter().map(|kind| kind.name).chain(others).collect();
    branches.push(json!({
        "if": {"properties": {"apiVersion": {"const": API_VERSION}}, "required": ["apiVersion"]},
        "then": {"properties": {"kind": {"enum": names}}, "required": ["kind"]},
    }));
    let definitions = builder.definitions();
    json!({
        "$schema": DRAFT,
        "title": format!("sandboxc definitions, Kubernetes {target}"),
        "type": "object",
        "allOf": branches,
        "$defs": definitions,
    })
}

/// The JSON Schema (draft 2020-12) of definitions for one Kubernetes version, indented, with a final newline.
#[must_use]
pub fn json_schema_text(target: KubernetesVersion) -> String {
    format!("{:#}\n", json_schema(target))
}

/// The JSON Schema of one kind of definition, as [`json_schema_text`] is that of all.
///
/// # Errors
/// If there is no such kind; the existing ones.
pub fn json_schema_of(kind: &str, target: KubernetesVersion) -> Result<String, Vec<&'static str>> {
    let Some((name, docs)) = kinds().find(|it| it.0.eq_ignore_ascii_case(kind)) else {
        return Err(kinds().map(|it| it.0).collect());
    };
    let mut builder = Builder::new(target);
    let mut schema = match dialect::kinds().find(|kind| kind.name == name) {
        Some(kind) => builder.kind_schema(kind.name, kind.docs),
        None => builder.settings_schema(name, docs),
    };
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("$schema".to_owned(), DRAFT.into());
        fields.insert("title".to_owned(), format!("sandboxc {name}, Kubernetes {target}").into());
        fields.insert("type".to_owned(), "object".into());
        fields.insert("$defs".to_owned(), Value::Object(builder.definitions()));
    }
    Ok(format!("{schema:#}\n"))
}

/// The version of JSON Schema.
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

struct Builder {
    target: KubernetesVersion,
    /// Doc comments by the name of the object they describe.
    docs: SortedMap<&'static str, &'static Docs>,
    definitions: SortedMap<String, Value>,
}

impl Builder {
    fn new(target: KubernetesVersion) -> Self {
        let mut builder = Self { target, docs: SortedMap::new(), definitions: SortedMap::new() };
        builder.learn(Metadata::DOCS);
        builder.learn(Expand::DOCS);
        for (_, docs) in kinds_without_output() {
            builder.learn(docs);
        }
        for kind in dialect::kinds() {
            builder.learn(kind.docs);
        }
        builder
    }

    /// The types that the schemas so far refer to.
    fn definitions(self) -> Map<String, Value> {
        let mut definitions: Map<String, Value> = self.definitions.into_iter().collect();
        let expression = json!({"type": "string", "pattern": r"\{\{|\{%"});
        definitions.insert("expression".to_owned(), expression);
        definitions
    }

    fn learn(&mut self, docs: &'static Docs) {
        if self.docs.insert(docs.object.name, docs).is_none() {
            for inner in docs.flattened.iter().chain(docs.nested.iter().flatten()) {
                self.learn(inner);
            }
        }
    }

    fn kind_branch(&mut self, kind: &str, docs: &'static Docs) -> Value {
        branch_for(kind, &self.kind_schema(kind, docs))
    }

    fn kind_schema(&mut self, kind: &str, docs: &'static Docs) -> Value {
        let spec = self.value(Type::Object(docs.object));
        let metadata = self.value(<Metadata as Field>::TYPE);
        let expand = self.value(<Expand as Field>::TYPE);
        json!({
            "description": as_prose(docs.summary),
            "properties": {
                "apiVersion": {"const": API_VERSION},
                "kind": {"const": kind},
                "metadata": metadata,
                "expand": expand,
                "spec": spec,
            },
            "required": ["apiVersion", "kind", "metadata", "spec"],
            "additionalProperties": false,
        })
    }

    /// The schema of a kind that compiles to nothing.
    fn settings_schema(&mut self, kind: &str, docs: &'static Docs) -> Value {
        let spec = self.value(Type::Object(docs.object));
        json!({
            "description": as_prose(docs.summary),
            "properties": {
                "apiVersion": {"const": API_VERSION},
                "kind": {"const": kind},
                "metadata": true,
                "spec": spec,
            },
            "required": ["apiVersion", "kind", "spec"],
            "additionalProperties": false,
        })
    }

    /// The schema of a value; if it is not a string, an expression is allowed instead.
    fn value(&mut self, ty: Type<'static>) -> Value {
        let schema = match ty.resolve() {
            Type::Any | Type::Reference(_) => return json!(true),
            Type::String(format) => return string_schema(format),
            Type::Bool => json!({"type": "boolean"}),
            Type::Int32 | Type::Int64 => json!({"type": "integer"}),
            Type::Number => json!({"type": "number"}),
            Type::Constrained(constrained) => return self.value(constrained.base),
            Type::IntOrString => return json!({"type": ["integer", "string"]}),
            Type::Quantity => return json!({"type": ["number", "string"]}),
            Type::Enum(values) | Type::Choice(values) => {
                let known = values.iter().filter(|it| it.versions.contains(self.target));
                json!({"enum": known.map(|it| it.value).collect::<Vec<_>>()})
            }
            Type::NameOr(inline) => {
                return json!({"anyOf": [{"type": "string"}, self.value(*inline)]});
            }
            Type::List(list) => json!({"type": "array", "items": self.value(list.items)}),
            Type::Map(values) => {
                json!({"type": "object", "additionalProperties": self.value(*values)})
            }
            Type::Object(object) => {
                self.define(object);
                json!({"$ref": format!("#/$defs/{}", escape_pointer(object.name))})
            }
        };
        json!({"anyOf": [schema, {"$ref": "#/$defs/expression"}]})
    }

    fn define(&mut self, object: &'static Object<'static>) {
        if self.definitions.contains_key(object.name) {
            return;
        }
        // A placeholder, because some types contain themselves.
        self.definitions.insert(object.name.to_owned(), Value::Null);
        let mut properties = Map::new();
        let mut required = Vec::new();
        for property in object.properties {
            if !property.versions.contains(self.target) {
                continue;
            }
            let mut schema = self.value(property.value);
            let description = self.describe(object.name, property.name);
            if let (Some(description), Some(fields)) = (description, schema.as_object_mut()) {
                fields.insert("description".to_owned(), description.into());
            }
            properties.insert(property.name.to_owned(), schema);
            if property.is_required {
                required.push(property.name);
            }
        }
        let mut schema = json!({"type": "object", "properties": properties});
        if let Some(fields) = schema.as_object_mut() {
            if !required.is_empty() {
                fields.insert("required".to_owned(), json!(required));
            }
            if object.others.is_none() {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
            if let Some(docs) = self.docs.get(object.name) {
                fields.insert("description".to_owned(), as_prose(docs.summary).into());
            }
        }
        self.definitions.insert(object.name.to_owned(), schema);
    }

    fn describe(&self, object: &str, field: &str) -> Option<String> {
        describe_in(self.docs.get(object)?, field)
    }
}

/// The comment of a field of a record, or of one of the records flattened into it.
fn describe_in(docs: &Docs, field: &str) -> Option<String> {
    let own = docs.fields.iter().find(|(name, _)| *name == field);
    own.map(|(_, text)| as_prose(text))
        .or_else(|| docs.flattened.iter().find_map(|inner| describe_in(inner, field)))
}

fn branch_for(kind: &str, schema: &Value) -> Value {
    json!({
        "if": {
            "properties": {"apiVersion": {"const": API_VERSION}, "kind": {"const": kind}},
            "required": ["apiVersion", "kind"],
        },
        "then": schema,
    })
}

fn string_schema(format: StringFormat) -> Value {
    match format {
        StringFormat::DateTime | StringFormat::MicroTime => {
            json!({"type": "string", "format": "date-time"})
        }
        _ => json!({"type": "string"}),
    }
}

/// A name as a step of a JSON pointer inside a URI fragment.
fn escape_pointer(name: &str) -> String {
    name.replace('~', "~0")
        .replace('/', "~1")
        .replace('[', "%5B")
        .replace(']', "%5D")
        .replace(' ', "%20")
}
