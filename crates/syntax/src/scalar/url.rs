//! `Url`: the address of a webhook, parsed as Go's `net/url` does.

use core::net::Ipv6Addr;

/// The parts of a URL that the API server checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Url<'t> {
    /// `https`, in lowercase; empty if absent.
    pub scheme: String,
    /// The host with its port; empty if absent.
    pub host: &'t str,
    /// The user information before the `@`.
    pub user: Option<&'t str>,
    /// The path after the host; empty if there is neither a host nor a slash.
    pub path: &'t str,
    /// The query after `?`.
    pub query: &'t str,
    /// The fragment after `#`.
    pub fragment: &'t str,
}

impl<'t> Url<'t> {
    /// `url.Parse`: any reference.
    pub fn parse(text: &'t str) -> Option<Self> {
        let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
        let url = Self::read(rest, false)?;
        is_escaped(fragment).then_some(Self { fragment, ..url })
    }

    /// `url.ParseRequestURI`: an address or the path of one, without a fragment.
    pub fn parse_request(text: &'t str) -> Option<Self> {
        if text.is_empty() { None } else { Self::read(text, true) }
    }

    fn read(text: &'t str, is_request: bool) -> Option<Self> {
        if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
            return None;
        }
        let (scheme, rest) = split_scheme(text)?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let scheme = scheme.to_ascii_lowercase();
        let has_scheme = !scheme.is_empty();
        let url = Self { scheme, host: "", user: None, path: "", query, fragment: "" };
        if !rest.starts_with('/') && rest != "*" {
            let has_colon = rest.split('/').next().is_some_and(|part| part.contains(':'));
            let is_good = has_scheme || !is_request && !has_colon && is_escaped(rest);
            return is_good.then_some(url);
        }
        let may_have_host = has_scheme || !is_request && !rest.starts_with("///");
        let Some(rest) = rest.strip_prefix("//").filter(|_| may_have_host) else {
            return is_escaped(rest).then_some(Self { path: rest, ..url });
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        let is_good = is_host(host) && user.is_none_or(is_user) && is_escaped(path);
        is_good.then_some(Self { host, user, path, ..url })
    }
}

/// Splits off the scheme at its colon; `None` if a colon is first.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return None,
            b':' => return text.split_once(':'),
            _ => break,
        }
    }
    Some(("", text))
}

/// Whether each `%` precedes two hexadecimal digits.
fn is_escaped(text: &str) -> bool {
    text.split('%').skip(1).all(|part| {
        part.get(..2).is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
    })
}

fn is_host(host: &str) -> bool {
    let is_port = |text: &str| {
        text.strip_prefix(':')
            .map_or(text.is_empty(), |digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if let Some(rest) = host.strip_prefix('[') {
        let Some((address, port)) = rest.rsplit_once(']') else { return false };
        let address = address.split_once("%25").map_or(address, |(address, _)| address);
        return is_port(port) && address.parse::<Ipv6Addr>().is_ok();
    }
    let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
    let is_allowed = |byte: u8| {
        byte >= 0x80 || byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=<>\"%".contains(&byte)
    };
    // A host can only contain escapes of characters that are not allowed unescaped.
    let is_foreign =
        |part: &str| matches!(part.as_bytes(), [b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..]);
    let is_escape = |part: &str| part.starts_with("25") || is_foreign(part);
    is_port(port)
        && name.bytes().all(is_allowed)
        && is_escaped(name)
        && name.split('%').skip(1).all(is_escape)
}

fn is_user(user: &str) -> bool {
    user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte))
        && is_escaped(user)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_and_rejects_as_go_does() {
        for text in [
            "https://a.b/c",
            "https://a:80",
            "https://[::1]:80/",
            "http://",
            "https:a",
            "a/b",
            "",
            "//a/b",
            "https://a/%41",
            "mailto:x",
            "/a b",
            "https://u:p@a",
            "https://a?b#c",
            "*",
            "a:b:c%",
            "https:///a",
            "https://a/b c",
            "https://a:",
            "https://a<b",
            "https://ä",
            "1a/b:c",
            "https://a?%",
            "https://:80",
        ] {
            assert!(Url::parse(text).is_some(), "{text}");
        }
        for text in [
            ":a",
            "https://a b",
            "https://a:b",
            "https://a/%4",
            "1a:b",
            "https://[::1",
            "https://[a]",
            "https://u{@a",
            "a\nb",
            "https://a#%",
            "https://a:80:90",
            "https://a{b",
            "a b:c",
            "https://a%41",
            "https://a[b]",
        ] {
            assert_eq!(Url::parse(text), None, "{text}");
        }
    }

    #[test]
    fn knows_its_parts() {
        let url = Url::parse("HTTPS://u@a?b#c").unwrap();
        assert_eq!(url.scheme, "https");
        assert_eq!((url.host, url.user, url.query, url.fragment), ("a", Some("u"), "b", "c"));
        let bare = Url::parse("https:///a").unwrap();
        assert_eq!((bare.host, bare.user, bare.query, bare.fragment), ("", None, "", ""));
    }

    #[test]
    fn a_request_has_a_path_or_a_scheme() {
        assert!(Url::parse_request("https://a/b").is_some_and(|url| url.host == "a"));
        assert!(Url::parse_request("/a").is_some_and(|url| url.scheme.is_empty()));
        assert_eq!(Url::parse_request("yes"), None);
        assert_eq!(Url::parse_request(""), None);
    }
}
