//! Reads a `Project` document as settings.

use lean_string::LeanStr;
use thin_vec::ThinVec;

use super::external::is_external_file;
use super::layers::Layers;
use super::spec::{Environment, Evaluated, External, PodSecuritySettings, ProjectSpec};
use super::{PodSecurity, Project, values};
use crate::decode::{Field, Fields, Listed, NameOr, Record, Text};
use crate::diag::{About, Diagnostic, Sink, declare_rules, did_you_mean, listed, message};
use crate::limits;
use crate::pod_security::{PodSecurityLevel, StandardVersion};
use crate::schema::{self, CheckContext, KubernetesVersion, Object, Property, Type, Versions};
use crate::sorted::SortedMap;
use crate::source::{PROJECT_FILE, Slice as _, Span, Workspace};
use crate::tree::{Entry, Node, Origin, Path};

declare_rules! {
    ENVIRONMENT_NOT_FOUND = "environment-not-found", Error;
    EXTERNAL_INVALID = "external-invalid", Error;
    KUBERNETES_VERSION_UNKNOWN = "kubernetes-version-unknown", Error;
    PROJECT_DUPLICATE = "project-duplicate", Error;
    PROJECT_MISSING = "project-missing", Warning;
    VALUES_INVALID = "values-invalid", Error;
    VALUE_NOT_DECLARED = "value-not-declared", Warning;
}

/// A value that takes precedence over the Project's.
#[derive(Clone, Debug)]
pub(crate) struct GivenValue {
    /// Its keys below `values`; without any, the value is a map of all values.
    pub(crate) path: Vec<String>,
    /// The value.
    pub(crate) value: Node,
}

/// The inputs of the settings of a run in addition to the Projects in its input.
#[derive(Debug)]
pub(crate) struct SettingsInput<'c> {
    /// [`ProjectSpec`] with the blocks of all systems.
    pub(crate) spec: &'static Object<'static>,
    /// The target versions of the command line.
    pub(crate) kubernetes: Versions,
    /// The environment whose values are used.
    pub(crate) environment: Option<&'c str>,
    /// Whether the Project may lack it.
    pub(crate) environment_is_optional: bool,
    /// Values of the command line; later ones take precedence.
    pub(crate) values: Vec<GivenValue>,
    /// The files.
    pub(crate) texts: &'c Workspace,
}

/// The settings of a run, from its Project, if there is one, and the command line. `spec` is
/// [`ProjectSpec`] with the blocks of all systems.
pub(crate) fn find(cx: SettingsInput<'_>, projects: Vec<Node>, sink: &mut Sink) -> Project {
    let SettingsInput { spec, kubernetes, environment, environment_is_optional, values, texts } =
        cx;
    let nowhere = Origin::source(texts.start());
    let mut settings = of_projects(spec, projects, kubernetes, environment, texts, sink);
    if environment_is_optional {
        sink.retain(|it| it.rule != &ENVIRONMENT_NOT_FOUND);
    }
    let declares_any = !settings.values.entries().is_empty();
    let mut layers = Layers::of(std::mem::replace(&mut settings.values, Node::map(nowhere)));
    for given in values {
        if given.path.len() > limits::DOCUMENT_DEPTH.count() {
            sink.report(too_deep(&given));
            continue;
        }
        if declares_any {
            report_undeclared(&mut layers, &given, sink);
        }
        let nested = given.path.into_iter().rev().fold(given.value, |value, key| {
            let mut map = Node::map(value.origin());
            map.set(key, value);
            map
        });
        layers.add(nested);
    }
    settings.values = layers.into_node();
    settings
}

fn too_deep(given: &GivenValue) -> Diagnostic {
    let most = limits::DOCUMENT_DEPTH.most;
    let message = message!("path of a value with more than {most} keys");
    Diagnostic::new(&VALUES_INVALID, given.value.span(), message).help("use a shorter path")
}

/// Reports the first key of a value that the Project does not declare. A Project without values
/// declares none, and leaves all to the command line.
fn report_undeclared(declared: &mut Layers, given: &GivenValue, sink: &mut Sink) {
    let top =
        given.value.entries().iter().map(|entry| (entry.key.as_str(), entry.key_origin().span()));
    let keys: Vec<_> = match &given.path[..] {
        [] => top.map(|(key, span)| (vec![key], span)).collect(),
        path => vec![(path.iter().map(String::as_str).collect(), given.value.span())],
    };
    // Either there is one path, or all have one key: the declared values are the same.
    let mut declared_here = None;
    for (path, span) in keys {
        if sink.is_over() {
            return;
        }
        if let Some((depth, map)) = declared.first_absent(&path) {
            let full = path.slice(..=depth).join(".");
            let message = message!("the Project does not declare the value `{full}`");
            let finding = Diagnostic::new(&VALUE_NOT_DECLARED, span, message);
            let known = map.entries().iter().map(|it| it.key.as_str());
            let near = path.get(depth).filter(|_| !sink.is_terse());
            let near = near.and_then(|key| did_you_mean(key, known.clone()));
            let note = declared_here
                .get_or_insert_with(|| message!("declared here: {}", listed(known)))
                .clone();
            sink.report(finding.help_if(near).note(note));
        }
    }
}

/// Reports each value of a single environment that the Project does not declare. One that several
/// environments set needs no default.
fn undeclared_of_environments(
    declared: &Node,
    environments: &[(LeanStr, Environment)],
    sink: &mut Sink,
) {
    let Some(declared) = declared.as_map().filter(|map| !map.entries().is_empty()) else { return };
    let mut counts = SortedMap::new();
    for (_, environment) in environments {
        for entry in values_of(environment) {
            *counts.entry(entry.key.as_str()).or_insert(0_usize) += 1;
        }
    }
    let known = || declared.entries().iter().map(|it| it.key.as_str());
    for (name, environment) in environments {
        for entry in values_of(environment) {
            let key = entry.key.as_str();
            let is_shared = counts.get(&key).is_some_and(|count| *count > 1);
            if is_shared || declared.get(key).is_some() || sink.is_over() {
                continue;
            }
            let message = message!(
                "environment `{name}` sets the value `{key}`, which the Project does not declare"
            );
            let near = if sink.is_terse() { None } else { did_you_mean(key, known()) };
            let finding = Diagnostic::new(&VALUE_NOT_DECLARED, entry.key_origin().span(), message)
                .at("not in `values`")
                .note(message!("declared here: {}", listed(known())));
            sink.report(match near {
                Some(near) => finding.help(near),
                None => finding.help(message!("declare `{key}` in `values` of the Project")),
            });
        }
    }
}

fn values_of(environment: &Environment) -> &[Entry] {
    environment.values.as_ref().map_or(&[], |it| it.node.entries())
}

fn of_projects(
    spec: &'static Object<'static>,
    projects: Vec<Node>,
    kubernetes: Versions,
    environment: Option<&str>,
    texts: &Workspace,
    sink: &mut Sink,
) -> Project {
    let nowhere = texts.start();
    let origin = Origin::source(nowhere);
    let mut settings = Project {
        kubernetes: if kubernetes.is_empty() {
            KubernetesVersion::NEWEST.into()
        } else {
            kubernetes
        },
        namespace: None,
        values: Node::map(origin),
        pod_security: PodSecurity::default(),
        applier: None,
        cluster: None,
        allow: Vec::new(),
        deny: Vec::new(),
        warn: Vec::new(),
        place: None,
        environment: None,
        evaluates_all: false,
        external: Vec::new(),
        external_files: Vec::new(),
        blocks: Node::map(origin),
    };
    let mut projects = projects.into_iter();
    let Some(mut first) = projects.next() else {
        if let Some(name) = environment {
            sink.report(
                Diagnostic::new(
                    &ENVIRONMENT_NOT_FOUND,
                    nowhere,
                    message!("environment `{name}` without a Project"),
                )
                .about(About::MissingField(name.into()))
                .note("only a Project defines environments, and the input has none")
                .help(message!(
                    "add a `{PROJECT_FILE}` with `spec.environments.{name}` at or above the input"
                )),
            );
        }
        return settings;
    };
    let first_place = first.get("kind").map_or_else(|| first.span(), Node::span);
    for other in projects {
        let place = other.get("kind").map_or_else(|| other.span(), Node::span);
        sink.report(
            Diagnostic::new(&PROJECT_DUPLICATE, place, "duplicate Project")
                .at("second Project")
                .label(first_place, "first Project")
                .help("keep one Project for all files of a run"),
        );
    }
    values::keep_keys(&mut first, texts, sink);
    let against = CheckContext::settings("Project").with_texts(texts);
    let properties = document(spec);
    let document = Object::new("Project", &properties);
    schema::check(&first, Type::Object(&document), &against, sink);
    let mut of_project = Fields::of(first).take("spec");
    if let Some(node) = &mut of_project {
        settings.blocks = take_blocks(node, spec);
    }
    if let Some(spec) = of_project.and_then(ProjectSpec::read) {
        apply(spec, &mut settings, kubernetes, environment, first_place, sink);
    }
    settings
}

/// The fields of a document of settings.
pub(crate) fn document(spec: &'static Object<'static>) -> [Property<'static>; 4] {
    [
        Property::new("apiVersion", <Text as Field>::TYPE, true),
        Property::new("kind", <Text as Field>::TYPE, true),
        Property::new("metadata", Type::Any, false),
        Property::new("spec", Type::Object(spec), true),
    ]
}

/// Removes all entries from `spec` that are not fields of [`ProjectSpec`], and returns the blocks of
/// the systems, which `known` has as well. The others were reported as unknown.
fn take_blocks(spec: &mut Node, known: &Object<'_>) -> Node {
    let mut blocks = Node::map(spec.origin());
    let Some(map) = spec.as_map_mut() else { return blocks };
    let entries = std::mem::take(map).into_entries().into_iter();
    let (own, others): (ThinVec<_>, ThinVec<_>) =
        entries.partition(|it| ProjectSpec::OBJECT.property(&it.key).is_some());
    *map = own.into();
    for entry in others.into_iter().filter(|it| known.property(&it.key).is_some()) {
        if !entry.value.is_null() {
            blocks.set(entry.key, entry.value);
        }
    }
    blocks
}

fn apply(
    spec: ProjectSpec,
    settings: &mut Project,
    kubernetes: Versions,
    environment: Option<&str>,
    place: Span,
    sink: &mut Sink,
) {
    let ProjectSpec {
        kubernetes: own,
        namespace,
        values,
        environments,
        expressions,
        pod_security,
        apply: application,
        cluster,
        allow,
        deny,
        warn,
        // The caller has already read these files.
        crds: _,
        external,
    } = spec;
    set_versions(own.as_ref(), kubernetes, settings, sink);
    settings.namespace = namespace.map(|it| bounded(it).into_node());
    add_external(external, settings, sink);
    if let (Some(values), Some(environments)) = (&values, &environments) {
        undeclared_of_environments(&values.node, &environments.entries, sink);
    }
    if let Some(values) = values {
        lay_over(&mut settings.values, values.node);
    }
    if let Some(name) = environment {
        let environments = environments.map_or_else(Vec::new, |it| it.entries);
        let names: Vec<LeanStr> = environments.iter().map(|(key, _)| key.clone()).collect();
        match environments.into_iter().find(|(key, _)| key == name) {
            Some((_, environment)) => {
                let Environment { values, kubernetes: own, namespace, external } = environment;
                if let Some(values) = values {
                    lay_over(&mut settings.values, values.node);
                }
                set_versions(own.as_ref(), kubernetes, settings, sink);
                if let Some(namespace) = namespace {
                    settings.namespace = Some(bounded(namespace).into_node());
                }
                add_external(external, settings, sink);
                settings.environment = Some(name.to_owned());
            }
            None => report_environment(name, place, &names, sink),
        }
    }
    settings.pod_security =
        pod_security.map_or_else(PodSecurity::default, |it| it.into_settings(sink));
    settings.applier = application.map(|application| application.with.value.into());
    settings.cluster = cluster;
    settings.allow = allow.map_or_else(Vec::new, |it| it.items);
    settings.evaluates_all = expressions.is_some_and(|it| it.value == Evaluated::All);
    settings.deny = deny.map_or_else(Vec::new, |it| it.items);
    settings.warn = warn.map_or_else(Vec::new, |it| it.items);
    settings.place = Some(place);
}

/// Sets the versions of a Project or an environment, unless the command line has others.
fn set_versions(own: Option<&Text>, given: Versions, settings: &mut Project, sink: &mut Sink) {
    if let (true, Some(text)) = (given.is_empty(), own) {
        match Versions::parse(text.as_str()) {
            Some(versions) => settings.kubernetes = versions,
            None => report_version(text, sink),
        }
    }
}

/// Adds the objects and files of a list under `external`.
fn add_external(list: Option<Listed<NameOr<External>>>, settings: &mut Project, sink: &mut Sink) {
    for item in list.map_or_else(Vec::new, |it| it.items) {
        match item {
            NameOr::Inline(object) => settings.external.push(*object),
            NameOr::Name(text) if is_external_file(text.as_str()) => {
                settings.external_files.push(text);
            }
            NameOr::Name(text) => match External::of_short_form(&text) {
                Ok(object) => settings.external.push(object),
                Err(finding) => sink.report(finding),
            },
        }
    }
}

/// A namespace that is far too long is as invalid as its start, and all objects have a copy of it.
fn bounded(namespace: Text) -> Text {
    const LONGEST: usize = 1_000;
    let text = namespace.as_str();
    let start = text.slice(..text.floor_char_boundary(LONGEST));
    if start == text { namespace } else { namespace.with_text(start.to_owned()) }
}

fn texts(list: &Listed<Text>) -> Vec<String> {
    list.items.iter().map(|it| it.as_str().to_owned()).collect()
}

impl PodSecuritySettings {
    fn into_settings(self, sink: &mut Sink) -> PodSecurity {
        let Self { enforce, enforce_version, exempt_namespaces, exempt_runtime_classes } = self;
        let version = enforce_version.and_then(|text| {
            let version = StandardVersion::parse(text.as_str());
            if version.is_none() {
                report_standard(&text, sink);
            }
            version
        });
        let version = version.unwrap_or(StandardVersion::Latest);
        PodSecurity {
            enforce: enforce.map(|it| (PodSecurityLevel::new(it.value, version), it.span())),
            exempt_namespaces: exempt_namespaces.map_or_else(Vec::new, |it| texts(&it)),
            exempt_runtime_classes: exempt_runtime_classes.map_or_else(Vec::new, |it| texts(&it)),
        }
    }
}

fn lay_over(base: &mut Node, over: Node) {
    let mut layers = Layers::of(std::mem::replace(base, Node::map(base.origin())));
    layers.add(over);
    *base = layers.into_node();
}

/// Reports an unknown version of Kubernetes.
pub(crate) fn report_version(text: &Text, sink: &mut Sink) {
    let known: Vec<_> = KubernetesVersion::all().map(|version| version.to_string()).collect();
    sink.report(
        Diagnostic::new(
            &KUBERNETES_VERSION_UNKNOWN,
            text.span(),
            message!("unknown Kubernetes version `{}`", text.as_str()),
        )
        .at("unknown version")
        .help(message!(
            "write one of {}, a comma-separated list, or a range such as `1.34..1.37`",
            known.join(", ")
        )),
    );
}

fn report_standard(text: &Text, sink: &mut Sink) {
    let message = message!("unknown version `{}` of the Pod Security Standards", text.as_str());
    sink.report(
        Diagnostic::new(&KUBERNETES_VERSION_UNKNOWN, text.span(), message)
            .at("unknown version")
            .help("write `latest`, or a version such as `v1.36`"),
    );
}

fn report_environment(name: &str, place: Span, names: &[LeanStr], sink: &mut Sink) {
    let note = if names.is_empty() {
        "the Project defines no environments".into()
    } else {
        message!("known environments: {}", listed(names.iter().map(LeanStr::as_str)))
    };
    sink.report(
        Diagnostic::new(&ENVIRONMENT_NOT_FOUND, place, message!("unknown environment `{name}`"))
            .about(About::MissingField(name.into()))
            .path(&Path::root().field("spec").field("environments"))
            .help_if(did_you_mean(name, names.iter().map(LeanStr::as_str)))
            .note(note),
    );
}
