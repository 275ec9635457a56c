//! `Judge`: one object, the component that rejects its faults, and the checks that all rules share.

use super::place::Paths;
pub(super) use super::place::{Place, Spot};
pub(super) use super::remedy::{Remedy, labelled};
use crate::diag::{
    About, Diagnostic, FieldPath, Message, Rule, Severity, Sink, declare_rules, message, nearest,
    with_article,
};
use crate::kube::{Object, PodSpec};
use crate::scalar::Fault;
pub(super) use crate::scalar::shown;
use crate::schema::{KubernetesVersion, NUMBER_OUT_OF_RANGE, are_together};
pub(super) use crate::tree::items;
use crate::tree::{Entry, Node, Value};
pub(super) use crate::validate::fields::{
    entries, filled, filled_node, filled_text, key_or_start, start, text_at, text_node, text_of,
    texts, texts_in, value_or_owner, value_or_start,
};
use std::cell::OnceCell;
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

/// The component that rejects a fault. Most faults are rejected when the part of the object that has
/// them is validated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rejection {
    /// The API server, even if it does not validate this part: it cannot convert the object.
    AtOnce,
    /// The component that validates this part.
    OnValidation,
    /// The API server when it validates a Pod, not a template of Pods.
    OfPods,
    /// None: the fault has another consequence.
    Never,
}

/// The component that validates a part of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Validation {
    /// The API server, when the object is created.
    Created,
    /// The API server, when a controller creates another object from this one.
    Later {
        /// What it says about the kind that it accepts: ` but rejects the Pod ...`.
        rejects: &'static str,
        /// Whether the author of the object sees no error: it is stored.
        is_warning: bool,
    },
}

/// Checks one object.
pub(super) struct Judge<'j> {
    pub(super) object: &'j Object,
    /// Its PodSpec, if its kind has Pods.
    pub(super) pod: Option<PodSpec<'j>>,
    /// The minor version of the API server.
    pub(super) minor: u8,
    /// The version of the API server, for schemas.
    pub(super) kubernetes: KubernetesVersion,
    /// The number of findings so far.
    pub(super) reports: usize,
    /// The number of errors so far.
    pub(super) errors: usize,
    pub(super) validation: Validation,
    /// The map that encloses the checked part: a field that a part of it lacks may be there by mistake.
    pub(super) surroundings: Option<&'j Node>,
    /// The path of nodes that are not a part of the object: an absent map that counts as an empty
    /// one, or what an annotation contains.
    pub(super) outside: FieldPath,
    paths: OnceCell<Paths<'j>>,
    sink: &'j mut Sink,
}

impl<'j> Judge<'j> {
    pub(super) fn new(
        object: &'j Object,
        kubernetes: KubernetesVersion,
        sink: &'j mut Sink,
    ) -> Self {
        Self {
            object,
            pod: PodSpec::of(object),
            minor: kubernetes.minor(),
            kubernetes,
            reports: 0,
            errors: 0,
            validation: Validation::Created,
            surroundings: None,
            outside: FieldPath::from(""),
            paths: OnceCell::new(),
            sink,
        }
    }

    /// The whole object.
    pub(super) const fn root(&self) -> &'j Node {
        &self.object.root
    }

    /// Returns the `spec`; an absent one counts as `empty`.
    pub(super) fn spec_or<'e>(&mut self, empty: &'e Node) -> &'e Node
    where
        'j: 'e,
    {
        self.object.root.get("spec").unwrap_or_else(|| {
            self.outside = FieldPath::from("spec");
            empty
        })
    }

    /// Returns the `spec`; reports an absent one with `fields`, which it needs.
    pub(super) fn needed_spec(&mut self, fields: &str) -> Option<&'j Node> {
        let root = &self.object.root;
        let spec = root.get("spec");
        if spec.is_none() {
            let message = message!("`{}` has no `spec`", self.object.gvk.kind);
            let finding = Diagnostic::new(&FIELD_EMPTY, start(root), message)
                .at("`spec` is required")
                .help(message!("add `spec: {{{fields}}}`"))
                .about(About::MissingField("spec".into()));
            self.report(self.missing(finding, root, &["spec"]), (root, "spec"));
        }
        spec
    }

    /// Reports a fault that is rejected when this part of the object is validated.
    pub(super) fn report<'n>(&mut self, finding: Diagnostic, place: impl Into<Place<'n>>) {
        self.report_as(Rejection::OnValidation, finding, place);
    }

    /// Reports a fault with another consequence.
    pub(super) fn report_as<'n>(
        &mut self,
        rejection: Rejection,
        mut finding: Diagnostic,
        place: impl Into<Place<'n>>,
    ) {
        finding = finding.path(&self.path_of(place));
        if let Validation::Later { rejects, is_warning } = self.validation
            && rejection != Rejection::Never
            && !(rejection == Rejection::AtOnce && is_warning)
        {
            let kind = &self.object.gvk.kind;
            finding = finding.note(message!("the API server accepts the {kind}{rejects}"));
            if is_warning {
                finding.severity = Severity::Warning;
            }
        }
        if rejection == Rejection::OfPods
            && self.validation == Validation::Created
            && !self.object.gvk.is("", "Pod")
        {
            let kind = &self.object.gvk.kind;
            finding.severity = Severity::Warning;
            finding =
                finding.note(message!("the API server accepts the {kind} but rejects its Pods"));
        }
        self.report_with_path(finding);
    }

    /// The path of a part of the object.
    pub(super) fn path_of<'n>(&self, place: impl Into<Place<'n>>) -> FieldPath {
        self.paths.get_or_init(|| Paths::of(self.object)).path(place.into(), &self.outside)
    }

    /// Reports a finding that already has its path, and its consequence.
    pub(super) fn report_with_path(&mut self, finding: Diagnostic) {
        self.reports += 1;
        self.errors += usize::from(finding.severity == Severity::Error);
        self.sink.report(finding);
    }

    /// Adds the missing fields of `owner` to a finding, with the keys that may be meant as one of
    /// them: a similar name, or the name itself next to the list instead of in it. If the schema
    /// reports such a key, it suggests where that belongs. A similar name that is a valid field of
    /// the same type is not a mistake: `resourceNames` next to `resources`.
    pub(super) fn missing(
        &self,
        finding: Diagnostic,
        owner: &Node,
        fields: &[&'static str],
    ) -> Diagnostic {
        let mut finding = finding;
        if self.sink.is_full() || owner.entries().len() > MOST_KEYS {
            return finding;
        }
        for field in fields {
            let around = self.surroundings.and_then(|it| it.entry(field));
            let is_near = |entry: &&Entry| {
                nearest(&entry.key, [*field]).is_some() && !are_together(field, &entry.key)
            };
            let entries = around.into_iter().chain(owner.entries().iter().filter(is_near));
            let places = entries.map(|entry| entry.key_origin().span());
            finding = places.fold(finding, Diagnostic::same_mistake_as);
        }
        finding
    }

    /// Reports a field or value that is not allowed.
    pub(super) fn refuse<'n>(
        &mut self,
        rule: &'static Rule,
        spot: impl Into<Spot<'n>>,
        (message, remedy): (impl Into<Message>, impl Into<Remedy>),
    ) {
        let Remedy { label, help } = remedy.into();
        self.fault(rule, spot, (message, label, help));
    }

    /// Reports a missing field.
    pub(super) fn lacks<'n>(
        &mut self,
        rule: &'static Rule,
        spot: impl Into<Spot<'n>>,
        (message, help): (impl Into<Message>, impl Into<Message>),
    ) {
        self.fault(rule, spot, (message, "incomplete", help));
    }

    /// Like [`lacks`](Self::lacks), for an owner that has none of these fields.
    pub(super) fn lacks_all_of<'n>(
        &mut self,
        rule: &'static Rule,
        spot: impl Into<Spot<'n>>,
        (message, help): (impl Into<Message>, impl Into<Message>),
        (owner, fields): (&Node, &[&'static str]),
    ) {
        let Spot { span, place } = spot.into();
        let finding = Diagnostic::new(rule, span, message).at("incomplete").help(help);
        self.report(self.missing(finding, owner, fields), place);
    }

    /// Reports a fault at a span with a label.
    pub(super) fn fault<'n>(
        &mut self,
        rule: &'static Rule,
        spot: impl Into<Spot<'n>>,
        (message, label, help): (impl Into<Message>, impl Into<Message>, impl Into<Message>),
    ) {
        let Spot { span, place } = spot.into();
        self.report(Diagnostic::new(rule, span, message).at(label).help(help), place);
    }

    /// Like [`fault`](Self::fault), with a label at the other value of the two that conflict.
    pub(super) fn conflict<'n>(
        &mut self,
        rule: &'static Rule,
        spot: impl Into<Spot<'n>>,
        (message, label, help): (impl Into<Message>, impl Into<Message>, impl Into<Message>),
        (other, other_label): (impl Into<Spot<'n>>, impl Into<Message>),
    ) {
        let Spot { span, place } = spot.into();
        let finding = Diagnostic::new(rule, span, message).at(label);
        self.report(finding.label(other.into().span, other_label).help(help), place);
    }

    /// Reports a number outside `range`, whose end is the maximum of the type if the API server has
    /// no limit. The field can be absent.
    pub(super) fn ranged(&mut self, owner: &Node, field: &'static str, range: RangeInclusive<i64>) {
        let Some(node) = owner.get(field) else { return };
        let Some(number) = node.as_i64().filter(|number| !range.contains(number)) else { return };
        let (bounds, help) = match (*range.start(), *range.end()) {
            (from, i64::MAX) => (message!("at least {from}"), message!("write {from} or more")),
            (from, to) => {
                let bounds = message!("from {from} to {to}");
                let help = message!("write a number {bounds}");
                (bounds, help)
            }
        };
        let message = match (*range.start(), *range.end()) {
            (from, i64::MAX) => message!("`{field}` {number} is below {from}"),
            (from, to) => message!("`{field}` {number} is outside {from}-{to}"),
        };
        let finding = Diagnostic::new(&NUMBER_OUT_OF_RANGE, node.span(), message)
            .at(message!("must be {bounds}"))
            .help(help);
        self.report(finding, node);
    }

    /// Reports a required field that `owner` lacks.
    pub(super) fn lacks_field<'n>(
        &mut self,
        owner: &Node,
        field: &'static str,
        place: impl Into<Place<'n>>,
    ) {
        let message = message!("missing required field `{field}`");
        let finding = Diagnostic::new(&FIELD_EMPTY, start(owner), message)
            .at(message!("`{field}` is required"))
            .help(message!("add `{field}: ...`"))
            .about(About::MissingField(field.into()));
        self.report(self.missing(finding, owner, &[field]), place);
    }

    /// Returns the string of a required field; reports an empty one.
    pub(super) fn needed<'n>(
        &mut self,
        owner: &'n Node,
        field: &'static str,
        absence: Absence,
    ) -> Option<&'n str> {
        self.needed_node(owner, field, absence).map(|(_, text)| text)
    }

    /// Like [`needed`](Self::needed), with the node of the string.
    pub(super) fn needed_node<'n>(
        &mut self,
        owner: &'n Node,
        field: &'static str,
        absence: Absence,
    ) -> Option<(&'n Node, &'n str)> {
        let Some(node) = owner.get(field) else {
            if absence == Absence::Here {
                self.lacks_field(owner, field, (owner, field));
            }
            return None;
        };
        let text = node.as_str()?;
        if text.is_empty() {
            let message = message!("`{field}` is empty");
            let help = message!("set `{field}`");
            self.fault(&FIELD_EMPTY, node, (message, "must not be empty", help));
            return None;
        }
        Some((node, text))
    }

    /// Returns the map of a required field; reports a missing one.
    pub(super) fn needed_map<'n>(
        &mut self,
        owner: &'n Node,
        field: &'static str,
    ) -> Option<&'n Node> {
        let map = owner.get(field);
        if map.is_none() {
            self.needed(owner, field, Absence::Here);
        }
        map
    }

    /// Reports a string in the wrong format; `what` names it in the message: "port name".
    pub(super) fn form<'n>(
        &mut self,
        node: impl Into<Option<&'n Node>>,
        (rule, what): (&'static Rule, &str),
        check: fn(&str) -> Result<(), Fault>,
        help: impl FnOnce(&str) -> Message,
    ) {
        let Some(node) = node.into() else { return };
        let Some(text) = node.as_str() else { return };
        let Err(fault) = check(text) else { return };
        let message = match text {
            "" => message!("{what} {fault}"),
            text => message!("{what} `{}` {fault}", shown(text)),
        };
        let label = message!("not {}", with_article(what));
        self.fault(rule, node, (message, label, help(text)));
    }

    /// Reports a string outside a list that the schema does not have; `null` and absence are
    /// allowed.
    pub(super) fn listed(&mut self, owner: &Node, field: &'static str, allowed: &[&'static str]) {
        if let Some(node) = owner.get(field) {
            self.one_of(node, field, allowed);
        }
    }

    /// Like [`listed`](Self::listed), for one item of the list in `field`.
    pub(super) fn one_of(&mut self, node: &Node, field: &str, allowed: &[&'static str]) {
        let Some(text) = node.as_str() else { return };
        if allowed.contains(&text) {
            return;
        }
        let values = Message::joined(allowed.iter().map(|value| message!("`{value}`")), " or ");
        let message = message!("invalid value `{}` for `{field}`", shown(text));
        let finding = Diagnostic::new(&VALUE_UNSUPPORTED, node.span(), message)
            .at(message!("must be {values}"))
            .suggest_near(node.span(), text, allowed.iter().copied());
        self.report(finding, node);
    }
}

pub(super) fn is_empty_list(node: &Node) -> bool {
    matches!(&node.value, Value::List(items) if items.is_empty())
}

/// Whether a boolean field is `true`.
pub(super) fn is_true(node: &Node, field: &str) -> bool {
    node.get(field).and_then(Node::as_bool) == Some(true)
}
