//! URLs, as Go's `net/url.ParseRequestURI` reads them.

use std::fmt::Write as _;
use std::sync::Arc;

use super::Call;
use crate::cel::Stop;
use crate::cel::function::Function;
use crate::cel::value::{Key, Map, Value};
use crate::scalar;
use crate::sorted::SortedMap;

/// The parts of a URL that functions return.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Url {
    scheme: String,
    user: Option<String>,
    host: String,
    path: String,
    query: String,
}

/// The value of a call about URLs; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    match (call.function, &*call.values) {
        (Function::IsUrl, [Value::String(text)]) => Some(Ok(Value::Bool(Url::is_url(text)))),
        (Function::Url, [Value::String(text)]) => Some(match Url::parse(text) {
            Some(url) => Ok(Value::Url(Arc::new(url))),
            None => Err(Stop::error("URL parse error during conversion from string")),
        }),
        (function, [Value::Url(url)]) => Some(Ok(match function {
            Function::GetScheme => Value::text(url.scheme.as_str()),
            Function::GetHost => Value::text(url.host.as_str()),
            Function::GetHostname => Value::text(url.host_and_port().0),
            Function::GetPort => Value::text(url.host_and_port().1),
            Function::GetEscapedPath => Value::text(url.path.as_str()),
            Function::GetQuery => parse_query(&url.query),
            _ => return None,
        })),
        _ => None,
    }
}

impl Url {
    /// Whether it is an absolute URL, or an absolute path.
    pub(super) fn is_url(text: &str) -> bool {
        scalar::Url::parse_request(text).is_some()
    }

    fn parse(text: &str) -> Option<Self> {
        scalar::Url::parse_request(text)?;
        let url = scalar::Url::parse(text)?;
        Some(Self {
            scheme: url.scheme,
            user: url.user.map(ToOwned::to_owned),
            host: url.host.to_owned(),
            path: escape_path(url.path),
            query: url.query.to_owned(),
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

/// Escapes the characters that a path cannot contain; existing escapes are kept.
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

/// Parses a query into the values of each key; malformed pairs are dropped.
fn parse_query<'v>(query: &str) -> Value<'v> {
    let mut keys: SortedMap<Key, Vec<Value<'v>>> = SortedMap::new();
    for part in query.split('&').filter(|part| !part.is_empty() && !part.contains(';')) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        if let (Some(key), Some(value)) = (unescape_query(key), unescape_query(value)) {
            keys.entry(Key::String(key.into())).or_default().push(Value::text(value));
        }
    }
    let entries = keys.into_iter().map(|(key, values)| (key, Value::list(values)));
    Value::Map(Map::Made(Arc::new(entries.collect())))
}

fn unescape_query(text: &str) -> Option<String> {
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
