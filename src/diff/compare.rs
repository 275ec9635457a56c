//! The comparison of two objects, field by field.

use super::applying::remove_account_twin;
use super::masking::is_masked;
use super::meaning::{self, canonical_written, same_scalar};
use super::model::{Difference, FieldChange, Shown, Side, place_of};
use crate::crd::CustomKinds;
use crate::diag::{FieldPath, PathStep};
use crate::findings::secrecy::{Inside, Veil};
use crate::kube::{Object, PodSpec};
use crate::limits::Fuel;
use crate::schema::{self, Type, store};
use crate::tree::{Entry, Node, Value};
use crate::validate::type_of_object;
use crate::validate::update::{self, Forms};

/// The two sides of a comparison. Of a pair, the first is always that of the old side.
#[derive(Clone, Copy)]
pub(super) struct BothSides<'c> {
    pub(super) sides: [&'c Side<'c>; 2],
    pub(super) custom: &'c [CustomKinds<'c>; 2],
    /// Each StorageClass of both sides, those of the new side first.
    pub(super) classes: &'c [&'c Object],
    pub(super) fuel: &'c Fuel<'c>,
}

/// The value at a path, on one side.
#[derive(Clone, Copy, Default)]
pub(super) struct Position<'n> {
    /// The value as the API server stores it.
    pub(super) stored: Option<&'n Node>,
    /// The value that the author or a definition wrote.
    pub(super) written: Option<&'n Node>,
    /// Whether it is secret.
    pub(super) veil: Veil,
}

impl<'n> Position<'n> {
    /// What is secret inside a map.
    fn inside(self) -> Option<Inside> {
        self.written.or(self.stored).map(|it| self.veil.inside(it))
    }

    /// The value under a key of a map.
    fn field(self, key: &str, inside: Option<Inside>) -> Self {
        let value = |owner: Option<&'n Node>| owner.and_then(|it| it.get(key));
        let (stored, written) = (value(self.stored), value(self.written));
        let veil = inside.map_or(self.veil, |inside| inside.below(key, written.or(stored)));
        Self { stored, written, veil }
    }

    /// Whether the value is secret as a whole.
    fn hides_all(self) -> bool {
        self.written.or(self.stored).is_some_and(|it| self.veil.hides_all(it))
    }

    /// The item of a list.
    pub(super) fn item(self, index: usize) -> Self {
        let value = |owner: Option<&'n Node>| owner.and_then(|it| it.items().get(index));
        let (stored, written) = (value(self.stored), value(self.written));
        Self { stored, written, veil: self.veil.item() }
    }

    pub(super) fn items(self) -> &'n [Node] {
        self.stored.map_or(&[], Node::items)
    }

    fn entries(self) -> &'n [Entry] {
        self.stored.map_or(&[], Node::entries)
    }
}

/// The facts about a value that both sides share.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) ty: Type<'a>,
    /// The object that has the field, and the field.
    pub(super) owner: Option<&'a schema::Object<'a>>,
    pub(super) field: &'a str,
    /// The rest of the path of the Pod template; `None` outside of it.
    template: Option<&'a [&'a str]>,
    /// Whether the order of every list counts, as in a Pod template.
    pub(super) is_ordered: bool,
    /// Whether the object is of a built-in kind, which is stored without empty lists.
    is_built_in: bool,
}

/// The comparison of two objects.
pub(super) struct Comparison<'c> {
    cx: BothSides<'c>,
    steps: Vec<PathStep>,
    found: Vec<FieldChange>,
}

impl BothSides<'_> {
    /// The fields of an object that differ.
    pub(super) fn fields(&self, old: &Object, new: &Object) -> Vec<FieldChange> {
        if old.root.same_value(&new.root) {
            return Vec::new();
        }
        self.fields_of(self.forms(old, new), old, new)
    }

    /// The fields of an object that differ, by its stored forms.
    pub(super) fn fields_of(&self, forms: Forms, old: &Object, new: &Object) -> Vec<FieldChange> {
        let [_, custom] = self.custom;
        self.fields_around(Around::root(new, custom), forms, old, new)
    }

    /// The fields of an object that differ, if the order of every list counts.
    pub(super) fn fields_in_order(&self, old: &Object, new: &Object) -> Vec<FieldChange> {
        let [_, custom] = self.custom;
        let around = Around { is_ordered: true, ..Around::root(new, custom) };
        self.fields_around(around, self.forms(old, new), old, new)
    }

    fn fields_around(
        &self,
        around: Around<'_>,
        forms: Forms,
        old: &Object,
        new: &Object,
    ) -> Vec<FieldChange> {
        let mut stored = [forms.old, forms.new];
        stored.iter_mut().for_each(meaning::remove_fields_of_server);
        let mut written = [old, new].map(canonical_written);
        for root in stored.iter_mut().chain(&mut written) {
            remove_account_twin(root, &new.gvk);
        }
        if let Some(facts) = new.gvk.facts() {
            meaning::remove_values_of_absent_fields(facts, &mut stored);
            meaning::remove_values_of_absent_fields(facts, &mut written);
        }
        let ([old_stored, new_stored], [old_written, new_written]) = (stored, written);
        let old_position = Position {
            stored: Some(&old_stored),
            written: Some(&old_written),
            veil: Veil::of_root(),
        };
        let new_position = Position {
            stored: Some(&new_stored),
            written: Some(&new_written),
            veil: Veil::of_root(),
        };
        let mut comparison = Comparison { cx: *self, steps: Vec::new(), found: Vec::new() };
        comparison.value(old_position, new_position, around);
        comparison.found
    }

    /// Both forms of an object as the API server stores them.
    pub(super) fn forms(&self, old: &Object, new: &Object) -> Forms {
        Forms::of(self.update(), old, new)
    }

    /// The context in which the update is judged.
    pub(super) fn update(&self) -> update::UpdateContext<'_> {
        let [old_side, new_side] = self.sides;
        let [of_old, of_new] = self.custom;
        // The version of the new side: a newer server does not change what is written.
        let target = new_side.target().max(old_side.target());
        update::UpdateContext {
            target,
            custom: [of_old, of_new],
            classes: self.classes,
            fuel: self.fuel,
        }
    }
}

impl Comparison<'_> {
    /// Compares two values.
    pub(super) fn value(&mut self, old: Position<'_>, new: Position<'_>, around: Around<'_>) {
        if old.written.is_none() && new.written.is_none() {
            // Both are defaults, which follow from other fields.
            return;
        }
        let is_hidden = old.hides_all() || new.hides_all();
        match (old.stored.map(|it| &it.value), new.stored.map(|it| &it.value)) {
            (None, None) => {}
            (None, Some(Value::List(items))) | (Some(Value::List(items)), None)
                if items.is_empty() && around.is_built_in && around.is_list() => {}
            (Some(_), Some(_)) if is_hidden && self.is_same(old, new, around) => {}
            (Some(Value::Map(_)), Some(Value::Map(_))) if !is_hidden => self.map(old, new, around),
            (Some(Value::List(_)), Some(Value::List(_))) if !is_hidden => {
                self.list(old, new, around);
            }
            (Some(_), Some(_)) if self.is_same(old, new, around) => {}
            (of_old, of_new) => {
                let both =
                    old.stored.zip(new.stored).filter(|_| of_old.is_some() && of_new.is_some());
                let is_quantity =
                    both.is_some_and(|(old, new)| meaning::is_same_amount(old, new, around.ty));
                let [old, new] = [(0, old), (1, new)].map(|(at, it)| self.shown(at, it));
                let difference = if is_quantity { Difference::Quantity } else { Difference::Value };
                self.push(difference, old.into_iter().collect(), new.into_iter().collect());
            }
        }
    }

    fn is_same(&self, old: Position<'_>, new: Position<'_>, around: Around<'_>) -> bool {
        let (Some(old), Some(new)) = (old.stored, new.stored) else { return false };
        same_scalar(old, new, meaning::is_quantity(around.ty, &self.steps))
    }

    fn map(&mut self, old: Position<'_>, new: Position<'_>, around: Around<'_>) {
        let only_new = |it: &&Entry| old.stored.is_none_or(|old| old.get(&it.key).is_none());
        let [in_old, in_new] = [old, new].map(Position::inside);
        // The encoding of some types writes `null` for an absent value.
        let is_set = |it: &&Entry| !it.value.is_null();
        let first = old.entries().iter().filter(is_set);
        let then = new.entries().iter().filter(is_set).filter(only_new);
        for Entry { key, .. } in first.chain(then) {
            let (below, step) = around.below(key);
            self.steps.push(step);
            self.value(old.field(key, in_old), new.field(key, in_new), below);
            self.steps.pop();
        }
    }

    /// Compares two values at one more step.
    pub(super) fn at(
        &mut self,
        step: PathStep,
        old: Position<'_>,
        new: Position<'_>,
        around: Around<'_>,
    ) {
        self.steps.push(step);
        self.value(old, new, around);
        self.steps.pop();
    }

    /// Records a difference at the current path.
    pub(super) fn push(&mut self, difference: Difference, old: Vec<Shown>, new: Vec<Shown>) {
        let path: FieldPath = self.steps.iter().cloned().collect();
        let has_secret = |side: &[Shown]| side.iter().any(|it| is_masked(&it.node));
        let (mut old, mut new) = (old, new);
        let [in_old, in_new] = [&old, &new].map(|it| has_secret(it));
        // Only one side says that it is a secret: the other is the output of that, or what it was before.
        if in_old != in_new {
            let other = if in_old { &mut new } else { &mut old };
            other.iter_mut().for_each(Shown::hide);
        }
        let is_hidden = in_old || in_new;
        self.found.push(FieldChange { path, difference, old, new, is_hidden });
    }

    /// A value for reports, without secrets.
    pub(super) fn shown(&self, at: usize, position: Position<'_>) -> Option<Shown> {
        let (node, is_default) = match (position.written, position.stored) {
            (Some(written), _) => (written, false),
            (None, stored) => (stored?, true),
        };
        let side = self.cx.sides.get(at)?;
        let masked = side.masking.masked(node, position.veil);
        let mut place = (!is_default).then(|| place_of(side.workspace, node.origin()));
        if let Some(place) = place.as_mut().filter(|_| is_masked(&masked)) {
            place.source = None;
        }
        Some(Shown { node: masked, place, is_default })
    }
}

impl<'a> Around<'a> {
    /// At the root of an object.
    pub(super) fn root(object: &Object, custom: &'a CustomKinds<'a>) -> Self {
        let template = PodSpec::template_fields(&object.gvk);
        Self {
            ty: type_of_object(custom, &object.gvk),
            owner: None,
            field: "",
            template: template.filter(|it| !it.is_empty()),
            is_ordered: template.is_some_and(<[_]>::is_empty),
            is_built_in: store::kind(object.gvk.group(), object.gvk.version(), object.gvk.kind())
                .is_some(),
        }
    }

    /// At the value under a key.
    pub(super) fn below<'k>(&self, key: &'k str) -> (Around<'k>, PathStep)
    where
        'a: 'k,
    {
        let (ty, owner, is_field) = match self.ty.base() {
            Type::Object(object) => match object.property(key) {
                Some(property) => (property.value, Some(object), true),
                None => (object.others.unwrap_or(Type::Any), None, false),
            },
            Type::Map(values) => (*values, None, false),
            _ => (Type::Any, None, meaning::is_field_name(key)),
        };
        let rest = match self.template {
            Some([first, rest @ ..]) if *first == key => Some(rest),
            _ => None,
        };
        let is_ordered = self.is_ordered || rest.is_some_and(<[_]>::is_empty);
        let below = Around { ty, owner, field: key, template: rest, is_ordered, ..*self };
        let step = if is_field { PathStep::Field(key.into()) } else { PathStep::Key(key.into()) };
        (below, step)
    }

    fn is_list(&self) -> bool {
        matches!(self.ty.base(), Type::List(_))
    }

    /// At an item of the list.
    pub(super) fn items(&self) -> Around<'a> {
        let ty = match self.ty.base() {
            Type::List(list) => list.items,
            _ => Type::Any,
        };
        Around { ty, owner: None, template: None, ..*self }
    }
}
