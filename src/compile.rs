//! The pipeline: read → sort → settings → expand → lower → validate → order.
//!
//! Each line of [`compile`] is one stage with one entry function; a stage only depends on its
//! arguments.

mod apart;
mod built;
mod cancellation;
mod environments;
mod expansion;
mod external;
mod findings;
pub(crate) mod json;
mod levels;
mod options;
mod prepare;
mod projects;
mod read;
mod scopes;
mod sort;
mod validation;
mod values;
mod workbench;

pub use self::apart::ApartEnvironments;
pub use self::cancellation::Cancellation;
pub use self::levels::Level;
pub use self::options::{Grouping, Options, ProjectChoice, UnknownSetting};
pub(crate) use self::workbench::{Workbench, with_trials};

use self::levels::Levels;
use self::prepare::{Input, Settings, prepare};
use self::validation::{Validation, take_too_large};
use crate::consequence::LeftOut;
use crate::crd::description::System;
use crate::crd::{CustomKinds, fill_list_defaults};
use crate::diag::{Diagnostic, Severity, Sink, within};
use crate::effective;
use crate::emit::in_apply_order;
use crate::kube::{self, InputObject, Object, Remarks};
use crate::limits::Fuel;
use crate::lower::{self, Lowered, Setup};
use crate::parallel::ordered_map;
use crate::project::Project;
use crate::schema::{Arena, Earlier, Versions};
use crate::sorted::SortedSet;
use crate::source::{FileId, FileRole, Span, Workspace};

/// The number of findings whose report needs little memory compared with the objects.
const FEW: usize = 1_000;

/// The result of a run: the objects in apply order, and the findings.
#[derive(Debug)]
pub struct Compilation {
    /// The objects, in apply order. Do not use them if a diagnostic is an error.
    pub objects: Vec<Object>,
    /// The objects, definitions and the Project of the input, sorted by position.
    pub inputs: Vec<InputObject>,
    /// The number of compiled files: neither skipped nor only read for context.
    pub files: usize,
    /// The findings, sorted by position, without the values of secrets.
    pub diagnostics: Vec<Diagnostic>,
    /// Findings that only follow from one of the diagnostics, which is at least as severe. They do
    /// not contain the values of secrets either.
    pub left_out: Vec<LeftOut>,
    /// The values of secrets in files with findings, sorted. Call [`Workspace::mask`] with them
    /// before you show source text of the workspace, as every report with excerpts does.
    pub secrets: Vec<Span>,
    /// The number of findings that exceptions suppress.
    pub allowed: usize,
    /// The human-readable summaries of the systems, such as the quota table of Nodepool. Empty
    /// unless requested.
    pub summaries: Vec<String>,
    /// Remarks on objects that controllers create. Empty for other compilations.
    pub remarks: Remarks,
    /// Whether warnings fail the run, as the Project or [`Options::levels`] demand.
    pub is_strict: bool,
    /// The settings by which the input was judged; several if it has several projects.
    pub judged: Vec<Judged>,
    /// The selected environment of the Project.
    pub(crate) environment: Option<String>,
    /// The known custom resources that are not part of the output. Empty unless objects are compared.
    pub(crate) kinds: Kinds,
    /// Objects that were only checked. Empty unless [`Options::keeps_checked`].
    pub(crate) checked: Vec<Object>,
}

/// Custom resources that are known without being part of the output.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    /// The systems that install some.
    pub(crate) systems: Vec<&'static System>,
    /// Definitions in files that are only read for context.
    pub(crate) definitions: Vec<Object>,
}

/// The settings by which one project was judged.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Judged {
    /// The name of the file with the Project, if there is one.
    pub project: Option<String>,
    /// The versions whose API servers must accept the output.
    pub kubernetes: Versions,
    /// The selected environment of the Project.
    pub environment: Option<String>,
}

impl Judged {
    fn of(workspace: &Workspace, project: &Project, options: &Options) -> Self {
        Self {
            project: project.place.map(|it| workspace.file_at(it).name().to_owned()),
            kubernetes: project.kubernetes,
            environment: options.environment.clone(),
        }
    }
}

impl Compilation {
    /// Whether the output must not be used.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Hides the values of secrets, if [`Options::keeps_secrets`] was set.
    pub(crate) fn hide_secrets(&mut self, workspace: &Workspace) {
        let Self { diagnostics, left_out, secrets, .. } = self;
        *secrets = findings::hide_secrets(workspace, diagnostics, left_out);
    }
}

/// Adds the defaults in the lists of compiled objects.
fn fill_defaults(
    custom: &CustomKinds<'_>,
    objects: &mut [Object],
    fuel: &Fuel<'_>,
    sink: &mut Sink,
) {
    let Some(first) = objects.first().map(|it| it.document.start_point()) else { return };
    within(fuel, (first, "add defaults"), sink, |_| fill_list_defaults(custom, objects, fuel));
}

/// The objects of the output, in apply order, and those that were only checked.
fn parted(
    mut objects: Vec<Object>,
    workspace: &Workspace,
    options: &Options,
    findings: usize,
) -> (Vec<Object>, Vec<Object>) {
    if !options.findings_alone {
        let is_input = |at| matches!(workspace.role_at(at), FileRole::Named | FileRole::Found);
        objects.retain(|object| is_input(object.document));
        return (in_apply_order(canonical(objects)), Vec::new());
    }
    if options.keeps_checked && findings <= FEW {
        return (Vec::new(), objects);
    }
    // To release the memory of all trees takes a while.
    ordered_map(objects, drop);
    (Vec::new(), Vec::new())
}

/// The objects; compiled ones are in the form in which the API server returns them.
fn canonical(mut objects: Vec<Object>) -> Vec<Object> {
    for object in objects.iter_mut().filter(|it| it.is_compiled()) {
        kube::canonicalize(&mut object.root, &object.gvk);
    }
    objects
}

/// Drops the objects around the input that the input has as well: standard input is often a later
/// form of the same project, such as the output of `kubectl kustomize`.
fn drop_shadowed(workspace: &Workspace, objects: &mut Vec<Object>) {
    let is_context = |it: &Object| workspace.role_at(it.document) == FileRole::Context;
    if !objects.iter().any(is_context) {
        return;
    }
    let key = |it: &Object| (it.gvk.clone(), it.namespace.clone(), it.name.clone());
    let own: SortedSet<_> = objects.iter().filter(|it| !is_context(it)).map(key).collect();
    objects.retain(|it| !is_context(it) || it.name.is_empty() || !own.contains(&key(it)));
}

/// Whether an object of the files is part of the input: it is neither around it nor in one of the
/// files that `build` has printed.
fn is_judged(workspace: &Workspace, built: &SortedSet<FileId>, input: &InputObject) -> bool {
    let file = workspace.file_at(input.place);
    file.role() != FileRole::Context && !built.contains(&file.id())
}

/// The number of files that were found in directories.
fn count_found(workspace: &Workspace, files: &SortedSet<FileId>) -> usize {
    files.iter().filter(|it| workspace.file(**it).role() == FileRole::Found).count()
}

/// A stage of a run, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// Splitting and parsing of files.
    Read,
    /// Expressions and `expand` of definitions.
    Expand,
    /// Lowering of definitions to objects: schema, layers, merge.
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

/// Like [`compile`]; `observe` is called at the start of each stage with the number of its files,
/// definitions or objects, to show progress or to measure.
pub fn compile_observed(
    workspace: &Workspace,
    options: &Options,
    observe: &mut dyn FnMut(Stage, usize),
) -> Compilation {
    if options.scopes.is_empty() {
        compile_one(workspace, options, observe)
    } else {
        scopes::compile(workspace, options, observe)
    }
}

/// Compiles the files of one project.
fn compile_one(
    workspace: &Workspace,
    options: &Options,
    observe: &mut dyn FnMut(Stage, usize),
) -> Compilation {
    let mut sink = Sink::new();
    let fuel = Fuel::of_run(workspace.bytes());
    let (input, settings) = prepare(workspace, options, observe, &fuel, &mut sink);
    let Input { mut inputs, definitions, unevaluated, mut objects, mut hidden, .. } = input;
    let Settings { project, setups, shared, .. } = &settings;

    observe(Stage::Lower, definitions.len());
    let is_checked = definitions.len() + unevaluated.len() > 0 || !options.is_compared;
    let lowering = settings.lowering(workspace, options.is_summarized, &fuel);
    let Lowered { broken, summaries, bases, partial } =
        lower::run(lowering, definitions, unevaluated, &mut objects, &mut hidden, &mut sink);

    let built = built::drop_output(workspace, shared, &mut objects, &mut sink);
    drop_shadowed(workspace, &mut objects);
    observe(Stage::Validate, objects.len());
    let too_large = take_too_large(is_checked, workspace, &mut objects, &mut hidden, &mut sink);
    let arena = Arena::new();
    let custom = CustomKinds::new(&arena, settings.systems(), &objects, workspace);
    fill_defaults(&custom, &mut objects, &fuel, &mut sink);
    let validation = Validation {
        workspace,
        options,
        project,
        setups,
        shared,
        objects: &objects,
        too_large: &too_large,
        broken: &broken,
        custom: &custom,
        hidden: &hidden,
        existing: &settings.existing.objects,
        earlier: Earlier::by(&sink),
        rule_findings: Validation::rule_findings(project.kubernetes, &objects),
        fuel: &fuel,
    };
    if is_checked && !options.cancellation.is_canceled() {
        validation.run_for_each_target(&mut sink, |it| partial.is_certain(it));
    }

    let (mut conditions, mut remarks) = (Vec::new(), Remarks::default());
    if partial.is_empty() && (options.is_effective || setups.iter().any(Setup::is_plain)) {
        let set = &validation.known_objects();
        let controllers = effective::Cx { setups, kinds: shared, set };
        let created = controllers.run(&objects, options.is_effective, &mut sink);
        (objects, conditions, remarks) = (created.objects, created.conditions, created.remarks);
    }

    objects.extend(too_large);
    objects.retain(|it| !partial.contains(it.document));
    observe(Stage::Order, objects.len());
    let levels = Levels::of(options, project, &mut sink);
    let mut findings = sink.into_sorted_for(project.kubernetes);
    effective::attach(conditions, &mut findings);
    let found = findings::Cx {
        workspace,
        options,
        project,
        levels: &levels,
        inputs: &inputs,
        bases: &bases,
        kustomized: &input.kustomized,
        unread_projects: &input.unread_projects,
        evaluated: &input.evaluated,
    };
    let findings::Finished { diagnostics, left_out, secrets, allowed } = found.finish(findings);
    let kinds = Kinds::of(options, &objects, workspace, &settings);
    let (objects, checked) = parted(objects, workspace, options, diagnostics.len());
    inputs.retain(|it| is_judged(workspace, &built, it));
    Compilation {
        objects,
        inputs,
        files: input.files.saturating_sub(count_found(workspace, &built)),
        diagnostics,
        left_out,
        secrets,
        allowed,
        summaries,
        remarks,
        is_strict: levels.denies_warnings,
        judged: vec![Judged::of(workspace, project, options)],
        environment: options.environment.clone(),
        kinds,
        checked,
    }
}

impl Kinds {
    /// What a comparison of the objects needs.
    fn of(
        options: &Options,
        objects: &[Object],
        workspace: &Workspace,
        settings: &Settings,
    ) -> Self {
        if !options.is_compared && options.case.is_none() {
            return Self::default();
        }
        let is_known = |it: &&Object| {
            it.gvk.is("apiextensions.k8s.io", "CustomResourceDefinition")
                && !matches!(workspace.role_at(it.document), FileRole::Named | FileRole::Found)
        };
        let definitions = objects.iter().filter(is_known).cloned().collect();
        Self { systems: settings.systems().collect(), definitions }
    }
}
