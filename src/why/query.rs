//! `ObjectQuery`: an object as a user names it.

use std::error::Error;
use std::fmt;

use crate::diag::too_much_work;
use crate::diag::{MAX_LISTED, first_of, nearest};
use crate::kube::Object;
use crate::limits::Fuel;

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
    message: String,
    help: String,
}

impl QueryError {
    /// The help for the message.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
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

    /// Selects the object from all objects of a compilation.
    ///
    /// # Errors
    /// If there is none, or there are several.
    pub fn find<'o>(&self, objects: &'o [Object]) -> Result<&'o Object, QueryError> {
        let of_kind = |it: &&Object| {
            it.gvk.kind == self.kind.as_str()
                && self.group.as_deref().is_none_or(|group| it.gvk.group == group)
        };
        let is_it = |it: &&Object| {
            it.name == self.name.as_str()
                && self.namespace.as_deref().is_none_or(|space| it.namespace == space)
        };
        let mut found = objects.iter().filter(of_kind).filter(is_it);
        match (found.next(), found.next()) {
            (Some(object), None) => Ok(object),
            (Some(first), Some(second)) => {
                let mut all = vec![full_name(first), full_name(second)];
                all.extend(found.map(full_name));
                Err(QueryError {
                    message: format!("several objects are named `{self}`"),
                    help: format!("name one of them: {}", first_of(MAX_LISTED, ", ", all)),
                })
            }
            (None, _) => Err(QueryError {
                message: format!("object `{self}` not found in the output"),
                help: self.suggestion(objects),
            }),
        }
    }

    fn suggestion(&self, objects: &[Object]) -> String {
        let same_name: Vec<_> = objects.iter().filter(|it| it.name == self.name.as_str()).collect();
        let kinds = objects.iter().map(|it| it.gvk.kind.as_str());
        let of_kind = objects.iter().filter(|it| it.gvk.kind == self.kind.as_str());
        if let Some(name) = nearest(&self.name, of_kind.map(|it| it.name.as_str())) {
            return format!("did you mean `{}/{name}`?", self.kind);
        }
        if !same_name.is_empty() {
            let names = same_name.into_iter().map(full_name);
            return format!("objects with this name: {}", first_of(MAX_LISTED, ", ", names));
        }
        match nearest(&self.kind, kinds) {
            Some(kind) => format!("did you mean `{kind}/{}`?", self.name),
            None => "`sandboxc build` prints all objects".to_owned(),
        }
    }
}

/// Spends fuel for an explanation of this number of fields, each of which takes a compilation of the
/// object.
pub(super) fn spend_on_fields(
    fuel: &Fuel<'_>,
    object: &Object,
    fields: usize,
) -> Result<(), QueryError> {
    require(fuel.make(fields.saturating_mul(OF_FIELD + object.root.weight())), fuel)
}

/// Spends fuel for the paths of all fields of an object. They repeat each key as often as there are fields
/// below it.
pub(super) fn spend_on_paths(fuel: &Fuel<'_>, bytes: usize) -> Result<(), QueryError> {
    require(fuel.spend(bytes.saturating_mul(OF_BYTE)), fuel)
}

/// The values that are made in the time of the compilation of a small object.
const OF_FIELD: usize = 500;
/// The steps of a byte of a path.
const OF_BYTE: usize = 4;

fn require(has_fuel: bool, fuel: &Fuel<'_>) -> Result<(), QueryError> {
    if has_fuel {
        return Ok(());
    }
    Err(QueryError {
        message: too_much_work(fuel, "explain all fields"),
        help: "add the path of one of them after the object".to_owned(),
    })
}

fn full_name(object: &Object) -> String {
    let kind = if object.gvk.group.is_empty() {
        object.gvk.kind.to_string()
    } else {
        format!("{}.{}", object.gvk.kind, object.gvk.group)
    };
    let parts = [kind.as_str(), &object.namespace, &object.name];
    let given: Vec<_> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    format!("`{}`", given.join("/"))
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
    use crate::dialect::shared_kinds;
    use crate::source::Workspace;
    use crate::tree::{Node, Origin};
    use crate::why::route::bytes_of_paths;

    #[test]
    fn a_query_displays_as_it_was_parsed() {
        for text in ["Job/web", "Job.batch/web", "Job/team-a/web", "Job.batch/team-a/web.x"] {
            assert_eq!(ObjectQuery::parse(text).map(|it| it.to_string()).as_deref(), Some(text));
        }
        for text in ["job/web", "definitions/a.yaml", "Job", "Job/", "Job/a/b/c", "spec.x[a/b]"] {
            assert_eq!(ObjectQuery::parse(text), None, "{text}");
        }
    }

    #[test]
    fn explanations_spend_fuel() {
        let origin = Origin::source(Workspace::new().start());
        let node =
            Node::from_json(serde_json::json!({"a": {"bc": [1, {"d": 2}], "e": {}}}), origin);
        // Each step counts with its separator, and an index as one byte: 6, 8 and 4.
        assert_eq!(bytes_of_paths(&node), 18);
        for (steps, is_ok) in [(72, true), (71, false)] {
            let fuel = Fuel::of(steps);
            assert_eq!(spend_on_paths(&fuel, 18).is_ok(), is_ok, "{steps}");
        }
        let error = spend_on_paths(&Fuel::of(1_000), 1_000).unwrap_err();
        assert_eq!(error.to_string(), "this run takes more than 1,000 steps to explain all fields");
        let object = Object {
            gvk: shared_kinds().get("v1", "Pod"),
            name: "a".into(),
            namespace: "".into(),
            root: node,
            document: origin.span(),
            outline_of: None,
        };
        assert!(spend_on_fields(&Fuel::of_run(0), &object, 10_000).is_ok());
        assert!(spend_on_fields(&Fuel::of_run(0), &object, 100_000).is_err());
    }
}
