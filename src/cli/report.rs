//! Compiles the inputs and reports the findings.

mod findings;

use std::mem::ManuallyDrop;

use sandboxc::markup::visible_line;
use sandboxc::{
    ApartEnvironments, Compilation, FileRole, Grouping, Level, Object, ProjectChoice,
    ProjectSource, Purpose, SourceFile, Workspace,
};

pub(crate) use self::findings::Findings;
use super::arguments::{Inputs, KnownKinds, Options, SKIPPED};
use super::failure::Failure;
use super::input::{self, Files};
use super::output;
use super::progress::Progress;
use super::writing::{Collision, find_collision, unusable_name};
use sandboxc_files::Skipped;

/// Reads the inputs and compiles them for a purpose.
///
/// The result is not dropped: the process ends soon, and to free fifty thousand findings takes
/// longer than to end it.
pub(crate) fn compile(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    purpose: Purpose,
) -> Result<(Workspace, ManuallyDrop<Compilation>), Failure> {
    let (workspace, compilation, _) = compile_counted(inputs, kinds, options, purpose)?;
    Ok((workspace, compilation))
}

/// As [`compile`], with the files that were not read.
fn compile_counted(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    purpose: Purpose,
) -> Result<(Workspace, ManuallyDrop<Compilation>, Skipped), Failure> {
    let mut settings = compile_options(options)?;
    settings.purpose = purpose;
    let (mut workspace, compilation, skipped) = unmasked(inputs, kinds, options, &mut settings)?;
    workspace.mask(&compilation.secrets);
    Ok((workspace, ManuallyDrop::new(compilation), skipped))
}

/// The results of a run, by environment.
pub(crate) struct Runs {
    pub(crate) workspace: Workspace,
    /// The findings of all environments. Without several environments, also the objects.
    pub(crate) compilation: ManuallyDrop<Compilation>,
    /// The objects of each environment, if there are several.
    pub(crate) environments: Vec<(String, Vec<Object>)>,
    /// The files that were not read.
    pub(crate) skipped: Skipped,
}

/// As [`compile`], for each environment of the command line.
pub(crate) fn compile_each(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    purpose: Purpose,
) -> Result<Runs, Failure> {
    if !options.all_environments && options.environment.len() < 2 {
        let (workspace, compilation, skipped) = compile_counted(inputs, kinds, options, purpose)?;
        return Ok(Runs { workspace, compilation, environments: Vec::new(), skipped });
    }
    let mut settings = settings(options)?;
    settings.purpose = purpose;
    let progress = Progress::start(options);
    let Files { mut workspace, projects, skipped, .. } =
        read_files(inputs, kinds, options, &progress, &mut settings)?;
    let names = environments(options, &projects)?;
    settings.environment_is_optional = options.all_environments;
    let (mut runs, mut environments) = (Vec::new(), Vec::new());
    let is_one = settings.scopes.is_empty() && names.len() > 1;
    let apart = is_one.then(|| ApartEnvironments::of(&workspace, &projects)).flatten();
    for name in names {
        let alone = apart.as_ref().and_then(|it| it.alone(&workspace, &name));
        let texts = alone.as_ref().unwrap_or(&workspace);
        let mut run = compile_in(&name, texts, &mut settings, &progress);
        environments.push((name.clone(), std::mem::take(&mut run.objects)));
        runs.push((name, run));
    }
    let compilation = match &apart {
        Some(apart) => {
            settings.environment = None;
            let whole = compile_observed(&workspace, &settings, &progress);
            Compilation::of_environments_apart(runs, apart, (&workspace, whole))
        }
        None => Compilation::of_environments(runs),
    };
    drop(progress);
    let Some(compilation) = compilation else {
        return Err(Failure::usage(
            "the Project defines no environments",
            "add them to `spec.environments` of the Project, or omit `--all-environments`",
        ));
    };
    workspace.mask(&compilation.secrets);
    let compilation = ManuallyDrop::new(compilation);
    Ok(Runs { workspace, compilation, environments, skipped })
}

/// Compiles the inputs once for each of two environments.
pub(crate) fn compile_twice(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    environments: [&str; 2],
    purpose: Purpose,
) -> Result<(Workspace, [Compilation; 2]), Failure> {
    let mut settings = settings(options)?;
    settings.purpose = purpose;
    let progress = Progress::start(options);
    let workspace = read(inputs, kinds, options, &progress, &mut settings)?;
    let compiled = environments.map(|name| compile_in(name, &workspace, &mut settings, &progress));
    Ok((workspace, compiled))
}

/// Compiles what was read in an environment.
fn compile_in(
    environment: &str,
    workspace: &Workspace,
    settings: &mut sandboxc::Options,
    progress: &Progress,
) -> Compilation {
    settings.environment = Some(environment.to_owned());
    compile_observed(workspace, settings, progress)
}

fn compile_observed(
    workspace: &Workspace,
    settings: &sandboxc::Options,
    progress: &Progress,
) -> Compilation {
    let mut observe = |stage, count| progress.stage(stage, count);
    sandboxc::compile_observed(workspace, settings, &mut observe)
}

/// The names of the environments to use, each once.
fn environments(options: &Options, projects: &[ProjectSource]) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    if options.all_environments {
        names = ProjectSource::environments_of(projects);
    }
    for name in &options.environment {
        add_new(&mut names, Some(name));
    }
    refuse_names(&names)?;
    Ok(names)
}

/// Rejects environments whose names cannot be those of output directories on all systems.
fn refuse_names(names: &[String]) -> Result<(), Failure> {
    let shown = |name: &str| name.escape_debug().to_string();
    if let Some((name, why)) = names.iter().find_map(|name| Some((name, unusable_name(name)?))) {
        let name = shown(name);
        return Err(Failure::usage(
            format!("the environment `{name}` cannot be the name of a directory: {why}"),
            "rename it",
        ));
    }
    let Some(Collision { first, second }) = find_collision(names.iter().map(String::as_str)) else {
        return Ok(());
    };
    let (first, second) = (shown(first), shown(second));
    Err(Failure::usage(
        format!(
            "the environments `{first}` and `{second}` have the same directory on some systems"
        ),
        "rename one of them: macOS and Windows ignore case",
    ))
}

/// As [`compile`], for questions about the objects: secrets are still in the workspace.
pub(crate) fn compile_to_ask(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
) -> Result<(Workspace, sandboxc::Options, ManuallyDrop<Compilation>), Failure> {
    let mut settings = compile_options(options)?;
    let (workspace, compilation, _) = unmasked(inputs, kinds, options, &mut settings)?;
    Ok((workspace, settings, ManuallyDrop::new(compilation)))
}

/// Reads the inputs, and selects the Project that the command line names.
pub(crate) fn read(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    progress: &Progress,
    settings: &mut sandboxc::Options,
) -> Result<Workspace, Failure> {
    Ok(read_files(inputs, kinds, options, progress, settings)?.workspace)
}

/// As [`read`], with the projects and the files that are not read.
fn read_files(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    progress: &Progress,
    settings: &mut sandboxc::Options,
) -> Result<Files, Failure> {
    let mut files = input::read_with_context(inputs, kinds, options, progress)?;
    if options.verbose {
        output::complain(&described(&files.workspace));
    }
    settings.scopes = std::mem::take(&mut files.scopes);
    if let Some(project) = files.project {
        let name = files.workspace.file(project).name();
        if files.projects.is_empty() {
            return Err(Failure::usage(
                format!("`{name}` has no Project"),
                "name a file with `kind: Project`, or a directory with a `sandboxc.yaml`",
            ));
        }
        settings.project = ProjectChoice::File(name.to_owned());
    }
    Ok(files)
}

/// The files of a run, and for what they are read.
fn described(workspace: &Workspace) -> String {
    let line = |file: &SourceFile| {
        let purpose = match file.role() {
            FileRole::Context => " (the project around the input)",
            FileRole::KnownKinds => " (custom resource definitions)",
            FileRole::Policies => " (policies)",
            FileRole::External => " (objects of the cluster)",
            FileRole::Values => " (values)",
            _ => "",
        };
        format!("read {}{purpose}\n", visible_line(file.name()))
    };
    workspace.ids().map(|file| line(workspace.file(file))).collect()
}

fn unmasked(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    settings: &mut sandboxc::Options,
) -> Result<(Workspace, Compilation, Skipped), Failure> {
    let progress = Progress::start(options);
    let Files { workspace, skipped, .. } = read_files(inputs, kinds, options, &progress, settings)?;
    let compilation = compile_observed(&workspace, settings, &progress);
    Ok((workspace, compilation, skipped))
}

/// The options of the compilation, from the command line, with one environment at most.
pub(crate) fn compile_options(options: &Options) -> Result<sandboxc::Options, Failure> {
    let mut compile = settings(options)?;
    compile.environment = match &options.environment[..] {
        [] if !options.all_environments => None,
        [name] => Some(name.clone()),
        _ => {
            return Err(Failure::usage(
                "several environments, but this command uses one",
                "write one `--environment`; `check` and `build` use several",
            ));
        }
    };
    Ok(compile)
}

/// The options of the compilation, from the command line, without an environment.
fn settings(options: &Options) -> Result<sandboxc::Options, Failure> {
    let mut compile = sandboxc::Options::default();
    compile.kubernetes = options.versions();
    compile.policy = options.policy;
    compile.grouping = match () {
        () if options.all => Grouping::None,
        () if options.has_report_for_programs() => Grouping::ByPlace,
        () => Grouping::ByCause,
    };
    let levels = [
        (&options.warn, Level::Warn),
        (&options.deny, Level::Deny),
        (&options.allow, Level::Allow),
    ];
    for (names, level) in levels {
        let rules = names.iter().filter(|it| *it != SKIPPED);
        compile.levels.extend(rules.map(|name| (name.clone(), level)));
    }
    if options.no_project {
        compile.project = ProjectChoice::None;
    }
    let of_systems =
        options.of_systems.iter().map(|(system, field, value)| (*system, *field, value.as_str()));
    let targets = options.target.iter().map(|it| {
        let (system, value) = it.split_once('=').unwrap_or((it, ""));
        (system, "target", value)
    });
    for (system, field, value) in of_systems.chain(targets) {
        let usage = |error: sandboxc::UnknownSetting| {
            Failure::usage(error.to_string(), "write `--target SYSTEM=VALUE`".to_owned())
        };
        compile.set(system, field, value).map_err(usage)?;
    }
    Ok(compile)
}

fn add_new(names: &mut Vec<String>, name: Option<&String>) {
    if let Some(name) = name.filter(|it| !names.contains(it)) {
        names.push(name.clone());
    }
}
