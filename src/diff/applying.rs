//! What the program that applies an object over another one makes of it.

use super::apply_request::Request;
use super::compare::BothSides;
use super::model::{FieldChange, ObjectChange, Shown, is_empty_collection};
use crate::applying::{
    self, Failure, Method, Rejected, definition, has_repeated_keys, is_live, server_side,
};
use crate::findings::secrecy::is_plain;
use crate::kube::{GroupVersionKind, LAST_APPLIED, Object, PodSpec};
use crate::lower::{Effect, Outcome};
use crate::project::Applier;
use crate::tree::{Node, Origin, Value};
use crate::validate::update::{LARGEST_MERGED, settle, typed};

/// The effect of an apply.
pub(super) struct Application {
    /// The object that is stored.
    pub(super) stored: Object,
    /// What the file has, and the stored object has not.
    pub(super) lost: Vec<FieldChange>,
    /// What the file removes, and the stored object keeps.
    pub(super) kept: Option<Kept>,
}

/// What the stored object keeps though the file removes it, because the API server has copied it to another field.
#[derive(Clone, Debug)]
pub(super) enum Kept {
    /// The service account of a Pod.
    Account(String),
    /// Keys of a Secret, as they are shown.
    Keys(Vec<String>),
}

impl Application {
    /// The effect if what is stored is what the file has.
    pub(super) fn of_file(new: &Object) -> Self {
        Self { stored: new.clone(), lost: Vec::new(), kept: None }
    }
}

/// Whether an object of a cluster was not applied with kubectl: a controller, another program or a person made it.
pub(super) fn is_of_others(object: &Object) -> bool {
    let is_applied = || object.root.at(&["metadata", "annotations", LAST_APPLIED]).is_some();
    let is_owned = || object.root.at(&["metadata", "ownerReferences"]).is_some();
    is_live(object) && (is_owned() || !is_applied())
}

impl BothSides<'_> {
    /// Applies the new form of an object over the old one.
    ///
    /// # Errors
    /// If the API server or the program that applies rejects the form.
    pub(super) fn apply(&self, old: &Object, new: &Object) -> Result<Application, Rejected> {
        let mut application = match self.apply_request(old, new).request {
            Request::Apply(method) => {
                let mut application = self.merge(method, old, new)?;
                let keys = keep_string_data(&mut application.stored.root, old, new);
                application.kept = application.kept.or(keys);
                application
            }
            Request::Replace => Application::of_file(new),
            Request::Leave => Application::of_file(old),
        };
        if is_live(old) {
            settle(&old.root, &mut application.stored);
        }
        Ok(application)
    }

    fn merge(&self, method: Method, old: &Object, new: &Object) -> Result<Application, Rejected> {
        let weight = old.root.weight().saturating_add(new.root.weight());
        // Forms of two versions are compared as the API server converts them, which is not known here.
        if old.gvk.version != new.gvk.version
            || weight > LARGEST_MERGED
            || method.is_client_side() && !is_changed_by_merge(old, new)
        {
            return Ok(Application::of_file(new));
        }
        let mut live = old.root.clone();
        write_account_twin(&mut live, old);
        let ty = typed(self.update(), new);
        let mut stored = applying::apply(method, ty, [old, new], live)?;
        let kept = read_account_twin(&mut stored.root, old).map(Kept::Account);
        let is_whole = !method.is_client_side() || stored.root.same_value(&new.root);
        let lost = if is_whole { Vec::new() } else { self.lost(method, &stored, [old, new]) };
        Ok(Application { stored, lost, kept })
    }

    /// What an object has in its file, and not as it is stored.
    fn lost(&self, method: Method, stored: &Object, [old, new]: [&Object; 2]) -> Vec<FieldChange> {
        let root = at_origin(stored.root.clone(), old.root.origin());
        let sent = applying::sent_form(method, &new.root, &old.root).into_owned();
        let new = Object { root: applying::without_nulls(sent), ..new.clone() };
        let mut fields =
            self.fields(&Object { root, document: old.document, ..stored.clone() }, &new);
        // An absent map is an empty one.
        let is_said = |shown: &Shown| !shown.is_default && !is_empty_collection(&shown.node);
        fields.retain(|field| field.new.iter().any(is_said));
        fields
    }
}

/// Whether client-side apply stores another object than the new form.
fn is_changed_by_merge(old: &Object, new: &Object) -> bool {
    let has_repeated =
        |definition| [old, new].iter().any(|object| has_repeated_keys(definition, &object.root));
    is_live(old)
        || gives_up_account(old, new)
        || new.root.has(|value| matches!(value, Value::Null))
        || definition(&new.gvk).is_some_and(has_repeated)
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

/// Removes the deprecated field where the other one is written, which counts then.
pub(super) fn remove_account_twin(root: &mut Node, gvk: &GroupVersionKind) {
    let spec = PodSpec::template_mut(root, gvk).and_then(|template| template.get_mut("spec"));
    if let Some(map) = spec.and_then(Node::as_map_mut).filter(|map| map.get(ACCOUNT).is_some()) {
        map.remove(TWIN);
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

/// Keeps the keys of a Secret that the API server has copied from `stringData` to `data`, where no apply removes them.
fn keep_string_data(stored: &mut Node, old: &Object, new: &Object) -> Option<Kept> {
    if !new.gvk.is("", "Secret") {
        return None;
    }
    let last = applying::last_applied(old)?;
    let has_value = |root: &Node, fields: &[&str], key: &str| {
        fields.iter().any(|field| root.at(&[field, key]).is_some_and(|value| !value.is_null()))
    };
    let is_given_up = |key: &str| !has_value(&new.root, &["data", "stringData"], key);
    let written = last.get("stringData").map_or(&[][..], Node::entries);
    let mut keys = Vec::new();
    for entry in written.iter().filter(|entry| is_given_up(entry.key())) {
        let key = entry.key();
        if is_live(old) && !has_value(stored, &["data"], key) {
            continue;
        }
        // A key that cannot be a name can be a part of a secret.
        let is_name = is_plain(key) && !entry.value().is_null();
        keys.push(if is_name { format!("`{key}`") } else { "a key".to_owned() });
        if !is_live(old) {
            let origin = stored.origin();
            if let Some(text) = stored.map_mut("stringData", origin) {
                text.set(key, entry.value().clone());
            }
        }
    }
    (!keys.is_empty()).then_some(Kept::Keys(keys))
}

/// The outcome of a change that leaves something. `outcome` is that of the other changes.
pub(super) fn with_kept(outcome: Option<Outcome>, kept: &Kept) -> Outcome {
    let (text, reason) = match kept {
        Kept::Account(account) => (
            format!("the Pods keep the service account `{account}`"),
            "the API server stores it in `serviceAccount` too, which stays: write `serviceAccountName: default`",
        ),
        Kept::Keys(keys) => (
            format!("the Secret keeps {}", keys.join(", ")),
            "the API server has copied `stringData` to `data`, where no apply removes it: use `kubectl replace`",
        ),
    };
    match outcome {
        Some(mut outcome) => {
            outcome.details.push(format!("{text}: {reason}"));
            outcome
        }
        None => Outcome::new(Effect::Nothing, format!("no effect: {text}"))
            .with_details(vec![reason.to_owned()]),
    }
}

/// The outcome of an apply that fails.
pub(super) fn of_rejection(rejected: &Rejected) -> Outcome {
    match rejected {
        Rejected::ClientSide(failure) => of_failure(failure),
        Rejected::ServerSide(failure) => {
            let outcome = Outcome::new(Effect::Replaced, "server-side apply fails")
                .with_details(vec![failure.to_string().replace('\n', " ")]);
            match failure {
                server_side::Failure::Conflicts(_) => outcome.run_some(Some(
                    "kubectl apply --server-side --force-conflicts -f FILE".to_owned(),
                )),
                _ => outcome,
            }
        }
    }
}

fn of_failure(failure: &Failure) -> Outcome {
    let (Failure::Patch(cause) | Failure::Merge(cause)) = failure;
    of_client_side_failure(cause.to_string())
}

fn of_client_side_failure(reason: String) -> Outcome {
    Outcome::new(Effect::Replaced, "client-side `kubectl apply` fails")
        .with_details(vec![reason])
        .run_some(Some(SERVER_SIDE.to_owned()))
}

/// The outcome of an object that is too large for client-side apply.
pub(super) fn of_size() -> Outcome {
    of_client_side_failure("the JSON of the object does not fit into an annotation".to_owned())
}

const SERVER_SIDE: &str = "kubectl apply --server-side -f FILE";

/// The outcome of a change of which a part is lost.
pub(super) fn with_lost(
    outcome: Option<Outcome>,
    change: &ObjectChange,
    applier: Option<Applier>,
) -> Outcome {
    const MOST: usize = 3;
    let mut paths: Vec<_> =
        change.lost.iter().take(MOST).map(|field| format!("`{}`", field.path)).collect();
    if change.lost.len() > MOST {
        paths.push(format!("{} more", change.lost.len() - MOST));
    }
    let paths = paths.join(", ");
    let merged =
        "it merges the items of a list by one field, and another item has the same value of it";
    let (text, reason) = match applier {
        Some(Applier::Helm) if is_custom(change) => (
            format!("Helm 3 leaves {paths} as in the cluster"),
            "of a custom resource, it only sends what differs from the last release",
        ),
        Some(Applier::Helm) => (format!("the merge of Helm 3 loses {paths}"), merged),
        Some(Applier::ArgoCd) => {
            (format!("the client-side apply of Argo CD loses {paths}"), merged)
        }
        _ => (format!("client-side `kubectl apply` loses {paths}"), merged),
    };
    let mut outcome = match outcome {
        Some(outcome) => Outcome { text: format!("{text}; {}", outcome.text), ..outcome },
        None => Outcome::new(Effect::Nothing, text),
    };
    outcome.details.push(reason.to_owned());
    if applier.is_none_or(|applier| applier == Applier::Client) {
        outcome.commands.push(SERVER_SIDE.to_owned());
    }
    outcome
}

/// Whether a change is one of a custom resource.
fn is_custom(change: &ObjectChange) -> bool {
    change.object().is_some_and(|object| {
        definition(&GroupVersionKind::new(&object.api_version, &object.kind)).is_none()
    })
}
