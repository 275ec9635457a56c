//! The environment variables of the agent, in the order of kelos' builder.

use k8s_openapi::api::core::v1::{EnvVar, EnvVarSource, SecretKeySelector};

use super::names::{PLUGIN_PATH, TOKEN_KEY, TOKEN_PATH, WORKSPACE_PATH};
use super::plan::Plan;
use super::text::json_array;
use crate::decode::{ChoiceValues as _, Text};
use crate::kube::escape_expansion;
use crate::source::Span;

/// A variable, and the span of the author's setting that requires it.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) variable: EnvVar,
    pub(super) place: Span,
}

impl Variable {
    /// A literal value that the kubelet must not expand.
    pub(super) fn text(name: &str, value: &str, place: Span) -> Self {
        let value = Some(escape_expansion(value).into_owned());
        let variable = EnvVar { name: name.to_owned(), value, ..EnvVar::default() };
        Self { variable, place }
    }

    /// A key of a Secret.
    pub(super) fn secret(name: &str, secret: &Text, key: &str) -> Self {
        let selector = SecretKeySelector {
            name: secret.as_str().to_owned(),
            key: key.to_owned(),
            optional: None,
        };
        let source = EnvVarSource { secret_key_ref: Some(selector), ..EnvVarSource::default() };
        let variable =
            EnvVar { name: name.to_owned(), value_from: Some(source), ..EnvVar::default() };
        Self { variable, place: secret.span() }
    }

    /// A value that contains `$(NAME)` of other variables.
    pub(super) fn expanded(name: &str, value: String, place: Span) -> Self {
        let variable = EnvVar { name: name.to_owned(), value: Some(value), ..EnvVar::default() };
        Self { variable, place }
    }

    /// The source of the value, for messages with "belongs to".
    pub(super) fn name(&self) -> &str {
        &self.variable.name
    }
}

/// All variables of the agent.
pub(super) fn of_agent(plan: &Plan) -> Vec<Variable> {
    let mut all = Vec::new();
    let text = |name: &str, value: Option<&Text>| {
        let text = value.filter(|text| !text.as_str().is_empty())?;
        Some(Variable::text(name, text.as_str(), text.span()))
    };
    all.extend(text("KELOS_MODEL", plan.model.as_ref()));
    all.extend(text("KELOS_EFFORT", plan.effort.as_ref()));
    all.extend(text("KELOS_BRANCH", plan.branch.as_ref()));
    all.push(Variable::text("KELOS_AGENT_TYPE", plan.agent.as_str(), plan.place));
    if let Some(spawner) = &plan.spawner {
        all.push(Variable::text("KELOS_TASKSPAWNER", spawner, plan.place));
    }
    if let Some((variable, secret)) = &plan.credentials {
        all.push(Variable::secret(variable, secret, variable));
    }
    all.extend(host_variable(plan));
    let reference = plan.workspace.as_ref().and_then(|workspace| workspace.reference.as_ref());
    all.extend(text("KELOS_BASE_BRANCH", reference));
    all.extend(upstream_variable(plan));
    all.extend(token_variables(plan, true));
    all.extend(setup_command_variable(plan));
    let instructions = plan.config.instructions();
    if let Some(first) = plan.config.instructions.first() {
        all.push(Variable::text("KELOS_AGENTS_MD", &instructions, first.span()));
    }
    if plan.has_plugin_volume() {
        all.push(Variable::text("KELOS_PLUGIN_DIR", PLUGIN_PATH, plan.place));
    }
    all.extend(plan.mcp.variables.iter().cloned());
    all
}

/// The variables of the init containers that access the repository.
pub(super) fn of_git(plan: &Plan) -> Vec<Variable> {
    host_variable(plan).into_iter().chain(token_variables(plan, false)).collect()
}

/// The host of the repository, unless it is github.com.
fn host_variable(plan: &Plan) -> Option<Variable> {
    let workspace = plan.workspace.as_ref()?;
    let host = plan.repository()?.enterprise_host()?;
    Some(Variable::text("GH_HOST", host, workspace.repo.span()))
}

/// The repository that the clone was forked from.
fn upstream_variable(plan: &Plan) -> Option<Variable> {
    let workspace = plan.workspace.as_ref()?;
    let own = plan.upstream_repo.as_ref().filter(|text| !text.as_str().is_empty());
    if let Some(own) = own {
        return Some(Variable::text("KELOS_UPSTREAM_REPO", own.as_str(), own.span()));
    }
    let remotes = workspace.remotes.iter().flat_map(|it| &it.items);
    let mut upstreams = remotes.filter(|remote| remote.name.as_str() == "upstream");
    upstreams.find_map(|remote| {
        let slug = super::Repository::parse(remote.url.as_str()).slug()?;
        Some(Variable::text("KELOS_UPSTREAM_REPO", &slug, remote.url.span()))
    })
}

/// The token of the workspace's Secret. Only the agent has `GH_CONFIG_DIR`.
fn token_variables(plan: &Plan, is_agent: bool) -> Vec<Variable> {
    let Some(secret) = plan.token_secret.as_ref() else { return Vec::new() };
    let is_enterprise = plan.repository().is_some_and(|it| it.enterprise_host().is_some());
    let second = if is_enterprise { "GH_ENTERPRISE_TOKEN" } else { "GH_TOKEN" };
    let text = |name, value: &str| Variable::text(name, value, secret.span());
    let mut variables = vec![
        Variable::secret(TOKEN_KEY, secret, TOKEN_KEY),
        Variable::secret(second, secret, TOKEN_KEY),
    ];
    if is_agent {
        variables.push(text("GH_CONFIG_DIR", &format!("{WORKSPACE_PATH}/.gh-config")));
    }
    variables.push(text("KELOS_GITHUB_TOKEN_FILE", &format!("{TOKEN_PATH}/{TOKEN_KEY}")));
    variables
}

fn setup_command_variable(plan: &Plan) -> Option<Variable> {
    let command = &plan.workspace.as_ref()?.setup_command.as_ref()?.items;
    let first = command.first()?;
    let json = json_array(command.iter().map(Text::as_str));
    Some(Variable::text("KELOS_SETUP_COMMAND", &json, first.span()))
}
