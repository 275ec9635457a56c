//! `ObjectQuery`: an object as a user names it.

use std::error::Error;
use std::fmt;

use crate::diag::{MAX_LISTED, Message, first_of, message, nearest};
use crate::kube::{GroupVersionKind, InputObject, Object, is_name_of_kind};
use crate::tree::Node;

/// `Kind/name`, `Kind/namespace/name`, or `Kind.group/name`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectQuery {
    kind: String,
    group: Option<String>,
    namespace: Option<String>,
    name: String,
}

/// Why a query has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    pub(crate) message: Message,
    pub(crate) help: Message,
}

impl QueryError {
    /// The help for the message.
    #[must_use]
    pub fn help(&self) -> &str {
        self.help.as_prose()
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.as_prose())
    }
}

impl Error for QueryError {}

impl ObjectQuery {
    /// Reads a query; `None` if the string is not one. A kind begins with a capital letter, which
    /// neither a path in an object nor, as a rule, a file does.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once('/')?;
        let (kind, group) = match kind.split_once('.') {
            Some((kind, group)) => (kind, Some(group.to_owned())),
            None => (kind, None),
        };
        let (namespace, name) = match rest.split_once('/') {
            Some((namespace, name)) => (Some(namespace.to_owned()), name),
            None => (None, rest),
        };
        let is_kind = kind.starts_with(|c: char| c.is_ascii_uppercase())
            && kind.chars().all(|c| c.is_ascii_alphanumeric());
        let is_whole = is_kind && !name.is_empty() && !name.contains('/');
        is_whole.then(|| Self { kind: kind.to_owned(), group, namespace, name: name.to_owned() })
    }

    /// Reads a query as kubectl does: the kind can be in lowercase, in the plural, or short.
    #[must_use]
    pub fn parse_like_kubectl(text: &str) -> Option<Self> {
        let mut chars = text.chars();
        let first = chars.next().filter(char::is_ascii_alphabetic)?;
        let mut query = Self::parse(&format!("{}{}", first.to_ascii_uppercase(), chars.as_str()))?;
        if first.is_ascii_lowercase() {
            query.kind.replace_range(..1, &first.to_string());
        }
        Some(query)
    }

    /// The query for the object that a node is a part of; `None` if it has no kind or name.
    pub(crate) fn of(part: &Node) -> Option<Self> {
        let text = |keys: &[&str]| part.str_at(keys).map(str::to_owned);
        let group = |it: String| it.rsplit_once('/').map_or(String::new(), |it| it.0.to_owned());
        Some(Self {
            kind: text(&["kind"])?,
            group: text(&["apiVersion"]).map(group),
            namespace: text(&["metadata", "namespace"]),
            name: text(&["metadata", "name"])?,
        })
    }

    /// Whether it names this object.
    pub(crate) fn matches(&self, object: &Object) -> bool {
        self.names(&object.gvk, &object.namespace, &object.name)
    }

    /// Whether it names this document.
    pub(crate) fn matches_input(&self, input: &InputObject) -> bool {
        self.names(&input.gvk, &input.namespace, &input.name)
    }

    fn names(&self, gvk: &GroupVersionKind, namespace: &str, name: &str) -> bool {
        let is_of_kubectl = self.kind.starts_with(|c: char| c.is_ascii_lowercase());
        (gvk.kind == self.kind.as_str() || is_of_kubectl && is_name_of_kind(&self.kind, &gvk.kind))
            && self.group.as_deref().is_none_or(|group| gvk.group == group)
            && self.namespace.as_deref().is_none_or(|it| it == namespace)
            && self.name == name
    }

    /// Selects the object from all objects of a compilation.
    ///
    /// # Errors
    /// If there is none, or there are several.
    pub fn find<'o>(&self, objects: &'o [Object]) -> Result<&'o Object, QueryError> {
        self.find_compiled(objects, &[])
    }

    /// Selects the object from all objects of a compilation and its inputs: the one with this name, or else the one
    /// that the definition with this name compiles to.
    ///
    /// # Errors
    /// If there is none, or there are several.
    pub fn find_compiled<'o>(
        &self,
        objects: &'o [Object],
        inputs: &[InputObject],
    ) -> Result<&'o Object, QueryError> {
        let definition = inputs.iter().find(|it| self.matches_input(it)).map(|it| it.place);
        let of_definition = |object: &&Object| definition.is_some_and(|it| it == object.document());
        let is_named = objects.iter().any(|object| self.matches(object));
        let is_meant =
            |object: &&Object| if is_named { self.matches(object) } else { of_definition(object) };
        let mut found = objects.iter().filter(is_meant);
        match (found.next(), found.next()) {
            (Some(object), None) => Ok(object),
            (Some(first), Some(second)) => {
                let mut all = vec![full_name(first), full_name(second)];
                all.extend(found.map(full_name));
                Err(QueryError {
                    message: if is_named {
                        message!("several objects are named `{self}`")
                    } else {
                        message!("`{self}` compiles to several objects")
                    },
                    help: message!("name one of them: {}", first_of(MAX_LISTED, ", ", all)),
                })
            }
            (None, _) => Err(QueryError {
                message: message!("object `{self}` not found in the output"),
                help: self.suggestion(objects),
            }),
        }
    }

    fn suggestion(&self, objects: &[Object]) -> Message {
        let same_name: Vec<_> = objects.iter().filter(|it| it.name == self.name.as_str()).collect();
        let kinds = objects.iter().map(|it| it.gvk.kind.as_str());
        let of_kind = objects.iter().filter(|it| it.gvk.kind == self.kind.as_str());
        if let Some(name) = nearest(&self.name, of_kind.map(|it| it.name.as_str())) {
            return message!("did you mean `{}/{name}`?", self.kind);
        }
        if !same_name.is_empty() {
            let names = same_name.into_iter().map(full_name);
            return message!("objects with this name: {}", first_of(MAX_LISTED, ", ", names));
        }
        match nearest(&self.kind, kinds) {
            Some(kind) => message!("did you mean `{kind}/{}`?", self.name),
            None => "`sandboxc build` prints all objects".into(),
        }
    }
}

/// `Kind.group/namespace/name` in backquotes, without absent parts.
pub(crate) fn full_name(object: &Object) -> Message {
    let kind = if object.gvk.group.is_empty() {
        object.gvk.kind.to_string()
    } else {
        format!("{}.{}", object.gvk.kind, object.gvk.group)
    };
    let parts = [kind.as_str(), &object.namespace, &object.name];
    let given: Vec<_> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    message!("`{}`", given.join("/"))
}

impl fmt::Display for ObjectQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        self.group.iter().try_for_each(|group| write!(f, ".{group}"))?;
        self.namespace.iter().try_for_each(|namespace| write!(f, "/{namespace}"))?;
        write!(f, "/{}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_names_kinds_as_kubectl_does() {
        for text in ["job/web", "Job/web", "jobs.batch/team-a/web", "svc/web"] {
            let query = ObjectQuery::parse_like_kubectl(text).map(|it| it.to_string());
            assert_eq!(query.as_deref(), Some(text));
        }
        for text in ["a.yaml", "deploy/", "../job/web", "-/x", "job", "é/x"] {
            assert_eq!(ObjectQuery::parse_like_kubectl(text), None, "{text}");
        }
    }

    #[test]
    fn a_query_displays_as_it_was_parsed() {
        for text in ["Job/web", "Job.batch/web", "Job/team-a/web", "Job.batch/team-a/web.x"] {
            assert_eq!(ObjectQuery::parse(text).map(|it| it.to_string()).as_deref(), Some(text));
        }
        for text in ["job/web", "definitions/a.yaml", "Job", "Job/", "Job/a/b/c", "spec.x[a/b]"] {
            assert_eq!(ObjectQuery::parse(text), None, "{text}");
        }
    }
}
