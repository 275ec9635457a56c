//! Controls on the sources of volumes.

use super::Profile;
use super::check::{Check, Control, Fault};
use crate::diag::{declare_rules, message};
use crate::schema::store;

declare_rules! {
    HOST_PATH = "pod-security-host-path", Error;
    VOLUME_TYPE = "pod-security-volume-type", Error;
}

/// The sources that `restricted` allows.
const RESTRICTED_SOURCES: &[&str] = &[
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "image",
    "persistentVolumeClaim",
    "projected",
    "secret",
];

/// `restricted` rejects every source that it does not allow, including `hostPath`; `baseline` only
/// rejects `hostPath`. A volume without a source is an `emptyDir` by default.
pub(super) fn check_volumes(check: &mut Check<'_>) {
    let pod = check.pod();
    let is_restricted = check.profile == Profile::Restricted;
    let volumes = pod.node.items_at(&["volumes"]);
    for (index, volume) in volumes.iter().enumerate() {
        let is_refused = |source: &str| {
            if is_restricted {
                is_source(source) && !RESTRICTED_SOURCES.contains(&source)
            } else {
                source == "hostPath"
            }
        };
        let mut entries = volume.entries().iter().filter(|entry| !entry.value.is_null());
        let Some(source) = entries.find(|entry| is_refused(&entry.key)) else { continue };
        let name = volume.text_at(&["name"]);
        let mut control = if is_restricted {
            Control::restricted(&VOLUME_TYPE, "restrictedVolumes")
        } else {
            Control::baseline(&HOST_PATH, "hostPathVolumes")
        };
        if source.key == "hostPath" {
            control.allowed_by = Profile::Privileged;
        }
        check.refuse(pod, Fault {
            control,
            span: source.key_origin().span(),
            field: &format!("volumes[{index}].{}", source.key),
            what: message!("volume `{name}` has the source `{}`", source.key),
            label: "this source".into(),
            fix: "use another source: an `emptyDir`, or a `persistentVolumeClaim` for persistent data"
                .into(),
        });
    }
}

/// Whether a key of a volume is a volume source; an unknown key is reported by the schema check.
fn is_source(key: &str) -> bool {
    key != "name"
        && store::definition("io.k8s.api.core.v1.Volume")
            .is_some_and(|volume| volume.property(key).is_some())
}
