//! Unified diffs of the changes of `check --fix`.

use std::fmt::Write as _;
use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// The number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// The number of lines above which lines are compared by position, or with anchors: the time of a
/// minimal diff grows with the square of the number of changes.
const LARGE: usize = 2_000;

/// The changes of a file as a unified diff; empty if there are none.
pub(crate) fn unified(name: &str, before: &str, after: &str) -> String {
    let [old, new] = [before, after].map(|it| it.split_inclusive('\n').collect::<Vec<_>>());
    let mut text = String::new();
    for group in group_diff_ops(operations(&old, &new), CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        if text.is_empty() {
            let _ = writeln!(text, "--- {name}\n+++ {name}");
        }
        let [from, to] = [
            first.old_range().start..last.old_range().end,
            first.new_range().start..last.new_range().end,
        ]
        .map(described);
        let _ = writeln!(text, "@@ -{from} +{to} @@");
        for operation in &group {
            if operation.tag() == DiffTag::Equal {
                write_lines(' ', &old, operation.old_range(), &mut text);
            } else {
                write_lines('-', &old, operation.old_range(), &mut text);
                write_lines('+', &new, operation.new_range(), &mut text);
            }
        }
    }
    text
}

fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    if old.len().max(new.len()) <= LARGE {
        capture_diff_slices(Algorithm::Myers, old, new)
    } else if old.len() == new.len() {
        by_position(old, new)
    } else {
        capture_diff_slices(Algorithm::Patience, old, new)
    }
}

/// Compares each line with the one at the same position. Most suggestions keep the number of lines.
fn by_position(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let pairs: Vec<bool> = old.iter().zip(new).map(|(old, new)| old == new).collect();
    let mut at = 0;
    let operation = |run: &[bool]| {
        let (index, len) = (at, run.len());
        at += len;
        if run.first() == Some(&true) {
            DiffOp::Equal { old_index: index, new_index: index, len }
        } else {
            DiffOp::Replace { old_index: index, old_len: len, new_index: index, new_len: len }
        }
    };
    pairs.chunk_by(|a, b| a == b).map(operation).collect()
}

/// `3,8`; the length is omitted if it is one.
fn described(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => (lines.start + 1).to_string(),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn write_lines(sign: char, lines: &[&str], range: Range<usize>, text: &mut String) {
    for line in lines.get(range).unwrap_or_default() {
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_has_context_and_both_ranges() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh\ni";
        let after = before.replace("b\n", "B\n").replace("\ni", "\nI\n");
        assert_eq!(
            unified("x.yaml", before, &after),
            "--- x.yaml\n+++ x.yaml\n@@ -1,9 +1,9 @@\n a\n-b\n+B\n c\n d\n e\n f\n g\n h\n-i\n\
             \\ No newline at end of file\n+I\n"
        );
        assert_eq!(unified("x", "a\n", "a\nb\n"), "--- x\n+++ x\n@@ -1 +1,2 @@\n a\n+b\n");
        assert_eq!(unified("x", "", "a\n"), "--- x\n+++ x\n@@ -0,0 +1 @@\n+a\n");
        assert_eq!(unified("x", before, before), "");
    }

    /// A minimal diff of these takes minutes.
    #[test]
    fn large_files_are_compared_by_position() {
        let count = 200_000;
        let lines = |value: &str| -> String {
            let lines: Vec<_> = (0..count).map(|it| format!("key{it}: {value}\n")).collect();
            lines.concat()
        };
        let diff = unified("x", &lines("1"), &lines("\"1\""));
        assert!(diff.starts_with("--- x\n+++ x\n@@ -1,200000 +1,200000 @@\n-key0: 1\n-key1: 1\n"));
        assert_eq!(diff.lines().count(), 2 * count + 3);
        let before = lines("1");
        let one = unified("x", &before, &before.replace("key7: 1", "key7: 2"));
        assert_eq!(one.lines().count(), 3 + 8, "{one}");
        let more = unified("x", &before, &before.replace("key7: 1", "key7: 1\nkey7b: 1"));
        assert_eq!(more.lines().count(), 3 + 7, "{more}");
    }
}
