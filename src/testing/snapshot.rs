//! The snapshot of a case: the output of `build`.

use super::read::TestCase;
use super::run::Judge;
use crate::diag::{Diagnostic, message};
use crate::emit::emit_stream;
use crate::findings::secrecy::mask_secrets;
use crate::source::Span;
use crate::test_case::TEST_FAILED;

/// The difference between the output of a case and its snapshot.
#[derive(Debug)]
#[non_exhaustive]
pub struct SnapshotChange {
    /// The failure.
    pub failure: Diagnostic,
    /// The output, to replace the snapshot.
    pub output: String,
    /// The snapshot and the output for display, with secret values masked. Both are equal if only
    /// secret values differ.
    pub shown: [String; 2],
}

/// Compares the output of a case with its snapshot, byte for byte.
pub(super) fn compare(
    judge: &Judge<'_>,
    case: &TestCase,
    place: Span,
    snapshot: Option<&str>,
) -> Option<SnapshotChange> {
    let output = emit_stream(&judge.compilation.objects);
    if snapshot == Some(output.as_str()) {
        return None;
    }
    let name = case.snapshot.as_deref().unwrap_or_default();
    let message = match snapshot {
        Some(_) => message!("the output differs from the snapshot `{name}`"),
        None => message!("the snapshot `{name}` does not exist"),
    };
    let shown = [snapshot.unwrap_or_default(), &output].map(mask_secrets);
    let is_secret = shown[0] == shown[1];
    let failure = Diagnostic::new(&TEST_FAILED, place, message)
        .at("expected output")
        .note_if(is_secret.then_some("only values of secrets differ"))
        .help("if the output is right, write it: `sandboxc test --update`");
    Some(SnapshotChange { failure, output, shown })
}
