//! The commands that write or change files of the source.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::arguments::{Inputs, Reporting, Settings};

// Whether files change. Not a doc comment: clap would take it for the description of the command.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Preview {
    /// Print the names of the files that would change, and change no file
    ///
    /// The exit status is 1 if there are any.
    #[arg(long)]
    pub(crate) check: bool,
    /// Print the changes as a unified diff, and change no file
    ///
    /// The exit status is 1 if there are changes.
    #[arg(long)]
    pub(crate) diff: bool,
}

impl Preview {
    /// Whether no file changes.
    pub(crate) const fn is_dry(self) -> bool {
        self.check || self.diff
    }
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc fmt .
  sandboxc fmt --check definitions
  sandboxc fmt --diff definitions
  sandboxc fmt - < pool.yaml")]
pub(crate) struct Fmt {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) preview: Preview,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc migrate .
  sandboxc migrate --check manifests
  sandboxc migrate --diff --kubernetes 1.36 manifests
  sandboxc migrate - < ingress.yaml")]
pub(crate) struct Migrate {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) preview: Preview,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

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
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  sandboxc crds > systems.yaml
  sandboxc crds collect charts vendor/release.yaml > crds.yaml")]
pub(crate) struct Crds {
    #[command(subcommand)]
    pub(crate) verb: Option<CrdsVerb>,
    /// Only this system
    #[arg(value_name = "SYSTEM")]
    pub(crate) system: Option<String>,
}

/// What to do with definitions of others.
#[derive(Subcommand, Debug)]
pub(crate) enum CrdsVerb {
    Collect(Collect),
}

/// Print the CustomResourceDefinitions of other projects as one sorted file for the repository
///
/// A Project that names the file under `crds` checks its custom resources. Sources are directories,
/// charts with their `crds/`, also as archives, files of releases, and the output of `kubectl get crd -o yaml`. Each
/// definition has a comment with its files. What only a server adds is left out, so that the source
/// does not matter: status, managed fields, defaults, certificates of webhooks. Two definitions of one
/// kind that differ are an error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc crds collect charts vendor/release.yaml > crds.yaml
  kubectl get crd -o yaml | sandboxc crds collect --no-docs - > crds.yaml
  sandboxc crds collect charts vendor/release.yaml --check crds.yaml")]
pub(crate) struct Collect {
    /// Directories, charts, archives of charts, files, quoted globs, or `-` for standard input
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<PathBuf>,
    /// Files and directories to exclude from directories and globs, as in .gitignore; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Leave descriptions out: the file is a fraction of the size
    #[arg(long)]
    pub(crate) no_docs: bool,
    /// Compare the output with this file, print the changes as a unified diff, and exit with 1 if there
    /// are any
    #[arg(long, value_name = "FILE")]
    pub(crate) check: Option<PathBuf>,
}

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
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc init sandboxes && sandboxc build sandboxes
  sandboxc init sandboxes --ci github
  sandboxc init --ci gitlab          # in a project")]
pub(crate) struct Init {
    /// Also write a file for a CI server, which checks the project in all of its environments
    ///
    /// In a directory with a Project, this is the only file that is written.
    #[arg(long, value_enum, value_name = "SERVER")]
    pub(crate) ci: Option<CiServer>,
    /// A new or empty directory
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
}

/// A CI server.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CiServer {
    /// GitHub Actions: `.github/workflows/sandboxc.yml`
    Github,
    /// GitLab: `.gitlab-ci.yml`
    Gitlab,
}
