//! PEM blocks, as Go's `encoding/pem` reads them: text around them and damaged ones are skipped.

use crate::scalar::{decode_base64, is_base64};

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// A block.
pub(in crate::validate::rules) struct Block<'t> {
    /// `CERTIFICATE`.
    pub(in crate::validate::rules) label: &'t str,
    /// Whether lines such as `Proc-Type: 4` come before the contents.
    pub(in crate::validate::rules) has_headers: bool,
    pub(in crate::validate::rules) contents: Vec<u8>,
}

/// The blocks of a text.
pub(in crate::validate::rules) fn blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let from = rest.find(BEGIN)?;
            let is_line = from == 0 || rest.get(..from)?.ends_with('\n');
            rest = rest.get(from + BEGIN.len()..)?;
            let Some((label, after)) = rest.split_once(DASHES).filter(|_| is_line) else {
                continue;
            };
            let end = format!("\n{END}{label}{DASHES}");
            if let Some((body, left)) = after.split_once(&end) {
                rest = left;
                let has_headers = body.contains(':');
                let lines = body.lines().filter(|it| !it.contains(':'));
                let body: String = lines.flat_map(str::split_whitespace).collect();
                if left.lines().next().unwrap_or("").trim().is_empty() && is_base64(&body) {
                    return Some(Block { label, has_headers, contents: decode_base64(&body) });
                }
            }
        }
    })
}
