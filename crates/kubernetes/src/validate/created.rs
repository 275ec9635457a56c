//! Checks of the objects that the controllers of systems create from custom resources. The API server
//! accepts the resource, and rejects these objects later, where its author does not see it.
//!
//! Findings are at the fields of the resource, which are the origin of those of the created object.

use super::references::Unfound;
use super::{Checks, NotDecided, Outcome, Usage, objects, rules};
use crate::diag::{
    About, Diagnostic, FieldPath, Message, PathStep, Repeated, Severity, Sink, message, report_work,
};
use crate::kube::{Creator, Missing, Object, ObjectSet};
use crate::limits::Fuel;
use crate::parallel::ordered_each_after;
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::{Entry, Node};

/// The creators of the objects, each with the name of its system.
type Creators<'c, 's> = &'c [(&'static str, Creator<'s>)];

/// The places of the findings about all other objects, each with the highest severity there. A finding
/// about a created object is left out in favor of one that is as severe.
type Places = SortedMap<Span, Severity>;

/// What the rules over several objects need of the created ones.
#[derive(Default)]
pub(super) struct Created<'o> {
    /// The policies that are not decided.
    pub(super) undecided: Vec<NotDecided>,
    /// The use of quotas, each with the resource for which the objects are created.
    pub(super) usages: Vec<(&'o Object, Usage)>,
}

/// Checks the created objects after all others, whose findings are in `sink`.
pub(super) fn check<'o>(
    checks: &Checks<'_, '_>,
    set: &ObjectSet<'o>,
    creators: Creators<'_, '_>,
    sink: &mut Sink,
) -> Created<'o> {
    let mut places = Places::new();
    for finding in sink.iter() {
        let severity = places.entry(finding.primary.span).or_insert(finding.severity);
        *severity = finding.severity.min(*severity);
    }
    let work = |count, source| {
        let mut sink = Sink::of_document_after(count);
        if sink.is_over() || checks.cx.fuel.is_out() {
            return (source, Vec::new(), Created::default(), sink);
        }
        let fuel = checks.cx.fuel.document();
        let results = Created::default();
        let mut from = From { source, places: &places, unfound: Vec::new(), results };
        for (system, creator) in creators {
            from.check((checks, &fuel), system, &creator(source), &mut sink);
        }
        let From { unfound, results, .. } = from;
        report_work(&fuel, source.document.start_point(), &|| source.describe(), &mut sink);
        (source, unfound, results, sink)
    };
    let missing = Missing::new(set);
    let (mut all_unfound, mut created) = (Vec::new(), Created::default());
    let size = checks.cx.texts.bytes();
    ordered_each_after(sink.total(), size, set.all(), work, |(source, unfound, results, found)| {
        sink.absorb(found);
        all_unfound.extend(unfound.into_iter().map(|unfound| (source, unfound)));
        created.undecided.extend(results.undecided);
        created.usages.extend(results.usages);
        sink.total()
    });
    let mut absences = Repeated::default();
    for (source, unfound) in &all_unfound {
        let mut findings = sink.part();
        unfound.report(source, &missing, &mut absences, &mut findings);
        for finding in findings.into_sorted() {
            sink.report(at_source(finding, source, &places));
        }
    }
    created
}

/// The objects that are created from one, and the results of their checks.
struct From<'f, 'o, 's> {
    source: &'s Object,
    places: &'f Places,
    unfound: Vec<Unfound<'o>>,
    results: Created<'s>,
}

impl<'o> From<'_, 'o, '_> {
    fn check(
        &mut self,
        (checks, fuel): (&Checks<'_, 'o>, &Fuel<'_>),
        system: &str,
        created: &[Object],
        sink: &mut Sink,
    ) {
        for object in created {
            let mut of_server = sink.part();
            let cx = objects::ObjectContext { fuel, ..checks.cx };
            objects::check_one(cx, object, &mut of_server);
            rules::check(object, checks.cx.target, &mut of_server);
            let kind = &object.gvk.kind;
            let note = message!(
                "the API server rejects the {kind} that the {system} controller creates, and the controller tries again forever"
            );
            self.report(of_server, Some(&note), sink);
            let mut later = sink.part();
            let Outcome { unfound, usage, undecided } =
                checks.with_others(fuel, object, &mut later);
            self.report(later, None, sink);
            let is_created = |unfound: &Unfound<'_>| {
                created
                    .iter()
                    .any(|made| unfound.is_about(&made.gvk.group, &made.gvk.kind, &made.name))
            };
            self.unfound.extend(unfound.into_iter().filter(|unfound| !is_created(unfound)));
            self.results.undecided.extend(undecided);
            self.results.usages.extend(usage.map(|usage| (self.source, usage)));
        }
    }

    fn report(&self, findings: Sink, rejection: Option<&Message>, sink: &mut Sink) {
        let name = self.source.name_span();
        for mut finding in findings.into_sorted() {
            if finding.severity == Severity::Error {
                finding.details_mut().notes.extend(rejection.map(Into::into));
            } else if finding.primary.span == name {
                // It is about a field that the controller sets.
                continue;
            }
            sink.report(at_source(finding, self.source, self.places));
        }
    }
}

/// The finding as one about the resource, whose field has another path than that of the created object.
fn at_source(mut finding: Diagnostic, source: &Object, places: &Places) -> Diagnostic {
    let is_written = !source.is_compiled();
    finding.details_mut().path =
        is_written.then(|| path_to(&source.root, finding.primary.span)).flatten();
    if !matches!(finding.details().about, About::AbsentObject(_)) {
        finding.details_mut().about = About::Other;
    }
    let place = finding.primary.span;
    // The name of an absent object can be a part of the field that the created object has.
    let is_absence = matches!(finding.details().about, About::AbsentObject(_));
    let last = if is_absence { place.end_point() } else { place };
    let first = if is_absence { place.start_point() } else { place };
    let nearby = places.range(first..=last);
    let known =
        nearby.filter(|(it, severity)| place.contains(**it) && **severity <= finding.severity);
    let known: Vec<_> = known.map(|(span, _)| *span).collect();
    known.into_iter().fold(finding, Diagnostic::same_mistake_as)
}

/// The path of the field of a manifest with a key or value at `place`. Fields of an alias are elsewhere.
fn path_to(root: &Node, place: Span) -> Option<FieldPath> {
    let (mut node, mut steps) = (root, Vec::new());
    loop {
        let is_here = |entry: &Entry| {
            entry.key_origin().span() == place || entry.value.span().contains(place)
        };
        let entry = node.entries().iter().find(|entry| is_here(entry));
        let (step, key, value) = if let Some(Entry { key, value }) = entry {
            (PathStep::Field(key.as_str().into()), key.span(), value)
        } else {
            let mut items = node.items().iter().enumerate();
            let (at, item) = items.find(|(_, item)| item.span().contains(place))?;
            (PathStep::Index(at), item.span(), item)
        };
        steps.push(step);
        if key == place || value.span() == place {
            return Some(steps.into_iter().collect());
        }
        node = value;
    }
}
