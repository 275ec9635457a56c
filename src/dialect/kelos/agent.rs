//! The agents: their images and credentials.

use crate::decode::{Choice, ChoiceValues as _, Text, choice, definition};

choice! {
    /// A coding agent.
    pub(crate) enum Agent {
        /// Anthropic's Claude Code.
        ClaudeCode = "claude-code",
        /// OpenAI's Codex.
        Codex = "codex",
        /// Google's Gemini CLI.
        Gemini = "gemini",
        /// OpenCode.
        OpenCode = "opencode",
        /// Cursor's command line.
        Cursor = "cursor",
    }
}

choice! {
    /// The authentication of an agent to its provider.
    pub(crate) enum CredentialsType {
        /// An API key.
        ApiKey = "api-key",
        /// A token of a subscription.
        Oauth = "oauth",
        /// No credentials from kelos: a cloud identity, or your own variables.
        None = "none",
    }
}

definition! {
    /// Reference to a Secret in the same namespace.
    pub(crate) struct SecretReference in "secretRef" {
        /// Name of the Secret.
        "name" required name: Text,
    }
}

definition! {
    /// Credentials of the agent.
    pub(crate) struct Credentials in "Task.spec.credentials" {
        /// Type of the credentials: `api-key`, `oauth` or `none`.
        "type" required credentials_type: Choice<CredentialsType>,
        /// Secret with the credentials, under the name of the agent's variable. Required unless
        /// `type` is `none`.
        "secretRef" optional secret_ref: SecretReference,
    }
}

const REPOSITORY: &str = "ghcr.io/kelos-dev/";

impl Agent {
    /// The bundled image.
    pub(super) fn image(self) -> String {
        format!("{REPOSITORY}{}:latest", self.as_str())
    }

    /// The home directory in the bundled image.
    pub(super) const fn home(self) -> &'static str {
        match self {
            Self::ClaudeCode => "/home/claude",
            _ => "/home/agent",
        }
    }

    /// The variable with the credentials; also the key in their Secret.
    pub(super) const fn variable(self, credentials: CredentialsType) -> Option<&'static str> {
        Some(match (self, credentials) {
            (_, CredentialsType::None) => return None,
            (Self::ClaudeCode, CredentialsType::ApiKey) => "ANTHROPIC_API_KEY",
            (Self::ClaudeCode, CredentialsType::Oauth) => "CLAUDE_CODE_OAUTH_TOKEN",
            (Self::Codex, CredentialsType::ApiKey) => "CODEX_API_KEY",
            (Self::Codex, CredentialsType::Oauth) => "CODEX_AUTH_JSON",
            (Self::Gemini, _) => "GEMINI_API_KEY",
            (Self::OpenCode, _) => "OPENCODE_API_KEY",
            (Self::Cursor, _) => "CURSOR_API_KEY",
        })
    }
}

/// The command of the agent's container. Only a bundled image is known to have Tini; any image that
/// the author names counts as another image.
pub(super) const fn command(is_own_image: bool) -> &'static [&'static str] {
    if is_own_image {
        &["/kelos_entrypoint.sh"]
    } else {
        &["/usr/bin/tini", "-g", "--", "/kelos_entrypoint.sh"]
    }
}
