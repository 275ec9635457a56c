//! The answers of `explain` for the custom resources of the systems, from their definitions.

use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::crd;
use crate::dialect;
use crate::kube::Object;
use crate::source::Workspace;
use crate::tree::{Node, Origin};

use super::explain::{ExplainOptions, Unexplained, no_such_field, path_steps};
use super::reference::as_prose;
use super::shape::{Form, KindName};

/// A field of a custom resource, or the resource itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'n> {
    name: &'n str,
    schema: &'n Node,
    is_required: bool,
}

/// The description of a custom resource, or of the field at a path below it. `None` if no system has
/// such a kind.
pub(super) fn explain(
    path: &str,
    options: ExplainOptions<'_>,
) -> Option<Result<String, Unexplained>> {
    let steps: Vec<_> = path_steps(path).collect();
    let (name, rest) = steps.split_first()?;
    let mut definitions = DEFINITIONS.iter().map(Object::root);
    let root = definitions.find(|definition| is_called(definition, name, options.api_version))?;
    let version = find_version(root, options.api_version)?;
    let kind = root.str_at(&["spec", "names", "kind"])?;
    let group = root.str_at(&["spec", "group"])?;
    let schema = version.at(&["schema", "openAPIV3Schema"])?;
    let mut field = Field { name: kind, schema, is_required: false };
    let mut known = vec![*name];
    for step in rest {
        let Some(below) = field.below(step) else {
            let names: Vec<_> = field.fields().into_iter().map(|it| it.name).collect();
            let repair = |near: &str| [&known[..], &[near]].concat().join(".");
            return Some(Err(no_such_field(&known, step, &names, repair, &field.line(true))));
        };
        known.push(step);
        field = below;
    }
    let mut text = if rest.is_empty() {
        let served = version.str_at(&["name"])?;
        let scope = match root.str_at(&["spec", "scope"]) {
            Some("Cluster") => "cluster-scoped".to_owned(),
            other => other.map_or_else(String::new, str::to_lowercase),
        };
        let docs = docs_suffix(schema);
        format!("{kind} ({group}/{served}, {scope}){docs}\n")
    } else {
        format!("{}\n", field.line(true))
    };
    let fields = field.fields();
    if !fields.is_empty() {
        text.push('\n');
    }
    for field in fields {
        if options.is_recursive {
            field.tree(&mut text, 0);
        } else {
            let _ = writeln!(text, "{}", field.line(true));
        }
    }
    Some(Ok(text))
}

/// The kind of a CustomResourceDefinition as a document, if it has this name and version.
pub(super) fn root<'n>(
    definition: &'n Node,
    kind: &str,
    api_version: Option<&str>,
) -> Option<Field<'n>> {
    let name = definition.str_at(&["spec", "names", "kind"]).filter(|it| *it == kind)?;
    let schema = find_version(definition, api_version)?.at(&["schema", "openAPIV3Schema"])?;
    Some(Field { name, schema, is_required: true })
}

/// The kind of a system as a document.
pub(super) fn of_systems(kind: &str, api_version: Option<&str>) -> Option<Field<'static>> {
    DEFINITIONS.iter().find_map(|definition| root(definition.root(), kind, api_version))
}

/// The kinds of the systems and of other definitions, in each served version.
pub(super) fn kind_names<'n>(definitions: impl IntoIterator<Item = &'n Node>) -> Vec<KindName> {
    let mut names = Vec::new();
    for root in definitions.into_iter().chain(DEFINITIONS.iter().map(Object::root)) {
        let of = |path: &[&str]| root.text_at(path);
        let (kind, group) = (of(&["spec", "names", "kind"]), of(&["spec", "group"]));
        if kind.is_empty() {
            continue;
        }
        for version in root.at(&["spec", "versions"]).map_or(&[][..], Node::items) {
            let is_served = version.get("served").and_then(Node::as_bool) != Some(false);
            let Some(name) = version.str_at(&["name"]).filter(|_| is_served) else { continue };
            let schema = version.at(&["schema", "openAPIV3Schema"]);
            let about = schema.map_or_else(String::new, describe_schema);
            names.push(KindName {
                kind: kind.to_owned(),
                api_version: format!("{group}/{name}"),
                about: if about.is_empty() { of(&["spec", "scope"]).to_lowercase() } else { about },
                is_stable: version.get("storage").and_then(Node::as_bool) == Some(true),
            });
        }
    }
    names
}

/// The fields of the kind of a system, or of a field of it, each with a line about it.
pub(super) fn fields(path: &str) -> Vec<(String, String)> {
    let mut steps = path_steps(path);
    let root = steps.next().and_then(|kind| of_systems(kind, None));
    let found = root.and_then(|root| steps.try_fold(root, Field::below));
    let about = |field: Field<'_>| {
        let docs = field.docs();
        (field.name.to_owned(), if docs.is_empty() { field.traits() } else { docs })
    };
    found.map_or_else(Vec::new, |subject| subject.fields().into_iter().map(about).collect())
}

/// The names of the kinds.
pub(super) fn names() -> Vec<String> {
    let kind =
        |object: &Object| object.root().str_at(&["spec", "names", "kind"]).map(str::to_owned);
    DEFINITIONS.iter().filter_map(kind).collect()
}

/// The definitions that the systems install, in the releases that are the default.
static DEFINITIONS: LazyLock<Vec<Object>> = LazyLock::new(load_definitions);

fn load_definitions() -> Vec<Object> {
    let nowhere = Origin::source(Workspace::new().start());
    let setups = dialect::setups(&Node::map(nowhere), &[], nowhere);
    let systems = setups.iter().filter_map(|setup| (setup.dialect.custom_resources)(setup));
    systems.flat_map(crd::crds).collect()
}

/// Whether a definition is that of the kind with this name, plural or short name.
fn is_called(root: &Node, name: &str, api_version: Option<&str>) -> bool {
    let is = |key: &str| {
        let text = root.str_at(&["spec", "names", key]);
        text.is_some_and(|it| it.eq_ignore_ascii_case(name))
    };
    let short = root.at(&["spec", "names", "shortNames"]).map_or(&[][..], Node::items);
    let is_named = ["kind", "plural", "singular"].into_iter().any(is)
        || short.iter().any(|alias| alias.as_str() == Some(name));
    is_named && find_version(root, api_version).is_some()
}

/// The version with an `apiVersion`, or the stored one.
fn find_version<'n>(root: &'n Node, api_version: Option<&str>) -> Option<&'n Node> {
    let group = root.str_at(&["spec", "group"])?;
    let mut versions = root.at(&["spec", "versions"]).map_or(&[][..], Node::items).iter();
    match api_version {
        Some(asked) => versions.find(|version| {
            version.str_at(&["name"]).is_some_and(|name| asked == format!("{group}/{name}"))
        }),
        None => {
            versions.find(|version| version.get("storage").and_then(Node::as_bool) == Some(true))
        }
    }
}

impl<'n> Field<'n> {
    /// The schema of the value, or of the items of a list.
    fn inside(self) -> &'n Node {
        let mut schema = self.schema;
        while let Some(items) = schema.get("items") {
            schema = items;
        }
        schema
    }

    pub(super) const fn name(self) -> &'n str {
        self.name
    }

    pub(super) const fn is_required(self) -> bool {
        self.is_required
    }

    /// Its description on one line.
    pub(super) fn docs(self) -> String {
        describe_schema(self.schema)
    }

    /// The scalars that a value or an item may be, if the list is closed.
    pub(super) fn values(self) -> Vec<String> {
        let schema = self.inside();
        let values = schema.get("enum").map_or(&[][..], Node::items);
        if values.is_empty() && schema.str_at(&["type"]) == Some("boolean") {
            return ["true", "false"].map(str::to_owned).to_vec();
        }
        let text =
            |node: &Node| node.as_str().map_or_else(|| node.to_json().to_string(), str::to_owned);
        values.iter().map(text).filter(|it| !it.is_empty()).collect()
    }

    /// How a value is written.
    pub(super) fn form(self) -> Form {
        let is_map = |node: &Node| node.str_at(&["type"]) == Some("object");
        match self.schema.get("items") {
            Some(_) if is_map(self.inside()) => Form::ListOfMaps,
            Some(_) => Form::List,
            None if is_map(self.schema) => Form::Map,
            None => Form::Scalar,
        }
    }

    pub(super) fn is_string(self) -> bool {
        let schema = self.inside();
        schema.str_at(&["type"]) == Some("string")
    }

    pub(super) fn fields(self) -> Vec<Self> {
        let schema = self.inside();
        let required = schema.get("required").map_or(&[][..], Node::items);
        let properties = schema.get("properties").map_or(&[][..], Node::entries);
        let field = |entry: &'n crate::tree::Entry| {
            let is_required = required.iter().any(|name| name.as_str() == Some(entry.key()));
            Self { name: entry.key(), schema: entry.value(), is_required }
        };
        properties.iter().map(field).collect()
    }

    pub(super) fn below(self, name: &str) -> Option<Self> {
        let found = self.fields().into_iter().find(|field| field.name == name);
        found.or_else(|| {
            let schema = self.inside().get("additionalProperties")?;
            Some(Self { name: "*", schema, is_required: false })
        })
    }

    /// Its line: `replicas (integer, required): Number of members.`
    fn line(self, has_docs: bool) -> String {
        let docs = if has_docs { docs_suffix(self.schema) } else { String::new() };
        format!("{} ({}){docs}", self.name, self.traits())
    }

    /// Its type, whether it is required, and its default.
    pub(super) fn traits(self) -> String {
        let mut traits = vec![type_of(self.schema)];
        if self.is_required {
            traits.push("required".to_owned());
        }
        if let Some(default) = self.schema.get("default") {
            traits.push(format!("default {}", default.to_json()));
        }
        traits.join(", ")
    }

    fn tree(self, text: &mut String, depth: usize) {
        let _ = writeln!(text, "{:indent$}{}", "", self.line(false), indent = 2 * depth);
        for field in self.fields() {
            field.tree(text, depth + 1);
        }
    }
}

/// The type of a value in words.
fn type_of(schema: &Node) -> String {
    if let Some(items) = schema.get("items") {
        return format!("list of {}", type_of(items));
    }
    if let Some(values) = schema.get("additionalProperties") {
        return format!("map of {}", type_of(values));
    }
    let values = schema.get("enum").map_or(&[][..], Node::items).iter().filter_map(Node::as_str);
    let quoted: Vec<_> = values.map(|value| format!("`{value}`")).collect();
    if !quoted.is_empty() {
        return quoted.join(" or ");
    }
    if schema.get("x-kubernetes-int-or-string").is_some() {
        return "integer or string".to_owned();
    }
    schema.str_at(&["type"]).unwrap_or("any").to_owned()
}

/// `: ` and the description on one line; empty without one.
fn docs_suffix(schema: &Node) -> String {
    let text = describe_schema(schema);
    if text.is_empty() { text } else { format!(": {text}") }
}

/// The description on one line.
fn describe_schema(schema: &Node) -> String {
    schema.str_at(&["description"]).map_or_else(String::new, as_prose)
}
