//! Decides whether an error explains a finding, from the data about both.

use crate::diag::{About, Cause, Diagnostic, FieldPath, Meant, PathStep, owner};

/// Whether a finding can follow from `error` through `cause`. The error is in an object that a
/// label of the finding points to.
pub(super) fn explains(cause: Cause, error: &Diagnostic, finding: &Diagnostic) -> bool {
    match cause {
        Cause::Misplaced => hides(error, finding),
        Cause::Structure => {
            is_structural(&error.details().about)
                || matches!(error.details().about, About::AbsentVolume(_) | About::InvalidKey)
        }
        Cause::Selection => is_about_selection(error),
        Cause::TemplateSelection => is_about_selection(error) && !is_own_label(error),
        Cause::DuplicateObject => matches!(error.details().about, About::DuplicateObject(_)),
        Cause::VolumeClaim => hides_volume(error, finding),
        Cause::Project => hides_setting(error, finding),
        Cause::SamePlace | Cause::ObjectName => false,
    }
}

/// Whether an error in a Project that can be read hides the setting that a finding requires.
fn hides_setting(error: &Diagnostic, finding: &Diagnostic) -> bool {
    if error.details().about == About::UnknownKind {
        return true;
    }
    let is_of = |path: &FieldPath, block: &[&str]| path.starts_with(block);
    if let Some(path) = &error.details().path {
        // An entry of `external` without a kind or a name declares no object.
        let is_undeclared = matches!(error.details().about, About::MissingField(_));
        if is_undeclared && is_of(path, &["spec", "external"]) {
            return matches!(finding.details().about, About::AbsentObject(_));
        }
        // The settings of an unknown environment can declare objects and values.
        if is_undeclared && is_of(path, &["spec", "environments"]) {
            let about = &finding.details().about;
            return matches!(about, About::AbsentObject(_) | About::UndefinedName);
        }
        // A value that was moved out of `values`.
        let is_stray =
            error.details().about == About::UnknownField(None) && path.steps().len() == 2;
        if is_stray && is_of(path, &["spec"]) {
            return finding.details().about == About::UndefinedName;
        }
    }
    let Some(path) =
        error.details().path.as_ref().filter(|_| is_structural(&error.details().about))
    else {
        return false;
    };
    let block = match (&error.details().about, path.steps()) {
        (About::UnknownField(Some(Meant::Field(name))), [_, _]) => Some(&**name),
        (About::UnknownField(Some(Meant::Inside(block))), [_, _]) => block.fields().next(),
        (_, steps) => steps.get(1).and_then(PathStep::field),
    };
    match block {
        None => true,
        Some("external" | "namespace") => matches!(finding.details().about, About::AbsentObject(_)),
        Some("values" | "environments") => finding.details().about == About::UndefinedName,
        Some(_) => {
            !matches!(finding.details().about, About::AbsentObject(_) | About::UndefinedName)
        }
    }
}

/// Whether findings about the same object can follow from an error of this kind.
pub(super) const fn leaves_open(about: &About) -> bool {
    match about {
        About::UnknownField(Some(_))
        | About::WrongType
        | About::DuplicateKey { .. }
        | About::InvalidKey
        | About::UnknownKind
        | About::MissingField(_)
        | About::DuplicateObject(_)
        | About::AbsentVolume(_)
        | About::UnnamedVolumeClaim(_) => true,
        About::Other
        | About::MissingName
        | About::UndefinedName
        | About::UnknownField(None)
        | About::InvalidName(_)
        | About::AbsentObject(_)
        | About::AbsentDataKey => false,
    }
}

/// Whether an error hides the fields that the author intended.
const fn is_structural(about: &About) -> bool {
    matches!(about, About::UnknownField(Some(_)) | About::WrongType | About::DuplicateKey { .. })
}

/// Whether an error is about a selector, or about a label that can be selected.
pub(super) fn is_about_selection(error: &Diagnostic) -> bool {
    let meant = match &error.details().about {
        About::UnknownField(Some(Meant::Field(name))) => Some(&**name),
        _ => None,
    };
    let mut fields = error.details().path.iter().flat_map(FieldPath::fields).chain(meant);
    fields.any(|field| {
        matches!(field, "label" | "labels" | "selector" | "selectors")
            || field.ends_with("Selector")
            || field.ends_with("Selectors")
    })
}

/// Whether the error is about a label of the object itself.
fn is_own_label(error: &Diagnostic) -> bool {
    error.details().path.as_ref().is_some_and(|path| path.starts_with(&["metadata"]))
}

/// Whether an error hides the volume of an entry in `volumeClaimTemplates`.
fn hides_volume(error: &Diagnostic, finding: &Diagnostic) -> bool {
    let About::AbsentVolume(volume) = &finding.details().about else { return false };
    match &error.details().about {
        About::UnnamedVolumeClaim(right) => right.as_ref().is_none_or(|right| right == volume),
        About::UnknownField(Some(Meant::Field(name))) if &**name == "volumes" => {
            let below = finding.details().path.as_ref().map(FieldPath::steps);
            error
                .details()
                .path
                .as_ref()
                .zip(below)
                .is_some_and(|(it, path)| path.starts_with(it.owner()))
        }
        about => {
            let is_in_claims = |path: &FieldPath| {
                path.starts_with(&["spec", "volumeClaimTemplates"]) && path.steps().len() > 2
            };
            is_structural(about) && error.details().path.as_ref().is_some_and(is_in_claims)
        }
    }
}

/// Whether the object or field that a finding reports as missing exists under the path or name that
/// the error reports.
fn hides(error: &Diagnostic, finding: &Diagnostic) -> bool {
    match &error.details().about {
        About::UnknownKind => true,
        // What is inside it is missing too.
        About::MissingField(field) => {
            let paths = error.details().path.as_ref().zip(finding.details().path.as_ref());
            let below = paths.and_then(|(error, it)| it.steps().strip_prefix(error.steps()));
            below.and_then(|it| it.first()).is_some_and(|it| it.field() == Some(field))
        }
        About::DuplicateKey { key, kept } => {
            // The first entry is used, and fields of the second one are ignored.
            let mut fields = finding.details().path.iter().flat_map(FieldPath::fields);
            kept.contains(finding.primary.span) || fields.any(|field| field == &**key)
        }
        About::WrongType => error.details().path.as_ref().is_some_and(|path| {
            is_written_in(path.steps(), path.last_field(), None, finding, false)
        }),
        // `count` next to `expand`: `index` is undefined.
        About::UnknownField(Some(Meant::Inside(block)))
            if finding.details().about == About::UndefinedName
                && error.details().path.as_ref().is_some_and(|it| it.steps().len() == 1) =>
        {
            block.fields().next() == Some("expand")
        }
        About::UnknownField(Some(meant)) => error.details().path.as_ref().is_some_and(|path| {
            let starts_here = error.primary.span.has_begin_of(finding.primary.span);
            is_written_in(path.owner(), path.last_field(), Some(meant), finding, starts_here)
        }),
        _ => false,
    }
}

/// Whether the missing field of a finding can be the one written as `key` in the object at path
/// `at`.
fn is_written_in(
    at: &[PathStep],
    key: Option<&str>,
    meant: Option<&Meant>,
    finding: &Diagnostic,
    starts_here: bool,
) -> bool {
    let Some(incomplete) = &finding.details().path else { return false };
    match &finding.details().about {
        // The first key of an item belongs elsewhere, and so does the item.
        About::MissingField(_)
            if matches!(meant, Some(Meant::Inside(_) | Meant::Sibling(_) | Meant::Elsewhere))
                && (at == incomplete.steps() || at == incomplete.owner())
                && starts_here =>
        {
            true
        }
        About::MissingField(field) => {
            let is_it = key == Some(field);
            // A key after invisible spaces can be at any depth.
            let is_displaced = key.is_some_and(|it| it.trim() == &**field && it.trim() != it);
            is_displaced
                || (is_it || meant.is_some_and(|it| it.brings(field)))
                    && is_one_step_away(at, incomplete.steps())
                || meant.is_some_and(|it| it.contains(at, incomplete))
                || meant == Some(&Meant::Elsewhere)
                    && incomplete.steps().starts_with(owner(at))
                    && incomplete.fields().any(|field| Some(field) == key)
        }
        About::MissingName => match at {
            [] => true,
            [only] => only.field() == Some("metadata"),
            _ => false,
        },
        _ => {
            at.starts_with(incomplete.steps()) && (at.is_empty() || !incomplete.steps().is_empty())
                || incomplete.owner() == at
                || meant.is_some_and(|it| it.contains(at, incomplete))
                || incomplete.fields().any(|field| Some(field) == key)
        }
    }
}

/// Whether two paths are equal, siblings, or parent and child, which is how far a field moves if it
/// is indented by one level too few or too many.
fn is_one_step_away(one: &[PathStep], other: &[PathStep]) -> bool {
    let (around_one, around_other) = (owner(one), owner(other));
    one == other || around_one == other || one == around_other || around_one == around_other
}
