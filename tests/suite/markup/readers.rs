//! Readers of the formats, as their programs read them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use regex::{Captures, Regex};
use roxmltree::Document;
use sandboxc::markup::is_hidden;

/// A workflow command of GitHub Actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Command {
    pub(super) name: String,
    pub(super) properties: BTreeMap<String, String>,
    pub(super) data: String,
}

/// The commands that a runner has registered.
const COMMANDS: [&str; 14] = [
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "stop-commands",
    "warning",
];

/// The commands that GitHub's runner finds in a log. It first searches a line for `::name ...::data`, and
/// then for `##[name ...]data`.
pub(super) fn commands_in(log: &str) -> Vec<Command> {
    let lines = log.split(['\r', '\n']);
    lines.filter_map(|line| command(line).or_else(|| old_command(line))).collect()
}

fn command(line: &str) -> Option<Command> {
    let (info, data) = line.trim_start().strip_prefix("::")?.split_once("::")?;
    let (name, properties) = info.split_once(' ').unwrap_or((info, ""));
    let name = COMMANDS.contains(&name).then(|| name.to_owned())?;
    let pairs = properties.trim().split(',').filter_map(|it| it.split_once('='));
    let decoded = |text: &str, codes: &[(&str, &str)]| {
        codes.iter().fold(text.to_owned(), |text, (code, decoded)| text.replace(code, decoded))
    };
    let codes = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
    let properties = pairs.map(|(key, value)| (key.to_owned(), decoded(value, &codes)));
    let codes = [("%0D", "\r"), ("%0A", "\n"), ("%25", "%")];
    Some(Command { name, properties: properties.collect(), data: decoded(data, &codes) })
}

fn old_command(line: &str) -> Option<Command> {
    let (info, data) = line.split_once("##[")?.1.split_once(']')?;
    let (name, _) = info.split_once(' ').unwrap_or((info, ""));
    let name = COMMANDS.contains(&name).then(|| name.to_owned())?;
    Some(Command { name, properties: BTreeMap::new(), data: data.to_owned() })
}

/// Asserts that a log with this output has no commands, and that nothing in it controls a terminal.
pub(super) fn assert_inert(what: &str, output: &str) {
    assert_eq!(commands_in(output), [], "{what}: {output}");
    let hidden = output.replace("\r\n", "\n");
    let hidden = hidden.chars().find(|it| is_hidden(*it) && !matches!(it, '\n' | '\t'));
    assert_eq!(hidden, None, "{what}: {output:?}");
}

/// Asserts that a log with objects has no commands, and that nothing in it controls a terminal. Invisible
/// characters are part of the objects.
pub(super) fn assert_no_commands(what: &str, output: &str) {
    assert_eq!(commands_in(output), [], "{what}: {output}");
    let is_shown = |it: char| !it.is_control() || matches!(it, '\n' | '\t');
    assert!(output.chars().all(is_shown), "{what}: {output:?}");
}

/// The elements of XML with the names of their attributes, in order.
pub(super) fn elements(xml: &str) -> Vec<String> {
    let document = Document::parse(xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
    let elements = document.descendants().filter(roxmltree::Node::is_element);
    let described = |it: roxmltree::Node<'_, '_>| {
        let attributes: Vec<_> = it.attributes().map(|it| it.name()).collect();
        format!("{} {}", it.tag_name().name(), attributes.join(" "))
    };
    elements.map(described).collect()
}

/// The labels of a graph in DOT, decoded. Asserts that it has nothing but nodes, edges and frames of ours.
pub(super) fn dot_labels(dot: &str) -> Vec<String> {
    let mut labels = Vec::new();
    let mut rest = dot;
    let mut outside = String::new();
    while let Some((before, quoted)) = rest.split_once('"') {
        let (text, after) = quoted_string(quoted);
        outside.push_str(before);
        outside.push('S');
        if before.ends_with("label=") {
            labels.push(label(&text));
        }
        rest = after;
    }
    outside.push_str(rest);
    #[expect(clippy::items_after_statements, reason = "next to its use")]
    static STATEMENT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
        r"^(digraph sandboxc \{|rankdir=LR|bgcolor=transparent|node \[shape=box, style=rounded, fontname=S\]|edge \[fontname=S, fontsize=10, color=S\]|subgraph cluster_\d+ \{|label=S|style=S|n\d+ \[label=S(, color=S, fontcolor=S)?(, style=S)?\]|n\d+ -> n\d+ \[label=S(, color=S, style=dashed)?\]|\})$",
    ).unwrap()
    });
    for line in outside.lines() {
        assert!(STATEMENT.is_match(line.trim()), "{line}: {dot}");
    }
    labels
}

/// A string in quotes, of which DOT reads the escaped quote alone, and what follows it.
fn quoted_string(text: &str) -> (String, &str) {
    let mut string = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (string, &text[at + 1..]),
            '\\' if text[at + 1..].starts_with('"') => {
                string.push('"');
                characters.next();
            }
            '\\' if text[at + 1..].starts_with('\\') => {
                string.push_str("\\\\");
                characters.next();
            }
            other => string.push(other),
        }
    }
    panic!("a string without an end: {text}");
}

/// The text of a label: its escapes and characters with names.
fn label(text: &str) -> String {
    let mut label = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => label.push('\n'),
                Some('\\') => label.push('\\'),
                other => panic!("{other:?} in {text}"),
            },
            other => label.push(other),
        }
    }
    label.replace("&#35;", "#").replace("&amp;", "&")
}

/// The labels of a flowchart in Mermaid, decoded. Asserts that it has nothing but nodes, edges and frames
/// of ours.
pub(super) fn mermaid_labels(chart: &str) -> Vec<String> {
    const LABEL: &str = r"((?:[A-Za-z0-9]|[ .-]|#\d+;| × | … )*)";
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(&format!(
        r#"^(?:flowchart LR|  end|  subgraph s\d+\["{LABEL}"\]|(?:  )+n\d+\["(?:\d+ × )?{LABEL}<br/><b>{LABEL}(?: … {LABEL})?</b>(?:<br/><i>[a-z ]+</i>)?"\](?::::bad|:::elsewhere)?|  n\d+ (?:-->|-\.->)\|[a-z ]+\| n\d+|  classDef .*)$"#
    )).unwrap()
    });
    let mut labels = Vec::new();
    for text in chart.lines() {
        let found = LINE.captures(text).unwrap_or_else(|| panic!("{text}: {chart}"));
        labels.extend(found.iter().skip(1).flatten().map(|it| decoded(it.as_str())));
    }
    labels
}

fn decoded(label: &str) -> String {
    static CHARACTER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"#(\d+);").unwrap());
    let decode = |it: &Captures<'_>| char::from_u32(it[1].parse().unwrap()).unwrap().to_string();
    CHARACTER.replace_all(label, decode).into_owned()
}

/// What a page in Markdown consists of.
#[derive(Default, Debug)]
pub(super) struct Page {
    /// The blocks, in order, with their depths.
    pub(super) blocks: Vec<String>,
    /// The texts of code spans, code blocks and `<code>`.
    pub(super) code: Vec<String>,
    /// The other texts.
    pub(super) prose: Vec<String>,
}

/// Reads Markdown as GitHub does. Asserts that it has no links, pictures, emphasis or HTML except ours.
pub(super) fn page(markdown: &str) -> Page {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.autolink = true;
    extension.footnotes = true;
    extension.strikethrough = true;
    extension.table = true;
    extension.tasklist = true;
    extension.math_dollars = true;
    extension.math_code = true;
    extension.alerts = true;
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &options);
    let mut page = Page::default();
    read(root, 0, markdown, &mut page);
    page
}

fn read<'a>(node: &'a AstNode<'a>, depth: usize, markdown: &str, page: &mut Page) {
    let mut block = |name: &str| page.blocks.push(format!("{depth} {name}"));
    match &node.data.borrow().value {
        NodeValue::Document => {}
        NodeValue::Heading(_) => block("heading"),
        NodeValue::Paragraph => block("paragraph"),
        NodeValue::List(_) => block("list"),
        NodeValue::Item(_) => block("item"),
        NodeValue::Table(_) => block("table"),
        NodeValue::TableRow(_) => block("row"),
        NodeValue::TableCell => block("cell"),
        NodeValue::HtmlBlock(html) => {
            block("html");
            let line = html.literal.trim();
            let summary = line.strip_prefix("<details><summary>");
            match summary.map(|it| it.strip_suffix("</summary>").expect("one line")) {
                None => assert_eq!(line, "</details>", "{markdown}"),
                Some(summary) => {
                    let (before, rest) = summary.split_once("<code>").expect("code");
                    let (code, after) = rest.split_once("</code>").expect("code");
                    page.code.push(unescaped(code));
                    page.prose.extend([before.to_owned(), after.to_owned()]);
                }
            }
        }
        NodeValue::CodeBlock(code) => {
            block("code");
            assert!(code.fenced && ["diff", "sh", "text"].contains(&&*code.info), "{markdown}");
            page.code.push(code.literal.clone());
        }
        _ => return read_inline(node, markdown, page),
    }
    let mut html = None;
    for child in node.children() {
        match (&child.data.borrow().value, &mut html) {
            (NodeValue::HtmlInline(tag), _) if tag == "<code>" => html = Some(String::new()),
            (NodeValue::HtmlInline(tag), code @ Some(_)) if tag == "</code>" => {
                page.code.extend(code.take());
            }
            (NodeValue::HtmlInline(tag), Some(_)) if tag == "<!-- -->" => {}
            (NodeValue::Text(text), Some(code)) => code.push_str(text),
            (other, Some(_)) => panic!("{other:?} in code: {markdown}"),
            (_, None) => read(child, depth + 1, markdown, page),
        }
    }
    assert_eq!(html, None, "{markdown}");
}

fn read_inline<'a>(node: &'a AstNode<'a>, markdown: &str, page: &mut Page) {
    match &node.data.borrow().value {
        NodeValue::Text(text) => page.prose.push(text.to_string()),
        NodeValue::Code(code) => page.code.push(code.literal.clone()),
        NodeValue::HtmlInline(tag) if tag == "<br>" => page.prose.push("\n".to_owned()),
        // Lines of reviewdog, and of places.
        NodeValue::SoftBreak => page.prose.push("\n".to_owned()),
        other => panic!("{other:?} in {markdown}"),
    }
}

fn unescaped(html: &str) -> String {
    let html = html.replace("<!-- -->", "");
    assert!(!html.contains(['<', '>', '"']), "{html}");
    #[expect(clippy::items_after_statements, reason = "next to its use")]
    static CHARACTER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"&#(\d+);").unwrap());
    let decode = |it: &Captures<'_>| char::from_u32(it[1].parse().unwrap()).unwrap().to_string();
    CHARACTER.replace_all(&html, decode).into_owned()
}

/// Asserts that GitHub and GitLab make no links, notifications and pictures of prose.
pub(super) fn assert_without_references(page: &Page) {
    static REFERENCES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
        r"(?i)@[a-z0-9]|#[0-9]|\bgh-[0-9]|[!~&$%][0-9]|:[a-z0-9_+-]+:|https?:|www\.|\b[0-9a-f]{7,40}\b|\bmailto:",
    ).unwrap()
    });
    for text in &page.prose {
        let found = REFERENCES.find_iter(text).map(|it| it.as_str());
        // A hash has letters and digits; words have letters alone, and numbers have separators.
        let mut found = found.filter(|it| !it.chars().all(|it| it.is_ascii_alphabetic()));
        assert_eq!(found.next(), None, "{text}");
    }
}
