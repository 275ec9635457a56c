//! Directories of a run on the data volume.

use crate::decode::Text;
use crate::diag::{Diagnostic, Reported, Sink, brief, declare_rules, message};
use crate::dialect::osa::sub_path::{PathFault, sub_path};
use crate::source::Span;

declare_rules! {
    OSA_PATH_INVALID = "osa-path-invalid", Error;
}

/// The path within the data volume, which is mounted at a path that may be set at a span. Without a
/// mount path, any directory can be within the volume.
///
/// # Errors
/// If the path is not below the mount path of the volume.
pub(in crate::dialect::osa) fn check(
    path: &Text,
    field: &str,
    mount: Option<(&str, Option<Span>)>,
    sink: &mut Sink,
) -> Result<String, Reported> {
    let (volume, place) = mount.unwrap_or(("/", None));
    sub_path(path.as_str(), volume).map_err(|fault| {
        let text = path.as_str().escape_debug();
        let mount = brief(volume.trim_end_matches('/'));
        let headline = match fault {
            PathFault::Relative => message!("`{field}` `{text}` is not an absolute path"),
            PathFault::Backstep => message!("`{field}` `{text}` contains `..`"),
            PathFault::Character(control) => {
                message!("`{field}` contains the control character U+{:04X}", u32::from(control))
            }
            PathFault::Outside => {
                message!("`{field}` `{text}` is outside the data volume at `{mount}`")
            }
            PathFault::MountPath => message!("`{field}` `{text}` is the whole data volume"),
        };
        let mut finding = Diagnostic::new(&OSA_PATH_INVALID, path.span(), headline)
            .at("not a directory of the data volume")
            .help(message!("write a path such as `{mount}/depositions/abc123`"));
        if let Some(place) = place {
            finding = finding.label(place, "the volume is mounted here");
        }
        sink.error(finding)
    })
}
