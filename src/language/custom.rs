//! The answers of `explain` for the custom resources of the systems, from their definitions.

use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::crd;
use crate::dialect;
use crate::kube::Object;
use crate::source::Workspace;
use crate::tree::{Node, Origin};

use super::explain::ExplainOptions;

/// A field of a custom resource, or the resource itself.
#[derive(Clone, Copy)]
struct Field<'n> {
    name: &'n str,
    schema: &'n Node,
    is_required: bool,
}

/// The description of a custom resource, or of the field at a path below it. `None` if no system has
/// such a kind, or the kind no such field.
pub(super) fn explain(path: &str, options: ExplainOptions<'_>) -> Option<String> {
    let mut steps = path.split('.').map(|it| it.split_once('[').map_or(it, |it| it.0));
    let name = steps.next()?;
    let definition = DEFINITIONS.iter().find(|it| is_called(it, name, options.api_version))?;
    let root = definition.root();
    let version = version(root, options.api_version)?;
    let kind = root.str_at(&["spec", "names", "kind"])?;
    let group = root.str_at(&["spec", "group"])?;
    let schema = version.at(&["schema", "openAPIV3Schema"])?;
    let mut field = Field { name: kind, schema, is_required: false };
    let mut depth = 0;
    for step in steps {
        field = field.below(step)?;
        depth += 1;
    }
    let mut text = if depth == 0 {
        let scope = root.str_at(&["spec", "scope"]).unwrap_or("").to_lowercase();
        let served = version.str_at(&["name"])?;
        let scope = if scope == "cluster" { "cluster-scoped" } else { &scope };
        let docs = prose(schema);
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
    Some(text)
}

/// The names of the kinds.
pub(super) fn names() -> Vec<String> {
    let kind = |it: &Object| it.root().str_at(&["spec", "names", "kind"]).map(str::to_owned);
    DEFINITIONS.iter().filter_map(kind).collect()
}

/// The definitions that the systems install, in the releases that are the default.
static DEFINITIONS: LazyLock<Vec<Object>> = LazyLock::new(definitions);

fn definitions() -> Vec<Object> {
    let nowhere = Origin::source(Workspace::new().start());
    let setups = dialect::setups(&Node::map(nowhere), &[], nowhere);
    let systems = setups.iter().filter_map(|it| (it.dialect.custom_resources)(it));
    systems.flat_map(crd::crds).collect()
}

/// Whether a definition is that of the kind with this name, plural or short name.
fn is_called(definition: &Object, name: &str, api_version: Option<&str>) -> bool {
    let root = definition.root();
    let is = |key: &str| {
        let text = root.str_at(&["spec", "names", key]);
        text.is_some_and(|it| it.eq_ignore_ascii_case(name))
    };
    let short = root.at(&["spec", "names", "shortNames"]).map_or(&[][..], Node::items);
    let is_named = ["kind", "plural", "singular"].into_iter().any(is)
        || short.iter().any(|it| it.as_str() == Some(name));
    is_named && version(root, api_version).is_some()
}

/// The version with an `apiVersion`, or the stored one.
fn version<'n>(root: &'n Node, api_version: Option<&str>) -> Option<&'n Node> {
    let group = root.str_at(&["spec", "group"])?;
    let mut versions = root.at(&["spec", "versions"]).map_or(&[][..], Node::items).iter();
    match api_version {
        Some(asked) => versions
            .find(|it| it.str_at(&["name"]).is_some_and(|name| asked == format!("{group}/{name}"))),
        None => versions.find(|it| it.get("storage").and_then(Node::as_bool) == Some(true)),
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

    fn fields(self) -> Vec<Self> {
        let schema = self.inside();
        let required = schema.get("required").map_or(&[][..], Node::items);
        let properties = schema.get("properties").map_or(&[][..], Node::entries);
        let field = |it: &'n crate::tree::Entry| {
            let is_required = required.iter().any(|name| name.as_str() == Some(it.key()));
            Self { name: it.key(), schema: it.value(), is_required }
        };
        properties.iter().map(field).collect()
    }

    fn below(self, name: &str) -> Option<Self> {
        let found = self.fields().into_iter().find(|it| it.name == name);
        found.or_else(|| {
            let schema = self.inside().get("additionalProperties")?;
            Some(Self { name: "*", schema, is_required: false })
        })
    }

    /// Its line: `replicas (integer, required): Number of members.`
    fn line(self, has_docs: bool) -> String {
        let mut traits = vec![type_of(self.schema)];
        if self.is_required {
            traits.push("required".to_owned());
        }
        if let Some(default) = self.schema.get("default") {
            traits.push(format!("default {}", default.to_json()));
        }
        let docs = if has_docs { prose(self.schema) } else { String::new() };
        format!("{} ({}){docs}", self.name, traits.join(", "))
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
    let values: Vec<_> = values.map(|it| format!("`{it}`")).collect();
    if !values.is_empty() {
        return values.join(" or ");
    }
    if schema.get("x-kubernetes-int-or-string").is_some() {
        return "integer or string".to_owned();
    }
    schema.str_at(&["type"]).unwrap_or("any").to_owned()
}

/// `: ` and the description on one line; empty without one.
fn prose(schema: &Node) -> String {
    let text = schema.str_at(&["description"]).unwrap_or("");
    let words: Vec<_> = text.split_whitespace().collect();
    if words.is_empty() { String::new() } else { format!(": {}", words.join(" ")) }
}
