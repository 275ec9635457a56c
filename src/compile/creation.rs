//! The stage that makes the objects of controllers.

use super::Run;
use super::lowering::Lowered;
use super::options::Purpose;
use super::prepare::Settings;
use super::validation::known_objects;
use crate::diag::Sink;
use crate::effective;
pub(super) use crate::effective::Created;
use crate::kube::{Object, Remarks};
use crate::lower::Setup;

/// Replaces the objects by those that controllers create from them, where the run or the target of a system requires
/// it. Without that, the objects are those of the input.
pub(super) fn create(
    run: Run<'_>,
    settings: &Settings,
    lowered: &mut Lowered,
    sink: &mut Sink,
) -> Created {
    let is_steady = run.options.purpose == Purpose::Effective;
    let is_required = is_steady || settings.setups.iter().any(Setup::is_plain);
    let mut created = if is_required && lowered.partial.is_empty() {
        let set = &known_objects(run, settings, lowered);
        let controllers =
            effective::Controllers { setups: &settings.setups, kinds: &settings.shared, set };
        controllers.run(&lowered.objects, is_steady, sink)
    } else {
        let objects = std::mem::take(&mut lowered.objects);
        Created { objects, conditions: Vec::new(), remarks: Remarks::default() }
    };
    created.objects.append(&mut lowered.too_large);
    created.objects.retain(|object: &Object| !lowered.partial.contains(object.document));
    created
}
