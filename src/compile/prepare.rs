//! The stages before lowering: reads and sorts the files, finds the settings, and expands the
//! definitions.

use super::expansion::{Expanded, expand_all};
use super::external::Existing;
use super::projects;
use super::read::{Read, read};
use super::sort::{Sorted, object, sort};
use super::values::given_values;
use super::{ProjectChoice, Run, Stage};
use crate::crd::description::System;
use crate::diag::Sink;
use crate::dialect::{self, DIALECTS, PROJECT};
use crate::expand::Unevaluated;
use crate::folder::Skipped;
use crate::kube::{Hidden, InputObject, Object, SharedKinds};
use crate::limits::Fuel;
use crate::lower::{self, Setup};
use crate::parallel::Blocks;
use crate::project::{self, Project};
use crate::rules;
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileId, FileRole, Span, Workspace};
use crate::test_case;
use crate::tree::{Node, Origin};
use crate::unevaluated::{self, has_expressions};

/// The contents of the files of a workspace.
pub(super) struct Input<'w> {
    /// Objects, definitions and the Project.
    pub(super) inputs: Vec<InputObject>,
    /// The definitions, expanded.
    pub(super) definitions: Blocks<(Node, Span)>,
    /// The definitions with expressions that cannot be evaluated.
    pub(super) unevaluated: Vec<(Unevaluated, Span)>,
    /// The objects that pass through.
    pub(super) objects: Vec<Object>,
    /// Names in documents that cannot be read.
    pub(super) hidden: Hidden<'w>,
    /// The number of compiled files: neither skipped nor only read for context.
    pub(super) files: usize,
    /// The resources of kustomizations, each with the folder of one that lists it.
    pub(super) kustomized: SortedMap<FileId, String>,
    /// The documents that cannot be read and are probably a Project.
    pub(super) unread_projects: Vec<Span>,
    /// The ordinary objects whose expressions are evaluated.
    pub(super) evaluated: SortedSet<Span>,
}

/// The settings of a run, which all definitions share.
pub(super) struct Settings {
    pub(super) project: Project,
    pub(super) setups: Vec<Setup>,
    pub(super) shared: SharedKinds,
    pub(super) existing: Existing,
}

impl Settings {
    /// The systems with custom resources.
    pub(super) fn systems(&self) -> impl Iterator<Item = &'static System> {
        self.setups.iter().filter_map(|it| (it.dialect.custom_resources)(it))
    }

    /// The settings for the lowering of definitions.
    pub(super) fn lowering<'s>(
        &'s self,
        texts: &'s Workspace,
        is_summarized: bool,
        fuel: &'s Fuel<'s>,
    ) -> lower::LoweringContext<'s> {
        lower::LoweringContext {
            dialects: DIALECTS,
            setups: &self.setups,
            targets: self.project.kubernetes,
            texts,
            shared: &self.shared,
            namespace: self.project.namespace.as_ref(),
            external: &self.existing.data,
            is_summarized,
            fuel,
        }
    }
}

/// Checks the form of the tests of the input.
fn check_tests(workspace: &Workspace, tests: &[Node], sink: &mut Sink) {
    let is_context = |it: &Node| workspace.role_at(it.span()) == FileRole::Context;
    let mut tests = tests.iter().filter(|it| !is_context(it)).peekable();
    if tests.peek().is_some() {
        let rules = rules::all();
        tests.for_each(|it| test_case::check(it, workspace, &rules, sink));
    }
}

/// Reads the files up to the expanded definitions.
pub(super) fn prepare<'w>(
    run: Run<'w>,
    observe: &mut dyn FnMut(Stage, usize),
    sink: &mut Sink,
) -> (Input<'w>, Settings) {
    let Run { workspace, options, fuel } = run;
    let mut hidden = Hidden::default();
    let mut skipped = Skipped::find(workspace);
    let Read { documents, unread_projects } =
        read(workspace, options, &mut skipped, &mut hidden, sink);
    let shared = dialect::shared_kinds();
    let mut values = given_values(workspace, sink);
    let case = options.purpose.case();
    if let Some(case) = case {
        let all = documents.iter().flatten();
        values.extend(all.flat_map(|it| test_case::values(&it.root, case)));
    }
    let Sorted { inputs, mut projects, tests, mut definitions, mut objects } =
        sort(workspace, (documents, case), &shared, &mut skipped, &mut hidden);
    check_tests(workspace, &tests, sink);
    if sink.is_over() {
        (definitions, objects) = (Blocks::default(), Vec::new());
    }
    if options.project == ProjectChoice::InFiles {
        projects::report_missing(workspace, &inputs, sink);
    }
    let (files, kustomized) = (skipped.compiled_files(workspace), skipped.take_resources());
    skipped.report(workspace, sink);
    projects.retain(|it| match &options.project {
        ProjectChoice::InFiles => true,
        ProjectChoice::File(name) => workspace.file_at(it.span()).name() == name,
        ProjectChoice::None => false,
    });
    let settings = project::SettingsInput {
        spec: PROJECT.object,
        kubernetes: options.kubernetes,
        environment: options.environment.as_deref(),
        environment_is_optional: options.environment_is_optional,
        values,
        texts: workspace,
    };
    let project = project::find(settings, projects, sink);
    let nowhere = Origin::source(workspace.start());
    let setups = dialect::setups(&project.blocks, options.overrides(), nowhere);
    let existing = Existing::of(workspace, &project, &shared, sink);

    let mut evaluated = SortedSet::new();
    let is_evaluated = |it: &mut Object| {
        let is_asked = unevaluated::take_request(&mut it.root);
        (is_asked || project.evaluates_all) && has_expressions(workspace.slice(it.document))
    };
    for object in objects.extract_if(.., is_evaluated) {
        evaluated.insert(object.document);
        definitions.push((object.root, object.document));
    }
    observe(Stage::Expand, definitions.len());
    let Expanded { mut definitions, mut unevaluated } =
        expand_all(workspace, &project, definitions, (&mut hidden, fuel), sink);
    if !evaluated.is_empty() {
        let mut own = Blocks::default();
        for (root, document) in definitions {
            if evaluated.contains(&document) {
                objects.push(object(root, document, &shared));
            } else {
                own.push((root, document));
            }
        }
        definitions = own;
        unevaluated.retain(|(_, document)| !evaluated.contains(document));
    }
    let input = Input {
        inputs,
        definitions,
        unevaluated,
        objects,
        hidden,
        files,
        kustomized,
        unread_projects,
        evaluated,
    };
    (input, Settings { project, setups, shared, existing })
}
