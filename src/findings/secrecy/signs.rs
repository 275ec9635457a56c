//! The words by which secrets are recognized: those that are certain, and those with one typo.

use std::sync::LazyLock;

use memchr::memmem;

use super::names::is_known_sign;
use crate::schema;
use crate::source::Slice as _;

/// Words in the names of environment variables and headers whose values are credentials, by their first
/// letters.
const CREDENTIALS: [(u8, &[&str]); 6] = [
    (b'p', &["password", "passwd", "passphrase", "private_key", "privatekey"]),
    (b's', &["secret"]),
    (b't', &["token"]),
    (b'a', &["apikey", "api_key", "accesskey", "authorization"]),
    (b'c', &["credential"]),
    (b'd', &["dockerconfig"]),
];

/// The ends of the names of fields whose strings are credentials wherever they are, without signs between
/// words. Other credentials can be names of objects: `existingSecret`.
const ENDS: [&str; 8] = [
    "password",
    "passwd",
    "passphrase",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "clientsecret",
];

/// Fields with a word of [`CREDENTIALS`] that refer to a Secret, or are settings.
const REFERENCES: [&str; 8] = [
    "automountServiceAccountToken",
    "imagePullSecrets",
    "secretKeyRef",
    "secretName",
    "secretRef",
    "serviceAccountToken",
    "serviceAccountTokenInSecrets",
    "tokenRequests",
];

/// The names of all fields of Kubernetes, and of its kinds.
static FIELDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let kinds = schema::store::kinds().iter().map(|it| it.kind);
    let mut names: Vec<_> = schema::store::field_names().chain(kinds).collect();
    names.sort_unstable();
    names.dedup();
    names
});

/// Whether a word is the name of a field or a kind of Kubernetes.
pub(super) fn is_field_or_kind(word: &str) -> bool {
    FIELDS.binary_search(&word).is_ok()
}

/// Whether a text can contain a secret value. It has no false negatives. Up to the first sign, such as `data`, it takes
/// 15 instructions per byte; but what has no sign is not hidden, even if it cannot be read.
pub(super) fn may_contain_secret(text: &str) -> bool {
    has_sign(text) || has_user(text)
}

/// Whether a word is a sign of a secret.
fn has_sign(text: &str) -> bool {
    words(text).any(is_known_sign)
}

/// Like [`may_contain_secret`], without the names of fields that only refer to a Secret.
/// The data of a ConfigMap is not secret, and one that cannot be read says what it is.
pub(super) fn names_secret(text: &str) -> bool {
    let (mut is_config_map, mut has_data) = (false, false);
    for word in words(text) {
        if word == "ConfigMap" {
            is_config_map = true;
        } else if word == "data" {
            has_data = true;
        } else if is_known_sign(word) && !REFERENCES.contains(&word) && !is_group(word) {
            return true;
        }
    }
    // In a comment, it can be a word of prose.
    let is_prose = || memchr::memchr(b':', text.as_bytes()).is_none();
    has_data && !is_config_map && !is_prose() || has_user(text)
}

/// Whether a word is an API group of Kubernetes, such as that of Roles, which has the name of a credential in it.
fn is_group(word: &str) -> bool {
    word.ends_with(".k8s.io")
}

/// The words of a text that can be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while !is_of_word(*bytes.get(at)?) {
            at += 1;
        }
        let start = at;
        while bytes.get(at).is_some_and(|byte| is_of_word(*byte)) {
            at += 1;
        }
        text.get(start..at)
    })
}

const fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Whether a word is a sign of a secret.
pub(super) fn is_sign(word: &str) -> bool {
    is_near_field(word) || is_credential(word) || is_near_end(word)
}

/// Whether a word is the kind or a field of a Secret, perhaps with a typo.
fn is_near_field(word: &str) -> bool {
    /// The length of `data` with a letter less.
    const SHORTEST: usize = 3;
    let is_near = |part: &str| is_near_secret(part) || is_near_data(part);
    match memchr::memchr(b'.', word.as_bytes()) {
        _ if word.len() < SHORTEST => false,
        None => is_near(word),
        Some(_) => word.split('.').any(is_near),
    }
}

/// Whether a name looks like the name of a credential: `DB_PASSWORD`, `x-api-key`.
pub(super) fn is_credential(name: &str) -> bool {
    /// The length of the shortest word: `token`.
    const SHORTEST: usize = 5;
    let name = name.as_bytes();
    name.len() >= SHORTEST
        && (starts_with(name.slice(name.len() - "_key".len()..), "_key")
            || name.windows(SHORTEST).enumerate().any(|(at, start)| {
                let rest = name.slice(at..);
                start.first().is_some_and(|first| {
                    let words = words_of_credentials(first.to_ascii_lowercase());
                    words.iter().any(|word| starts_with(rest, word))
                })
            }))
}

/// The words of [`CREDENTIALS`] that start with a letter.
fn words_of_credentials(first: u8) -> &'static [&'static str] {
    let found = CREDENTIALS.iter().find(|(letter, _)| *letter == first);
    found.map_or(&[], |(_, words)| words)
}

/// Whether a name starts with a word, which is in lowercase. Instead of `_`, it can have `-` and `.`.
fn starts_with(name: &[u8], word: &str) -> bool {
    let is_same = |(byte, of_word): (&u8, &u8)| match byte {
        b'-' | b'.' => *of_word == b'_',
        byte => byte.to_ascii_lowercase() == *of_word,
    };
    name.len() >= word.len() && name.iter().zip(word.as_bytes()).all(is_same)
}

/// Like [`is_credential`], perhaps with a typo.
pub(super) fn is_near_credential(name: &str) -> bool {
    let is_near = |part: &str| {
        let mut words = CREDENTIALS.iter().flat_map(|(_, words)| *words);
        words.any(|word| is_within_an_edit(part, word))
    };
    let is_variable = is_shouted(name);
    let name = normalized(name);
    is_credential(&name)
        || name.split('_').any(is_near)
        || is_variable && is_credential_with_typo(&name.replace('_', ""))
}

/// Whether one of the longer words of [`CREDENTIALS`] is in some letters, perhaps with a typo.
fn is_credential_with_typo(letters: &str) -> bool {
    let mut words = CREDENTIALS.iter().flat_map(|(_, words)| *words);
    words.any(|word| {
        let lengths = word.len() - 1..=word.len() + 1;
        word.len() >= "password".len()
            && lengths.into_iter().any(|length| {
                let mut parts = (0..letters.len()).filter_map(|at| letters.get(at..at + length));
                parts.any(|it| is_within_an_edit(it, word))
            })
    })
}

/// Whether a name has the letters of an environment variable.
pub(super) fn is_shouted(name: &str) -> bool {
    name.contains('_') && !name.bytes().any(|c| c.is_ascii_lowercase())
}

/// Whether a name is one of the longer [`ENDS`], perhaps with a typo. In a shorter one, it gives other words.
fn is_near_end(name: &str) -> bool {
    /// The length of `password`.
    const SHORTEST: usize = 8;
    ENDS.iter().any(|end| end.len() >= SHORTEST && is_within_an_edit(name, end))
}

/// Whether a field with this name has a credential, and not the name of an object that has it.
pub(crate) fn ends_as_credential(name: &str) -> bool {
    if is_near_end(name) {
        return true;
    }
    let letters = || name.bytes().rev().filter(u8::is_ascii_alphanumeric);
    ENDS.iter().any(|end| {
        let mut letters = letters();
        end.bytes().rev().all(|c| letters.next().is_some_and(|it| it.to_ascii_lowercase() == c))
    })
}

/// A name in lowercase, with `_` between words and without the characters that no name has.
fn normalized(name: &str) -> String {
    let name = name.to_ascii_lowercase().replace(['-', '.'], "_");
    name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Whether a word is `Secret` or `Secrets`, perhaps with a typo.
pub(super) fn is_near_secret(word: &str) -> bool {
    is_within_an_edit(word, "secret") || is_within_an_edit(word, "secrets")
}

/// Whether a key is `data` or `stringData`, perhaps with a typo.
pub(super) fn is_near_data(key: &str) -> bool {
    // Another character in the indentation is a part of the key.
    key.split(' ').any(|it| {
        is_near_string_data(it) || is_within_an_edit(it, "data") && !it.eq_ignore_ascii_case("date")
    })
}

/// Whether a key is `stringData`, perhaps with a typo.
pub(super) fn is_near_string_data(key: &str) -> bool {
    is_within_an_edit(key, "stringdata")
}

/// Whether a key is kustomize's `literals`, perhaps with a typo.
pub(super) fn is_near_literals(key: &str) -> bool {
    is_within_an_edit(key, "literals")
}

/// Whether a word differs from another one, which is in lowercase, by at most one letter, or two that
/// were exchanged.
pub(super) fn is_within_an_edit(word: &str, target: &str) -> bool {
    let (word, target) = (word.as_bytes(), target.as_bytes());
    if word.len().abs_diff(target.len()) > 1 {
        return false;
    }
    // One mistake leaves the first or the last letter.
    let is_end =
        |a: Option<&u8>, b: Option<&u8>| a.zip(b).is_some_and(|(a, b)| a.eq_ignore_ascii_case(b));
    if !is_end(word.first(), target.first()) && !is_end(word.last(), target.last()) {
        return false;
    }
    let is_same = |(a, b): &(&u8, &u8)| a.eq_ignore_ascii_case(b);
    let start = word.iter().zip(target).take_while(is_same).count();
    let (word, target) = word
        .split_at_checked(start)
        .zip(target.split_at_checked(start))
        .map_or((&[][..], &[][..]), |((_, word), (_, target))| (word, target));
    let end = word.iter().rev().zip(target.iter().rev()).take_while(is_same).count();
    match (word.len() - end, target.len() - end) {
        (0 | 1, 0 | 1) => true,
        (2, 2) => match (word, target) {
            ([a, b, ..], [c, d, ..]) => a.eq_ignore_ascii_case(d) && b.eq_ignore_ascii_case(c),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a string holds a secret: an address with a password, a file or a command in which a name
/// that looks like a credential has a value, or the text of a Secret.
pub(super) fn holds_secret(text: &str) -> bool {
    /// The length of `a_key=b`.
    const SHORTEST: usize = 7;
    text.len() >= SHORTEST
        && memchr::memchr2(b':', b'=', text.as_bytes()).is_some()
        && (has_user(text)
            || has_sign(text)
                && (is_of_secret(text) || has_value(text) || is_of_unknown_kind(text)))
}

/// Whether a text has `//user:password@host`, perhaps with a typo in `//`. The password can have any
/// character that is not a space.
fn has_user(text: &str) -> bool {
    /// The length in bytes of the longest address.
    const LONGEST: usize = 2048;
    let bytes = text.as_bytes();
    // Most addresses have no user.
    memchr::memchr(b'@', bytes).is_some()
        && memmem::find_iter(bytes, ":/").any(|at| {
            let address = text.slice(at + ":/".len()..).trim_start_matches('/');
            let address = address.slice(..address.floor_char_boundary(LONGEST));
            let is_end = |c: char| c == '"' || c != '\t' && c.is_whitespace();
            let address = address.split_once(is_end).map_or(address, |(address, _)| address);
            let password = address.rsplit_once('@').and_then(|(user, _)| user.split_once(':'));
            password.is_some_and(|(host, it)| {
                let is_port = it.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('/');
                !it.is_empty() && !it.starts_with(['$', '{']) && !is_port && !host.contains('/')
            })
        })
}

/// Whether a text has the kind of a Secret, perhaps with a typo and a field of it, or a field that only a
/// Secret has.
fn is_of_secret(text: &str) -> bool {
    let (mut has_kind, mut has_data, mut before) = (false, false, "");
    words(text).any(|word| {
        has_kind |= is_near_secret(word);
        has_data |= is_near_data(word);
        let is_kind = word == "Secret" && before == "kind";
        before = word;
        is_kind || has_kind && has_data || is_near_string_data(word)
    })
}

/// Whether a text is that of an object with data and without a kind.
fn is_of_unknown_kind(text: &str) -> bool {
    let (mut has_version, mut has_data) = (false, false);
    let has_kind = words(text).any(|word| {
        has_version |= word == "apiVersion";
        has_data |= is_near_data(word);
        word == "kind"
    });
    has_version && has_data && !has_kind
}

/// Whether a text has a name that looks like a credential before a colon or an equals sign, and a
/// value after it that is not a reference.
fn has_value(text: &str) -> bool {
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '"' | '\'' | '\\');
    text.lines().any(|line| {
        let mut from = 0;
        memchr::memchr2_iter(b':', b'=', line.as_bytes()).any(|at| {
            let before = line.slice(from..at).trim_end_matches(is_blank);
            from = at + 1;
            let value = line.slice(from..).trim_start_matches(is_blank);
            let is_value = !value.is_empty() && !value.starts_with(['$', '<', '{', '[', ',', '}']);
            let name = last_word(before);
            is_value && (is_credential(name) || is_near_string_data(name))
        })
    })
}

/// The last word of a text, if there is one.
fn last_word(text: &str) -> &str {
    let bytes = text.as_bytes();
    let end = bytes.iter().rposition(|byte| is_of_word(*byte)).map_or(0, |at| at + 1);
    let before = bytes.slice(..end);
    let start = before.iter().rposition(|byte| !is_of_word(*byte)).map_or(0, |at| at + 1);
    text.slice(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_contain_a_secret_if_a_word_of_it_is_a_credential() {
        let others = ["key", "_key", "keys", "a_keys", "api key", "pass", "TOKE", "kubernetes"];
        let words = [
            "DB_PASSWORD",
            "x-api-key",
            "ApiKey",
            "a_key",
            "A-KEY",
            "tls.key",
            "tls_private-key",
            "tokens",
        ];
        for word in others.iter().chain(&words) {
            let is_any = word.split(' ').any(is_credential);
            assert_eq!(is_any, words.contains(word), "{word}");
            for text in [(*word).to_owned(), format!("a: {word}\n"), format!("é{word}é")] {
                assert_eq!(may_contain_secret(&text), is_any, "{text}");
            }
        }
    }

    #[test]
    fn data_is_a_sign_of_a_secret_unless_it_is_a_word_of_prose() {
        for (text, is_sign) in [
            ("data:\n  a: b\n", true),
            ("# data: a\n", true),
            ("kind: ConfigMap\ndata:\n  a: b\n", false),
            ("# change to the data of the source\n", false),
            ("# the password of the data\n", true),
        ] {
            assert_eq!(names_secret(text), is_sign, "{text}");
        }
    }

    #[test]
    fn a_word_with_one_typo_is_near() {
        for word in ["Secret", "secrets", "Secet", "Sercet", "Secrett", "SECRE", "ecret"] {
            assert!(is_near_secret(word), "{word}");
        }
        for word in ["Service", "Scert", "", "S", "Secretary"] {
            assert!(!is_near_secret(word), "{word}");
        }
        for word in ["data", "dta", "Data", "datas", "stringData", "stringdata", "sringData"] {
            assert!(is_near_data(word), "{word}");
        }
        for word in ["date", "metadata", "a", "path", "strData"] {
            assert!(!is_near_data(word), "{word}");
        }
        for name in ["DB_PASSWRD", "API_TOKN", "Authorisation", "aws_secret"] {
            assert!(is_near_credential(name), "{name}");
        }
        assert!(!is_near_credential("REPLICAS") && !is_near_credential("tok"));
    }

    #[test]
    fn a_string_holds_a_secret_if_a_credential_in_it_has_a_value() {
        for text in [
            "postgres://me:hunter2@db/a",
            "a: b\npassword: hunter2\n",
            "spring.datasource.password=hunter2",
            "curl -H 'Authorization: Bearer abc'",
            "{\"auth_token\":\"abc\"}",
            "kind: Secret\ndata:\n  a: aHVudGVyMg==\n",
            "stringData: a",
        ] {
            assert!(holds_secret(text), "{text}");
        }
        for text in [
            "postgres://db/a",
            "https://host:80/a@b",
            "postgres://me:$PASSWORD@db/a",
            "password: $PASSWORD",
            "a token: the first word",
            "secretName",
            "token:",
        ] {
            assert_eq!(holds_secret(text), text.starts_with("a token"), "{text}");
        }
    }
}
