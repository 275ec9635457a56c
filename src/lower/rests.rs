//! Definitions with faults, compiled without their faulty fields: all errors are reported at once.
//!
//! A field that the schema or a lowering rejects is removed, and the rest is compiled like any other
//! definition, until nothing is rejected. Of the findings about the rest, those are reported that are
//! true of the whole definition.

use super::compiled::{Compiled, compile};
use super::stage::LoweringContext;
use super::stand_in::fill_required;
use super::{Instance, Instances};
use crate::diag::{About, Diagnostic, FieldPath, Meant, PathStep, Severity, Sink};
use crate::expand::{Gaps, Unevaluated};
use crate::kube::Object;
use crate::schema::Type;
use crate::sorted::{CompactSort as _, SortedSet};
use crate::source::Span;
use crate::tree::{Node, Value};

/// The maximum number of findings, for all versions, about a definition that is compiled without its
/// faulty fields: to remove a field of a large map moves all fields after it.
pub(super) const MAX_FAULTS: usize = 500;

/// The maximum number of compilations without faulty fields, and of definitions that are compiled so.
pub(super) const MAX_RESTS: usize = 100;

/// A definition without its faulty fields.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) instance: Instance,
    gaps: Gaps,
}

/// The definitions that were compiled without their faulty fields, and what is absent from them.
#[derive(Debug, Default)]
pub(crate) struct Partial {
    documents: SortedSet<Span>,
    /// Their names. What a definition lacks as a whole is reported there.
    names: SortedSet<Span>,
    gaps: Gaps,
}

impl Partial {
    /// Whether all definitions are whole.
    pub(crate) fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Whether the document is a definition that was compiled without its faulty fields.
    pub(crate) fn contains(&self, document: Span) -> bool {
        self.documents.contains(&document)
    }

    /// Whether a finding is true of the whole definitions: it is about others, about a missing object,
    /// or an error about a field that is there.
    pub(crate) fn is_certain(&self, finding: &Diagnostic) -> bool {
        let is_inside = |place: Span| self.documents.iter().any(|it| it.contains(place));
        if matches!(finding.details().about, About::AbsentObject(_)) {
            return self.gaps.is_certain(finding);
        }
        if is_inside(finding.primary.span) {
            // An absent field can give an object its name, and can take the place of another field.
            let is_open = matches!(
                finding.details().about,
                About::DuplicateObject(_) | About::MissingField(_)
            );
            let is_of_name =
                finding.details().path.as_ref().is_some_and(|it| it.is(&["metadata", "name"]));
            return finding.severity == Severity::Error
                && !is_open
                && (is_of_name || !self.names.contains(&finding.primary.span))
                && self.gaps.is_certain(finding);
        }
        !finding.details().secondary.iter().any(|label| is_inside(label.span))
    }
}

impl Rest {
    /// A definition, which lacks some fields already.
    pub(super) fn of(mut instance: Instance, mut gaps: Gaps) -> Self {
        // Those of an `expand` in the wrong place.
        let Unevaluated { root, gaps: others } = Unevaluated::new(instance.root);
        instance.root = root;
        gaps.extend(others);
        let mut rest = Self { instance, gaps };
        rest.fill();
        rest
    }

    /// The rest, whose definition lacks other fields too.
    pub(super) fn with_gaps(mut self, gaps: Gaps) -> Self {
        self.gaps.extend(gaps);
        self
    }

    /// A definition whose lowering failed.
    pub(super) fn of_failed(instance: Instance, findings: &Sink) -> Self {
        let mut rest = Self { instance, gaps: Gaps::default() };
        rest.take_out_rejected(findings);
        rest
    }

    /// Removes the fields that the schema rejects, and renames unknown fields to the likely ones.
    /// Returns `None` if a fault has no place.
    pub(super) fn without_schema_faults(mut self, findings: &Sink) -> Option<Self> {
        if findings.len() > MAX_FAULTS {
            return None;
        }
        let is_at_field = |finding: &&Diagnostic| {
            finding.severity == Severity::Error
                && !matches!(finding.details().about, About::MissingField(_))
        };
        let mut faults = Vec::new();
        for finding in findings.iter().filter(is_at_field) {
            faults.push((finding.details().path.as_ref()?, &finding.details().about));
        }
        // The index of an item must not change before it is removed.
        faults.compact_sort_by(|one, other| other.0.cmp(one.0));
        for (path, about) in faults {
            self.take_out(path, about);
        }
        self.fill();
        Some(self)
    }

    fn take_out(&mut self, path: &FieldPath, about: &About) {
        let steps = path.steps();
        let root = &mut self.instance.root;
        let removed = self.gaps.take_out(root, steps);
        if let About::UnknownField(Some(Meant::Field(name))) = about
            && let (Some((_, owner)), Some(value)) = (steps.split_last(), removed)
            && let Some(owner) = root.at_path_mut(owner)
            && owner.get(name).is_none()
        {
            owner.set(&**name, value);
        }
    }

    /// Removes the fields that a lowering has rejected. Returns whether there are any.
    fn take_out_rejected(&mut self, findings: &Sink) -> bool {
        // What is rejected of a gap is a stand-in.
        let is_certain = |finding: &&Diagnostic| {
            finding.severity == Severity::Error && self.gaps.is_certain(finding)
        };
        let root = &self.instance.root;
        let places = findings.iter().filter(is_certain).map(|finding| {
            let others = finding.details().secondary.iter().map(|it| it.span);
            std::iter::once(finding.primary.span).chain(others).find_map(|span| path_to(root, span))
        });
        let mut paths: Vec<FieldPath> = places.take(MAX_FAULTS).flatten().collect();
        paths.compact_sort_by(|one, other| other.cmp(one));
        paths.dedup();
        for path in &paths {
            self.gaps.take_out(&mut self.instance.root, path.steps());
        }
        self.fill();
        !paths.is_empty()
    }

    /// Sets the required fields that are missing.
    fn fill(&mut self) {
        let document = Type::Object(self.instance.kind.document);
        fill_required(&mut self.instance.root, document, &mut self.gaps);
    }
}

/// Compiles definitions without their faulty fields, and adds their objects and the findings that are
/// true of the whole definitions.
pub(super) fn compile_rests(
    cx: LoweringContext<'_>,
    rests: Vec<Rest>,
    instances: &mut Instances<'_>,
    objects: &mut Vec<Object>,
    sink: &mut Sink,
) -> Partial {
    let mut partial = Partial::default();
    if rests.is_empty() {
        return partial;
    }
    for Rest { instance, gaps } in &rests {
        partial.documents.insert(instance.document);
        partial.names.extend(instance.root.at(&["metadata", "name"]).map(Node::span));
        partial.gaps.extend(gaps.clone());
    }
    let mut findings = sink.part();
    instances.add_rests(rests.iter().map(|it| &it.instance), &mut findings);
    for setup in cx.setups {
        (setup.dialect.check_definitions)(instances, setup, &mut findings);
    }
    let is_inside = |finding: &Diagnostic| {
        partial.documents.iter().any(|document| document.contains(finding.primary.span))
    };
    findings.retain(is_inside);
    let mut left = MAX_RESTS;
    for mut rest in rests {
        while left > 0 {
            left -= 1;
            let Compiled { made, findings: found, is_failed, .. } =
                compile(cx, rest.instance.clone(), &rest.instance, instances, sink.total());
            let goes_on = is_failed && rest.take_out_rejected(&found);
            findings.absorb(found);
            if !goes_on {
                partial.gaps.extend(rest.gaps);
                objects.extend(made);
                break;
            }
        }
    }
    findings.retain(|finding| partial.is_certain(finding));
    sink.absorb(findings);
    partial
}

/// The path of the field or item at a span, or around it. `None` for what each definition needs.
fn path_to(root: &Node, place: Span) -> Option<FieldPath> {
    let mut steps = Vec::new();
    let is_found = find_steps(root, place, &mut steps);
    let path: FieldPath = steps.into_iter().collect();
    let is_needed =
        [&["metadata"][..], &["metadata", "name"], &["spec"], &["kind"], &["apiVersion"]]
            .iter()
            .any(|known| path.is(known));
    (is_found && !is_needed && !path.steps().is_empty()).then_some(path)
}

/// Follows a span into a node. Returns whether the span is that of an entry or an item, or within
/// one.
fn find_steps(node: &Node, place: Span, steps: &mut Vec<PathStep>) -> bool {
    let found = match &node.value {
        Value::Map(map) => map.entries().iter().find_map(|entry| {
            let is_key = entry.key_origin().span() == place;
            let is_inside = is_key || entry.value.span().contains(place);
            is_inside.then(|| (PathStep::Field(entry.key.as_str().into()), &entry.value, is_key))
        }),
        Value::List(items) => items.iter().enumerate().find_map(|(index, item)| {
            item.span().contains(place).then_some((PathStep::Index(index), item, false))
        }),
        _ => None,
    };
    let Some((step, below, is_key)) = found else { return false };
    steps.push(step);
    if !is_key && below.span() != place {
        find_steps(below, place, steps);
    }
    true
}
