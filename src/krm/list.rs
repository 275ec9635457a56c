//! Reads a `ResourceList`.

use super::annotations;
use crate::diag::{Diagnostic, Sink};
use crate::lower::is_of_language;
use crate::rewrite::shifted;
use crate::source::{FileId, Workspace, lines};
use crate::tree::{Node, Value};
use crate::yaml;

/// The group of the type of the list.
const GROUP: &str = "config.kubernetes.io";
const KIND: &str = "ResourceList";

/// A `ResourceList`.
#[derive(Clone, Debug)]
pub struct ResourceList {
    pub(super) source: Source,
    pub(super) root: Node,
}

/// A text whose nodes are copied.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) file: FileId,
    pub(super) text: String,
}

/// Why a text is not a `ResourceList`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NotAList {
    /// It cannot be read.
    Unreadable(Vec<Diagnostic>),
    /// It is something else: the problem, and what to do.
    Other(String, &'static str),
}

/// An item of the list that is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ItemPart {
    /// Its position in the list.
    pub index: usize,
    /// The name for messages: `items[3] (web.yaml)`, or `items[3] (Deployment/team/web)` without a file.
    pub name: String,
    /// Its source as a document.
    pub text: String,
}

const WHO_WRITES_IT: &str = "a program that runs functions, such as kpt or kustomize, writes it; `sandboxc check` and \
     `sandboxc build` read files";

impl ResourceList {
    /// Reads the list in a file.
    ///
    /// # Errors
    /// If the file is not a `ResourceList`.
    pub fn read(workspace: &Workspace, file: FileId) -> Result<Self, NotAList> {
        let source = workspace.file(file);
        let mut sink = Sink::new();
        let mut roots = Vec::new();
        if yaml::check_file(file, source, &mut sink).is_ok() {
            let documents = yaml::documents(file, source.text(), &mut sink).read;
            roots = documents.into_iter().map(|it| it.root).filter(|it| !it.is_null()).collect();
        }
        if sink.reported().is_some() {
            return Err(NotAList::Unreadable(sink.into_sorted()));
        }
        let other = |problem: String| Err(NotAList::Other(problem, WHO_WRITES_IT));
        let root = match <[Node; 1]>::try_from(roots) {
            Ok([root]) => root,
            Err(none) if none.is_empty() => {
                return other("standard input is empty: expected a ResourceList".to_owned());
            }
            Err(all) => {
                let count = all.len();
                return other(format!(
                    "standard input has {count} documents: expected one ResourceList"
                ));
            }
        };
        let group = root.str_at(&["apiVersion"]).and_then(|it| it.split_once('/'));
        let is_list = group.is_some_and(|(group, _)| group == GROUP);
        if !is_list || root.str_at(&["kind"]) != Some(KIND) {
            return other(match (root.str_at(&["apiVersion"]), root.str_at(&["kind"])) {
                (Some(version), Some(kind)) => format!(
                    "standard input is `kind: {kind}` of `{version}`: expected a ResourceList of \
                     `{GROUP}/v1`"
                ),
                _ => "standard input is not an object: expected a ResourceList".to_owned(),
            });
        }
        if let Some(items) =
            root.get("items").filter(|items| !matches!(items.value, Value::List(_)))
        {
            let problem = format!("`items` of the ResourceList is {}", items.describe());
            return Err(NotAList::Other(problem, "write a list of objects"));
        }
        Ok(Self { source: Source { file, text: source.text().to_owned() }, root })
    }

    pub(super) fn items(&self) -> &[Node] {
        self.root.get("items").map_or(&[], Node::items)
    }

    /// The items that are compiled: all except those that only configure programs.
    #[must_use]
    pub fn parts(&self) -> Vec<ItemPart> {
        let is_compiled = |item: &Node| {
            let is_for_programs = annotations::is_local(item) && !is_of_language(item);
            !item.is_null() && !is_for_programs
        };
        let part = |(index, item): (usize, &Node)| {
            let path = annotations::first_of(item, &annotations::PATHS).map(str::to_owned);
            let name = match path.or_else(|| object_name(item)) {
                Some(origin) => format!("items[{index}] ({origin})"),
                None => format!("items[{index}]"),
            };
            ItemPart { index, name, text: self.source.document(item) }
        };
        let items = self.items().iter().enumerate();
        items.filter(|(_, item)| is_compiled(item)).map(part).collect()
    }
}

/// `Deployment/team/web`: kustomize does not say from which file an object is.
fn object_name(item: &Node) -> Option<String> {
    let kind = item.str_at(&["kind"])?;
    let name = item.str_at(&["metadata", "name"])?;
    Some(match item.str_at(&["metadata", "namespace"]) {
        Some(namespace) => format!("{kind}/{namespace}/{name}"),
        None => format!("{kind}/{name}"),
    })
}

impl Source {
    /// The source of a node as a document: with its comments, unless an alias refers to a part of the
    /// list outside of it.
    pub(super) fn document(&self, node: &Node) -> String {
        let is_same = |copy: &String| {
            let file = Workspace::new().add("", "");
            let mut sink = Sink::new();
            let read = yaml::documents(file, copy, &mut sink).read;
            sink.reported().is_none()
                && matches!(&*read, [document] if document.root.same_value(node))
        };
        self.copy(node).filter(is_same).unwrap_or_else(|| print_to_text(node))
    }

    fn copy(&self, node: &Node) -> Option<String> {
        let range = node.span().within(self.file).range();
        let column = lines::column(&self.text, range.start);
        let mut copy = shifted(self.text.get(range)?.trim_end(), column, 0);
        copy.push('\n');
        Some(copy)
    }
}

/// An object as YAML.
pub(super) fn print_to_text(node: &Node) -> String {
    let mut text = String::new();
    yaml::print_document(node, &mut text);
    text
}
