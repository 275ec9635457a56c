//! Checks before parsing: bytes that are not text, and characters that YAML does not allow.

use crate::diag::{Diagnostic, Reported, Sink, declare_rules, message};
use crate::limits;
use crate::source::{FileId, FileSpan, SourceFile, offset};

declare_rules! {
    FILE_TOO_LARGE = "file-too-large", Error;
    FILE_UNREADABLE = "file-unreadable", Error;
    INVALID_UTF8 = "invalid-utf8", Error;
    WIDE_ENCODING = "wide-encoding", Error;
    NUL_BYTE = "nul-byte", Error;
    CONTROL_CHARACTER = "control-character", Error;
}

/// The maximum size of a file, in bytes.
pub(super) const MAX_FILE_BYTES: usize = limits::FILE_BYTES.count();

/// Checks the encoding of a file before it is split into documents.
pub fn check_file(id: FileId, file: &SourceFile, sink: &mut Sink) -> Result<(), Reported> {
    let start = FileSpan::new(id, 0, 0);
    if let Some(reason) = file.unreadable() {
        let message = message!("cannot read `{}`: {reason}", file.name());
        return Err(sink.error(
            Diagnostic::new(&FILE_UNREADABLE, start, message)
                .note("its objects are unknown, so references to them are reported as well")
                .help("make the file readable, or exclude it: `--exclude`"),
        ));
    }
    if file.is_left_out() {
        let message = "the input exceeds 4 GiB with this file";
        let finding = Diagnostic::new(&FILE_TOO_LARGE, start, message);
        return Err(sink.error(finding.help("split the input into several runs")));
    }
    if file.text().len() > MAX_FILE_BYTES {
        return Err(sink.error(
            Diagnostic::new(
                &FILE_TOO_LARGE,
                start,
                message!("the file exceeds {} MiB", MAX_FILE_BYTES >> 20),
            )
            .help("split the file"),
        ));
    }
    if let Some((encoding, at)) = wide_encoding(file.text()) {
        let at = offset(at);
        let place = FileSpan::new(id, at, at);
        return Err(sink.error(
            Diagnostic::new(&WIDE_ENCODING, place, message!("the file is {encoding}, not UTF-8"))
                .help("save the file as UTF-8"),
        ));
    }
    if let Some(at) = file.invalid_utf8_at() {
        // The replacement character represents the bytes.
        let place = FileSpan::new(id, at, at.saturating_add(3));
        return Err(sink.error(
            Diagnostic::new(&INVALID_UTF8, place, message!("invalid UTF-8 at byte {at}"))
                .note("the file is damaged, or was saved in another encoding such as Latin-1")
                .help("save the file as UTF-8"),
        ));
    }
    Ok(())
}

/// Detects UTF-16 and UTF-32, by the zero bytes in every letter, and returns the encoding and its
/// start. A byte order mark is not UTF-8 and has become two replacement characters.
fn wide_encoding(text: &str) -> Option<(&'static str, usize)> {
    let bytes = text.as_bytes();
    let zero = memchr::memchr(0, bytes)?;
    let start = if text.starts_with("\u{fffd}\u{fffd}") {
        0
    } else {
        text.floor_char_boundary(zero.saturating_sub(1))
    };
    let is_zero = |at: usize| bytes.get(zero + at) == Some(&0);
    if is_zero(1) && (is_zero(2) || start == 0) {
        return Some(("UTF-32", start));
    }
    // Three letters in a row: a single zero byte means damage, not an encoding.
    let is_wide = !is_zero(1) && [2, 4].into_iter().all(is_zero);
    (is_wide || (start == 0 && text.starts_with('\u{fffd}'))).then_some(("UTF-16", start))
}

/// Reports the characters of `text` that YAML does not allow; `slice` is its span.
pub(super) fn check_characters(
    text: &str,
    slice: FileSpan,
    sink: &mut Sink,
) -> Result<(), Reported> {
    if !may_be_forbidden(text) {
        return Ok(());
    }
    let mut reported = Ok(());
    let forbidden = text.char_indices().filter(|(_, c)| is_forbidden(*c));
    for (at, c) in forbidden.take(MAX_FINDINGS) {
        let start = slice.start + offset(at);
        let place =
            FileSpan { start, end: start + u32::try_from(c.len_utf8()).unwrap_or(1), ..slice };
        reported = Err(sink.error(forbidden_character(c, place)));
    }
    reported
}

/// The maximum number of characters reported per document.
const MAX_FINDINGS: usize = 10;

fn forbidden_character(c: char, place: FileSpan) -> Diagnostic {
    if c == '\0' {
        return Diagnostic::new(&NUL_BYTE, place, "NUL byte in the file")
            .help("remove the NUL byte; a file with many of them is binary");
    }
    let code = u32::from(c);
    let escape = if code <= 0xff { format!("\\x{code:02x}") } else { format!("\\u{code:04x}") };
    Diagnostic::new(
        &CONTROL_CHARACTER,
        place,
        message!("the control character U+{code:04X} is not allowed in YAML"),
    )
    .help(message!("remove the character, or write `{escape}` in double quotes"))
}

/// Whether a text consists of line feeds and printable ASCII, as nearly all documents do: 0.7 instructions per byte,
/// after which the fast reader compares no byte with those that it does not support.
pub(super) fn is_printable_ascii(text: &str) -> bool {
    let is_other = |byte: u8| byte != b'\n' && !matches!(byte, b' '..=b'~');
    !has_byte(text, is_other)
}

/// Whether a text has a byte of this kind.
fn has_byte(text: &str, is_found: impl Fn(u8) -> bool) -> bool {
    // Without a branch in the loop, the compiler can vectorize it.
    let has = |chunk: &[u8]| chunk.iter().fold(false, |found, byte| found | is_found(*byte));
    text.as_bytes().chunks(4096).any(has)
}

/// A fast check of the bytes: control characters, and the lead bytes of those outside of ASCII.
pub(super) fn may_be_forbidden(text: &str) -> bool {
    has_byte(text, is_suspicious)
}

const fn is_suspicious(byte: u8) -> bool {
    let is_control = byte < 0x20 && byte != b'\t' && byte != b'\n' && byte != b'\r';
    is_control || byte == 0x7f || byte == 0xc2 || byte == 0xef
}

/// Whether Kubernetes' reader (go-yaml `readerc.go`) treats it as a control character.
fn is_forbidden(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    fn rules(bytes: &[u8]) -> Vec<(&'static str, u32)> {
        let mut workspace = Workspace::new();
        let id = workspace.add("a.yaml", bytes);
        let file = workspace.file(id);
        let mut sink = Sink::new();
        if check_file(id, file, &mut sink).is_ok() {
            let end = u32::try_from(file.text().len()).expect("short");
            let _ = check_characters(file.text(), FileSpan::new(id, 0, end), &mut sink);
        }
        sink.into_sorted()
            .iter()
            .map(|it| (it.rule.name, it.primary.span.within(id).start))
            .collect()
    }

    #[test]
    fn wide_encodings_are_named_with_and_without_a_mark() {
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let utf16_be =
            |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
        let utf32 =
            |text: &str| text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<_>>();
        let utf32_be =
            |text: &str| text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect::<Vec<_>>();
        for text in ["a: b\n", "\u{feff}a: é\n"] {
            for bytes in [utf16(text), utf16_be(text), utf32(text), utf32_be(text)] {
                assert_eq!(rules(&bytes), [("wide-encoding", 0)], "{bytes:?}");
            }
        }
    }

    #[test]
    fn invalid_utf8_is_reported_with_its_offset() {
        assert_eq!(rules(b"a: caf\xe9\n"), [("invalid-utf8", 6)]);
        assert_eq!(rules("a: café\n".as_bytes()), []);
    }

    #[test]
    fn control_characters_are_found_everywhere() {
        assert_eq!(rules(b"a: x\0y\n"), [("nul-byte", 4)]);
        assert_eq!(rules("# \u{1b}\na: \u{7f}\u{80}".as_bytes()).len(), 3);
        assert_eq!(rules("\u{feff}a: \tx\r\n\u{85}\u{a0}é".as_bytes()), []);
        assert_eq!(rules("a: \u{feff}b\u{fffe}".as_bytes()), [("control-character", 7)]);
    }
}
