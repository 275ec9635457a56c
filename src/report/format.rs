//! The formats of reports: the list that the options `--format` and `--report` offer.

use super::checkstyle::render_checkstyle;
use super::github::render_github;
use super::github_summary::render_github_summary;
use super::gitlab::render_gitlab;
use super::human::{Paint, render_human};
use super::json::render_json;
use super::junit::render_junit;
use super::policy_report::render_policy_report;
use super::rdjson::render_rdjson;
use super::sarif::render_sarif;
use super::summary::Checked;
use super::tap::render_tap;
use crate::diag::{Diagnostic, Severity};
use crate::kube::InputObject;
use crate::source::Workspace;

/// What a report is about.
///
/// ```
/// use sandboxc::{Options, Report, ReportFormat, Workspace, compile};
///
/// let mut workspace = Workspace::new();
/// workspace.add("a.yaml", "key: [a, b");
/// let compilation = compile(&workspace, &Options::default());
/// let report = Report::new(&workspace, &compilation.inputs, &compilation.diagnostics);
/// for format in ReportFormat::ALL {
///     assert!(report.render(*format).contains("a.yaml"), "{}", format.name());
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Report<'r> {
    /// The files.
    pub workspace: &'r Workspace,
    /// The objects of the input, sorted by position.
    pub inputs: &'r [InputObject],
    /// The findings, in the order of the report.
    pub diagnostics: &'r [Diagnostic],
    /// The mildest severity that fails the run. Defaults to an error.
    pub fails: Severity,
    /// What was checked, if the format and the command count it. Defaults to `None`.
    pub checked: Option<Checked>,
}

impl<'r> Report<'r> {
    /// A report of findings; the objects are those of the compilation.
    #[must_use]
    pub const fn new(
        workspace: &'r Workspace,
        inputs: &'r [InputObject],
        diagnostics: &'r [Diagnostic],
    ) -> Self {
        Self { workspace, inputs, diagnostics, fails: Severity::Error, checked: None }
    }

    /// The report in a format, with all findings.
    #[must_use]
    pub fn render(&self, format: ReportFormat) -> String {
        (format.renderer())(self)
    }
}

/// Declares the formats: description, name on the command line, and renderer.
macro_rules! formats {
    ($(
            #[doc = $summary:literal]
            $(#[$default:ident])?
            $format:ident = $name:literal, $render:expr;
        )+) => {
        /// A format of reports.
        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
        #[non_exhaustive]
        pub enum ReportFormat {
            $( #[doc = $summary] $(#[$default])? $format, )+
        }

        impl ReportFormat {
            /// All formats, in the order of the help.
            pub const ALL: &'static [Self] = &[$( Self::$format ),+];

            /// The name on the command line: `github-summary`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$format => $name, )+ }
            }

            /// The description in the help.
            #[must_use]
            pub fn summary(self) -> &'static str {
                let summary = match self { $( Self::$format => $summary, )+ };
                summary.trim()
            }

            fn renderer(self) -> fn(&Report<'_>) -> String {
                match self { $( Self::$format => $render, )+ }
            }
        }
    };
}

formats! {
    /// Annotated source, for people
    #[default]
    Human = "human", |report| render_human(report.workspace, report.diagnostics, Paint::Plain);
    /// One JSON object, for programs (docs/json-report.md)
    Json = "json", |report| {
        render_json(report.workspace, report.diagnostics, report.checked.clone())
    };
    /// SARIF 2.1.0, for code scanning
    Sarif = "sarif", |report| render_sarif(report.workspace, report.inputs, report.diagnostics);
    /// Workflow commands that GitHub Actions shows as annotations
    Github = "github", |report| render_github(report.workspace, report.diagnostics);
    /// Markdown, for the summary of a job of GitHub Actions
    GithubSummary = "github-summary", render_github_summary;
    /// A code quality report of GitLab
    Gitlab = "gitlab", render_gitlab;
    /// JUnit XML, for CI servers: a suite per file, a case per object
    Junit = "junit", |report| {
        render_junit(report.workspace, report.inputs, report.diagnostics, report.fails)
    };
    /// XML of Checkstyle, for CI servers and their plug-ins
    Checkstyle = "checkstyle", render_checkstyle;
    /// The diagnostic format of reviewdog, with suggestions
    Rdjson = "rdjson", render_rdjson;
    /// The Test Anything Protocol: a test per object
    Tap = "tap", render_tap;
    /// Policy reports of wgpolicyk8s.io, for the dashboards of policy engines
    PolicyReport = "policy-report", render_policy_report;
}

impl ReportFormat {
    /// The format with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// Whether programs read it, which need an entry for each place.
    #[must_use]
    pub const fn is_for_programs(self) -> bool {
        !matches!(self, Self::Human | Self::Github | Self::GithubSummary)
    }
}
