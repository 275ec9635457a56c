//! `init`: a small project to start from.

use std::fs;
use std::io;

use super::arguments::{Init, Options};
use super::directory::{self, File};
use super::failure::Failure;
use super::visible::visible;
use super::{Outcome, input, output};

/// The files of the project.
const FILES: [(&str, &str); 2] = [
    (input::PROJECT_FILE, include_str!("starter/sandboxc.yaml")),
    ("sandboxes.yaml", include_str!("starter/sandboxes.yaml")),
];

pub(crate) fn run(init: &Init, options: &Options) -> Result<Outcome, Failure> {
    let target = &init.directory;
    let files: Vec<_> = FILES
        .into_iter()
        .map(|(name, content)| File { name: name.to_owned(), content: content.into() })
        .collect();
    let entries = match fs::read_dir(target) {
        Ok(entries) => Some(entries.count()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(Failure::file("read", target)(error)),
    };
    match entries {
        None => directory::create(target, &files)?,
        Some(0) => directory::fill(target, &files)?,
        Some(_) => {
            return Err(Failure::usage(
                format!("`{}` is not empty", target.display()),
                "name a new or empty directory: `sandboxc init sandboxes`",
            ));
        }
    }
    if !options.quiet {
        let target = visible(&target.display().to_string());
        output::complain(&format!(
            "created a project in {target}; next: sandboxc build {target}\n"
        ));
    }
    Ok(Outcome::Clean)
}
