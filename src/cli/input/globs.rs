//! Globs: those of inputs, and those that exclude files.

use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::overrides::{Override, OverrideBuilder};

use crate::cli::failure::Failure;

/// The maximum number of braces in a glob; deeply nested ones overflow the stack of the parser.
const MAX_ALTERNATIVES: usize = 32;

/// Whether a path that does not exist is a glob.
pub(in crate::cli) fn is_glob(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[', '{'])
}

/// The directory below which a glob can match, and the maximum number of levels of a match; `None`
/// if it has any number. Directories below these levels are not read, so they need not be readable.
pub(in crate::cli) fn extent(glob: &Path) -> (PathBuf, Option<usize>) {
    let is_literal = |part: &Component<'_>| !is_glob(Path::new(part.as_os_str()));
    let mut parts = glob.components().peekable();
    let base: PathBuf = std::iter::from_fn(|| parts.next_if(is_literal)).collect();
    let base = if base.as_os_str().is_empty() { PathBuf::from(".") } else { base };
    let levels = (!glob.to_string_lossy().contains("**")).then(|| parts.count());
    (base, levels)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_is_searched_as_deep_as_it_can_match() {
        let cases = [
            ("*.yaml", ".", Some(1)),
            ("teams/web/*.yaml", "teams/web", Some(1)),
            ("teams/*/a.yaml", "teams", Some(2)),
            ("teams/{a,b/c}/d.yaml", "teams", Some(3)),
            ("teams/**/a.yaml", "teams", None),
            ("/srv/*.yaml", "/srv", Some(1)),
        ];
        for (glob, base, levels) in cases {
            assert_eq!(extent(Path::new(glob)), (PathBuf::from(base), levels), "{glob}");
        }
    }
}
