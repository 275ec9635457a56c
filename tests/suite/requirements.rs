//! The tables of `docs/<system>.md` with the rule or test for each requirement: everything that
//! they name exists.

use std::collections::BTreeSet;
use std::fs;

use sandboxc::rules;

use crate::support::{inputs, root};

/// The page of each system, the prefix of its numbered requirements, and how many there are.
const TABLES: &[(&str, Option<(&str, usize)>)] = &[
    ("idegym", Some(("IG", 32))),
    ("kelos", None),
    ("nodepool", Some(("NP", 39))),
    ("osa", Some(("OSA", 32))),
];

/// The first and the last cell of the rows of a page's last table.
fn rows(page: &str) -> Vec<(&str, &str)> {
    let is_row = |line: &&str| line.starts_with("| ") && line.ends_with(" |");
    let last = page.rsplit_once("rule or test |\n").expect("a table of rules").1;
    let lines = last.lines().skip(1).take_while(is_row);
    let cells = lines.map(|line| line.trim_matches('|').trim());
    cells.map(|it| (it.split(" | ").next().unwrap(), it.rsplit(" | ").next().unwrap())).collect()
}

/// The code in a cell, each with the text before it.
fn code(cell: &str) -> Vec<(&str, &str)> {
    let parts: Vec<_> = cell.split('`').collect();
    parts.chunks_exact(2).map(|it| (it[0], it[1])).collect()
}

/// The fault of a name in a table.
fn complaint(system: &str, before: &str, name: &str, sources: &str) -> Option<String> {
    let is_rule = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let exists = if name.contains('/') {
        root().join(name).exists()
    } else if before.trim_end().ends_with("fixture") {
        let path = format!("compile/{system}/{name}.yaml");
        inputs(&format!("compile/{system}")).iter().any(|it| it.0 == path)
    } else if name.contains('_') {
        sources.contains(&format!("fn {name}("))
    } else if name.chars().all(is_rule) && name.contains('-') {
        rules::find(name).is_some()
    } else {
        true
    };
    (!exists).then(|| format!("docs/{system}.md: no `{name}`"))
}

#[test]
fn tables_only_name_existing_items() {
    let sources = sources();
    let mut complaints = Vec::new();
    for (system, numbered) in TABLES {
        let page = fs::read_to_string(root().join(format!("docs/{system}.md"))).unwrap();
        let rows = rows(&page);
        assert!(rows.len() > 10, "docs/{system}.md: {} rows", rows.len());
        for (_, cell) in &rows {
            let names = code(cell);
            let failures =
                names.iter().filter_map(|(before, name)| complaint(system, before, name, &sources));
            complaints.extend(failures);
        }
        let Some((prefix, count)) = numbered else { continue };
        let found: BTreeSet<_> = rows.iter().flat_map(|(ids, _)| ids.split(", ")).collect();
        let expected: Vec<_> = (1..=*count).map(|number| format!("{prefix}-{number:02}")).collect();
        let lacking = expected.iter().filter(|it| !found.contains(it.as_str()));
        complaints.extend(lacking.map(|it| format!("docs/{system}.md: no row for {it}")));
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// All Rust code of the repository, as one string.
fn sources() -> String {
    let files =
        ["src", "crates", "tests"].iter().flat_map(|it| walkdir::WalkDir::new(root().join(it)));
    let files = files
        .filter_map(Result::ok)
        .filter(|it| it.path().extension().is_some_and(|it| it == "rs"));
    files.map(|it| fs::read_to_string(it.path()).unwrap()).collect()
}

#[test]
fn names_that_do_not_exist_are_reported() {
    let sources = "fn there_is_one() {}";
    let reported = |cell: &str| {
        let names = code(cell);
        names.iter().filter_map(|(before, name)| complaint("osa", before, name, sources)).count()
    };
    assert_eq!(
        reported("`unknown-field`, test `there_is_one`, fixture `archive`, `tests/suite/main.rs`"),
        0
    );
    assert_eq!(reported("`run.runId`, `target`"), 0);
    for wrong in ["`no-such-rule`", "test `there_is_none`", "fixture `nothing`", "`tests/no.rs`"] {
        assert_eq!(reported(wrong), 1, "{wrong}");
    }
    assert_eq!(
        rows("| id | rule or test |\n|---|---|\n| A-1 | x, `y` |\n\nend"),
        [("A-1", "x, `y`")]
    );
}
