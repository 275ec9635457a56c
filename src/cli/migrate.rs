//! `migrate`: converts manifests of removed and deprecated versions in place.

use sandboxc::{FileChange, Migrated, migrate};

use super::arguments::{KnownKinds, Migrate, Options};
use super::failure::Failure;
use super::progress::Progress;
use super::{Outcome, edits, report};

pub(crate) fn run(asked: &Migrate, options: &Options) -> Result<Outcome, Failure> {
    let mut settings = report::compile_options(options)?;
    let progress = Progress::start(options);
    let kinds = KnownKinds::default();
    let mut before = report::read(&asked.inputs, &kinds, options, &progress, &mut settings)?;
    edits::leave_generated(&mut before, options);
    edits::keep_links(&mut before, options);
    let Migrated { edited, objects, .. } = migrate(&before, &settings);
    drop(progress);
    let is_dry = asked.preview.is_dry();
    let describe = |changes: &[FileChange]| counted(is_dry, objects, changes.len());
    edits::finish(before, &edited, asked.preview, describe, options)
}

/// `migrated 3 objects in 2 files`.
fn counted(is_dry: bool, objects: usize, files: usize) -> String {
    if objects == 0 {
        return String::new();
    }
    let what = if is_dry { "would migrate" } else { "migrated" };
    let plural = |count| if count == 1 { "" } else { "s" };
    format!("{what} {objects} object{} in {files} file{}\n", plural(objects), plural(files))
}
