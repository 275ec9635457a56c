//! Hostile inputs: each finishes quickly, with the finding that names its limit, and with little
//! memory.
//!
//! `cargo test --release yaml::hostile` uses ten times as much of each.

use std::time::{Duration, Instant};

use super::{Budget, check_file, documents, documents_within};
use crate::diag::{Message, Sink};
use crate::limits;
use crate::source::Workspace;

/// A time limit far above that of these inputs on a busy machine, and far below that of a
/// superlinear algorithm.
const SOON: Duration = Duration::from_secs(30);

/// The factor for the size of inputs in release builds.
const SCALE: usize = if cfg!(debug_assertions) { 1 } else { 10 };

/// The rules that an input violates, without duplicates, and the number of its documents.
fn read(text: &str) -> (Vec<&'static str>, usize) {
    let start = Instant::now();
    let mut workspace = Workspace::new();
    let file = workspace.add("hostile.yaml", text);
    let mut sink = Sink::new();
    let mut count = 0;
    if check_file(file, workspace.file(file), &mut sink).is_ok() {
        count = documents(file, workspace.file(file).text(), &mut sink).read.len();
    }
    assert!(start.elapsed() < SOON, "{:?} for {:?}", start.elapsed(), text.get(..20));
    let mut rules: Vec<_> = sink.into_sorted().iter().map(|it| it.rule.name).collect();
    rules.sort_unstable();
    rules.dedup();
    (rules, count)
}

/// `piece` of 0, 1, 2 and so on, joined.
fn numbered(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().concat()
}

fn rules(text: &str) -> Vec<&'static str> {
    read(text).0
}

#[test]
fn endless_nesting_hits_the_depth_limit() {
    for piece in ["[", "{a: ", "- ", "? ", "[[", "{? "] {
        let found = rules(&piece.repeat(10_000 * SCALE));
        assert!(
            found.iter().any(|it| matches!(*it, "nesting-too-deep" | "key-not-text")),
            "{piece} {found:?}"
        );
    }
    assert_eq!(
        rules(&format!("{}{}", "[".repeat(10_000 * SCALE), "]".repeat(10_000 * SCALE))),
        ["nesting-too-deep"]
    );
    let deep = numbered(5_000, |depth| format!("{}a:\n", " ".repeat(depth)));
    assert_eq!(rules(&deep), ["nesting-too-deep"]);
}

/// An indented list of maps in maps, as in the schema of an API, without its end.
#[test]
fn a_truncated_file_of_json_is_explained_at_once() {
    let property = |name: &str| {
        format!(
            "      \"{name}\": {{\n        \"type\": \"object\",\n        \"required\": [\n          \
             \"a\",\n          \"b\"\n        ]\n      }}"
        )
    };
    let properties = ["a", "b"].map(property).join(",\n");
    let item = |it| format!("    \"k{it}\": {{\n{properties}\n    }},\n");
    let items = numbered(2_000 * SCALE, item);
    for end in
        ["", "    \"last\": {\n", "    \"last\": {\n      \"a\": {\n        \"required\": [\n"]
    {
        assert_eq!(rules(&format!("{{\n  \"all\": {{\n{items}{end}")), ["unclosed-bracket"]);
    }
}

#[test]
fn exponential_aliases_hit_the_value_limit() {
    let laughs = numbered(10, |level| match level.checked_sub(1) {
        None => "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned(),
        Some(below) => {
            format!("a{level}: &a{level} [{}]\n", vec![format!("*a{below}"); 10].join(", "))
        }
    });
    assert_eq!(rules(&laughs), ["too-many-nodes"]);
    // Each document stays within its own limit, but all of them together do not.
    let tenfold = "a: &a [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n".to_owned()
        + &["b", "c", "d", "e"]
            .map(|it| {
                let before = char::from(it.as_bytes()[0] - 1);
                format!("{it}: &{it} [{}]\n", format!("*{before}, ").repeat(10))
            })
            .concat();
    let (found, count) = read(&format!("{tenfold}---\n").repeat(100));
    assert_eq!(found, ["too-many-nodes"]);
    assert!(
        (1..50).contains(&count),
        "the documents after the limit are rejected: {count} are not"
    );
    let quadratic = format!("a: &a [{}x]\nb: [{}x]\n", "x, ".repeat(20_000), "*a, ".repeat(20_000));
    assert_eq!(rules(&quadratic), ["too-many-nodes"]);
    let merges = format!(
        "a: &a {{{}}}\nb: {{<<: [{}*a]}}\n",
        numbered(2_000, |it| format!("k{it}: v, ")),
        "*a, ".repeat(2_000)
    );
    assert_eq!(rules(&merges), ["too-many-nodes"]);
}

#[test]
fn deep_aliases_hit_the_depth_limit() {
    let text = numbered(5_000, |level| match level.checked_sub(1) {
        None => "a0: &a0 [x]\n".to_owned(),
        Some(below) => format!("a{level}: &a{level} [*a{below}]\n"),
    });
    assert_eq!(rules(&text), ["nesting-too-deep"]);
}

#[test]
fn long_scalars_are_read_in_linear_time() {
    let long = "x".repeat(2_000_000 * SCALE);
    assert_eq!(read(&format!("a: {long}\n")), (vec![], 1));
    assert_eq!(read(&format!("a: \"{long}\"\n")), (vec![], 1));
    assert_eq!(read(&format!("a: |\n  {long}\n")), (vec![], 1));
    assert_eq!(read(&format!("a: |\n{}", "  x\n".repeat(200_000 * SCALE))), (vec![], 1));
    assert_eq!(read(&format!("a: \"{}\"\n", "\\x41".repeat(100_000 * SCALE))), (vec![], 1));
}

#[test]
fn many_keys_and_many_documents_are_read_in_linear_time() {
    let keys = numbered(40_000 * SCALE, |it| format!("k{it}: v\n"));
    assert_eq!(read(&keys), (vec![], 1));
    // A tenth of this would be within the limit.
    let many = numbered(100_001 * SCALE, |it| format!("k{it}: v\n"));
    let expected: &[&str] = if SCALE == 1 { &[] } else { &["too-many-nodes"] };
    assert_eq!(rules(&many), expected);
    assert_eq!(read(&"---\na: b\n".repeat(30_000 * SCALE)), (vec![], 30_000 * SCALE));
    assert_eq!(rules(&format!("{keys}k1: w\n")), ["duplicate-key"]);
}

#[test]
fn many_directives_and_comments_are_read_in_linear_time() {
    let directives = numbered(10_000 * SCALE, |it| format!("%TAG !t{it}! x\n"));
    assert!(rules(&format!("{directives}---\na: b\n")).contains(&"yaml-directive"));
    assert_eq!(read(&format!("{}a: b\n", "# c\n".repeat(100_000 * SCALE))), (vec![], 1));
    assert_eq!(read(&format!("a:\n{}  b\n", "  # c\n".repeat(30_000 * SCALE))), (vec![], 1));
}

/// The other end of copied text is searched from each document.
#[test]
fn copied_text_in_many_documents_is_found_in_linear_time() {
    let fences = "```\nkind: a\n---\n".repeat(5_000 * SCALE);
    for around in ["# comment\n", "\n"] {
        let around = around.repeat(200_000 * SCALE);
        for text in [format!("{around}{fences}"), format!("{fences}{around}")] {
            assert!(rules(&text).contains(&"pasted-text"));
        }
    }
}

#[test]
fn many_broken_lines_have_few_findings() {
    for line in [
        "a b\n",
        "a: b: c\n",
        "\ta: b\n",
        "a: [b\n",
        "a: \"b\n",
        "a: 'b' c\n",
        "  a: b\n",
        "- a\n",
        "-a\n",
        "a: {{ b }} c\n",
        "a: @b\n",
        "a: \"\\d\"\n",
        "a: {b c: d e: f}\n",
    ] {
        let text = format!("k: v\n{}", line.repeat(3_000 * SCALE));
        assert!(!rules(&text).is_empty(), "{line:?}");
    }
}

#[test]
fn unclosed_brackets_and_quotes_are_found_quickly() {
    for text in [
        format!("a: [{}", "b, ".repeat(20_000 * SCALE)),
        format!("a: \"{}", "b ".repeat(20_000 * SCALE)),
        format!("a: {}", "[\"b\" ".repeat(90)),
        format!("a: [{}\nb: c\n", "\"d\", ".repeat(10_000 * SCALE)),
        format!("a: '{}\n", "''".repeat(20_000 * SCALE)),
        format!("a: {}{}", "b\n".repeat(5_000 * SCALE), "c: d\n"),
    ] {
        assert!(!rules(&text).is_empty());
    }
}

#[test]
fn binary_input_is_rejected() {
    assert_eq!(rules("a: b\0c\n"), ["nul-byte"]);
    assert_eq!(rules(&"\u{1}".repeat(100_000 * SCALE)), ["control-character"]);
    assert_eq!(rules(&"a\0".repeat(100_000 * SCALE)), ["wide-encoding"]);
    assert_eq!(rules(&" ".repeat(super::encoding::MAX_FILE_BYTES + 1)), ["file-too-large"]);
}

#[test]
fn the_file_size_limit_is_exact() {
    for (more, expected) in [(-1, true), (0, true), (1, false)] {
        let bytes = limits::FILE_BYTES.count().checked_add_signed(more).unwrap();
        let mut workspace = Workspace::new();
        let file = workspace.add("hostile.yaml", " ".repeat(bytes));
        let result = check_file(file, workspace.file(file), &mut Sink::new());
        assert_eq!(result.is_ok(), expected, "{bytes}");
    }
}

/// A document of `1008 + 1000 * aliases + items` values, keys included.
fn thousands(aliases: usize, items: usize) -> String {
    let list = "x, ".repeat(999);
    format!("a: &a [{list}]\nb: [{}]\nc: [{}]\nd: x\n", "*a, ".repeat(aliases), "x, ".repeat(items))
}

#[test]
fn the_document_value_limit_is_exact() {
    let rest = limits::DOCUMENT_VALUES.count() - 1_008 - 998_000;
    assert_eq!(read(&thousands(998, rest - 1)), (vec![], 1));
    assert_eq!(read(&thousands(998, rest)), (vec![], 1));
    assert_eq!(read(&thousands(998, rest + 1)), (vec!["too-many-nodes"], 0));
}

#[test]
fn the_alias_value_limit_is_exact() {
    let most = limits::ALIAS_VALUES.count() / 1000;
    let run = |last: usize| {
        let documents = [thousands(900, 0), thousands(900, 0), thousands(last, 0)];
        read(&documents.join("---\n"))
    };
    assert_eq!(run(most - 1_801), (vec![], 3));
    assert_eq!(run(most - 1_800), (vec![], 3));
    assert_eq!(run(most - 1_799), (vec!["too-many-nodes"], 2));
}

#[test]
fn the_text_of_aliases_counts_toward_their_limit() {
    // Each alias represents a value and 999 parts of 64 bytes.
    let text = "x".repeat(999 * 64);
    let most = limits::ALIAS_VALUES.count() / 1000;
    let run = |aliases: usize| read(&format!("a: &a {text}\nb: [{}]\n", "*a, ".repeat(aliases)));
    assert_eq!(run(most - 1), (vec![], 1));
    assert_eq!(run(most), (vec![], 1));
    assert_eq!(run(most + 1), (vec!["too-many-nodes"], 0));
}

/// Each line of a block moves with the first one.
#[test]
fn blocks_of_many_lines_are_repaired_in_linear_time() {
    let tabs = format!("a:\n{}", "\tb\n".repeat(20_000));
    assert_eq!(rules(&tabs), ["tab-indentation"]);
    let aligned = format!("a:\n-b: c\n{}", " d: e\n".repeat(100_000));
    assert_eq!(rules(&aligned), ["missing-space-after-dash"]);
}

/// A document with this number of keys and of mistakes, of which each is repaired to find the next.
fn misplaced(keys: usize, mistakes: usize) -> String {
    let keys = numbered(keys, |it| format!("  k{it}: v\n"));
    let mistakes = numbered(mistakes, |it| format!("  - image: x\n     name{it}: y\n"));
    format!("data:\n{keys}x:\n{mistakes}")
}

/// The number of findings of each document that a marker ends.
fn findings_within(text: &str, again: usize) -> Vec<usize> {
    let mut workspace = Workspace::new();
    let file = workspace.add("hostile.yaml", text);
    let mut budget = Budget::parsing_again(again);
    let mut sink = Sink::new();
    documents_within(file, text, &mut budget, &mut sink);
    let mut counts = vec![0; text.matches("---\n").count()];
    for finding in sink.iter() {
        let at = workspace.locate(finding.primary.span).start as usize;
        counts[text[..at].matches("---\n").count()] += 1;
    }
    counts
}

/// Repairs are tried until the limit of a run, and each unreadable document has a finding.
#[test]
fn each_unreadable_document_is_reported_after_the_limit_of_repairs() {
    let document = format!("{}---\n", misplaced(0, 3));
    let all = findings_within(&document, limits::REPAIR_BYTES.count());
    assert_eq!(all, [3]);
    assert_eq!(findings_within(&document.repeat(3), 0), [1, 1, 1]);
    let cost = (0..).step_by(100).find(|it| findings_within(&document, *it) == all).unwrap();
    assert!((3 * document.len()..150 * document.len()).contains(&cost), "{cost}");
    assert_eq!(findings_within(&document.repeat(3), cost), [3, 1, 1]);
}

#[test]
fn a_document_whose_other_mistakes_are_not_searched_has_a_note() {
    let text = misplaced(0, 3);
    for (again, is_cut) in [(0, true), (limits::REPAIR_BYTES.count(), false)] {
        let mut workspace = Workspace::new();
        let file = workspace.add("hostile.yaml", text.as_str());
        let (mut budget, mut sink) = (Budget::parsing_again(again), Sink::new());
        documents_within(file, &text, &mut budget, &mut sink);
        let is_note = |it: &Message| it.as_prose().contains("can have further mistakes");
        let notes: Vec<_> = sink.iter().map(|it| it.details().notes.iter().any(is_note)).collect();
        assert_eq!(notes, if is_cut { vec![true] } else { vec![false; 3] });
    }
}

#[test]
fn a_document_among_many_is_repaired_like_a_document_alone() {
    let document = misplaced(200, 10);
    let many = format!("{}{document}---\n{}", "a: b\n---\n".repeat(150), "a: b\n---\n".repeat(150));
    let mut expected = vec![0; 301];
    expected[150] = 10;
    assert_eq!(findings_within(&many, limits::REPAIR_BYTES.count()), expected);
}

#[test]
fn what_only_kubernetes_accepts_is_read_in_linear_time() {
    let lines = format!("a: \"x\n{}c\"\n", "b\n".repeat(100_000));
    let (found, count) = read(&format!("{lines}{}", numbered(10_000, |it| format!("k{it}: v\n"))));
    assert_eq!((found, count), (vec!["quoted-text-not-indented"], 1));
    // Each line would get as much indentation as the key.
    let deep = format!("{}a: \"x\n{}c\"\n", " ".repeat(10_000), "b\n".repeat(50_000));
    assert_eq!(rules(&deep), ["quoted-text-not-indented"]);
}

/// The line of an open bracket is compared with each line inside it.
#[test]
fn brackets_in_a_long_line_are_matched_in_linear_time() {
    let long = "x".repeat(1_000_000 * SCALE);
    let text = format!("a: [\n  [ {long}\n{}", "   b,\n".repeat(40_000 * SCALE));
    assert_eq!(rules(&text), ["unclosed-bracket"]);
}

/// A value that a marker has torn is read with its lines indented.
#[test]
fn torn_values_of_many_lines_are_reported() {
    let text = format!("a: \"x\n---\n{}\"\n", "\n".repeat(100_000 * SCALE));
    assert!(!rules(&text).is_empty());
}
