//! `migrate`: converts manifests of removed and deprecated versions in place.

use sandboxc::{FileChange, migrate};

use super::arguments::{KnownKinds, Migrate, Options};
use super::failure::Failure;
use super::progress::Progress;
use super::report::{self, Findings};
use super::{Outcome, fixes, fmt, output, unified};

pub(crate) fn run(asked: &Migrate, options: &Options) -> Result<Outcome, Failure> {
    let mut settings = report::compile_options(options)?;
    let progress = Progress::start(options);
    let kinds = KnownKinds::default();
    let mut before = report::read(&asked.inputs, &kinds, options, &progress, &mut settings)?;
    fmt::leave_generated(&mut before);
    let migrated = migrate(&before, &settings);
    drop(progress);
    let changes = migrated.changes(&before);
    let is_dry = asked.check || asked.diff;
    if is_dry {
        show(asked, &changes, migrated.shown_changes(&before))?;
    } else {
        let files: Vec<_> = changes.iter().filter(|it| it.is_named).cloned().collect();
        fixes::write(&files)?;
    }
    let ids = before.ids().zip(migrated.workspace.ids());
    let stdin = ids.filter(|(it, _)| !before.file(*it).is_named()).last();
    before.mask(&migrated.secrets);
    let found = Findings::of_texts(&before, &migrated.diagnostics).report(options)?;
    if let Some((_, file)) = stdin
        && !is_dry
        && found == Outcome::Clean
    {
        output::print(migrated.workspace.file(file).text())?;
    }
    if !options.quiet && migrated.objects > 0 {
        output::complain(&counted(is_dry, migrated.objects, changes.len()));
    }
    Ok(if is_dry && !changes.is_empty() { Outcome::InputHasErrors } else { found })
}

/// Prints the names of the files that would change, or the changes.
fn show(asked: &Migrate, changes: &[FileChange], shown: Vec<FileChange>) -> Result<(), Failure> {
    if !asked.diff {
        return output::print(&changes.iter().map(|it| it.name.clone() + "\n").collect::<String>());
    }
    for FileChange { name, before, after, .. } in shown {
        output::print(&unified::unified(&name, &before, &after))?;
    }
    Ok(())
}

/// `migrated 3 objects in 2 files`.
fn counted(is_dry: bool, objects: usize, files: usize) -> String {
    let what = if is_dry { "would migrate" } else { "migrated" };
    let plural = |count| if count == 1 { "" } else { "s" };
    format!("{what} {objects} object{} in {files} file{}\n", plural(objects), plural(files))
}
