//! The stage that validates the objects, as a cluster of one target version would.

use super::Options;
use super::read::has_expressions;
use crate::crd::CustomKinds;
use crate::decode::ChoiceValues as _;
use crate::diag::{Diagnostic, Sink, within};
use crate::dialect::describe_file;
use crate::kube::{Hidden, InputObject, Object, ObjectSet, SharedKinds};
use crate::limits::Fuel;
use crate::lower::{Broken, ObjectKey, Setup};
use crate::parallel::ordered_map;
use crate::project::{ClusterNetwork, External, Project};
use crate::schema::{Earlier, KubernetesVersion, Versions};
use crate::source::Workspace;
use crate::tree::Node;
use crate::unevaluated;
use crate::validate::objects::{AlsoCheck, RuleFindings};
use crate::validate::{self, AcrossFiles, cluster_network, pod_security, request};

/// The results of the earlier stages, and the settings of the validation.
pub(super) struct Validation<'v> {
    pub(super) workspace: &'v Workspace,
    pub(super) options: &'v Options,
    pub(super) project: &'v Project,
    pub(super) setups: &'v [Setup],
    pub(super) shared: &'v SharedKinds,
    pub(super) objects: &'v [Object],
    /// The objects that [`take_too_large`] has taken from the others.
    pub(super) too_large: &'v [Object],
    pub(super) broken: &'v [Broken],
    pub(super) custom: &'v CustomKinds<'v>,
    pub(super) hidden: &'v Hidden<'v>,
    /// Objects in the cluster.
    pub(super) existing: &'v [InputObject],
    pub(super) earlier: Earlier,
    pub(super) rule_findings: Vec<RuleFindings>,
    /// The fuel of the run.
    pub(super) fuel: &'v Fuel<'v>,
}

/// Takes the objects that the API server rejects for their size before it decodes them, and reports
/// them. No other rule applies to them. References to them are not reported as missing. Objects that are
/// only compared can have any size.
pub(super) fn take_too_large<'t>(
    is_checked: bool,
    workspace: &'t Workspace,
    objects: &mut Vec<Object>,
    hidden: &mut Hidden<'t>,
    sink: &mut Sink,
) -> Vec<Object> {
    if !is_checked {
        return Vec::new();
    }
    let is_too_large = |object: &Object| {
        let text = workspace.slice(object.document);
        // Nearly all objects are written in a short text, and need not be walked.
        let may_be_long =
            object.is_compiled() || request::may_be_too_large(text) || has_expressions(text);
        may_be_long && request::is_too_large(object)
    };
    let are_too_large = ordered_map(objects.iter().collect(), is_too_large);
    if !are_too_large.contains(&true) {
        return Vec::new();
    }
    let mut are_too_large = are_too_large.into_iter();
    let taken: Vec<_> =
        objects.extract_if(.., |_| are_too_large.next().unwrap_or_default()).collect();
    for object in &taken {
        sink.report(request::too_large(object));
        hidden.add(workspace.slice(object.name_span()));
    }
    taken
}

impl<'v> Validation<'v> {
    /// An empty item for each object, if there are several target versions.
    pub(super) fn rule_findings(targets: Versions, objects: &[Object]) -> Vec<RuleFindings> {
        let count = if targets.iter().count() > 1 { objects.len() } else { 0 };
        (0..count).map(|_| RuleFindings::new()).collect()
    }

    /// Checks the objects for each target version, and keeps the findings that are certain.
    pub(super) fn run_for_each_target(
        &self,
        sink: &mut Sink,
        is_certain: impl Fn(&Diagnostic) -> bool,
    ) {
        sink.per_version(self.project.kubernetes, |target, sink| {
            self.run(target, sink);
            sink.retain(&is_certain);
        });
        validate::report_unchecked(self.objects, self.workspace, sink);
    }

    /// Checks each object, then all of them together.
    fn run(&self, target: KubernetesVersion, sink: &mut Sink) {
        let Self { workspace, options, custom, ref earlier, .. } = *self;
        let across_files =
            if options.findings_alone { AcrossFiles::Alternatives } else { AcrossFiles::Together };
        let against = validate::objects::Cx {
            target,
            texts: workspace,
            also: Some(AlsoCheck { values: &self.project.values, check: unevaluated::check }),
            convertible: Some(describe_file),
            custom,
            earlier,
            across_files,
            fuel: self.fuel,
            rule_findings: None,
        };
        let first = self.objects.first().map_or(workspace.start(), |it| it.document.start_point());
        let mut hidden = self.hidden.clone();
        let unknown = within(self.fuel, (first, "check each object"), sink, |sink| {
            validate::objects::check(against, self.objects, &self.rule_findings, sink)
        });
        for document in unknown.unwrap_or_default() {
            hidden.add(workspace.slice(document));
        }
        for External { api_version, kind, .. } in &self.project.external {
            let api_version = api_version.as_ref().map(|it| (it.as_str(), it.span()));
            let kind = (kind.as_str(), kind.span());
            validate::objects::check_reference(against, api_version, kind, sink);
        }
        if options.cancellation.is_canceled() {
            return;
        }
        let mut set = self.known_objects();
        set.declare_hidden(&hidden);
        within(self.fuel, (first, "compare objects"), sink, |sink| {
            self.check_set(against, &set, sink);
        });
    }

    /// The checks of objects that depend on others.
    fn check_set(&self, against: validate::objects::Cx<'_>, set: &ObjectSet<'_>, sink: &mut Sink) {
        for setup in self.setups {
            (setup.dialect.check_objects)(set, setup, against.target, sink);
        }
        if let Some(ClusterNetwork { service_cidrs, ip_families }) = &self.project.cluster {
            let ranges = service_cidrs.iter().flat_map(|it| &it.items);
            let ranges = ranges.map(|it| (it.as_str(), it.span())).collect();
            let families = ip_families.as_ref();
            let families = families.map(|it| it.items.iter().map(|it| it.value.as_str()).collect());
            let network = cluster_network::Settings { ranges, families };
            cluster_network::check(set, network, sink);
        }
        let creators = self.setups.iter().map(|it| it.dialect);
        let creators = creators.filter_map(|it| Some((it.name, (it.creator)(set)?)));
        let creators: Vec<_> = creators.collect();
        validate::check(against, set, &self.pod_security(), &creators, sink);
    }

    /// The objects, the ones declared to exist in the cluster, and the ones that invalid
    /// definitions would have produced.
    pub(super) fn known_objects(&self) -> ObjectSet<'v> {
        let mut set = ObjectSet::new(self.objects, self.shared, self.workspace, self.fuel);
        for External { api_version, kind, name, namespace, .. } in &self.project.external {
            let group = api_version.as_ref().map_or("", |it| it.as_str());
            let group = group.rsplit_once('/').map_or("", |(group, _)| group);
            let default = self.project.namespace.as_ref().and_then(Node::as_str).unwrap_or("");
            let namespace = namespace.as_ref().map_or(default, |it| it.as_str());
            // A cluster-scoped kind has no namespace, so both readings are declared.
            set.declare_external(group, kind.as_str(), namespace, name.as_str());
            set.declare_external(group, kind.as_str(), "", name.as_str());
        }
        for InputObject { gvk, name, namespace, .. } in self.existing {
            set.declare_external(&gvk.group, &gvk.kind, namespace, name);
            if namespace.is_empty() {
                let default = self.project.namespace.as_ref().and_then(Node::as_str);
                set.declare_external(&gvk.group, &gvk.kind, default.unwrap_or(""), name);
            }
        }
        for Object { gvk, name, namespace, .. } in self.too_large {
            set.declare_external(&gvk.group, &gvk.kind, namespace, name);
        }
        for ObjectKey { group, kind, namespace, name } in
            self.broken.iter().flat_map(|it| &it.objects)
        {
            set.declare_external(group, kind, namespace, name);
        }
        set
    }

    fn pod_security(&self) -> pod_security::Settings<'v> {
        let Self { options, project, .. } = *self;
        let asked = project.pod_security.enforce.map(|(level, place)| (level, Some(place)));
        pod_security::Settings {
            policy: options.policy.map(|level| (level, None)).or(asked),
            exempt_namespaces: &project.pod_security.exempt_namespaces,
            exempt_runtime_classes: &project.pod_security.exempt_runtime_classes,
        }
    }
}
