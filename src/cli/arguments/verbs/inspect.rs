//! The commands that show what objects contain, why, and how they differ.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sandboxc::Versions;

use crate::cli::arguments::options::kubernetes_versions;
use crate::cli::arguments::{
    AppliedBy, Inputs, KnownKinds, Output, Rendering, Reporting, Settings,
};

#[derive(Args, Debug)]
#[command(override_usage = "sandboxc diff [OPTIONS] OLD NEW
       sandboxc diff [OPTIONS] --git REV [INPUT]...
       sandboxc diff [OPTIONS] --environment OLD,NEW [INPUT]...")]
#[command(after_help = "Examples:
  sandboxc diff manifests/old manifests/new
  sandboxc diff --git origin/main definitions
  sandboxc diff --git origin/main --render charts/web
  sandboxc diff --environment staging,production definitions
  kubectl get -o yaml deployments,services | sandboxc diff - manifests
  sandboxc diff --git HEAD~1 --format markdown definitions > comment.md")]
pub(crate) struct Diff {
    /// The old and the new side; with --git or two environments, the inputs of both sides [default: the
    /// project around the current directory]
    #[arg(value_name = "OLD|NEW|INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Compare the inputs in this revision with those in the working tree
    ///
    /// The command `git` reads the revision, runs no hooks or filters, and fetches nothing. All files are
    /// those of the revision, also the Project, and the files of --values and --crd.
    #[arg(long, value_name = "REV")]
    pub(crate) git: Option<String>,
    /// The program that applies the new side [default: the one that the Project names, or else `kubectl apply`]
    ///
    /// It decides what is merged, left, removed and rejected. Files of the old side are what it applied last.
    #[arg(long, value_enum, value_name = "PROGRAM")]
    pub(crate) apply: Option<AppliedBy>,
    /// The forms that were applied last, for objects of a cluster that do not hold them: the output of `helm get manifest`
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "git")]
    pub(crate) last: Option<PathBuf>,
    /// The format of the differences
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = DiffFormat::Human)]
    pub(crate) format: DiffFormat,
    /// Print one line for each object
    #[arg(long)]
    pub(crate) summary: bool,
    /// Exit with 1 if there are differences, and with 2 if a side has errors
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// Files and directories to exclude from directories and globs, as in .gitignore; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
    #[command(flatten)]
    pub(crate) rendering: Rendering,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// A format of differences.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DiffFormat {
    /// A tree, for people
    Human,
    /// One JSON object, for programs (docs/diff.md)
    Json,
    /// A table with foldable details, for a comment on a pull request
    Markdown,
    /// Workflow commands that GitHub Actions shows as annotations
    Github,
}

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
    pub(crate) to: EffectiveFormat,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// A format of created objects.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EffectiveFormat {
    /// A YAML stream; comments show whether claims start warm or cold, and why
    Yaml,
    /// One JSON object, for programs: the objects and remarks on them
    Json,
}

#[derive(Args, Debug)]
#[command(override_usage = "sandboxc why [OPTIONS] [INPUT]... OBJECT [PATH]")]
#[command(after_help = "Arguments:
  [INPUT]...  Files, directories, quoted globs, or `-` for standard input [default: the project
              around the current directory]
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
    /// An input, as with kubectl; may be repeated
    #[arg(short = 'f', long = "filename", value_name = "INPUT")]
    pub(crate) named: Vec<PathBuf>,
    /// Files and directories to exclude from directories and globs, as in .gitignore; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) kinds: KnownKinds,
    /// The format of the explanation
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = WhyFormat::Text)]
    pub(crate) to: WhyFormat,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// A format of explanations.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhyFormat {
    /// Human-readable: a table of layers, or the annotated object
    Text,
    /// One JSON object, for programs: each field with its layers and notes
    Json,
}

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
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
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

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc schema > .vscode/sandboxc.schema.json
  sandboxc schema --for Template")]
pub(crate) struct Schema {
    /// Only the schema of this kind of definition
    #[arg(long = "for", value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// The Kubernetes version of the types [default: the newest]
    #[arg(long, value_name = "VERSIONS", value_delimiter = ',',
        value_parser = kubernetes_versions())]
    pub(crate) kubernetes: Vec<Versions>,
}

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
