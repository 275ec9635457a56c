//! Detection of secret values in a tree.

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};

use super::lines::{self, is_of_envelope};
use crate::kube::LAST_APPLIED;
use crate::source::Span;
use crate::tree::{Node, Value};

/// Words in the names of environment variables and headers whose values are credentials.
const CREDENTIALS: [&str; 9] = [
    "password",
    "passwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "private_key",
    "credential",
    "authorization",
];

/// The names for which [`is_credential`] is true, and `stringData`, anywhere in a file.
static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = CREDENTIALS.join("|").replace('_', "[_-]");
    let pattern = format!("{words}|stringdata|[a-z0-9_-][_-]key(?:[^a-z0-9_-]|$)");
    RegexBuilder::new(&pattern).unicode(false).case_insensitive(true).build().ok()
});

/// The size in bytes of a file above which the time for the construction of [`NAMES`], a millisecond,
/// is less than what it saves.
const LARGE: usize = 1 << 16;

/// Whether a file can contain a secret value. This check is fast and has no false negatives.
pub(super) fn may_contain_secret(text: &str) -> bool {
    if text.len() < LARGE {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let is_sign = |word: &str| is_credential(word) || word == "stringData";
        return text.split(|c| !is_part(c)).any(is_sign);
    }
    may_name_secret(text)
}

/// Like [`may_contain_secret`], for a large file.
fn may_name_secret(text: &str) -> bool {
    NAMES.as_ref().is_none_or(|names| names.is_match(text.as_bytes()))
}

/// Whether a name looks like the name of a credential: `DB_PASSWORD`, `x-api-key`.
pub(super) fn is_credential(name: &str) -> bool {
    if name.len() < "token".len() {
        return false;
    }
    let name = name.to_ascii_lowercase().replace('-', "_");
    CREDENTIALS.iter().any(|word| name.contains(word)) || name.ends_with("_key")
}

/// Adds the spans of the secret values of an object.
pub(super) fn collect<'t>(root: &Node, text_of: &dyn Fn(Span) -> &'t str, secrets: &mut Vec<Span>) {
    let veil = Veil::of(root);
    if veil.of_secret.is_some() {
        // A duplicate key is not in the tree.
        for field in root.entries().iter().filter(|it| !is_of_envelope(&it.key)) {
            let place = field.value.span();
            secrets.extend(lines::values(place, text_of(place), &|_| true));
        }
        // Nor is a duplicate field.
        let is_read = |value: Span| {
            let mut fields = root.entries().iter().map(|it| it.value.span());
            fields.any(|it| it.has_begin_of(value) || value.has_begin_of(it))
        };
        let is_data = |key: &str| !is_of_envelope(key);
        let values = lines::values(root.span(), text_of(root.span()), &is_data).into_iter();
        secrets.extend(values.filter(|it| !is_read(*it)));
    }
    walk(root, veil, &mut Search { text_of, is_searched: false, secrets });
}

/// The values that [`collect`] finds.
struct Search<'s, 't> {
    text_of: &'s dyn Fn(Span) -> &'t str,
    /// Whether the lines around the value were searched.
    is_searched: bool,
    secrets: &'s mut Vec<Span>,
}

/// Adds the secret values at and below a node.
fn walk(node: &Node, veil: Veil, search: &mut Search<'_, '_>) {
    match &node.value {
        Value::Null => {}
        Value::Map(map) => {
            let inside = veil.inside(node);
            let was_searched = search.is_searched;
            if inside.has_credential && !was_searched {
                let text = (search.text_of)(node.span());
                // A duplicate key is not in the tree.
                search.secrets.extend(lines::values(node.span(), text, &|key| key == "value"));
                search.is_searched = true;
            }
            for entry in map.entries() {
                walk(&entry.value, inside.below(&entry.key), search);
            }
            search.is_searched = was_searched;
        }
        Value::List(items) => items.iter().for_each(|it| walk(it, veil.item(), search)),
        _ if veil.hides() => search.secrets.push(node.span()),
        _ => {}
    }
}

/// Whether a field next to `name` contains its value: `value`, a typo of it, or another word for
/// it. Other fields are excluded, because volumes, references and mounts have names as well.
fn is_value(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let is_near = strsim::damerau_levenshtein(&key, "value") <= 2 || key.starts_with("val");
    let is_other = ["content", "data", "default", "literal", "plain", "string", "text"]
        .iter()
        .any(|word| key.contains(word));
    (is_near || is_other) && !["defaultmode", "securitycontext", "valuefrom"].contains(&&*key)
}

/// Whether the values of an object are secret, at one position of a walk from its root: the data of a
/// Secret, `{name: DB_PASSWORD, value: ...}` anywhere, and the entries of maps called `env` or `headers`.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Veil {
    /// The part of a Secret in which the fields count that have secrets.
    of_secret: Option<SecretPart>,
    /// It is the root of an object.
    is_root: bool,
    /// The value is a secret, with everything below it.
    is_secret: bool,
    /// It is called `env` or `headers`.
    is_environment: bool,
}

/// A part of a Secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SecretPart {
    Root,
    Metadata,
    Annotations,
}

/// The position of a map, from which that of each of its values follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside {
    veil: Veil,
    /// Its `name` looks like a credential.
    has_credential: bool,
}

impl Veil {
    /// At the root of an object.
    pub(crate) fn of(root: &Node) -> Self {
        let is_secret = root.str_at(&["kind"]) == Some("Secret");
        let of_secret = is_secret.then_some(SecretPart::Root);
        Self { of_secret, is_root: true, ..Self::default() }
    }

    /// In a map, where this is its position.
    pub(crate) fn inside(self, map: &Node) -> Inside {
        let has_credential = map.str_at(&["name"]).is_some_and(is_credential);
        Inside { veil: self, has_credential }
    }

    /// At an item of a list at this position.
    pub(crate) const fn item(self) -> Self {
        Self { of_secret: None, is_root: false, is_environment: false, ..self }
    }

    /// Whether the value is secret.
    pub(crate) const fn hides(self) -> bool {
        self.is_secret
    }
}

impl Inside {
    /// At the value under a key.
    pub(crate) fn below(self, key: &str) -> Veil {
        let Self { veil, has_credential } = self;
        let of_secret = match (veil.of_secret, key) {
            (Some(SecretPart::Root), "metadata") => Some(SecretPart::Metadata),
            (Some(SecretPart::Metadata), "annotations") => Some(SecretPart::Annotations),
            _ => None,
        };
        let is_data = match veil.of_secret {
            // A misspelled field has values as well.
            Some(SecretPart::Root) => !is_of_envelope(key),
            Some(SecretPart::Annotations) => key == LAST_APPLIED,
            Some(SecretPart::Metadata) => false,
            // Of all kinds, only Secret has this field, so the kind is wrong.
            None => veil.is_root && key == "stringData",
        };
        Veil {
            of_secret,
            is_root: false,
            is_secret: is_data
                || veil.is_secret
                || has_credential && is_value(key)
                || veil.is_environment && is_credential(key),
            is_environment: matches!(key, "env" | "headers"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_hides_secret_values() {
        fn hidden(node: &Node, veil: Veil, found: &mut Vec<String>) {
            for entry in node.entries() {
                hidden(&entry.value, veil.inside(node).below(&entry.key), found);
            }
            node.items().iter().for_each(|it| hidden(it, veil.item(), found));
            found.extend(node.as_str().filter(|_| veil.hides()).map(ToOwned::to_owned));
        }
        let json = |text: &str| {
            let json = serde_json::from_str(text).unwrap();
            Node::from_json(
                json,
                crate::tree::Origin::source(crate::source::Workspace::new().start()),
            )
        };
        for (object, secret) in [
            (r#"{"kind": "Secret", "data": {"a": "x"}, "type": "Opaque"}"#, &["x"][..]),
            (r#"{"kind": "Secret", "stringData": {"a": "x"}}"#, &["x"]),
            (r#"{"kind": "Secret", "sringData": {"a": "x"}, "Type": "Opaque"}"#, &["x"]),
            (r#"{"kind": "Secet", "stringData": {"a": "x"}, "spec": {"stringData": "y"}}"#, &["x"]),
            (r#"{"kind": "ConfigMap", "data": {"a": "x"}}"#, &[]),
            (
                r#"{"kind": "Secret", "metadata": {"annotations": {"a": "y",
                    "kubectl.kubernetes.io/last-applied-configuration": "x"}}}"#,
                &["x"],
            ),
            (
                r#"{"spec": {"env": [{"name": "API_TOKEN", "value": "x"}, {"name": "A", "value": "y"}]}}"#,
                &["x"],
            ),
            (r#"{"spec": {"env": {"API_TOKEN": "x", "A": "y"}}}"#, &["x"]),
            (r#"{"env": [{"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "z"}}}]}"#, &[]),
        ] {
            let (root, mut found) = (json(object), Vec::new());
            hidden(&root, Veil::of(&root), &mut found);
            assert_eq!(found, secret, "{object}");
        }
    }

    #[test]
    fn fields_next_to_a_name_are_values_if_they_are_called_so() {
        for (field, is_it) in [
            ("value", true),
            ("vlaue", true),
            ("stringValue", true),
            ("text", true),
            ("valueFrom", false),
            ("securityContext", false),
            ("defaultMode", false),
            ("volumes", false),
        ] {
            assert_eq!(is_value(field), is_it, "{field}");
        }
    }

    #[test]
    fn a_file_may_contain_a_secret_if_a_word_of_it_is_a_credential() {
        let others =
            ["key", "_key", "keys", "a_keys", "a.key", "api key", "pass", "TOKE", "kubernetes"];
        let words =
            ["DB_PASSWORD", "x-api-key", "ApiKey", "a_key", "A-KEY", "tls_private-key", "tokens"];
        for word in others.iter().chain(&words) {
            let is_any = word.split([' ', '.']).any(is_credential);
            assert_eq!(is_any, words.contains(word), "{word}");
            for text in [(*word).to_owned(), format!("a: {word}\n"), format!("é{word}é")] {
                assert_eq!(may_contain_secret(&text), is_any, "{text}");
                assert_eq!(may_name_secret(&text), is_any, "{text}");
            }
        }
    }
}
