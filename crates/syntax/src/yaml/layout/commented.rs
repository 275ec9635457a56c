//! Commented-out parts of documents, and values that end with the file.

use std::ops::Range;

use super::layout;
use crate::source::Workspace;
use crate::yaml::fixture_texts;
use crate::yaml::recorded::{files, values};

/// The text after the `#` of a comment on a line of its own.
fn comment(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches(' ');
    text.strip_prefix('#').map(|comment| (line.len() - text.len(), comment.trim_end_matches('\r')))
}

/// A file in which some comments are lines of the document, by their number.
fn uncommented(text: &str, range: &Range<usize>, with_space: bool) -> String {
    let mut number = 0..;
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let content =
            comment(line).filter(|_| number.next().is_some_and(|number| range.contains(&number)));
        match content {
            Some((column, rest)) => {
                out.extend(std::iter::repeat_n(' ', column));
                out.push_str(
                    rest.strip_prefix(' ').filter(|_| with_space).unwrap_or(rest).trim_end(),
                );
                out.push('\n');
            }
            None => out.push_str(line),
        }
    }
    out
}

/// The comments on successive lines, by number, and all of them.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let (mut blocks, mut start, mut number) = (Vec::new(), 0, 0);
    for line in text.lines().chain([""]) {
        if comment(line).is_some() {
            number += 1;
        } else if start < number {
            blocks.push(start..number);
            start = number;
        }
    }
    blocks.push(0..number);
    blocks
}

/// The values of a file; `None` if it cannot be read.
fn read(text: &str) -> Option<String> {
    let (values, is_broken) = values(text);
    (!is_broken).then_some(values)
}

/// The blocks of comments that are other values after the layout.
fn torn(text: &str) -> Vec<String> {
    let file = Workspace::new().add("a.yaml", "");
    let Ok(after) = layout(file, text) else { return Vec::new() };
    let mut torn = Vec::new();
    for block in if after == text { Vec::new() } else { blocks(text) } {
        let comments = text.lines().filter_map(comment).skip(block.start).take(block.len());
        // An editor that writes `# ` removes both.
        let is_tight = comments
            .filter(|comment| !comment.1.is_empty())
            .any(|comment| !comment.1.starts_with(' '));
        for with_space in if is_tight { vec![true, false] } else { vec![true] } {
            let before = uncommented(text, &block, with_space);
            let Some(expected) = read(&before) else { continue };
            let laid_out = uncommented(&after, &block, with_space);
            if read(&laid_out).as_ref() != Some(&expected) {
                let line = text.lines().enumerate().filter(|line| comment(line.1).is_some());
                let at = line.map(|it| it.0 + 1).nth(block.start).unwrap_or(0);
                torn.push(format!("{at}, {} lines, {with_space}", block.len()));
            }
        }
    }
    torn
}

#[test]
fn commented_parts_stay_parts() {
    let texts = files().unwrap_or_else(|| {
        fixture_texts()
            .into_iter()
            .enumerate()
            .map(|fixture| (fixture.0.to_string(), fixture.1))
            .collect()
    });
    let mut all = Vec::new();
    for (name, text) in texts {
        all.extend(torn(&text).into_iter().map(|it| format!("{name}:{it}")));
    }
    assert!(all.is_empty(), "{}\n{}", all.len(), all.join("\n"));
}
