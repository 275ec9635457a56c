//! Faults that kelos itself, or the kubelet, would only detect later.

pub(super) mod configs;
pub(super) mod dependencies;
pub(super) mod hand_written;
pub(super) mod limits;
mod manifests;
pub(super) mod objects;
pub(super) mod pod;
mod spawner_names;
mod spawner_templates;
pub(super) mod spawners;
pub(super) mod targets;
pub(super) mod tasks;
pub(super) mod workspaces;

use crate::diag::declare_rules;
use crate::sorted::SortedMap;
use crate::source::Span;

declare_rules! {
    AGENT_HOME_READ_ONLY = "agent-home-read-only", Warning;
    AGENT_MOUNT_HIDES_FILES = "agent-mount-hides-files", Warning;
    AGENT_USER_MISMATCH = "agent-user-mismatch", Warning;
    AGENT_USER_NOT_NUMERIC = "agent-user-not-numeric", Warning;
    AGENT_VARIABLE_RESERVED = "agent-variable-reserved", Error;
    AGENT_VARIABLE_SHADOWED = "agent-variable-shadowed", Warning;
    ARGUMENT_TOO_LONG = "argument-too-long", Error;
    CONTAINER_KEEPS_TASK_RUNNING = "container-keeps-task-running", Warning;
    GIT_NAME_INVALID = "git-name-invalid", Warning;
    KELOS_FIELD_UNSUPPORTED = "kelos-field-unsupported", Error;
    KELOS_REFERENCE_NOT_FOUND = "kelos-reference-not-found", Error, follows = [SamePlace, ObjectName, Project];
    KELOS_RESOURCE_INVALID = "kelos-resource-invalid", Error;
    KELOS_LABEL_SHADOWED = "kelos-label-shadowed", Warning;
    KELOS_TARGET_UNSET = "kelos-target-unset", Note;
    MCP_SECRET_KEYS_UNKNOWN = "mcp-secret-keys-unknown", Error;
    MCP_SERVER_INVALID = "mcp-server-invalid", Error;
    MCP_VALUE_NOT_JSON = "mcp-value-not-json", Error;
    NEEDS_KELOS_CONTROLLER = "needs-kelos-controller", Error;
    PLUGIN_NAME_DUPLICATE = "plugin-name-duplicate", Error;
    PLUGIN_NAME_INVALID = "plugin-name-invalid", Error;
    PLUGINS_TOO_LARGE = "plugins-too-large", Error;
    PROMPT_TEMPLATE_INVALID = "prompt-template-invalid", Warning;
    REPOSITORY_ADDRESS_INVALID = "repository-address-invalid", Error;
    REPOSITORY_KEY_MISSING = "repository-key-missing", Warning;
    SKILLS_NEED_ROOT = "skills-need-root", Error;
    SKILLS_TOKEN_EMPTY = "skills-token-empty", Error;
    SPAWNER_CREDENTIALS_INVALID = "spawner-credentials-invalid", Error;
    SPAWNER_INTERVAL_INVALID = "spawner-interval-invalid", Warning;
    SPAWNER_LABEL_INVALID = "spawner-label-invalid", Error;
    SPAWNER_NAME_REPEATED = "spawner-name-repeated", Warning;
    SPAWNER_NAME_TOO_LONG = "spawner-name-too-long", Error;
    SPAWNER_SCHEDULE_INVALID = "spawner-schedule-invalid", Error;
    SPAWNER_SOURCE_INVALID = "spawner-source-invalid", Error;
    SPAWNER_TEMPLATE_INVALID = "spawner-template-invalid", Error;
    TASK_BRANCH_DEADLOCK = "task-branch-deadlock", Warning;
    TASK_BRANCH_SHARED = "task-branch-shared", Warning;
    TASK_DEPENDENCY_CYCLE = "task-dependency-cycle", Error;
    TASK_DEPENDENCY_EXPIRES = "task-dependency-expires", Warning;
    TASK_DEPENDENCY_REPEATED = "task-dependency-repeated", Warning;
    TASK_INCOMPLETE = "task-incomplete", Error;
    TASK_NAME_DUPLICATE = "task-name-duplicate", Error;
    TASK_SUSPENDED = "task-suspended", Warning;
    TASK_VOLUME_MISSING = "task-volume-missing", Error;
    TASK_WITHOUT_WORKSPACE = "task-without-workspace", Warning;
    WORKER_POOL_CONFLICT = "worker-pool-conflict", Error;
    WORKER_POOL_FIELD_IGNORED = "worker-pool-field-ignored", Warning;
    WORKSPACE_FILE_IN_GIT = "workspace-file-in-git", Warning;
    WORKSPACE_FILE_PATH_INVALID = "workspace-file-path-invalid", Error;
    WORKSPACE_REF_AMBIGUOUS = "workspace-ref-ambiguous", Warning;
    WORKSPACE_REMOTE_INVALID = "workspace-remote-invalid", Error;
}

/// The names that occur earlier in `names`, each with its span and that of the first one.
fn duplicates<'n>(
    names: impl IntoIterator<Item = (&'n str, Span)>,
) -> impl Iterator<Item = (&'n str, Span, Span)> {
    let mut seen = SortedMap::new();
    let first = move |(name, span)| Some((name, span, earlier(&mut seen, name, span)?));
    names.into_iter().filter_map(first)
}

/// The span of the first name that equals this one; if there is none, this one is added.
fn earlier<'n>(seen: &mut SortedMap<&'n str, Span>, name: &'n str, span: Span) -> Option<Span> {
    let first = seen.get(name).copied();
    if first.is_none() {
        seen.insert(name, span);
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Workspace;

    #[test]
    fn each_duplicate_has_the_first_name() {
        let file = Workspace::new().add("a.yaml", "");
        let at = |start| Span::new(file, start, start + 1);
        // Two aliases of one name have the same span.
        let names = [("a", at(1)), ("b", at(2)), ("a", at(3)), ("b", at(2)), ("a", at(4))];
        let found: Vec<_> = duplicates(names).collect();
        assert_eq!(found, [("a", at(3), at(1)), ("b", at(2), at(2)), ("a", at(4), at(1))]);
    }
}
