//! The names that kelos reserves, for guards, rules, documentation and tests.

/// The container that runs the agent.
pub(super) const AGENT_CONTAINER: &str = "kelos-agent";
/// The prefix of the names of other containers and volumes of kelos.
pub(super) const RESERVED_PREFIX: &str = "kelos-";

pub(super) const GIT_CLONE: &str = "git-clone";
pub(super) const REMOTE_SETUP: &str = "remote-setup";
pub(super) const BRANCH_SETUP: &str = "branch-setup";
pub(super) const WORKSPACE_FILES: &str = "workspace-files";
pub(super) const PLUGIN_SETUP: &str = "plugin-setup";
pub(super) const SKILLS_INSTALL: &str = "skills-install";

/// The init containers, in the order in which they run.
pub(super) const INIT_CONTAINERS: [&str; 6] =
    [GIT_CLONE, REMOTE_SETUP, BRANCH_SETUP, WORKSPACE_FILES, PLUGIN_SETUP, SKILLS_INSTALL];

pub(super) const WORKSPACE_VOLUME: &str = "workspace";
pub(super) const TOKEN_VOLUME: &str = "kelos-github-token";
pub(super) const PLUGIN_VOLUME: &str = "kelos-plugin";
pub(super) const PLUGIN_SOURCE_VOLUME: &str = "kelos-plugin-src";

pub(super) const WORKSPACE_PATH: &str = "/workspace";
pub(super) const REPOSITORY_PATH: &str = "/workspace/repo";
pub(super) const TOKEN_PATH: &str = "/kelos/github-token";
pub(super) const PLUGIN_PATH: &str = "/kelos/plugin";
pub(super) const PLUGIN_SOURCE_PATH: &str = "/kelos-plugin-src";

/// The mount paths of kelos, with the fields that require them.
pub(super) const MOUNTS: [(&str, &str); 3] = [
    (WORKSPACE_PATH, "the workspace"),
    (TOKEN_PATH, "the GitHub token"),
    (PLUGIN_PATH, "plugins and skills"),
];

/// The volumes of kelos that only some Tasks have, each with its condition and the field that
/// causes it.
pub(super) const CONDITIONAL_VOLUMES: [(&str, &str, &str); 4] = [
    (WORKSPACE_VOLUME, "workspace", "`workspace`"),
    (TOKEN_VOLUME, "GitHub token", "`secretRef` of the Workspace"),
    (PLUGIN_VOLUME, "plugins or skills", "`plugins` or `skills` in an AgentConfig"),
    (PLUGIN_SOURCE_VOLUME, "plugins", "`plugins` in an AgentConfig"),
];

/// Variables that the entrypoint of an agent interprets, so that authors must not set them.
pub(super) const RESERVED_VARIABLES: [&str; 2] =
    ["KELOS_SETUP_COMMAND", "KELOS_SESSION_SETUP_ONLY"];

/// The labels of each Job and Pod, which authors cannot replace.
pub(super) const LABEL_NAME: &str = "kelos.dev/name";
pub(super) const LABEL_COMPONENT: &str = "kelos.dev/component";
pub(super) const LABEL_MANAGED_BY: &str = "kelos.dev/managed-by";
pub(super) const LABEL_TASK: &str = "kelos.dev/task";
pub(super) const RESERVED_LABELS: [&str; 4] =
    [LABEL_NAME, LABEL_COMPONENT, LABEL_MANAGED_BY, LABEL_TASK];
/// The label with the TaskSpawner of a Task.
pub(super) const LABEL_SPAWNER: &str = "kelos.dev/taskspawner";
/// Names the entry of the credentials pool.
pub(super) const LABEL_CREDENTIAL: &str = "kelos.dev/spawner-credential";
/// Labels that a TaskSpawner gives its Tasks.
pub(super) const SPAWNER_LABELS: [&str; 2] = [LABEL_SPAWNER, LABEL_CREDENTIAL];

/// The plugin with the packages of `skills`.
pub(super) const SKILLS_PLUGIN: &str = "skills-sh";
/// The name of the remote for `repo`.
pub(super) const ORIGIN_REMOTE: &str = "origin";
/// The key of a Secret with a GitHub token.
pub(super) const TOKEN_KEY: &str = "GITHUB_TOKEN";

pub(super) const GIT_IMAGE: &str = "alpine/git:v2.47.2";
pub(super) const NODE_IMAGE: &str = "node:22.14.0-alpine";
/// The user and group of the agent, and of the containers that prepare its files.
pub(super) const AGENT_USER: i64 = 61_100;

/// The maximum length of an argument in Linux, without the NUL at its end.
pub(super) const LONGEST_ARGUMENT: usize = 131_071;
/// The maximum size of plugins in a ConfigMap, in bytes.
pub(super) const LARGEST_PLUGINS: usize = 900 * 1024;

/// The name of the ConfigMap with the plugins of a Task.
pub(super) fn plugins_of(task: &str) -> String {
    format!("{task}-plugins")
}
