//! The command line: the only module that uses files, the environment and the terminal.
//!
//! Output goes to standard output, everything else to standard error. The exit status is 0 on
//! success (also with warnings), 1 if the input has errors, and 2 if the command line is invalid or
//! an operation fails; with 1 or 2 there is no output. If the reader of the output closes it, the
//! exit status is 141, without a message.

mod archive;
mod arguments;
mod build;
mod check;
mod collect;
mod committed;
mod completions;
mod crds;
mod depfile;
mod diff;
mod edits;
mod effective;
mod explain;
mod failure;
mod fixes;
mod fmt;
mod git;
mod graph;
mod import;
mod init;
mod input;
mod krm;
mod links;
#[cfg(feature = "lsp")]
mod lsp;
mod manifest;
mod migrate;
mod one_of;
mod output;
mod output_file;
mod programs;
mod progress;
mod projects;
mod render;
mod report;
mod report_files;
mod revision;
mod schema;
mod split;
mod startup;
mod terminal;
mod test;
mod threads;
mod unified;
mod version;
mod watch;
mod why;
mod writing;

use std::process::ExitCode;

use arguments::{Arguments, Verb};
use failure::Failure;

/// The result of a completed command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// The input has no errors.
    Clean,
    /// The input has errors.
    InputHasErrors,
    /// Two sets of objects or files differ, and the command line requests an exit status.
    Differs,
    /// As `InputHasErrors`, for a command line on which the status 1 means a difference.
    NotCompared,
}

/// The exit status that a shell reports for a program terminated by SIGPIPE, as most programs are
/// when the reader closes the pipe.
const BROKEN_PIPE: u8 = 141;

/// Runs the command with the arguments of the process.
pub(crate) fn run() -> ExitCode {
    let arguments = match Arguments::of_process() {
        Ok(arguments) => arguments,
        Err(error) => {
            // If the message cannot be written, nothing else can be done.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match dispatch(&arguments) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::InputHasErrors | Outcome::Differs) => ExitCode::from(1),
        Ok(Outcome::NotCompared) => ExitCode::from(2),
        Err(failure) if failure.is_broken_pipe() => ExitCode::from(BROKEN_PIPE),
        Err(failure) => {
            output::complain(&failure.describe());
            ExitCode::from(failure.status())
        }
    }
}

fn dispatch(arguments: &Arguments) -> Result<Outcome, Failure> {
    let options = &arguments.options();
    report_files::refuse(options, &arguments.verb)?;
    if let Some(watched) = arguments.verb.watched(options) {
        return watch::run(&watched, options);
    }
    match &arguments.verb {
        Verb::Build(build) => build::run(build, options),
        Verb::Check(check) => check::run(check, options),
        Verb::Fmt(fmt) => fmt::run(fmt, options),
        Verb::Migrate(asked) => migrate::run(asked, options),
        Verb::Test(test) => test::run(test, options),
        Verb::Diff(asked) => diff::run(asked, options),
        Verb::Effective(effective) => effective::run(effective, options),
        Verb::Why(why) => why::run(why, options),
        Verb::Split(split) => split::run(split, options),
        Verb::Crds(crds) => crds::run(crds, options),
        Verb::Graph(graph) => graph::run(graph, options),
        Verb::Schema(schema) => schema::run(schema, options),
        Verb::Explain(explain) => explain::run(explain),
        Verb::Import(import) => import::run(import, options),
        Verb::Krm(krm) => krm::run(krm, options),
        Verb::Init(init) => init::run(init, options),
        #[cfg(feature = "lsp")]
        Verb::Lsp(asked) => lsp::run(asked),
        Verb::Completions(completions) => completions::run(completions),
        Verb::Version => version::run(),
    }
}
