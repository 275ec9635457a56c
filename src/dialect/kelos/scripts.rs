//! The shell scripts of the init containers. Strings of the author are quoted, or in a variable.

use super::names::{AGENT_USER, PLUGIN_PATH, PLUGIN_SOURCE_PATH, REPOSITORY_PATH, SKILLS_PLUGIN};
use super::names::{TOKEN_KEY, TOKEN_PATH};
use super::text::shell_word;

/// The user name that GitHub expects with a token.
const TOKEN_USER: &str = "x-access-token";
/// The path of the helper that provides the user name and the token to git.
const ASKPASS: &str = "/tmp/kelos-skills-askpass";

/// A git credential helper. It reads the file each time, because the kubelet updates it when the
/// token in the Secret is renewed.
fn credential_helper() -> String {
    let file = format!("{TOKEN_PATH}/{TOKEN_KEY}");
    format!(
        "!token() {{ if test -r {file}; then printf \"password=%s\\n\" \"$(cat {file})\"; \
         else printf \"password=%s\\n\" \"${TOKEN_KEY}\"; fi; }}; token"
    )
}

/// `git`, with the token if there is one. Helpers of the image or the system do not run.
fn git_command(has_token: bool) -> String {
    if has_token {
        let helper = credential_helper();
        format!(
            "git -c credential.helper= -c credential.helper='{helper}' \
             -c credential.username={TOKEN_USER}"
        )
    } else {
        "git".to_owned()
    }
}

/// Commands that make the token available to later runs of git in a clone.
fn keep_credentials(target: &str) -> Vec<String> {
    let helper = credential_helper();
    vec![
        format!("git -C {target} config --unset-all credential.helper 2>/dev/null || true"),
        format!("git -C {target} config --add credential.helper '{helper}'"),
        format!("git -C {target} config credential.username {TOKEN_USER}"),
    ]
}

/// Runs git with the container's arguments, with the token.
pub(super) fn clone_with_token() -> String {
    let mut lines = vec!["set -eu".to_owned(), format!("{} \"$@\"", git_command(true))];
    lines.extend(keep_credentials(REPOSITORY_PATH));
    lines.join("\n")
}

/// Fetches one commit; the arguments are the repository, the target and the commit.
pub(super) fn checkout_commit(has_token: bool) -> String {
    let mut lines = vec![
        "set -eu".to_owned(),
        "git init \"$2\"".to_owned(),
        "git -C \"$2\" remote add origin \"$1\"".to_owned(),
        format!("{} -C \"$2\" fetch --depth 1 origin \"$3\"", git_command(has_token)),
        "git -C \"$2\" checkout --detach FETCH_HEAD".to_owned(),
    ];
    if has_token {
        lines.extend(keep_credentials("\"$2\""));
    }
    lines.join("\n")
}

/// Adds remotes, or sets the address of existing ones.
pub(super) fn set_remotes<'r>(remotes: impl Iterator<Item = (&'r str, &'r str)>) -> String {
    let mut steps = vec![format!("cd {REPOSITORY_PATH}")];
    for (name, url) in remotes {
        let (name, url) = (shell_word(name), shell_word(url));
        steps.push(format!(
            "{{ git remote set-url {name} {url} 2>/dev/null || git remote add {name} {url}; }}"
        ));
    }
    steps.join(" && ")
}

/// Checks out the branch in `KELOS_BRANCH`: that of the remote, or a new one.
pub(super) fn set_branch(has_token: bool) -> String {
    let git = git_command(has_token);
    [
        "set -eu",
        &format!("cd {REPOSITORY_PATH}"),
        "branch=\"refs/heads/$KELOS_BRANCH\"",
        "found=0",
        &format!("{git} ls-remote --exit-code --heads origin \"$branch\" >/dev/null || found=$?"),
        "local=0",
        "git show-ref --verify --quiet \"$branch\" || local=$?",
        "case \"$found,$local\" in",
        &format!("  0,*) {git} fetch origin \"$branch\" ;;"),
        "  2,*) ;;",
        "  *) exit \"$found\" ;;",
        "esac",
        "case \"$found,$local\" in",
        "  0,0) git checkout \"$KELOS_BRANCH\" && git merge --ff-only FETCH_HEAD ;;",
        "  0,*) git checkout -b \"$KELOS_BRANCH\" FETCH_HEAD ;;",
        "  2,0) git checkout \"$KELOS_BRANCH\" ;;",
        "  *) git checkout -b \"$KELOS_BRANCH\" ;;",
        "esac",
    ]
    .join("\n")
}

/// Writes files into the repository; each is a clean path and its content in base64.
pub(super) fn write_files<'f>(files: impl Iterator<Item = (&'f str, String)>) -> String {
    let mut lines = vec!["set -eu".to_owned()];
    for (path, base64) in files {
        let target = shell_word(&format!("{REPOSITORY_PATH}/{path}"));
        lines.push(format!("file={target}"));
        lines.push("mkdir -p \"${file%/*}\"".to_owned());
        lines.push(format!("printf %s '{base64}' | base64 -d >\"$file\""));
    }
    lines.join("\n")
}

/// Copies the plugins from the ConfigMap volume. The kubelet keeps its own entries there, whose
/// names start with two dots, and all other entries are links to them.
pub(super) fn copy_plugins() -> String {
    format!(
        "set -eu\nfor entry in {PLUGIN_SOURCE_PATH}/* {PLUGIN_SOURCE_PATH}/.[!.]*; do\n  \
         test ! -e \"$entry\" || cp -RL \"$entry\" {PLUGIN_PATH}/\ndone"
    )
}

/// A package of `skills`.
pub(super) struct SkillPackage<'s> {
    pub(super) source: &'s str,
    pub(super) skill: Option<&'s str>,
    /// The variable with the token of its repository.
    pub(super) token: Option<&'s str>,
    /// The host of its repository, unless that is github.com.
    pub(super) enterprise_host: Option<&'s str>,
}

/// Installs packages with the `skills` command, and moves them to the plugin directory of agents.
pub(super) fn install_skills(packages: &[SkillPackage<'_>]) -> String {
    let installed = format!("{PLUGIN_PATH}/.agents/skills");
    let plugin = format!("{PLUGIN_PATH}/{SKILLS_PLUGIN}/skills");
    let mut lines = vec!["set -eu".to_owned(), "apk add --no-cache git >/dev/null".to_owned()];
    if packages.iter().any(|package| package.token.is_some()) {
        lines.push(format!(
            "printf '%s\\n' '#!/bin/sh' 'case \"$1\" in *sername*) echo {TOKEN_USER} ;; \
             *) printf \"%s\\n\" \"$KELOS_SKILLS_GIT_TOKEN\" ;; esac' >{ASKPASS}"
        ));
        lines.push(format!("chmod 700 {ASKPASS}"));
    }
    lines.extend(packages.iter().map(install_skill));
    lines.push(format!(
        "test -d {installed} || {{ echo 'No skills.sh skills were installed' >&2; exit 1; }}"
    ));
    lines.push(format!("mkdir -p {plugin}"));
    lines.push(format!("mv {installed}/* {plugin}/"));
    lines.push(format!("rm -rf {PLUGIN_PATH}/.agents {PLUGIN_PATH}/.npm"));
    lines.push(format!("chown -R {AGENT_USER}:{AGENT_USER} {PLUGIN_PATH}"));
    lines.join("\n")
}

fn install_skill(package: &SkillPackage<'_>) -> String {
    let mut words = Vec::new();
    if let Some(token) = package.token {
        words.push(format!("{TOKEN_KEY}=\"${token}\""));
        words.push(format!("KELOS_SKILLS_GIT_TOKEN=\"${token}\""));
        words.push(format!("GIT_ASKPASS={ASKPASS}"));
        words.push("GIT_TERMINAL_PROMPT=0".to_owned());
        if let Some(host) = package.enterprise_host {
            words.push(format!("GH_HOST={}", shell_word(host)));
            words.push(format!("GH_ENTERPRISE_TOKEN=\"${token}\""));
        } else {
            words.push(format!("GH_TOKEN=\"${token}\""));
        }
    }
    words.push(format!("npx -y skills add {} -a universal -y -g", shell_word(package.source)));
    words.extend(package.skill.map(|skill| format!("-s {}", shell_word(skill))));
    words.join(" ")
}
