//! Fields at the wrong level: where they belong, and the edit that moves them there.

use super::owners::enclosing_owner;
use super::slips::entries_behind;
use super::unknown::{about_meant, first_field};
use super::{Mode, Position, Scope, Walk};
use crate::diag::{Diagnostic, Meant, Message, message};
use crate::schema::Object;
use crate::source::Span;
use crate::tree::{Entry, Map};

/// Where a field belongs, or how it is written.
pub(super) struct Level {
    text: Message,
    /// The lines to replace, and their replacement.
    edit: Option<(Span, String)>,
    meant: Meant,
}

impl Level {
    /// Advice without an edit.
    pub(super) fn described(text: Message, meant: Meant) -> Self {
        Self { text, edit: None, meant }
    }

    /// Advice with an edit.
    pub(super) fn edited(text: impl Into<Message>, at: Span, edit: &str, meant: Meant) -> Self {
        Self { text: text.into(), edit: Some((at, edit.to_owned())), meant }
    }

    pub(super) fn add_to(self, finding: Diagnostic) -> Diagnostic {
        let finding = finding.about(about_meant(self.meant));
        match self.edit {
            Some((lines, edit)) => finding.suggest(lines, edit, self.text),
            None => finding.help(self.text),
        }
    }
}

impl Walk<'_> {
    /// The first key of a list item that is a field of the object with the list: a dash too many.
    pub(super) fn behind_dash(&self, entry: &Entry, place: &Position<'_>) -> Option<Level> {
        let key = &entry.key;
        let item =
            place.scope.filter(|scope| scope.is_item && scope.at == entry.key_origin().span());
        let owner = item.and_then(|it| it.parent).filter(|owner| self.lacks(owner, key))?;
        Some(Level { text: self.dash_too_many(key, owner), edit: None, meant: Meant::Elsewhere })
    }

    /// Whether an object can have a field that it does not have.
    pub(super) fn lacks(&self, scope: &Scope<'_>, key: &str) -> bool {
        scope.object.property_in(key, self.cx.target).is_some() && scope.map.entry(key).is_none()
    }

    /// The help for a field with a dash too many.
    pub(super) fn dash_too_many(&self, key: &str, owner: &Scope<'_>) -> Message {
        message!("remove the `- `: `{key}` is a field of `{}`", self.name_of(owner))
    }

    /// The nearest enclosing object that has the field.
    pub(super) fn further_out(&self, entry: &Entry, place: &Position<'_>) -> Option<Level> {
        let key = &entry.key;
        let (levels, outer, below) = enclosing_owner(key, place.scope, self.cx.target)?;
        let owner = self.name_of(outer);
        let out = if levels == 1 { "one level".into() } else { message!("{levels} levels") };
        let is_free = outer.map.entry(key).is_none();
        Some(Level {
            text: message!("`{key}` is a field of `{owner}`: move it {out} out"),
            edit: self.moved_out(entry, below).filter(|_| is_free),
            meant: Meant::Elsewhere,
        })
    }

    /// The nested object at the path `inner`, which has the field. The lines after the field can
    /// belong there as well, if the map does not have the object.
    pub(super) fn further_in(
        &self,
        inner: &str,
        entry: &Entry,
        map: &Map,
        object: &Object<'_>,
        place: &Position<'_>,
    ) -> Level {
        let key = &entry.key;
        let is_there = map.get(inner).is_some_and(|inner| inner.get(key).is_some());
        let is_first = |next: &Entry| {
            let first = self.same_as_missing_object_before(next, map, object);
            first == Some(entry.key_origin().span())
        };
        let meant = Meant::Inside(inner.into());
        if entries_behind(entry, map).any(is_first) {
            let text = message!("write `{inner}:` above `{key}` and the lines after it");
            let around = place.scope.filter(|scope| !scope.is_item);
            let is_all = entries_behind(entry, map).all(is_first);
            let edit = around
                .and_then(|scope| self.below_new_key(entry, inner, scope.at, true))
                .or_else(|| self.within_new_key(entry, map, inner).filter(|_| is_all));
            return Level { text, edit, meant };
        }
        let text = if is_there {
            message!("remove it: `{inner}` already has `{key}`")
        } else {
            message!("`{key}` belongs in `{inner}`: move it there")
        };
        let is_free = !inner.contains(['.', '[']) && map.entry(inner).is_none();
        let edit = if is_free && !is_there { self.wrapped(entry, inner) } else { None };
        Level { text, edit, meant }
    }

    /// The object next to the one with the field: `spec` for a field in `metadata`.
    pub(super) fn next_to(
        &self,
        entry: &Entry,
        map: &Map,
        object: &Object<'_>,
        place: &Position<'_>,
    ) -> Option<Level> {
        let key = &entry.key;
        // In a custom resource the same name deep below something else is mostly another thing.
        let is_sure = |path: &str| self.cx.mode != Mode::Custom || !path.contains('.');
        let (owner, beside) = self.beside(key, place.scope).filter(|(_, path)| is_sure(path))?;
        let name = first_field(&beside);
        let meant = Meant::Sibling(name.into());
        let is_first = |next: &Entry| {
            let first = self.same_as_sibling_before(next, map, object, place);
            first == Some(entry.key_origin().span())
        };
        let is_missing = place
            .scope
            .and_then(|it| it.parent)
            .is_some_and(|parent| parent.map.entry(name).is_none());
        let around = place.scope.filter(|scope| !scope.is_item && is_missing);
        if let Some(around) = around
            && entries_behind(entry, map).any(is_first)
        {
            let text = message!("write `{name}:` above `{key}` and the lines after it");
            let edit = self.below_new_key(entry, name, around.at, false);
            return Some(Level { text, edit, meant });
        }
        let text = message!("`{key}` belongs in `{beside}` of {owner}: move it there");
        Some(Level { text, edit: None, meant })
    }
}
