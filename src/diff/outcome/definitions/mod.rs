//! `CustomResourceDefinitions`: what a change means for the objects that are stored, for clients of a
//! version, and for objects that are written.
//!
//! The API server removes fields that the schema does not have, and adds defaults, when it reads an
//! object. Stored values that violate a new constraint stay until they change, because updates do
//! not validate values that stay (`CRDValidationRatcheting`, since Kubernetes 1.30).

mod constraints;
mod schema;

use crate::diag::{PathStep, first_strings};
use crate::lower::{Changed, Effect, Outcome};
use crate::sorted::{CompactSort as _, SortedSet};
use crate::tree::Node;

/// The maximum number of facts that are listed.
const MOST_LISTED: usize = 20;

/// What a fact means, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Impact {
    /// Stored data is lost.
    Lost,
    /// Requests in a version fail.
    Unserved,
    /// Values are rejected that were accepted before.
    Rejected,
    /// Anything else that a client can notice.
    Changed,
}

/// One consequence of the change.
struct Fact {
    impact: Impact,
    text: String,
    /// The versions whose schemas differ in this way; empty if the fact is about the whole definition.
    versions: Vec<String>,
}

/// The facts in the order in which they were found.
#[derive(Default)]
struct Facts {
    all: Vec<Fact>,
}

impl Facts {
    fn add(&mut self, impact: Impact, text: impl Into<String>) {
        self.all.push(Fact { impact, text: text.into(), versions: Vec::new() });
    }

    fn add_for(&mut self, version: &str, impact: Impact, text: String) {
        match self.all.iter_mut().find(|it| it.impact == impact && it.text == text) {
            Some(known) if known.versions.iter().any(|it| it == version) => {}
            Some(known) => known.versions.push(version.to_owned()),
            None => self.all.push(Fact { impact, text, versions: vec![version.to_owned()] }),
        }
    }
}

/// The outcome of a changed definition that the API server accepts.
pub(super) fn outcome(changed: &Changed<'_>) -> Outcome {
    if changed.paths.iter().all(|path| is_description(path.steps())) {
        return Outcome::new(Effect::Nothing, "only descriptions change");
    }
    if changed.paths.iter().all(|it| is_description(it.steps()) || is_column(it.steps())) {
        return Outcome::new(Effect::Nothing, "only the columns of `kubectl get` change");
    }
    let [old, new] = [changed.old, changed.new].map(|it| it.root.get("spec"));
    let (Some(old), Some(new)) = (old, new) else {
        return Outcome::new(Effect::AtOnce, "acts at once");
    };
    let mut facts = Facts::default();
    versions(old, new, &mut facts);
    conversion(old, new, &mut facts);
    names(old, new, &mut facts);
    if is_true(old, "preserveUnknownFields") && !is_true(new, "preserveUnknownFields") {
        facts.add(Impact::Lost, "stored objects lose all fields that the schema does not have");
    }
    facts.all.compact_sort_by_key(|it| it.impact);
    let outcome = Outcome::new(Effect::AtOnce, headline(&facts));
    outcome.with_details(listed(&facts.all, new))
}

fn is_true(node: &Node, field: &str) -> bool {
    node.get(field).and_then(Node::as_bool) == Some(true)
}

fn is_description(path: &[PathStep]) -> bool {
    let is_documentation = |it: &PathStep| matches!(it, PathStep::Field(name) if matches!(&**name, "description" | "example" | "externalDocs" | "title"));
    is_metadata(path) || path.iter().any(is_documentation)
}

fn is_metadata(path: &[PathStep]) -> bool {
    path.first().and_then(PathStep::name) == Some("metadata")
}

fn is_column(path: &[PathStep]) -> bool {
    path.iter()
        .any(|it| matches!(it, PathStep::Field(name) if &**name == "additionalPrinterColumns"))
}

/// The worst facts, in one line.
fn headline(facts: &Facts) -> String {
    let parts: Vec<_> = [
        (Impact::Lost, "stored objects lose fields"),
        (Impact::Unserved, "requests that worked fail"),
        (Impact::Rejected, "values that were accepted are rejected once they change"),
    ]
    .into_iter()
    .filter(|(impact, _)| facts.all.iter().any(|it| it.impact == *impact))
    .map(|it| it.1)
    .collect();
    if parts.is_empty() {
        "acts at once; stored objects stay valid".to_owned()
    } else {
        format!("acts at once: {}", parts.join("; "))
    }
}

/// The facts as lines. Those of some versions name them, unless they are about all versions.
fn listed(facts: &[Fact], new: &Node) -> Vec<String> {
    let all = named_versions(new).len();
    let line = |fact: &Fact| {
        if fact.versions.is_empty() || fact.versions.len() == all {
            fact.text.clone()
        } else {
            format!("{} (in {})", fact.text, first_strings(4, ", ", fact.versions.clone()))
        }
    };
    let mut lines: Vec<_> = facts.iter().take(MOST_LISTED).map(line).collect();
    let rest = facts.len().saturating_sub(MOST_LISTED);
    if rest > 0 {
        lines.push(format!("{rest} more"));
    }
    lines
}

/// The versions with their names.
fn named_versions(spec: &Node) -> Vec<(&str, &Node)> {
    let all = spec.get("versions").map_or(&[][..], Node::items).iter();
    all.filter_map(|it| Some((it.str_at(&["name"])?, it))).collect()
}

fn schema_of(version: &Node) -> Option<&Node> {
    version.at(&["schema", "openAPIV3Schema"])
}

fn versions(old: &Node, new: &Node, facts: &mut Facts) {
    let [olds, news] = [old, new].map(named_versions);
    let storage = |all: &[(&'_ str, &'_ Node)]| all.iter().position(|it| is_true(it.1, "storage"));
    for (name, version) in &olds {
        let Some((_, after)) = news.iter().find(|it| it.0 == *name) else {
            let text = format!(
                "version `{name}` is removed: requests and manifests that use it fail, and the update is \
                 rejected while `status.storedVersions` has it"
            );
            facts.add(Impact::Unserved, text);
            continue;
        };
        version_of(name, version, after, facts);
    }
    for (name, _) in news.iter().filter(|it| olds.iter().all(|old| old.0 != it.0)) {
        facts.add(Impact::Changed, format!("version `{name}` is added"));
    }
    let before = storage(&olds).and_then(|it| olds.get(it));
    let after = storage(&news).and_then(|it| news.get(it));
    if let (Some((old_name, old_version)), Some((new_name, new_version))) = (before, after)
        && old_name != new_name
    {
        let text = format!(
            "objects are stored as `{new_name}` once they are written; `{old_name}` can only be removed once \
             all of them are"
        );
        facts.add(Impact::Changed, text);
        // Without conversion, only the version of an object changes.
        let schemas = schema_of(old_version).zip(schema_of(new_version));
        if let Some((old, new)) = schemas.filter(|_| !has_webhook(new)) {
            schema::lost((old_name, old), (new_name, new), facts);
        }
    }
}

/// One version on both sides.
fn version_of(name: &str, old: &Node, new: &Node, facts: &mut Facts) {
    let [was_served, is_served] = [old, new].map(|it| is_true(it, "served"));
    match (was_served, is_served) {
        (true, false) => facts.add(
            Impact::Unserved,
            format!(
                "version `{name}` is no longer served: requests and manifests that use it fail; stored \
                 objects stay"
            ),
        ),
        (false, true) => facts.add(Impact::Changed, format!("version `{name}` is served")),
        _ => {}
    }
    if is_true(new, "deprecated") && !is_true(old, "deprecated") {
        let text = format!("version `{name}` is deprecated: requests get a warning");
        facts.add(Impact::Changed, text);
    }
    subresources(name, old, new, facts);
    if !is_served && !is_true(new, "storage") {
        return;
    }
    if let Some((old, new)) = schema_of(old).zip(schema_of(new)) {
        schema::compare(old, new, name, facts);
    }
}

fn subresources(name: &str, old: &Node, new: &Node, facts: &mut Facts) {
    for (field, added, removed) in [
        (
            "status",
            "has a `status` subresource: writes of the object no longer change its status, and writes of \
             its status nothing else",
            "has no `status` subresource: writes to `/status` fail",
        ),
        (
            "scale",
            "has a `scale` subresource",
            "has no `scale` subresource: `kubectl scale` and autoscalers fail",
        ),
    ] {
        let [before, after] =
            [old, new].map(|it| it.at(&["subresources", field]).filter(|it| !it.is_null()));
        match (before, after) {
            (None, Some(_)) => {
                facts.add(Impact::Changed, format!("version `{name}` {added}"));
            }
            (Some(_), None) => {
                facts.add(Impact::Unserved, format!("version `{name}` {removed}"));
            }
            (Some(before), Some(after)) if !before.same_value(after) => {
                let text =
                    format!("the `{field}` subresource of version `{name}` uses other fields");
                facts.add(Impact::Changed, text);
            }
            _ => {}
        }
    }
}

fn has_webhook(spec: &Node) -> bool {
    spec.str_at(&["conversion", "strategy"]) == Some("Webhook")
}

fn conversion(old: &Node, new: &Node, facts: &mut Facts) {
    let webhook = |it: &Node| it.at(&["conversion", "webhook"]).map(Node::to_json);
    match (has_webhook(old), has_webhook(new)) {
        (false, true) => facts.add(
            Impact::Changed,
            "a webhook converts between versions: requests in other versions than the stored one fail while \
             it does not answer",
        ),
        (true, false) => facts.add(
            Impact::Lost,
            "no webhook converts between versions: only `apiVersion` changes, and fields that the other \
             version does not have are lost",
        ),
        (true, true) if webhook(old) != webhook(new) => {
            facts.add(Impact::Changed, "another webhook converts between versions, or is called in another way");
        }
        _ => {}
    }
}

fn names(old: &Node, new: &Node, facts: &mut Facts) {
    let of = |spec: &'_ Node, field: &str| -> SortedSet<String> {
        let names = spec.at(&["names", field]).map_or(&[][..], Node::items).iter();
        names.filter_map(|it| Some(it.as_str()?.to_owned())).collect()
    };
    for field in ["shortNames", "categories"] {
        let (before, after) = (of(old, field), of(new, field));
        let gone = first_strings(4, ", ", before.difference(&after).map(|it| format!("`{it}`")));
        if !gone.is_empty() {
            facts.add(Impact::Unserved, format!("`kubectl` no longer accepts the name {gone}"));
        }
    }
}
