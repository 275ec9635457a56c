//! Faults of kelos' custom resources that only its controllers, its spawner or the kubelet detect, and that
//! need no definition to be read.

use super::{
    AGENT_USER_NOT_NUMERIC, REPOSITORY_KEY_MISSING, SKILLS_TOKEN_EMPTY, SPAWNER_INTERVAL_INVALID,
};
use crate::diag::{Diagnostic, Sink, message};
use crate::dialect::kelos::GROUP;
use crate::dialect::kelos::names::TOKEN_KEY;
use crate::kube::{Object, ObjectSet};
use crate::scalar::is_duration;
use crate::sorted::SortedMap;
use crate::tree::{Node, items};

/// The kinds that run agents, and the path of the owner of `podOverrides`: in `v1alpha2` it is `worker`.
const AGENTS: [(&str, &[&[&str]]); 4] = [
    ("Task", &[&["spec"], &["spec", "worker"]]),
    ("TaskSpawner", &[&["spec", "taskTemplate"], &["spec", "taskTemplate", "worker"]]),
    ("WorkerPool", &[&["spec", "worker"]]),
    ("Session", &[&["spec", "worker"]]),
];

/// The sources that the spawner polls.
const POLLED: [&str; 3] = ["githubIssues", "githubPullRequests", "jira"];

/// Checks the resources that were not compiled from definitions.
pub(super) fn check(set: &ObjectSet<'_>, sink: &mut Sink) {
    let written = |kind: &'static str| set.of_kind(GROUP, kind).filter(|it| !it.is_compiled());
    for spawner in written("TaskSpawner") {
        check_interval(spawner, &["spec"], sink);
        for source in POLLED {
            check_interval(spawner, &["spec", "when", source], sink);
        }
    }
    let mut repositories = SortedMap::new();
    for (kind, owners) in AGENTS {
        for object in written(kind) {
            for owner in owners.iter().filter_map(|path| object.root.at(path)) {
                check_user(owner, sink);
                if let Some(name) = owner.str_at(&["workspaceRef", "name"]) {
                    let overrides = owner.get("podOverrides");
                    let has_volumes = overrides.and_then(|it| it.get("volumes")).is_some();
                    let key = (object.namespace.as_str(), name);
                    *repositories.entry(key).or_insert(false) |= has_volumes;
                }
            }
        }
    }
    for workspace in written("Workspace") {
        let key = (workspace.namespace.as_str(), workspace.name.as_str());
        if repositories.get(&key) == Some(&false) {
            check_repository(workspace, sink);
        }
    }
    for config in written("AgentConfig") {
        check_tokens(set, config, sink);
    }
}

/// Reports an interval that Go does not parse: the spawner then uses its default.
fn check_interval(spawner: &Object, owner: &[&str], sink: &mut Sink) {
    let Some(node) = spawner.root.at(owner).and_then(|it| it.get("pollInterval")) else { return };
    let Some(text) = node.as_str().filter(|it| !it.is_empty()) else { return };
    if is_duration(text) || text.bytes().all(|byte| byte.is_ascii_digit()) {
        return;
    }
    let message = message!("invalid `pollInterval` `{text}`");
    let finding = Diagnostic::new(&SPAWNER_INTERVAL_INVALID, node.span(), message)
        .at("not a duration")
        .path(&format!("{}.pollInterval", owner.join(".")))
        .note("the spawner ignores it and polls every 5 minutes")
        .help("write a duration of Go, such as `30s`, `10m` or `1h30m`");
    sink.report(finding);
}

/// Reports `runAsNonRoot` for an image whose user is a name.
fn check_user(owner: &Node, sink: &mut Sink) {
    if owner.get("image").is_some() {
        return;
    }
    let contexts = ["podSecurityContext", "containerSecurityContext"]
        .map(|context| owner.at(&["podOverrides", context]));
    let values = |field: &'static str| {
        contexts.iter().flatten().filter_map(move |context| context.get(field))
    };
    if values("runAsUser").next().is_some() {
        return;
    }
    let Some(node) = values("runAsNonRoot").find(|flag| flag.as_bool() == Some(true)) else {
        return;
    };
    let message = "`runAsNonRoot` is set without `runAsUser`";
    let finding = Diagnostic::new(&AGENT_USER_NOT_NUMERIC, node.span(), message)
    .at("the kubelet cannot verify it")
    .note("the image of the agent names its user, so the kubelet answers `CreateContainerConfigError`")
    .help("set `runAsUser: 61100` next to it");
    sink.report(finding);
}

/// Reports a repository that git clones by SSH, for which the init container has no key.
fn check_repository(workspace: &Object, sink: &mut Sink) {
    let Some(node) = workspace.root.at(&["spec", "repo"]) else { return };
    if !node.as_str().is_some_and(|it| it.starts_with("git@")) {
        return;
    }
    let message = message!("Workspace `{}` is cloned by SSH, without a key", workspace.name);
    let finding = Diagnostic::new(&REPOSITORY_KEY_MISSING, node.span(), message)
        .at("requires an SSH key")
        .path(&"spec.repo")
        .note("`secretRef` is a token for HTTPS, so `git clone` fails and the Task as well")
        .help("write the address with `https://`");
    sink.report(finding);
}

/// Reports an empty token of `skills`, which the controller rejects.
fn check_tokens(set: &ObjectSet<'_>, config: &Object, sink: &mut Sink) {
    let skills = config.root.get("spec").map_or(&[][..], |spec| items(spec, "skills"));
    for skill in skills {
        let Some(name) = skill.str_at(&["secretRef", "name"]) else { continue };
        let Some(secret) = set.find_only("", "Secret", &config.namespace, name) else { continue };
        // A key of `stringData` overrides that of `data`.
        let entry = ["stringData", "data"]
            .into_iter()
            .find_map(|field| secret.root.get(field)?.as_map()?.entry(TOKEN_KEY));
        let Some(entry) = entry else { continue };
        if !entry.value.is_null() && entry.value.as_str() != Some("") {
            continue;
        }
        let message = message!("key `{TOKEN_KEY}` of Secret `{name}` is empty");
        let finding = Diagnostic::new(&SKILLS_TOKEN_EMPTY, entry.key_origin().span(), message)
            .at("must not be empty")
            .label(skill.span(), "uses the token")
            .note("the kelos controller fails each Task with this AgentConfig")
            .help("write a token, or remove `secretRef`");
        sink.report(finding);
    }
}
