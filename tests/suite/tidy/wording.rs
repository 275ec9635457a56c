//! Plain American technical English, in Kubernetes' own words: phrases that no message, help,
//! documentation or comment contains. Code between backquotes and placeholders are not checked.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use super::{SOURCES, texts, without_cases};

/// A phrase, and what to write instead. Words match whole; a hyphen is part of a word.
const PHRASES: &[(&str, &str)] = &[
    ("refuse", "reject"),
    ("refuses", "rejects"),
    ("refused", "rejected"),
    ("server takes", "the API server accepts"),
    ("schema takes", "the schema accepts"),
    ("does not take", "does not accept"),
    ("texts", "strings, files or input"),
    ("blank", "space, or empty"),
    ("blanks", "spaces"),
    ("white space", "whitespace"),
    ("behind", "after"),
    ("beside", "next to, or together with"),
    ("besides", "also"),
    ("stands", "is, or appears"),
    ("is no", "is not a, invalid, or unknown"),
    ("are no", "are not"),
    ("that is none", "invalid"),
    ("which is none", "invalid"),
    ("nothing is said", "by default"),
    ("says nothing", "does not set, or does not report"),
    ("whoever", "the controller, the kubelet, the API server, ..."),
    ("somebody", "the controller, the kubelet, the API server, ..."),
    ("nobody", "no controller, no user, ..."),
    ("everybody", "all clients, all traffic, ..."),
    ("shall", "must"),
    ("lest", "so that ... not"),
    ("told", "reported"),
    ("tells", "reports, or shows"),
    ("says of", "reports"),
    ("held to", "checked against, or must satisfy"),
    ("holds for", "applies to"),
    ("hold for", "apply to"),
    ("wants", "requires"),
    ("is wanted", "is required"),
    ("comes to", "evaluates to, or totals"),
    ("the least", "the minimum"),
    ("the most", "the maximum"),
    ("fewest", "minimum"),
    ("less than nothing", "negative"),
    ("slip", "typo, or mistake"),
    ("known to be there", "exists, or is declared"),
    ("the way to", "the path of"),
    ("in the order of applying", "in apply order"),
    ("looked at", "checked, or read"),
    ("without a word", "silently"),
    ("again and again", "repeatedly, or retries forever"),
    ("for ever", "forever"),
    ("goes on", "continues"),
    ("lower-case", "lowercase"),
    ("upper-case", "uppercase"),
    ("misspelt", "misspelled"),
    ("colour", "color"),
    ("colours", "colors"),
    ("inside of", "inside"),
    ("serialise", "serialize"),
    ("neighbours", "neighbors"),
    ("where there is one", "if any, or if there is one"),
    ("where there is none", "if there is none"),
    ("where there are any", "if any"),
    ("what is said", "the message, or the finding"),
    ("is said of", "is reported for"),
    ("says which", "names, or returns which"),
    ("what stands", "the text, or the value"),
    ("what exists", "the existing ..., by name"),
    ("what is there", "the existing ..., by name"),
    ("what is wrong with", "the fault of"),
    ("what follows", "the rest, or the text after"),
    ("held against", "checked against"),
    ("looks at", "reads, or checks"),
    ("look at", "read, or check"),
    ("looked into", "checked, or read"),
    ("look into", "check, or validate"),
    ("asked for", "requested, or required"),
    ("asks for", "requires, or requests"),
    ("made of it", "created from it"),
    ("lies in", "is in"),
    ("lie in", "be in"),
    ("laid over", "merged over"),
    ("by themselves", "separately"),
    ("for want of", "because ... is missing"),
    ("sloppy", "nonstandard, or lenient"),
    ("in so many words", "literally"),
    ("at hand", "current"),
    ("behaviour", "behavior"),
];

/// Longer phrases that are fine although they contain one of the above.
const FINE: &[&str] = &[
    "is no longer",
    "are no longer",
    "there is no",
    "there are no",
    "the most recent",
    "the most likely",
    "the most important",
];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, code) in texts(repository, SOURCES, &["rs"]) {
        let strings = if path.ends_with("tests.rs") { "" } else { without_tests(&code) };
        // A literal of one word is data.
        let sentences = literals(strings).into_iter().filter(|(_, text)| text.contains(' '));
        for (line, text) in sentences.chain(comments(&code)) {
            complaints.extend(complaints_about(&path, line, &text));
        }
    }
    for (path, text) in texts(repository, &["README.md", "CONTRIBUTING.md", "docs"], &["md"]) {
        for (line, text) in prose(without_cases(&path, &text)) {
            complaints.extend(complaints_about(&path, line, text));
        }
    }
    complaints
}

fn complaints_about(path: &str, line: usize, text: &str) -> Vec<String> {
    let code = text.split('`').enumerate();
    let mut text: String = code.map(|(at, part)| if at % 2 == 0 { part } else { "code" }).collect();
    while let Some((before, inside)) = text.split_once('{') {
        text = format!("{before}value{}", inside.split_once('}').map_or("", |(_, it)| it));
    }
    text.make_ascii_lowercase();
    // Most lines have none, and need no further look.
    if found(&text).next().is_none() {
        return Vec::new();
    }
    for fine in FINE {
        text = text.replace(fine, "fine");
    }
    found(&text)
        .map(|(phrase, write)| format!("{path}:{line}: `{phrase}`: write {write}"))
        .collect()
}

/// The phrases in a text, and what to write instead.
fn found(text: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    static BY_FIRST_WORD: LazyLock<BTreeMap<&str, Vec<(&str, &str)>>> = LazyLock::new(|| {
        let mut phrases: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (phrase, write) in PHRASES {
            let first = phrase.split(' ').next().unwrap();
            phrases.entry(first).or_default().push((*phrase, *write));
        }
        phrases
    });
    let words = move || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let found = words().enumerate().flat_map(move |(at, word)| {
        let phrases = BY_FIRST_WORD.get(word).into_iter().flatten();
        phrases.filter(move |(phrase, _)| {
            let mut here = words().skip(at);
            phrase.split(' ').all(|it| here.next() == Some(it))
        })
    });
    found.copied()
}

pub(super) fn without_tests(code: &str) -> &str {
    code.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(code)
}

/// The string literals of Rust code, with their lines.
pub(super) fn literals(code: &str) -> Vec<(usize, String)> {
    let mut literals = Vec::new();
    let (mut rest, mut line) = (code, 1);
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let before = &rest[..at];
        rest = &rest[at..];
        line += before.matches('\n').count();
        let length = match rest.as_bytes() {
            [b'/', b'/', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'"', ..] if before.ends_with("r#") => {
                let end = rest.find("\"#").map_or(rest.len(), |end| end + 2);
                literals.push((line, rest[..end].to_owned()));
                end
            }
            [b'"', ..] => {
                let length = quoted_length(rest);
                literals.push((line, joined(&rest[..length])));
                length
            }
            [b'\'', b'\\', ..] => 2 + rest[2..].find('\'').map_or(0, |end| end.max(1) + 1),
            [b'\'', _, b'\'', ..] => 3,
            _ => 1,
        };
        line += rest.get(..length).unwrap_or(rest).matches('\n').count();
        rest = rest.get(length..).unwrap_or("");
    }
    literals
}

/// The comments of Rust code with the lines that they begin at, without examples. Lines of one
/// paragraph are joined, so that a phrase is found across a line break.
fn comments(code: &str) -> Vec<(usize, String)> {
    let mut comments: Vec<(usize, String)> = Vec::new();
    let (mut is_example, mut is_continued) = (false, false);
    for (number, line) in (1..).zip(code.lines()) {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            (is_example, is_continued) = (false, false);
            continue;
        };
        let text = comment.trim_start_matches(['/', '!']).trim();
        if text.starts_with("```") {
            is_example = !is_example;
        }
        if is_example || text.is_empty() || text.starts_with("```") {
            is_continued = false;
            continue;
        }
        match comments.last_mut().filter(|_| is_continued) {
            Some((_, paragraph)) => *paragraph = format!("{paragraph} {text}"),
            None => comments.push((number, text.to_owned())),
        }
        is_continued = true;
    }
    comments
}

/// The length of the literal at the start of `code`, both quotes included.
fn quoted_length(code: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in code.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// A literal without the line breaks that a backslash removes.
fn joined(literal: &str) -> String {
    let mut lines = literal.split("\\\n");
    let first = lines.next().unwrap_or("").to_owned();
    lines.fold(first, |joined, line| joined + line.trim_start())
}

/// The lines of a Markdown file outside of code blocks, except for blocks of plain text.
fn prose(page: &str) -> Vec<(usize, &str)> {
    let mut lines = Vec::new();
    let mut is_code = false;
    for (number, line) in (1..).zip(page.lines()) {
        if let Some(info) = line.strip_prefix("```") {
            is_code = !is_code && info != "text";
        } else if !is_code {
            lines.push((number, line));
        }
    }
    lines
}

#[test]
fn comments_are_found() {
    let code = "//! One\n//! two.\n\n/// Three.\n///\n/// ```\n/// four\n/// ```\n/// Five.\nsix(); // seven\n    // Eight.";
    let expected = [(1, "One two."), (4, "Three."), (9, "Five."), (11, "Eight.")];
    assert_eq!(comments(code), expected.map(|(line, text)| (line, text.to_owned())));
}

#[test]
fn literals_are_found() {
    let code =
        "let a = \"b \\\n    c\"; // \"no\"\nlet d: &'static str = r#\"e \"f\"\"#; '\"'; \"g\"";
    let expected = [(1, "\"b c\""), (3, "\"e \"f\"\"#"), (3, "\"g\"")];
    assert_eq!(literals(code), expected.map(|(line, text)| (line, text.to_owned())));
}
