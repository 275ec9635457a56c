//! `docs/guide.md` and `docs/testing.md` as tutorials: their files are written to one directory, and
//! their commands run there.

use std::fs;

use super::Folder;
use super::readme::{commands, is_as_shown, run_in};
use crate::support::root;

#[test]
fn the_guide_runs_as_written() {
    runs_as_written("guide.md", 10);
}

#[test]
fn the_page_of_tests_runs_as_written() {
    runs_as_written("testing.md", 4);
}

/// Writes the files of a page, and runs its commands; both have at least a number.
#[track_caller]
fn runs_as_written(page: &str, least: usize) {
    let page = fs::read_to_string(root().join("docs").join(page)).unwrap();
    let folder = Folder::new(&[]);
    let (mut files, mut runs) = (0, 0);
    for block in page.split("```").skip(1).step_by(2) {
        let (language, text) = block.split_once('\n').unwrap();
        if language == "yaml" {
            let name = text.lines().next().and_then(|it| it.strip_prefix("# "));
            folder.write(name.expect("a first line with the name of the file"), text);
            files += 1;
            continue;
        }
        assert_eq!(language, "console");
        for (command, expected) in commands(text) {
            let printed = run_in(folder.path(), &command);
            assert!(
                is_as_shown(&printed, &expected),
                "$ {command}\n{printed}\ninstead of\n{expected}"
            );
            runs += 1;
        }
    }
    assert!(files >= least && runs >= least, "{files} files, {runs} commands");
}

#[test]
fn the_page_of_policies_runs_as_written() {
    let page = fs::read_to_string(root().join("docs/policies.md")).unwrap();
    let mut runs = 0;
    for block in page.split("```console\n").skip(1) {
        let (text, _) = block.split_once("```").unwrap();
        for (command, expected) in commands(text) {
            let printed = run_in(root(), &command);
            assert!(
                is_as_shown(&printed, &expected),
                "$ {command}\n{printed}\ninstead of\n{expected}"
            );
            runs += 1;
        }
    }
    assert!(runs > 0);
}
