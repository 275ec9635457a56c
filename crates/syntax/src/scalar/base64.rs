//! Base64 as Go's decoder reads it.

/// Whether Go's `base64.StdEncoding` decodes it: the standard alphabet with padding; line breaks
/// are ignored.
pub fn is_base64(text: &str) -> bool {
    let (mut symbols, mut padding) = (0_usize, 0_usize);
    for byte in text.bytes() {
        match byte {
            b'\r' | b'\n' => {}
            b'=' => padding += 1,
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' if padding == 0 => symbols += 1,
            _ => return false,
        }
    }
    padding <= 2 && symbols % 4 != 1 && (symbols + padding) % 4 == 0
}

/// The number of encoded bytes. Line breaks and padding are ignored.
pub fn base64_length(text: &str) -> usize {
    text.bytes().filter_map(symbol_value).count() * 3 / 4
}

/// Decodes base64; characters outside the alphabet are skipped.
pub fn decode_base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(base64_length(text));
    let (mut pending, mut bits) = (0_u32, 0_u32);
    for value in text.bytes().filter_map(symbol_value) {
        pending = (pending << 6 | u32::from(value)) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.extend(u8::try_from(pending >> bits & 0xff));
        }
    }
    bytes
}

/// Encodes bytes as base64, padded.
pub fn to_base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| chunk.get(at).copied().map_or(0, u32::from);
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for symbol in 0..4_usize {
            let index = bits >> (18 - 6 * symbol) & 0x3f;
            let letter = usize::try_from(index).ok().and_then(|at| ALPHABET.get(at));
            let is_padding = symbol > chunk.len();
            text.push(letter.filter(|_| !is_padding).map_or('=', |letter| char::from(*letter)));
        }
    }
    text
}

const fn symbol_value(symbol: u8) -> Option<u8> {
    match symbol {
        b'A'..=b'Z' => Some(symbol - b'A'),
        b'a'..=b'z' => Some(symbol - b'a' + 26),
        b'0'..=b'9' => Some(symbol - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of RFC 4648, section 10.
    #[test]
    fn decodes_the_vectors_of_the_standard() {
        let vectors = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9v\nYmFy\r\n", "foobar"),
        ];
        for (text, decoded) in vectors {
            assert_eq!(decode_base64(text), decoded.as_bytes(), "{text}");
            assert_eq!(base64_length(text), decoded.len(), "{text}");
            let unbroken = text.replace(['\r', '\n'], "");
            assert_eq!(to_base64(decoded.as_bytes()), unbroken);
        }
        assert_eq!(decode_base64("+/+/"), [0xfb, 0xff, 0xbf]);
        assert_eq!(to_base64(&[0xfb, 0xff, 0xbf]), "+/+/");
    }

    #[test]
    fn base64_is_padded_and_standard() {
        for text in ["", "YQ==", "YWI=", "YWJj", "YWJj\nYQ==\n", "+/+/"] {
            assert!(is_base64(text), "{text}");
        }
        for text in ["YQ", "YQ=", "-_-_", "YW Jj", "====", "Y===", "YQ==YWJj", "hunter2", "ä"] {
            assert!(!is_base64(text), "{text}");
        }
    }
}
