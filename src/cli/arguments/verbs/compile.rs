//! The commands that compile definitions or judge their objects.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use sandboxc::Applier;

use crate::cli::arguments::{
    Environments, Inputs, KnownKinds, Output, Rendering, Reporting, Settings, Watch,
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc build examples/quickstart | kubectl apply -f -
  sandboxc build definitions -o manifests
  sandboxc build definitions --check manifests   # in CI: are the committed files current?
  sandboxc build --kubernetes 1.34 'teams/*/sandboxes.yaml'")]
pub(crate) struct Build {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
    #[command(flatten)]
    pub(crate) output: Output,
    /// The format of the objects
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ObjectFormat::Yaml)]
    pub(crate) to: ObjectFormat,
    /// Compare the output with that of an earlier build in a directory or file, and write nothing
    ///
    /// Prints a unified diff of the files, with the values of secrets masked. The exit status is 1 if
    /// files are missing, changed or stale. Other files in the directory are named.
    #[arg(long, value_name = "DIR|FILE", conflicts_with = "directory")]
    pub(crate) check: Option<PathBuf>,
    /// Also write a rule for Make and Ninja with all files that were read: out.yaml.d, the rule of
    /// out.yaml
    ///
    /// The target is the name of the file without `.d`. The prerequisites are the files that were read,
    /// also those around the input, and their directories, which change when a file is added. The file is
    /// written only if there are no errors, and not through a link that leaves the repository.
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub(crate) depfile: Option<PathBuf>,
    /// Write the origin of each line as a comment: the input line, the security profile, or the built-in
    /// layer, which is what every object of the kind has
    #[arg(long)]
    pub(crate) annotate: bool,
    /// Print a summary to standard error: the quotas of NodePools and the number of nodes that fit,
    /// and how often the agents of Tasks may run
    #[arg(long)]
    pub(crate) summary: bool,
    #[command(flatten)]
    pub(crate) watch: Watch,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) environments: Environments,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// A program that applies objects.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AppliedBy {
    /// `kubectl apply`
    Client,
    /// `kubectl apply --server-side`
    Server,
    /// `kubectl replace`
    Replace,
    /// Helm, as Helm 3 unless the object shows that Helm 4 applied it
    Helm,
    /// Argo CD, by the sync options of each object
    Argocd,
    /// Flux
    Flux,
}

impl From<AppliedBy> for Applier {
    fn from(program: AppliedBy) -> Self {
        match program {
            AppliedBy::Client => Self::Client,
            AppliedBy::Server => Self::Server,
            AppliedBy::Replace => Self::Replace,
            AppliedBy::Helm => Self::Helm,
            AppliedBy::Argocd => Self::ArgoCd,
            AppliedBy::Flux => Self::Flux,
        }
    }
}

/// A format of objects.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ObjectFormat {
    /// A YAML stream
    Yaml,
    /// One JSON object of the kind List, as `kubectl get -o json` prints it; with --output, one file per
    /// object
    Json,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc check definitions
  sandboxc check --render charts/web --values prod.yaml
  helm template chart | sandboxc check -
  sandboxc check --format json . | jq '.diagnostics[].rule'
  sandboxc check --format sarif . > sandboxc.sarif
  sandboxc check --fix .
  sandboxc check --watch
  sandboxc check --diff --unsafe .
  sandboxc check --against deployed definitions
  sandboxc check --against-git origin/main definitions")]
// A run cannot wait for changes of what programs render.
#[command(group = ArgGroup::new("once").args(["render", "is_requested"]))]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
    #[command(flatten)]
    pub(crate) rendering: Rendering,
    /// Apply the safe suggestions to the files
    ///
    /// Only the named files and those found in named directories are changed. Comments, formatting
    /// and line endings are kept. A suggestion that would add an error is not applied. A changed
    /// file is replaced by a rename and keeps its mode and owner: other hard links to it keep the old
    /// content. If one of the files to change is read-only, no file is changed. Links that are found
    /// in directories are skipped, and a named link is followed if it stays in the repository.
    #[arg(long, conflicts_with = "render")]
    pub(crate) fix: bool,
    /// Print the changes of --fix as a unified diff, and change no file
    ///
    /// The exit status is 1 if there are changes.
    #[arg(long, conflicts_with = "render")]
    pub(crate) diff: bool,
    /// Also apply suggestions that may not be what the author meant
    #[arg(long = "unsafe")]
    pub(crate) is_unsafe: bool,
    /// Only report what an API server rejects when the input is applied over this older form of it: a
    /// file, a directory, or `-` for standard input
    #[arg(long, value_name = "OLD", conflicts_with_all = ["fix", "diff"])]
    pub(crate) against: Option<PathBuf>,
    /// As --against, with the input in this revision of the working tree: `HEAD~1`, `origin/main`
    ///
    /// Runs `git`, which reads the revision, runs no hooks or filters, and fetches nothing.
    #[arg(long, value_name = "REV", conflicts_with_all = ["fix", "diff", "against"])]
    pub(crate) against_git: Option<String>,
    /// With --against or --against-git: the program that applies the input [default: the one that the Project names,
    /// or else `kubectl apply`]
    #[arg(long, value_enum, value_name = "PROGRAM")]
    pub(crate) apply: Option<AppliedBy>,
    /// With --against: the forms that were applied last, for objects of a cluster that do not hold them: the output of
    /// `helm get manifest`
    #[arg(long, value_name = "FILE|DIR", requires = "against")]
    pub(crate) last: Option<PathBuf>,
    /// The mildest findings with which the exit status is 1 [default: error]
    ///
    /// `never` is for runs whose report decides.
    #[arg(long, value_enum, value_name = "SEVERITY", conflicts_with = "diff")]
    pub(crate) fail_on: Option<FailOn>,
    #[command(flatten)]
    pub(crate) watch: Watch,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) environments: Environments,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// The findings with which a check fails.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FailOn {
    /// Errors, and warnings if they are denied
    Error,
    /// Errors and warnings
    Warning,
    /// All findings
    Note,
    /// None
    Never,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  kpt fn eval --exec 'sandboxc krm'
  kpt fn source | sandboxc krm | kpt fn sink manifests
  kustomize build --enable-alpha-plugins --enable-exec .")]
pub(crate) struct Krm {
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc test
  sandboxc test templates --filter gpu
  sandboxc test --update
  sandboxc test --format junit > tests.xml")]
pub(crate) struct Test {
    /// Test files, and directories (all *.test.yaml below) [default: the project around the current
    /// directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only run the cases whose name contains this string
    #[arg(long, value_name = "NAME")]
    pub(crate) filter: Option<String>,
    /// Write the snapshots that differ from the output, or do not exist
    #[arg(long)]
    pub(crate) update: bool,
    /// The format of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TestFormat::Human)]
    pub(crate) format: TestFormat,
    /// Files and directories to exclude from directories, as in .gitignore; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) watch: Watch,
}

/// A format of the report on tests.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TestFormat {
    /// A line for each case, and annotated source for failures, for people
    Human,
    /// One JSON object, for programs (docs/testing.md)
    Json,
    /// JUnit XML, for CI servers: a suite per file
    Junit,
}
