//! The commands, each with its arguments.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use sandboxc::Versions;

use super::options::kubernetes_versions;
use super::{Environments, Inputs, KnownKinds, Output, Reporting, Settings};

/// Compile definitions and print Kubernetes YAML in apply order
///
/// Ordinary Kubernetes objects in the input are validated in the same way and pass through unchanged.
/// If there are errors, nothing is printed and no file is written.
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
    /// Write the origin of each line as a comment: the input line, or the built-in layer
    #[arg(long)]
    pub(crate) annotate: bool,
    /// Print a summary to standard error: the quotas of NodePools and the number of nodes that fit,
    /// and how often the agents of Tasks may run
    #[arg(long)]
    pub(crate) summary: bool,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) environments: Environments,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
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

/// Show how two sets of objects differ, by object and field, and what happens then
///
/// Each side is a file, a directory or `-`: definitions, which are built first, or any Kubernetes YAML.
/// Fields are compared as the API server stores them: quantities by value, lists with keys by their
/// keys, and a default equals the absence of the field. Both values are shown with their lines; values
/// of secrets are not shown. If a side has errors, they are reported as by `build`, and nothing is
/// compared.
#[derive(Args, Debug)]
#[command(override_usage = "sandboxc diff [OPTIONS] OLD NEW
       sandboxc diff [OPTIONS] --git REV [INPUT]...
       sandboxc diff [OPTIONS] --environment OLD,NEW [INPUT]...")]
#[command(after_help = "Examples:
  sandboxc diff manifests/old manifests/new
  sandboxc diff --git origin/main definitions
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
    /// The command `git` reads the revision. All files are those of the revision, also the Project, and
    /// the files of --values and --crd.
    #[arg(long, value_name = "REV")]
    pub(crate) git: Option<String>,
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

/// Show which layer set a field of an object, and each value that it replaced
///
/// The layers are listed lowest first; `*` marks the one in effect. Of a map or list, each layer has
/// what it contributed. Without a path, the whole object is printed with the origin of each line as a
/// comment. For a field that the object does not have, the command shows what removed it and which
/// field of the definition can set it. Values of secrets are not shown.
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
  sandboxc check --diff --unsafe .
  sandboxc check --against deployed definitions
  sandboxc check --against-git origin/main definitions")]
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
    /// Only report what an API server rejects when the input is applied over this older form of it: a
    /// file, a directory, or `-` for standard input
    #[arg(long, value_name = "OLD", conflicts_with_all = ["fix", "diff"])]
    pub(crate) against: Option<PathBuf>,
    /// As --against, with the input in this revision of the working tree: `HEAD~1`, `origin/main`
    #[arg(long, value_name = "REV", conflicts_with_all = ["fix", "diff", "against"])]
    pub(crate) against_git: Option<String>,
    /// The mildest findings with which the exit status is 1 [default: error]
    ///
    /// `never` is for runs whose report decides.
    #[arg(long, value_enum, value_name = "SEVERITY", conflicts_with = "diff")]
    pub(crate) fail_on: Option<FailOn>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) environments: Environments,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Write definitions and manifests in their canonical layout
///
/// Only spaces and line breaks change: comments, quotes, the order of documents and keys, and the
/// meaning are kept. The files are those that `check` reads, without the output of `build -o`; JSON,
/// and templates that are not YAML, are left as they are. Standard input is printed. A file with a
/// syntax error is reported and not changed. Files are replaced as by `check --fix`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc fmt .
  sandboxc fmt --check definitions
  sandboxc fmt --diff definitions
  sandboxc fmt - < pool.yaml")]
pub(crate) struct Fmt {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
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
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Convert manifests of removed and deprecated API versions in place
///
/// Objects of built-in kinds, agent-sandbox and kelos get the version that replaces theirs in the target
/// version of Kubernetes, with the changes of fields that it requires. Only the lines that must change do:
/// comments and layout are kept, and JSON stays JSON. The files are those that `check` reads, without the
/// output of `build -o`. Standard input is printed. An object that cannot be converted is a finding, and
/// is kept as it is. Files are replaced as by `check --fix`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc migrate .
  sandboxc migrate --check manifests
  sandboxc migrate --diff --kubernetes 1.36 manifests
  sandboxc migrate - < ingress.yaml")]
pub(crate) struct Migrate {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
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
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Run the cases of test files, and compare the output with what they expect
///
/// A test file has a name that ends with `.test.yaml`, and documents of the kind `Test`: each case is
/// built, and its objects, fields and findings are compared with its expectations (docs/testing.md). The
/// exit status is 1 if a case fails.
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
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Print the CustomResourceDefinitions of the systems, or collect those of others
///
/// They equal the definitions that the systems install, for the releases in the options.
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
/// charts with their `crds/`, files of releases, and the output of `kubectl get crd -o yaml`. Each
/// definition has a comment with its files. What only a server adds is left out, so that the source
/// does not matter: status, managed fields, defaults, certificates of webhooks. Two definitions of one
/// kind that differ are an error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc crds collect charts vendor/release.yaml > crds.yaml
  kubectl get crd -o yaml | sandboxc crds collect --no-docs - > crds.yaml
  sandboxc crds collect charts vendor/release.yaml --check crds.yaml")]
pub(crate) struct Collect {
    /// Directories, charts, files, quoted globs, or `-` for standard input
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

/// Print the JSON Schema of the definitions, for editors
///
/// It contains every field of the language with its description, and the Kubernetes types of the
/// version in --kubernetes.
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
    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// Create a small project
///
/// It consists of a Project, two definitions, the JSON Schema of the definitions for editors, and a
/// `.gitignore`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc init sandboxes && sandboxc build sandboxes
  sandboxc init sandboxes --ci github")]
pub(crate) struct Init {
    /// Also write a file for a CI server, which checks the project
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

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = "Example:
  sandboxc completions bash > ~/.local/share/bash-completion/completions/sandboxc")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
