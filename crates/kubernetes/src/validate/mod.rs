//! Rules for the objects of a run, of any system.

mod admission;
pub mod cluster_network;
mod created;
mod duplicates;
mod fields;
mod made;
mod mounts;
mod need;
mod object_references;
pub mod objects;
pub mod pod_security;
mod policies;
mod present;
mod references;
pub mod request;
mod rules;
mod selection;
pub mod update;

use crate::diag::{Repeated, Rule, Sink, report_work};
use crate::kube::{Creator, Missing, Object, ObjectSet, PodSpec};
use crate::limits::Fuel;
use crate::parallel::ordered_each_after;
pub use admission::RULES as ADMISSION_RULES;
use admission::{Plugins, Usage};
pub use duplicates::{AcrossFiles, OBJECT_DUPLICATE};
pub use objects::report_unchecked;
use pod_security::Admission;
use policies::{NotDecided, Policies};
pub use policies::{comparable_form, type_of_object};
use references::{References, Unfound};
pub use rules::RULES as KIND_RULES;
pub use rules::pod::RULES as POD_RULES;
pub use selection::{effort, keys_of_selector, pod_selector, selects_pod};

/// The rules of this module.
pub static RULES: &[&[&Rule]] = &[
    duplicates::RULES,
    mounts::RULES,
    object_references::RULES,
    objects::RULES,
    objects::expressions::RULES,
    pod_security::RULES,
    policies::RULES,
    references::RULES,
    request::RULES,
    selection::RULES,
    selection::ISOLATION_RULES,
    update::RULES,
];

/// Checks all objects of a run, then those that controllers create from them.
pub fn check(
    cx: objects::ObjectContext<'_>,
    set: &ObjectSet<'_>,
    pod_security: &pod_security::Settings<'_>,
    creators: &[(&'static str, Creator<'_>)],
    sink: &mut Sink,
) {
    duplicates::check(cx, set, sink);
    object_references::check(set, cx.across_files, sink);
    selection::check(set, sink);
    let checks = Checks {
        cx,
        admission: Admission::new(set, pod_security, cx.target, sink),
        references: References::new(set),
        plugins: Plugins::new(set, cx.target),
        policies: Policies::new(cx, set, sink),
    };
    let check = |count, object| {
        let mut sink = Sink::of_document_after(count);
        if sink.is_over() || cx.fuel.is_out() {
            return (object, Outcome::default(), sink);
        }
        let fuel = cx.fuel.document();
        match checks.policies.as_ref().and_then(|it| it.findings_of_rules(object)) {
            Some(known) => known.iter().for_each(|finding| sink.report(finding.clone())),
            None => rules::check(object, cx.target, &mut sink),
        }
        let outcome = checks.with_others(&fuel, object, &mut sink);
        present::point_at_empty_fields(object, &mut sink);
        report_work(&fuel, object.document.start_point(), &|| object.describe(), &mut sink);
        (object, outcome, sink)
    };
    let (mut all_unfound, mut usages, mut all_undecided) = (Vec::new(), Vec::new(), Vec::new());
    ordered_each_after(
        sink.total(),
        cx.texts.bytes(),
        set.all(),
        check,
        |(object, Outcome { unfound, usage, undecided }, findings)| {
            sink.absorb(findings);
            all_undecided.extend(undecided);
            all_unfound.extend(unfound.into_iter().map(|unfound| (object, unfound)));
            usages.extend(usage.map(|usage| (object, usage)));
            sink.total()
        },
    );
    checks.plugins.check_autoscalers(sink);
    let missing = Missing::new(set);
    let mut absences = Repeated::default();
    for (object, unfound) in &all_unfound {
        if sink.is_over() {
            break;
        }
        unfound.report(object, &missing, &mut absences, sink);
    }
    if !creators.is_empty() {
        let created = created::check(&checks, set, creators, sink);
        all_undecided.extend(created.undecided);
        usages.extend(created.usages);
    }
    checks.plugins.check_sums(&usages, sink);
    policies::finish(all_undecided, sink);
}

/// The checks of an object that depend on the others.
struct Checks<'s, 'o> {
    cx: objects::ObjectContext<'s>,
    admission: Admission<'s>,
    references: References<'s, 'o>,
    plugins: Plugins<'s, 'o>,
    policies: Option<Policies<'s, 'o>>,
}

/// The results of those checks that are reported for all objects together.
#[derive(Default)]
struct Outcome<'o> {
    unfound: Vec<Unfound<'o>>,
    usage: Option<Usage>,
    undecided: Vec<NotDecided>,
}

impl<'o> Checks<'_, 'o> {
    fn with_others(&self, fuel: &Fuel<'_>, object: &Object, sink: &mut Sink) -> Outcome<'o> {
        let pod = PodSpec::of(object);
        let unfound = pod.map_or_else(Vec::new, |pod| {
            mounts::check(&pod, self.cx.target, sink);
            self.admission.check(&pod, sink);
            self.references.unfound(&pod)
        });
        let usage = self.plugins.check(fuel, (object, pod), sink);
        let undecided = self.policies.as_ref().map(|it| it.check(fuel, object, sink));
        Outcome { unfound, usage, undecided: undecided.unwrap_or_default() }
    }
}
