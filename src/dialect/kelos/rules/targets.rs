//! The other output of kelos, which a Project with signs of its controllers probably needs.

use super::KELOS_TARGET_UNSET;
use crate::diag::{Diagnostic, Sink, message};
use crate::dialect::kelos::GROUP;
use crate::dialect::kelos::settings::KelosSettings;
use crate::kube::{Object, ObjectSet};
use crate::lower::Setup;
use crate::source::Span;
use crate::tree::Node;

const EXTENSIONS: &str = "apiextensions.k8s.io";
const DEFINITION: &str = "CustomResourceDefinition";

/// What shows that the cluster has kelos.
enum Sign {
    /// A resource of kelos, or one of its definitions, in the input.
    Object(String, Span),
    /// An object that the Project declares.
    External(String),
}

/// Reports once that the default target ignores the controllers of the cluster.
pub(in crate::dialect::kelos) fn check(set: &ObjectSet<'_>, setup: &Setup, sink: &mut Sink) {
    if setup.settings::<KelosSettings>().is_some_and(|settings| settings.target.is_some()) {
        return;
    }
    let compiled = |kind| set.of_kind("batch", kind).find(|object| is_of_kelos(object));
    let found = [("Task", "Job"), ("TaskSpawner", "CronJob")]
        .into_iter()
        .find_map(|(definition, kind)| Some((definition, kind, compiled(kind)?)));
    let Some((definition, kind, object)) = found else { return };
    let Some(sign) = find_sign(set) else { return };
    let message = message!(
        "{definition} `{}` compiles to a {kind}, although the cluster has kelos",
        object.name
    );
    let finding = Diagnostic::new(&KELOS_TARGET_UNSET, object.name_span(), message);
    let finding = finding.at("without the controllers of kelos");
    sink.report(
        match sign {
            Sign::Object(shown, place) => finding.label(place, message!("{shown} is in the input")),
            Sign::External(shown) => finding.note(message!("{shown} is declared under `external`")),
        }
        .help(
            "set `kelos: {target: resources}` in the Project for the resources of kelos, or \
             `target: jobs` to keep the Jobs",
        ),
    );
}

/// Whether a Job or CronJob was compiled from a definition of kelos.
fn is_of_kelos(object: &Object) -> bool {
    let labels = object.root.at(&["metadata", "labels"]).map_or(&[][..], Node::entries);
    object.is_compiled() && labels.iter().any(|label| label.key.starts_with(GROUP))
}

fn find_sign(set: &ObjectSet<'_>) -> Option<Sign> {
    let resource =
        set.all().iter().find(|object| object.gvk.group == GROUP && !object.is_compiled());
    let definition = || {
        let mut definitions = set.of_kind(EXTENSIONS, DEFINITION);
        definitions.find(|definition| definition.root.str_at(&["spec", "group"]) == Some(GROUP))
    };
    if let Some(object) = resource.or_else(definition) {
        return Some(Sign::Object(object.describe(), object.name_span()));
    }
    let is_of_group = |name: &str| name.strip_suffix(GROUP).is_some_and(|it| it.ends_with('.'));
    let declared =
        set.external_names(EXTENSIONS, DEFINITION).find(|external| is_of_group(external.1));
    let resource = || {
        let mut kinds = set.external_kinds().filter(|kind| kind.0 == GROUP);
        kinds.next().map(|(_, kind, _)| format!("a {kind} of kelos"))
    };
    declared.map(|(_, name)| format!("{DEFINITION} `{name}`")).or_else(resource).map(Sign::External)
}
