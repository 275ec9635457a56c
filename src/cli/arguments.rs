//! The arguments, which are also the help, the completions and `docs/cli.md`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use sandboxc::{KubernetesVersion, PodSecurityLevel, Versions};

use super::one_of::OneOf;

/// Compiles sandbox definitions to Kubernetes YAML that a real API server accepts.
///
/// It works offline: it reads files, writes YAML, and never contacts a cluster.
#[derive(Parser, Debug)]
#[command(name = "sandboxc", version, help_expected = true, arg_required_else_help = true)]
#[command(disable_help_subcommand = true)]
#[command(after_help = "Exit status: 0 clean (warnings allowed unless --deny warnings), 1 the \
    input has errors, 2 invalid usage, or a file or system error.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    pub(crate) options: Options,
}

/// Options of every command.
#[derive(Args, Debug)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Options {
    /// The Kubernetes versions whose API servers must accept the output [default: the Project's, else
    /// the newest]
    ///
    /// A list, 1.33,1.37, or a range, 1.33..1.37. Findings that apply to only some of the versions name
    /// them.
    #[arg(long, global = true, value_name = "VERSIONS", value_delimiter = ',',
        value_parser = kubernetes_versions())]
    pub(crate) kubernetes: Vec<Versions>,
    /// The output format of a system, which takes precedence over the Project: kelos=resources
    ///
    /// May be repeated, once for each system.
    #[arg(long, global = true, value_name = "SYSTEM=VALUE")]
    pub(crate) target: Vec<String>,
    /// The Pod Security Standard that all Pods and Pod templates must satisfy [default: the Project's,
    /// else none]
    ///
    /// Append a version of the standard if needed: restricted@v1.30. The labels of a Namespace in the
    /// input also apply to its objects in the input.
    #[arg(long, global = true, value_name = "LEVEL", value_parser = pod_security_level())]
    pub(crate) policy: Option<PodSecurityLevel>,
    /// The environment of the Project whose values are used
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) environment: Option<String>,
    /// A YAML file with values that take precedence over those of the Project and its environment
    ///
    /// May be repeated: maps are merged, and later files take precedence.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) values: Vec<PathBuf>,
    /// A value that takes precedence over --values and over those of the Project: image.tag=3.14
    ///
    /// May be repeated. Dots separate keys. The value is YAML (true, 3, [a, b]), except that 1.30 is a
    /// string; write \. for a dot in a key.
    #[arg(long, global = true, value_name = "PATH=VALUE", value_parser = set_value)]
    pub(crate) set: Vec<SetValue>,
    /// The format of the findings
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// Also write a report to a file, in a format of --format: sarif=sandboxc.sarif
    ///
    /// May be repeated; `-` is standard output. The report is written whether or not there are errors,
    /// and --quiet does not shorten it.
    #[arg(long, global = true, value_name = "FORMAT=FILE", value_parser = report_file)]
    pub(crate) report: Vec<ReportFile>,
    /// When to color messages; `auto` depends on the terminal, `NO_COLOR` and `CLICOLOR_FORCE`
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
    /// Treat findings of this severity as errors
    #[arg(long, global = true, value_enum, value_name = "SEVERITY")]
    pub(crate) deny: Option<Deny>,
    /// Report every finding, and each occurrence of grouped findings
    ///
    /// By default, findings with one cause, such as 100 references to one absent Secret, are
    /// grouped into one finding with a count. The formats human and github show at most 100
    /// findings, and human shows one mistake in more than five places with one line per place after
    /// the third.
    #[arg(long, global = true)]
    pub(crate) all: bool,
    /// Only report errors: no warnings, notes or summary
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// The values of the options of the systems: system, field, value.
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
    /// If they are not command line of this program, or ask for help.
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
    /// All versions on the command line; none by default.
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

/// The format in which findings are reported.
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
    pub(crate) format: Format,
    pub(crate) path: PathBuf,
}

fn report_file(text: &str) -> Result<ReportFile, String> {
    let formats = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let names: Vec<_> = formats.map(|it| it.get_name().to_owned()).collect();
    let (format, path) = text.split_once('=').unwrap_or((text, ""));
    match Format::from_str(format, false) {
        Ok(format) if !path.is_empty() => Ok(ReportFile { format, path: PathBuf::from(path) }),
        Ok(_) => Err(format!("add the file: {format}=FILE")),
        Err(_) => Err(format!("write FORMAT=FILE; the formats are {}", names.join(", "))),
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

/// A severity that can be treated as an error.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deny {
    /// The API server accepts the object, but it probably does not work as intended
    Warnings,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    Build(Build),
    Check(Check),
    Effective(Effective),
    Why(Why),
    Split(Split),
    Crds(Crds),
    Graph(Graph),
    /// Print the JSON Schema of the definitions, for editors
    ///
    /// It contains every field of the language with its description, and the Kubernetes types of the
    /// version in --kubernetes.
    #[command(after_help = "Example:
  sandboxc schema > .vscode/sandboxc.schema.json")]
    Schema,
    Explain(Explain),
    Import(Import),
    Init(Init),
    Completions(Completions),
}

/// The inputs of a command.
#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// Files, directories (all *.yaml, *.yml and *.json below), quoted globs, or `-` for standard
    /// input [default: the current directory, if it contains a sandboxc.yaml]
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Files and directories to exclude from directories and globs, as in .gitignore; may be repeated
    ///
    /// In directories, the files in .gitignore and .sandboxcignore are excluded as well.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
}

/// What a cluster already has.
#[derive(Args, Debug)]
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

/// The destination of the objects.
#[derive(Args, Debug)]
pub(crate) struct Output {
    /// Write one file per object to this directory instead of printing
    ///
    /// A new directory appears either complete or not at all. In an existing one, each file is replaced
    /// atomically, files that only the previous build generated are removed, and other files are never
    /// changed. `.sandboxc-files` lists the generated files.
    #[arg(long = "output", short = 'o', value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
    /// With --output: replace generated files even if they were edited by hand
    #[arg(long, requires = "directory")]
    pub(crate) force: bool,
}

/// Compile definitions and print Kubernetes YAML in apply order
///
/// Ordinary Kubernetes objects in the input are validated in the same way and pass through unchanged.
/// If there are errors, nothing is printed and no file is written.
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
    #[command(flatten)]
    pub(crate) output: Output,
    /// Write the origin of each line as a comment: the input line, or the built-in layer
    #[arg(long)]
    pub(crate) annotate: bool,
    /// Print a summary to standard error: the quotas of NodePools and the number of nodes that fit,
    /// and how often the agents of Tasks may run
    #[arg(long)]
    pub(crate) summary: bool,
}

/// Print the objects that controllers create from the output
///
/// These are the Sandboxes, Pods, Services, PersistentVolumeClaims and NetworkPolicies that the
/// controllers of agent-sandbox create, in the steady state: each claim that can adopt a member of
/// a pool has adopted one. Of Kubernetes' own controllers, one step is shown: the Pods of Jobs and
/// workloads with their volume claims, and the next Job of a CronJob. Values that are only known in
/// a cluster are placeholders: `placeholder...` and names that end in `xxxx1`. A comment above the
/// Sandbox of a claim shows whether it was adopted from a pool or starts cold, and why.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc effective definitions
  sandboxc effective definitions -o effective
  sandboxc effective definitions --to json | jq '.objects[].remark.reason // empty'
  sandboxc build definitions --target agent-sandbox=pods   # to apply without the controllers")]
pub(crate) struct Effective {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
    #[command(flatten)]
    pub(crate) output: Output,
    /// The format of the objects
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = EffectiveFormat::Yaml)]
    #[arg(conflicts_with = "directory")]
    pub(crate) to: EffectiveFormat,
}

/// A format of created objects.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EffectiveFormat {
    /// A YAML stream; comments show whether claims start warm or cold, and why
    Yaml,
    /// One JSON object, for programs: the objects and remarks on them
    Json,
}

/// Show which layer set a field of an object, and each value that it replaced
///
/// The layers are listed lowest first; `*` marks the one in effect. Of a map or list, each layer has
/// what it contributed. Without a path, the whole object is printed with the origin of each line as a
/// comment. For a field that the object does not have, the command shows what removed it and which
/// field of the definition can set it. Values of secrets are not shown.
#[derive(Args, Debug)]
#[command(override_usage = "sandboxc why [OPTIONS] [INPUT]... OBJECT [PATH]")]
#[command(after_help = "Arguments:
  [INPUT]...  Files, directories, quoted globs, or `-` for standard input [default: the current
              directory, if it contains a sandboxc.yaml]
  OBJECT      An object of the output: Kind/name, Kind/namespace/name or Kind.group/name
  [PATH]      A field of it: spec.podTemplate.spec.containers[0].image, or containers[main] by name

Examples:
  sandboxc why definitions SandboxTemplate/python
  sandboxc why definitions Sandbox/dev 'spec.podTemplate.spec.containers[main].image'
  sandboxc why definitions Job/fix 'metadata.labels[app.kubernetes.io/name]'
  sandboxc why definitions Sandbox/dev spec.service --to json | jq '.fields[].layers[-1].layer'")]
pub(crate) struct Why {
    /// Inputs, then the object, then the path of a field
    #[arg(value_name = "INPUT|OBJECT|PATH", required = true, hide = true)]
    pub(crate) arguments: Vec<PathBuf>,
    /// Files and directories to exclude from directories and globs, as in .gitignore; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
    /// The format of the explanation
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = WhyFormat::Text)]
    pub(crate) to: WhyFormat,
}

/// A format of explanations.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhyFormat {
    /// Human-readable: a table of layers, or the annotated object
    Text,
    /// One JSON object, for programs: each field with its layers and notes
    Json,
}

/// Check definitions and Kubernetes YAML without printing objects
///
/// With --format human, messages are written to standard error; in all other formats the report is
/// written to standard output.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc check definitions
  helm template chart | sandboxc check -
  sandboxc check --format json . | jq '.diagnostics[].rule'
  sandboxc check --format sarif . > sandboxc.sarif
  sandboxc check --fix .
  sandboxc check --diff --unsafe .")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
    /// Apply the safe suggestions to the files
    ///
    /// Only the named files and those found in named directories are changed. Comments, formatting
    /// and line endings are kept. A suggestion that would add an error is not applied. A changed
    /// file is replaced by a rename: other hard links to it keep the old content. If one of the files
    /// to change is read-only, no file is changed.
    #[arg(long)]
    pub(crate) fix: bool,
    /// Print the changes of --fix as a unified diff, and change no file
    ///
    /// The exit status is 1 if there are changes.
    #[arg(long)]
    pub(crate) diff: bool,
    /// Also apply suggestions that may not be what the author meant
    #[arg(long = "unsafe")]
    pub(crate) is_unsafe: bool,
}

/// Split YAML streams into their documents, byte for byte
///
/// Documents end according to the grammar of YAML, not where a text search finds `---`. Documents that
/// are empty or only contain comments are omitted. Without -o and -0 the documents are listed. A
/// message reports where other tools would split the same bytes differently.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc split all.yaml
  helm template chart | sandboxc split - -o objects
  sandboxc split -0 all.yaml | while IFS= read -rd '' document; do ...; done")]
pub(crate) struct Split {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Write one file per document to this directory: `01-configmap-web.yaml`, ...
    ///
    /// The directory is handled as in `build -o`.
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Print the documents with a NUL byte between them
    ///
    /// Empty documents and comments are part of the preceding document: without the NUL bytes the
    /// output equals the input, byte for byte.
    #[arg(long, short = '0', conflicts_with = "output")]
    pub(crate) null: bool,
    /// With --output: replace generated files even if they were edited by hand
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

/// Print the CustomResourceDefinitions of the systems
///
/// They equal the definitions that the systems install, for the releases in the global options.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  sandboxc crds > crds.yaml")]
pub(crate) struct Crds {
    /// Only this system
    #[arg(value_name = "SYSTEM")]
    pub(crate) system: Option<String>,
}

/// Draw a graph of the objects and their references
///
/// Shows claims, pools, templates, Pods, Secrets, volumes, policies and Services, and the Pods that
/// they select. Objects of one kind with the same references are one node with a count. Missing
/// objects and objects with errors are red; the picture is printed even if there are errors.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc graph examples/quickstart --to svg > objects.svg
  sandboxc graph definitions --to dot | dot -Tpng -o objects.png")]
pub(crate) struct Graph {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
    /// The format of the picture
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = GraphFormat::Mermaid)]
    pub(crate) to: GraphFormat,
}

/// A format of pictures.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GraphFormat {
    /// A flowchart that GitHub and GitLab show in Markdown
    Mermaid,
    /// For Graphviz
    Dot,
    /// A self-contained picture for light and dark backgrounds
    Svg,
}

/// Explain a rule, or a kind or field of the language or of Kubernetes
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc explain yaml-syntax
  sandboxc explain Template.network.egress
  sandboxc explain deploy.spec.strategy
  sandboxc explain pods --recursive")]
pub(crate) struct Explain {
    /// The name of a rule, or a kind or the path of a field [default: list all rules]
    #[arg(value_name = "RULE|FIELD")]
    pub(crate) rule: Option<String>,

    /// List the fields of fields too
    #[arg(long)]
    pub(crate) recursive: bool,

    /// The API version of a built-in kind, such as `autoscaling/v1` [default: the preferred one]
    #[arg(long, value_name = "VERSION")]
    pub(crate) api_version: Option<String>,
}

/// Convert the files of a system to definitions
///
/// The type of each document is detected. Kubernetes objects that belong to none of the systems are
/// printed unchanged. If there are errors, nothing is printed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc import tasks.yaml > definitions.yaml
  sandboxc import --lossy settings.yaml")]
pub(crate) struct Import {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Omit fields that definitions cannot express, with a warning instead of an error
    #[arg(long)]
    pub(crate) lossy: bool,
    /// The system of the files [default: detected]
    #[arg(long, value_name = "NAME")]
    pub(crate) system: Option<String>,
}

/// Create a small project
#[derive(Args, Debug)]
#[command(after_help = "Example:
  sandboxc init sandboxes && sandboxc build sandboxes")]
pub(crate) struct Init {
    /// A new or empty directory
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
