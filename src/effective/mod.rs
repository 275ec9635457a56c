//! The objects that controllers create from the objects of a run: those of the systems'
//! controllers, and one step of Kubernetes' own controllers for Jobs, CronJobs, Deployments,
//! ReplicaSets and `StatefulSets`.
//!
//! The objects themselves are built in `kube/controllers`. Values that are only known in a cluster
//! are placeholders; the suffix of a generated name is `xxxx1`.

mod job;
mod stateful_set;
mod workload;

use crate::diag::{Diagnostic, Severity, Sink, out_of_fuel};
use crate::kube::{Object, ObjectSet, Remarks, SharedKinds};
use crate::limits::Fuel;
use crate::lower::{Condition, Effects, Form, Setup};
use crate::sorted::CompactSort as _;

/// The input of this stage, except for the objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Controllers<'c> {
    /// The systems and their settings.
    pub(crate) setups: &'c [Setup],
    /// All kinds of the run.
    pub(crate) kinds: &'c SharedKinds,
    /// All objects by name, including those that are declared to exist.
    pub(crate) set: &'c ObjectSet<'c>,
}

/// The result of the controllers' work.
#[derive(Debug)]
pub(crate) struct Created {
    /// The resulting objects: in the steady state only the created ones, otherwise all objects of
    /// the run.
    pub(crate) objects: Vec<Object>,
    /// Objects that their controller does not act on.
    pub(crate) conditions: Vec<Condition>,
    /// Remarks on the created objects.
    pub(crate) remarks: Remarks,
}

impl Controllers<'_> {
    /// Runs the controllers: all of them in the steady state, or only those whose system replaces
    /// its custom resources by the created objects.
    pub(crate) fn run(&self, objects: &[Object], is_steady: bool, sink: &mut Sink) -> Created {
        if is_steady {
            self.of_controllers(objects, sink)
        } else {
            self.of_plain_targets(objects, sink)
        }
    }

    /// Returns the objects that the controllers create, in the steady state.
    fn of_controllers(&self, objects: &[Object], sink: &mut Sink) -> Created {
        let (is_external, fuel) = (self.externals(), self.fuel_for(objects));
        let mut effects = self.effects(objects, Form::Steady, &is_external, &fuel);
        for setup in self.setups {
            (setup.dialect.effects)(&mut effects, self.set, setup);
        }
        for object in objects {
            create(object, &mut effects);
        }
        report_full(&effects, &fuel, sink);
        let conditions = std::mem::take(&mut effects.conditions);
        let remarks = std::mem::take(&mut effects.remarks);
        Created { objects: effects.into_made(), conditions, remarks }
    }

    /// Returns the objects, with the custom resources of a system replaced by the objects that its
    /// controllers would create, if the target of the system requires it.
    fn of_plain_targets(&self, objects: &[Object], sink: &mut Sink) -> Created {
        let plain = self.setups.iter().filter(|it| it.is_plain());
        let (is_external, fuel) = (self.externals(), self.fuel_for(objects));
        let mut effects = self.effects(objects, Form::Plain, &is_external, &fuel);
        for setup in plain {
            (setup.dialect.effects)(&mut effects, self.set, setup);
        }
        report_full(&effects, &fuel, sink);
        let conditions = std::mem::take(&mut effects.conditions);
        let replaced = std::mem::take(&mut effects.replaced);
        let kept = objects.iter().enumerate().filter(|(at, _)| !replaced.contains(at));
        let mut all: Vec<_> = kept.map(|(_, object)| object.clone()).collect();
        all.extend(effects.into_made());
        Created { objects: all, conditions, remarks: Remarks::default() }
    }

    /// The fuel for what is created from the objects.
    fn fuel_for(&self, objects: &[Object]) -> Fuel<'_> {
        self.set.fuel().for_objects(objects.iter().map(|object| object.root.weight()).sum())
    }

    fn externals(&self) -> impl Fn(&str, &str, &str, &str) -> bool {
        |group, kind, namespace, name| self.set.is_external(group, kind, namespace, name)
    }

    fn effects<'e>(
        &'e self,
        objects: &'e [Object],
        form: Form,
        is_external: &'e dyn Fn(&str, &str, &str, &str) -> bool,
        fuel: &'e Fuel<'e>,
    ) -> Effects<'e> {
        Effects::new(objects, self.kinds, form, is_external, fuel)
    }
}

fn report_full(effects: &Effects<'_>, fuel: &Fuel<'_>, sink: &mut Sink) {
    if let Some(place) = effects.over() {
        let finding = out_of_fuel(fuel, place, "create the objects of controllers");
        sink.report(finding.help("lower `replicas` or `expand.count`, or name fewer files"));
    }
}

/// Runs one step of Kubernetes' own controllers.
fn create(object: &Object, effects: &mut Effects<'_>) {
    if !object.has_short_name() {
        return;
    }
    match (object.gvk.group.as_str(), object.gvk.kind.as_str()) {
        ("batch", "Job") => job::create(object, effects),
        ("batch", "CronJob") => job::create_scheduled(object, effects),
        ("apps", "Deployment") => workload::create_replica_set(object, effects),
        ("apps", "ReplicaSet") => workload::create_pods(object, &object.root, effects),
        ("apps", "StatefulSet") => stateful_set::create(object, effects),
        _ => {}
    }
}

/// Adds the conditions to the findings: as a note on the error that causes the condition, or as a
/// finding of their own.
pub(crate) fn attach(conditions: Vec<Condition>, findings: &mut Vec<Diagnostic>) {
    let start_of = |finding: &Diagnostic| finding.primary.span.start_point();
    let all = findings.iter().enumerate();
    let of_errors = all.filter(|(_, finding)| finding.severity == Severity::Error);
    let errors: Vec<_> = of_errors.map(|(at, error)| (start_of(error), at)).collect();
    let mut own = Vec::new();
    for Condition { document, place, rule, headline, label, note } in conditions {
        // The first error in the document is the cause.
        let next = errors.partition_point(|(place, _)| *place < document.start_point());
        let first = errors.get(next).filter(|(place, _)| document.has_begin_of(*place));
        match first.and_then(|(_, at)| findings.get_mut(*at)) {
            Some(cause) => cause.add_note(note),
            None => own.push(Diagnostic::new(rule, place, headline).at(label).note(note)),
        }
    }
    findings.extend(own);
    findings.compact_sort_by_key(|finding| finding.primary.span);
}

#[cfg(test)]
mod tests {
    use crate::compile::{Options, Purpose, compile};
    use crate::source::Workspace;

    fn created(name: &str) -> usize {
        let mut workspace = Workspace::new();
        let pod = "{metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: 'b:1'}]}}";
        let spec = format!("{{replicas: 2, selector: {{matchLabels: {{a: b}}}}, template: {pod}}}");
        workspace.add(
            "a.yaml",
            format!(
                "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {{name: {name}}}\nspec: {spec}\n"
            ),
        );
        let mut options = Options::default();
        options.purpose = Purpose::Effective;
        compile(&workspace, &options).objects.len()
    }

    #[test]
    fn controllers_do_not_see_an_object_with_a_name_that_is_too_long() {
        assert_eq!(created(&"a".repeat(253)), 2);
        assert_eq!(created(&"a".repeat(254)), 0);
    }
}
