//! Globs: those of inputs, and those that exclude files.

use globset::{GlobBuilder, GlobMatcher};
use ignore::overrides::{Override, OverrideBuilder};

use crate::cli::failure::Failure;

/// The maximum number of braces in a glob; deeply nested ones overflow the stack of the parser.
const MAX_ALTERNATIVES: usize = 32;

/// The files that `--exclude` removes from directories and globs.
pub(in crate::cli) fn excluded(globs: &[String]) -> Result<Override, Failure> {
    let mut overrides = OverrideBuilder::new(".");
    let malformed = |error: ignore::Error| {
        Failure::usage(
            format!("`--exclude`: {error}"),
            "write a glob as in `.gitignore`: `--exclude vendor`, `--exclude '*.values.yaml'`",
        )
    };
    for glob in globs {
        if glob.matches('{').count() > MAX_ALTERNATIVES {
            return Err(Failure::usage(
                format!("`--exclude`: a glob has more than {MAX_ALTERNATIVES} `{{`"),
                "split the glob, and repeat `--exclude`",
            ));
        }
        // In an override a pattern selects files, and a pattern with `!` excludes them.
        overrides.add(&format!("!{glob}")).map_err(malformed)?;
    }
    overrides.build().map_err(malformed)
}

/// The files that a glob selects.
pub(super) fn matcher(text: &str) -> Result<GlobMatcher, Failure> {
    if text.matches('{').count() > MAX_ALTERNATIVES {
        return Err(Failure::usage(
            format!("a glob has more than {MAX_ALTERNATIVES} `{{`"),
            "name several globs",
        ));
    }
    let glob = GlobBuilder::new(text).literal_separator(true).build();
    let glob = glob.map_err(|error| {
        Failure::usage(
            format!("invalid glob `{text}`: {}", error.kind()),
            "write a quoted glob: 'teams/*/sandboxes.yaml' or 'definitions/**/*.yaml'",
        )
    });
    Ok(glob?.compile_matcher())
}
