//! Mutants: files with one common mistake, the same in every run.

use sandboxc::content_hash;

type Change = fn(&mut Vec<String>, usize);

/// The mistakes: the name of each, and a function that applies it to the lines of a file at a given
/// line.
const MISTAKES: [(&str, Change); 6] = [
    ("a deleted line", delete),
    ("a block indented", |lines, at| indent(lines, at)),
    ("a block not indented", |lines, at| dedent(lines, at)),
    ("a renamed key", |lines, at| rename(lines, at)),
    ("a changed type", retype),
    ("a duplicate key", duplicate),
];

/// Returns `count` mutants of a file, each with a description. `name` is the seed.
pub(crate) fn mutants(name: &str, text: &str, count: usize) -> Vec<(String, String)> {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let is_key = |line: &&usize| key(&lines[**line]).is_some();
    let all: Vec<_> = (0..lines.len()).collect();
    let keys: Vec<_> = all.iter().filter(is_key).copied().collect();
    if keys.is_empty() {
        return Vec::new();
    }
    let choose = |number: usize, what: &str, from: usize| {
        let hash = content_hash(format!("{name} {number} {what}").as_bytes());
        usize::try_from(hash % from as u64).unwrap()
    };
    let mutant = |number: usize| {
        let (what, change) = MISTAKES[choose(number, "mistake", MISTAKES.len())];
        let at = keys[choose(number, "line", keys.len())];
        let mut lines = lines.clone();
        change(&mut lines, at);
        (format!("{what} at line {}", at + 1), lines.join("\n") + "\n")
    };
    (0..count).map(mutant).collect()
}

/// The range of the key at the start of a line, after spaces and dashes.
fn key(line: &str) -> Option<(usize, usize)> {
    let start = line.len() - line.trim_start_matches([' ', '-']).len();
    let end = start + line[start..].find(':')?;
    let is_key = end > start && line[start..end].bytes().all(|it| it.is_ascii_alphanumeric());
    is_key.then_some((start, end))
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines below a line that are indented more.
fn block(lines: &[String], at: usize) -> std::ops::Range<usize> {
    let indent = indent_of(&lines[at]);
    let is_inside = |line: &&String| line.trim().is_empty() || indent_of(line) > indent;
    let count = lines[at + 1..].iter().take_while(is_inside).count();
    at + 1..at + 1 + count
}

fn delete(lines: &mut Vec<String>, at: usize) {
    lines.remove(at);
}

fn indent(lines: &mut [String], at: usize) {
    for line in at..block(lines, at).end {
        lines[line].insert_str(0, "  ");
    }
}

fn dedent(lines: &mut [String], at: usize) {
    for line in block(lines, at) {
        let blanks = indent_of(&lines[line]).min(2);
        lines[line].drain(..blanks);
    }
}

fn rename(lines: &mut [String], at: usize) {
    let Some((start, end)) = key(&lines[at]) else { return };
    let renamed = match lines[at][start..end].split_at(1) {
        (first, rest) if lines.len().is_multiple_of(2) => first.to_uppercase() + rest,
        (first, rest) => format!("{first}{}", rest.get(1..).unwrap_or("x")),
    };
    lines[at].replace_range(start..end, &renamed);
}

fn retype(lines: &mut Vec<String>, at: usize) {
    let Some((_, end)) = key(&lines[at]) else { return };
    let value = ["[1]", "{a: b}", "7", "text", ""][lines.len() % 5];
    lines[at].replace_range(end.., &format!(": {value}"));
    lines.drain(block(lines, at));
}

fn duplicate(lines: &mut Vec<String>, at: usize) {
    let block = block(lines, at);
    let mut copy = lines[at..block.end].to_vec();
    copy[0] = copy[0].replacen("- ", "  ", 1);
    lines.splice(block.end..block.end, copy);
}
