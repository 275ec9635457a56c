//! What the program that applies an object over another one makes of it.

use super::apply_request::Request;
use super::compare::BothSides;
use super::model::FieldChange;
use crate::applying::{
    self, Failure, Method, Rejected, definition, has_repeated_keys, is_live, server_side,
};
use crate::kube::{GroupVersionKind, LAST_APPLIED, Object, PodSpec};
use crate::lower::{Effect, Outcome};
use crate::project::Applier;
use crate::schema::Object as Definition;
use crate::tree::{Node, Origin, Value};
use crate::validate::update::{LARGEST_MERGED, settle, typed};

/// The effect of an apply.
pub(super) struct Application {
    /// The object that is stored.
    pub(super) stored: Object,
    /// What the file has, and the stored object has not.
    pub(super) lost: Vec<FieldChange>,
    /// The service account that the file removes, and the stored object keeps.
    pub(super) kept_account: Option<String>,
}

impl Application {
    /// The effect if what is stored is what the file has.
    pub(super) fn of_file(new: &Object) -> Self {
        Self { stored: new.clone(), lost: Vec::new(), kept_account: None }
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
            Request::Apply(method) => self.merge(method, old, new)?,
            Request::Replace => Application::of_file(new),
            Request::Leave => Application::of_file(old),
        };
        if is_live(old) {
            settle(&old.root, &mut application.stored);
        }
        Ok(application)
    }

    fn merge(&self, method: Method, old: &Object, new: &Object) -> Result<Application, Rejected> {
        let [_, new_side] = self.sides;
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
        let kept_account = read_account_twin(&mut stored.root, old);
        // Helm 3 leaves fields of a custom resource on purpose.
        let is_left = method == Method::Helm && definition_of(new).is_none();
        let is_whole = is_left || !method.is_client_side() || stored.root.same_value(&new.root);
        let lost = if is_whole { Vec::new() } else { self.lost(&stored, old, new) };
        if new_side.applier() == Some(Applier::Helm) {
            set_marks_of_helm(&old.root, &mut stored.root);
        }
        Ok(Application { stored, lost, kept_account })
    }

    /// What an object has in its file, and not as it is stored.
    fn lost(&self, stored: &Object, old: &Object, new: &Object) -> Vec<FieldChange> {
        let root = at_origin(stored.root.clone(), old.root.origin());
        let new = Object { root: applying::without_nulls(new.root.clone()), ..new.clone() };
        let mut fields =
            self.fields(&Object { root, document: old.document, ..stored.clone() }, &new);
        fields.retain(|field| field.new.iter().any(|shown| !shown.is_default));
        fields
    }
}

/// Sets the label that Helm sets in each object of a release, whatever the chart has.
fn set_marks_of_helm(live: &Node, stored: &mut Node) {
    let is_of_release =
        live.at(&["metadata", "annotations", "meta.helm.sh/release-name"]).is_some();
    let labels = stored.get_mut("metadata").and_then(|metadata| metadata.get_mut("labels"));
    if let Some(labels) = labels.filter(|_| is_of_release) {
        let origin = labels.origin();
        labels.set("app.kubernetes.io/managed-by", Node::string("Helm", origin));
    }
}

/// Whether client-side apply stores another object than the new form.
fn is_changed_by_merge(old: &Object, new: &Object) -> bool {
    let has_repeated =
        |definition| [old, new].iter().any(|object| has_repeated_keys(definition, &object.root));
    is_live(old) || gives_up_account(old, new) || definition_of(new).is_some_and(has_repeated)
}

/// The definition of a built-in kind.
fn definition_of(object: &Object) -> Option<&'static Definition<'static>> {
    definition(object.gvk.group(), object.gvk.version(), object.gvk.kind())
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

/// The outcome of a change whose Pods keep a service account. `outcome` is that of the other changes.
pub(super) fn with_kept_account(outcome: Option<Outcome>, account: &str) -> Outcome {
    const REASON: &str = "the API server stores it in `serviceAccount` too, which stays: write `serviceAccountName: default`";
    let text = format!("the Pods keep the service account `{account}`");
    match outcome {
        Some(mut outcome) => {
            outcome.details.push(format!("{text}: {REASON}"));
            outcome
        }
        None => Outcome::new(Effect::Nothing, format!("no effect: {text}"))
            .with_details(vec![REASON.to_owned()]),
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
    lost: &[FieldChange],
    applier: Option<Applier>,
) -> Outcome {
    const MOST: usize = 3;
    let mut paths: Vec<_> =
        lost.iter().take(MOST).map(|field| format!("`{}`", field.path)).collect();
    if lost.len() > MOST {
        paths.push(format!("{} more", lost.len() - MOST));
    }
    let program = match applier {
        Some(Applier::Helm) => "the merge of Helm 3",
        Some(Applier::ArgoCd) => "the client-side apply of Argo CD",
        _ => "client-side `kubectl apply`",
    };
    let text = format!("{program} loses {}", paths.join(", "));
    let mut outcome = match outcome {
        Some(outcome) => Outcome { text: format!("{text}; {}", outcome.text), ..outcome },
        None => Outcome::new(Effect::Nothing, text),
    };
    let reason =
        "it merges the items of a list by one field, and another item has the same value of it";
    outcome.details.push(reason.to_owned());
    if applier.is_none_or(|applier| applier == Applier::Client) {
        outcome.commands.push(SERVER_SIDE.to_owned());
    }
    outcome
}
