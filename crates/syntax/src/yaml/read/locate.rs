//! Spans that the parser does not report, or reports differently: found by scanning the text.

use std::ops::Range;

use crate::source::{Slice as _, lines, offset};

/// The offset after spaces, line breaks and comments at `at`.
fn skip_trivia(text: &str, at: u32) -> u32 {
    let bytes = text.as_bytes();
    let mut at = at as usize;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(b'#') => at = lines::end(bytes, at),
            _ => return offset(at),
        }
    }
}

/// The offset after tags and anchors, and the spaces and comments around them.
fn skip_properties(text: &str, at: u32) -> u32 {
    let mut at = skip_trivia(text, at);
    while matches!(byte_at(text, at), Some(b'&' | b'!')) {
        let rest = text.as_bytes().slice(at as usize..);
        let length = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        at = skip_trivia(text, at + offset(length));
    }
    at
}

/// The offset of the empty value of a key: after the key's colon, or after the key if it has none.
pub(super) fn empty_value(text: &str, key_end: u32) -> u32 {
    let at = skip_trivia(text, key_end);
    if byte_at(text, at) == Some(b':') { at + 1 } else { key_end }
}

/// The offset of an empty item: after the first dash at or after `before`, the end of the previous
/// item.
pub(super) fn empty_item(text: &str, before: u32) -> Option<u32> {
    let at = skip_trivia(text, before);
    (byte_at(text, at) == Some(b'-')).then(|| at + 1)
}

/// The first dash of a block list that is the value of the key ending at `key_end`. The parser
/// reports an offset after the dash if the list is at the column of its key.
pub(super) fn first_dash(text: &str, given: u32, key_end: u32) -> u32 {
    let at = skip_trivia(text, key_end);
    let at = if byte_at(text, at) == Some(b':') { at + 1 } else { at };
    let at = skip_properties(text, at);
    if byte_at(text, at) == Some(b'-') { at } else { given }
}

/// The whole span of a block scalar, from its `|` or `>` to the end of its last line with content.
/// The parser only reports the span of the content; `before` is the end of the last token before
/// the scalar.
pub(super) fn block_scalar(text: &str, block: Range<u32>, before: u32) -> (u32, u32) {
    let Range { start, end } = block;
    let mut at = skip_properties(text, before);
    while matches!(byte_at(text, at), Some(b'-' | b'?' | b':')) {
        at = skip_properties(text, at + 1);
    }
    if !matches!(byte_at(text, at), Some(b'|' | b'>')) || at >= end {
        return (start, end);
    }
    let rest = text.slice(at as usize..end as usize);
    let header = rest.split(['\n', '\r']).next().unwrap_or("");
    let body = rest.slice(header.len()..).trim_end_matches([' ', '\t', '\n', '\r']);
    let length = if body.is_empty() {
        header.find([' ', '\t']).unwrap_or(header.len())
    } else {
        header.len() + body.len()
    };
    (at, at + offset(length))
}

/// The end of the lines after a block scalar that are part of it although they have no text: those that are indented as
/// much as its content. A tab after this indentation is content.
pub(super) fn end_of_block(text: &str, Range { start, end }: Range<u32>) -> u32 {
    let block = text.slice(start as usize..end as usize);
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    // Other spaces of Unicode are text.
    let has_text = |line: &&str| !line.trim_matches([' ', '\t', '\r']).is_empty();
    let content = block.lines().skip(1).filter(has_text);
    let Some(indent) = content.map(spaces).min() else { return end };
    // With an indicator, all lines of the content can begin with spaces.
    let indent = explicit_indent(text, start).map_or(indent, |explicit| explicit.min(indent));
    let rest = text.slice(end as usize..);
    let mut lines = rest.split_inclusive('\n');
    let mut length = lines.next().map_or(0, str::len);
    for line in lines {
        let blanks = line.trim_end_matches(['\n', '\r']);
        let is_part = blanks.chars().all(|c| c == ' ' || c == '\t') && spaces(blanks) >= indent;
        // Without a line break at the end of the file, readers differ.
        if !line.ends_with('\n') || !(is_part || blanks.chars().all(|c| c == ' ')) {
            break;
        }
        length += line.len();
    }
    end + offset(length)
}

/// The indentation of a block scalar with an indentation indicator. Its header can be on a line of
/// its own, below its key or dash.
fn explicit_indent(text: &str, start: u32) -> Option<usize> {
    let header: Vec<u8> = text.bytes().skip(start as usize + 1).take(2).collect();
    let digit =
        header.into_iter().take_while(|it| !it.is_ascii_whitespace()).find(u8::is_ascii_digit)?;
    let before = text.get(..start as usize)?;
    let parent = before.rsplit(['\n', '\r']).find_map(parent_column)?;
    Some(parent + usize::from(digit - b'0'))
}

/// The column of the innermost collection that begins before or on a line, of which this is the part
/// before a value; `None` if there is none on the line.
fn parent_column(line: &str) -> Option<usize> {
    let column_of = |rest: &str| line.len() - rest.len();
    let mut rest = line.trim_start_matches(' ');
    let mut dash = None;
    while let Some(after) = rest.strip_prefix(['-', '?', ':']).filter(|it| it.starts_with(' ')) {
        dash = Some(column_of(rest));
        rest = after.trim_start_matches(' ');
    }
    let has_key = !rest.is_empty() && !rest.starts_with(['&', '!', '#']);
    if has_key { Some(column_of(rest)) } else { dash }
}

fn byte_at(text: &str, at: u32) -> Option<u8> {
    text.as_bytes().get(at as usize).copied()
}
