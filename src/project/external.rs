//! The strings under `external`: short forms such as `secret/creds`, `secret/agents/creds` and
//! `runtimeclass/gvisor`, and files.

use super::read::EXTERNAL_INVALID;
use super::spec::External;
use crate::decode::Text;
use crate::diag::{Diagnostic, did_you_mean, message};
use crate::kube::is_name_of_kind;
use crate::schema::store::{self, Kind};

/// Whether an item of `external` is the path of a file with objects.
pub(crate) fn is_external_file(text: &str) -> bool {
    let name = text.rsplit_once('/').map_or(text, |(_, name)| name);
    name.rsplit_once('.').is_some_and(|(_, it)| matches!(it, "yaml" | "yml" | "json"))
}

impl External {
    /// The object that a short form names.
    ///
    /// # Errors
    /// If it has another form, or its kind is not built-in.
    pub(super) fn of_short_form(text: &Text) -> Result<Self, Diagnostic> {
        let parts: Vec<_> = text.as_str().split('/').collect();
        let (kind, namespace, name) = match parts.as_slice() {
            [kind, name] => (*kind, None, *name),
            [kind, namespace, name] => (*kind, Some(*namespace), *name),
            _ => return Err(malformed(text)),
        };
        if parts.iter().any(|it| it.is_empty()) {
            return Err(malformed(text));
        }
        let found = builtin(kind).ok_or_else(|| unknown_kind(text, kind))?;
        if namespace.is_some() && !found.is_namespaced {
            let message = message!(
                "{} is cluster-scoped, but `{}` has a namespace",
                found.kind,
                text.as_str()
            );
            return Err(Diagnostic::new(&EXTERNAL_INVALID, text.span(), message)
                .at("has a namespace")
                .help(message!("write `{kind}/{name}`")));
        }
        Ok(Self {
            api_version: Some(text.with_text(found.api_version())),
            kind: text.with_text(found.kind),
            name: text.with_text(name),
            namespace: namespace.map(|it| text.with_text(it)),
            keys: None,
            because: None,
        })
    }
}

/// The built-in kind with a name, plural or short name.
fn builtin(name: &str) -> Option<&'static Kind> {
    let is_named = |kind: &&Kind| kind.definition.is_some() && is_name_of_kind(name, kind.kind);
    let all = store::kinds().iter().filter(is_named);
    all.max_by_key(|it| (it.is_served_by_default(), it.group.is_empty(), it.version))
}

fn malformed(text: &Text) -> Diagnostic {
    let message = message!("`{}` is not a short form of an object", text.as_str());
    Diagnostic::new(&EXTERNAL_INVALID, text.span(), message)
        .at("not `kind/name`")
        .help("write `secret/creds`, or `secret/agents/creds` for another namespace")
}

fn unknown_kind(text: &Text, kind: &str) -> Diagnostic {
    let names: Vec<_> = store::kinds().iter().map(|it| it.kind.to_ascii_lowercase()).collect();
    Diagnostic::new(&EXTERNAL_INVALID, text.span(), message!("unknown kind `{kind}` in `external`"))
        .at("not a built-in kind")
        .help_if(did_you_mean(kind, names.iter().map(String::as_str)))
        .help("for a custom resource, write a map: `{apiVersion: ..., kind: ..., name: ...}`")
}
