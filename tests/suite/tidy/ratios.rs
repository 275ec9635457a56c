//! Habits that make code hard to read, as ratios that may only fall: lower a limit when the code is below it.

use std::path::Path;

use super::{SOURCES, texts};

/// A habit, and how often it occurs at most.
struct Habit {
    /// What a line of a complaint says.
    what: &'static str,
    /// What is counted in a line.
    count: fn(&str) -> usize,
    /// The most occurrences in 10,000 lines.
    most: usize,
    /// What to write instead.
    instead: &'static str,
}

const HABITS: [Habit; 2] = [
    Habit {
        what: "a fallback without a word: `unwrap_or_default()`, `unwrap_or(..)`, `.ok()`",
        count: fallbacks,
        most: 50,
        instead: "use a type that cannot be absent or out of range, or `map_or` with the meaning",
    },
    Habit {
        what: "the argument `it` of a closure",
        count: named_it,
        most: 103,
        instead: "name the thing, unless the body is a single call on it",
    },
];

/// Fewer lines than these have no ratio.
const ENOUGH: usize = 10_000;

fn fallbacks(line: &str) -> usize {
    let words = ["unwrap_or_default()", ".unwrap_or(", ".ok()"];
    words.iter().map(|word| line.matches(word).count()).sum()
}

fn named_it(line: &str) -> usize {
    ["|it|", "|&it|", "|mut it|"].iter().map(|word| line.matches(word).count()).sum()
}

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let texts = texts(repository, SOURCES, &["rs"]);
    let lines: usize = texts.iter().map(|(_, text)| text.lines().count()).sum();
    if lines < ENOUGH {
        return Vec::new();
    }
    let excess = |habit: &Habit| {
        let all = texts.iter().flat_map(|(_, text)| text.lines());
        let count: usize = all.map(habit.count).sum();
        let ratio = count * 10_000 / lines;
        (ratio > habit.most).then(|| {
            let Habit { what, most, instead, .. } = habit;
            format!("src: {what}, {ratio} times in 10,000 lines, and {most} at most: {instead}")
        })
    };
    HABITS.iter().filter_map(excess).collect()
}

#[test]
fn an_excess_is_found() {
    let line = "let a = b.map(|it| it.c()).unwrap_or_default();\n";
    let found = super::complaints_about(&[("src/a.rs", &line.repeat(ENOUGH))]);
    assert_eq!(found.iter().filter(|complaint| complaint.contains("in 10,000 lines")).count(), 2);
}
