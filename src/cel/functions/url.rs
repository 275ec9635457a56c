//! URLs, as Go's `net/url.ParseRequestURI` reads them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::Call;
use crate::cel::Stop;
use crate::cel::value::{Key, Map, Value};

/// The parts of a URL.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Url {
    scheme: String,
    user: String,
    host: String,
    path: String,
    query: String,
}

/// The value of a call about URLs; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    match (call.function, call.values.as_slice()) {
        ("isURL", [Value::String(text)]) => Some(Ok(Value::Bool(Url::is_url(text)))),
        ("url", [Value::String(text)]) => Some(match Url::parse(text) {
            Some(url) => Ok(Value::Url(Arc::new(url))),
            None => Err(Stop::error("URL parse error during conversion from string")),
        }),
        (function, [Value::Url(url)]) => Some(Ok(match function {
            "getScheme" => Value::text(url.scheme.as_str()),
            "getHost" => Value::text(url.host.as_str()),
            "getHostname" => Value::text(url.host_and_port().0),
            "getPort" => Value::text(url.host_and_port().1),
            "getEscapedPath" => Value::text(url.path.as_str()),
            "getQuery" => query(&url.query),
            _ => return None,
        })),
        _ => None,
    }
}

impl Url {
    /// Whether it is an absolute URL, or an absolute path.
    pub(super) fn is_url(text: &str) -> bool {
        Self::parse(text).is_some()
    }

    fn parse(text: &str) -> Option<Self> {
        if text.is_empty() || text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
            return None;
        }
        let (scheme, rest) = scheme(text)?;
        // The fragment is no part of what can be asked for.
        let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        if !rest.starts_with('/') {
            // `mailto:a@b` has no path; without a scheme it is no absolute one.
            return (!scheme.is_empty()).then(|| Self {
                scheme,
                user: String::new(),
                host: String::new(),
                path: String::new(),
                query: query.to_owned(),
            });
        }
        let authority = rest.strip_prefix("//");
        let has_authority = !scheme.is_empty() || !rest.starts_with("///");
        let (user, host, path) = match authority.filter(|_| has_authority) {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                let (authority, path) = rest.split_at_checked(end)?;
                let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
                if !user.chars().all(is_user_character) || !is_escaped_well(user) || !is_host(host)
                {
                    return None;
                }
                (user, host, path)
            }
            None => ("", "", rest),
        };
        is_escaped_well(path).then(|| Self {
            scheme,
            user: user.to_owned(),
            host: host.to_owned(),
            path: escape_path(path),
            query: query.to_owned(),
        })
    }

    fn host_and_port(&self) -> (&str, &str) {
        if let Some(rest) = self.host.strip_prefix('[') {
            let (name, behind) = rest.split_once(']').unwrap_or((rest, ""));
            return (name, behind.strip_prefix(':').unwrap_or(""));
        }
        self.host.rsplit_once(':').unwrap_or((&self.host, ""))
    }
}

/// The scheme in small letters, and what is behind its colon; `None` where a colon comes first.
fn scheme(text: &str) -> Option<(String, &str)> {
    for (at, character) in text.char_indices() {
        match character {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if at > 0 => {}
            ':' if at == 0 => return None,
            ':' => {
                let (scheme, rest) = text.split_at_checked(at)?;
                return Some((scheme.to_ascii_lowercase(), rest.get(1..)?));
            }
            _ => break,
        }
    }
    Some((String::new(), text))
}

fn is_user_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(character)
}

fn is_host(host: &str) -> bool {
    let is_port = |text: &str| {
        text.is_empty()
            || text.strip_prefix(':').is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if let Some(rest) = host.strip_prefix('[') {
        return rest.rsplit_once(']').is_some_and(|(_, port)| is_port(port));
    }
    let colon = host.find(':').unwrap_or(host.len());
    let is_plain = |c: char| {
        !c.is_ascii() || c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:[]<>\"%".contains(c)
    };
    host.get(colon..).is_some_and(is_port) && host.chars().all(is_plain) && is_escaped_well(host)
}

/// Whether two hexadecimal digits stand behind each percent sign.
fn is_escaped_well(text: &str) -> bool {
    text.split('%').skip(1).all(|part| {
        part.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// What may not stand in a path is escaped; what is escaped stays so.
fn escape_path(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for byte in path.bytes() {
        let is_kept = byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@!'()*[]%".contains(&byte);
        if is_kept {
            escaped.push(char::from(byte));
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

/// The values of each key of a query; what is malformed is left out.
fn query<'v>(query: &str) -> Value<'v> {
    let mut keys: BTreeMap<Key, Vec<Value<'v>>> = BTreeMap::new();
    for part in query.split('&').filter(|part| !part.is_empty() && !part.contains(';')) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        if let (Some(key), Some(value)) = (unescape(key), unescape(value)) {
            keys.entry(Key::String(key.into())).or_default().push(Value::text(value));
        }
    }
    let entries = keys.into_iter().map(|(key, values)| (key, Value::list(values)));
    Value::Map(Map::Made(Arc::new(entries.collect())))
}

fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            other => other,
        });
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
