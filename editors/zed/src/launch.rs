//! What the settings of Zed mean for the server. No part of the editor is needed here, so it is tested natively.

use zed_extension_api::serde_json::{Value, json};
use zed_extension_api::settings::{CommandSettings, LspSettings};
use zed_extension_api::{Command, EnvVars, Result};

/// The settings that are arguments of the server.
const ARGUMENTS: [&str; 3] = ["kubernetes", "environment", "policy"];

/// The command of the server: `lsp.sandboxc.binary`, or the program that `found` finds on the `PATH`.
pub(crate) fn command(
    LspSettings { binary, settings, .. }: LspSettings,
    found: impl FnOnce() -> Option<String>,
    mut env: EnvVars,
) -> Result<Command> {
    let CommandSettings { path, arguments, env: more } =
        binary.unwrap_or(CommandSettings { path: None, arguments: None, env: None });
    let command = path.or_else(found).ok_or(
        "`sandboxc` is not on the `PATH`: install it, or set `lsp.sandboxc.binary.path` in the settings",
    )?;
    let mut more: Vec<_> = more.unwrap_or_default().into_iter().collect();
    more.sort();
    // Later ones take precedence.
    env.extend(more);
    Ok(Command {
        command,
        args: arguments.unwrap_or_else(|| own_arguments(settings.as_ref())),
        env,
    })
}

/// `lsp`, and the options of `check` that are set.
fn own_arguments(settings: Option<&Value>) -> Vec<String> {
    let given = ARGUMENTS.into_iter().flat_map(|name| {
        let value = settings.and_then(|it| it.get(name)).and_then(Value::as_str).unwrap_or("");
        let is_set = !value.is_empty();
        is_set.then(|| [format!("--{name}"), value.to_owned()]).into_iter().flatten()
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

    #[test]
    fn the_program_is_found_on_the_path() {
        let found = || Some("/bin/sandboxc".to_owned());
        let command =
            command(settings("{}"), found, vec![("A".to_owned(), "1".to_owned())]).unwrap();
        assert_eq!((&*command.command, command.args), ("/bin/sandboxc", vec!["lsp".to_owned()]));
        assert_eq!(command.env, [("A".to_owned(), "1".to_owned())]);
    }

    #[test]
    fn the_settings_take_precedence() {
        let own = r#"{"binary": {"path": "/x", "env": {"B": "2"}},
            "settings": {"kubernetes": "1.34", "policy": "restricted", "environment": ""}}"#;
        let command = command(settings(own), || panic!("not searched"), Vec::new()).unwrap();
        assert_eq!(command.command, "/x");
        assert_eq!(command.args, ["lsp", "--kubernetes", "1.34", "--policy", "restricted"]);
        assert_eq!(command.env, [("B".to_owned(), "2".to_owned())]);

        let own =
            r#"{"binary": {"path": "/x", "arguments": ["lsp"]}, "settings": {"policy": "x"}}"#;
        let command = super::command(settings(own), || None, Vec::new()).unwrap();
        assert_eq!(command.args, ["lsp"]);
    }

    #[test]
    fn a_missing_program_is_explained() {
        let failed = command(settings("{}"), || None, Vec::new()).unwrap_err();
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
