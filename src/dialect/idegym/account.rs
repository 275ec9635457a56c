//! The ServiceAccount of a server: that of the definition, or that of the snapshots.

use super::rules::{PREPARATION_FIELD_IGNORED, SNAPSHOTS_NOT_ENABLED};
use super::server::{Mode, ServerSpec};
use super::settings::IdegymSettings;
use crate::decode::{Choice, Text};
use crate::diag::{Diagnostic, Message, Sink, message};
use crate::lower::Frame;
use crate::source::Span;
use crate::tree::Node;

/// The ServiceAccount of snapshots without another name in the Project.
const SNAPSHOT_ACCOUNT: &str = "idegym";

/// The effective ServiceAccount, removed from the definition. In a preparation, the ServiceAccount
/// of the snapshots takes precedence, because it has the permissions to take them.
pub(super) fn in_effect(
    spec: &mut ServerSpec,
    settings: Option<&IdegymSettings>,
    frame: &Frame,
    sink: &mut Sink,
) -> Option<Node> {
    let own = spec.pod.spec.service_account_name.take().filter(|name| !name.as_str().is_empty());
    let snapshots = settings.and_then(|settings| settings.pod_snapshot.as_ref()).map(|snapshot| {
        let named = snapshot.service_account_name.clone();
        named.map_or_else(|| frame.string(SNAPSHOT_ACCOUNT), Text::into_node)
    });
    if spec.mode() == Mode::Start {
        return own.map(Text::into_node).or(snapshots);
    }
    match (own, &snapshots) {
        (Some(own), Some(account)) => {
            let account = account.as_str().unwrap_or_default();
            let instead = message!(
                "the ServiceAccount of the snapshots, `{account}`, has the permissions to take them"
            );
            sink.report(ignored_finding(&own, "serviceAccountName", instead));
        }
        (_, None) => {
            let place = spec.mode.as_ref().map_or_else(|| frame.name().span(), Choice::span);
            sink.report(not_enabled_finding(place));
        }
        _ => {}
    }
    snapshots
}

fn not_enabled_finding(place: Span) -> Diagnostic {
    Diagnostic::new(
        &SNAPSHOTS_NOT_ENABLED,
        place,
        "snapshot preparation requires `idegym.podSnapshot` in the Project",
    )
    .at("requires pod snapshots")
    .path(&"spec.mode")
    .note("idegym rejects the preparation: `Pod snapshots are not enabled in the current configuration`")
    .help("add `idegym: {podSnapshot: {}}` to the Project")
}

/// A field of a preparation that idegym ignores.
pub(super) fn ignored_finding(own: &Text, field: &str, instead: impl Into<Message>) -> Diagnostic {
    let message = message!("`{field}` `{}` is ignored in a snapshot preparation", own.as_str());
    Diagnostic::new(&PREPARATION_FIELD_IGNORED, own.span(), message)
        .at("ignored")
        .path(&format!("spec.{field}"))
        .note(instead)
        .help(message!("remove `{field}`, or set `mode: start`"))
}
