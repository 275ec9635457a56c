//! The pipeline: read → sort → settings → expand → lower → validate → order.
//!
//! Each line of [`compile`] is one stage with one entry function; what a stage knows, it was given.

use std::cell::LazyCell;
use std::error::Error;
use std::fmt;

use crate::consequence::{self, LeftOut, leave_out};
use crate::crd::CustomKinds;
use crate::diag::{Diagnostic, Severity, Sink};
use crate::dialect::{self, DIALECTS, PROJECT};
use crate::emit::in_apply_order;
use crate::exception::{self, Held};
use crate::expand;
use crate::folder::{self, Skipped};
use crate::kube::{self, GroupVersionKind, Hidden, InputObject, Object, ObjectSet, SharedKinds};
use crate::limits;
use crate::lower::{self, API_GROUP, Broken, Lowered, ObjectKey, Override, Setup};
use crate::parallel::{Blocks, ordered_each};
use crate::project::{self, External, Project};
use crate::rules;
use crate::schema::{Arena, Earlier, KubernetesVersion, Versions};
use crate::secrecy;
use crate::source::{FileId, FileRole, Span, Workspace};
use crate::tree::{Node, Origin};
use crate::validate::{self, AcrossFiles, pod_security};
use crate::workload::security::PodSecurityLevel;
use crate::yaml::{self, Document, Documents};

/// What a run is asked to do.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The versions whose API servers must accept the output. None: the Project's, else the newest.
    pub kubernetes: Versions,
    /// The level of the Pod Security Standards that all Pods are checked against, whatever makes them.
    /// `None`: the Project's, else none.
    pub policy: Option<PodSecurityLevel>,
    /// The environment of the Project whose values hold.
    pub environment: Option<String>,
    /// Only the findings are wanted, and the compilation has no objects. The findings are the same,
    /// except that hand-written objects with one name in several files are one warning: folders that
    /// are checked may be alternatives. A large input takes a fraction of the memory.
    pub findings_alone: bool,
    /// What the systems count is required as well: the summaries of the compilation.
    pub is_summarized: bool,
    /// Fields of the systems' blocks of the Project.
    overrides: Vec<Override>,
}

/// A setting that no system has, or a value that it does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownSetting {
    message: String,
}

impl fmt::Display for UnknownSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for UnknownSetting {}

impl Options {
    /// What [`set`](Self::set) set.
    pub(crate) fn overrides(&self) -> &[Override] {
        &self.overrides
    }

    /// Sets a field of a system's block of the Project, whatever the Project says: `target` of
    /// `kelos` to `resources`.
    ///
    /// # Errors
    /// If there is no such system, no such field, or no such value of it. The message lists what
    /// exists.
    pub fn set(&mut self, system: &str, field: &str, value: &str) -> Result<(), UnknownSetting> {
        let setting = lower::Override::find(DIALECTS, system, field, value);
        self.overrides.push(setting.map_err(|message| UnknownSetting { message })?);
        Ok(())
    }
}

/// What a run made: the objects in apply order, and everything there is to say about the input.
#[derive(Debug)]
pub struct Compilation {
    /// The objects, in apply order. Not to be printed where a diagnostic is an error.
    pub objects: Vec<Object>,
    /// What the input has, sorted by place: objects, definitions, and the Project.
    pub inputs: Vec<InputObject>,
    /// How many files were compiled: neither skipped nor read for their context alone.
    pub files: usize,
    /// Sorted by place, without the values of secrets.
    pub diagnostics: Vec<Diagnostic>,
    /// Findings that only follow from one of the diagnostics, which is at least as severe. Without the
    /// values of secrets as well.
    pub left_out: Vec<LeftOut>,
    /// The values of secrets in files with findings, sorted: [`Workspace::mask`] them before the text
    /// of the workspace is shown, as every report does that has excerpts.
    pub secrets: Vec<Span>,
    /// How many findings there were apart from, that exceptions allow.
    pub allowed: usize,
    /// What the systems count, as text for people: the quota table of Nodepool. Empty where it is not
    /// wanted.
    pub summaries: Vec<String>,
}

impl Compilation {
    /// Whether the output must not be used.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// A stage of a run, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// Splitting and parsing of files.
    Read,
    /// Expressions and `expand` of definitions.
    Expand,
    /// From definitions to objects: schema, layers, merge.
    Lower,
    /// The rules for objects, one by one and together.
    Validate,
    /// The apply order, and the order of the findings.
    Order,
}

/// Compiles the files of a workspace.
#[must_use]
pub fn compile(workspace: &Workspace, options: &Options) -> Compilation {
    compile_observed(workspace, options, &mut |_, _| {})
}

/// As [`compile`]; `observe` is called at the start of each stage with how many things it has before
/// it, to show progress or to measure.
pub fn compile_observed(
    workspace: &Workspace,
    options: &Options,
    observe: &mut dyn FnMut(Stage, usize),
) -> Compilation {
    let mut sink = Sink::new();
    observe(Stage::Read, workspace.ids().count());
    let mut hidden = Hidden::default();
    let mut skipped = Skipped::find(workspace);
    let documents = read(workspace, options, &mut skipped, &mut hidden, &mut sink);
    let shared = dialect::shared_kinds();
    let Sorted { mut inputs, projects, definitions, mut objects } =
        sort(workspace, documents, &shared, &mut skipped);
    let files = workspace.ids().filter(|it| workspace.file(*it).role() != FileRole::Context);
    let files = files.filter(|it| !skipped.contains(*it)).count();
    skipped.report(&mut sink);
    for object in objects.iter().filter(|it| it.gvk.version.is_empty()) {
        hidden.add(workspace.slice(object.document));
    }
    let project = settings(workspace, options, projects, &mut sink);
    let nowhere = Origin::source(workspace.start());
    let setups = dialect::setups(&project.blocks, &options.overrides, nowhere);
    observe(Stage::Expand, definitions.len());
    let definitions = expand_all(workspace, &project, definitions, &mut hidden, &mut sink);
    observe(Stage::Lower, definitions.len());
    let lowering = lower::Cx {
        dialects: DIALECTS,
        setups: &setups,
        targets: project.kubernetes,
        texts: workspace,
        shared: &shared,
        namespace: project.namespace.as_ref(),
        is_summarized: options.is_summarized,
    };
    let Lowered { broken, summaries, bases } =
        lower::run(lowering, definitions, &mut objects, &mut hidden, &mut sink);
    observe(Stage::Validate, objects.len());
    let arena = Arena::new();
    let systems = setups.iter().filter_map(|it| (it.dialect.custom_resources)(it));
    let custom = CustomKinds::new(&arena, systems, &objects);
    let made = Made {
        workspace,
        options,
        project: &project,
        setups: &setups,
        shared: &shared,
        objects: &objects,
        broken: &broken,
        custom: &custom,
        hidden: &hidden,
        earlier: Earlier::by(&sink),
    };
    sink.per_version(project.kubernetes, |target, sink| validate(&made, target, sink));
    observe(Stage::Order, objects.len());
    if options.findings_alone {
        objects.clear();
    }
    let findings = sink.into_sorted_for(project.kubernetes);
    let rules = LazyCell::new(rules::all as fn() -> _);
    let exceptions = exception::Cx { texts: workspace, inputs: &inputs, project: &project, rules };
    let Held { findings, allowed } = exception::hold(&exceptions, findings);
    let findings = of_named_files(workspace, &project, findings);
    let compared = consequence::Cx { inputs: &inputs, bases: &bases };
    let (mut diagnostics, mut left_out) = leave_out(compared, findings);
    let following = left_out.iter_mut().map(|it| &mut it.finding);
    let secrets = secrecy::redact(workspace, diagnostics.iter_mut().chain(following).collect());
    let is_input = |place| matches!(workspace.role_at(place), FileRole::Named | FileRole::Found);
    objects.retain(|object| is_input(object.document));
    inputs.retain(|input| workspace.role_at(input.place) != FileRole::Context);
    let objects = in_apply_order(objects);
    Compilation { objects, inputs, files, diagnostics, left_out, secrets, allowed, summaries }
}

/// The documents of each text, in the order of the files.
fn read<'w>(
    workspace: &'w Workspace,
    options: &Options,
    skipped: &mut Skipped,
    hidden: &mut Hidden<'w>,
    sink: &mut Sink,
) -> Vec<Vec<Document>> {
    let reduce = |document: &mut Document| {
        let is_reduced =
            options.findings_alone && document.body.is_some() && kube::outline(&mut document.root);
        document.body = document.body.filter(|_| is_reduced);
    };
    let mut documents = Vec::new();
    let mut aliases = limits::ALIAS_VALUES.count();
    for file in workspace.ids().filter(|it| !skipped.contains(*it)).collect::<Vec<_>>() {
        let text = workspace.file(file).text();
        let can_be_skipped = workspace.file(file).role() == FileRole::Found;
        if can_be_skipped && !folder::may_be_manifest(text) {
            skipped.add_other(workspace, file);
            continue;
        }
        if yaml::check_file(file, workspace.file(file), sink).is_err() {
            hidden.add(text);
            continue;
        }
        let mut findings = Sink::new();
        let Documents { mut read, unread } =
            yaml::documents_within(file, text, reduce, &mut aliases, &mut findings);
        let is_manifest = |it: &Document| folder::is_manifest(&it.root);
        let is_unread =
            unread.iter().any(|place| folder::reads_like_manifest(workspace.slice(*place)));
        if can_be_skipped && !is_unread && !read.iter().any(is_manifest) {
            skipped.add_other(workspace, file);
            continue;
        }
        sink.absorb(findings);
        read.retain(|document| !document.root.is_null());
        documents.push(read);
        for place in unread {
            hidden.add(workspace.slice(place));
        }
    }
    let is_known = |it: &FileId| workspace.file(*it).role() == FileRole::KnownKinds;
    let first = workspace.ids().find(|it| !is_known(it));
    if documents.iter().all(Vec::is_empty) && sink.reported().is_none() {
        first.map(yaml::without_objects).into_iter().for_each(|finding| sink.report(finding));
    }
    documents
}

/// Documents by what becomes of them.
#[derive(Debug, Default)]
struct Sorted {
    inputs: Vec<InputObject>,
    projects: Vec<Node>,
    definitions: Blocks<(Node, Span)>,
    objects: Vec<Object>,
}

fn sort(
    workspace: &Workspace,
    documents: Vec<Vec<Document>>,
    kinds: &SharedKinds,
    skipped: &mut Skipped,
) -> Sorted {
    let mut sorted = Sorted::default();
    let is_of_language = |it: &Document| {
        let version = it.root.str_at(&["apiVersion"]);
        version.and_then(|it| it.split_once('/')).is_some_and(|(group, _)| group == API_GROUP)
    };
    let has_definitions = documents.iter().flatten().any(is_of_language);
    // Most documents are one object, or become one. A list that grows leaves holes after it.
    let count = documents.iter().map(Vec::len).sum();
    sorted.inputs.reserve_exact(count);
    sorted.objects.reserve_exact(count);
    let documents = documents.into_iter().flatten().flat_map(|Document { root, span, body }| {
        kube::items_of_list(root, span).into_iter().map(move |(root, span)| (root, span, body))
    });
    for (root, span, outline_of) in documents {
        // Next to definitions that are to be known there may be other files.
        if workspace.role_at(span) == FileRole::KnownKinds && !is_definition(&root) {
            continue;
        }
        if folder::is_kustomization(&root) {
            skipped.add_kustomization(workspace, span);
            continue;
        }
        let input = InputObject::of(&root, span, kinds);
        sorted.inputs.push(input.clone());
        let InputObject { gvk, name, namespace, place: document } = input;
        if gvk.is(API_GROUP, "Project") {
            sorted.projects.push(root);
        } else if gvk.group == API_GROUP || has_definitions && lower::is_slip(DIALECTS, &gvk) {
            sorted.definitions.push((root, document));
        } else {
            sorted.objects.push(Object { gvk, name, namespace, root, document, outline_of });
        }
    }
    sorted.inputs.shrink_to_fit();
    sorted
}

fn is_project(root: &Node) -> bool {
    let text = |key: &str| root.str_at(&[key]).unwrap_or("");
    GroupVersionKind::new(text("apiVersion"), text("kind")).is(API_GROUP, "Project")
}

fn is_definition(root: &Node) -> bool {
    let (api_version, kind) = (root.str_at(&["apiVersion"]), root.str_at(&["kind"]));
    api_version.zip(kind).is_some_and(|(api_version, kind)| {
        GroupVersionKind::new(api_version, kind)
            .is("apiextensions.k8s.io", "CustomResourceDefinition")
    })
}

/// The paths under `crds` of the Projects in the files, each with the text that has it. For whoever
/// reads files; a run takes what was read.
#[must_use]
pub fn crds_of_projects(workspace: &Workspace) -> Vec<(FileId, String)> {
    let mut paths = Vec::new();
    for file in workspace.ids() {
        let text = workspace.file(file).text();
        if !(text.contains("crds") && text.contains(API_GROUP)) {
            continue;
        }
        for document in yaml::documents(file, text, |_| {}, &mut Sink::new()).read {
            let root = document.root;
            if is_project(&root) {
                let crds = root.at(&["spec", "crds"]).map_or(&[][..], Node::items);
                paths.extend(crds.iter().filter_map(Node::as_str).map(|it| (file, it.to_owned())));
            }
        }
    }
    paths
}

/// The findings on the files that were asked for. The Project governs them, so its file counts too.
fn of_named_files(
    workspace: &Workspace,
    project: &Project,
    mut findings: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let project = project.place.map(|place| workspace.file_at(place).id());
    findings.retain(|finding| {
        let file = workspace.file_at(finding.primary.span);
        file.role() != FileRole::Context || Some(file.id()) == project
    });
    findings
}

/// The first file with definitions, where no file has the Project that they belong to. For whoever
/// reads files, to look for it.
#[must_use]
pub fn project_is_missing(workspace: &Workspace) -> Option<FileId> {
    let has = |file: &FileId, word: &str| {
        memchr::memmem::find(workspace.file(*file).text().as_bytes(), word.as_bytes()).is_some()
    };
    let of_language: Vec<_> = workspace.ids().filter(|file| has(file, API_GROUP)).collect();
    let mut may_have_project = of_language.iter().filter(|file| has(file, "Project"));
    let has_project = may_have_project.any(|file| {
        let text = workspace.file(*file).text();
        let documents = yaml::documents(*file, text, |_| {}, &mut Sink::new()).read;
        documents.iter().any(|it| is_project(&it.root))
    });
    of_language.into_iter().find(|_| !has_project)
}

/// The settings of the run. Without any input they are the defaults.
fn settings(
    workspace: &Workspace,
    options: &Options,
    projects: Vec<Node>,
    sink: &mut Sink,
) -> Project {
    let environment = options.environment.as_deref();
    let spec = PROJECT.object;
    project::find(projects, spec, options.kubernetes, environment, workspace, sink)
}

fn expand_all<'w>(
    workspace: &'w Workspace,
    project: &Project,
    definitions: Blocks<(Node, Span)>,
    hidden: &mut Hidden<'w>,
    sink: &mut Sink,
) -> Blocks<(Node, Span)> {
    let roots = definitions.iter().map(|(root, _)| root);
    let cx = expand::Cx::new(workspace, &project.values, roots);
    let expand = |(number, (root, document))| {
        let mut sink = Sink::new();
        (number, expand::run(&cx, number, root, &mut sink), document, sink)
    };
    let mut all = Blocks::default();
    let numbered = definitions.into_iter().enumerate();
    ordered_each(numbered, expand, |(number, roots, document, mut findings)| {
        let is_over = !cx.accepts(number, document, &mut findings);
        if is_over || roots.is_empty() && findings.reported().is_some() {
            hidden.add(workspace.slice(document));
        }
        sink.absorb(findings);
        for root in roots.into_iter().filter(|_| !is_over) {
            all.push((root, document));
        }
    });
    all
}

/// What the stages before made, and what there is to judge it by.
struct Made<'m> {
    workspace: &'m Workspace,
    options: &'m Options,
    project: &'m Project,
    setups: &'m [Setup],
    shared: &'m SharedKinds,
    objects: &'m [Object],
    broken: &'m [Broken],
    custom: &'m CustomKinds<'m>,
    hidden: &'m Hidden<'m>,
    earlier: Earlier,
}

/// Judges as a cluster of the target version would.
fn validate(made: &Made<'_>, target: KubernetesVersion, sink: &mut Sink) {
    let Made { workspace, options, project, setups, shared, objects, .. } = made;
    let Made { broken, custom, hidden, earlier, .. } = made;
    let across_files =
        if options.findings_alone { AcrossFiles::Alternatives } else { AcrossFiles::Together };
    let against = validate::objects::Cx { target, texts: workspace, custom, earlier, across_files };
    let mut hidden = (*hidden).clone();
    for document in validate::objects::check(against, objects, sink) {
        hidden.add(workspace.slice(document));
    }
    let mut set = ObjectSet::new(objects, shared);
    for External { api_version, kind, name, namespace, because: _ } in &project.external {
        let group = api_version.as_ref().map_or("", |it| it.as_str());
        let group = group.rsplit_once('/').map_or("", |(group, _)| group);
        let default = project.namespace.as_ref().and_then(Node::as_str).unwrap_or("");
        let namespace = namespace.as_ref().map_or(default, |it| it.as_str());
        // Of a cluster-scoped kind the namespace means nothing: both readings are declared.
        set.declare_external(group, kind.as_str(), namespace, name.as_str());
        set.declare_external(group, kind.as_str(), "", name.as_str());
    }
    for ObjectKey { group, kind, namespace, name } in broken.iter().flat_map(|it| &it.objects) {
        set.declare_external(group, kind, namespace, name);
    }
    set.declare_hidden(&hidden);
    for setup in *setups {
        (setup.dialect.check_objects)(&set, setup, sink);
    }
    let asked = project.pod_security.enforce.map(|(level, place)| (level, Some(place)));
    let settings = pod_security::Settings {
        policy: options.policy.map(|level| (level, None)).or(asked),
        exempt_namespaces: &project.pod_security.exempt_namespaces,
        exempt_runtime_classes: &project.pod_security.exempt_runtime_classes,
    };
    validate::check(against, &set, &settings, sink);
}
