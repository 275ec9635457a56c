//! Commands of other programs that people try first, and the ones that do the same here.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Names of commands elsewhere, and what to write here.
const NAMES: &[(&[&str], &str)] = &[
    (&["lint", "validate", "verify", "vet", "scan", "dry-run"], "check"),
    (&["render", "template", "compile", "generate", "synth", "export", "kustomize"], "build"),
    (&["compare", "changes"], "diff"),
    (&["fix"], "check --fix"),
    (&["format", "prettier"], "fmt"),
    (&["apply"], "build ... | kubectl apply -f -"),
    (&["convert", "upgrade"], "migrate"),
    (&["new", "create"], "init"),
    (&["completion"], "completions"),
    (&["doc", "docs", "rule", "rules"], "explain"),
];

/// Adds the command that does the same as an unknown one.
pub(super) fn commands(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let known = NAMES.iter().find(|(names, _)| names.contains(&unknown.as_str()));
    if let Some((_, meant)) = known {
        let meant = ContextValue::Strings(vec![(*meant).to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, meant);
    }
    error
}
