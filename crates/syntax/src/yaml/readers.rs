//! The document boundaries of other programs, computed by their own algorithms for comparison with
//! the grammar.
//!
//! Each of them splits before it parses, by searching for lines that begin with three dashes, but
//! they differ in what else such a line can contain. Facts: `YAMLReader`, `NewDocumentDecoder` and
//! `NewYAMLOrJSONDecoder` of k8s.io/apimachinery, `splitDocuments` of kyaml, `SplitManifests` of
//! Helm. Each chunk is passed to a parser that only reads its first document.

use std::ops::Range;

use memchr::{memchr, memmem};
use serde::de::IgnoredAny;

use super::mark::skip_blanks;
use crate::source::{Slice as _, lines};

/// A program, or a family of programs, with its own algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reader {
    /// `YAMLReader`, line by line: Kelos, kubectl-validate, kube-linter.
    ByLines,
    /// kubectl: a JSON stream if the text begins with `{`, else `YAMLReader`.
    Kubectl,
    /// `NewDocumentDecoder`, and kubeconform's copy of it.
    DocumentDecoder,
    /// kustomize, through kyaml.
    Kustomize,
    /// Helm 3, and Helm 4 up to 4.1.
    Helm,
    /// Helm's main branch.
    HelmMain,
}

/// The result of splitting a stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Cut {
    /// The bytes of each chunk.
    pub(super) chunks: Vec<Range<usize>>,
    /// The position where it stops with an error, if it does; earlier chunks are still processed.
    pub(super) refused_at: Option<usize>,
}

/// The number of bytes in which `GuessJSONStream` searches for a `{`.
const JSON_GUESS_WINDOW: usize = 4096;

impl Reader {
    /// The readers that a stream is compared with.
    pub(super) const ALL: [Self; 6] = [
        Self::Kubectl,
        Self::ByLines,
        Self::DocumentDecoder,
        Self::Kustomize,
        Self::Helm,
        Self::HelmMain,
    ];

    /// Its name in messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ByLines => "kubectl-validate and kube-linter (`YAMLReader`)",
            Self::Kubectl => "kubectl",
            Self::DocumentDecoder => "kubeconform (`NewDocumentDecoder`)",
            Self::Kustomize => "kustomize",
            Self::Helm => "Helm 3 and Helm 4.1",
            Self::HelmMain => "Helm's main branch",
        }
    }

    /// Splits a text as this reader does, in linear time.
    pub(super) fn cut(self, text: &str) -> Cut {
        match self {
            Self::ByLines => yaml_reader(text, 0),
            Self::Kubectl => cut_by_kubectl(text),
            Self::DocumentDecoder => document_decoder(text.as_bytes()),
            Self::Kustomize => cut_by_kustomize(text),
            Self::Helm => cut_by_helm(text),
            Self::HelmMain => helm_main(text),
        }
    }

    /// The start of the content of each document that this reader processes, in order: the first
    /// document of each chunk. `None` if it rejects the stream.
    pub(super) fn content_starts(self, text: &str) -> Option<Vec<usize>> {
        let cut = self.cut(text);
        if cut.refused_at.is_some() {
            return None;
        }
        cut.chunks.into_iter().filter_map(|chunk| first_content(text, chunk)).collect()
    }
}

/// `Some(None)` for a chunk that its parser rejects: a `...` without a document before it, or a
/// directive separated from its document.
#[expect(clippy::option_option, reason = "no content, rejected, and an offset are three answers")]
fn first_content(text: &str, chunk: Range<usize>) -> Option<Option<usize>> {
    let bytes = text.as_bytes().get(..chunk.end)?;
    let mut line = chunk.start;
    let mut has_marker = false;
    while line < chunk.end {
        let end = lines::end(bytes, line);
        let next = lines::after_break(bytes, end);
        let bom = bytes.get(line..).is_some_and(|rest| rest.starts_with(b"\xef\xbb\xbf"));
        let start = if bom { line + 3 } else { line };
        let is_marker = bytes.get(start..start + 3) == Some(b"---")
            && matches!(bytes.get(start + 3), None | Some(b' ' | b'\t' | b'\n' | b'\r'));
        if is_marker && has_marker {
            return None;
        }
        has_marker |= is_marker;
        let first = skip_blanks(bytes, if is_marker { start + 3 } else { start });
        if first < end && bytes.get(first) != Some(&b'#') {
            let is_end = first == start
                && bytes.get(first..end).is_some_and(|line| line.starts_with(b"..."))
                && matches!(bytes.get(first + 3), None | Some(b' ' | b'\t' | b'\n' | b'\r'));
            let is_directive = first == start && bytes.get(first) == Some(&b'%');
            return match (is_end, has_marker) {
                (true, true) => None,
                (true, false) => Some(None),
                (false, _) => Some(if is_directive { None } else { Some(first) }),
            };
        }
        line = next;
    }
    None
}

/// The lines of a text starting at `from`, each with its LF, for a reader that only recognizes LF.
fn line_ranges(text: &str, from: usize) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut start = from;
    std::iter::from_fn(move || {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let length = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let line = start..start + length;
        start = line.end;
        Some(line)
    })
}

/// Whether Go's readers accept the rest of a line after three dashes: nothing or a comment, after
/// trimming Unicode whitespace.
fn is_separator_rest(rest: &str) -> bool {
    let rest = rest.trim();
    rest.is_empty() || rest.starts_with('#')
}

/// A separator without any lines before it becomes part of the chunk.
fn yaml_reader(text: &str, from: usize) -> Cut {
    let mut cut = Cut::default();
    let mut start = from;
    for line in line_ranges(text, from) {
        let Some(rest) = text.get(line.clone()).and_then(|line| line.strip_prefix("---")) else {
            continue;
        };
        if !is_separator_rest(rest) {
            cut.refused_at = Some(line.start);
            return cut;
        }
        if start < line.start {
            cut.chunks.push(start..line.start);
            start = line.end;
        }
    }
    if start < text.len() {
        cut.chunks.push(start..text.len());
    }
    cut
}

fn cut_by_kubectl(text: &str) -> Cut {
    let from = super::mark::byte_order_mark_len(text);
    let body = text.slice(from..);
    let window = body.get(..body.floor_char_boundary(JSON_GUESS_WINDOW)).unwrap_or(body);
    if !window.trim_start().starts_with('{') {
        return yaml_reader(text, from);
    }
    let mut cut = Cut::default();
    let mut values = serde_json::Deserializer::from_str(body).into_iter::<IgnoredAny>();
    let mut start = from;
    loop {
        match values.next() {
            None => return cut,
            Some(Ok(_)) => {
                let end = from + values.byte_offset();
                cut.chunks.push(start..end);
                start = end;
            }
            Some(Err(_)) if cut.chunks.len() > 1 => {
                cut.refused_at = Some(start);
                return cut;
            }
            Some(Err(_)) => break,
        }
    }
    // After at most one value, the rest is read as YAML, starting at the next line.
    let rest = text.slice(start..);
    let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
    let blank =
        if rest.get(blank..).is_some_and(|it| it.starts_with('\n')) { blank + 1 } else { blank };
    let yaml = yaml_reader(text, start + blank);
    cut.chunks.extend(yaml.chunks);
    cut.refused_at = yaml.refused_at;
    cut
}

/// A token ends before LF and three dashes; the rest of that line is dropped. Without a line feed
/// after it, the remaining text is dropped.
fn document_decoder(bytes: &[u8]) -> Cut {
    let mut cut = Cut::default();
    let mut start = 0;
    let separator = memmem::Finder::new(b"\n---");
    while let Some(found) = bytes.get(start..).and_then(|rest| separator.find(rest)) {
        let at = start + found;
        let behind = at + separator.needle().len();
        match bytes.get(behind..).and_then(|rest| memchr(b'\n', rest)) {
            Some(line_feed) => {
                cut.chunks.push(start..at);
                start = behind + line_feed + 1;
            }
            None if behind == bytes.len() => {
                cut.chunks.push(start..at);
                return cut;
            }
            None => return cut,
        }
    }
    if start < bytes.len() {
        cut.chunks.push(start..bytes.len());
    }
    cut
}

/// `\n---.*\n`, without overlapping matches: the second of two adjacent separators is not found.
/// The line feed before a separator remains in the document.
fn cut_by_kustomize(text: &str) -> Cut {
    let bytes = text.as_bytes();
    let mut cut = Cut::default();
    let (mut start, mut from) = (0, 0);
    while let Some(found) = bytes.get(from..).and_then(|rest| memmem::find(rest, b"\n---")) {
        let at = from + found;
        let behind = at + 4;
        let Some(line_feed) = bytes.get(behind..).and_then(|rest| memchr(b'\n', rest)) else {
            break;
        };
        if !is_separator_rest(text.slice(behind..behind + line_feed)) {
            cut.refused_at = Some(at + 1);
            return cut;
        }
        cut.chunks.push(start..at + 1);
        start = behind + line_feed + 1;
        from = start;
    }
    cut.chunks.push(start..bytes.len());
    cut
}

/// `\s` of Go's regular expressions.
const fn is_regex_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// `(?:^|\s*\n)---\s*`: the whitespace on both sides of the dashes is removed as well.
fn cut_by_helm(text: &str) -> Cut {
    let bytes = text.as_bytes();
    let mut cut = Cut::default();
    let end = text.trim_end().len();
    let mut start = text.len() - text.trim_start().len();
    if start >= end {
        return cut;
    }
    let skip_spaces = |from: usize| {
        let rest = bytes.slice(from..end);
        from + rest.iter().take_while(|byte| is_regex_space(**byte)).count()
    };
    if bytes.get(start..end).is_some_and(|rest| rest.starts_with(b"---")) {
        start = skip_spaces(start + 3);
    }
    while let Some(found) = bytes.get(start..end).and_then(|rest| memmem::find(rest, b"\n---")) {
        push_trimmed(&mut cut, text, start..start + found, true);
        start = skip_spaces(start + found + 4);
    }
    push_trimmed(&mut cut, text, start..end, true);
    cut
}

/// `(?m)^---[ \t]*`, and whitespace is only removed at the start of each part.
fn helm_main(text: &str) -> Cut {
    let bytes = text.as_bytes();
    let mut cut = Cut::default();
    let mut start = 0;
    if bytes.starts_with(b"---") {
        start = skip_blanks(bytes, 3);
    }
    while let Some(found) = bytes.get(start..).and_then(|rest| memmem::find(rest, b"\n---")) {
        let dashes = start + found + 1;
        push_trimmed(&mut cut, text, start..dashes, false);
        start = skip_blanks(bytes, dashes + 3);
    }
    push_trimmed(&mut cut, text, start..bytes.len(), false);
    cut
}

fn push_trimmed(cut: &mut Cut, text: &str, range: Range<usize>, is_end_trimmed: bool) {
    let part = text.slice(range.clone());
    let start = range.start + part.len() - part.trim_start().len();
    let end = if is_end_trimmed { range.start + part.trim_end().len() } else { range.end };
    if start < end {
        cut.chunks.push(start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sink;
    use crate::source::{FileId, Workspace};
    use crate::yaml;
    use crate::yaml::mutations::cases::cases;
    use serde::Deserialize;
    use serde_json::Value;

    const TABLE: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/split/expected.tsv"));
    const STREAMS: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/split/cases.md"));

    fn file() -> FileId {
        Workspace::new().add("stream.yaml", "")
    }

    /// The documents by YAML 1.2.
    fn documents(text: &str) -> Vec<Value> {
        let stream = yaml::split::split(file(), text);
        let parsed = stream.slices.iter().filter_map(|slice| {
            yaml::parse(file(), text, slice, &mut Sink::unused())
                .map(|document| document.root.to_json())
        });
        parsed.filter(|value| !value.is_null()).collect()
    }

    /// The first document of a chunk, as a parser of the libyaml family reads it.
    fn first_document(reader: Reader, text: &str, chunk: &Range<usize>) -> Result<Value, ()> {
        let mut text = text[chunk.clone()].to_owned();
        // Go's parsers take a byte order mark at the start for the encoding; this one does not.
        text = text.trim_start_matches('\u{feff}').to_owned();
        if matches!(reader, Reader::Kubectl | Reader::ByLines | Reader::Kustomize) {
            text = text.replace("\r\n", "\n");
        }
        if matches!(reader, Reader::Kubectl | Reader::ByLines) && !text.ends_with('\n') {
            text.push('\n');
        }
        match serde_yaml::Deserializer::from_str(&text).next() {
            Some(document) => Value::deserialize(document).map_err(drop),
            None => Ok(Value::Null),
        }
    }

    /// A reader's interpretation of a text, in the notation of the table.
    fn verdict(reader: Reader, text: &str, yaml: &str) -> String {
        let cut = reader.cut(text);
        let read: Vec<_> =
            cut.chunks.iter().map(|chunk| first_document(reader, text, chunk)).collect();
        let broken = read.iter().filter(|it| it.is_err()).count();
        let is_strict = matches!(reader, Reader::Kubectl | Reader::Kustomize);
        let values = |read: &[Result<Value, ()>]| -> Vec<Value> {
            read.iter().flatten().filter(|value| !value.is_null()).cloned().collect()
        };
        if cut.refused_at.is_some() || (is_strict && broken > 0) {
            let before = read.iter().take_while(|it| it.is_ok()).count();
            return match values(&read[..before]).len() {
                // kustomize drops a document with a broken separator.
                0 => "E".to_owned(),
                _ if reader == Reader::Kustomize && cut.refused_at.is_some() => "E".to_owned(),
                count => format!("{count},E"),
            };
        }
        if broken > 0 {
            return format!("P{broken}/{}", read.len());
        }
        let values = values(&read);
        let count = values.len();
        let Ok(expected) = yaml.replace("+null", "").parse::<usize>() else {
            return format!("{count}?");
        };
        if reader == Reader::ByLines && count == expected && read.len() > count {
            return format!("{count} of {}c", read.len());
        }
        if count < expected {
            return format!("{count}L");
        }
        if values == documents(text) { count.to_string() } else { format!("{count}≠") }
    }

    #[test]
    fn readers_split_as_in_the_table() {
        let readers = [
            Reader::ByLines,
            Reader::Kubectl,
            Reader::DocumentDecoder,
            Reader::Kustomize,
            Reader::Helm,
            Reader::HelmMain,
        ];
        let inputs: Vec<_> = cases(STREAMS).into_iter().flat_map(|it| it.files).collect();
        let mut failures = Vec::new();
        for row in TABLE.lines().filter(|row| !row.starts_with('#')).skip(1) {
            let cells: Vec<_> = row.split('\t').collect();
            let (_, bytes) = inputs.iter().find(|it| it.0 == cells[0]).expect("a case");
            let text = String::from_utf8(bytes.clone()).unwrap();
            for (reader, expected) in readers.iter().zip(&cells[4..]) {
                let found = verdict(*reader, &text, cells[1]);
                if found != *expected {
                    failures.push(format!("{}: {reader:?}: {found}, not {expected}", cells[0]));
                }
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }

    #[test]
    fn an_ordinary_stream_is_split_the_same_by_every_reader() {
        use proptest::prelude::*;
        const PIECES: [&str; 22] = [
            "---\n",
            "--- ",
            "...\n",
            "\n",
            "\r\n",
            "\r",
            " ",
            "\t",
            "# c\n",
            "%T\n",
            "a: 1\n",
            "b: |\n  x\n",
            "- y\n",
            "[1]",
            "\u{feff}",
            "---\u{85}",
            "---\u{a0}\n",
            "---",
            "...",
            "#",
            "x",
            "\n---\n",
        ];
        let streams = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..10);
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let config = |text: String| {
            let stream = yaml::split::split(file(), &text);
            // Helm trims what is indented into a marker; a document that begins so is not an object.
            let looks_like_marker = |slice: &yaml::DocumentSlice| {
                let yaml::Content::At(at) = slice.content else { return false };
                ["---", "...", "%"].iter().any(|it| text[at as usize..].starts_with(it))
            };
            if stream.oddities.is_empty() && !stream.slices.iter().any(looks_like_marker) {
                let starts: Vec<usize> = stream
                    .slices
                    .iter()
                    .filter_map(|slice| match slice.content {
                        yaml::Content::At(at) => Some(at as usize),
                        _ => None,
                    })
                    .collect();
                for reader in Reader::ALL {
                    let seen = reader.content_starts(&text);
                    prop_assert_eq!(seen.as_ref(), Some(&starts), "{:?}: {:?}", reader, text);
                }
            }
            Ok(())
        };
        for _ in 0..20 {
            runner.run(&streams.clone().prop_map(|it| it.concat()), config).unwrap();
        }
    }
}
