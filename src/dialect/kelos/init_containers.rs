//! The init containers, in the order of kelos' builder, which prepare the files of the agent.

use k8s_openapi::api::core::v1::{Container, EnvVar, SecurityContext, VolumeMount};

use super::agent_config::SkillSource;
use super::environment::{self, Variable};
use super::names::{self, AGENT_USER, GIT_IMAGE, NODE_IMAGE, PLUGIN_PATH, REPOSITORY_PATH};
use super::plan::Plan;
use super::repository::{Repository, is_commit};
use super::scripts::{self, SkillPackage};
use super::text::repository_path;
use super::volumes;
use crate::decode::Text;
use crate::kube::escape_expansion;
use crate::scalar::to_base64;
use crate::sorted::SortedMap;

/// An init container whose variables are not set yet, because each of them has its own span.
pub(super) struct InitContainer {
    pub(super) container: Container,
    pub(super) variables: Vec<Variable>,
}

/// All init containers of a Task.
pub(super) fn of_task(plan: &Plan) -> Vec<InitContainer> {
    // A container is a large value, which a growing list would move several times.
    let mut all = Vec::with_capacity(6);
    if plan.workspace.is_some() {
        all.extend(clone_container(plan));
        all.extend(remote_container(plan));
        all.extend(branch_container(plan));
        all.extend(file_container(plan));
    }
    if !plan.config.plugins.is_empty() {
        all.push(plugin_container());
    }
    if !plan.config.skills.is_empty() {
        all.push(skill_container(&plan.config.skills));
    }
    all
}

/// A container with git, which runs as the user of the agent.
fn with_git(name: &str, script: Option<&str>, mounts: Vec<VolumeMount>) -> Container {
    let user = SecurityContext { run_as_user: Some(AGENT_USER), ..SecurityContext::default() };
    Container {
        name: name.to_owned(),
        image: Some(GIT_IMAGE.to_owned()),
        command: script.map(shell_command),
        volume_mounts: Some(mounts),
        security_context: Some(user),
        ..Container::default()
    }
}

fn shell_command(script: &str) -> Vec<String> {
    vec!["sh".to_owned(), "-c".to_owned(), escape_expansion(script).into_owned()]
}

fn without_variables(container: Container) -> InitContainer {
    InitContainer { container, variables: Vec::new() }
}

fn clone_container(plan: &Plan) -> Option<InitContainer> {
    let workspace = plan.workspace.as_ref()?;
    let has_token = plan.token_secret.is_some();
    let repo = escape_expansion(workspace.repo.as_str()).into_owned();
    let reference = workspace.reference.as_ref().map(Text::as_str).filter(|it| !it.is_empty());
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (script, args) = if let Some(commit) = reference.filter(|text| is_commit(text)) {
        let script = scripts::checkout_commit(has_token);
        (Some(script), words(&["--", &repo, REPOSITORY_PATH, commit]))
    } else {
        let mut args = words(if has_token { &["--", "clone"] } else { &["clone"] });
        if let Some(branch) = reference {
            args.extend(words(&["--branch", &escape_expansion(branch)]));
        }
        args.extend(words(&["--no-single-branch", "--depth", "1", "--", &repo, REPOSITORY_PATH]));
        (has_token.then(scripts::clone_with_token), args)
    };
    let mut container =
        with_git(names::GIT_CLONE, script.as_deref(), volumes::workspace_mounts(plan));
    container.args = Some(args);
    Some(InitContainer { container, variables: environment::of_git(plan) })
}

fn remote_container(plan: &Plan) -> Option<InitContainer> {
    let remotes = &plan.workspace.as_ref()?.remotes.as_ref()?.items;
    if remotes.is_empty() {
        return None;
    }
    let pairs = remotes.iter().map(|remote| (remote.name.as_str(), remote.url.as_str()));
    let (script, mounts) = (scripts::set_remotes(pairs), vec![volumes::workspace_mount()]);
    Some(without_variables(with_git(names::REMOTE_SETUP, Some(&script), mounts)))
}

fn branch_container(plan: &Plan) -> Option<InitContainer> {
    let branch = plan.branch()?;
    let script = scripts::set_branch(plan.token_secret.is_some());
    let mounts = volumes::workspace_mounts(plan);
    let mut variables = environment::of_git(plan);
    variables.push(Variable::text("KELOS_BRANCH", branch.as_str(), branch.span()));
    let container = with_git(names::BRANCH_SETUP, Some(&script), mounts);
    Some(InitContainer { container, variables })
}

fn file_container(plan: &Plan) -> Option<InitContainer> {
    let files = &plan.workspace.as_ref()?.files.as_ref()?.items;
    // An invalid path is reported, and no Job is built.
    let valid: Vec<_> = files
        .iter()
        .filter_map(|file| Some((repository_path(file.path.as_str()).ok()?, file.content.as_str())))
        .collect();
    if valid.is_empty() {
        return None;
    }
    let written = valid.iter().map(|(path, text)| (path.as_str(), to_base64(text.as_bytes())));
    let (script, mounts) = (scripts::write_files(written), vec![volumes::workspace_mount()]);
    Some(without_variables(with_git(names::WORKSPACE_FILES, Some(&script), mounts)))
}

fn plugin_container() -> InitContainer {
    let mounts = vec![volumes::plugin_mount(), volumes::plugin_source_mount()];
    without_variables(with_git(names::PLUGIN_SETUP, Some(&scripts::copy_plugins()), mounts))
}

/// The container that installs packages. It runs as the user of its image, which is root: it
/// installs git, and changes the owner of the files to the agent.
fn skill_container(skills: &[SkillSource]) -> InitContainer {
    let mut secrets: Vec<&Text> = Vec::new();
    let mut positions: SortedMap<&str, usize> = SortedMap::new();
    for secret in skills.iter().filter_map(|skill| skill.secret_ref.as_ref()) {
        positions.entry(secret.name.as_str()).or_insert_with(|| {
            secrets.push(&secret.name);
            secrets.len() - 1
        });
    }
    let variable = |position: usize| format!("KELOS_SKILLS_GITHUB_TOKEN_{position}");
    let tokens: Vec<_> = skills
        .iter()
        .map(|skill| {
            let secret = skill.secret_ref.as_ref()?.name.as_str();
            positions.get(secret).copied().map(variable)
        })
        .collect();
    let packages: Vec<_> = skills
        .iter()
        .zip(&tokens)
        .map(|(source, token)| SkillPackage {
            source: source.source.as_str(),
            skill: source.skill.as_ref().map(Text::as_str).filter(|it| !it.is_empty()),
            token: token.as_deref(),
            enterprise_host: Repository::parse(source.source.as_str()).enterprise_host(),
        })
        .collect();
    let home = EnvVar {
        name: "HOME".to_owned(),
        value: Some(PLUGIN_PATH.to_owned()),
        ..EnvVar::default()
    };
    let container = Container {
        name: names::SKILLS_INSTALL.to_owned(),
        image: Some(NODE_IMAGE.to_owned()),
        command: Some(shell_command(&scripts::install_skills(&packages))),
        env: Some(vec![home]),
        volume_mounts: Some(vec![volumes::plugin_mount()]),
        ..Container::default()
    };
    let numbered = secrets.iter().enumerate();
    let variables = numbered
        .map(|(number, secret)| Variable::secret(&variable(number), secret, names::TOKEN_KEY))
        .collect();
    InitContainer { container, variables }
}
