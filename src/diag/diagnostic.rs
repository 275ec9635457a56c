//! One finding.

use super::{About, FieldPath, Rule, Severity};
use crate::scalar::Versions;
use crate::source::Span;

/// A place with a remark.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be seen there; may be empty on the primary label.
    pub text: String,
}

/// A change to the source that repairs the finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Suggestion {
    /// What is replaced; an empty span inserts.
    pub span: Span,
    /// The text to write there.
    pub replacement: String,
    /// An imperative: "quote the value".
    pub text: String,
}

/// One finding: a rule, what is wrong, where, and what to do.
///
/// The headline starts in lower case, has no final period, names things in backticks, and can be
/// read alone. Help is an imperative that the author can follow.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// How bad it is; the rule's own severity unless it was changed.
    pub severity: Severity,
    /// Whether it is against a policy that the author asks for: an API server would take it.
    pub is_policy: bool,
    /// The headline.
    pub message: String,
    /// The place that is wrong.
    pub primary: Label,
    /// Places that explain it.
    pub secondary: Vec<Label>,
    /// The field, from the object's root: `spec.containers[0].image`.
    pub path: Option<FieldPath>,
    /// The target versions that it applies to, where it does not apply to all of them.
    pub kubernetes: Option<Versions>,
    /// Facts: why it matters, who says so.
    pub notes: Vec<String>,
    /// What to write instead, in words.
    pub help: Vec<String>,
    /// What to write instead, as a change to the source.
    pub suggestions: Vec<Suggestion>,
    /// What it is about, as data.
    pub(crate) about: About,
    /// Places of findings that can report the same mistake. Where one of them is reported, this one is
    /// left out.
    pub(crate) same_mistake: Vec<Span>,
}

impl Diagnostic {
    /// A finding of `rule` at `span`.
    #[must_use]
    pub fn new(rule: &'static Rule, span: impl Into<Span>, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            is_policy: false,
            message: message.into(),
            primary: Label { span: span.into(), text: String::new() },
            secondary: Vec::new(),
            path: None,
            kubernetes: None,
            notes: Vec::new(),
            help: Vec::new(),
            suggestions: Vec::new(),
            about: About::Other,
            same_mistake: Vec::new(),
        }
    }

    /// A remark on the primary place.
    #[must_use]
    pub fn at(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// A second place.
    #[must_use]
    pub fn label(mut self, span: impl Into<Span>, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span: span.into(), text: text.into() });
        self
    }

    /// The path of the field.
    #[must_use]
    pub fn path<'p, P: ?Sized>(mut self, path: &'p P) -> Self
    where
        FieldPath: From<&'p P>,
    {
        self.path = Some(path.into());
        self
    }

    /// What it is about, as data.
    #[must_use]
    pub(crate) fn about(mut self, about: About) -> Self {
        self.about = about;
        self
    }

    /// The place of a finding that can report the same mistake.
    #[must_use]
    pub(crate) fn same_mistake_as(mut self, place: impl Into<Span>) -> Self {
        self.same_mistake.push(place.into());
        self
    }

    /// A fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// A fact, where there is one.
    #[must_use]
    pub fn note_if(self, text: Option<String>) -> Self {
        match text {
            Some(text) => self.note(text),
            None => self,
        }
    }

    /// What to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// What to do, where there is something to say.
    #[must_use]
    pub fn help_if(self, text: Option<String>) -> Self {
        match text {
            Some(text) => self.help(text),
            None => self,
        }
    }

    /// The finding as one of another rule about the same field, which says at `span` in front of the
    /// headline what is wrong. Nothing else follows from it.
    #[must_use]
    pub(crate) fn of_other_rule(self, rule: &'static Rule, span: Span, preface: &str) -> Self {
        let message = format!("{preface}: {}", self.message);
        Self { path: self.path, ..Self::new(rule, span, message) }
    }

    /// The finding without notes, help and suggestions, to say something better.
    #[must_use]
    pub(crate) fn without_advice(self) -> Self {
        Self { notes: Vec::new(), help: Vec::new(), suggestions: Vec::new(), ..self }
    }

    /// A change to the source that repairs it.
    #[must_use]
    pub fn suggest(
        mut self,
        span: impl Into<Span>,
        replacement: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        self.suggestions.push(Suggestion {
            span: span.into(),
            replacement: replacement.into(),
            text: text.into(),
        });
        self
    }

    /// Takes over the versions of a repetition of this finding.
    pub(super) fn unite(&mut self, repetition: &Self) {
        let both = self.kubernetes.zip(repetition.kubernetes);
        self.is_policy &= repetition.is_policy;
        self.kubernetes = both.map(|(own, other)| own.union(other));
        let places = repetition.same_mistake.iter().filter(|it| !self.same_mistake.contains(it));
        let places: Vec<_> = places.copied().collect();
        self.same_mistake.extend(places);
    }

    /// Whether it applies to every target version that `other` applies to.
    pub(crate) fn applies_wherever(&self, other: &Self) -> bool {
        match (self.kubernetes, other.kubernetes) {
            (Some(own), Some(other)) => own.union(other) == own,
            (Some(_), None) => false,
            (None, _) => true,
        }
    }

    /// Whether `worse` says the same, for all versions that this finding applies to, and that it is
    /// worse.
    pub(super) fn is_covered_by(&self, worse: &Self) -> bool {
        let (span, rule, message, severity) = self.sort_key();
        let (worse_span, worse_rule, worse_message, worse_severity) = worse.sort_key();
        (span, rule, message) == (worse_span, worse_rule, worse_message)
            && worse_severity < severity
            && worse.applies_wherever(self)
    }

    /// The order of output: by place, then rule, then text.
    pub(super) fn sort_key(&self) -> (Span, &'static str, &str, Severity) {
        (self.primary.span, self.rule.name, &self.message, self.severity)
    }
}
