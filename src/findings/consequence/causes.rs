//! An index of the possible causes of each finding, which avoids comparing all pairs of findings.

use super::ObjectsOfRun;
use super::relation::{explains, is_about_selection, leaves_open};
use crate::diag::{About, Cause, Diagnostic, FieldPath, ObjectName, Severity};
use crate::kube::InputObject;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;

/// The maximum number of distinct errors considered per object or position. A definition can
/// represent 100,000 objects. Errors that follow from another one are not counted.
const MAX_CAUSES: usize = 100;

/// The group, kind and namespace in which an object may exist under another name.
type Place<'f> = (&'f str, &'f str, &'f str);

/// The errors of a run, indexed by what they can explain. Numbers are positions in the list of
/// findings.
pub(super) struct Causes<'f> {
    cx: ObjectsOfRun<'f>,
    findings: &'f [Diagnostic],
    /// The errors of each object, without duplicates.
    of_objects: SortedMap<usize, Vec<usize>>,
    invalid_names: SortedMap<&'f ObjectName, usize>,
    duplicates: SortedMap<Place<'f>, Vec<usize>>,
    absent: SortedMap<Place<'f>, SortedSet<&'f str>>,
    /// The errors in Projects, and whether each is in a document that cannot be read.
    of_projects: Vec<(usize, bool)>,
    /// Errors that leave an object without a name, by its group and kind.
    nameless: SortedMap<(&'f str, &'f str), Vec<usize>>,
    /// Errors about the kind or version of an object, by its name.
    unread: SortedMap<&'f str, usize>,
}

impl<'f> Causes<'f> {
    /// Collects the causes among findings, which are sorted by position.
    pub(super) fn of(cx: ObjectsOfRun<'f>, findings: &'f [Diagnostic]) -> Self {
        let mut causes = Self {
            cx,
            findings,
            of_objects: SortedMap::new(),
            invalid_names: SortedMap::new(),
            duplicates: SortedMap::new(),
            absent: SortedMap::new(),
            of_projects: Vec::new(),
            nameless: SortedMap::new(),
            unread: SortedMap::new(),
        };
        for (number, finding) in findings.iter().enumerate() {
            causes.add(number, finding);
        }
        causes
    }

    fn add(&mut self, number: usize, finding: &'f Diagnostic) {
        match &finding.details().about {
            About::AbsentObject(object) => {
                self.absent.entry(place(object)).or_default().insert(&object.name);
            }
            About::InvalidName(object) if finding.severity == Severity::Error => {
                self.invalid_names.entry(object).or_insert(number);
            }
            About::DuplicateObject(object) if finding.severity == Severity::Error => {
                self.duplicates.entry(place(object)).or_default().push(number);
            }
            _ => {}
        }
        self.add_of_project(number, finding);
        if is_about_name(finding)
            && let Some(object) = InputObject::index_at(self.cx.inputs, finding.primary.span)
            && let Some(object) = self.cx.inputs.get(object).filter(|it| it.name.is_empty())
        {
            let kind = (object.gvk.group.as_str(), object.gvk.kind.as_str());
            self.nameless.entry(kind).or_default().push(number);
        }
        if finding.details().about == About::UnknownKind
            && finding.severity == Severity::Error
            && let Some(object) = InputObject::index_at(self.cx.inputs, finding.primary.span)
            && let Some(object) = self.cx.inputs.get(object).filter(|it| !it.name.is_empty())
        {
            self.unread.entry(&object.name).or_insert(number);
        }
        if !is_cause(finding) {
            return;
        }
        let Some(object) = InputObject::index_at(self.cx.inputs, finding.primary.span) else {
            return;
        };
        let known = self.of_objects.entry(object).or_default();
        let is_same = |it: &usize| {
            self.findings.get(*it).is_some_and(|it| {
                (&it.details().about, &it.details().path, it.kubernetes)
                    == (&finding.details().about, &finding.details().path, finding.kubernetes)
            })
        };
        if known.len() < MAX_CAUSES && !known.iter().any(is_same) {
            known.push(number);
        }
    }

    /// The findings that this one can follow from, most likely first.
    pub(super) fn of_finding(&self, number: usize) -> Vec<usize> {
        let Some(finding) = self.findings.get(number) else { return Vec::new() };
        let mut found = Vec::new();
        for place in &finding.details().same_mistake {
            found.extend(self.at(*place));
        }
        for cause in finding.rule.follows {
            match cause {
                Cause::SamePlace => {
                    let here = self.at(finding.primary.span);
                    found.extend(here.filter(|it| self.findings.get(*it).is_some_and(is_error)));
                }
                Cause::Project => found.extend(self.in_projects(finding)),
                Cause::ObjectName => found.extend(self.of_name(finding)),
                cause => found.extend(self.in_objects(*cause, finding)),
            }
        }
        found.extend(self.of_base(finding));
        found.retain(|it| *it != number);
        found
    }

    fn add_of_project(&mut self, number: usize, finding: &Diagnostic) {
        let (place, known) = (finding.primary.span, self.of_projects.len());
        if finding.severity != Severity::Error || known >= MAX_CAUSES {
            return;
        }
        let is_unread = contain(self.cx.unread_projects, place);
        let is_in_project = contain(self.cx.projects, place);
        if is_unread || is_in_project {
            self.of_projects.push((number, is_unread));
        }
    }

    /// The errors in Projects that explain a finding.
    fn in_projects(&self, finding: &Diagnostic) -> Vec<usize> {
        let errors = self.of_projects.iter();
        let errors = errors.filter(|(number, is_unread)| {
            let error = self.findings.get(*number);
            *is_unread || error.is_some_and(|it| explains(Cause::Project, it, finding))
        });
        errors.map(|(number, _)| *number).collect()
    }

    /// The same finding about a missing field in the definition that this definition extends.
    fn of_base(&self, finding: &Diagnostic) -> Vec<usize> {
        let (inputs, About::MissingField(_)) = (self.cx.inputs, &finding.details().about) else {
            return Vec::new();
        };
        let heir = InputObject::index_at(inputs, finding.primary.span);
        let heir = heir.and_then(|it| inputs.get(it)).map(|it| it.place);
        let Some(base) = heir.and_then(|heir| self.cx.bases.get(&heir)) else { return Vec::new() };
        let start = self.findings.partition_point(|it| it.primary.span < base.start_point());
        let inside = self.findings.iter().enumerate().skip(start);
        let inside = inside.take_while(|(_, it)| base.contains(it.primary.span));
        let is_same = |it: &Diagnostic| {
            (it.rule, &it.details().about, &it.details().path)
                == (finding.rule, &finding.details().about, &finding.details().path)
        };
        inside.take(MAX_CAUSES).filter(|(_, it)| is_same(it)).map(|(number, _)| number).collect()
    }

    /// The first findings at a span.
    fn at(&self, place: Span) -> impl Iterator<Item = usize> {
        let start = self.findings.partition_point(|it| it.primary.span < place);
        let here = self.findings.iter().enumerate().skip(start);
        here.take_while(move |(_, it)| it.primary.span == place)
            .take(MAX_CAUSES)
            .map(|(number, _)| number)
    }

    /// The errors that explain a finding, in the objects that its labels point to.
    fn in_objects(&self, cause: Cause, finding: &Diagnostic) -> Vec<usize> {
        let places = std::iter::once(finding.primary.span);
        let places = places.chain(finding.details().secondary.iter().map(|label| label.span));
        let objects: SortedSet<_> =
            places.filter_map(|it| InputObject::index_at(self.cx.inputs, it)).collect();
        let errors = objects.iter().filter_map(|it| self.of_objects.get(it)).flatten().copied();
        let explains =
            |it: &usize| self.findings.get(*it).is_some_and(|it| explains(cause, it, finding));
        errors.filter(explains).collect()
    }

    /// The errors about names of objects that a reference could mean.
    fn of_name(&self, finding: &Diagnostic) -> Vec<usize> {
        let About::AbsentObject(object) = &finding.details().about else { return Vec::new() };
        let invalid = self.invalid_names.get(object).copied();
        // One of two objects with the same name was probably meant to have another name, which can
        // explain one missing name.
        let duplicates = self.duplicates.get(&place(object)).map_or(&[][..], Vec::as_slice);
        let absent = self.absent.get(&place(object)).map_or(0, SortedSet::len);
        let duplicate = duplicates.first().filter(|_| absent <= duplicates.len());
        // An object without a name may be the missing object.
        let nameless =
            self.nameless.get(&(&*object.group, &*object.kind)).map_or(&[][..], Vec::as_slice);
        let nameless = nameless.first().filter(|_| absent <= nameless.len());
        // An object of this name whose kind or version is wrong.
        let unread = self.unread.get(&*object.name).copied();
        let others = duplicate.copied().into_iter().chain(nameless.copied());
        invalid.into_iter().chain(unread).chain(others).collect()
    }
}

/// Whether one of the documents, which are sorted, contains a position.
fn contain(documents: &[Span], place: Span) -> bool {
    let behind = documents.partition_point(|it| it.start_point() <= place);
    let last = behind.checked_sub(1).and_then(|it| documents.get(it));
    last.is_some_and(|it| it.contains(place))
}

fn place(object: &ObjectName) -> Place<'_> {
    (&object.group, &object.kind, &object.namespace)
}

/// Whether an error leaves an object without a name.
fn is_about_name(finding: &Diagnostic) -> bool {
    let is_metadata = |path: &FieldPath| path.is(&["metadata"]) || path.is(&["metadata", "name"]);
    let is_unread = finding.details().about == About::WrongType
        && finding.details().path.as_ref().is_some_and(is_metadata);
    let is_null = matches!(&finding.details().about, About::MissingField(field) if **field == *"name")
        && finding.details().path.as_ref().is_some_and(is_metadata);
    let is_missing = finding.details().about == About::MissingName || is_null;
    finding.severity == Severity::Error && (is_missing || is_unread)
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error && finding.rule.follows.is_empty()
}

/// Whether other findings about the same object can follow from this one. Findings that follow from
/// others are excluded, except those about volumes.
fn is_cause(finding: &Diagnostic) -> bool {
    let is_link = matches!(
        finding.details().about,
        About::AbsentVolume(_) | About::UnnamedVolumeClaim(_) | About::MissingField(_)
    );
    let is_first = finding.rule.follows.is_empty() || is_link;
    let is_open = || leaves_open(&finding.details().about) || is_about_selection(finding);
    finding.severity == Severity::Error && is_first && is_open()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    #[test]
    fn the_project_of_a_position_is_found_among_many() {
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", " ".repeat(3_000_000));
        let projects: Vec<_> =
            (0..100_000).map(|it| Span::new(file, 30 * it, 30 * it + 20)).collect();
        let is_in = |at| contain(&projects, Span::new(file, at, at + 2));
        assert_eq!(
            [0, 18, 19, 20, 29, 30, 2_999_970].map(is_in),
            [true, true, false, false, false, true, true]
        );
        assert!((0..100_000).all(|it| !is_in(30 * it + 25)));
        assert!(!contain(&[], projects[0]));
    }
}
