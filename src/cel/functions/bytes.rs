//! Base64.

/// Decodes base64 with padding; line ends are free.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count, mut padding, mut symbols) = (0_u32, 0_u32, 0_u32, 0_u32);
    for byte in text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')) {
        symbols += 1;
        let value = match byte {
            b'=' => {
                padding += 1;
                continue;
            }
            _ if padding > 0 => return None,
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    (symbols.is_multiple_of(4) && padding <= 2).then_some(bytes)
}
