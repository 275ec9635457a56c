//! Compiles the inputs and reports the findings.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::mem::ManuallyDrop;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use sandboxc::{
    Checked, Compilation, Diagnostic, FileId, FileRole, InputObject, Judged, Level, Object, Paint,
    ProjectChoice, Selection, Severity, SourceFile, Summary, Versions, Workspace, count_by_rule,
    describe_hidden, most_important, render_github, render_json, render_junit, render_sarif,
    render_selection, table_of_rules,
};

use super::Outcome;
use super::arguments::{FailOn, Format, Inputs, KnownKinds, Options, ReportFile, WARNINGS};
use super::failure::Failure;
use super::input::{self, Files};
use super::progress::Progress;
use super::visible::visible;
use super::{output, report_files, terminal};

/// The maximum number of findings in the human-readable formats.
const MAX_SHOWN: usize = 100;
/// The number of findings above which a run ends with a table of their rules.
const LONG_RUN: usize = 20;

/// Reads the inputs and compiles them. `adjust` sets the options that the command requires.
///
/// The result is not dropped: the process ends soon, and to free fifty thousand findings takes
/// longer than to end it.
pub(crate) fn compile(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    adjust: impl FnOnce(&mut sandboxc::Options),
) -> Result<(Workspace, ManuallyDrop<Compilation>), Failure> {
    let mut settings = compile_options(options)?;
    adjust(&mut settings);
    let (mut workspace, compilation) = unmasked(inputs, kinds, options, &mut settings)?;
    workspace.mask(&compilation.secrets);
    Ok((workspace, ManuallyDrop::new(compilation)))
}

/// The results of a run, by environment.
pub(crate) struct Runs {
    pub(crate) workspace: Workspace,
    /// The findings of all environments. Without several environments, also the objects.
    pub(crate) compilation: ManuallyDrop<Compilation>,
    /// The objects of each environment, if there are several.
    pub(crate) environments: Vec<(String, Vec<Object>)>,
}

/// As [`compile`], for each environment of the command line.
pub(crate) fn compile_each(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    adjust: impl FnOnce(&mut sandboxc::Options),
) -> Result<Runs, Failure> {
    if !options.all_environments && options.environment.len() < 2 {
        let (workspace, compilation) = compile(inputs, kinds, options, adjust)?;
        return Ok(Runs { workspace, compilation, environments: Vec::new() });
    }
    let mut settings = settings(options)?;
    adjust(&mut settings);
    let progress = Progress::start(options);
    let mut workspace = read(inputs, kinds, options, &progress, &mut settings)?;
    let names = environments(options, &workspace, &settings)?;
    settings.environment_is_optional = options.all_environments;
    let (mut runs, mut environments) = (Vec::new(), Vec::new());
    for name in names {
        let mut run = compile_in(&name, &workspace, &mut settings, &progress);
        environments.push((name.clone(), std::mem::take(&mut run.objects)));
        runs.push((name, run));
    }
    drop(progress);
    let Some(compilation) = Compilation::of_environments(runs) else {
        return Err(Failure::usage(
            "the Project defines no environments",
            "add them to `spec.environments` of the Project, or omit `--all-environments`",
        ));
    };
    workspace.mask(&compilation.secrets);
    Ok(Runs { workspace, compilation: ManuallyDrop::new(compilation), environments })
}

/// Compiles the inputs once for each of two environments.
pub(crate) fn compile_twice(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    environments: [&str; 2],
    adjust: impl FnOnce(&mut sandboxc::Options),
) -> Result<(Workspace, [Compilation; 2]), Failure> {
    let mut settings = settings(options)?;
    adjust(&mut settings);
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
    let mut observe = |stage, count| progress.stage(stage, count);
    sandboxc::compile_observed(workspace, settings, &mut observe)
}

/// The names of the environments to use, each once.
fn environments(
    options: &Options,
    workspace: &Workspace,
    settings: &sandboxc::Options,
) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    if options.all_environments {
        let is_project = |it: &FileId| match &settings.project {
            ProjectChoice::File(name) => workspace.file(*it).name() == name,
            ProjectChoice::None => false,
            _ => true,
        };
        names = sandboxc::environments_of_projects(workspace, workspace.ids().filter(is_project));
    }
    for name in &options.environment {
        add_new(&mut names, Some(name));
    }
    if let Some(name) =
        names.iter().find(|it| it.contains(['/', '\\']) || matches!(it.as_str(), "" | "." | ".."))
    {
        return Err(Failure::usage(
            format!("the environment `{}` cannot be the name of a directory", name.escape_debug()),
            "rename it",
        ));
    }
    Ok(names)
}

/// As [`compile`], for questions about the objects: secrets are still in the workspace.
pub(crate) fn compile_to_ask(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
) -> Result<(Workspace, sandboxc::Options, ManuallyDrop<Compilation>), Failure> {
    let mut settings = compile_options(options)?;
    let (workspace, compilation) = unmasked(inputs, kinds, options, &mut settings)?;
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
    let Files { workspace, scopes, project } =
        input::read_with_context(inputs, kinds, options, progress)?;
    if options.verbose {
        output::complain(&described(&workspace));
    }
    settings.scopes = scopes;
    if let Some(project) = project {
        let name = workspace.file(project).name();
        if !sandboxc::has_project(&workspace, [project]) {
            return Err(Failure::usage(
                format!("`{name}` has no Project"),
                "name a file with `kind: Project`, or a directory with a `sandboxc.yaml`",
            ));
        }
        settings.project = ProjectChoice::File(name.to_owned());
    }
    Ok(workspace)
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
        visible(&format!("read {}{purpose}", file.name())) + "\n"
    };
    workspace.ids().map(|it| line(workspace.file(it))).collect()
}

fn unmasked(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    settings: &mut sandboxc::Options,
) -> Result<(Workspace, Compilation), Failure> {
    let progress = Progress::start(options);
    let workspace = read(inputs, kinds, options, &progress, settings)?;
    let mut observe = |stage, count| progress.stage(stage, count);
    let compilation = sandboxc::compile_observed(&workspace, settings, &mut observe);
    Ok((workspace, compilation))
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
    compile.each_occurrence = options.all;
    let levels = [
        (&options.warn, Level::Warn),
        (&options.deny, Level::Deny),
        (&options.allow, Level::Allow),
    ];
    for (names, level) in levels {
        compile.levels.extend(names.iter().map(|name| (name.clone(), level)));
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

/// Where findings appear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Look {
    /// In a file: without colors, and independent of the terminal.
    Plain,
    /// On the terminal, if there is one.
    Terminal,
}

/// The findings of a run, and its files.
pub(crate) struct Findings<'r> {
    workspace: &'r Workspace,
    /// The checked objects, if the command checks objects.
    inputs: Option<&'r [InputObject]>,
    diagnostics: &'r [Diagnostic],
    files: usize,
    allowed: usize,
    judged: &'r [Judged],
    /// Whether the Project or the command line denies warnings.
    is_strict: bool,
}

impl<'r> Findings<'r> {
    /// The findings of a compilation.
    pub(crate) fn of(workspace: &'r Workspace, compilation: &'r Compilation) -> Self {
        let Compilation { inputs, diagnostics, files, allowed, judged, is_strict, .. } =
            compilation;
        let (files, allowed, is_strict) = (*files, *allowed, *is_strict);
        Self { workspace, inputs: Some(inputs), diagnostics, files, allowed, judged, is_strict }
    }

    /// The findings of a command that does not compile.
    pub(crate) fn of_texts(workspace: &'r Workspace, diagnostics: &'r [Diagnostic]) -> Self {
        let files = workspace.ids().count();
        let (allowed, judged, is_strict) = (0, &[], false);
        Self { workspace, inputs: None, diagnostics, files, allowed, judged, is_strict }
    }

    /// Prints the findings to standard error, and returns the outcome.
    pub(crate) fn report(&self, options: &Options) -> Result<Outcome, Failure> {
        let shown = self.shown(options);
        self.write_files(options)?;
        let mut text = self.render(&shown, options.format, Look::Terminal, options);
        if options.format == Format::Human && !shown.is_empty() && !options.quiet {
            text.push_str(&self.summary(&shown, options));
        }
        output::complain(&text);
        Ok(self.judge(options))
    }

    /// Prints the findings as the output of the run, and returns the outcome. Human-readable
    /// findings still go to standard error.
    pub(crate) fn print(&self, options: &Options) -> Result<Outcome, Failure> {
        let shown = self.shown(options);
        self.write_files(options)?;
        let mut text = self.render(&shown, options.format, Look::Terminal, options);
        if options.format == Format::Human {
            if !options.quiet {
                text.push_str(&self.summary(&shown, options));
            }
            output::complain(&text);
        } else {
            output::print(&text)?;
        }
        Ok(self.judge(options))
    }

    /// The outcome of the run.
    fn judge(&self, options: &Options) -> Outcome {
        let fails = |it: &Diagnostic| it.severity <= self.fails(options);
        if options.fail_on != Some(FailOn::Never) && self.diagnostics.iter().any(fails) {
            Outcome::InputHasErrors
        } else {
            Outcome::Clean
        }
    }

    /// The mildest severity that fails a run.
    fn fails(&self, options: &Options) -> Severity {
        match options.fail_on {
            Some(FailOn::Note) => Severity::Note,
            Some(FailOn::Warning) => Severity::Warning,
            _ if self.denies_warnings(options) => Severity::Warning,
            _ => Severity::Error,
        }
    }

    fn denies_warnings(&self, options: &Options) -> bool {
        self.is_strict || options.deny.iter().any(|it| it == WARNINGS)
    }

    /// The findings to print, which `--quiet` reduces. Denied warnings become errors.
    fn shown(&self, options: &Options) -> Cow<'r, [Diagnostic]> {
        if !options.quiet {
            return Cow::Borrowed(self.diagnostics);
        }
        let is_shown = |it: &&Diagnostic| it.severity <= self.fails(options);
        self.diagnostics.iter().filter(is_shown).cloned().collect()
    }

    /// Writes the reports of `--report`, at the same time. They are complete even with `--quiet`.
    /// Of several failures, the one of the first report is returned.
    fn write_files(&self, options: &Options) -> Result<(), Failure> {
        report_files::refuse_inputs(&options.report, self.workspace)?;
        let results: Vec<_> = thread::scope(|scope| {
            let start = |report| scope.spawn(move || self.write_file(report, options));
            let threads: Vec<_> = options.report.iter().map(start).collect();
            threads.into_iter().map(ScopedJoinHandle::join).collect()
        });
        let rethrow = |result: thread::Result<_>| result.unwrap_or_else(|it| resume_unwind(it));
        results.into_iter().try_for_each(rethrow)
    }

    fn write_file(&self, report: &ReportFile, options: &Options) -> Result<(), Failure> {
        let ReportFile { format, path } = report;
        let mut text = self.render(self.diagnostics, *format, Look::Plain, options);
        if *format == Format::Human {
            text.push_str(&self.summary(self.diagnostics, options));
        }
        report_files::write(path, &text)
    }

    fn render(
        &self,
        shown: &[Diagnostic],
        format: Format,
        look: Look,
        options: &Options,
    ) -> String {
        let (workspace, inputs) = (self.workspace, self.inputs.unwrap_or(&[]));
        match format {
            Format::Human | Format::Github => digest(workspace, shown, format, look, options),
            Format::Json => render_json(workspace, shown, self.checked()),
            Format::Sarif => render_sarif(workspace, inputs, shown),
            Format::Junit => render_junit(workspace, inputs, shown, self.fails(options)),
        }
    }

    fn checked(&self) -> Option<Checked> {
        let mut checked = Checked::default();
        (checked.objects, checked.files) = (self.inputs?.len(), self.files);
        checked.allowed = self.allowed;
        let mut versions = Versions::NONE;
        for Judged { project, kubernetes, environment, .. } in self.judged {
            versions = versions.union(*kubernetes);
            add_new(&mut checked.projects, project.as_ref());
            add_new(&mut checked.environments, environment.as_ref());
        }
        checked.kubernetes = versions.iter().map(|it| it.to_string()).collect();
        Some(checked)
    }

    /// A summary of the run, with a hint about `explain`.
    fn summary(&self, shown: &[Diagnostic], options: &Options) -> String {
        let summary = Summary::of(self.workspace, shown);
        let mut text = match self.checked() {
            Some(checked) => summary.describe_checked(&checked),
            None => summary.describe().unwrap_or_default(),
        };
        if self.denies_warnings(options) && summary.warnings > 0 {
            text.push_str("; warnings are denied");
        }
        if let Some(first) = shown.iter().min_by_key(|it| it.severity) {
            text.push_str("\nmore about a rule: sandboxc explain ");
            text.push_str(first.rule.name);
        }
        text.push('\n');
        text
    }
}

fn add_new(names: &mut Vec<String>, name: Option<&String>) {
    if let Some(name) = name.filter(|it| !names.contains(it)) {
        names.push(name.clone());
    }
}

/// The findings to show in the human-readable formats: a limited number, unless all are requested.
fn digest(
    workspace: &Workspace,
    shown: &[Diagnostic],
    format: Format,
    look: Look,
    options: &Options,
) -> String {
    let (mut text, hidden, columns) = if format == Format::Github {
        let most = if options.all { usize::MAX } else { MAX_SHOWN };
        let (first, hidden) = most_important(shown, most);
        (render_github(workspace, &first), hidden, None)
    } else {
        let selection =
            if options.all { Selection::all(shown) } else { Selection::of(shown, MAX_SHOWN) };
        let (paint, columns) = match look {
            Look::Plain => (Paint::Plain, None),
            Look::Terminal => (terminal::paint(options.color), terminal::columns()),
        };
        let text = render_selection(workspace, &selection, paint, columns);
        (text, selection.hidden().to_vec(), columns)
    };
    if !hidden.is_empty() {
        let command = if format == Format::Github { "::notice::" } else { "" };
        let _ = writeln!(text, "{command}{}", describe_hidden(&hidden, columns));
    }
    let is_short = look == Look::Terminal && options.quiet;
    if format == Format::Human && shown.len() > LONG_RUN && !is_short {
        let counts = count_by_rule(shown);
        let _ = writeln!(text, "\n{}", table_of_rules(&counts));
    }
    text
}
