//! What client-side `kubectl apply` makes of an object that is applied over another one.

use super::compare::Cx;
use super::model::FieldChange;
use crate::applying::{Applied, Cause, Failure, Forms, client_side, definition, has_repeated_keys};
use crate::kube::{LAST_APPLIED, Object, PodSpec};
use crate::lower::{Effect, Outcome};
use crate::tree::{Node, Origin, Value};

/// The largest weight of both forms of an object that is merged.
const LARGEST: usize = 100_000;

/// The effect of an apply.
pub(super) struct Application {
    /// The object that is stored.
    pub(super) stored: Object,
    /// What the file has, and the stored object has not.
    pub(super) lost: Vec<FieldChange>,
    /// What happens if the stored object keeps the service account that the file removes.
    pub(super) kept_account: Option<Outcome>,
}

impl Application {
    /// The effect if what is stored is what the file has.
    fn of_file(new: &Object) -> Self {
        Self { stored: new.clone(), lost: Vec::new(), kept_account: None }
    }
}

/// Whether an object was read from a cluster.
pub(super) fn is_live(object: &Object) -> bool {
    object.root.at(&["metadata", "uid"]).is_some()
}

/// Whether an object of a cluster was not applied with kubectl: a controller, another program or a person made it.
pub(super) fn is_of_others(object: &Object) -> bool {
    let is_applied = || object.root.at(&["metadata", "annotations", LAST_APPLIED]).is_some();
    let is_owned = || object.root.at(&["metadata", "ownerReferences"]).is_some();
    is_live(object) && (is_owned() || !is_applied())
}

/// The form of an object that was applied last. What is not live is its own last form; a live object without the
/// annotation was not applied with kubectl, and then nothing is removed from it.
fn last_applied(old: &Object) -> Option<Node> {
    let annotation = old.root.str_at(&["metadata", "annotations", LAST_APPLIED]);
    match annotation {
        Some(text) => {
            let json = serde_json::from_str(text).ok()?;
            Some(Node::from_json(json, old.root.origin()))
        }
        None => (!is_live(old)).then(|| old.root.clone()),
    }
}

impl Cx<'_> {
    /// Applies the new form of an object over the old one. Another program than client-side apply loses nothing.
    ///
    /// # Errors
    /// If kubectl or the API server rejects the patch.
    pub(super) fn apply(&self, old: &Object, new: &Object) -> Result<Application, Failure> {
        let [_, new_side] = self.sides;
        let applied = self.apply_client_side(old, new);
        let is_lossless = applied.as_ref().is_ok_and(|application| application.lost.is_empty());
        if is_lossless || new_side.compilation.is_applied_client_side {
            return applied;
        }
        Ok(Application::of_file(new))
    }

    fn apply_client_side(&self, old: &Object, new: &Object) -> Result<Application, Failure> {
        let gvk = &new.gvk;
        // Forms of two versions are compared as the API server converts them, which is not known here.
        if old.gvk.version != gvk.version {
            return Ok(Application::of_file(new));
        }
        let definition = definition(gvk.group(), gvk.version(), gvk.kind());
        let has_repeated = |definition| {
            [old, new].iter().any(|object| has_repeated_keys(definition, &object.root))
        };
        let is_merged =
            is_live(old) || gives_up_account(old, new) || definition.is_some_and(has_repeated);
        // The merge of large lists is quadratic, as in kubectl.
        if !is_merged || old.root.weight().saturating_add(new.root.weight()) > LARGEST {
            return Ok(Application::of_file(new));
        }
        // Values that stay belong to the new side, which has not written them.
        let mut live = at_origin(old.root.clone(), new.root.origin());
        if let Some(metadata) = live.get_mut("metadata").and_then(Node::as_map_mut) {
            metadata.remove("managedFields");
        }
        write_account_twin(&mut live, old);
        let applied_before = last_applied(old);
        let forms = Forms { last: applied_before.as_ref(), new: &new.root, live: &live };
        let Applied { result: mut root, .. } = client_side(definition, forms)?;
        let kept_account = read_account_twin(&mut root, old);
        let kept_account = kept_account.as_deref().map(of_kept_account);
        take_written(&mut root, &new.root);
        let is_whole = root.same_value(&new.root);
        let stored = Object { root, ..new.clone() };
        let lost = if is_whole { Vec::new() } else { self.lost(&stored, old, new) };
        Ok(Application { stored, lost, kept_account })
    }

    /// What an object has in its file, and not as it is stored.
    fn lost(&self, stored: &Object, old: &Object, new: &Object) -> Vec<FieldChange> {
        let root = at_origin(stored.root.clone(), old.root.origin());
        let mut fields =
            self.fields(&Object { root, document: old.document, ..stored.clone() }, new);
        fields.retain(|field| field.new.iter().any(|shown| !shown.is_default));
        fields
    }
}

/// Replaces values that the new form has as well by those, for their origins.
fn take_written(stored: &mut Node, written: &Node) {
    if stored.same_value(written) {
        stored.clone_from(written);
        return;
    }
    match &mut stored.value {
        Value::Map(map) => {
            for field in map.fields_mut() {
                if let Some(written) = written.get(field.key) {
                    take_written(field.value, written);
                }
            }
        }
        Value::List(items) => {
            for (item, written) in items.iter_mut().zip(written.items()) {
                take_written(item, written);
            }
        }
        _ => {}
    }
}

/// A tree all of whose values have one origin.
fn at_origin(node: Node, origin: Origin) -> Node {
    let value = match node.value {
        Value::List(items) => {
            Value::List(items.into_iter().map(|item| at_origin(item, origin)).collect())
        }
        Value::Map(map) => {
            let entries = map.into_entries().into_iter().map(|mut entry| {
                entry.set_key_origin(origin);
                entry.value = at_origin(entry.value, origin);
                entry
            });
            Value::Map(entries.collect())
        }
        value => value,
    };
    Node::new(value, origin)
}

/// The deprecated field in which the API server stores the service account of a Pod as well.
const TWIN: &str = "serviceAccount";
const ACCOUNT: &str = "serviceAccountName";

/// Whether the service account of a Pod is no longer written.
fn gives_up_account(old: &Object, new: &Object) -> bool {
    let has_account =
        |object| PodSpec::of(object).is_some_and(|pod| pod.spec.get(ACCOUNT).is_some());
    has_account(old) && !has_account(new)
}

fn pod_spec<'n>(root: &'n mut Node, object: &Object) -> Option<&'n mut Node> {
    PodSpec::template_mut(root, &object.gvk)?.get_mut("spec")
}

/// Adds the field that the API server has stored (`Convert_core_PodSpec_To_v1_PodSpec`).
fn write_account_twin(live: &mut Node, object: &Object) {
    let Some(spec) = pod_spec(live, object) else { return };
    let Some(account) = spec.get(ACCOUNT).cloned() else { return };
    let origin = account.origin();
    if let Some(map) = spec.as_map_mut().filter(|map| map.get(TWIN).is_none()) {
        map.insert(TWIN, origin, account);
    }
}

/// Reads that field as the API server does: it counts where the other one is absent. Returns the account then.
fn read_account_twin(root: &mut Node, old: &Object) -> Option<String> {
    let had_twin = PodSpec::of(old).is_some_and(|pod| pod.spec.get(TWIN).is_some());
    let map = pod_spec(root, old)?.as_map_mut()?;
    let twin = map.get(TWIN)?.clone();
    if !had_twin {
        map.remove(TWIN);
    }
    if map.get(ACCOUNT).is_some() {
        return None;
    }
    let account = twin.as_str().map(str::to_owned);
    map.insert(ACCOUNT, twin.origin(), twin);
    account
}

fn of_kept_account(account: &str) -> Outcome {
    let text = format!("no effect: the Pods keep the service account `{account}`");
    let detail = "the API server stores it in `serviceAccount` too, which stays: write `serviceAccountName: default`";
    Outcome::new(Effect::Nothing, text).with_details(vec![detail.to_owned()])
}

/// The outcome of an apply that fails.
pub(super) fn of_failure(failure: &Failure) -> Outcome {
    let (Failure::Patch(cause) | Failure::Merge(cause)) = failure;
    let detail = match cause {
        Cause::Order(list) => {
            format!("two items of `{list}` have the key by which kubectl merges them")
        }
        Cause::UnknownField(field) => format!("kubectl does not know the type of `{field}`"),
        Cause::NoMergeKey(key) => format!("an item of a list has no `{key}`"),
        Cause::MixedTypes => "the items of a list have different types".to_owned(),
        Cause::ListOfLists => "a list contains lists".to_owned(),
        Cause::Directive(key) => format!("`{key}` is a directive of a patch"),
        Cause::Identity => "the kind or the name of the object would change".to_owned(),
    };
    Outcome::new(Effect::Replaced, "client-side `kubectl apply` fails")
        .with_details(vec![detail])
        .run_some(Some(SERVER_SIDE.to_owned()))
}

const SERVER_SIDE: &str = "kubectl apply --server-side -f FILE";

/// The outcome of a change of which a part is lost.
pub(super) fn with_lost(outcome: Option<Outcome>, lost: &[FieldChange]) -> Outcome {
    const MOST: usize = 3;
    let mut paths: Vec<_> =
        lost.iter().take(MOST).map(|field| format!("`{}`", field.path)).collect();
    if lost.len() > MOST {
        paths.push(format!("{} more", lost.len() - MOST));
    }
    let text = format!("client-side `kubectl apply` loses {}", paths.join(", "));
    let mut outcome = match outcome {
        Some(outcome) => Outcome { text: format!("{text}; {}", outcome.text), ..outcome },
        None => Outcome::new(Effect::Nothing, text),
    };
    let reason = "kubectl merges the items of a list by one field, and another item has the same value of it";
    outcome.details.push(reason.to_owned());
    outcome.commands.push(SERVER_SIDE.to_owned());
    outcome
}
