//! The endpoint for traces, as idegym passes it on.

use crate::scalar::Url;

/// The URL with its scheme and host in lowercase, without the default port of the scheme, and with
/// `/` as its path if it has none. `None` if it is not an `http` or `https` URL.
pub(super) fn normalize(text: &str) -> Option<String> {
    let url = Url::parse(text.trim())?;
    let default_port = match url.scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    let lower = url.host.to_ascii_lowercase();
    let host = lower.strip_suffix(default_port).unwrap_or(&lower);
    if host.is_empty() {
        return None;
    }
    let user = url.user.map_or_else(String::new, |user| format!("{user}@"));
    let path = if url.path.is_empty() { "/" } else { url.path };
    let part = |mark: char, part: &str| {
        if part.is_empty() { String::new() } else { format!("{mark}{part}") }
    };
    let (query, fragment) = (part('?', url.query), part('#', url.fragment));
    Some(format!("{}://{user}{host}{path}{query}{fragment}", url.scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As idegym's own configuration prints them.
    #[test]
    fn urls_match_idegym() {
        let cases = [
            ("http://otel:4318", "http://otel:4318/"),
            ("HTTP://Otel:80", "http://otel/"),
            ("https://otel.example.com:443/v1/Traces", "https://otel.example.com/v1/Traces"),
            ("http://otel?a=b", "http://otel/?a=b"),
            ("http://user:word@otel", "http://user:word@otel/"),
        ];
        for (written, expected) in cases {
            assert_eq!(normalize(written).as_deref(), Some(expected));
        }
        for wrong in ["otel:4318", "grpc://otel", "http://", ""] {
            assert_eq!(normalize(wrong), None, "{wrong}");
        }
    }
}
