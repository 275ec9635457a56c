//! The manual pages in `docs/man/`, which are made from the arguments.
//!
//! They are in the repository because packages install files, and the program does not have to write
//! them; a change of the arguments without them fails here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use clap::Command;
use clap_mangen::Man;

use super::Arguments;

const COMMAND: &str = "UPDATE_GENERATED=1 cargo test --bin sandboxc manual";

#[test]
fn manual_pages_are_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/man");
    let mut command = Arguments::command_of_systems().disable_help_subcommand(true);
    command.build();
    let mut expected = BTreeMap::new();
    add(&command, &mut expected);
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::remove_dir_all(&folder).unwrap();
        fs::create_dir(&folder).unwrap();
        for (name, text) in expected {
            fs::write(folder.join(name), text).unwrap();
        }
        return;
    }
    let found = pages(&folder);
    let names = |it: &BTreeMap<String, String>| it.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected), "run: {COMMAND}");
    let stale: Vec<_> = expected.keys().filter(|it| found[*it] != expected[*it]).collect();
    assert!(stale.is_empty(), "{stale:?}: run: {COMMAND}");
}

/// Adds the page of a command, and those of its commands.
fn add(command: &Command, pages: &mut BTreeMap<String, String>) {
    let name = command.get_display_name().unwrap_or("sandboxc").to_owned();
    let source = concat!("sandboxc ", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    let man = Man::new(command.clone()).title(&name).source(source).manual("sandboxc manual");
    man.render(&mut page).unwrap();
    // A break next to vertical space has no effect, and mandoc warns of it.
    let text = String::from_utf8(page).unwrap().replace(".br\n\n.br\n", ".sp\n");
    // An empty date has to be written, or the next argument is read as the date.
    let text = text.replacen(&format!(".TH {name} 1  "), &format!(".TH {name} 1 \"\" "), 1);
    pages.insert(format!("{name}.1"), text);
    for below in command.get_subcommands().filter(|it| it.get_name() != "help") {
        add(below, pages);
    }
}

/// The pages of a folder, by name.
fn pages(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let page = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    entries.map(page).collect()
}
