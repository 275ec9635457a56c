//! Changes of the source by `fmt` and `migrate`: written, or shown.

use std::collections::BTreeMap;
use std::path::Path;

use sandboxc::markup::visible_line;
use sandboxc::{Edited, FileChange, FileId, FileRole, Paint, Workspace};

use super::arguments::{Options, Preview};
use super::failure::Failure;
use super::manifest::{self, Manifest};
use super::projects::directory_of;
use super::report::Findings;
use super::{Outcome, fixes, output, unified};
use sandboxc_files::read_below;

/// Writes or shows the changes, reports the findings, and prints the new text of standard input.
/// `describe` is the summary for the changes.
pub(crate) fn finish(
    mut before: Workspace,
    edited: &Edited,
    preview: Preview,
    describe: impl FnOnce(&[FileChange]) -> String,
    options: &Options,
) -> Result<Outcome, Failure> {
    let changes = edited.changes(&before);
    if preview.is_dry() {
        show(preview, &changes, edited.shown_changes(&before))?;
    } else {
        let files: Vec<_> = changes.iter().filter(|it| it.is_named).cloned().collect();
        fixes::write(&files, &before, options)?;
    }
    let ids = before.ids().zip(edited.workspace.ids());
    let stdin = ids.filter(|(it, _)| !before.file(*it).is_named()).last();
    before.mask(&edited.secrets);
    let found = Findings::of_texts(&before, &edited.diagnostics).report(options)?;
    if let Some((_, file)) = stdin
        && !preview.is_dry()
        && found == Outcome::Clean
    {
        output::print(edited.workspace.file(file).text())?;
    }
    if !options.quiet {
        output::complain(&describe(&changes));
    }
    Ok(if preview.is_dry() && !changes.is_empty() { Outcome::InputHasErrors } else { found })
}

/// Prints the names of the files that would change, or the changes.
fn show(preview: Preview, changes: &[FileChange], shown: Vec<FileChange>) -> Result<(), Failure> {
    if !preview.diff {
        let names = changes.iter().map(|change| visible_line(&change.name).into_owned() + "\n");
        return output::show(&names.collect::<String>(), Paint::Plain);
    }
    for FileChange { name, before, after, .. } in shown {
        output::show(&unified::unified(&name, &before, &after), Paint::Plain)?;
    }
    Ok(())
}

/// Keeps the files to which links in directories lead: such a link is not written through.
pub(crate) fn keep_links(workspace: &mut Workspace, options: &Options) {
    let is_link = |id: &FileId| {
        let file = workspace.file(*id);
        file.role() == FileRole::Found
            && file.unreadable().is_none()
            && Path::new(file.name()).is_symlink()
    };
    let links: Vec<_> = workspace.ids().filter(is_link).collect();
    for link in &links {
        workspace.keep(*link);
    }
    let names: Vec<_> = links.iter().map(|link| workspace.file(*link).name()).collect();
    complain_skipped(&names, "link", "name a link to write its target", options);
}

/// Leaves the files in output directories of `build`, which would be edited by hand otherwise. Those that
/// are named are reported.
pub(crate) fn leave_generated(workspace: &mut Workspace, options: &Options) {
    let mut manifests: BTreeMap<_, Manifest> = BTreeMap::new();
    let mut left = Vec::new();
    for id in workspace.ids() {
        let file = workspace.file(id);
        if !file.can_change() || file.role() == FileRole::Named && !file.is_named() {
            continue;
        }
        let path = Path::new(file.name());
        let folder = directory_of(path);
        let read = |folder: &Path| {
            read_below(folder, &folder.join(manifest::FILE_NAME)).map_or_else(
                |_| Manifest::default(),
                |text| Manifest::parse_or_empty(&String::from_utf8_lossy(&text)),
            )
        };
        let generated = manifests.entry(folder.clone()).or_insert_with(|| read(&folder));
        if !path.file_name().is_some_and(|name| generated.lists(&name.to_string_lossy())) {
            continue;
        }
        if file.role() == FileRole::Named {
            left.push(file.name().to_owned());
            workspace.keep(id);
        } else {
            workspace.set_role(id, FileRole::OtherProject);
        }
    }
    let names: Vec<_> = left.iter().map(String::as_str).collect();
    complain_skipped(&names, "generated file", "`build -o` writes it again", options);
}

/// Reports files that a command does not change.
fn complain_skipped(names: &[&str], what: &str, advice: &str, options: &Options) {
    if let [first, others @ ..] = names
        && !options.quiet
    {
        let (count, more) = match others.len() {
            0 => (format!("1 {what}"), String::new()),
            others => (format!("{} {what}s", others + 1), format!(" and {others} more")),
        };
        let line = format!("skipped {count}: `{first}`{more}; {advice}");
        output::complain(&(visible_line(&line).into_owned() + "\n"));
    }
}
