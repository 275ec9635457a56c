//! Rules for the objects of a run, of any system.

mod admission;
mod duplicates;
#[cfg(test)]
mod hostile;
mod made;
mod mounts;
mod need;
mod object_references;
pub(crate) mod objects;
mod pod_references;
pub(crate) mod pod_security;
mod policies;
mod present;
mod references;
pub(crate) mod request;
mod rules;
mod selection;

use crate::diag::{Repeated, Rule, Sink};
use crate::kube::{Missing, Object, ObjectSet, PodSpec};
use crate::parallel::ordered_each_after;
use admission::Plugins;
pub(crate) use admission::RULES as ADMISSION_RULES;
pub(crate) use duplicates::AcrossFiles;
pub(crate) use pod_references::{Use, visit as visit_references};
use pod_security::Admission;
use policies::Policies;
use references::References;
pub(crate) use rules::RULES as KIND_RULES;
pub(crate) use rules::pod::RULES as POD_RULES;
pub(crate) use selection::{effort, pod_selector, selects_pod};

/// The rules of this module.
pub(crate) static RULES: &[&[&Rule]] = &[
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
];

/// Checks all objects of a run. An outline is parsed again and checked in full, including its
/// schema; outlines are not all in memory at once.
pub(crate) fn check(
    cx: objects::Cx<'_>,
    set: &ObjectSet<'_>,
    pod_security: &pod_security::Settings<'_>,
    sink: &mut Sink,
) {
    duplicates::check(cx, set, sink);
    object_references::check(set, cx.across_files, sink);
    selection::check(set, sink);
    let admission = Admission::new(set, pod_security, cx.target, sink);
    let references = References::new(set);
    let plugins = Plugins::new(set, cx.target);
    let policies = Policies::new(cx, set, sink);
    let check = |count, object| {
        let mut sink = Sink::of_document_after(count);
        if sink.is_over() {
            return (object, Vec::new(), None, None, sink);
        }
        let whole = Object::whole(object, cx.texts);
        if object.outline_of.is_some() {
            if request::is_too_large(&whole) {
                sink.report(request::too_large(&whole));
                return (object, Vec::new(), None, None, sink);
            }
            objects::check_one(cx, &whole, &mut sink);
        }
        match policies.as_ref().and_then(|it| it.findings_of_rules(object)) {
            Some(known) => known.iter().for_each(|it| sink.report(it.clone())),
            None => rules::check(&whole, cx.target, &mut sink),
        }
        let unfound = PodSpec::of(&whole).map_or_else(Vec::new, |pod| {
            mounts::check(&pod, cx.target, &mut sink);
            admission.check(&pod, &mut sink);
            references.unfound(&pod)
        });
        let usage = plugins.check(&whole, &mut sink);
        let undecided = policies.as_ref().map(|it| it.check(&whole, &mut sink));
        present::point_at_empty_fields(&whole, &mut sink);
        (object, unfound, usage, undecided, sink)
    };
    let (mut all_unfound, mut usages, mut all_undecided) = (Vec::new(), Vec::new(), Vec::new());
    ordered_each_after(
        sink.total(),
        cx.texts.bytes(),
        set.all(),
        check,
        |(object, unfound, usage, undecided, findings)| {
            sink.absorb(findings);
            all_undecided.extend(undecided.into_iter().flatten());
            all_unfound.extend(unfound.into_iter().map(|it| (object, it)));
            usages.extend(usage.map(|it| (object, it)));
            sink.total()
        },
    );
    plugins.check_sums(&usages, sink);
    plugins.check_autoscalers(sink);
    if let Some(policies) = &policies {
        policies.finish(all_undecided, sink);
    }
    let missing = Missing::new(set);
    let mut absences = Repeated::default();
    for (object, unfound) in &all_unfound {
        if sink.is_over() {
            break;
        }
        unfound.report(object, &missing, &mut absences, sink);
    }
}
