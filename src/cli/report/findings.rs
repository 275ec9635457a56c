//! The report of the findings of a run, and the outcome that follows from them.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use sandboxc::markup;
use sandboxc::markup::{Commands, Markup, printable, visible_line};
use sandboxc::{
    Checked, Compilation, Diagnostic, InputObject, Judged, Paint, Report, ReportFormat, Selection,
    Severity, Summary, Versions, Workspace, count_by_rule, describe_hidden, group_findings,
    render_github, render_github_step, render_selection, table_of_rules,
};

use super::add_new;
use crate::cli::arguments::{FailOn, Options, ReportFile, SKIPPED, WARNINGS};
use crate::cli::failure::Failure;
use crate::cli::{Outcome, output, report_files, terminal};
use sandboxc_files::Skipped;

/// The maximum number of findings in the human-readable formats.
const MAX_SHOWN: usize = 100;
/// The number of findings above which a run ends with a table of their rules.
const LONG_RUN: usize = 20;

/// The rule of an object of a kind without a definition.
const UNCHECKED: &str = "schema-unknown";

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
    /// Whether people get a summary of the advice about directories.
    is_check: bool,
    /// The files that were not read, if the command counts them.
    skipped: Option<&'r Skipped>,
}

impl<'r> Findings<'r> {
    /// The findings of a compilation.
    pub(crate) fn of(workspace: &'r Workspace, compilation: &'r Compilation) -> Self {
        Self {
            inputs: Some(&compilation.inputs),
            files: compilation.files,
            allowed: compilation.allowed,
            judged: &compilation.judged,
            is_strict: compilation.is_strict,
            ..Self::of_texts(workspace, &compilation.diagnostics)
        }
    }

    /// The findings of a check.
    pub(crate) fn of_check(workspace: &'r Workspace, compilation: &'r Compilation) -> Self {
        Self { is_check: true, ..Self::of(workspace, compilation) }
    }

    /// The findings with the files that were not read.
    pub(crate) fn with_skipped(self, skipped: &'r Skipped) -> Self {
        Self { skipped: Some(skipped).filter(|it| !it.is_empty()), ..self }
    }

    /// The findings of a command that does not compile.
    pub(crate) fn of_texts(workspace: &'r Workspace, diagnostics: &'r [Diagnostic]) -> Self {
        Self {
            workspace,
            inputs: None,
            diagnostics,
            files: workspace.ids().count(),
            allowed: 0,
            judged: &[],
            is_strict: false,
            is_check: false,
            skipped: None,
        }
    }

    /// Prints the findings to standard error, and returns the outcome.
    pub(crate) fn report(&self, options: &Options) -> Result<Outcome, Failure> {
        let shown = self.shown(options);
        self.write_files(options)?;
        let mut text = self.render(&shown, options.format, Look::Terminal, options);
        if options.format == ReportFormat::Human && !shown.is_empty() && !options.quiet {
            text.push_str(&self.summary(&shown, options));
        }
        // A build without findings is silent.
        if !shown.is_empty() || self.denies_skipped(options) {
            text.push_str(&self.describe_skipped(options));
        }
        if options.format == ReportFormat::Human {
            output::complain_in(terminal::paint(options.color), &text);
        } else {
            output::print_to_stderr(&text);
        }
        Ok(self.judge(options))
    }

    /// Prints the findings as the output of the run, and returns the outcome. Human-readable
    /// findings still go to standard error.
    pub(crate) fn print(&self, options: &Options) -> Result<Outcome, Failure> {
        let shown = self.shown(options);
        self.write_files(options)?;
        let mut text = self.render(&shown, options.format, Look::Terminal, options);
        if options.format == ReportFormat::Human {
            if !options.quiet {
                text.push_str(&self.summary(&shown, options));
            }
            output::complain_in(
                terminal::paint(options.color),
                &(text + &self.describe_skipped(options)),
            );
        } else {
            output::print(&text)?;
            output::complain(&self.describe_skipped(options));
        }
        Ok(self.judge(options))
    }

    /// The outcome of the run.
    fn judge(&self, options: &Options) -> Outcome {
        let fails = |it: &Diagnostic| it.severity <= self.fails(options);
        let has_failed = self.diagnostics.iter().any(fails) || self.denies_skipped(options);
        if options.fail_on != Some(FailOn::Never) && has_failed {
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

    /// Whether files were not read, and the command line denies that.
    fn denies_skipped(&self, options: &Options) -> bool {
        self.skipped.is_some() && options.deny.iter().any(|it| it == SKIPPED)
    }

    /// A line about the files that were not read. It is always shown if it fails the run.
    fn describe_skipped(&self, options: &Options) -> String {
        let is_denied = self.denies_skipped(options);
        let is_shown = is_denied || options.format == ReportFormat::Human && !options.quiet;
        let Some(skipped) = self.skipped.filter(|_| is_shown) else { return String::new() };
        format!("{skipped}{}\n", if is_denied { "; skipped files are denied" } else { "" })
    }

    /// The findings to print, which `--quiet` reduces. Denied warnings become errors.
    fn shown(&self, options: &Options) -> Cow<'r, [Diagnostic]> {
        let findings = self.grouped(options.format, options);
        if !options.quiet {
            return findings;
        }
        let is_shown = |it: &&Diagnostic| it.severity <= self.fails(options);
        findings.iter().filter(is_shown).cloned().collect()
    }

    /// The findings for the readers of a format. A compilation for programs has one for each place.
    fn grouped(&self, format: ReportFormat, options: &Options) -> Cow<'r, [Diagnostic]> {
        if format.is_for_programs() || options.all || !options.has_report_for_programs() {
            return Cow::Borrowed(self.diagnostics);
        }
        let findings = self.diagnostics.to_vec();
        Cow::Owned(group_findings(self.workspace, findings, self.is_check))
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
        let findings = self.grouped(*format, options);
        let mut text = self.render(&findings, *format, Look::Plain, options);
        if *format == ReportFormat::Human {
            text.push_str(&self.summary(&findings, options));
            // A log can show the file.
            text = printable(&text, false).into_owned();
        }
        report_files::write(path, &text, options)
    }

    fn render(
        &self,
        shown: &[Diagnostic],
        format: ReportFormat,
        look: Look,
        options: &Options,
    ) -> String {
        if matches!(format, ReportFormat::Human | ReportFormat::Github) {
            return digest(self.workspace, shown, format, look, options);
        }
        let mut report = Report::new(self.workspace, self.inputs.unwrap_or(&[]), shown);
        (report.fails, report.checked) = (self.fails(options), self.checked());
        report.render(format)
    }

    fn checked(&self) -> Option<Checked> {
        let mut checked = Checked::default();
        (checked.objects, checked.files) = (self.inputs?.len(), self.files);
        checked.allowed = self.allowed;
        let unchecked = self.diagnostics.iter().filter(|finding| finding.rule.name == UNCHECKED);
        checked.unchecked = unchecked.map(|finding| 1 + finding.others.count()).sum();
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
        text = visible_line(&text).into_owned();
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

/// The findings to show in the human-readable formats: a limited number, unless all are requested.
fn digest(
    workspace: &Workspace,
    shown: &[Diagnostic],
    format: ReportFormat,
    look: Look,
    options: &Options,
) -> String {
    let (mut text, hidden, columns) = if format == ReportFormat::Github && options.all {
        (render_github(workspace, shown), Vec::new(), None)
    } else if format == ReportFormat::Github {
        let step = render_github_step(workspace, shown);
        (step.text, step.hidden, None)
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
        let description = describe_hidden(&hidden, columns);
        if format == ReportFormat::Github {
            let mut notice: Markup<Commands> = Markup::new();
            markup!(notice, "::notice::{}\n", description);
            text.push_str(notice.as_str());
        } else {
            let _ = writeln!(text, "{description}");
        }
    }
    let is_short = look == Look::Terminal && options.quiet;
    if format == ReportFormat::Human && shown.len() > LONG_RUN && !is_short {
        let counts = count_by_rule(shown);
        let _ = writeln!(text, "\n{}", table_of_rules(&counts));
    }
    text
}
