//! Compares the fast reader with the parser.
#![allow(clippy::panic, reason = "a difference is a fault of ours")]

use super::read;
use crate::diag::Sink;
use crate::source::Workspace;
use crate::yaml::read::{ALIASES, read_slowly};
use crate::yaml::split::{DocumentSlice, split};

/// Returns the difference between the two readers for a document, or whether the fast reader
/// supports it.
fn compare(text: &str, slice: &DocumentSlice) -> Result<bool, String> {
    let Some(quick) = read(text, slice) else { return Ok(false) };
    let mut sink = Sink::new();
    let slow = read_slowly(text, slice, &mut { ALIASES }, &mut sink).ok();
    let rules: Vec<_> = sink.into_sorted().into_iter().map(|it| it.rule.name).collect();
    let Some(slow) = slow.filter(|_| rules.is_empty()) else {
        return Err(format!("taken, but the parser finds {rules:?}\n{text:?}"));
    };
    if quick.root == slow.root && quick.span == slow.span {
        return Ok(true);
    }
    Err(format!("different trees\n{text:?}\nquick {:#?}\nslow {:#?}", quick.root, slow.root))
}

/// The number of documents in a text, and the number of those that the fast reader supports.
///
/// # Panics
///
/// If the two readers disagree.
pub fn compare_all(text: &str) -> (usize, usize) {
    let file = Workspace::new().add("a.yaml", "");
    let stream = split(file, text);
    let taken = stream
        .slices
        .iter()
        .filter(|slice| compare(text, slice).unwrap_or_else(|difference| panic!("{difference}")));
    (stream.slices.len(), taken.count())
}
