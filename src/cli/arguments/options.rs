//! The options and arguments that several commands share.
//!
//! The groups have no doc comments: clap would take them for the description of the command.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use sandboxc::{KubernetesVersion, PodSecurityLevel, ReportFormat, Versions, rules};

use crate::cli::one_of::OneOf;

/// The heading of the settings in the help.
pub(super) const PROJECT_OPTIONS: &str = "Project options";

// Options of every command.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// When to color messages; `auto` depends on the terminal, `NO_COLOR` and `CLICOLOR_FORCE`
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
    /// Only report errors: no warnings, notes or summary
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Also report which files were read, and for what
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

// The settings by which the input is judged.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = PROJECT_OPTIONS)]
pub(crate) struct Settings {
    /// The file with the Project, or its directory [default: the nearest sandboxc.yaml at or above
    /// the directory of each input]
    ///
    /// For standard input, the search begins in the working directory.
    #[arg(long, value_name = "FILE", conflicts_with = "no_project")]
    pub(crate) project: Option<PathBuf>,
    /// Use no Project, and ignore those in the input
    #[arg(long)]
    pub(crate) no_project: bool,
    /// The environment of the Project whose settings are used
    ///
    /// `check` and `build` accept several: a,b.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) environment: Vec<String>,
    /// A YAML file with values that take precedence over those of the Project and its environment
    ///
    /// May be repeated: maps are merged, and later files take precedence.
    #[arg(long, value_name = "FILE")]
    pub(crate) values: Vec<PathBuf>,
    /// A value that takes precedence over --values and over those of the Project: image.tag=3.14
    ///
    /// May be repeated. Dots separate keys. The value is YAML (true, 3, [a, b]), except that 1.30 is a
    /// string; write \. for a dot in a key.
    #[arg(long, value_name = "PATH=VALUE", value_parser = set_value)]
    pub(crate) set: Vec<SetValue>,
    /// The Kubernetes versions whose API servers must accept the output [default: the Project's, else
    /// the newest]
    ///
    /// A list, 1.33,1.37, or a range, 1.33..1.37. Findings that apply to only some of the versions name
    /// them.
    #[arg(long, value_name = "VERSIONS", value_delimiter = ',',
        value_parser = kubernetes_versions())]
    pub(crate) kubernetes: Vec<Versions>,
    /// The Pod Security Standard that all Pods and Pod templates must satisfy [default: the Project's,
    /// else none]
    ///
    /// Append a version of the standard if needed: restricted@v1.30. The labels of a Namespace in the
    /// input also apply to its objects in the input.
    #[arg(long, value_name = "LEVEL", value_parser = pod_security_level())]
    pub(crate) policy: Option<PodSecurityLevel>,
    /// The output format of a system, which takes precedence over the Project: kelos=resources
    ///
    /// May be repeated, once for each system.
    #[arg(long, value_name = "SYSTEM=VALUE")]
    pub(crate) target: Vec<String>,
}

// Runs over several environments.
#[derive(Args, Clone, Copy, Default, Debug)]
#[command(next_help_heading = PROJECT_OPTIONS)]
pub(crate) struct Environments {
    /// Use each environment of the Project
    ///
    /// Findings that apply to only some of the environments name them. `build -o DIR` writes a
    /// directory for each.
    #[arg(long, conflicts_with = "environment")]
    pub(crate) all_environments: bool,
}

// The findings, and how they are reported.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Report options")]
pub(crate) struct Reporting {
    /// Treat the findings of a rule as errors, or all warnings: --deny warnings
    ///
    /// `--deny skipped` fails `check` and `build` if they skip files of a directory that .gitignore or .sandboxcignore
    /// lists, or that are in an output directory of `build`. May be repeated, as --warn and --allow. They take precedence
    /// over the Project's levels.
    #[arg(long, value_name = "RULE|warnings|skipped", value_delimiter = ',', value_parser = rule_or_word)]
    pub(crate) deny: Vec<String>,
    /// Treat the findings of a rule as warnings, if they are not errors
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule)]
    pub(crate) warn: Vec<String>,
    /// Do not report the findings of a rule, if they are not errors
    ///
    /// An exception in the Project or in a comment is limited to some objects, and has a reason.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule)]
    pub(crate) allow: Vec<String>,
    /// The format of the findings
    #[arg(long, value_name = "FORMAT", value_parser = report_format(), default_value = "human")]
    pub(crate) format: ReportFormat,
    /// Also write a report to a file, in a format of --format: sarif=sandboxc.sarif
    ///
    /// May be repeated; `-` is standard output. The report is written whether or not there are errors,
    /// and --quiet does not shorten it. A link that leaves the repository is an error.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = report_file)]
    pub(crate) report: Vec<ReportFile>,
    /// Report every finding, and each occurrence of grouped findings
    ///
    /// By default, the formats for people (human, github, github-summary) group findings with one
    /// cause, such as 100 references to one absent Secret, into one finding with a count; the
    /// others only unite what is reported twice about one place. The format human shows at most 100
    /// findings, github as many annotations as GitHub keeps of a step, and human shows one mistake in
    /// more than five places with one line per place after
    /// the third.
    #[arg(long)]
    pub(crate) all: bool,
}

pub(super) fn kubernetes_versions() -> OneOf<Versions> {
    OneOf {
        read: Versions::parse,
        list: || KubernetesVersion::all().map(|it| it.to_string()).collect(),
    }
}

pub(super) fn pod_security_level() -> OneOf<PodSecurityLevel> {
    OneOf {
        read: PodSecurityLevel::parse,
        list: || PodSecurityLevel::names().map(str::to_owned).collect(),
    }
}

fn report_format() -> impl TypedValueParser<Value = ReportFormat> {
    let value = |format: &ReportFormat| PossibleValue::new(format.name()).help(format.summary());
    PossibleValuesParser::new(ReportFormat::ALL.iter().map(value))
        .try_map(|name| ReportFormat::parse(&name).ok_or("unknown format"))
}

/// A value of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SetValue {
    /// Its keys.
    pub(crate) path: Vec<String>,
    /// YAML.
    pub(crate) value: String,
}

fn set_value(text: &str) -> Result<SetValue, String> {
    let Some((keys, value)) = text.split_once('=') else {
        return Err("write PATH=VALUE: image.tag=3.14".to_owned());
    };
    let mut path = vec![String::new()];
    let mut characters = keys.chars();
    while let Some(character) = characters.next() {
        match (character, path.last_mut()) {
            ('.', _) => path.push(String::new()),
            ('\\', Some(key)) => key.extend(characters.next()),
            (other, Some(key)) => key.push(other),
            (_, None) => {}
        }
    }
    if path.iter().any(String::is_empty) {
        return Err(format!("`{keys}` has an empty key"));
    }
    Ok(SetValue { path, value: value.to_owned() })
}

/// A report that is written to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReportFile {
    pub(crate) format: ReportFormat,
    pub(crate) path: PathBuf,
}

fn report_file(text: &str) -> Result<ReportFile, String> {
    let (name, path) = text.split_once('=').unwrap_or((text, ""));
    match ReportFormat::parse(name) {
        Some(format) if !path.is_empty() => Ok(ReportFile { format, path: PathBuf::from(path) }),
        Some(_) => Err(format!("add the file: {name}=FILE")),
        None => {
            let names: Vec<_> = ReportFormat::ALL.iter().map(|format| format.name()).collect();
            Err(format!("write FORMAT=FILE; the formats are {}", names.join(", ")))
        }
    }
}

/// When messages are colored.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Colour {
    /// On a terminal, unless the environment disables colors
    Auto,
    /// Also in files
    Always,
    /// Also not on a terminal
    Never,
}

fn rule_or_word(text: &str) -> Result<String, String> {
    if [WARNINGS, SKIPPED].contains(&text) { Ok(text.to_owned()) } else { rule(text) }
}

/// The word for all warnings, in place of a rule.
pub(crate) const WARNINGS: &str = "warnings";

/// The word for files that are not read, in place of a rule.
pub(crate) const SKIPPED: &str = "skipped";

fn rule(text: &str) -> Result<String, String> {
    if rules::find(text).is_some() {
        return Ok(text.to_owned());
    }
    Err(match rules::nearest(text) {
        Some(near) => format!("unknown rule; did you mean `{near}`?"),
        None => "unknown rule; `sandboxc explain` lists all rules".to_owned(),
    })
}

// The inputs of a command.
#[derive(Args, Clone, Default, Debug)]
#[expect(clippy::struct_field_names, reason = "clap derives the names in messages from them")]
pub(crate) struct Inputs {
    /// Files, directories (all *.yaml, *.yml and *.json below), quoted globs, or `-` for standard
    /// input [default: the project around the current directory]
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// An input, as with kubectl; may be repeated
    #[arg(short = 'f', long = "filename", value_name = "INPUT")]
    pub(crate) named: Vec<PathBuf>,
    /// Files and directories to exclude from directories and globs, as in .gitignore; may be repeated
    ///
    /// In directories, the files in .gitignore and .sandboxcignore are excluded as well.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Inputs that the command has read or made itself.
    #[arg(skip)]
    pub(crate) given: Vec<Given>,
    /// Paths that the input names.
    #[arg(skip)]
    pub(crate) found: Vec<NamedPath>,
}

/// A path that the input names. It does not lead out of the repository, or else the project, around a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedPath {
    /// The directory of the file that names it.
    pub(crate) directory: PathBuf,
    /// The path as messages show it.
    pub(crate) path: PathBuf,
}

/// An input that is in no file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Given {
    /// What messages show.
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
    /// The directory whose Project applies; by default, the working directory.
    pub(crate) directory: Option<PathBuf>,
    /// Whether it has values, which take precedence over those of the Project.
    pub(crate) is_values: bool,
}

// What a cluster already has.
#[derive(Args, Default, Debug)]
pub(crate) struct KnownKinds {
    /// A file or directory with CustomResourceDefinitions that are not part of the output; may be
    /// repeated
    ///
    /// Custom resources in the input are checked against them, and they are checked themselves. Other
    /// documents in these files are ignored.
    #[arg(long = "crd", value_name = "FILE|DIR")]
    pub(crate) crds: Vec<PathBuf>,
    /// A file or directory with admission policies of the cluster, which judge every object of the
    /// output; may be repeated
    ///
    /// It contains policies with their bindings and parameters, and may contain Namespaces and
    /// CustomResourceDefinitions. They are checked themselves, and are not part of the output.
    /// Policies in the input apply as well.
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) policies: Vec<PathBuf>,
}

// The programs that render the inputs.
#[derive(Args, Default, Debug)]
pub(crate) struct Rendering {
    /// Render the inputs and read the result: each is the directory of a kustomization or a Helm chart, or a
    /// packaged chart
    ///
    /// Runs `kustomize build`, or `kubectl kustomize` if kustomize is not installed, or `helm template`,
    /// which then has the files of --values and the values of --set. Findings name the template of
    /// the chart. Nothing is fetched, and nothing that the input names is run: remote bases, `helmCharts`,
    /// functions and plugins are errors. The programs are searched in the absolute directories of the
    /// `PATH`, and have no settings of the user.
    #[arg(long)]
    pub(crate) render: bool,
    /// With --render: API versions of the cluster for charts that ask about them, in addition to those of Helm and
    /// those of --crd: example.com/v1, example.com/v1/Widget
    ///
    /// May be repeated, or be a list with commas. Charts read them as `.Capabilities.APIVersions`.
    #[arg(long, value_name = "VERSION", value_delimiter = ',', requires = "render")]
    pub(crate) api_versions: Vec<String>,
}

// Runs after changes.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// Run again when an input, the Project, or another file of the command line changes
    ///
    /// The first run is as without the option, and Ctrl-C ends the last one. On a terminal, each run
    /// clears the screen.
    #[arg(long = "watch")]
    pub(crate) is_requested: bool,
}

// The destination of the objects.
#[derive(Args, Debug)]
pub(crate) struct Output {
    /// Write one file per object to this directory instead of printing; `-` prints
    ///
    /// A new directory appears either complete or not at all. In an existing one, each file is replaced
    /// atomically, files that only the previous build generated are removed, and other files are never
    /// changed. `.sandboxc-files` lists the generated files. A link that leaves the repository is an
    /// error.
    #[arg(long = "output", short = 'o', value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
    /// With --output: replace generated files even if they were edited by hand
    #[arg(long, requires = "directory")]
    pub(crate) force: bool,
}

impl KnownKinds {
    /// All files and directories.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.crds.iter().chain(&self.policies)
    }
}

impl Inputs {
    /// The inputs with these paths, without what `exclude` matches.
    pub(crate) fn of(inputs: &[PathBuf], exclude: &[String]) -> Self {
        Self { inputs: inputs.to_vec(), exclude: exclude.to_vec(), ..Self::default() }
    }

    /// These inputs without some of their paths; `None` if no path remains.
    pub(crate) fn without(&self, is_out: impl Fn(&Path) -> bool) -> Option<Self> {
        let mut rest = self.clone();
        rest.inputs.retain(|path| !is_out(path));
        rest.named.retain(|path| !is_out(path));
        let is_empty = rest.all().next().is_none() && self.all().next().is_some();
        (!is_empty).then_some(rest)
    }

    /// All inputs, in any form.
    pub(crate) fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.inputs.iter().chain(&self.named)
    }
}
