//! `Workspace`: the repository that an agent works in.

use super::agent::SecretReference;
use crate::decode::{Flag, Listed, Text, definition};

definition! {
    /// A further remote of the clone.
    pub(crate) struct Remote in "Workspace.spec.remotes[]" {
        /// Name of the remote. `origin` is `repo`.
        "name" required name: Text,
        /// Address of the remote.
        "url" required url: Text,
    }
}

definition! {
    /// A file that is written into the clone.
    pub(crate) struct WorkspaceFile in "Workspace.spec.files[]" {
        /// Path of the file, relative to the root of the repository.
        "path" required path: Text,
        /// Content of the file.
        "content" required content: Text,
    }
}

definition! {
    /// Repository that an agent works in, and its preparation.
    pub(crate) struct WorkspaceSpec in "Workspace.spec" {
        /// Address of the repository: `https://`, `http://`, `git://` or `git@`.
        "repo" required repo: Text,
        /// Branch, tag, or commit (40 hexadecimal digits). Defaults to the default branch.
        "ref" optional reference: Text,
        /// Secret with a GitHub token under the key `GITHUB_TOKEN`.
        "secretRef" optional secret_ref: SecretReference,
        /// Whether `secretRef` is a GitHub App, with the keys `appID`, `installationID` and
        /// `privateKey`. A Task then uses the Secret `<task>-github-token`. By default the keys of
        /// the Secret decide, if it is in the input.
        "githubApp" optional github_app: Flag,
        /// Further remotes of the clone.
        "remotes" optional remotes: Listed<Remote>,
        /// Files that are written into the clone before the agent starts.
        "files" optional files: Listed<WorkspaceFile>,
        /// Command that the agent's container runs before the agent.
        "setupCommand" optional setup_command: Listed<Text>,
    }
}
