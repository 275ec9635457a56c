//! Lists the pages of `docs/rules/` without their tests, so that the program explains each rule.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

const PAGES: &str = "docs/rules";

/// The heading of the tests, the last section.
const TESTS: &str = "\n## Tests\n";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={PAGES}");
    println!("cargo::rerun-if-changed=build.rs");
    let root = env::var("CARGO_MANIFEST_DIR")?;
    let mut paths = Vec::new();
    for entry in fs::read_dir(Path::new(&root).join(PAGES))? {
        paths.push(entry?.path());
    }
    // By name: `a-b.md` is before `a.md`, and `a` before `a-b`.
    paths.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
    let mut out = String::from("&[\n");
    for path in paths.iter().filter(|path| path.extension().is_some_and(|it| it == "md")) {
        let name = path.file_stem().and_then(|it| it.to_str()).ok_or("a page has no name")?;
        let text = fs::read_to_string(path)?;
        let page = text.split(TESTS).next().ok_or("a page is empty")?;
        // The list of all pages belongs to no rule.
        if name != "README" {
            writeln!(out, "    ({name:?}, {page:?}),")?;
        }
    }
    out.push_str("]\n");
    let folder = env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    fs::write(Path::new(&folder).join("pages.rs"), out)?;
    Ok(())
}
