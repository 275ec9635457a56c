//! Pod Security admission: checks every object with Pods against the policy of the run, and against
//! the labels of its namespace if the input has them.
//!
//! Follows `EvaluatePod` of Kubernetes' `pod-security-admission`. The policy of the run is a
//! minimum: a namespace can require more, and less only if it is exempt.

mod labels;

use crate::diag::{Diagnostic, Message, Severity, Sink, declare_rules, message};
use crate::kube::{ObjectSet, PodSpec};
use crate::pod_security::{self, Level, PodSecurityLevel, Subject};
use crate::schema::KubernetesVersion;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::Span;
use crate::tree::Path;
use crate::validate::fields::text_at;
use labels::{Held, Modes};

declare_rules! {
    LABEL_INVALID = "pod-security-label-invalid", Error, follows = [SamePlace];
    LABEL_UNKNOWN = "pod-security-label-unknown", Warning, follows = [SamePlace];
}

/// The Pod Security settings of the run.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'s> {
    /// The level that all Pods are checked against, and the span of the setting if it is in a file.
    pub policy: Option<(PodSecurityLevel, Option<Span>)>,
    /// Namespaces whose Pods are not checked.
    pub exempt_namespaces: &'s [String],
    /// Names of `RuntimeClass` objects whose Pods are not checked.
    pub exempt_runtime_classes: &'s [String],
}

/// The admission of the target version.
pub(super) struct Admission<'s> {
    settings: &'s Settings<'s>,
    target: KubernetesVersion,
    /// The levels of the namespaces in the input.
    namespaces: SortedMap<&'s str, Modes>,
    exempt_namespaces: SortedSet<&'s str>,
    exempt_runtime_classes: SortedSet<&'s str>,
}

impl<'s> Admission<'s> {
    /// Reads and checks the labels of all Namespaces.
    pub(super) fn new(
        set: &ObjectSet<'s>,
        settings: &'s Settings<'s>,
        target: KubernetesVersion,
        sink: &mut Sink,
    ) -> Self {
        let mut namespaces = SortedMap::new();
        for namespace in set.of_kind("", "Namespace") {
            labels::check(namespace, sink);
            let modes = Modes::of(namespace);
            if modes.enforce.is_some() || modes.warn.is_some() {
                namespaces.entry(namespace.name.as_str()).or_insert(modes);
            }
        }
        let names = |list: &'s [String]| list.iter().map(String::as_str).collect();
        Self {
            settings,
            target,
            namespaces,
            exempt_namespaces: names(settings.exempt_namespaces),
            exempt_runtime_classes: names(settings.exempt_runtime_classes),
        }
    }

    /// Checks the Pods of an object.
    pub(super) fn check(&self, pod: &PodSpec<'_>, sink: &mut Sink) {
        let known = self.namespaces.get(pod.object.namespace.as_str());
        let is_held = self.settings.policy.is_some() || known.is_some();
        if is_held && !self.is_exempt(pod) {
            let modes = known.copied().unwrap_or_default();
            Request { pod: *pod, target: self.target, sink }.evaluate(self.settings, modes);
        }
    }

    fn is_exempt(&self, pod: &PodSpec<'_>) -> bool {
        let namespace = pod.object.namespace.as_str();
        let class = text_at(pod.spec, &["runtimeClassName"]);
        !namespace.is_empty() && self.exempt_namespaces.contains(namespace)
            || !class.is_empty() && self.exempt_runtime_classes.contains(class)
    }
}

/// One PodSpec to be admitted.
struct Request<'a, 'o> {
    pod: PodSpec<'o>,
    target: KubernetesVersion,
    sink: &'a mut Sink,
}

impl Request<'_, '_> {
    fn evaluate(&mut self, settings: &Settings<'_>, modes: Modes) {
        let kind = self.pod.object.gvk.kind.as_str();
        let is_pod = self.pod.object.gvk.is("", "Pod");
        let later = message!("the API server accepts the {kind} but rejects its Pods");
        if let Some((policy, place)) = settings.policy {
            let findings = self.findings(policy, Level::Policy(place));
            self.report(findings, policy, Severity::Error, (!is_pod).then_some(&later));
        }
        let mut is_refused = false;
        if let (true, Some(Held { level, label })) = (is_pod, modes.enforce) {
            let findings = self.findings(level, Level::Namespace(label));
            is_refused = !findings.is_empty();
            self.report(findings, level, Severity::Error, None);
        }
        // A rejected request gets no additional warnings.
        if let (false, Some(Held { level, label })) = (is_refused, modes.warn) {
            let findings = self.findings(level, Level::Namespace(label));
            let is_enforced = modes.enforce.is_some_and(|held| held.level == level);
            let note = if is_enforced {
                later
            } else {
                message!("the API server accepts the {kind} with a warning")
            };
            self.report(findings, level, Severity::Warning, Some(&note));
        }
    }

    /// The findings of `level` for the Pod.
    fn findings(&self, level: PodSecurityLevel, asked_by: Level) -> Vec<Diagnostic> {
        let pod = &self.pod;
        let root = Path::root();
        let path = root.field(pod.path());
        let template = root.field(pod.template_path());
        let metadata = pod.template.get("metadata");
        let subject = Subject {
            spec: pod.spec,
            metadata: metadata.map(|metadata| (metadata, template.field("metadata"))),
            path,
            level: asked_by,
        };
        let mut sink = Sink::new();
        pod_security::check(&subject, level, self.target, &mut sink);
        sink.into_sorted()
    }

    fn report(
        &mut self,
        findings: Vec<Diagnostic>,
        level: PodSecurityLevel,
        severity: Severity,
        note: Option<&Message>,
    ) {
        let level = level.profile();
        for mut finding in findings {
            finding.severity = severity;
            if self.pod.object.is_compiled() {
                let help = message!("`security: {level}` in a definition sets the missing fields");
                finding.add_help(help);
            }
            finding.details_mut().notes.extend(note.cloned());
            self.sink.report(finding);
        }
    }
}
