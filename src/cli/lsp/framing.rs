//! The framing of messages: a header with the length, and JSON.
//!
//! `lsp_server::Message::read` reserves as much memory as the header says, and returns no ID with a message
//! that it cannot read, so its sender would wait.

use std::io::{self, BufRead, Read as _};

use lsp_server::{Message, RequestId};
use serde::Deserialize as _;
use serde_json::Value;

/// The maximum size of a message, in bytes. The text of the largest file that is checked fits, with escapes.
const LARGEST: u64 = 1 << 30;

/// The maximum length of a line of a header. A longer one is read as several.
const LINE: u64 = 1 << 12;

/// A message that cannot be read.
#[derive(Debug)]
pub(super) struct Fault {
    /// The request that must be answered.
    pub(super) id: Option<RequestId>,
    pub(super) reason: String,
}

/// Reads a message; `None` at the end of the input. An error ends the session: it is unknown where the next
/// message starts.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Message, Fault>>> {
    let Some(Header { length }) = header(input)? else { return Ok(None) };
    let Some(length) = length else { return Ok(Some(fault("a message without `Content-Length`"))) };
    if length > LARGEST {
        return Err(io::Error::other("a message exceeds 1 GiB"));
    }
    // It grows with the data, which may be less than the header says.
    let mut body = Vec::new();
    if input.by_ref().take(length).read_to_end(&mut body)? as u64 != length {
        return Ok(None);
    }
    let parsed = serde_json::from_slice(&body).or_else(|error| {
        // Only what cannot be read is read again: surrogates alone are rare.
        replace_lone_surrogates(&mut body);
        serde_json::from_slice(&body).map_err(|_| error)
    });
    Ok(Some(parsed.map_err(|error| Fault {
        id: serde_json::from_slice::<Value>(&body).ok().and_then(|it| request_id(&it)),
        reason: format!("a message cannot be read: {error}"),
    })))
}

/// The escape of the replacement character, which also is one code unit of UTF-16.
const REPLACEMENT: &[u8; 6] = b"\\ufffd";

/// Replaces the escapes of surrogates that are in no pair, which some clients send while an emoji is typed. The
/// positions of all later edits count it as one unit.
fn replace_lone_surrogates(body: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = body.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += found;
        match (surrogate(body, at), surrogate(body, at + REPLACEMENT.len())) {
            (Some(Half::High), Some(Half::Low)) => at += 2 * REPLACEMENT.len(),
            (Some(_), _) => {
                if let Some(escape) = body.get_mut(at..at + REPLACEMENT.len()) {
                    escape.copy_from_slice(REPLACEMENT);
                }
                at += REPLACEMENT.len();
            }
            (None, _) => at += 2,
        }
    }
}

/// A half of a pair of surrogates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// The surrogate whose escape is at a position.
fn surrogate(body: &[u8], at: usize) -> Option<Half> {
    let digits = body.get(at..at + REPLACEMENT.len())?.strip_prefix(b"\\u")?;
    match u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

/// What precedes a message.
struct Header {
    /// The length of the message, if it has a valid one.
    length: Option<u64>,
}

/// Reads a header; `None` at the end of the input.
fn header(input: &mut impl BufRead) -> io::Result<Option<Header>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if text.is_empty() {
            return Ok(Some(Header { length }));
        }
        if let Some((name, value)) = text.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim_start().parse().ok();
        }
    }
}

fn fault(reason: &str) -> Result<Message, Fault> {
    Err(Fault { id: None, reason: reason.to_owned() })
}

/// The ID of a request, whatever else is wrong with it.
fn request_id(message: &Value) -> Option<RequestId> {
    let is_response = message.get("result").or_else(|| message.get("error")).is_some();
    let id = message.get("id").filter(|_| !is_response)?;
    RequestId::deserialize(id).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    /// The methods of the messages in a text, or why each cannot be read.
    fn methods(text: &str) -> Vec<String> {
        let mut input = text.as_bytes();
        let mut found = Vec::new();
        while let Some(message) = read(&mut input).unwrap() {
            found.push(match message {
                Ok(Message::Notification(it)) => it.method,
                Ok(Message::Request(it)) => format!("{} {}", it.method, it.id),
                Ok(Message::Response(it)) => format!("answer {}", it.id),
                Err(it) => format!("{} {:?}", it.reason, it.id.map(|it| it.to_string())),
            });
        }
        found
    }

    #[test]
    fn messages_follow_each_other() {
        let text = framed(r#"{"method": "a"}"#) + &framed(r#"{"id": "x", "method": "b"}"#);
        let other = "content-length:27\nContent-Type: x\n\n{\"id\": 3,  \"result\": null} ";
        assert_eq!(methods(&(text + other)), ["a", "b \"x\"", "answer 3"]);
    }

    #[test]
    fn a_message_that_cannot_be_read_does_not_end_the_session() {
        let next = framed(r#"{"method": "next"}"#);
        for (text, reason) in [
            ("X: y\r\n\r\n", "a message without `Content-Length` None"),
            ("Content-Length: -5\r\n\r\n", "a message without `Content-Length` None"),
            (&framed(r#"{"id": 3, "method": 5}"#), r#"Some("3")"#),
            (&framed("[]"), "None"),
            (&framed(&"[".repeat(100_000)), "None"),
            (&"x".repeat(10_000), "a message without `Content-Length` None"),
        ] {
            let found = methods(&format!("{text}\r\n\r\n{next}"));
            assert!(found[0].ends_with(reason), "{found:?}");
            assert_eq!(found.last().map(String::as_str), Some("next"));
        }
    }

    #[test]
    fn surrogates_without_their_pair_are_replaced() {
        for (text, expected) in [
            (r"\ud83d", "\u{fffd}"),
            (r"a\ude00b", "a\u{fffd}b"),
            (r"\ud83d\ud83d\ude00", "\u{fffd}😀"),
            (r"\ud83d\n\\ud83d", "\u{fffd}\n\\ud83d"),
            (r"\uDE00\uD83D", "\u{fffd}\u{fffd}"),
            // The first backslash escapes the second one.
            (r"\\ud800\ud800", "\\ud800\u{fffd}"),
        ] {
            assert_eq!(methods(&framed(&format!("{{\"method\": \"{text}\"}}"))), [expected]);
        }
    }

    #[test]
    fn a_header_reserves_no_memory() {
        assert!(methods("Content-Length: 1000000000\r\n\r\n{}").is_empty());
        let mut endless = "Content-Length: 99999999999999\r\n\r\n{}".as_bytes();
        assert!(read(&mut endless).is_err());
    }
}
