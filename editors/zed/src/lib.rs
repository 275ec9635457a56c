//! Starts `sandboxc lsp` in Zed for YAML and JSON files.

mod launch;

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{Command, Extension, LanguageServerId, Result, Worktree, serde_json};

use serde_json::Value;

/// The key of the settings in `lsp`.
const NAME: &str = "sandboxc";

struct Sandboxc;

impl Extension for Sandboxc {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let found = worktree.which(NAME);
        launch::command(&settings(worktree), &worktree.root_path(), found, worktree.shell_env())
    }

    fn language_server_initialization_options(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(launch::options(settings(worktree)))
    }

    fn language_server_workspace_configuration(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(launch::configuration(settings(worktree)))
    }
}

/// The settings of the user and of the worktree; the defaults if they cannot be read.
fn settings(worktree: &Worktree) -> LspSettings {
    LspSettings::for_worktree(NAME, worktree).unwrap_or_default()
}

zed_extension_api::register_extension!(Sandboxc);
