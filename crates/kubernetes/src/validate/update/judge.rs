//! `Update`: a stored object, the one that is applied over it, and the changes between them.

use super::changes::{Change, Comparison};
use super::{FIELD_IMMUTABLE, UPDATE_NOT_ALLOWED, UpdateContext};
use crate::crd::Finding as Violation;
use crate::diag::{Diagnostic, Message, brief as brief_text, message};
use crate::kube::{GroupVersionKind, Object};
use crate::scalar::shown;
use crate::schema::{Type, store};
use crate::tree::{Node, Value};
use crate::validate::objects::is_dropped;
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
pub enum Remedy {
    /// Delete the object but not the Pods that it owns, and apply again.
    Orphan,
    /// Delete the object and apply again.
    Recreate,
    /// Delete the binding and apply again: its subjects have no access in between.
    RecreateBinding,
    /// Create another object.
    Rename,
    /// Create another object: this one was declared immutable.
    RenameImmutable,
    /// Create another object, and copy the data of this one.
    Copy,
    /// Restore the stored value, or delete the object with all that it owns and apply again: a rule of
    /// its definition rejects the change.
    Restore,
}

/// A change that the API server does not accept.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// What is reported.
    pub finding: Diagnostic,
    /// The path of the field that cannot change.
    pub field: String,
    /// The remedy; `None` if the finding has another one.
    pub remedy: Option<Remedy>,
}

/// The two forms of an object, as the API server stores them.
#[derive(Clone, Debug)]
pub struct Forms {
    /// The stored object.
    pub old: Node,
    /// The object that is applied over it.
    pub new: Node,
}

impl Forms {
    /// Converts both objects.
    #[must_use]
    pub fn of(cx: UpdateContext<'_>, old: &Object, new: &Object) -> Self {
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
    pub(super) refusals: Vec<Refusal>,
}

impl<'u> Update<'u> {
    pub(super) fn new(
        cx: UpdateContext<'_>,
        forms: &'u Forms,
        written_old: &'u Object,
        object: &'u Object,
    ) -> Self {
        let Forms { old, new } = forms;
        let gvk = &object.gvk;
        let known = store::kind(&gvk.group, &gvk.version, &gvk.kind);
        let ty = known.and_then(|it| it.definition).map(Type::Object);
        let mut comparison = Comparison::new(object.name_span());
        comparison.compare(Some(old), Some(new), ty, object.name_span());
        let mut changes = comparison.found;
        // A default stays that the author of neither object has written, and `data` can be written as
        // `stringData`.
        let is_written = |change: &Change<'_>| {
            change.is_in(&["data"])
                || [written_old, object].iter().any(|of| change.is_written_in(&of.root))
        };
        let minor = cx.target.minor();
        let is_stored =
            |change: &Change<'_>| !change.is_in(&["status"]) && !is_unread(gvk, change, minor);
        changes.retain(|change| is_stored(change) && is_written(change));
        Self { minor, written_old, object, old, new, changes, refusals: Vec::new() }
    }

    /// Whether the stored object was read from a cluster, whose admission has set fields.
    pub(super) fn is_from_cluster(&self) -> bool {
        self.old.at(&["metadata", "uid"]).is_some()
    }

    /// Whether a change at or below this field was reported.
    pub(super) fn has_refused(&self, field: &str) -> bool {
        self.refusals.iter().any(|refusal| refusal.field.starts_with(field))
    }

    /// The changes at and below a path.
    pub(super) fn changes_in(&self, path: &[&str]) -> impl Iterator<Item = &Change<'u>> {
        self.changes.iter().filter(move |it| it.is_in(path))
    }

    /// The first change at or below a path.
    pub(super) fn first_change(&self, path: &[&str]) -> Option<Change<'u>> {
        self.changes_in(path).next().cloned()
    }

    /// Reports the first change at or below a path.
    pub(super) fn immutable(&mut self, path: &[&str], remedy: Remedy) {
        let change = self.first_change(path);
        if let Some(change) = change {
            self.changed(&change, &path.join("."), remedy);
        }
    }

    /// Reports a change of a field that cannot change.
    pub(super) fn changed(&mut self, change: &Change<'_>, field: &str, remedy: Remedy) {
        let title = self.object.title();
        let message = message!("`{field}` of {title} cannot be changed");
        let finding = Diagnostic::new(&FIELD_IMMUTABLE, change.span, message)
            .at(self.label(change))
            .path(&change.path())
            .note("the API server rejects the update: the field is immutable")
            .help(self.help(remedy));
        let (field, remedy) = (field.to_owned(), Some(remedy));
        self.refusals.push(Refusal { finding, field, remedy });
    }

    /// Reports a change that is not allowed, though other changes of the field are.
    pub(super) fn refuse(
        &mut self,
        change: &Change<'_>,
        message: impl Into<Message>,
        help: impl Into<Message>,
    ) {
        let path = change.path();
        let finding = Diagnostic::new(&UPDATE_NOT_ALLOWED, change.span, message)
            .at(self.label(change))
            .path(&path)
            .note("the API server rejects the update")
            .help(help);
        self.refusals.push(Refusal { finding, field: path.to_string(), remedy: None });
    }

    /// Reports a rule of a definition that a change violates.
    pub(super) fn violated(&mut self, violation: &Violation<'_>, message: Message) {
        let rule = violation.rule.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let finding = Diagnostic::new(&UPDATE_NOT_ALLOWED, violation.span, message)
            .at("violates the rule")
            .path(&violation.path)
            .note(message!(
                "the API server rejects the update: the rule is `{}`",
                brief_text(&rule)
            ))
            .help(message!("restore the stored value; or {}", self.help(Remedy::Recreate)));
        let field = if violation.path.is_empty() { "spec" } else { &violation.path };
        let remedy = Some(Remedy::Restore);
        self.refusals.push(Refusal { finding, field: field.to_owned(), remedy });
    }

    /// What was changed: at most the stored value.
    fn label(&self, change: &Change<'_>) -> Message {
        let path = change.path();
        let is_secret =
            self.object.gvk.is("", "Secret") || path.fields().any(|field| UNSHOWN.contains(&field));
        let of_defaults = self.object.name_span();
        let is_removed = change.new.is_none_or(|node| node.span() == of_defaults);
        match change.old {
            None => "added".into(),
            Some(_) if is_removed => "removed".into(),
            Some(old) if !is_secret => match brief_scalar(old) {
                Some(value) => message!("changed from `{value}`"),
                None => "changed".into(),
            },
            Some(_) => "changed".into(),
        }
    }

    fn help(&self, remedy: Remedy) -> Message {
        let kind = &self.object.gvk.kind;
        let delete = |flags| {
            let command = self.object.command("delete", flags);
            command.map_or_else(Message::default, |command| message!(": `{command}`"))
        };
        match remedy {
            Remedy::Orphan => {
                let command = delete(" --cascade=orphan");
                message!("delete the {kind} but not its Pods, then apply{command}")
            }
            Remedy::Recreate | Remedy::Restore => {
                message!("delete the {kind}, then apply{}", delete(""))
            }
            Remedy::RecreateBinding => {
                let between = "its subjects have no access until the new one is created";
                message!("delete the {kind}, then apply{}; {between}", delete(""))
            }
            Remedy::Rename => {
                message!(
                    "create a {kind} with another name, and change the objects that use this one"
                )
            }
            Remedy::RenameImmutable => message!(
                "create a {kind} with another name, and change the Pods that use it; an immutable one can \
                 only be deleted"
            ),
            Remedy::Copy => message!("create a {kind} with another name, and copy the data"),
        }
    }
}

/// Whether a minor version drops the value, because the gate of its field is off.
fn is_unread(gvk: &GroupVersionKind, change: &Change<'_>, minor: u8) -> bool {
    // 1.34 keeps all fields of claims to devices, also those that it does not read.
    if minor == 34 && gvk.group == "resource.k8s.io" {
        return false;
    }
    // `DRAConsumableCapacity`
    let attribute = ["spec", "devices", "constraints", "*", "distinctAttribute"];
    minor < 36 && change.is_in(&attribute) || is_dropped(&change.path(), minor)
}

/// A short scalar.
fn brief_scalar(node: &Node) -> Option<String> {
    let text = match &node.value {
        Value::String(text) => shown(text),
        Value::Int(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        _ => return None,
    };
    (text.len() <= LONGEST_VALUE && !text.contains('`')).then_some(text)
}
