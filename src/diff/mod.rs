//! The difference between two sets of objects, by object and field, and what happens once it is
//! applied.
//!
//! Both sides are compared in the form in which the API server stores them: with the defaults of
//! their kinds, quantities by value, and without fields that only the server sets. A difference is a
//! field that at least one side writes. Values of secrets are compared and never shown: they are
//! masked before a difference is recorded, so no report can contain them.

mod against;
mod apply_request;
mod applying;
mod compare;
mod items;
mod last;
mod masking;
mod meaning;
mod model;
mod outcome;
mod pairs;
mod partial;
mod renames;
mod report;
mod sequence;
mod unbuilt;

pub use against::{UpdateFindings, check_update};
pub use model::{Diff, Difference, Fate, FieldChange, ObjectAt, ObjectChange, Place, Shown, Side};
pub(crate) use partial::Comparer;
pub use report::{render_diff_github, render_diff_human, render_diff_json, render_diff_markdown};

use apply_request::{ApplyRequest, Request};
use applying::Application;
use compare::BothSides;
use model::object_at;
use pairs::{Pair, pairs, pairs_across_namespaces};
use unbuilt::Unbuilt;

use crate::applying::Method;
use crate::crd::CustomKinds;
use crate::crd::description::System;
use crate::diag::{FieldPath, Severity};
use crate::findings::rendered::Templates;
use crate::kube::{Hook, Object};
use crate::limits::Fuel;
use crate::parallel::ordered_map;
use crate::project::Applier;
use crate::schema::Arena;
use crate::sorted::SortedSet;
use crate::validate::request::{TooLarge, too_large_for};
use crate::validate::update::{Forms, Refusal, judge_forms, judge_merged, refusal_of};

/// Compares two compilations for [`Purpose::Compare`](crate::Purpose::Compare). The old one may have errors: objects
/// that it may lack because of them are not compared.
///
/// ```
/// use sandboxc::{DiffSide, Options, Purpose, Workspace, compile, diff};
///
/// let mut options = Options::default();
/// options.purpose = Purpose::Compare;
/// let [old, new] = ["500m", "0.6"].map(|cpu| {
///     let mut workspace = Workspace::new();
///     let quota = format!("apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: a}}\nspec: {{hard: {{cpu: {cpu}}}}}\n");
///     workspace.add("quota.yaml", quota);
///     workspace
/// });
/// let compiled = [&old, &new].map(|it| compile(it, &options));
/// let [before, after] = &compiled;
/// let found = diff(&DiffSide::new(&old, before), &DiffSide::new(&new, after));
/// assert_eq!(found.objects[0].fields[0].path.to_string(), "spec.hard[cpu]");
/// ```
#[must_use]
pub fn diff(old: &Side<'_>, new: &Side<'_>) -> Diff {
    let unbuilt = Unbuilt::of(old);
    let mut pairs = pairs(old, new, &unbuilt);
    let unknown = unbuilt.take_unknown(&mut pairs, new);
    let mut found = compare([old, new], pairs, |cx, pair| cx.change(pair));
    found.not_compared =
        unknown.into_iter().map(|object| object_at(new.workspace, object)).collect();
    let outcomes = outcome::of_all(&found.objects, [old.objects(), new.objects()], new.applier());
    for (object, outcome) in found.objects.iter_mut().zip(outcomes) {
        object.outcome = outcome;
    }
    note_installed_once(&mut found, new);
    found
}

/// Adds what Helm does with the definitions in the directory `crds/` of a chart.
fn note_installed_once(found: &mut Diff, new: &Side<'_>) {
    let templates = Templates::of(new.workspace);
    for change in &mut found.objects {
        let object = change.new_index().and_then(|index| new.objects().get(index));
        let template = object.and_then(|object| templates.at(object.document));
        let is_of_crds = template.is_some_and(|template| template.contains("/crds/"));
        if let Some(outcome) = change.outcome.as_mut().filter(|_| is_of_crds)
            && change.fate == Fate::Changed
        {
            let text =
                "Helm installs `crds/` once and never updates it: apply the file with kubectl";
            outcome.details.push(text.to_owned());
        }
    }
}

/// Compares two environments, which exist side by side: nothing of one is applied over the other, and their
/// namespaces differ as a whole. Both are compiled for [`Purpose::Compare`](crate::Purpose::Compare).
#[must_use]
pub fn diff_environments(old: &Side<'_>, new: &Side<'_>) -> Diff {
    let pairs = pairs_across_namespaces(old, new);
    let namespaces = pairs.iter().filter_map(Pair::namespaces).collect::<SortedSet<_>>();
    let namespaces = namespaces.into_iter().map(|both| both.map(ToOwned::to_owned)).collect();
    Diff { namespaces, ..compare([old, new], pairs, |cx, pair| cx.difference(pair)) }
}

/// The differences of pairs, in their order.
fn compare<'o>(
    [old, new]: [&Side<'o>; 2],
    pairs: Vec<Pair<'o>>,
    change: impl Fn(&BothSides<'_>, Pair<'o>) -> Option<ObjectChange> + Send + Sync,
) -> Diff {
    let changes = with_cx([old, new], |cx| ordered_map(pairs, |pair| change(cx, pair)));
    let total = changes.len();
    let objects: Vec<_> = changes.into_iter().flatten().collect();
    let unchanged = total.saturating_sub(objects.len());
    let labels = [old.label.clone(), new.label.clone()];
    Diff { objects, unchanged, not_compared: Vec::new(), namespaces: Vec::new(), labels }
}

/// Calls `compare` with the kinds and the fuel of both sides.
fn with_cx<T>(sides: [&Side<'_>; 2], compare: impl FnOnce(&BothSides<'_>) -> T) -> T {
    let arenas = [Arena::new(), Arena::new()];
    let [old, new] = sides;
    let [of_old, of_new] = &arenas;
    let custom = [custom_kinds(old, of_old), custom_kinds(new, of_new)];
    let objects = [new, old].into_iter().flat_map(Side::objects);
    let classes: Vec<_> =
        objects.filter(|object| object.gvk.is("storage.k8s.io", "StorageClass")).collect();
    let bytes = old.workspace.bytes().saturating_add(new.workspace.bytes());
    let fuel = Fuel::of_run(bytes);
    compare(&BothSides { sides, custom: &custom, classes: &classes, fuel: &fuel })
}

fn custom_kinds<'a>(side: &Side<'a>, arena: &'a Arena<'a>) -> CustomKinds<'a> {
    let mut definitions = side.compilation.kinds.definitions.clone();
    definitions.extend(side.objects().iter().cloned());
    let systems =
        side.compilation.kinds.systems.iter().map(|system| serving(system, side.objects()));
    CustomKinds::new(arena, systems, &definitions, side.workspace)
}

/// The release of a system that serves all versions of the objects.
fn serving(system: &'static System, objects: &[Object]) -> &'static System {
    let Some(removed) = system.removed else { return system };
    let is_of_older = |object: &Object| {
        let Object { gvk, .. } = object;
        gvk.version == removed.version
            && system.kinds.iter().any(|kind| gvk.is(kind.group, kind.name))
    };
    if objects.iter().any(is_of_older) { removed.served_by } else { system }
}

/// Whether an object is a hook that is deleted before the new one is created: nothing is applied over it.
fn is_renewed_hook(old: &Object, new: &Object) -> bool {
    Hook::of(old).is_some_and(Hook::is_renewed) && Hook::of(new).is_some()
}

/// Whether a field is part of the identity of an object.
fn is_identity(path: &FieldPath) -> bool {
    ["name", "namespace", "generateName"].iter().any(|it| path.is(&["metadata", it]))
        || path.is(&["apiVersion"])
}

impl BothSides<'_> {
    /// The difference of a pair whose new form is applied; `None` if there is none.
    fn change(&self, pair: Pair<'_>) -> Option<ObjectChange> {
        let (Some(old), Some(new), false) = (pair.old, pair.new, pair.is_renamed) else {
            // Of a cluster, only what was applied can have left the files.
            let is_of_others = pair.new.is_none() && pair.old.is_some_and(applying::is_of_others);
            let change = if is_of_others { None } else { self.difference(pair) }?;
            let outcome =
                pair.new.filter(|new| self.is_too_large(new)).map(|_| applying::of_size());
            return Some(ObjectChange { outcome, ..change });
        };
        if old.root.same_value(&new.root) {
            return None;
        }
        let (application, known) = match self.apply(old, new) {
            Ok(application) => (application, None),
            Err(rejected) => (Application::of_file(new), Some(applying::of_rejection(&rejected))),
        };
        let Application { stored, lost, kept } = application;
        let forms = self.forms(old, &stored);
        let refusals = self.refusals_of(&forms, old, [&stored, new]);
        let mut fields = self.fields_of(forms, old, &stored);
        if fields.is_empty() && !refusals.is_empty() {
            // The API server compares immutable fields as they are stored.
            fields = self.fields_in_order(old, &stored);
        }
        if fields.is_empty() && lost.is_empty() && known.is_none() && kept.is_none() {
            return None;
        }
        let is_error = |refusal: &&Refusal| refusal.finding.severity == Severity::Error;
        let refused = refusals.iter().find(is_error);
        let is_recreated = refused.is_some() && self.apply_request(old, new).is_recreated;
        let refused = match refused {
            Some(_) if is_recreated => Some(outcome::of_recreation()),
            refused => refused.map(|refusal| outcome::of_refusal(refusal, old)),
        };
        let known = known.or_else(|| self.is_too_large(new).then(applying::of_size));
        let outcome = refused.or(known);
        let refusals = if is_recreated { Vec::new() } else { refusals };
        let findings = refusals.into_iter().map(|refusal| refusal.finding).collect();
        let change = self.object_change(pair, Fate::Changed, fields);
        Some(ObjectChange { outcome, findings, lost, kept, ..change })
    }

    /// The difference of a pair, whatever applying it does; `None` if there is none but in the namespace.
    fn difference(&self, pair: Pair<'_>) -> Option<ObjectChange> {
        let (fate, fields) = match (pair.old, pair.new) {
            (Some(old), Some(new)) => {
                let mut fields = self.fields(old, new);
                if pair.is_renamed || pair.namespaces().is_some() {
                    fields.retain(|field| !is_identity(&field.path));
                }
                (if pair.is_renamed { Fate::Renamed } else { Fate::Changed }, fields)
            }
            (Some(_), None) => (Fate::Removed, Vec::new()),
            _ => (Fate::Added, Vec::new()),
        };
        let is_same = fate == Fate::Changed && fields.is_empty();
        (!is_same).then(|| self.object_change(pair, fate, fields))
    }

    fn object_change(&self, pair: Pair<'_>, fate: Fate, fields: Vec<FieldChange>) -> ObjectChange {
        let [old_side, new_side] = self.sides;
        ObjectChange {
            fate,
            old: pair.old.map(|object| object_at(old_side.workspace, object)),
            new: pair.new.map(|object| object_at(new_side.workspace, object)),
            fields,
            outcome: None,
            findings: Vec::new(),
            lost: Vec::new(),
            kept: None,
            at: [pair.old_index, pair.new_index],
        }
    }

    /// What the API server rejects when the new object is applied over the old one.
    fn refusals(&self, old: &Object, new: &Object) -> Vec<Refusal> {
        if old.root.same_value(&new.root) {
            return Vec::new();
        }
        if self.apply_request(old, new).is_recreated {
            return Vec::new();
        }
        match self.apply(old, new) {
            Ok(Application { stored, .. }) => {
                self.refusals_of(&self.forms(old, &stored), old, [&stored, new])
            }
            Err(rejected) => vec![refusal_of(&rejected, new)],
        }
    }

    /// Whether an object is too large for the annotation that the program makes.
    fn is_too_large(&self, new: &Object) -> bool {
        let [_, new_side] = self.sides;
        let has_annotation = new_side.applier().is_none_or(Applier::is_client_side)
            && self.apply_request(new, new).request == Request::Apply(Method::ClientSide);
        has_annotation && too_large_for(new) == Some(TooLarge::ToApply)
    }

    fn apply_request(&self, old: &Object, new: &Object) -> ApplyRequest {
        let [_, new_side] = self.sides;
        ApplyRequest::new(new_side.applier(), old, new)
    }

    /// The changes of the stored form that the API server rejects, and what it rejects in the merged object.
    fn refusals_of(
        &self,
        forms: &Forms,
        old: &Object,
        [stored, new]: [&Object; 2],
    ) -> Vec<Refusal> {
        // An object with a generated name is another one.
        let is_another = new.name.is_empty() || is_renewed_hook(old, new);
        if old.gvk.version != new.gvk.version || is_another {
            return Vec::new();
        }
        let refusals = judge_forms(self.update(), forms, old, stored);
        if !refusals.is_empty() {
            return refusals;
        }
        let [_, new_side] = self.sides;
        let methods = apply_request::methods(new_side.applier(), old, new);
        judge_merged(self.update(), [old, new], &methods)
    }
}
