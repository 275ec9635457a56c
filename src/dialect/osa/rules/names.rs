//! Names of the archive: hooks, depositions, conventions.

use crate::decode::Text;
use crate::diag::{Diagnostic, Reported, Sink, declare_rules, message};
use crate::dialect::osa::identity::Convention;
use crate::dialect::osa::srn::{Srn, SrnFault};
use crate::lower::Frame;

declare_rules! {
    HOOK_NAME_INVALID = "hook-name-invalid", Error;
    OSA_NAME_INVALID = "osa-name-invalid", Error;
}

/// The maximum length of a hook name, from which the server derives table names of up to 63
/// characters.
const HOOK_NAME_LIMIT: usize = 40;
/// Names that are paths of the server's API.
const RESERVED: &[&str] = &["datasets", "records", "runs"];

/// Checks the name of a hook in the archive: its own, or that of the definition.
///
/// # Errors
/// If the archive does not accept it.
pub(in crate::dialect::osa) fn hook_name(
    frame: &Frame,
    own: Option<&Text>,
    sink: &mut Sink,
) -> Result<String, Reported> {
    let default = frame.metadata().name.as_str().replace('-', "_");
    let name = own.map_or(default.as_str(), Text::as_str);
    let Some((fault, label)) = hook_name_fault(name) else { return Ok(name.to_owned()) };
    let headline = match name {
        "" => "the hook name is empty".into(),
        name => message!("invalid hook name `{}`: {fault}", name.escape_debug()),
    };
    let span = own.map_or_else(|| frame.name().span(), Text::span);
    let finding = Diagnostic::new(&HOOK_NAME_INVALID, span, headline).at(label);
    Err(sink.error(if own.is_some() {
        finding.help("write up to 40 lowercase letters, digits and `_`, beginning with a letter")
    } else {
        finding.help("set `hookName`, which defaults to `metadata.name`")
    }))
}

fn hook_name_fault(name: &str) -> Option<(String, &'static str)> {
    let is_other = |character: char| !matches!(character, 'a'..='z' | '0'..='9' | '_');
    if let Some(character) = name.chars().find(|character| is_other(*character)) {
        let shown = character.escape_debug();
        return Some((format!("`{shown}` is not allowed"), "not a hook name"));
    }
    if !name.starts_with(|it: char| it.is_ascii_lowercase()) {
        return Some(("it must begin with a lowercase letter".to_owned(), "not a hook name"));
    }
    if name.len() > HOOK_NAME_LIMIT {
        let limit = HOOK_NAME_LIMIT;
        return Some((format!("it has {} characters, more than {limit}", name.len()), "too long"));
    }
    if RESERVED.contains(&name) {
        return Some(("the archive's API reserves this name".to_owned(), "reserved name"));
    }
    name.ends_with('_').then(|| {
        let fault = "the Job's label `osa.io/hook` cannot end with `_`".to_owned();
        (fault, "ends with `_`")
    })
}

/// The name of a deposition.
///
/// # Errors
/// If the name is invalid.
pub(in crate::dialect::osa) fn deposition(text: &Text, sink: &mut Sink) -> Result<Srn, Reported> {
    Srn::deposition(text.as_str()).map_err(|fault| {
        sink.error(invalid_srn(text, fault, "deposition", "dep").help(
            "write `urn:osa:<domain>:dep:<id>`, such as `urn:osa:archive.example.org:dep:abc123`",
        ))
    })
}

/// Checks a convention: its slug, or its resource name.
///
/// # Errors
/// If it is neither.
pub(in crate::dialect::osa) fn convention(
    text: &Text,
    sink: &mut Sink,
) -> Result<Convention, Reported> {
    let name = text.as_str();
    if name.contains(':') {
        return Srn::convention(name).map(Convention::Srn).map_err(|fault| {
            sink.error(invalid_srn(text, fault, "convention", "conv").help(
                "write a slug such as `geo-series`, or `urn:osa:<domain>:conv:<id>@<version>`",
            ))
        });
    }
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_slug = (3..=64).contains(&name.len())
        && name.starts_with(|it: char| it.is_ascii_lowercase())
        && name.bytes().all(is_plain);
    if is_slug {
        return Ok(Convention::Slug(name.to_owned()));
    }
    let message = message!("invalid convention slug `{name}`");
    Err(sink.error(
        Diagnostic::new(&OSA_NAME_INVALID, text.span(), message)
            .at("not a slug")
            .help("write 3 to 64 lowercase letters, digits and dashes, beginning with a letter"),
    ))
}

fn invalid_srn(text: &Text, fault: SrnFault, what: &str, kind: &str) -> Diagnostic {
    let fault = match fault {
        SrnFault::Form => "it must have five parts and start with `urn:osa:`".to_owned(),
        SrnFault::Domain => "the domain is not a DNS name".to_owned(),
        SrnFault::Kind => format!("the type of resource must be `{kind}`"),
        SrnFault::Id => "the id must be 3 to 64 letters, digits and dashes".to_owned(),
        SrnFault::VersionForbidden => format!("a {what} has no version"),
        SrnFault::Version => "it must end with a semantic version such as `@1.0.0`".to_owned(),
    };
    let message = message!("invalid resource name `{}` of a {what}: {fault}", text.as_str());
    Diagnostic::new(&OSA_NAME_INVALID, text.span(), message).at("not a resource name")
}

#[cfg(test)]
mod tests {
    use super::hook_name_fault;

    /// Recorded from the server's `HookIdentity`; names that end with `_` are not valid labels.
    #[test]
    fn a_hook_name_is_what_the_archive_accepts() {
        for name in ["a", "validate_dna", "a__b", &"a".repeat(40), "run", "a1"] {
            assert_eq!(hook_name_fault(name), None, "{name}");
        }
        for name in [
            "",
            "1st",
            "_a",
            "Check",
            "validate-dna",
            &"a".repeat(41),
            "records",
            "datasets",
            "runs",
            "trim_",
            "a\n",
            "é",
        ] {
            assert!(hook_name_fault(name).is_some(), "{name}");
        }
    }
}
