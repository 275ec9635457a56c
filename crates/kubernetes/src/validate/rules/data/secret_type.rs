//! The keys and annotations that each Secret type requires.

use super::{DOCKER_CONFIG_INVALID, SECRET_INCOMPLETE, TLS_DATA_NOT_PEM};
use crate::diag::{Diagnostic, Message, Words, message};
use crate::scalar::{decode_base64, is_base64};
use crate::tree::{Entry, Node};
use crate::validate::rules::judge::{Judge, Rejection, text_at, text_of};
use crate::validate::rules::signers::blocks;
use serde::de::IgnoredAny;
use std::borrow::Cow;

/// The annotation with the service account of a token.
const ACCOUNT: &str = "kubernetes.io/service-account.name";

/// The starts of the messages of `serde_json`.
const JSON_FAULTS: [&str; 18] = [
    "EOF while parsing a list",
    "EOF while parsing a string",
    "EOF while parsing a value",
    "EOF while parsing an object",
    "control character (\\u0000-\\u001F) found while parsing a string",
    "expected `,` or `]`",
    "expected `,` or `}`",
    "expected `:`",
    "expected ident",
    "expected value",
    "invalid escape",
    "invalid number",
    "invalid unicode code point",
    "key must be a string",
    "lone leading surrogate in hex escape",
    "recursion limit exceeded",
    "trailing characters",
    "trailing comma",
];

pub(super) fn check(judge: &mut Judge<'_>) {
    let object = judge.object;
    match text_at(&object.root, &["type"]) {
        "kubernetes.io/tls" => {
            for key in ["tls.crt", "tls.key"] {
                match entry_of_key(judge, key) {
                    Some(entry) => check_pem(judge, entry, key),
                    None => {
                        report_missing_key(
                            judge,
                            key,
                            message!("add `{}` to `data`; it may be empty", Words(key)),
                        );
                    }
                }
            }
        }
        "kubernetes.io/ssh-auth" => {
            let key = entry_of_key(judge, "ssh-privatekey");
            if key.is_none_or(|entry| entry.value.as_str().is_none_or(str::is_empty)) {
                report_missing_key(
                    judge,
                    "ssh-privatekey",
                    "add `ssh-privatekey` to `data`, with a key in it",
                );
            }
        }
        "kubernetes.io/basic-auth"
            if entry_of_key(judge, "username").is_none()
                && entry_of_key(judge, "password").is_none() =>
        {
            report_missing_key(judge, "username", "add `username`, `password` or both to `data`");
        }
        "kubernetes.io/dockerconfigjson" => check_docker_config(judge, ".dockerconfigjson"),
        "kubernetes.io/dockercfg" => check_docker_config(judge, ".dockercfg"),
        "kubernetes.io/service-account-token" => {
            let account = object.root.str_at(&["metadata", "annotations", ACCOUNT]);
            if account.is_none_or(str::is_empty) {
                let finding = mismatch_finding(judge, message!("has no annotation `{ACCOUNT}`"))
                    .help(message!("add the annotation `{ACCOUNT}: <service account>`"));
                judge.report(
                    finding,
                    (judge.root(), "metadata.annotations[kubernetes.io/service-account.name]"),
                );
            }
        }
        _ => {}
    }
}

/// Finds the entry of a key. A key without a value is present and empty.
fn entry_of_key<'o>(judge: &Judge<'o>, key: &str) -> Option<&'o Entry> {
    let object = judge.object;
    ["stringData", "data"]
        .into_iter()
        .find_map(|field| object.root.get(field)?.as_map()?.entry(key))
}

fn mismatch_finding(judge: &Judge<'_>, what: impl Into<Message>) -> Diagnostic {
    let object = judge.object;
    let at = object.root.get("type").map_or_else(|| object.name_span(), Node::span);
    let message = message!("{} {}", object.describe(), what.into());
    Diagnostic::new(&SECRET_INCOMPLETE, at, message).at("requires it")
}

fn report_missing_key(judge: &mut Judge<'_>, key: &'static str, help: impl Into<Message>) {
    let finding = mismatch_finding(judge, message!("has no `{}`", Words(key))).help(help);
    judge.report(finding, (&judge.object.root, &*format!("data[{key}]")));
}

/// What is wrong in JSON, in words that are not from the JSON.
fn json_fault(error: &str) -> Words {
    let known = JSON_FAULTS.iter().find(|fault| error.starts_with(**fault));
    Words(known.copied().unwrap_or("syntax error"))
}

/// The decoded value of a key; `None` if it is not base64, or has a placeholder.
fn decode_entry(judge: &Judge<'_>, entry: &Entry) -> Option<Vec<u8>> {
    let text = match &entry.value {
        value if value.is_null() => "",
        value => value.as_str()?,
    };
    let is_plain = judge
        .object
        .root
        .get("stringData")
        .and_then(|data| data.as_map()?.entry(&entry.key))
        .is_some();
    if ["${", "$(", "{{", "<", "@"].iter().any(|mark| text.contains(mark)) {
        return None;
    }
    if is_plain {
        return Some(text.as_bytes().to_vec());
    }
    is_base64(text).then(|| decode_base64(text))
}

/// Warns as the API server does (`warningsForSecret`), as far as that needs no cryptography.
fn check_pem(judge: &mut Judge<'_>, entry: &Entry, key: &'static str) {
    let Some(bytes) = decode_entry(judge, entry) else { return };
    let text = String::from_utf8_lossy(&bytes);
    let is_wanted = |label: &str| match key {
        "tls.crt" => label == "CERTIFICATE",
        _ => label == "PRIVATE KEY" || label.ends_with(" PRIVATE KEY"),
    };
    if blocks(&text).any(|block| is_wanted(block.label)) {
        return;
    }
    let what = if key == "tls.crt" { "certificate" } else { "private key" };
    let finding = Diagnostic::new(
        &TLS_DATA_NOT_PEM,
        entry.value.span(),
        message!("`{}` has no PEM {}", Words(key), Words(what)),
    )
    .at("no PEM block")
    .note("the API server accepts the Secret with a warning, and its users fail to read it")
    .help("write the PEM file: base64 under `data`, or its text under `stringData`");
    judge.report_as(Rejection::Never, finding, (&judge.object.root, &*format!("data[{key}]")));
}

/// Checks registry credentials, which must be a JSON object; its contents are not checked.
fn check_docker_config(judge: &mut Judge<'_>, key: &'static str) {
    let Some(entry) = entry_of_key(judge, key) else {
        let help = message!("add `{}` to `stringData`, or in base64 to `data`", Words(key));
        return report_missing_key(judge, key, help);
    };
    let text = text_of(&entry.value);
    let is_plain =
        judge.object.root.get("stringData").and_then(|data| data.as_map()?.entry(key)).is_some();
    let bytes = if is_plain { text.as_bytes().to_vec() } else { decode_base64(text) };
    let text: Cow<'_, str> = String::from_utf8_lossy(&bytes);
    let json = text.trim_start_matches([' ', '\t', '\r', '\n']);
    // Go also decodes `null` into a map.
    let is_object = json.starts_with('{') || json.trim_end() == "null";
    let fault = match serde_json::from_str::<IgnoredAny>(json) {
        Ok(_) if is_object => return,
        Ok(_) => "is not a JSON object".into(),
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            let fault = json_fault(&error.to_string());
            message!("is not valid JSON: {} at line {line} column {column}", fault)
        }
    };
    let finding = Diagnostic::new(
        &DOCKER_CONFIG_INVALID,
        entry.value.span(),
        message!("`{}` {fault}", Words(key)),
    )
    .at("not registry credentials")
    .help("use the file that `docker login` writes: `{\"auths\": {...}}`");
    judge.report(finding, (&judge.object.root, &*format!("data[{key}]")));
}
