//! The stage that validates the objects, as a cluster of one target version would.

use super::Run;
use super::lowering::Lowered;
use super::options::Purpose;
use super::prepare::{Input, Settings};
use crate::crd::{CustomKinds, fill_list_defaults};
use crate::decode::ChoiceValues as _;
use crate::diag::{Sink, within};
use crate::dialect::describe_file;
use crate::kube::{Hidden, InputObject, Object, ObjectSet};
use crate::limits::Fuel;
use crate::lower::ObjectKey;
use crate::parallel::ordered_map;
use crate::project::{ClusterNetwork, External};
use crate::schema::{Arena, Earlier, KubernetesVersion, Versions};
use crate::source::Workspace;
use crate::tree::Node;
use crate::unevaluated::{self, has_expressions};
use crate::validate::objects::{AlsoCheck, RuleFindings};
use crate::validate::request::{self, TooLarge};
use crate::validate::{self, AcrossFiles, cluster_network, pod_security};

/// Completes the objects, and checks them for each target version.
pub(super) fn validate<'w>(
    run: Run<'w>,
    input: &mut Input<'w>,
    settings: &Settings,
    lowered: &mut Lowered,
    sink: &mut Sink,
) {
    let Run { workspace, options, fuel } = run;
    let Lowered { objects, too_large, are_checked, .. } = lowered;
    // Objects that are only compared can have any size.
    if *are_checked {
        *too_large = take_too_large(workspace, objects, &mut input.hidden, sink);
    }
    let arena = Arena::new();
    let custom = CustomKinds::new(&arena, settings.systems(), objects, workspace);
    fill_defaults(&custom, objects, fuel, sink);
    if !*are_checked || options.cancellation.is_canceled() {
        return;
    }
    let targets = settings.project.kubernetes;
    let validation = Validation {
        run,
        settings,
        lowered,
        custom: &custom,
        hidden: &input.hidden,
        earlier: Earlier::by(sink),
        rule_findings: rule_findings(targets, &lowered.objects),
    };
    sink.per_version(targets, |target, sink| {
        validation.check(target, sink);
        sink.retain(|finding| lowered.partial.is_certain(finding));
    });
    validate::report_unchecked(&lowered.objects, workspace, sink);
}

/// An empty item for each object, if there are several target versions.
fn rule_findings(targets: Versions, objects: &[Object]) -> Vec<RuleFindings> {
    let count = if targets.iter().count() > 1 { objects.len() } else { 0 };
    (0..count).map(|_| RuleFindings::new()).collect()
}

/// Adds the defaults in the lists of compiled objects.
fn fill_defaults(
    custom: &CustomKinds<'_>,
    objects: &mut [Object],
    fuel: &Fuel<'_>,
    sink: &mut Sink,
) {
    let Some(first) = objects.first().map(|object| object.document.start_point()) else { return };
    within(fuel, (first, "add defaults"), sink, |_| fill_list_defaults(custom, objects, fuel));
}

/// Takes the objects that the API server rejects for their size before it decodes them, and reports
/// them. No other rule applies to them. References to them are not reported as missing. Those that are too large for
/// client-side `kubectl apply` are reported, and stay.
fn take_too_large<'t>(
    workspace: &'t Workspace,
    objects: &mut Vec<Object>,
    hidden: &mut Hidden<'t>,
    sink: &mut Sink,
) -> Vec<Object> {
    let too_large_for = |object: &Object| {
        let text = workspace.slice(object.document);
        // Nearly all objects are written in a short text, and need not be walked.
        let may_be_long =
            object.is_compiled() || request::may_be_too_large(text) || has_expressions(text);
        if may_be_long { request::too_large_for(object) } else { None }
    };
    let sizes = ordered_map(objects.iter().collect(), too_large_for);
    for (object, size) in objects.iter().zip(&sizes) {
        match size {
            Some(TooLarge::ToApply) => sink.report(request::too_large_to_apply(object)),
            Some(TooLarge::ToSend) => {
                sink.report(request::too_large(object));
                hidden.add(workspace.slice(object.name_span()));
            }
            None => {}
        }
    }
    if !sizes.contains(&Some(TooLarge::ToSend)) {
        return Vec::new();
    }
    let mut sizes = sizes.into_iter();
    objects.extract_if(.., |_| sizes.next() == Some(Some(TooLarge::ToSend))).collect()
}

/// The results of the earlier stages, and the settings of the validation.
struct Validation<'v> {
    run: Run<'v>,
    settings: &'v Settings,
    lowered: &'v Lowered,
    custom: &'v CustomKinds<'v>,
    hidden: &'v Hidden<'v>,
    earlier: Earlier,
    rule_findings: Vec<RuleFindings>,
}

impl<'v> Validation<'v> {
    /// Checks each object, then all of them together, as a cluster of a version would.
    fn check(&self, target: KubernetesVersion, sink: &mut Sink) {
        let Self { run, settings, lowered, custom, ref earlier, .. } = *self;
        let Run { workspace, options, fuel } = run;
        let (project, objects) = (&settings.project, &lowered.objects);
        let across_files = match options.purpose {
            Purpose::Check => AcrossFiles::Alternatives,
            _ => AcrossFiles::Together,
        };
        let against = validate::objects::ObjectContext {
            target,
            texts: workspace,
            also: Some(AlsoCheck { values: &project.values, check: unevaluated::check }),
            convertible: Some(describe_file),
            custom,
            earlier,
            across_files,
            fuel,
            rule_findings: None,
        };
        let first =
            objects.first().map_or(workspace.start(), |object| object.document.start_point());
        let mut hidden = self.hidden.clone();
        let unknown = within(fuel, (first, "check each object"), sink, |sink| {
            validate::objects::check(against, objects, &self.rule_findings, sink)
        });
        for document in unknown.into_iter().flatten() {
            hidden.add(workspace.slice(document));
        }
        for External { api_version, kind, .. } in &project.external {
            let api_version = api_version.as_ref().map(|it| (it.as_str(), it.span()));
            let kind = (kind.as_str(), kind.span());
            validate::objects::check_reference(against, api_version, kind, sink);
        }
        if options.cancellation.is_canceled() {
            return;
        }
        let mut set = known_objects(run, settings, lowered);
        set.declare_hidden(&hidden);
        within(fuel, (first, "compare objects"), sink, |sink| {
            self.check_set(against, &set, sink);
        });
    }

    /// The checks of objects that depend on others.
    fn check_set(
        &self,
        against: validate::objects::ObjectContext<'_>,
        set: &ObjectSet<'_>,
        sink: &mut Sink,
    ) {
        let Settings { project, setups, .. } = self.settings;
        for setup in setups {
            (setup.dialect.check_objects)(set, setup, against.target, sink);
        }
        if let Some(ClusterNetwork { service_cidrs, ip_families }) = &project.cluster {
            let ranges = service_cidrs.iter().flat_map(|it| &it.items);
            let ranges = ranges.map(|it| (it.as_str(), it.span())).collect();
            let families = ip_families.as_ref();
            let families = families.map(|it| it.items.iter().map(|it| it.value.as_str()).collect());
            let network = cluster_network::Settings { ranges, families };
            cluster_network::check(set, network, sink);
        }
        let creators = setups.iter().map(|it| it.dialect);
        let creators = creators.filter_map(|it| Some((it.name, (it.creator)(set)?)));
        let creators: Vec<_> = creators.collect();
        validate::check(against, set, &self.pod_security(), &creators, sink);
    }

    fn pod_security(&self) -> pod_security::Settings<'v> {
        let (options, project) = (self.run.options, &self.settings.project);
        let asked = project.pod_security.enforce.map(|(level, place)| (level, Some(place)));
        pod_security::Settings {
            policy: options.policy.map(|level| (level, None)).or(asked),
            exempt_namespaces: &project.pod_security.exempt_namespaces,
            exempt_runtime_classes: &project.pod_security.exempt_runtime_classes,
        }
    }
}

/// The objects, the ones declared to exist in the cluster, and the ones that invalid
/// definitions would have produced.
pub(super) fn known_objects<'k>(
    run: Run<'k>,
    settings: &'k Settings,
    lowered: &'k Lowered,
) -> ObjectSet<'k> {
    let project = &settings.project;
    let default = project.namespace.as_ref().and_then(Node::as_str).unwrap_or("");
    let mut set = ObjectSet::new(&lowered.objects, &settings.shared, run.workspace, run.fuel);
    for External { api_version, kind, name, namespace, .. } in &project.external {
        let group = api_version.as_ref().map_or("", |it| it.as_str());
        let group = group.rsplit_once('/').map_or("", |(group, _)| group);
        let namespace = namespace.as_ref().map_or(default, |it| it.as_str());
        // A cluster-scoped kind has no namespace, so both readings are declared.
        set.declare_external(group, kind.as_str(), namespace, name.as_str());
        set.declare_external(group, kind.as_str(), "", name.as_str());
    }
    for InputObject { gvk, name, namespace, .. } in &settings.existing.objects {
        set.declare_external(&gvk.group, &gvk.kind, namespace, name);
        if namespace.is_empty() {
            set.declare_external(&gvk.group, &gvk.kind, default, name);
        }
    }
    for Object { gvk, name, namespace, .. } in &lowered.too_large {
        set.declare_external(&gvk.group, &gvk.kind, namespace, name);
    }
    for ObjectKey { group, kind, namespace, name } in
        lowered.broken.iter().flat_map(|it| &it.objects)
    {
        set.declare_external(group, kind, namespace, name);
    }
    set
}
