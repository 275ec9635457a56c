//! The data of ConfigMaps and Secrets, after `ValidateConfigMap` and `ValidateSecret` of
//! Kubernetes' `pkg/apis/core/validation`.

mod secret_type;

use super::judge::{Judge, entries, shown};
use crate::diag::{Diagnostic, declare_rules, message};
use crate::scalar::{base64_length, check_config_map_key};
use crate::source::Span;
use crate::tree::{Entry, Map, Node};

declare_rules! {
    DATA_KEY_INVALID = "data-key-invalid", Error;
    DATA_KEY_DUPLICATE = "data-key-duplicate", Error;
    DATA_TOO_LARGE = "data-too-large", Error;
    DATA_KEY_NULL = "data-key-null", Note;
    SECRET_INCOMPLETE = "secret-incomplete", Error, follows = [Misplaced];
    TLS_DATA_NOT_PEM = "tls-data-not-pem", Warning;
    DOCKER_CONFIG_INVALID = "docker-config-invalid", Error;
}

/// The maximum total size of an object's values, in bytes.
const MAX_BYTES: usize = 1 << 20;

const KEY_HELP: &str = "use at most 253 letters, digits, `-`, `_` and `.`";

/// Checks a ConfigMap.
pub(super) fn check_config_map(judge: &mut Judge<'_>) {
    let object = judge.object;
    for field in ["data", "binaryData"] {
        check_keys(judge, field);
    }
    let binary_map = Map::of(object.root.get("binaryData"));
    for entry in entries(&object.root, "data") {
        // A key without a value counts as well.
        let Some(other) = binary_map.entry(&entry.key) else { continue };
        let message = message!("key `{}` is in both `data` and `binaryData`", shown(&entry.key));
        let texts = (message, "in `data`", "remove one of them");
        judge.conflict(&DATA_KEY_DUPLICATE, entry, texts, (other, "in `binaryData`"));
    }
    let text: usize =
        entries(&object.root, "data").iter().map(|entry| text_bytes(&entry.value)).sum();
    let binary: usize =
        entries(&object.root, "binaryData").iter().map(|entry| decoded_bytes(&entry.value)).sum();
    check_size(judge, text + binary);
}

/// Checks a Secret. `stringData` overrides `data`.
pub(super) fn check_secret(judge: &mut Judge<'_>) {
    let object = judge.object;
    for field in ["data", "stringData"] {
        check_keys(judge, field);
    }
    let text = Map::of(object.root.get("stringData"));
    let is_hidden = |entry: &&Entry| text.entry(&entry.key).is_some();
    let visible = entries(&object.root, "data").iter().filter(|entry| !is_hidden(entry));
    let encoded: usize = visible.map(|entry| decoded_bytes(&entry.value)).sum();
    let plain: usize =
        entries(&object.root, "stringData").iter().map(|entry| text_bytes(&entry.value)).sum();
    check_size(judge, encoded + plain);
    secret_type::check(judge);
}

fn check_keys(judge: &mut Judge<'_>, field: &str) {
    for entry in entries(&judge.object.root, field) {
        // `{a:b}` is the key `a:b` because the space is missing, which is already reported.
        if entry.value.is_null() && entry.key.contains(':') {
            continue;
        }
        if let Err(fault) = check_config_map_key(&entry.key) {
            let message = match entry.key.as_str() {
                "" => message!("key {fault}"),
                key => message!("key `{}` {fault}", shown(key)),
            };
            judge.fault(&DATA_KEY_INVALID, entry, (message, "invalid key", KEY_HELP));
        } else if entry.value.is_null() {
            let message = message!("key `{}` has no value", shown(&entry.key));
            let finding = Diagnostic::new(&DATA_KEY_NULL, entry.key_origin().span(), message)
                .at("`null`")
                .note("`kubectl create` and server-side apply store an empty string, and `kubectl apply` leaves the key out")
                .help("write `\"\"`, or remove the key");
            judge.report(finding, entry);
        }
    }
}

fn check_size(judge: &mut Judge<'_>, bytes: usize) {
    if bytes <= MAX_BYTES {
        return;
    }
    let object = judge.object;
    let field =
        ["data", "stringData", "binaryData"].into_iter().find_map(|field| object.root.entry(field));
    let at: Span = field.map_or_else(|| object.name_span(), |entry| entry.key_origin().span());
    let message =
        message!("{} has {bytes} bytes of data, more than {MAX_BYTES}", object.describe());
    let text = (
        message,
        "exceeds the limit",
        "split it into several objects, or store the files in an image or a volume",
    );
    judge.fault(&DATA_TOO_LARGE, (at, (&judge.object.root, "data")), text);
}

fn text_bytes(node: &Node) -> usize {
    node.as_str().map_or(0, str::len)
}

fn decoded_bytes(node: &Node) -> usize {
    node.as_str().map_or(0, base64_length)
}
