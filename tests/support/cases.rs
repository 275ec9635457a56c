//! Markdown files with cases: a section for each, whose heading is its name, with the files of the input
//! and, below them, the output that a test compares and writes. They are files `cases.md`, and the last
//! section of the page of a rule.
//!
//! A block `yaml` of the case `a` is the file `a.yaml`, and `yaml b.yaml` is `a/b.yaml`. `yaml escaped` has
//! invisible bytes as escapes. A block `text` is an output.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The word after the fence of an output.
const OUTPUT: &str = "text";

/// The start of the cases in the page of a rule, which `build.rs` and `site/stage/rules.mjs` leave out.
pub(crate) const TESTS: &str = "\n## Tests\n";

/// What is between this heading and the cases.
const ABOUT_TESTS: &str = "A case is input, and below it is what the program prints about it; \
    `err_page` and `ok_page` are the\nexamples above. `cargo test --test rules` compares all of them.";

/// A case of a file.
pub(crate) struct Case {
    pub name: String,
    /// The path of each file of the input, and its bytes.
    pub files: Vec<(String, Vec<u8>)>,
    pub output: Option<String>,
}

/// The page of a rule as users see it, and its cases.
pub(crate) fn split_page(text: &str) -> (&str, &str) {
    text.split_at(text.find(TESTS).unwrap_or(text.len()))
}

/// The cases of a file `cases.md`.
pub(crate) fn cases(text: &str) -> Vec<Case> {
    sections(text).into_iter().map(case).collect()
}

/// The cases in the page of a rule.
pub(crate) fn cases_of_page(text: &str) -> Vec<Case> {
    subsections(split_page(text).1).into_iter().map(case).collect()
}

fn case((heading, section): (&str, &str)) -> Case {
    let blocks = blocks(section);
    let output = blocks.iter().find(|(info, _)| *info == OUTPUT);
    Case {
        name: heading.to_owned(),
        output: output.map(|(_, code)| (*code).to_owned()),
        files: blocks.into_iter().filter_map(|it| file(heading, it)).collect(),
    }
}

fn file(case: &str, (info, code): (&str, &str)) -> Option<(String, Vec<u8>)> {
    if info == OUTPUT {
        return None;
    }
    let (language, words) = info.split_once(' ').unwrap_or((info, ""));
    let (name, bytes) = match words.strip_prefix("escaped") {
        Some(name) => (name.trim_start(), unescaped(code)),
        None => (words, code.as_bytes().to_vec()),
    };
    let path =
        if name.is_empty() { format!("{case}.{language}") } else { format!("{case}/{name}") };
    Some((path, bytes))
}

/// The inputs below `fixtures/<folder>`, sorted by path: files `*.yaml`, and those of the cases in
/// `cases.md` and the pages of rules, whose folders are `diag/<rule>`. The paths are below `fixtures`.
pub(crate) fn inputs(repository: &Path, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut inputs = Vec::new();
    collect(&repository.join("fixtures"), Path::new(folder), &mut inputs);
    let (rules, folder) = (Path::new("diag"), Path::new(folder));
    if rules.starts_with(folder) || folder.starts_with(rules) {
        for (rule, text) in pages(&repository.join("docs/rules")) {
            add(&rules.join(rule), cases_of_page(&text), &mut inputs);
        }
    }
    inputs.retain(|(path, _)| path.starts_with(folder));
    inputs.sort();
    inputs
}

fn collect(fixtures: &Path, folder: &Path, inputs: &mut Vec<(PathBuf, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(fixtures.join(folder)) else { return };
    for entry in entries {
        let entry = entry.expect("an entry");
        let (name, path) = (folder.join(entry.file_name()), entry.path());
        if path.is_dir() {
            collect(fixtures, &name, inputs);
        } else if path.extension().is_some_and(|it| it == "yaml") {
            inputs.push((name, fs::read(path).expect("a file")));
        } else if entry.file_name() == "cases.md" {
            add(folder, cases(&fs::read_to_string(path).expect("UTF-8")), inputs);
        }
    }
}

fn add(folder: &Path, cases: Vec<Case>, inputs: &mut Vec<(PathBuf, Vec<u8>)>) {
    let files = cases.into_iter().flat_map(|it| it.files);
    let files = files.map(|(name, bytes)| (folder.join(name), bytes));
    inputs.extend(files.filter(|(path, _)| path.extension().is_some_and(|it| it == "yaml")));
}

/// The names and texts of the Markdown files of a folder, sorted by name.
pub(crate) fn pages(folder: &Path) -> Vec<(String, String)> {
    let paths =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
    let pages = paths.filter(|path| path.extension().is_some_and(|it| it == "md")).map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("UTF-8"))
    });
    let mut pages: Vec<_> = pages.collect();
    pages.sort();
    pages
}

/// The sections of a page: heading and text. Lines inside code blocks are not headings.
pub(crate) fn sections(text: &str) -> Vec<(&str, &str)> {
    sections_at("## ", text)
}

fn subsections(text: &str) -> Vec<(&str, &str)> {
    sections_at("### ", text)
}

fn sections_at<'t>(mark: &str, text: &'t str) -> Vec<(&'t str, &'t str)> {
    let blocks = ranges(text);
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(mark) && !blocks.iter().any(|it| it.outer.contains(&at)) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let parts = starts.iter().zip(ends).map(|(start, end)| &text[*start..end]);
    parts.map(|part| part[mark.len()..].split_once('\n').unwrap_or((part, ""))).collect()
}

/// The code blocks of a text: the words after the fence, and the code.
pub(crate) fn blocks(text: &str) -> Vec<(&str, &str)> {
    ranges(text).into_iter().map(|it| (it.info, &text[it.code])).collect()
}

/// A code block of a text.
struct Block<'t> {
    info: &'t str,
    code: Range<usize>,
    /// The block with its fences.
    outer: Range<usize>,
}

fn ranges(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut fence = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim();
        let ticks = line.len() - line.trim_start_matches('`').len();
        match (fence, blocks.last_mut()) {
            (Some(mark), Some(block)) => {
                block.code.end = start;
                block.outer.end = at;
                if line == mark {
                    fence = None;
                }
            }
            _ if ticks >= 3 => {
                fence = Some(&line[..ticks]);
                blocks.push(Block { info: &line[ticks..], code: at..at, outer: start..at });
            }
            _ => {}
        }
    }
    blocks
}

/// A file `cases.md` with the outputs that its cases have now.
pub(crate) fn with_outputs(text: &str, outputs: &[(String, Option<String>)]) -> String {
    let before = text.find("\n## ").map_or(text, |at| &text[..at]);
    format!("{}\n{}", before.trim_end(), updated("## ", &sections(text), outputs))
}

/// The page of a rule with the outputs that its cases have now.
pub(crate) fn page_with_outputs(text: &str, outputs: &[(String, Option<String>)]) -> String {
    let (page, tests) = split_page(text);
    match updated("### ", &subsections(tests), outputs) {
        cases if cases.is_empty() => page.to_owned(),
        cases => format!("{page}{TESTS}\n{ABOUT_TESTS}\n{cases}"),
    }
}

/// Cases with the output that each has now, at the end of its section. Cases without a section are
/// added before all others; those whose output is their only content are removed with it.
fn updated(mark: &str, sections: &[(&str, &str)], outputs: &[(String, Option<String>)]) -> String {
    let mut updated = String::new();
    let mut add = |name: &str, section: &str, output: Option<&str>| {
        let content = content(section);
        if content.is_empty() && output.is_none() {
            return;
        }
        updated.extend(["\n", mark, name, "\n"]);
        let output = output.map(block);
        for part in [Some(content), output].into_iter().flatten().filter(|it| !it.is_empty()) {
            updated.extend(["\n", &part, "\n"]);
        }
    };
    for (name, output) in outputs {
        if !sections.iter().any(|(heading, _)| heading == name) {
            add(name, "", output.as_deref());
        }
    }
    for (heading, section) in sections {
        let output = outputs.iter().find(|(name, _)| name == heading);
        add(heading, section, output.and_then(|(_, it)| it.as_deref()));
    }
    updated
}

/// A section without its output.
fn content(section: &str) -> String {
    let mut content = section.to_owned();
    for block in ranges(section).into_iter().rev().filter(|it| it.info == OUTPUT) {
        content.replace_range(block.outer, "");
    }
    content.trim_matches('\n').to_owned()
}

/// The code block of an output, whose fence is longer than any in it.
fn block(output: &str) -> String {
    let code = output.trim_end_matches('\n');
    let mut fence = "```".to_owned();
    while code.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}{OUTPUT}\n{code}\n{fence}")
}

/// Decodes the escapes of a block: `<U+00A0>` is a character, `<0xE9>` a byte, `<x, 300 times>` a
/// repeated string, and `<end>` the end of the file.
pub(crate) fn unescaped(code: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = code;
    while let Some((before, after)) = rest.split_once('<') {
        let (escape, after) = after.split_once('>').expect("an end of the escape");
        bytes.extend_from_slice(before.as_bytes());
        if escape == "end" {
            return bytes;
        } else if let Some(hex) = escape.strip_prefix("U+") {
            let number = u32::from_str_radix(hex, 16).expect("a code point");
            let character = char::from_u32(number).expect("a character");
            bytes.extend_from_slice(character.to_string().as_bytes());
        } else if let Some(hex) = escape.strip_prefix("0x") {
            bytes.push(u8::from_str_radix(hex, 16).expect("a byte"));
        } else {
            let (text, times) = escape.rsplit_once(", ").expect("a known escape");
            let times = times.strip_suffix(" times").expect("a number of times");
            bytes.extend(text.repeat(times.parse().expect("a number")).into_bytes());
        }
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}
