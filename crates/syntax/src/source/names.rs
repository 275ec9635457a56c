//! Names of files that mean something.

/// The name of the file that marks the root directory of a project.
pub const PROJECT_FILE: &str = "sandboxc.yaml";
/// The extensions of the files that are read from directories.
pub const MANIFEST_EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];
/// The name of a list of excluded files, in addition to `.gitignore`.
pub const IGNORE_FILE: &str = ".sandboxcignore";
/// The name of the list of files in a directory that `build` has written.
pub const GENERATED_FILES: &str = ".sandboxc-files";
