//! `volumeClaimTemplates`, from which a controller creates claims.

use super::{Sources, check_claim};
use crate::diag::{Diagnostic, Severity};
use crate::scalar::{check_dns_label, near_dns_label};
use crate::tree::{Node, Path};
use crate::validate::rules::judging::{Absence, Judging, items};
use crate::validate::rules::of_object::ObjectJudge;
use crate::validate::rules::pod::VOLUME_NAME_INVALID;

/// The first minor version whose API server validates the claims of a StatefulSet.
const STATEFUL_SET_MINOR: u8 = 34;

/// Checks the list of a StatefulSet, or of a custom resource.
pub(in crate::validate::rules) fn check_templates(judge: &mut ObjectJudge<'_, '_>) {
    let object = judge.object;
    let is_stateful_set = object.gvk.kind == "StatefulSet";
    let is_read = is_stateful_set && judge.minor >= STATEFUL_SET_MINOR;
    let minor = judge.minor;
    let sources = if is_stateful_set { Sources::AsWritten } else { Sources::Settled };
    let mut judge = ControllerJudge { judge, is_stateful_set, is_read };
    let root = Path::root();
    let spec = root.field("spec");
    let path = spec.field("volumeClaimTemplates");
    let templates = object.root.get("spec").map_or(&[][..], |it| items(it, "volumeClaimTemplates"));
    for (index, template) in templates.iter().enumerate() {
        let path = path.index(index);
        // The schema of a custom resource requires `spec`.
        if is_stateful_set || template.get("spec").is_some() {
            check_claim(&mut judge, template, sources, minor, &path);
        }
        if is_stateful_set {
            check_name(&mut judge, template, &path);
        }
    }
}

/// Checks the name of the claim, which is also the name of a volume of the Pod.
fn check_name(judge: &mut ControllerJudge<'_, '_, '_>, template: &Node, path: &Path<'_>) {
    let path = path.field("metadata");
    let metadata = template.get("metadata").unwrap_or(template);
    if metadata.as_map().is_some()
        && judge.needed(metadata, "name", Absence::Here, &path).is_some()
        && let Some(name) = metadata.get("name")
    {
        let rule = (&VOLUME_NAME_INVALID, "volume name");
        judge.form(name, rule, check_dns_label, near_dns_label, &path.field("name"));
    }
}

/// Checks claims that a controller creates later.
struct ControllerJudge<'c, 'j, 'o> {
    judge: &'c mut ObjectJudge<'j, 'o>,
    is_stateful_set: bool,
    /// Whether the API server validates the claims when the object is created.
    is_read: bool,
}

impl Judging for ControllerJudge<'_, '_, '_> {
    fn report(&mut self, mut finding: Diagnostic, path: &Path<'_>) {
        if !self.is_read {
            let kind = &self.judge.object.gvk.kind;
            finding = finding.note(format!(
                "the API server accepts the {kind}, but rejects the claim that its controller creates from it"
            ));
        }
        if self.is_stateful_set && !self.is_read {
            finding.severity = Severity::Warning;
        }
        self.judge.report(finding, path);
    }

    fn is_full(&self) -> bool {
        self.judge.is_full()
    }
}
