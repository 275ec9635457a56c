//! `import`: converts files of the systems to definitions.

use sandboxc::ImportOptions;
use sandboxc::markup;
use sandboxc::markup::{Markup, YamlComment};

use super::arguments::{Import, Options};
use super::failure::Failure;
use super::progress::Progress;
use super::report::Findings;
use super::{Outcome, input, output};

pub(crate) fn run(import: &Import, options: &Options) -> Result<Outcome, Failure> {
    let mut what = ImportOptions::default();
    what.lossy = import.lossy;
    what.system.clone_from(&import.system);
    if let Some(system) = &import.system
        && !sandboxc::importable().any(|it| it == system)
    {
        let known: Vec<_> = sandboxc::importable().collect();
        let problem = format!("`{}` has no files that can be imported", system.escape_debug());
        return Err(Failure::usage(problem, format!("systems are {}", known.join(", "))));
    }
    let progress = Progress::start(options);
    let mut workspace = input::read(&import.inputs, options, &progress)?;
    drop(progress);
    let imported = sandboxc::import(&workspace, &what);
    workspace.mask(&imported.secrets);
    let outcome = Findings::of_texts(&workspace, &imported.diagnostics).report(options)?;
    if outcome == Outcome::Clean {
        output::print(&notes(&imported.left_out))?;
        output::print_imported(&imported)?;
    }
    Ok(outcome)
}

/// A comment for each part of the input that was left out.
fn notes(left_out: &[String]) -> String {
    let mut notes: Markup<YamlComment> = Markup::new();
    for it in left_out {
        markup!(notes, "# not imported: {}\n", it.replace('\n', " "));
    }
    notes.into_string()
}
