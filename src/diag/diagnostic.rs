//! One finding.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::{About, CommonCause, FieldPath, Others, Rule, Severity, nearest};
use crate::scalar::Versions;
use crate::source::Span;

/// The maximum number of related locations of a finding.
const MAX_RELATED: usize = 20;

/// A span with a label.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Label {
    /// The span.
    pub span: Span,
    /// The text of the label; can be empty on the primary label.
    pub text: Arc<str>,
}

/// A change to the source that repairs the finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Suggestion {
    /// The span to replace; an empty one inserts.
    pub span: Span,
    /// The replacement text.
    pub replacement: String,
    /// An imperative: "quote the value".
    pub text: String,
    /// Whether the edit can be applied without review.
    pub safety: Safety,
    /// The name that must be at the span for the edit to apply. A value with another origin, such
    /// as an expression, is not replaced.
    pub(crate) replaces: Option<Box<str>>,
}

/// The certainty of a suggestion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Safety {
    /// It writes what the author meant, and changes nothing that Kubernetes accepts today.
    Safe,
    /// It is the likeliest repair, and may not be what the author meant.
    Unsafe,
}

impl Safety {
    /// As shown in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// One finding: a rule, a message, its location, and the repair.
///
/// The headline starts in lowercase, has no final period, encloses names in backquotes, and can be
/// read alone. Help is an imperative that the author can follow.
///
/// It is small, and a copy of it is cheap: ten thousand references to one absent object share their
/// [`Details`].
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The violated rule.
    pub rule: &'static Rule,
    /// The severity; that of the rule unless it was changed.
    pub severity: Severity,
    /// Whether it violates a policy that the author requested and that the API server does not
    /// enforce.
    pub is_policy: bool,
    /// The target versions that it applies to, unless it applies to all of them.
    pub kubernetes: Option<Versions>,
    /// The location of the fault.
    pub primary: Label,
    /// Findings of the same rule and cause, which it represents.
    pub others: Others,
    pub(crate) details: Arc<Details>,
}

/// The parts of a finding that others with the same cause share. A [`Diagnostic`] dereferences to
/// them.
#[derive(Clone, Debug)]
pub struct Details {
    /// The headline.
    pub message: String,
    /// Related locations.
    pub secondary: Vec<Label>,
    /// The path of the field, from the root of the object: `spec.containers[0].image`.
    pub path: Option<FieldPath>,
    /// Notes: facts that explain the consequence.
    pub notes: Vec<String>,
    /// The repair, in words.
    pub help: Vec<String>,
    /// The repair, as a change to the source.
    pub suggestions: Vec<Suggestion>,
    /// The subject of the finding, as data.
    pub(crate) about: About,
    /// The cause that it can share with findings of the rule at other locations.
    pub(crate) common_cause: Option<CommonCause>,
    /// Places of findings that can report the same mistake. Where one of them is reported, this one is
    /// left out.
    pub(crate) same_mistake: Vec<Span>,
}

impl Deref for Diagnostic {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.details
    }
}

impl DerefMut for Diagnostic {
    /// Details that are shared with another finding are copied first.
    fn deref_mut(&mut self) -> &mut Details {
        Arc::make_mut(&mut self.details)
    }
}

impl Diagnostic {
    /// Creates a finding of `rule` at `span`.
    #[must_use]
    pub fn new(rule: &'static Rule, span: impl Into<Span>, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            is_policy: false,
            kubernetes: None,
            primary: Label { span: span.into(), text: Arc::default() },
            others: Others::default(),
            details: Arc::new(Details {
                message: message.into(),
                secondary: Vec::new(),
                path: None,
                notes: Vec::new(),
                help: Vec::new(),
                suggestions: Vec::new(),
                about: About::Other,
                common_cause: None,
                same_mistake: Vec::new(),
            }),
        }
    }

    /// The same finding at another location.
    #[must_use]
    pub(crate) fn moved_to(&self, span: Span) -> Self {
        let mut finding = self.clone();
        finding.primary.span = span;
        finding
    }

    /// Sets the primary label.
    #[must_use]
    pub fn at(mut self, text: impl Into<Arc<str>>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds a related location, up to a limit: thousands of keys can have one fault.
    #[must_use]
    pub fn label(mut self, span: impl Into<Span>, text: impl Into<Arc<str>>) -> Self {
        if self.secondary.len() < MAX_RELATED {
            self.secondary.push(Label { span: span.into(), text: text.into() });
        }
        self
    }

    /// Sets the path of the field.
    #[must_use]
    pub fn path<'p, P: ?Sized>(mut self, path: &'p P) -> Self
    where
        FieldPath: From<&'p P>,
    {
        self.path = Some(path.into());
        self
    }

    /// Its subject, as data.
    #[must_use]
    pub(crate) fn about(mut self, about: About) -> Self {
        self.about = about;
        self
    }

    /// The cause that it can share with findings of the rule at other locations.
    #[must_use]
    pub(crate) fn because_of(mut self, cause: CommonCause) -> Self {
        self.common_cause = Some(cause);
        self
    }

    /// The place of a finding that can report the same mistake.
    #[must_use]
    pub(crate) fn same_mistake_as(mut self, place: impl Into<Span>) -> Self {
        self.same_mistake.push(place.into());
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a note, if there is one.
    #[must_use]
    pub fn note_if(self, text: Option<String>) -> Self {
        match text {
            Some(text) => self.note(text),
            None => self,
        }
    }

    /// Adds help.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds help, if there is any.
    #[must_use]
    pub fn help_if(self, text: Option<String>) -> Self {
        match text {
            Some(text) => self.help(text),
            None => self,
        }
    }

    /// Turns the finding into one of another rule about the same field, with `span` as its location
    /// and `message` in front of the headline. No other finding follows from it.
    #[must_use]
    pub(crate) fn of_other_rule(self, rule: &'static Rule, span: Span, preface: &str) -> Self {
        let message = format!("{preface}: {}", self.message);
        let mut finding = Self::new(rule, span, message);
        finding.path.clone_from(&self.path);
        finding
    }

    /// Removes notes, help and suggestions, so that better ones can be added.
    #[must_use]
    pub(crate) fn without_advice(mut self) -> Self {
        let details = &mut *self;
        details.notes.clear();
        details.help.clear();
        details.suggestions.clear();
        self
    }

    /// Adds a note, and replaces the help and suggestions with another repair.
    pub(crate) fn replace_help(&mut self, note: &str, help: String) {
        self.notes.push(note.to_owned());
        self.help = vec![help];
        self.suggestions.clear();
    }

    /// Adds a note to a finding that is complete.
    pub(crate) fn add_note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// Adds help to a finding that is complete.
    pub(crate) fn add_help(&mut self, text: String) {
        self.help.push(text);
    }

    /// A change to the source that likely repairs it.
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
            safety: Safety::Unsafe,
            replaces: None,
        });
        self
    }

    /// A change to the source that certainly repairs it.
    #[must_use]
    pub fn fix(
        self,
        span: impl Into<Span>,
        replacement: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let mut finding = self.suggest(span, replacement, text);
        if let Some(suggestion) = finding.suggestions.last_mut() {
            suggestion.safety = Safety::Safe;
        }
        finding
    }

    /// Adds "did you mean" and the edit, if a candidate is similar to the name at `span`.
    #[must_use]
    pub(crate) fn suggest_near<'c>(
        self,
        span: Span,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Self {
        let Some(near) = nearest(name, candidates) else { return self };
        let mut finding = self.suggest(span, near, format!("did you mean `{near}`?"));
        if let Some(suggestion) = finding.suggestions.last_mut() {
            suggestion.replaces = Some(name.into());
        }
        finding
    }

    /// The string to write instead of `written` at `span`.
    #[must_use]
    pub(crate) fn write_instead(
        self,
        span: Span,
        written: &str,
        instead: &str,
        safety: Safety,
    ) -> Self {
        let is_plain = instead.starts_with(|it: char| it.is_ascii_alphabetic())
            && instead.chars().all(|it| it.is_ascii_alphanumeric() || "._/-@:".contains(it))
            && !instead.ends_with(':');
        // Words of YAML are short.
        let is_word = instead.len() <= 5 && !instead.contains(['.', '/', '-', ':']);
        let replacement =
            if is_plain && !is_word { instead.to_owned() } else { format!("\"{instead}\"") };
        let mut finding = self.suggest(span, replacement, format!("write `{instead}`"));
        if let Some(suggestion) = finding.suggestions.last_mut() {
            suggestion.safety = safety;
            suggestion.replaces = Some(written.into());
        }
        finding
    }

    /// Adds "did you mean" for a name inside the string `text` at `span`: the edit of the name, with
    /// what precedes it, if the string is written on one line, else in words. Other help where no
    /// name is near.
    #[must_use]
    pub(crate) fn suggest_near_inside_or<'c>(
        self,
        (span, text): (Span, &str),
        (before, name): (&str, &str),
        candidates: impl IntoIterator<Item = &'c str>,
        help: impl FnOnce() -> String,
    ) -> Self {
        let Some(near) = nearest(name, candidates) else { return self.help(help()) };
        let advice = format!("did you mean `{near}`?");
        let whole = format!("{before}{name}");
        let mut found = text.match_indices(&whole).filter(|(at, _)| {
            let after = text.get(at + whole.len()..).and_then(|it| it.chars().next());
            !after.is_some_and(|it| it.is_alphanumeric() || it == '_')
        });
        // Other styles than one plain or quoted line have other lengths.
        let quote = match span.parts().1 as usize {
            length if length == text.len() => 0,
            length if length == text.len() + 2 => 1,
            _ => return self.help(advice),
        };
        let (Some((at, _)), None) = (found.next(), found.next()) else { return self.help(advice) };
        let start = quote + at + before.len();
        let mut finding = self.suggest(span.part(start..start + name.len()), near, advice);
        if let Some(suggestion) = finding.suggestions.last_mut() {
            suggestion.replaces = Some(name.into());
        }
        finding
    }

    /// The label without the names in it, which distinguishes the faults that a rule reports.
    pub(crate) fn variant(&self) -> String {
        self.primary.text.split('`').step_by(2).collect()
    }

    /// As [`suggest_near`](Self::suggest_near); other help where no name is near.
    #[must_use]
    pub(crate) fn suggest_near_or<'c>(
        self,
        span: Span,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
        help: impl FnOnce() -> String,
    ) -> Self {
        let count = self.suggestions.len();
        let finding = self.suggest_near(span, name, candidates);
        if finding.suggestions.len() > count { finding } else { finding.help(help()) }
    }

    /// Moves it to another place, which the schema may report as well, with the fact that explains why.
    pub(crate) fn relocate(&mut self, span: Span, label: &str, note: String) {
        self.primary = Label { span, text: label.into() };
        self.notes.insert(0, note);
        self.same_mistake.push(span);
    }

    /// Takes over the versions of a repetition of this finding.
    pub(super) fn unite(&mut self, repetition: &Self) {
        let both = self.kubernetes.zip(repetition.kubernetes);
        self.is_policy &= repetition.is_policy;
        self.kubernetes = both.map(|(own, other)| own.union(other));
        let places = repetition.same_mistake.iter().filter(|it| !self.same_mistake.contains(it));
        let places: Vec<_> = places.copied().collect();
        if !places.is_empty() {
            self.same_mistake.extend(places);
        }
    }

    /// Whether it applies to every target version that `other` applies to.
    pub(crate) fn applies_wherever(&self, other: &Self) -> bool {
        match (self.kubernetes, other.kubernetes) {
            (Some(own), Some(other)) => own.union(other) == own,
            (Some(_), None) => false,
            (None, _) => true,
        }
    }

    /// Whether `worse` is the same finding with a higher severity, for all versions that this one
    /// applies to.
    pub(super) fn is_covered_by(&self, worse: &Self) -> bool {
        let (span, rule, message, severity) = self.sort_key();
        let (worse_span, worse_rule, worse_message, worse_severity) = worse.sort_key();
        (span, rule, message) == (worse_span, worse_rule, worse_message)
            && worse_severity < severity
            && worse.applies_wherever(self)
    }

    /// The sort key of the output: position, then rule, then message.
    pub(super) fn sort_key(&self) -> (Span, &'static str, &str, Severity) {
        (self.primary.span, self.rule.name, &self.message, self.severity)
    }
}
