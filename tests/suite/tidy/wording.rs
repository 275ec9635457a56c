//! Plain American technical English, in Kubernetes' own words: phrases that no message, help or
//! documentation contains. Code between backquotes and placeholders are not read.

use std::path::Path;

use super::texts;

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
    ("behaviour", "behavior"),
];

/// Longer phrases that are fine although they contain one of the above.
const FINE: &[&str] =
    &["is no longer", "are no longer", "there is no", "there are no", "the most recent"];

/// Parts of the repository whose wording has not been revised yet. The list only shrinks.
const NOT_REVISED: &[&str] =
    &["src/cel/", "src/crd/", "src/dialect/", "src/schema/", "src/validate/", "src/workload/"];

pub(super) fn complaints(repository: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    let revised = |path: &str| !NOT_REVISED.iter().any(|it| path.starts_with(it));
    for (path, text) in texts(repository, &["src"], &["rs"]) {
        if revised(&path) && !path.ends_with("tests.rs") {
            for (line, text) in literals(without_tests(&text)) {
                complaints.extend(complaints_about(&path, line, &text));
            }
        }
    }
    for (path, text) in texts(repository, &["README.md", "CONTRIBUTING.md", "docs"], &["md"]) {
        if revised(&path) {
            for (line, text) in prose(&text) {
                complaints.extend(complaints_about(&path, line, text));
            }
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
    for fine in FINE {
        text = text.replace(fine, "fine");
    }
    let words: Vec<_> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
    let contains = |phrase: &str| {
        let phrase: Vec<_> = phrase.split(' ').collect();
        words.windows(phrase.len()).any(|it| it == phrase)
    };
    let found = PHRASES.iter().filter(|(phrase, _)| contains(phrase));
    found.map(|(phrase, write)| format!("{path}:{line}: `{phrase}`: write {write}")).collect()
}

fn without_tests(code: &str) -> &str {
    code.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(code)
}

/// The string literals of Rust code, with their lines.
fn literals(code: &str) -> Vec<(usize, String)> {
    let mut literals = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let before = &rest[..at];
        rest = &rest[at..];
        let line = 1 + code[..code.len() - rest.len()].matches('\n').count();
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
        rest = rest.get(length..).unwrap_or("");
    }
    literals
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
fn literals_are_found() {
    let code =
        "let a = \"b \\\n    c\"; // \"no\"\nlet d: &'static str = r#\"e \"f\"\"#; '\"'; \"g\"";
    let expected = [(1, "\"b c\""), (3, "\"e \"f\"\"#"), (3, "\"g\"")];
    assert_eq!(literals(code), expected.map(|(line, text)| (line, text.to_owned())));
}
