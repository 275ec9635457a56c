//! Compiles the inputs and reports the findings.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::mem::ManuallyDrop;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use sandboxc::{
    Checked, Compilation, Diagnostic, InputObject, Paint, Selection, Severity, Summary, Workspace,
    count_by_rule, describe_hidden, most_important, render_github, render_json, render_junit,
    render_sarif, render_selection, table_of_rules,
};

use super::Outcome;
use super::arguments::{Deny, Format, Inputs, KnownKinds, Options, ReportFile};
use super::failure::Failure;
use super::progress::Progress;
use super::{input, output, report_files, terminal};

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
    let (mut workspace, compilation) = unmasked(inputs, kinds, options, &settings)?;
    workspace.mask(&compilation.secrets);
    Ok((workspace, ManuallyDrop::new(compilation)))
}

/// As [`compile`], for questions about the objects: secrets are still in the workspace.
pub(crate) fn compile_to_ask(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
) -> Result<(Workspace, sandboxc::Options, ManuallyDrop<Compilation>), Failure> {
    let settings = compile_options(options)?;
    let (workspace, compilation) = unmasked(inputs, kinds, options, &settings)?;
    Ok((workspace, settings, ManuallyDrop::new(compilation)))
}

/// Reads the inputs.
pub(crate) fn read(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
) -> Result<Workspace, Failure> {
    input::read_with_context(inputs, kinds, options, &Progress::start(options))
}

fn unmasked(
    inputs: &Inputs,
    kinds: &KnownKinds,
    options: &Options,
    settings: &sandboxc::Options,
) -> Result<(Workspace, Compilation), Failure> {
    let progress = Progress::start(options);
    let workspace = input::read_with_context(inputs, kinds, options, &progress)?;
    let mut settings = settings.clone();
    if input::is_one_file(inputs) {
        settings.extent = sandboxc::Extent::Part;
    }
    let mut observe = |stage, count| progress.stage(stage, count);
    let compilation = sandboxc::compile_observed(&workspace, &settings, &mut observe);
    Ok((workspace, compilation))
}

/// The options of the compilation, from the command line.
pub(crate) fn compile_options(options: &Options) -> Result<sandboxc::Options, Failure> {
    let mut compile = sandboxc::Options::default();
    compile.kubernetes = options.versions();
    compile.policy = options.policy;
    compile.each_occurrence = options.all;
    compile.environment.clone_from(&options.environment);
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
}

impl<'r> Findings<'r> {
    /// The findings of a compilation.
    pub(crate) fn of(workspace: &'r Workspace, compilation: &'r Compilation) -> Self {
        let Compilation { inputs, diagnostics, files, allowed, .. } = compilation;
        let (files, allowed) = (*files, *allowed);
        Self { workspace, inputs: Some(inputs), diagnostics, files, allowed }
    }

    /// The findings of a command that does not compile.
    pub(crate) fn of_texts(workspace: &'r Workspace, diagnostics: &'r [Diagnostic]) -> Self {
        let files = workspace.ids().count();
        Self { workspace, inputs: None, diagnostics, files, allowed: 0 }
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
        if self.diagnostics.iter().any(|it| it.severity <= fails(options)) {
            Outcome::InputHasErrors
        } else {
            Outcome::Clean
        }
    }

    /// The findings to print, which `--quiet` reduces. Denied warnings become errors.
    fn shown(&self, options: &Options) -> Cow<'r, [Diagnostic]> {
        if !options.quiet {
            return Cow::Borrowed(self.diagnostics);
        }
        let is_shown = |it: &&Diagnostic| it.severity <= fails(options);
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
            Format::Junit => render_junit(workspace, inputs, shown, fails(options)),
        }
    }

    fn checked(&self) -> Option<Checked> {
        let objects = self.inputs?.len();
        Some(Checked { objects, files: self.files, allowed: self.allowed })
    }

    /// A summary of the run, with a hint about `explain`.
    fn summary(&self, shown: &[Diagnostic], options: &Options) -> String {
        let summary = Summary::of(self.workspace, shown);
        let mut text = match self.checked() {
            Some(checked) => summary.describe_checked(checked),
            None => summary.describe().unwrap_or_default(),
        };
        if options.deny == Some(Deny::Warnings) && summary.warnings > 0 {
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

/// The mildest severity that fails a run.
fn fails(options: &Options) -> Severity {
    match options.deny {
        Some(Deny::Warnings) => Severity::Warning,
        None => Severity::Error,
    }
}
