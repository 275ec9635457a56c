//! What the settings of Zed mean for the server. No part of the editor is needed here, so it is tested natively.

use zed_extension_api::serde_json::{Value, json};
use zed_extension_api::settings::LspSettings;
use zed_extension_api::{Command, EnvVars, Result};

/// The settings that are arguments of the server.
const ARGUMENTS: [&str; 3] = ["kubernetes", "environment", "policy"];

/// The command of the server: the program that `found` finds on the `PATH`, which must not be in the worktree. The
/// settings are those of the worktree, too, so they do not name a program, its arguments or its environment: Zed itself
/// reads `lsp.sandboxc.binary`, and asks whether the worktree is trusted.
pub(crate) fn command(
    settings: &LspSettings,
    root: &str,
    found: Option<String>,
    env: EnvVars,
) -> Result<Command> {
    let command = found.ok_or(
        "`sandboxc` is not on the `PATH`: install it, or set `lsp.sandboxc.binary.path` in your settings",
    )?;
    if is_in_worktree(&command, root) {
        return Err(format!(
            "`{command}` is a file of the worktree, and is not started: install `sandboxc` elsewhere"
        ));
    }
    Ok(Command { command, args: own_arguments(settings.settings.as_ref()), env })
}

/// Whether a program is in a worktree, or in a directory that depends on the working directory. Both kinds of
/// separators count, and letters in both cases, as on Windows.
fn is_in_worktree(program: &str, root: &str) -> bool {
    let normal = |path: &str| path.replace('\\', "/").to_lowercase();
    let (program, root) = (normal(program), normal(root));
    let is_absolute = program.starts_with('/') || program.get(1..3) == Some(":/");
    let has_dots = program.split('/').any(|part| matches!(part, "." | ".."));
    let below = program.strip_prefix(root.trim_end_matches('/'));
    !is_absolute || has_dots || below.is_some_and(|rest| rest.starts_with('/'))
}

/// `lsp`, and the options of `check` that are set. Each value is part of its option, so that it cannot be another one.
fn own_arguments(settings: Option<&Value>) -> Vec<String> {
    let given = ARGUMENTS.into_iter().filter_map(|name| {
        let value = settings.and_then(|it| it.get(name)).and_then(Value::as_str).unwrap_or("");
        (!value.is_empty()).then(|| format!("--{name}={value}"))
    });
    std::iter::once("lsp".to_owned()).chain(given).collect()
}

/// `initializationOptions`: those of the settings, or the hints of `lsp.sandboxc.settings`.
pub(crate) fn options(
    LspSettings { initialization_options, settings, .. }: LspSettings,
) -> Option<Value> {
    initialization_options.or(settings)
}

/// The settings of `workspace/didChangeConfiguration`, where the server expects its own below its name.
pub(crate) fn configuration(LspSettings { settings, .. }: LspSettings) -> Option<Value> {
    settings.map(|it| json!({"sandboxc": it}))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> LspSettings {
        zed_extension_api::serde_json::from_str(text).unwrap()
    }

    fn start(own: &str, found: &str) -> Result<Command> {
        command(&settings(own), "/work/a", Some(found.to_owned()), Vec::new())
    }

    #[test]
    fn the_program_is_found_on_the_path() {
        let env = vec![("A".to_owned(), "1".to_owned())];
        let found = Some("/bin/sandboxc".to_owned());
        let command = command(&settings("{}"), "/work/a", found, env.clone()).unwrap();
        assert_eq!((&*command.command, command.args), ("/bin/sandboxc", vec!["lsp".to_owned()]));
        assert_eq!(command.env, env);
    }

    #[test]
    fn the_settings_are_options_of_the_server() {
        let own = r#"{"settings": {"kubernetes": "1.34", "policy": "--render", "environment": "", "render": true}}"#;
        let command = start(own, "/bin/sandboxc").unwrap();
        assert_eq!(command.args, ["lsp", "--kubernetes=1.34", "--policy=--render"]);
    }

    #[test]
    fn the_settings_of_a_worktree_choose_no_program() {
        let own = r#"{"binary": {"path": "./x", "arguments": ["-c", "x"], "env": {"LD_PRELOAD": "./x"}}}"#;
        let command = start(own, "/bin/sandboxc").unwrap();
        assert_eq!((&*command.command, command.args), ("/bin/sandboxc", vec!["lsp".to_owned()]));
        assert_eq!(command.env, []);
    }

    #[test]
    fn a_program_in_the_worktree_is_not_started() {
        for inside in [
            "/work/a/sandboxc",
            "/work/a/bin/sandboxc",
            "sandboxc",
            "./sandboxc",
            "/x/../work/a/sandboxc",
        ] {
            assert!(
                start("{}", inside).unwrap_err().contains("is a file of the worktree"),
                "{inside}"
            );
        }
        for outside in ["/work/ab/sandboxc", "/work/sandboxc", "C:\\bin\\sandboxc.exe"] {
            assert!(start("{}", outside).is_ok(), "{outside}");
        }
        assert!(is_in_worktree("C:\\Work\\sandboxc.exe", "c:\\work"));
    }

    #[test]
    fn a_missing_program_is_explained() {
        let failed = command(&settings("{}"), "/work/a", None, Vec::new()).unwrap_err();
        assert!(failed.contains("lsp.sandboxc.binary.path"));
    }

    #[test]
    fn hints_reach_the_server() {
        let own = r#"{"settings": {"hints": {"uses": false}}}"#;
        let hints = json!({"hints": {"uses": false}});
        assert_eq!(options(settings(own)), Some(hints.clone()));
        assert_eq!(configuration(settings(own)), Some(json!({"sandboxc": hints})));
        let other = r#"{"initialization_options": {"a": 1}, "settings": {}}"#;
        assert_eq!(options(settings(other)), Some(json!({"a": 1})));
        assert_eq!(options(settings("{}")), None);
    }
}
