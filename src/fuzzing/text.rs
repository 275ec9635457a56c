//! Splitting, reading and printing YAML.

use std::sync::LazyLock;

use crate::diag::Sink;
use crate::sorted::SortedMap;
use crate::source::Workspace;
use crate::tree::{Node, Origin};
use crate::yaml::scalar::{readings, recorded};
use crate::yaml::{self, Document};

/// The concatenated parts of a file are the file.
pub(super) fn split_parts(bytes: &[u8]) {
    let mut workspace = Workspace::new();
    let file = workspace.add("input.yaml", bytes);
    let parts = yaml::split(&workspace, file);
    let joined: String = parts.parts.iter().map(|part| part.text).collect();
    assert_eq!(joined, workspace.file(file).text(), "the parts are not the file");
    let mut end = 0;
    for part in &parts.parts {
        assert_eq!(part.span.start, end, "parts leave a gap");
        end = part.span.end;
        let _ = part.kind_and_name();
    }
}

/// The fast reader returns the same values and spans as the parser.
pub(super) fn readers_agree(bytes: &[u8]) {
    yaml::compare_readers(&String::from_utf8_lossy(bytes));
}

/// Reading, printing and reading again returns the same values.
pub(super) fn print_and_read(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let documents = if is_cheap(&text) { read(&text) } else { Vec::new() };
    for document in documents {
        let mut printed = String::new();
        yaml::print_document(&document.root, &mut printed);
        assert_same(&document.root, &printed);
    }
    assert_prints(&text);
}

/// Printing a string and reading it again returns the string.
fn assert_prints(text: &str) {
    let mut root = Node::map(Origin::source(Workspace::new().start()));
    root.set("key", Node::string(text, root.origin()));
    root.set(text, Node::string("value", root.origin()));
    let mut printed = String::new();
    yaml::print_document(&root, &mut printed);
    assert_same(&root, &printed);
}

fn assert_same(root: &Node, printed: &str) {
    let mut read = read(printed);
    if root.is_null() && read.is_empty() {
        return;
    }
    assert_eq!(read.len(), 1, "printed as more than one document: {printed:?}");
    let again = read.remove(0).root;
    assert_eq!(again.to_json(), root.to_json(), "printed as something else: {printed:?}");
}

/// Whether a file is parsed without a search for repairs, and its aliases repeat little. Invalid
/// files take a hundred times as long; only `check` runs on them.
pub(super) fn is_cheap(text: &str) -> bool {
    let aliases = text.bytes().filter(|it| *it == b'*').count();
    aliases <= 16 && yaml::is_well_formed(text)
}

/// The documents of a file, or none if it has errors.
fn read(text: &str) -> Vec<Document> {
    let mut workspace = Workspace::new();
    let file = workspace.add("input.yaml", text);
    let mut sink = Sink::new();
    if yaml::check_file(file, workspace.file(file), &mut sink).is_err() {
        return Vec::new();
    }
    let documents = yaml::documents(file, workspace.file(file).text(), &mut sink).read;
    if sink.reported().is_some() { Vec::new() } else { documents }
}

/// Scalars with the values that Kubernetes' own YAML library reads them as.
static RECORDED: LazyLock<SortedMap<&str, &str>> = LazyLock::new(|| {
    recorded::lines(include_str!("../../fixtures/scalars/kubernetes.tsv")).collect()
});

/// A recorded scalar is read as recorded, and any scalar is read the same way alone and in a
/// document. The first byte selects the scalar: the rest of the input, alone or appended to a
/// recorded scalar.
pub(super) fn scalars(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let rest = String::from_utf8_lossy(rest);
    let number = usize::from(*first) * 16 + rest.len() % 16;
    let scalar = match RECORDED.keys().nth(number) {
        Some(known) if *first < 128 => format!("{known}{rest}"),
        _ => rest.into_owned(),
    };
    if let Some(verdict) = RECORDED.get(scalar.as_str()) {
        let reading = recorded::json(readings(&scalar).kubernetes, &scalar);
        assert_eq!(reading, recorded::of_kubernetes(verdict), "{scalar:?}");
    }
    assert_prints(&scalar);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+-._~:/".contains(c);
    if !scalar.chars().all(is_plain) || scalar.ends_with(':') || scalar.starts_with(['-', ':']) {
        return;
    }
    let documents = read(&format!("a: {scalar}\n"));
    let Some(document) = documents.first() else { return };
    let entry = document.root.entries().first().expect("a key");
    let (expected, _) = yaml::scalar::read(&scalar);
    assert_eq!(Some(&entry.value.value), expected.as_ref(), "{scalar:?} in a document");
}
