//! `Judging`: the functions that checks of one object share, whatever part of it they check.

use crate::diag::{About, Diagnostic, Message, Rule, declare_rules, nearest, with_article};
use crate::scalar::Fault;
pub(super) use crate::scalar::shown;
use crate::schema::{NUMBER_OUT_OF_RANGE, are_together};
use crate::source::Span;
pub(super) use crate::tree::items;
use crate::tree::{Entry, Node, Path, Value};
use std::ops::RangeInclusive;

declare_rules! {
    FIELD_EMPTY = "field-empty", Error, follows = [Misplaced];
    VALUE_UNSUPPORTED = "value-unsupported", Error;
}

/// The maximum number of keys of a map in which a misspelled field is searched.
const MOST_KEYS: usize = 256;

/// Whether the schema reports an absent field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Absence {
    /// The schema requires the field, so only an empty string remains to be reported.
    BySchema,
    /// The field is optional in the schema.
    Here,
}

/// Checks an object or a part of it, and knows where to report.
pub(super) trait Judging {
    /// Reports an error of the API server; `path` is the path of the field.
    fn report(&mut self, finding: Diagnostic, path: &Path<'_>);

    /// Whether further findings are omitted, so that advice for them is of no use.
    fn is_full(&self) -> bool;

    /// The map that encloses the checked part: a field that `owner` lacks may be there by mistake.
    fn surroundings(&self) -> Option<&Node> {
        None
    }

    /// Adds the missing fields of `owner` to a finding, with the keys that may be meant as one of
    /// them: a similar name, or the name itself next to the list instead of in it. If the schema
    /// reports such a key, it suggests where that belongs. A similar name that is a valid field of
    /// the same type is not a mistake: `resourceNames` next to `resources`.
    fn missing(&self, finding: Diagnostic, owner: &Node, fields: &[&'static str]) -> Diagnostic {
        let mut finding = finding;
        if self.is_full() || owner.entries().len() > MOST_KEYS {
            return finding;
        }
        for field in fields {
            let around = self.surroundings().and_then(|it| it.entry(field));
            let is_near =
                |it: &&Entry| nearest(&it.key, [*field]).is_some() && !are_together(field, &it.key);
            let entries = around.into_iter().chain(owner.entries().iter().filter(is_near));
            let places = entries.map(|it| it.key_origin.span());
            finding = places.fold(finding, Diagnostic::same_mistake_as);
        }
        finding
    }

    /// Reports a field or value that is not allowed.
    fn refuse(
        &mut self,
        rule: &'static Rule,
        at: Span,
        (message, help): (impl Into<Message>, impl Into<Message>),
        path: &Path<'_>,
    ) where
        Self: Sized,
    {
        let (message, help): (Message, Message) = (message.into(), help.into());
        let label = fact(&message, &help);
        self.fault(rule, at, (message, &label, help), path);
    }

    /// Reports a missing field.
    fn lacks(
        &mut self,
        rule: &'static Rule,
        at: Span,
        (message, help): (impl Into<Message>, impl Into<Message>),
        path: &Path<'_>,
    ) where
        Self: Sized,
    {
        self.fault(rule, at, (message, "incomplete", help), path);
    }

    /// Like [`lacks`](Self::lacks), for an owner that has none of these fields.
    fn lacks_all_of(
        &mut self,
        rule: &'static Rule,
        at: Span,
        (message, help): (impl Into<Message>, impl Into<Message>),
        (owner, fields): (&Node, &[&'static str]),
        path: &Path<'_>,
    ) where
        Self: Sized,
    {
        let finding = Diagnostic::new(rule, at, message).at("incomplete").help(help);
        self.report(self.missing(finding, owner, fields), path);
    }

    /// Reports a fault at a span with a label.
    fn fault(
        &mut self,
        rule: &'static Rule,
        at: Span,
        (message, label, help): (impl Into<Message>, &str, impl Into<Message>),
        path: &Path<'_>,
    ) where
        Self: Sized,
    {
        self.report(Diagnostic::new(rule, at, message).at(label).help(help), path);
    }

    /// Reports a number outside `range`, whose end is the maximum of the type if the API server has
    /// no limit. The field can be absent.
    fn ranged(
        &mut self,
        owner: &Node,
        field: &'static str,
        range: RangeInclusive<i64>,
        path: &Path<'_>,
    ) {
        let Some(node) = owner.get(field) else { return };
        let Some(number) = node.as_i64().filter(|it| !range.contains(it)) else { return };
        let (bounds, help) = match (*range.start(), *range.end()) {
            (from, i64::MAX) => (format!("at least {from}"), format!("write {from} or more")),
            (from, to) => {
                let bounds = format!("from {from} to {to}");
                let help = format!("write a number {bounds}");
                (bounds, help)
            }
        };
        let message = match (*range.start(), *range.end()) {
            (from, i64::MAX) => format!("`{field}` {number} is below {from}"),
            (from, to) => format!("`{field}` {number} is outside {from}-{to}"),
        };
        let finding = Diagnostic::new(&NUMBER_OUT_OF_RANGE, node.span(), message)
            .at(format!("must be {bounds}"))
            .help(help);
        self.report(finding, &path.field(field));
    }

    /// Returns the string of a required field; reports an empty one.
    fn needed<'n>(
        &mut self,
        owner: &'n Node,
        field: &'static str,
        absence: Absence,
        path: &Path<'_>,
    ) -> Option<&'n str> {
        let Some(node) = owner.get(field) else {
            if absence == Absence::Here {
                let finding = Diagnostic::new(
                    &FIELD_EMPTY,
                    start(owner),
                    format!("missing required field `{field}`"),
                )
                .at(format!("`{field}` is required"))
                .help(format!("add `{field}: ...`"))
                .about(About::MissingField(field.into()));
                let finding = self.missing(finding, owner, &[field]);
                self.report(finding, &path.field(field));
            }
            return None;
        };
        let text = node.as_str()?;
        if text.is_empty() {
            let finding = Diagnostic::new(&FIELD_EMPTY, node.span(), format!("`{field}` is empty"))
                .at("must not be empty")
                .help(format!("set `{field}`"));
            self.report(finding, &path.field(field));
            return None;
        }
        Some(text)
    }

    /// Returns the map of a required field; reports a missing one.
    fn needed_map<'n>(
        &mut self,
        owner: &'n Node,
        field: &'static str,
        path: &Path<'_>,
    ) -> Option<&'n Node> {
        let map = owner.get(field);
        if map.is_none() {
            self.needed(owner, field, Absence::Here, path);
        }
        map
    }

    /// Reports a string in the wrong format; `what` names it in the message: "port name".
    fn form(
        &mut self,
        node: &Node,
        (rule, what): (&'static Rule, &str),
        check: fn(&str) -> Result<(), Fault>,
        help: impl FnOnce(&str) -> String,
        path: &Path<'_>,
    ) {
        let Some(text) = node.as_str() else { return };
        let Err(fault) = check(text) else { return };
        let message = match text {
            "" => format!("{what} {fault}"),
            text => format!("{what} `{}` {fault}", shown(text)),
        };
        let finding = Diagnostic::new(rule, node.span(), message)
            .at(format!("not {}", with_article(what)))
            .help(help(text));
        self.report(finding, path);
    }

    /// Reports a string outside a list that the schema does not have; `null` and absence are
    /// allowed.
    fn listed(
        &mut self,
        owner: &Node,
        field: &'static str,
        allowed: &[&'static str],
        path: &Path<'_>,
    ) {
        if let Some(node) = owner.get(field) {
            self.one_of(node, field, allowed, &path.field(field));
        }
    }

    /// Like [`listed`](Self::listed), for one item of the list in `field`.
    fn one_of(&mut self, node: &Node, field: &str, allowed: &[&'static str], path: &Path<'_>) {
        let Some(text) = node.as_str() else { return };
        if allowed.contains(&text) {
            return;
        }
        let quoted: Vec<_> = allowed.iter().map(|it| format!("`{it}`")).collect();
        let message = format!("invalid value `{}` for `{field}`", shown(text));
        let finding = Diagnostic::new(&VALUE_UNSUPPORTED, node.span(), message)
            .at(format!("must be {}", quoted.join(" or ")))
            .suggest_near(node.span(), text, allowed.iter().copied());
        self.report(finding, path);
    }
}

/// The label of a value that is not allowed: the limit or the values that the help names. Empty if
/// the headline already has the fact.
pub(super) fn fact(message: &str, help: &str) -> String {
    if message.starts_with("duplicate ") {
        return "duplicate".to_owned();
    }
    let limit = help.split([':', ',']).next().unwrap_or(help);
    if let Some(range) = limit.strip_prefix("write a number ") {
        return format!("must be {range}");
    }
    if let Some(limit) = limit.strip_prefix("keep ").filter(|it| it.starts_with("at most ")) {
        return limit.to_owned();
    }
    let values = help.strip_prefix("write ").unwrap_or_default();
    let is_limit = values.starts_with("at most ") || values.ends_with(" or more");
    let words = values.split('`').step_by(2);
    let is_list = !values.contains(": ")
        && words.clone().count() > 2
        && words.into_iter().all(|it| matches!(it, "" | ", " | " or "));
    if is_limit || is_list { format!("must be {values}") } else { String::new() }
}

/// The span that represents a map: its first key, or its first byte.
pub(super) fn start(owner: &Node) -> Span {
    owner.entries().first().map_or_else(|| owner.span().start_point(), |it| it.key_origin.span())
}

pub(super) fn is_empty_list(node: &Node) -> bool {
    matches!(&node.value, Value::List(items) if items.is_empty())
}

/// Whether a boolean field is `true`.
pub(super) fn is_true(node: &Node, field: &str) -> bool {
    node.get(field).and_then(Node::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::fact;

    #[test]
    fn labels_have_the_limit_or_the_values() {
        for (message, help, label) in [
            ("duplicate value `a`", "remove one of the two", "duplicate"),
            ("`port` 0 is outside 1-9", "write a number from 1 to 9", "must be from 1 to 9"),
            ("6 items are listed", "keep at most 3", "at most 3"),
            ("`a` 9 is above 3", "write at most 3", "must be at most 3"),
            ("`a` is 0", "write 1 or more", "must be 1 or more"),
            ("invalid `a`", "write `In`, `Gt` or `Lt`", "must be `In`, `Gt` or `Lt`"),
            ("two IP families", "write `a: B` or `C`", ""),
            ("`a` is set together with `b`", "remove one of them", ""),
            ("invalid `a`", "write `b`", ""),
            ("invalid path", "write a path without `..`", ""),
        ] {
            assert_eq!(fact(message, help), label, "{message}");
        }
    }
}
