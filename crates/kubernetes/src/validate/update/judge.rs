//! `Update`: a stored object, the one that is applied over it, and the changes between them.

use super::changes::{Change, Comparison};
use super::{Cx, FIELD_IMMUTABLE, UPDATE_NOT_ALLOWED};
use crate::diag::{Diagnostic, Message, Rule};
use crate::kube::Object;
use crate::scalar::shown;
use crate::schema::{Type, store};
use crate::tree::{Node, Value};
use crate::validate::policies::comparable_form;

/// The longest stored value that a message shows.
const LONGEST_VALUE: usize = 40;

/// Fields whose values can be secrets.
const UNSHOWN: &[&str] = &[
    "annotations",
    "args",
    "attributes",
    "command",
    "data",
    "env",
    "parameters",
    "volumeAttributes",
];

/// The remedy for a change of a field that cannot change.
#[derive(Clone, Copy, Debug)]
pub(super) enum Remedy {
    /// Delete the object but not the Pods that it owns, and apply again.
    Orphan,
    /// Delete the object and apply again.
    Recreate,
    /// Delete the object and apply again; the text is what happens in between.
    RecreateWith(&'static str),
    /// Create another object.
    Rename,
    /// Another remedy.
    Other(&'static str),
}

/// The two forms of an object, as the API server stores them.
pub(super) struct Forms {
    old: Node,
    new: Node,
}

impl Forms {
    pub(super) fn of(cx: Cx<'_>, old: &Object, new: &Object) -> Self {
        let [of_old, of_new] = cx.custom;
        Self {
            old: comparable_form(cx.target, of_old, old, cx.fuel),
            new: comparable_form(cx.target, of_new, new, cx.fuel),
        }
    }
}

/// The update that is judged.
pub(super) struct Update<'u> {
    pub(super) minor: u8,
    /// The objects as they are written.
    pub(super) written_old: &'u Object,
    pub(super) object: &'u Object,
    pub(super) old: &'u Node,
    pub(super) new: &'u Node,
    /// The changes, without those of the status.
    pub(super) changes: Vec<Change<'u>>,
    pub(super) findings: Vec<Diagnostic>,
}

impl<'u> Update<'u> {
    pub(super) fn new(
        cx: Cx<'_>,
        forms: &'u Forms,
        (written_old, object): (&'u Object, &'u Object),
    ) -> Self {
        let Forms { old, new } = forms;
        let gvk = &object.gvk;
        let known = store::kind(&gvk.group, &gvk.version, &gvk.kind);
        let ty = known.and_then(|it| it.definition).map(Type::Object);
        let mut comparison = Comparison::new(object.name_span());
        comparison.compare((Some(old), Some(new)), ty, object.name_span());
        let mut changes = comparison.found;
        // A default stays that the author of neither object has written, and `data` can be written as
        // `stringData`.
        let is_written = |it: &Change<'_>| {
            it.is_in(&["data"]) || [written_old, object].iter().any(|of| it.is_written_in(&of.root))
        };
        changes.retain(|it| !it.is_in(&["status"]) && is_written(it));
        let minor = cx.target.minor();
        Self { minor, written_old, object, old, new, changes, findings: Vec::new() }
    }

    /// Whether the stored object was read from a cluster, whose controllers have set fields.
    pub(super) fn is_from_cluster(&self) -> bool {
        self.old.at(&["metadata", "uid"]).is_some()
    }

    /// The changes at and below a path.
    pub(super) fn changes_in(&self, path: &[&str]) -> impl Iterator<Item = &Change<'u>> {
        self.changes.iter().filter(move |it| it.is_in(path))
    }

    /// Reports the first change at or below a path.
    pub(super) fn immutable(&mut self, path: &[&str], remedy: Remedy) {
        let change = self.changes_in(path).next().cloned();
        if let Some(change) = change {
            self.changed(&change, &path.join("."), remedy);
        }
    }

    /// Reports a change of a field that cannot change.
    pub(super) fn changed(&mut self, change: &Change<'_>, field: &str, remedy: Remedy) {
        let title = self.object.title();
        let message = format!("`{field}` of {title} cannot be changed");
        let finding = Diagnostic::new(&FIELD_IMMUTABLE, change.span, message)
            .at(self.label(change))
            .path(&change.path())
            .note("the API server rejects the update: the field is immutable")
            .help(self.help(remedy));
        self.findings.push(finding);
    }

    /// Reports a change that is not allowed, though other changes of the field are.
    pub(super) fn refuse(
        &mut self,
        change: &Change<'_>,
        message: impl Into<Message>,
        help: impl Into<Message>,
    ) {
        self.report(&UPDATE_NOT_ALLOWED, change, (message, help));
    }

    pub(super) fn report(
        &mut self,
        rule: &'static Rule,
        change: &Change<'_>,
        (message, help): (impl Into<Message>, impl Into<Message>),
    ) {
        let finding = Diagnostic::new(rule, change.span, message)
            .at(self.label(change))
            .path(&change.path())
            .note("the API server rejects the update")
            .help(help);
        self.findings.push(finding);
    }

    /// What was changed: at most the stored value.
    fn label(&self, change: &Change<'_>) -> String {
        let path = change.path();
        let is_secret =
            self.object.gvk.is("", "Secret") || path.fields().any(|it| UNSHOWN.contains(&it));
        let of_defaults = self.object.name_span();
        let is_removed = change.new.is_none_or(|it| it.span() == of_defaults);
        match change.old {
            None => "added".to_owned(),
            Some(_) if is_removed => "removed".to_owned(),
            Some(old) if !is_secret => match brief(old) {
                Some(value) => format!("changed from `{value}`"),
                None => "changed".to_owned(),
            },
            Some(_) => "changed".to_owned(),
        }
    }

    pub(super) fn help(&self, remedy: Remedy) -> String {
        let kind = &self.object.gvk.kind;
        let delete = || {
            let namespace = match self.object.namespace.as_str() {
                "" => String::new(),
                namespace => format!(" --namespace {namespace}"),
            };
            format!(
                "kubectl delete {} {}{namespace}",
                kind.to_lowercase(),
                self.object.shown_name()
            )
        };
        match remedy {
            Remedy::Orphan => format!(
                "delete the {kind} but not its Pods, then apply: `{} --cascade=orphan`",
                delete()
            ),
            Remedy::Recreate => format!("delete the {kind}, then apply: `{}`", delete()),
            Remedy::RecreateWith(between) => {
                format!("delete the {kind}, then apply: `{}`; {between}", delete())
            }
            Remedy::Rename => {
                format!(
                    "create a {kind} with another name, and change the objects that use this one"
                )
            }
            Remedy::Other(text) => text.to_owned(),
        }
    }
}

/// A short scalar.
fn brief(node: &Node) -> Option<String> {
    let text = match &node.value {
        Value::String(text) => shown(text),
        Value::Int(number) => number.to_string(),
        Value::Bool(it) => it.to_string(),
        _ => return None,
    };
    (text.len() <= LONGEST_VALUE && !text.contains('`')).then_some(text)
}
