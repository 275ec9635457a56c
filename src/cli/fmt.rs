//! `fmt`: writes definitions and manifests in their canonical layout.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sandboxc::{FileChange, FileRole, Workspace, format_files};

use super::arguments::{Fmt, Options};
use super::failure::Failure;
use super::manifest::{self, Manifest};
use super::progress::Progress;
use super::projects::directory_of;
use super::report::Findings;
use super::{Outcome, fixes, input, output, unified};

pub(crate) fn run(fmt: &Fmt, options: &Options) -> Result<Outcome, Failure> {
    let progress = Progress::start(options);
    let mut before = input::read(&fmt.inputs, options, &progress)?;
    leave_generated(&mut before);
    let formatted = format_files(&before);
    drop(progress);
    let changes = formatted.changes(&before);
    let outcome = if fmt.check || fmt.diff {
        let is_clean = changes.is_empty();
        show(fmt, &changes, formatted.shown_changes(&before))?;
        if is_clean { Outcome::Clean } else { Outcome::InputHasErrors }
    } else {
        let files: Vec<_> = changes.iter().filter(|it| it.is_named).cloned().collect();
        fixes::write(&files)?;
        Outcome::Clean
    };
    let ids = before.ids().zip(formatted.workspace.ids());
    let stdin = ids.filter(|(it, _)| !before.file(*it).is_named()).last();
    before.mask(&formatted.secrets);
    let found = Findings::of_texts(&before, &formatted.diagnostics).report(options)?;
    if let Some((_, file)) = stdin
        && !(fmt.check || fmt.diff)
        && found == Outcome::Clean
    {
        output::print(formatted.workspace.file(file).text())?;
    }
    if !options.quiet {
        output::complain(&counted(fmt, &changes));
    }
    Ok(if outcome == Outcome::Clean { found } else { outcome })
}

/// Prints the names of the files that would change, or the changes.
fn show(fmt: &Fmt, changes: &[FileChange], shown: Vec<FileChange>) -> Result<(), Failure> {
    if !fmt.diff {
        return output::print(&changes.iter().map(|it| it.name.clone() + "\n").collect::<String>());
    }
    for FileChange { name, before, after, .. } in shown {
        output::print(&unified::unified(&name, &before, &after))?;
    }
    Ok(())
}

/// `formatted 3 files`; empty if only standard input changed, which is printed.
fn counted(fmt: &Fmt, changes: &[FileChange]) -> String {
    let is_dry = fmt.check || fmt.diff;
    let count = changes.iter().filter(|it| it.is_named || is_dry).count();
    let (what, plural) =
        (if is_dry { "would format" } else { "formatted" }, if count == 1 { "" } else { "s" });
    if count == 0 { String::new() } else { format!("{what} {count} file{plural}\n") }
}

/// Leaves the files in output directories of `build`, which would be edited by hand otherwise.
pub(crate) fn leave_generated(workspace: &mut Workspace) {
    let mut manifests: BTreeMap<_, Manifest> = BTreeMap::new();
    for id in workspace.ids() {
        let file = workspace.file(id);
        if file.role() != FileRole::Found {
            continue;
        }
        let path = Path::new(file.name());
        let folder = directory_of(path);
        let read = |folder: &Path| {
            let text = fs::read_to_string(folder.join(manifest::FILE_NAME)).unwrap_or_default();
            Manifest::parse(&text).unwrap_or_default()
        };
        let generated = manifests.entry(folder.clone()).or_insert_with(|| read(&folder));
        if path.file_name().is_some_and(|it| generated.lists(&it.to_string_lossy())) {
            workspace.set_role(id, FileRole::OtherProject);
        }
    }
}
