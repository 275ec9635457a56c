//! What the tests of the suite share: the program, the fixtures, differences, snapshots.

#[path = "../support/sample.rs"]
mod sample;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use rayon::prelude::*;
use sandboxc::{
    Diff, DiffSide, FileId, Options, Paint, Purpose, Span, Workspace, compile, diff,
    render_diff_human,
};

pub(crate) use self::sample::{has_all, portion, sampled};
pub(crate) use crate::fixtures::{
    Compiled, Fixture, NOT_REACHED, accepted, all_of_rules, cases, example, fixtures, found,
    inputs, root,
};

/// The program: that of this build, or the one at `SANDBOXC_BINARY`.
pub(crate) fn binary() -> PathBuf {
    let other = env::var_os("SANDBOXC_BINARY");
    other.map_or_else(|| env!("CARGO_BIN_EXE_sandboxc").into(), PathBuf::from)
}

/// The inputs for which the program is started: all of them at `SANDBOXC_BINARY`, or else a sample, since each
/// start of a debug build takes long, and the library is tested with all.
pub(crate) fn for_program<T>(inputs: impl IntoIterator<Item = T>) -> Vec<T> {
    let share = if env::var_os("SANDBOXC_BINARY").is_some() { 1 } else { 96 };
    inputs.into_iter().step_by(share).collect()
}

/// The cases of rules, sorted by name, but for those of updates.
pub(crate) fn of_rules() -> Vec<Fixture> {
    all_of_rules().filter(|it| it.against.is_none()).collect()
}

/// The fixtures of rules and of typos.
pub(crate) fn of_rules_and_typos() -> Vec<Fixture> {
    of_rules().into_iter().chain(fixtures("typos")).collect()
}

/// The files of the cases in `fixtures/<folder>/cases.md`, sorted by name.
pub(crate) fn files_of_cases(folder: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join(format!("fixtures/{folder}/cases.md"))).unwrap();
    let files = cases::cases(&text).into_iter().flat_map(|it| it.files);
    let mut files: Vec<_> =
        files.map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap())).collect();
    files.sort();
    files
}

/// A sample of the cases of rules, of which `tests/rules.rs` compiles all. They are compiled once for all
/// tests. Call this outside of parallel work, since the first call waits for parallel work of its own.
pub(crate) fn diag() -> &'static [Compiled] {
    static SAMPLE: LazyLock<Vec<Compiled>> =
        LazyLock::new(|| sampled(of_rules(), 8).into_par_iter().map(Compiled::of).collect());
    &SAMPLE
}

/// The fixtures of the rules for updates, compiled once as [`diag`].
pub(crate) fn updates() -> &'static [Compiled] {
    static ALL: LazyLock<Vec<Compiled>> = LazyLock::new(|| {
        all_of_rules().filter(|it| it.against.is_some()).map(Compiled::of).collect()
    });
    &ALL
}

/// The difference of two streams of objects.
pub(crate) fn compared(old: &str, new: &str) -> Diff {
    compared_as(old, new, |side| side)
}

/// As `compared`, with a change of the new side.
pub(crate) fn compared_as(
    old: &str,
    new: &str,
    change: impl for<'s> FnOnce(DiffSide<'s>) -> DiffSide<'s>,
) -> Diff {
    let mut options = Options::default();
    options.purpose = Purpose::Compare;
    let [old, new] = [("old.yaml", old), ("new.yaml", new)].map(|(name, text)| {
        let mut workspace = Workspace::new();
        workspace.add(name, text);
        workspace
    });
    let [of_old, of_new] = [&old, &new].map(|it| compile(it, &options));
    assert!(!of_new.has_errors(), "{:?}", of_new.diagnostics);
    diff(&DiffSide::new(&old, &of_old), &change(DiffSide::new(&new, &of_new)))
}

/// The difference of two streams of objects, as `diff` prints it; empty if there is none.
pub(crate) fn difference(old: &str, new: &str) -> String {
    let found = compared(old, new);
    if found.objects.is_empty() {
        return String::new();
    }
    render_diff_human(&found, false, Paint::Plain)
}

/// The span of the first `text` in a file.
pub(crate) fn find(workspace: &Workspace, file: FileId, text: &str) -> Span {
    let start = workspace.file(file).text().find(text).expect("text in the file");
    Span::new(file, u32::try_from(start).unwrap(), u32::try_from(start + text.len()).unwrap())
}

/// Compares a text with the snapshot with this name.
pub(crate) fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
