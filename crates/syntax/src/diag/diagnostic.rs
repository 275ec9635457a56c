//! One finding.

use std::sync::Arc;

use super::{About, CommonCause, FieldPath, Message, Others, Rule, Severity, Suggestion, message};
use crate::message::{LONGEST, LONGEST_QUOTE};
use crate::scalar::Versions;
use crate::source::Span;

/// The maximum number of related locations of a finding.
const MAX_RELATED: usize = 20;
/// The length in bytes above which a headline is truncated: it can quote many values.
const LONGEST_HEADLINE: usize = 1000;
/// The length in bytes above which any message of a finding is truncated that thousands precede.
const LONGEST_LATER: usize = 400;

/// A span with a label.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Label {
    /// The span.
    pub span: Span,
    /// The text of the label; can be empty on the primary label.
    pub text: Message,
}

/// One finding: a rule, a message, its location, and the repair.
///
/// The headline starts in lowercase, has no final period, encloses names in backquotes, and can be
/// read alone. Help is an imperative that the author can follow.
///
/// It is small, and a copy of it is cheap: ten thousand references to one absent object share their
/// [`Details`].
#[derive(Clone, Debug)]
#[non_exhaustive]
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
    pub(super) details: Arc<Details>,
}

/// The parts of a finding that others with the same cause share.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Details {
    /// The headline.
    pub message: Message,
    /// Related locations.
    pub secondary: Vec<Label>,
    /// The path of the field, from the root of the object: `spec.containers[0].image`.
    pub path: Option<FieldPath>,
    /// Notes: facts that explain the consequence.
    pub notes: Vec<Message>,
    /// The repair, in words.
    pub help: Vec<Message>,
    /// The repair, as a change to the source.
    pub suggestions: Vec<Suggestion>,
    /// The subject of the finding, as data.
    pub about: About,
    /// The cause that it can share with findings of the rule at other locations.
    pub common_cause: Option<CommonCause>,
    /// Places of findings that can report the same mistake. Where one of them is reported, this one is
    /// left out.
    pub same_mistake: Vec<Span>,
}

impl Diagnostic {
    /// Creates a finding of `rule` at `span`.
    #[must_use]
    pub fn new(rule: &'static Rule, span: impl Into<Span>, message: impl Into<Message>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            is_policy: false,
            kubernetes: None,
            primary: Label { span: span.into(), text: Message::default() },
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

    /// The parts that findings with the same cause share.
    #[must_use]
    pub fn details(&self) -> &Details {
        &self.details
    }

    /// The same parts, to change them. Those that are shared with another finding are copied first.
    pub fn details_mut(&mut self) -> &mut Details {
        Arc::make_mut(&mut self.details)
    }

    /// All messages, except replacements.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        let Details { message, secondary, notes, help, suggestions, .. } = &*self.details;
        let labels = std::iter::once(&self.primary).chain(secondary).map(|label| &label.text);
        let suggestions = suggestions.iter().map(|suggestion| &suggestion.text);
        std::iter::once(message).chain(labels).chain(notes).chain(help).chain(suggestions)
    }

    /// All messages, to change them.
    pub fn messages_mut(&mut self) -> impl Iterator<Item = &mut Message> {
        let Self { primary, details, .. } = self;
        let Details { message, secondary, notes, help, suggestions, .. } = Arc::make_mut(details);
        let labels = std::iter::once(primary).chain(secondary).map(|label| &mut label.text);
        let suggestions = suggestions.iter_mut().map(|suggestion| &mut suggestion.text);
        std::iter::once(message).chain(labels).chain(notes).chain(help).chain(suggestions)
    }

    /// Truncates the values that it quotes, and its long messages; more of them if thousands of
    /// findings precede it.
    pub(super) fn shorten(&mut self, is_late: bool) {
        if self.messages().all(|message| message.as_prose().len() <= LONGEST_QUOTE) {
            return;
        }
        let longest = if is_late { LONGEST_LATER } else { LONGEST };
        self.messages_mut().for_each(|message| message.shorten(longest));
        self.details_mut().message.shorten(longest.min(LONGEST_HEADLINE));
    }

    /// The same finding at another location.
    #[must_use]
    pub fn moved_to(&self, span: Span) -> Self {
        let mut finding = self.clone();
        finding.primary.span = span;
        finding
    }

    /// Sets another severity than that of the rule.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the primary label.
    #[must_use]
    pub fn at(mut self, text: impl Into<Message>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds a related location, up to a limit: thousands of keys can have one fault.
    #[must_use]
    pub fn label(mut self, span: impl Into<Span>, text: impl Into<Message>) -> Self {
        let secondary = &mut self.details_mut().secondary;
        if secondary.len() < MAX_RELATED {
            secondary.push(Label { span: span.into(), text: text.into() });
        }
        self
    }

    /// Sets the path of the field.
    #[must_use]
    pub fn path<'p, P: ?Sized>(mut self, path: &'p P) -> Self
    where
        FieldPath: From<&'p P>,
    {
        self.details_mut().path = Some(path.into());
        self
    }

    /// Its subject, as data.
    #[must_use]
    pub fn about(mut self, about: About) -> Self {
        self.details_mut().about = about;
        self
    }

    /// The cause that it can share with findings of the rule at other locations.
    #[must_use]
    pub fn because_of(mut self, cause: CommonCause) -> Self {
        self.details_mut().common_cause = Some(cause);
        self
    }

    /// The place of a finding that can report the same mistake.
    #[must_use]
    pub fn same_mistake_as(mut self, place: impl Into<Span>) -> Self {
        self.details_mut().same_mistake.push(place.into());
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<Message>) -> Self {
        self.details_mut().notes.push(text.into());
        self
    }

    /// Adds a note, if there is one.
    #[must_use]
    pub fn note_if(mut self, text: Option<impl Into<Message>>) -> Self {
        self.details_mut().notes.extend(text.map(Into::into));
        self
    }

    /// Adds help.
    #[must_use]
    pub fn help(mut self, text: impl Into<Message>) -> Self {
        self.details_mut().help.push(text.into());
        self
    }

    /// Adds help, if there is any.
    #[must_use]
    pub fn help_if(mut self, text: Option<impl Into<Message>>) -> Self {
        self.details_mut().help.extend(text.map(Into::into));
        self
    }

    /// Turns the finding into one of another rule about the same field, with `span` as its location
    /// and `message` in front of the headline. No other finding follows from it.
    #[must_use]
    pub fn of_other_rule(
        self,
        rule: &'static Rule,
        span: Span,
        preface: impl Into<Message>,
    ) -> Self {
        let message = message!("{}: {}", preface.into(), self.details.message);
        let mut finding = Self::new(rule, span, message);
        finding.details_mut().path.clone_from(&self.details.path);
        finding
    }

    /// Removes notes, help and suggestions, so that better ones can be added.
    #[must_use]
    pub fn without_advice(mut self) -> Self {
        let details = self.details_mut();
        details.notes.clear();
        details.help.clear();
        details.suggestions.clear();
        self
    }

    /// Adds a note, and replaces the help and suggestions with another repair.
    pub fn replace_help(&mut self, note: impl Into<Message>, help: impl Into<Message>) {
        let details = self.details_mut();
        details.notes.push(note.into());
        details.help = vec![help.into()];
        details.suggestions.clear();
    }

    /// What distinguishes it from other findings of a run, in the order of output.
    pub fn identity(&self) -> (Span, &'static str, &Message) {
        (self.primary.span, self.rule.name, &self.details().message)
    }

    /// Adds a note to a finding that is complete.
    pub fn add_note(&mut self, text: impl Into<Message>) {
        self.details_mut().notes.push(text.into());
    }

    /// Adds help to a finding that is complete.
    pub fn add_help(&mut self, text: impl Into<Message>) {
        self.details_mut().help.push(text.into());
    }

    /// The words of the label, which distinguish the faults that a rule reports.
    pub fn variant(&self) -> Vec<&str> {
        self.primary.text.words().collect()
    }

    /// Moves it to another place, which the schema may report as well, with the fact that explains why.
    pub fn relocate(&mut self, span: Span, label: impl Into<Message>, note: impl Into<Message>) {
        self.primary = Label { span, text: label.into() };
        let details = self.details_mut();
        details.notes.insert(0, note.into());
        details.same_mistake.push(span);
    }

    /// Takes over the versions of a repetition of this finding.
    pub(super) fn unite(&mut self, repetition: &Self) {
        let both = self.kubernetes.zip(repetition.kubernetes);
        self.is_policy &= repetition.is_policy;
        self.kubernetes = both.map(|(own, other)| own.union(other));
        let known = &self.details.same_mistake;
        let places = repetition.details.same_mistake.iter().filter(|place| !known.contains(place));
        let places: Vec<_> = places.copied().collect();
        if !places.is_empty() {
            self.details_mut().same_mistake.extend(places);
        }
    }

    /// Whether it applies to every target version that `other` applies to.
    pub fn applies_wherever(&self, other: &Self) -> bool {
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
        (self.primary.span, self.rule.name, self.details.message.as_prose(), self.severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    #[test]
    fn texts_of_later_findings_are_shorter() {
        static A_RULE: Rule = Rule::new("a-rule", Severity::Error);
        let words: &'static str = "word ".repeat(1000).leak();
        let lengths = |is_late| {
            let finding = Diagnostic::new(&A_RULE, Workspace::new().start(), words);
            let mut finding = finding.at(words).note(words).help(words);
            finding.shorten(is_late);
            finding.messages().map(|message| message.as_prose().len()).collect::<Vec<_>>()
        };
        let mark = "…".len();
        assert_eq!(lengths(false), [1000, 4000, 4000, 4000].map(|length| length + mark));
        assert_eq!(lengths(true), [400 + mark; 4]);
    }
}
