//! The program prints the messages that the library renders, whose snapshots are in the repository.
//! Dependencies can behave differently in an optimized build, which `SANDBOXC_BINARY` tests.

use std::fs;
use std::path::Path;

use rayon::prelude::*;
use sandboxc::{
    Diagnostic, FileRole, ImportOptions, Paint, Purpose, Selection, Workspace, compile, import,
    render_selection,
};

use super::{Folder, Run};
use crate::support::{Compiled, Fixture, for_program, of_rules};

/// The number of findings after which the program omits some.
const SHOWN: usize = 100;

/// All fixtures take 20 s with a debug build.
#[test]
fn the_program_prints_the_messages_of_the_fixtures() {
    let compiled: Vec<_> = for_program(of_rules()).into_par_iter().map(Compiled::of).collect();
    let fixtures: Vec<_> = compiled.iter().filter(|it| is_run(it)).collect();
    assert!(fixtures.len() * 4 > compiled.len(), "{} of {}", fixtures.len(), compiled.len());
    let failures: Vec<_> =
        fixtures.par_iter().filter_map(|it| difference(&it.fixture, &it.workspace)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whether a fixture has messages, and files that the program reads in the same order.
fn is_run(Compiled { fixture, workspace, compilation }: &Compiled) -> bool {
    let is_unreadable = memchr::memmem::find(&fixture.bytes, b"# unreadable: ").is_some();
    let names = workspace.ids().map(|it| Path::new(workspace.file(it).name()));
    let is_as_given = fixture.values.is_empty() && !is_unreadable && names.is_sorted();
    is_as_given && !compilation.diagnostics.is_empty()
}

fn difference(fixture: &Fixture, workspace: &Workspace) -> Option<String> {
    let expected = rendered(fixture);
    let Run { stderr, .. } = run(fixture, workspace);
    // A summary follows, without locations.
    let is_same = stderr.strip_prefix(&expected).is_some_and(|it| !it.contains(" --> "));
    (!is_same).then(|| format!("{}\nexpected:\n{expected}\nprinted:\n{stderr}", fixture.name))
}

/// The messages that the library renders.
fn rendered(fixture: &Fixture) -> String {
    let mut workspace = fixture.workspace();
    let findings: Vec<Diagnostic> = if fixture.is_import {
        import(&workspace, &ImportOptions::default()).diagnostics
    } else {
        let compilation = compile(&workspace, &fixture.options);
        workspace.mask(&compilation.secrets);
        compilation.diagnostics
    };
    render_selection(&workspace, &Selection::of(&findings, SHOWN), Paint::Plain, None)
}

/// Runs the program on the files of a fixture.
fn run(fixture: &Fixture, workspace: &Workspace) -> Run {
    let folder = Folder::new(&[]);
    for id in workspace.ids() {
        let file = workspace.file(id);
        folder.write(file.name(), file.text());
    }
    let inputs = match workspace.ids().collect::<Vec<_>>()[..] {
        [id] if workspace.file(id).role() == FileRole::Named => {
            let name = workspace.file(id).name();
            fs::write(folder.path().join(name), &fixture.bytes).unwrap();
            // A file that is the only input is a part of a set.
            [name, name]
        }
        _ => [".", "."],
    };
    let verb = match &fixture.options {
        _ if fixture.is_import => "import",
        it if it.purpose == Purpose::Effective => "effective",
        it if it.purpose == Purpose::Check => "check",
        _ => "build",
    };
    let arguments = fixture.arguments.iter().map(String::as_str);
    folder.run(&[verb].into_iter().chain(inputs).chain(arguments).collect::<Vec<_>>())
}
