//! `TaskSpawner`: Tasks that are started by a schedule, or by an event of another system.

use super::agent::{Credentials, CredentialsType, SecretReference};
use super::rules::spawners;
use super::settings::Target;
use super::task::{self, TaskFields};
use super::{job, resources};
use crate::decode::{Anything, Choice, Flag, Integer, Listed, Mapped, Text, choice, definition};
use crate::diag::{Reported, Sink};
use crate::lower::{Definition, Frame, Instances, Lowering};
use crate::tree::Node;

choice! {
    /// The authentication of an agent with a pool entry.
    pub(crate) enum PoolCredentialsType {
        /// An API key.
        ApiKey = "api-key",
        /// A token of a subscription.
        Oauth = "oauth",
    }
}

definition! {
    /// A schedule.
    pub(crate) struct Cron in "TaskSpawner.spec.when.cron" {
        /// Minute, hour, day of the month, month, day of the week; in UTC.
        "schedule" required schedule: Text,
    }
}

definition! {
    /// Events that start a Task. Exactly one field must be set; all except `cron` require the
    /// target `resources`.
    pub(crate) struct When in "TaskSpawner.spec.when" {
        /// Issues of GitHub.
        "githubIssues" optional github_issues: Anything,
        /// Pull requests of GitHub.
        "githubPullRequests" optional github_pull_requests: Anything,
        /// A schedule.
        "cron" optional cron: Cron,
        /// Issues of Jira.
        "jira" optional jira: Anything,
        /// Events of GitHub.
        "githubWebhook" optional github_webhook: Anything,
        /// Events of Linear.
        "linearWebhook" optional linear_webhook: Anything,
        /// Requests of any other system.
        "webhook" optional webhook: Anything,
        /// Messages of Slack.
        "slack" optional slack: Anything,
    }
}

definition! {
    /// Labels and annotations of the Tasks.
    pub(crate) struct TemplateMetadata in "TaskSpawner.spec.taskTemplate.metadata" {
        /// Labels; the values are templates.
        "labels" optional labels: Mapped<Text>,
        /// Annotations; the values are templates.
        "annotations" optional annotations: Mapped<Text>,
    }
}

definition! {
    /// Template of the started Tasks.
    pub(crate) struct TaskTemplate in "TaskSpawner.spec.taskTemplate" {
        flatten fields: TaskFields,
        /// Prompt for the agent, as a Go template.
        "promptTemplate" optional prompt_template: Text,
        /// Name of the Tasks, as a Go template. For the target `resources`.
        "nameTemplate" optional name_template: Text,
        /// Labels and annotations of the Tasks.
        "metadata" optional metadata: TemplateMetadata,
        /// Documents that the templates can read. For the target `resources`.
        "contextSources" optional context_sources: Listed<Anything>,
    }
}

definition! {
    /// Credentials in the pool for Tasks.
    pub(crate) struct PoolCredentials in "TaskSpawner.spec.credentials[]" {
        /// Name of the entry.
        "name" required name: Text,
        /// Type of the credentials: `api-key` or `oauth`.
        "type" required credentials_type: Choice<PoolCredentialsType>,
        /// Secret with the credentials.
        "secretRef" required secret_ref: SecretReference,
    }
}

definition! {
    /// Tasks that are started repeatedly.
    pub(crate) struct TaskSpawnerSpec in "TaskSpawner.spec" {
        /// Events that start a Task.
        "when" required when: When,
        /// Template of the started Tasks.
        "taskTemplate" required task_template: TaskTemplate,
        /// Pool of credentials, from which each Task gets one at random.
        "credentials" optional credentials: Listed<PoolCredentials>,
        /// Maximum number of Tasks at a time. Defaults to no limit.
        "maxConcurrency" optional max_concurrency: Integer,
        /// Maximum total number of Tasks. Defaults to no limit. For the target `resources`.
        "maxTotalTasks" optional max_total_tasks: Integer,
        /// Whether the TaskSpawner is suspended and starts no Tasks.
        "suspend" optional suspend: Flag,
    }
}

impl When {
    /// Whether the controller runs a Deployment that polls the source.
    pub(super) const fn is_polled(&self) -> bool {
        self.github_issues.is_some() || self.github_pull_requests.is_some() || self.jira.is_some()
    }

    /// The sources that are set, by name.
    pub(super) fn sources(&self) -> Vec<&'static str> {
        let sources = [
            ("githubIssues", self.github_issues.is_some()),
            ("githubPullRequests", self.github_pull_requests.is_some()),
            ("cron", self.cron.is_some()),
            ("jira", self.jira.is_some()),
            ("githubWebhook", self.github_webhook.is_some()),
            ("linearWebhook", self.linear_webhook.is_some()),
            ("webhook", self.webhook.is_some()),
            ("slack", self.slack.is_some()),
        ];
        sources.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name).collect()
    }
}

/// Lowers a spawner to a `CronJob`, or a `TaskSpawner` of kelos.
pub(super) fn lower(
    definition: Definition<TaskSpawnerSpec>,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let (frame, spec) = definition.open();
    let target = lowering.setup.target().unwrap_or(Target::Jobs);
    spawners::check(&frame, &spec, target, lowering.sink)?;
    if target == Target::Resources {
        // A fault that is reported here is not reported for the object as well.
        lowering.sink.reported().map_or(Ok(()), Err)?;
        check_builder(&frame, &spec, lowering.instances, lowering.sink)?;
        resources::task_spawner(&frame, spec, lowering);
        return Ok(());
    }
    let (schedule, prompt) = spawners::check_without_controller(&frame, &spec, lowering.sink)?;
    lower_to_cron_job(&frame, spec, schedule, prompt, lowering)
}

/// Checks the Tasks that the controller creates.
///
/// # Errors
/// If it cannot create their Jobs.
pub(super) fn check_builder(
    frame: &Frame,
    spec: &TaskSpawnerSpec,
    instances: &Instances<'_>,
    sink: &mut Sink,
) -> Result<(), Reported> {
    let template = spec.task_template.prompt_template.as_ref();
    // By default the prompt is the title of the event.
    let prompt = template.unwrap_or(&frame.metadata().name).clone();
    task::check_builder(frame, &spec.task_template.fields, prompt, instances, sink)
}

fn lower_to_cron_job(
    frame: &Frame,
    spec: TaskSpawnerSpec,
    schedule: Text,
    prompt: Text,
    lowering: &mut Lowering<'_, '_>,
) -> Result<(), Reported> {
    let TaskSpawnerSpec { task_template, credentials, max_concurrency, suspend, .. } = spec;
    let TaskTemplate { mut fields, metadata, .. } = task_template;
    if fields.credentials.is_none() {
        let first = credentials.into_iter().flat_map(|it| it.items).next();
        fields.credentials = first.map(PoolCredentials::into_credentials);
    }
    let name = frame.metadata().name.as_str().to_owned();
    let rendered = task::without_comments(prompt);
    let plan = task::resolve_plan(
        frame,
        &fields,
        rendered,
        Some(name),
        lowering.instances,
        lowering.sink,
    )?;
    let built = job::build(&plan, fields, frame, lowering);
    // kelos sets these labels on the Task and not on its Job. Without kelos there is no Task, so
    // the Job gets them.
    let mut labels = frame.map();
    let own = metadata.and_then(|it| it.labels).into_iter().flat_map(|it| it.entries);
    labels.set_all(own.map(|(key, value)| (key, value.into_node())));
    labels.set_all(built.labels.into_entries().into_iter().map(|entry| (entry.key, entry.value)));
    let mut template = frame.map_of("metadata", frame.map_of("labels", labels));
    template.set("spec", built.spec);
    let is_alone = max_concurrency.is_some_and(|count| count.as_i64() == 1);
    let mut node = frame.map_of("schedule", schedule.into_node());
    node.set("timeZone", frame.string("Etc/UTC"));
    node.set("concurrencyPolicy", frame.string(if is_alone { "Forbid" } else { "Allow" }));
    node.set_some("suspend", suspend.map(Flag::into_node));
    node.set("jobTemplate", template);
    job::emit_plugins(&plan, frame, lowering);
    lowering.emit(frame, "batch/v1", "CronJob", node);
    Ok(())
}

impl PoolCredentials {
    pub(super) fn into_credentials(self) -> Credentials {
        let value = match self.credentials_type.value {
            PoolCredentialsType::ApiKey => CredentialsType::ApiKey,
            PoolCredentialsType::Oauth => CredentialsType::Oauth,
        };
        let credentials_type = self.credentials_type.with_value(value);
        Credentials { credentials_type, secret_ref: Some(self.secret_ref) }
    }
}

impl TaskTemplate {
    /// `taskTemplate` of a `TaskSpawner` of kelos.
    pub(super) fn into_node(self, frame: &Frame, lowering: &mut Lowering<'_, '_>) -> Node {
        let Self { fields, prompt_template, name_template, metadata, context_sources } = self;
        let mut node = resources::task_fields(frame, fields, lowering);
        let prompt = prompt_template.as_ref().map(resources::literal);
        node.set_some("promptTemplate", prompt);
        node.set_some("nameTemplate", name_template.map(Text::into_node));
        if let Some(TemplateMetadata { labels, annotations }) = metadata {
            let map = |texts: Mapped<Text>| resources::lower_map(frame, texts);
            let entries = [("labels", labels.map(map)), ("annotations", annotations.map(map))];
            node.set("metadata", frame.map_with(entries));
        }
        if let Some(sources) = context_sources {
            // kelos limits the length of the list, which is a fault of the author.
            let first = sources.items.first().map(|source| source.node.origin());
            let origin = first.unwrap_or_else(|| frame.managed());
            let documents = sources.items.into_iter().map(|it| it.node);
            node.set("contextSources", Node::list(documents, origin));
        }
        node
    }
}
