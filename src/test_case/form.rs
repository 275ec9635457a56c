//! The check of a `Test` without running it.

use super::{Case, Expect, Expected, Given, KIND, SNAPSHOT, TEST_INVALID, TestSpec, read};
use crate::decode::{Record as _, Text};
use crate::diag::{Diagnostic, Message, Rule, Sink, did_you_mean, message};
use crate::object_query::ObjectQuery;
use crate::project::{document, report_version};
use crate::schema::{self, CheckContext, Object, Type, Versions};
use crate::sorted::SortedMap;
use crate::source::{Span, Workspace};
use crate::tree::{Node, Value};

/// Reports the faults of a document, of which `rules` are all names of rules.
pub(crate) fn check(root: &Node, texts: &Workspace, rules: &[&'static Rule], sink: &mut Sink) {
    let against = CheckContext::settings(KIND).with_texts(texts);
    let properties = document(TestSpec::OBJECT);
    schema::check(root, Type::Object(&Object::new(KIND, &properties)), &against, sink);
    let Some(TestSpec { given, cases }) = read(root.clone()) else { return };
    let mut form = Form { rules, sink, snapshots: SortedMap::new() };
    form.given(&given);
    if cases.items.is_empty() {
        let place = root.at(&["spec", "cases"]).map_or_else(|| root.span(), Node::span);
        form.report(place, "a Test without cases", "add a case with `name` and `expect`");
    }
    let mut names: SortedMap<String, Span> = SortedMap::new();
    for case in cases.items {
        let (name, place) = (case.name.as_str().to_owned(), case.name.span());
        if let Some(first) = names.get(&name) {
            let message = message!("duplicate name `{name}` of a case");
            let finding = Diagnostic::new(&TEST_INVALID, place, message).at("second case");
            form.sink.report(finding.label(*first, "first case").help("rename one of them"));
        }
        names.entry(name).or_insert(place);
        form.case(case);
    }
}

struct Form<'s> {
    rules: &'s [&'static Rule],
    sink: &'s mut Sink,
    /// The snapshots so far.
    snapshots: SortedMap<String, Span>,
}

impl Form<'_> {
    fn report(&mut self, place: Span, message: impl Into<Message>, help: impl Into<Message>) {
        self.sink.report(Diagnostic::new(&TEST_INVALID, place, message).help(help));
    }

    fn given(&mut self, given: &Given) {
        if let Some(text) =
            given.kubernetes.as_ref().filter(|it| Versions::parse(it.as_str()).is_none())
        {
            report_version(text, self.sink);
        }
        if let Some(values) = &given.values
            && !matches!(values.node.value, Value::Map(_))
        {
            let message = message!("`values` must be a map, not {}", values.node.describe());
            self.report(values.node.span(), message, "write `name: value` on each line");
        }
    }

    fn case(&mut self, Case { given, name, expect }: Case) {
        self.given(&given);
        let Expect { objects, absent, fields, count, findings, snapshot } = expect;
        let has_none = objects.is_none()
            && absent.is_none()
            && fields.is_none()
            && count.is_none()
            && findings.is_none()
            && snapshot.is_none();
        if has_none {
            let message = message!("case `{}` expects nothing", name.as_str());
            self.report(name.span(), message, "add an expectation: `findings: []`");
        }
        for object in objects.into_iter().flat_map(|it| it.items) {
            self.object(&object.node);
        }
        for object in absent.into_iter().flat_map(|it| it.items) {
            self.query(object.as_str(), object.span());
        }
        if let Some(fields) = fields {
            for ((object, _), place) in fields.entries.iter().zip(fields.keys) {
                self.query(object, place);
            }
        }
        for finding in findings.into_iter().flat_map(|it| it.items) {
            self.finding(&finding);
        }
        if let Some(snapshot) = snapshot {
            self.snapshot(&snapshot);
        }
    }

    /// Checks a part of an object.
    fn object(&mut self, node: &Node) {
        if node.as_map().is_none() {
            let message = message!("an expected object must be a map, not {}", node.describe());
            self.report(node.span(), message, "write `kind`, `metadata` and the expected fields");
        } else if node.str_at(&["kind"]).is_none_or(str::is_empty) {
            self.report(node.span(), "an expected object has no `kind`", "add `kind`");
        }
    }

    fn query(&mut self, text: &str, place: Span) {
        if ObjectQuery::parse(text).is_none() {
            let message = message!("`{text}` does not name an object");
            self.report(
                place,
                message,
                "write `Kind/name`, `Kind/namespace/name` or `Kind.group/name`",
            );
        }
    }

    fn finding(&mut self, Expected { rule, object, .. }: &Expected) {
        if self.rules.iter().all(|it| it.name != rule.as_str()) {
            let near = did_you_mean(rule.as_str(), self.rules.iter().map(|it| it.name));
            let message = message!("unknown rule `{}`", rule.as_str());
            let help = near.unwrap_or_else(|| "`sandboxc explain` lists all rules".into());
            self.report(rule.span(), message, help);
        }
        if let Some(object) = object {
            self.query(object.as_str(), object.span());
        }
    }

    fn snapshot(&mut self, name: &Text) {
        let (text, place) = (name.as_str(), name.span());
        if !text.ends_with(SNAPSHOT) {
            let message = message!("the name of a snapshot must end with `{SNAPSHOT}`");
            let help = "other commands do not read files with this ending from directories";
            self.report(place, message, help);
        }
        if let Some(first) = self.snapshots.get(text) {
            let message = message!("duplicate snapshot `{text}`");
            let finding = Diagnostic::new(&TEST_INVALID, place, message).at("second case");
            self.sink.report(finding.label(*first, "first case").help("rename one of them"));
        }
        self.snapshots.entry(text.to_owned()).or_insert(place);
    }
}
