//! The contents of the packages for crates.io.

use std::fs;

use crate::support::root;

#[test]
fn each_package_contains_the_license() {
    for folder in [".", "crates/message", "crates/syntax", "crates/kubernetes", "crates/files"] {
        let folder = root().join(folder);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let files = manifest.lines().find(|it| it.starts_with("include = ")).unwrap();
        assert!(files.contains("\"/LICENSE\""), "{files}");
        assert!(folder.join("LICENSE").is_file(), "{}", folder.display());
    }
}
