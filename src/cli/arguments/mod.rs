//! The arguments, which are also the help, the completions and `docs/cli.md`.
//!
//! Options that several commands share are in groups, and only the commands on which they act have
//! them.

#[cfg(feature = "lsp")]
mod lsp;
#[cfg(test)]
mod manual;
mod options;
mod suggest;
mod verbs;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use sandboxc::{PodSecurityLevel, ReportFormat, Versions};

use super::watch::Watched;
#[cfg(feature = "lsp")]
pub(crate) use lsp::Lsp;
pub(crate) use options::{
    Colour, Environments, Given, Global, Inputs, KnownKinds, NamedPath, Output, Rendering,
    ReportFile, Reporting, SKIPPED, SetValue, Settings, WARNINGS, Watch,
};
pub(crate) use verbs::{
    AppliedBy, Build, Check, CiServer, Collect, Completions, Crds, CrdsVerb, Diff, DiffFormat,
    Effective, EffectiveFormat, Explain, FailOn, Fmt, Graph, GraphFormat, Import, Init, Krm,
    Migrate, ObjectFormat, Preview, Schema, Shell, Split, Test, TestFormat, Why, WhyFormat,
};

/// Checks Kubernetes YAML as the API server does, and compiles sandbox definitions to it.
///
/// Definitions are short documents with `apiVersion: sandboxc.dev/v1alpha1`, for agent-sandbox and other systems that run
/// sandboxes and agents. It works offline: it reads files, writes YAML, and never contacts a cluster.
#[derive(Parser, Debug)]
#[command(name = "sandboxc", version, help_expected = true, arg_required_else_help = true)]
#[command(after_help = "Exit status: 0 clean (warnings allowed unless --deny warnings), 1 the \
    input has errors, 2 invalid usage, or a file or system error.

Start with: sandboxc init, or check what you have: sandboxc check .")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    global: Global,
    /// The values of the options of the systems: system, field, value.
    #[arg(skip)]
    of_systems: Vec<(&'static str, &'static str, String)>,
}

/// The commands. Their arguments are only built for the one that runs.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub(crate) enum Verb {
    /// Compile definitions and print Kubernetes YAML in apply order
    ///
    /// Definitions have `apiVersion: sandboxc.dev/v1alpha1`. Other Kubernetes objects in the input are validated
    /// in the same way, and printed unchanged. If there are errors, nothing is printed and no file is written.
    Build(Build),
    /// Check definitions and Kubernetes YAML without printing objects
    ///
    /// With --format human, messages are written to standard error; in all other formats the report is
    /// written to standard output.
    Check(Check),
    /// Write definitions and manifests in their canonical layout
    ///
    /// Only spaces and line breaks change: comments, quotes, the order of documents and keys, and the
    /// meaning are kept. The files are those that `check` reads, without the output of `build -o`; JSON,
    /// and templates that are not YAML, are left as they are. Standard input is printed. A file with a
    /// syntax error is reported and not changed. Files are replaced as by `check --fix`.
    Fmt(Fmt),
    /// Convert manifests of removed and deprecated API versions in place
    ///
    /// Objects of built-in kinds, agent-sandbox and kelos get the version that replaces theirs in the target
    /// version of Kubernetes, with the changes of fields that it requires. Only the lines that must change do:
    /// comments and layout are kept, and JSON stays JSON. The files are those that `check` reads, without the
    /// output of `build -o`. Standard input is printed. An object that cannot be converted is a finding, and
    /// is kept as it is. Files are replaced as by `check --fix`.
    Migrate(Migrate),
    /// Run the cases of test files, and compare the output with what they expect
    ///
    /// A test file has a name that ends with `.test.yaml`, and documents of the kind `Test`: each case is
    /// built, and its objects, fields and findings are compared with its expectations (docs/testing.md). The
    /// exit status is 1 if a case fails.
    Test(Test),
    /// Show how two sets of objects differ, by object and field, and what happens then
    ///
    /// Each side is a file, a directory or `-`: definitions, which are built first, or any Kubernetes YAML.
    /// Fields are compared as the API server stores them: quantities by value, lists with keys by their
    /// keys, and a default equals the absence of the field. Both values are shown with their lines; values
    /// of secrets are not shown. If a side has errors, they are reported as by `build`, and nothing is
    /// compared.
    Diff(Diff),
    /// Print the objects that controllers create from the output
    ///
    /// These are the Sandboxes, Pods, Services, PersistentVolumeClaims and NetworkPolicies that the
    /// controllers of agent-sandbox create, in the steady state: each claim that can adopt a member of
    /// a pool has adopted one. Of Kubernetes' own controllers, one step is shown: the Pods of Jobs and
    /// workloads with their volume claims, and the next Job of a CronJob. Values that are only known in
    /// a cluster are placeholders: `placeholder...` and names that end in `xxxx1`. A comment above the
    /// Sandbox of a claim shows whether it was adopted from a pool or starts cold, and why.
    Effective(Effective),
    /// Show what set a field of an object, and each value that it replaced
    ///
    /// What sets fields is a layer. The security profile is the lowest one; above it are the built-in layer,
    /// which is what every object of the kind has, the definitions that others extend, the fields of the
    /// definition, and `podOverrides`. The layers are listed lowest first; `*` marks the one in effect. Of a map or list, each layer has
    /// what it contributed. Without a path, the whole object is printed with the origin of each line as a
    /// comment. For a field that the object does not have, the command shows what removed it and which
    /// field of the definition can set it. Values of secrets are not shown.
    Why(Why),
    /// Split YAML streams into their documents, byte for byte
    ///
    /// Documents end according to the grammar of YAML, not where a text search finds `---`. Documents that
    /// are empty or only contain comments are omitted. Without -o and -0 the documents are listed. A
    /// message reports where other tools would split the same bytes differently.
    Split(Split),
    /// Print the CustomResourceDefinitions of the systems, or collect those of others
    ///
    /// They equal the definitions that the systems install, for the releases in the options.
    Crds(Crds),
    /// Draw a graph of the objects and their references
    ///
    /// Shows claims, pools, templates, Pods, Secrets, volumes, policies and Services, and the Pods that
    /// they select. Objects of one kind with the same references are one node with a count. Missing
    /// objects and objects with errors are red; the picture is printed even if there are errors.
    Graph(Graph),
    /// Print the JSON Schema of the definitions, for editors
    ///
    /// It contains every field of the language with its description, and the Kubernetes types of the
    /// version in --kubernetes.
    Schema(Schema),
    /// Explain a rule, or a kind or field of the language or of Kubernetes
    Explain(Explain),
    /// Convert the files of a system to definitions
    ///
    /// The type of each document is detected. Kubernetes objects that belong to none of the systems are
    /// printed unchanged. If there are errors, nothing is printed.
    Import(Import),
    /// Run as a KRM function: read a `ResourceList` from standard input, print the changed one
    ///
    /// kpt and kustomize run it (docs/integrations.md). The functionConfig selects what it does: with
    /// `kind: Build`, a definition, or none, definitions among the items are replaced with the objects that
    /// they compile to, next to those of the functionConfig; with `kind: Check`, the items are checked and
    /// stay as they are. Findings are in the `results` of the list, and on standard error. With
    /// errors, the exit status is 1 and the items are printed as they are.
    Krm(Krm),
    /// Create a small project
    ///
    /// It consists of a Project, two definitions, the JSON Schema of the definitions for editors, and a
    /// `.gitignore`.
    Init(Init),
    /// Check files and offer edits in an editor: a language server on standard input and output
    ///
    /// An editor starts it; docs/editor.md has the settings of each. The files of a project are those below
    /// the nearest sandboxc.yaml, or else below the folder that the editor shows. Findings are those of
    /// `check`, also for files that are not saved yet.
    #[cfg(feature = "lsp")]
    Lsp(Lsp),
    /// Print a completion script for a shell
    ///
    /// It also completes what a project contains: environments, and the objects and fields of `why`.
    Completions(Completions),
    /// Print the versions of the program, Kubernetes and the systems
    Version,
}

/// The commands that the options of the systems act on.
const WITH_SYSTEMS: [&str; 8] =
    ["build", "check", "diff", "effective", "why", "crds", "graph", "krm"];

/// The options that several commands share, with their defaults for commands without them.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct Options {
    pub(crate) kubernetes: Vec<Versions>,
    pub(crate) target: Vec<String>,
    pub(crate) policy: Option<PodSecurityLevel>,
    pub(crate) project: Option<PathBuf>,
    pub(crate) no_project: bool,
    pub(crate) environment: Vec<String>,
    pub(crate) all_environments: bool,
    pub(crate) values: Vec<PathBuf>,
    pub(crate) set: Vec<SetValue>,
    pub(crate) format: ReportFormat,
    pub(crate) report: Vec<ReportFile>,
    pub(crate) color: Colour,
    pub(crate) deny: Vec<String>,
    pub(crate) warn: Vec<String>,
    pub(crate) allow: Vec<String>,
    pub(crate) fail_on: Option<FailOn>,
    pub(crate) all: bool,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
    /// The inputs that the command line names.
    pub(crate) inputs: Vec<PathBuf>,
    /// The output of an earlier build, which is not part of the input.
    pub(crate) committed: Option<PathBuf>,
    /// The values of the options of the systems: system, field, value.
    pub(crate) of_systems: Vec<(&'static str, &'static str, String)>,
}

impl Options {
    /// All versions on the command line; none by default.
    pub(crate) fn versions(&self) -> Versions {
        self.kubernetes.iter().copied().fold(Versions::NONE, Versions::union)
    }

    /// Whether a program reads a report of this run.
    pub(crate) fn has_report_for_programs(&self) -> bool {
        let mut formats = self.report.iter().map(|report| report.format).chain([self.format]);
        formats.any(ReportFormat::is_for_programs)
    }
}

impl Verb {
    fn all_environments(&self) -> bool {
        match self {
            Self::Build(it) => it.environments.all_environments,
            Self::Check(it) => it.environments.all_environments,
            _ => false,
        }
    }

    /// The inputs that the command line names.
    fn inputs(&self) -> Vec<PathBuf> {
        let inputs = match self {
            Self::Build(it) => &it.inputs,
            Self::Check(it) => &it.inputs,
            Self::Effective(it) => &it.inputs,
            Self::Graph(it) => &it.inputs,
            Self::Fmt(it) => &it.inputs,
            Self::Migrate(it) => &it.inputs,
            Self::Split(it) => &it.inputs,
            Self::Import(it) => &it.inputs,
            Self::Test(it) => return it.paths.clone(),
            _ => return Vec::new(),
        };
        inputs.all().cloned().collect()
    }

    /// The file or directory of an earlier run that the output is compared with.
    fn committed(&self) -> Option<&PathBuf> {
        match self {
            Self::Build(it) => it.check.as_ref(),
            Self::Crds(Crds { verb: Some(CrdsVerb::Collect(it)), .. }) => it.check.as_ref(),
            _ => None,
        }
    }

    /// The files of the command, if it is to run again when they change.
    pub(crate) fn watched<'w>(&'w self, options: &'w Options) -> Option<Watched<'w>> {
        let mut output = None;
        let mut known = Vec::new();
        let (watch, inputs, exclude): (_, Vec<_>, _) = match self {
            Self::Build(it) => {
                output = it.output.directory.as_deref().filter(|it| *it != Path::new("-"));
                known.extend(it.kinds.paths().chain(&it.check));
                (it.watch, it.inputs.all().collect(), &it.inputs.exclude)
            }
            Self::Check(it) => {
                known.extend(it.kinds.paths().chain(&it.against));
                (it.watch, it.inputs.all().collect(), &it.inputs.exclude)
            }
            Self::Test(it) => (it.watch, it.paths.iter().collect(), &it.exclude),
            _ => return None,
        };
        watch.is_requested.then(|| Watched {
            inputs: inputs.into_iter().map(PathBuf::as_path).collect(),
            exclude,
            known: known.into_iter().map(PathBuf::as_path).collect(),
            options,
            output,
        })
    }

    /// The groups of options that the command has.
    fn shared(&self) -> (Option<&Settings>, Option<&Reporting>) {
        match self {
            Self::Build(it) => (Some(&it.settings), Some(&it.reporting)),
            Self::Check(it) => (Some(&it.settings), Some(&it.reporting)),
            Self::Effective(it) => (Some(&it.settings), Some(&it.reporting)),
            Self::Graph(it) => (Some(&it.settings), Some(&it.reporting)),
            Self::Krm(it) => (Some(&it.settings), Some(&it.reporting)),
            Self::Diff(it) => (Some(&it.settings), None),
            Self::Why(it) => (Some(&it.settings), None),
            Self::Import(it) => (None, Some(&it.reporting)),
            Self::Fmt(it) => (None, Some(&it.reporting)),
            Self::Migrate(it) => (Some(&it.settings), Some(&it.reporting)),
            Self::Split(it) => (None, Some(&it.reporting)),
            _ => (None, None),
        }
    }
}

impl Arguments {
    /// The command with the options of the systems.
    pub(crate) fn command_of_systems() -> Command {
        let flags = || {
            sandboxc::system_flags().map(|flag| {
                Arg::new(flag.name)
                    .long(flag.name)
                    .value_name(flag.value_name)
                    .value_parser(PossibleValuesParser::new(flag.values))
                    .help(flag.summary)
                    .long_help(format!("{}\n\n{}", flag.summary, flag.details))
                    .help_heading(options::PROJECT_OPTIONS)
            })
        };
        WITH_SYSTEMS.into_iter().fold(Self::command(), |command, verb| {
            command.mut_subcommand(verb, |verb| verb.args(flags()))
        })
    }

    /// The arguments of the process.
    ///
    /// # Errors
    /// If they are not command line of this program, or ask for help.
    pub(crate) fn of_process() -> Result<Self, clap::Error> {
        Self::of_words(env::args_os())
    }

    /// The arguments of a command line, which begins with the name of the program.
    ///
    /// # Errors
    /// As [`Self::of_process`].
    pub(crate) fn of_words(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let command = Self::command_of_systems();
        let matches = command.try_get_matches_from(words).map_err(suggest::commands)?;
        let mut arguments = Self::from_arg_matches(&matches)?;
        if let Some((verb, matches)) = matches.subcommand()
            && WITH_SYSTEMS.contains(&verb)
        {
            let given = sandboxc::system_flags().filter_map(|flag| {
                let value: &String = matches.get_one(flag.name)?;
                Some((flag.system, flag.field, value.clone()))
            });
            arguments.of_systems = given.collect();
        }
        Ok(arguments)
    }

    /// The options of the command.
    pub(crate) fn options(&self) -> Options {
        let (settings, reporting) = self.verb.shared();
        let settings = settings.cloned().unwrap_or_default();
        let reporting = reporting.cloned().unwrap_or_default();
        let mut kubernetes = settings.kubernetes;
        if let Verb::Schema(schema) = &self.verb {
            kubernetes.clone_from(&schema.kubernetes);
        }
        let Global { color, quiet, verbose } = self.global;
        Options {
            kubernetes,
            target: settings.target,
            policy: settings.policy,
            project: settings.project,
            no_project: settings.no_project,
            environment: settings.environment,
            all_environments: self.verb.all_environments(),
            values: settings.values,
            set: settings.set,
            format: reporting.format,
            report: reporting.report,
            color,
            deny: reporting.deny,
            warn: reporting.warn,
            allow: reporting.allow,
            fail_on: if let Verb::Check(check) = &self.verb { check.fail_on } else { None },
            all: reporting.all,
            quiet,
            verbose,
            inputs: self.verb.inputs(),
            committed: self.verb.committed().cloned(),
            of_systems: self.of_systems.clone(),
        }
    }
}
