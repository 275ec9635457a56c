//! `build --depfile`: the files that a run has read, as a rule for Make and Ninja.

use std::collections::BTreeSet;
use std::path::Path;

use sandboxc::markup::{MakePart, make_name};
use sandboxc::{FileRole, SourceFile, Workspace};

use super::arguments::Options;
use super::failure::Failure;
use super::projects::directory_of;
use super::writing::{Places, write_file};

/// The end of the name, without which it is that of the target.
const EXTENSION: &str = ".d";

/// The file of the command line, and the target of its rule.
pub(crate) struct Depfile<'a> {
    path: &'a Path,
    target: &'a str,
}

impl<'a> Depfile<'a> {
    pub(crate) fn new(path: &'a Path) -> Result<Self, Failure> {
        let target = path.to_str().and_then(|it| it.strip_suffix(EXTENSION));
        let target = target.filter(|name| !name.is_empty() && !name.ends_with('/'));
        let refused = || {
            Failure::usage(
                format!("`--depfile {}` does not name its target", path.display()),
                "write the name of the output and `.d`: `--depfile out.yaml.d`",
            )
        };
        Ok(Self { path, target: target.ok_or_else(refused)? })
    }

    pub(crate) fn write(&self, workspace: &Workspace, options: &Options) -> Result<(), Failure> {
        let text = self.rule(&read(workspace))?;
        write_file(&Places::of(&options.inputs), self.path, text.as_bytes())
    }

    /// The rule. Each prerequisite is a target without a rule as well: a file that was deleted makes the
    /// output stale, and is not an error.
    fn rule(&self, read: &BTreeSet<String>) -> Result<String, Failure> {
        let mut text = escaped(self.target, MakePart::Target)? + ":";
        for name in read {
            text.push_str(" \\\n  ");
            text.push_str(&escaped(name, MakePart::Prerequisite)?);
        }
        text.push('\n');
        for name in read {
            text.push('\n');
            text.push_str(&escaped(name, MakePart::Target)?);
            text.push_str(":\n");
        }
        Ok(text)
    }
}

/// The files of a run, and the directories that were searched.
fn read(workspace: &Workspace) -> BTreeSet<String> {
    let files = workspace.ids().map(|it| workspace.file(it));
    let mut read = BTreeSet::new();
    for file in files.filter(|it| is_file(workspace, it)) {
        read.insert(file.name().to_owned());
        if !matches!(file.role(), FileRole::Named | FileRole::Values) {
            let directory = directory_of(Path::new(file.name())).to_string_lossy().into_owned();
            read.insert(if directory.ends_with(')') { directory + "/." } else { directory });
        }
    }
    read
}

/// Whether it is neither standard input nor a value of the command line.
fn is_file(workspace: &Workspace, file: &SourceFile) -> bool {
    let mut values = workspace.values().iter();
    // A value of the command line has a path, and a file of values has none.
    file.is_named() && !values.any(|(id, path)| *id == file.id() && !path.is_empty())
}

/// The name of a file in a rule.
fn escaped(name: &str, part: MakePart) -> Result<String, Failure> {
    let refused = || {
        Failure::usage(
            format!("a rule of Make cannot have the name `{}`", name.escape_debug()),
            "rename the file, or build without `--depfile`",
        )
    };
    make_name(name, part).ok_or_else(refused)
}
