//! Unified diffs: the changes of `check --fix` and `fmt`, and those of committed output.

use std::fmt::Write as _;
use std::ops::Range;

use sandboxc::content_hash;
use sandboxc::markup::{visible, visible_line};
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// The number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// The number of lines above which lines are only compared with those nearby: the time of a minimal
/// diff grows with the square of the number of changes.
const LARGE: usize = 2_000;

/// One side of a diff.
#[derive(Clone, Copy)]
pub(crate) struct Side<'t> {
    pub(crate) name: &'t str,
    pub(crate) text: &'t str,
    /// The text to print: the same lines, without the values of secrets.
    pub(crate) shown: &'t str,
}

/// The changes of a file as a unified diff; empty if there are none.
pub(crate) fn unified(name: &str, before: &str, after: &str) -> String {
    between([before, after].map(|text| Side { name, text, shown: text }))
}

/// The changes from one side to another as a unified diff; empty if there are none.
pub(crate) fn between(sides: [Side<'_>; 2]) -> String {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<_>>();
    let [old, new] = sides.map(|side| lines(side.text));
    let [old_shown, new_shown] = sides.map(|side| lines(side.shown));
    let mut text = String::new();
    for group in group_diff_ops(operations(&old, &new), CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        if text.is_empty() {
            let [old, new] = sides.map(|side| visible_line(side.name));
            let _ = writeln!(text, "--- {old}\n+++ {new}");
        }
        let [from, to] = [
            first.old_range().start..last.old_range().end,
            first.new_range().start..last.new_range().end,
        ]
        .map(described);
        let _ = writeln!(text, "@@ -{from} +{to} @@");
        for operation in &group {
            if operation.tag() == DiffTag::Equal {
                write_lines(' ', &old_shown, operation.old_range(), &mut text);
            } else {
                write_lines('-', &old_shown, operation.old_range(), &mut text);
                write_lines('+', &new_shown, operation.new_range(), &mut text);
            }
        }
    }
    text
}

fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    if old.len().max(new.len()) <= LARGE {
        capture_diff_slices(Algorithm::Myers, old, new)
    } else {
        nearby(old, new)
    }
}

/// Compares lines with those nearby, because a suggestion adds or removes few lines: after lines
/// that differ, the nearest equal ones follow, or a line replaces one.
fn nearby(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let [hashes_of_old, hashes_of_new] = [old, new].map(hashes);
    let is_same = |one: usize, other: usize| {
        let hash = hashes_of_old.get(one);
        hash.is_some() && hash == hashes_of_new.get(other) && old.get(one) == new.get(other)
    };
    let steps = steps();
    let mut operations = Vec::new();
    let (mut at, mut start) = ((0, 0), (0, 0));
    while at.0 < old.len() || at.1 < new.len() {
        let pairs = (at.0..old.len()).zip(at.1..new.len());
        let equal = pairs.take_while(|(one, other)| is_same(*one, *other)).count();
        if equal > 0 {
            push_changed(&mut operations, start, at);
            operations.push(DiffOp::Equal { old_index: at.0, new_index: at.1, len: equal });
            at = (at.0 + equal, at.1 + equal);
            start = at;
            continue;
        }
        let next = steps.iter().find(|step| is_same(at.0 + step.0, at.1 + step.1));
        let (of_old, of_new) = next.copied().unwrap_or((1, 1));
        at = ((at.0 + of_old).min(old.len()), (at.1 + of_new).min(new.len()));
    }
    push_changed(&mut operations, start, at);
    operations
}

/// The numbers of old and new lines between equal ones, the smallest first.
fn steps() -> Vec<(usize, usize)> {
    const MOST: usize = 16;
    let of_sum = |sum: usize| (0..=sum).map(move |of_old| (of_old, sum - of_old));
    let mut steps: Vec<_> = (1..=MOST).flat_map(of_sum).collect();
    steps.sort_by_key(|(of_old, of_new)| (of_old + of_new, of_old.abs_diff(*of_new)));
    steps
}

/// Adds the lines between two positions, which differ.
fn push_changed(operations: &mut Vec<DiffOp>, start: (usize, usize), end: (usize, usize)) {
    let ((old_index, new_index), (old_len, new_len)) = (start, (end.0 - start.0, end.1 - start.1));
    if old_len + new_len > 0 {
        operations.push(DiffOp::Replace { old_index, old_len, new_index, new_len });
    }
}

/// Hashes of lines. A long line is compared with many.
fn hashes(lines: &[&str]) -> Vec<u64> {
    lines.iter().map(|line| content_hash(line.as_bytes())).collect()
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
    for line in lines.get(range).into_iter().flatten() {
        text.push(sign);
        // Files can have lines that end with both.
        let body = line.strip_suffix('\n').unwrap_or(line);
        let body = body.strip_suffix('\r').unwrap_or(body);
        text.push_str(&visible(body));
        text.extend(line.get(body.len()..));
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

    #[test]
    fn a_line_that_only_differs_in_what_is_hidden_is_shown() {
        let side = |text| Side { name: "x", text, shown: "password: **\n" };
        let diff = between([side("password: aa\n"), side("password: bb\n")]);
        assert_eq!(diff, "--- x\n+++ x\n@@ -1 +1 @@\n-password: **\n+password: **\n");
    }

    /// A minimal diff of these takes minutes.
    #[test]
    fn lines_of_large_files_are_compared_with_those_nearby() {
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
        // All lines occur in each document, so none is an anchor.
        let before = "--- a: 1\nb: 2\n".repeat(count);
        let more = unified("x", &before, &before.replacen("--- a", "---\na", 40));
        assert_eq!(more.lines().count(), 3 + 40 * 4 + 2, "{more}");
    }
}
