//! The arguments, which are also the help, the completions and `docs/cli.md`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use sandboxc::{KubernetesVersion, PodSecurityLevel, Versions};

use super::one_of::OneOf;

/// Compiles sandbox definitions to Kubernetes YAML that a real API server accepts.
///
/// It works offline: it reads files, writes YAML, and never talks to a cluster.
#[derive(Parser, Debug)]
#[command(name = "sandboxc", version, help_expected = true, arg_required_else_help = true)]
#[command(disable_help_subcommand = true)]
#[command(after_help = "Exit status: 0 clean (warnings allowed unless --deny warnings), 1 the \
    input has errors, 2 wrong usage or a file or system error.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    pub(crate) options: Options,
}

/// Options of every verb.
#[derive(Args, Debug)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Options {
    /// The Kubernetes versions whose API servers shall accept the output [default: the Project's, else
    /// the newest]
    ///
    /// Several with commas between them, 1.33,1.37, or a range, 1.33..1.37. Findings that do not hold
    /// for all of them name theirs.
    #[arg(long, global = true, value_name = "VERSIONS", value_delimiter = ',',
        value_parser = kubernetes_versions())]
    pub(crate) kubernetes: Vec<Versions>,
    /// The form of output of a system, whatever the Project says: kelos=resources
    ///
    /// May be given once for each system that has several.
    #[arg(long, global = true, value_name = "SYSTEM=VALUE")]
    pub(crate) target: Vec<String>,
    /// The Pod Security Standard that all Pods are held to, whatever makes them [default: the
    /// Project's, else none]
    ///
    /// A version of the standard may follow, restricted@v1.30. Besides, the labels of a Namespace hold
    /// for its objects, as far as both are in the input.
    #[arg(long, global = true, value_name = "LEVEL", value_parser = pod_security_level())]
    pub(crate) policy: Option<PodSecurityLevel>,
    /// The environment of the Project whose values hold
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) environment: Option<String>,
    /// How findings are reported
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// Also write a report into a file, in a format of --format: sarif=sandboxc.sarif
    ///
    /// May be given several times. It is written whether or not there are errors.
    #[arg(long, global = true, value_name = "FORMAT=FILE", value_parser = report_file)]
    pub(crate) report: Vec<ReportFile>,
    /// When to colour messages; `auto` heeds the terminal, `NO_COLOR` and `CLICOLOR_FORCE`
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
    /// Treat findings of this severity as errors
    #[arg(long, global = true, value_enum, value_name = "SEVERITY")]
    pub(crate) deny: Option<Deny>,
    /// Report errors alone: no warnings, no notes, no summary
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// What the options of the systems say: system, field, value.
    #[arg(skip)]
    pub(crate) of_systems: Vec<(&'static str, &'static str, String)>,
}

impl Arguments {
    /// The command with the options of the systems.
    pub(crate) fn command_of_systems() -> Command {
        let flags = sandboxc::system_flags().map(|flag| {
            Arg::new(flag.name)
                .long(flag.name)
                .global(true)
                .value_name(flag.value_name)
                .value_parser(PossibleValuesParser::new(flag.values))
                .help(flag.summary)
                .long_help(format!("{}\n\n{}", flag.summary, flag.details))
                .help_heading("Global options")
        });
        Self::command().args(flags)
    }

    /// The arguments of the process.
    ///
    /// # Errors
    /// If they are no command line of this program, or ask for help.
    pub(crate) fn of_process() -> Result<Self, clap::Error> {
        let matches = Self::command_of_systems().try_get_matches()?;
        let mut arguments = Self::from_arg_matches(&matches)?;
        arguments.options.of_systems = sandboxc::system_flags()
            .filter_map(|flag| {
                let value: &String = matches.get_one(flag.name)?;
                Some((flag.system, flag.field, value.clone()))
            })
            .collect();
        Ok(arguments)
    }
}

impl Options {
    /// All versions that are named; none where none is.
    pub(crate) fn versions(&self) -> Versions {
        self.kubernetes.iter().copied().fold(Versions::NONE, Versions::union)
    }
}

fn kubernetes_versions() -> OneOf<Versions> {
    OneOf {
        read: Versions::parse,
        list: || KubernetesVersion::all().map(|it| it.to_string()).collect(),
    }
}

fn pod_security_level() -> OneOf<PodSecurityLevel> {
    OneOf {
        read: PodSecurityLevel::parse,
        list: || PodSecurityLevel::names().map(str::to_owned).collect(),
    }
}

/// How findings are reported.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Annotated source, for people
    Human,
    /// One JSON object, for programs (docs/json-report.md)
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands that GitHub Actions shows as annotations
    Github,
    /// JUnit XML, for CI servers: a suite per file, a case per object
    Junit,
}

/// A report besides the one that is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReportFile {
    pub(crate) format: Format,
    pub(crate) path: PathBuf,
}

fn report_file(text: &str) -> Result<ReportFile, String> {
    let formats = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let names: Vec<_> = formats.map(|it| it.get_name().to_owned()).collect();
    let (format, path) = text.split_once('=').unwrap_or((text, ""));
    match Format::from_str(format, false) {
        Ok(format) if !path.is_empty() => Ok(ReportFile { format, path: PathBuf::from(path) }),
        Ok(_) => Err(format!("name the file as well: {format}=FILE")),
        Err(_) => Err(format!("write FORMAT=FILE; formats are {}", names.join(", "))),
    }
}

/// When messages have colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Colour {
    /// On a terminal, unless the environment says otherwise
    Auto,
    /// Even into a file
    Always,
    /// Not even on a terminal
    Never,
}

/// What may be treated as an error.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deny {
    /// What is accepted but surprising
    Warnings,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    Build(Build),
    Check(Check),
    Split(Split),
    Crds(Crds),
    /// Print the JSON Schema of the definitions, for editors
    ///
    /// It holds every field of the language with its description, and the Kubernetes types inside
    /// them as the version that --kubernetes names has them.
    #[command(after_help = "Example:
  sandboxc schema > .vscode/sandboxc.schema.json")]
    Schema,
    Explain(Explain),
    Import(Import),
    Init(Init),
    Completions(Completions),
}

/// What is read.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// Files, directories (all *.yaml, *.yml and *.json below), quoted globs, or `-` for standard
    /// input; without any, the current directory if it has a sandboxc.yaml
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Files and directories to leave out of directories and globs, as in .gitignore; may be repeated
    ///
    /// In directories, files that .gitignore or .sandboxcignore name are left out as well.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
}

/// What else is known.
#[derive(Args, Debug)]
pub(crate) struct KnownKinds {
    /// A file or directory whose custom resource definitions are known, and no part of the output;
    /// may be repeated
    ///
    /// Custom resources of the input are held to them, and they are checked themselves. Other documents
    /// there are not looked at.
    #[arg(long = "crd", value_name = "FILE|DIR")]
    pub(crate) crds: Vec<PathBuf>,
}

/// Compile definitions and print Kubernetes YAML in apply order
///
/// Ordinary Kubernetes objects in the input pass through, validated the same way. With errors
/// nothing is printed and no file is written.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc build examples/quickstart | kubectl apply -f -
  sandboxc build definitions -o manifests
  sandboxc build --kubernetes 1.34 'teams/*/sandboxes.yaml'")]
pub(crate) struct Build {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
    /// Write one file per object into this directory, in place of printing
    ///
    /// A directory that is not there appears whole or not at all. In one that is, each file is
    /// replaced at once, files that the build before made and this one does not are removed, and
    /// files of other origin are never touched; `.sandboxc-files` remembers which are which.
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// With --output: replace generated files even where they were edited by hand
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Report on standard error what the systems count: quotas of NodePools, and how many nodes fit
    #[arg(long)]
    pub(crate) summary: bool,
}

/// Report what is wrong with definitions and Kubernetes YAML, and print nothing else
///
/// People's messages go to standard error; in any other --format the report goes to standard output.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc check definitions
  helm template chart | sandboxc check -
  sandboxc check --format json . | jq '.diagnostics[].rule'
  sandboxc check --format sarif . > sandboxc.sarif")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
}

/// Split YAML streams into their documents, byte for byte
///
/// Documents end where the grammar of YAML says so, not where a text search finds `---`. Documents
/// that are empty or only a comment are left out. Without -o and -0 the documents are listed. Where
/// other readers of YAML would split the same bytes differently, a message says so.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc split all.yaml
  helm template chart | sandboxc split - -o objects
  sandboxc split -0 all.yaml | while IFS= read -rd '' document; do ...; done")]
pub(crate) struct Split {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Write one file per document into this directory: `01-configmap-web.yaml`, ...
    ///
    /// The directory is treated as `build -o` treats it.
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Print the documents with a NUL byte between them
    ///
    /// What is empty or only a comment goes with the document before it: without the NUL bytes the
    /// output is the input, byte for byte.
    #[arg(long, short = '0', conflicts_with = "output")]
    pub(crate) null: bool,
    /// With --output: replace generated files even where they were edited by hand
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

/// Print the custom resource definitions of the systems
///
/// They equal those that the systems install, for the releases that the global options name.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  sandboxc crds > crds.yaml")]
pub(crate) struct Crds {
    /// One system alone
    #[arg(value_name = "SYSTEM")]
    pub(crate) system: Option<String>,
}

/// Explain a rule, or a field of the language
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc explain yaml-syntax
  sandboxc explain Template.network.egress")]
pub(crate) struct Explain {
    /// The rule, as messages name it, or a field by its path; without it, all rules are listed
    #[arg(value_name = "RULE|FIELD")]
    pub(crate) rule: Option<String>,
}

/// Print the definitions that say the same as the files of another system
///
/// What a file is, is found out for each document. Kubernetes objects that belong to none of the
/// systems are printed as they are. With errors nothing is printed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc import tasks.yaml > definitions.yaml
  sandboxc import --lossy settings.yaml")]
pub(crate) struct Import {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Leave out what definitions cannot express, with a warning in place of an error
    #[arg(long)]
    pub(crate) lossy: bool,
    /// The system whose files they are
    #[arg(long, value_name = "NAME")]
    pub(crate) system: Option<String>,
}

/// Write a small project to start from
#[derive(Args, Debug)]
#[command(after_help = "Example:
  sandboxc init sandboxes && sandboxc build sandboxes")]
pub(crate) struct Init {
    /// The directory, which must be new or empty
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
}

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = "Example:
  sandboxc completions bash > ~/.local/share/bash-completion/completions/sandboxc")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
