//! `migrate`: resources of `v1alpha1`, converted as kelos' webhook does.

use super::{API_VERSION, GROUP};
use crate::convert::{Edits, Refused};
use crate::diag::{Diagnostic, Severity, message};
use crate::kube::{LAST_APPLIED, Object};
use crate::lower::{MIGRATION_DOUBTFUL, Migration, MigrationCx, OldKind};
use crate::sorted::CompactSort as _;
use crate::tree::{Entry, Node, Origin, Value};

pub(super) const MIGRATION: Migration = Migration { convert, old_kinds: &OLD_KINDS };

const OLD_KINDS: [OldKind; 4] = [
    old_kind("Task", &["agentConfigRef"]),
    old_kind(
        "TaskSpawner",
        &["agentConfigRef", "pollInterval", "triggerComment", "excludeComments"],
    ),
    old_kind("AgentConfig", &["mcpServers"]),
    old_kind("Workspace", &[]),
];

const fn old_kind(kind: &'static str, moved: &'static [&'static str]) -> OldKind {
    OldKind { group: GROUP, version: OLD_VERSION, kind, new_version: "v1alpha2", moved }
}

const OLD_VERSION: &str = "v1alpha1";
/// The annotations in which the webhook keeps fields that `v1alpha1` does not have.
const PRESERVED: &str = "kelos.dev/v1alpha2-";

fn convert(
    object: &Object,
    edits: &mut Edits<'_>,
    cx: &mut MigrationCx<'_>,
) -> Result<bool, Refused> {
    let gvk = object.gvk();
    if gvk.group() != GROUP || gvk.version() != OLD_VERSION {
        return Ok(false);
    }
    match gvk.kind() {
        "Task" => convert_agent_config_ref(edits, &["spec"])?,
        "TaskSpawner" => {
            convert_agent_config_ref(edits, &["spec", "taskTemplate"])?;
            cx.doubts.extend(move_poll_interval(edits));
            move_comment_policies(edits)?;
        }
        "AgentConfig" => convert_server_variables(edits)?,
        "Workspace" => {}
        _ => return Ok(false),
    }
    check_preserved(edits)?;
    edits.set_text(&["apiVersion"], API_VERSION);
    edits.remove(&["status"]);
    edits.remove(&["metadata", "annotations", LAST_APPLIED]);
    let annotations = edits.root.at(&["metadata", "annotations"]);
    if annotations.is_some_and(|map| map.entries().is_empty()) {
        edits.remove(&["metadata", "annotations"]);
    }
    Ok(true)
}

/// The annotations have fields of the new version in an encoding of their own.
fn check_preserved(edits: &Edits<'_>) -> Result<(), Refused> {
    let annotations = edits.root.at(&["metadata", "annotations"]).map_or(&[][..], Node::entries);
    let Some(found) = annotations.iter().find(|entry| entry.key.starts_with(PRESERVED)) else {
        return Ok(());
    };
    let message = message!("the annotation `{}` has fields of `v1alpha2`", found.key);
    let help = "read the resource in the new version from the cluster: `kubectl get` with `.v1alpha2.kelos.dev`";
    Err(Refused::new(found.key_origin().span(), message, help))
}

/// `agentConfigRef` becomes the only item of `agentConfigRefs`, which takes precedence.
fn convert_agent_config_ref(edits: &mut Edits<'_>, path: &[&str]) -> Result<(), Refused> {
    let origin = edits.origin;
    let Some(map) = map_at(edits.root, path) else { return Ok(()) };
    let Some(reference) = map.get("agentConfigRef").filter(|it| !it.is_null()) else {
        map.remove("agentConfigRef");
        return Ok(());
    };
    if reference.as_map().is_none() {
        let help = "write its `name`, and migrate again";
        return Err(Refused::new(reference.span(), "`agentConfigRef` is not a map", help));
    }
    if map.get("agentConfigRefs").is_some_and(|configs| !configs.items().is_empty()) {
        map.remove("agentConfigRef");
        return Ok(());
    }
    map.remove("agentConfigRefs");
    map.edit(|entries| {
        for entry in entries.iter_mut().filter(|entry| entry.key == "agentConfigRef") {
            entry.rename("agentConfigRefs");
            entry.value = Node::list([entry.value.clone()], origin);
        }
    });
    Ok(())
}

fn map_at<'n>(node: &'n mut Node, path: &[&str]) -> Option<&'n mut crate::tree::Map> {
    path.iter().try_fold(node, |node, key| node.get_mut(key))?.as_map_mut()
}

/// The interval of the spawner becomes that of each source that polls and has none. Returns a note if no
/// source uses it.
fn move_poll_interval(edits: &mut Edits<'_>) -> Option<Diagnostic> {
    let removed = edits.remove(&["spec", "pollInterval"]);
    let entry = removed.filter(|entry| entry.value.as_str().is_some_and(|it| !it.is_empty()))?;
    let mut is_used = false;
    for source in ["githubIssues", "githubPullRequests", "jira"] {
        let is_empty = |node: &Node| node.is_null() || node.as_str() == Some("");
        if let Some(map) = map_at(edits.root, &["spec", "when", source])
            && map.get("pollInterval").is_none_or(is_empty)
        {
            map.remove("pollInterval");
            map.push(entry.clone());
            is_used = true;
        }
    }
    let message = "`pollInterval` of the spawner is dropped: no source uses it";
    let finding = Diagnostic::new(&MIGRATION_DOUBTFUL, entry.value.span(), message);
    let finding = finding.with_severity(Severity::Note).at("not converted");
    let note = "only `githubIssues`, `githubPullRequests` and `jira` poll, and those here have an interval of their own";
    (!is_used).then(|| finding.note(note))
}

/// Converts the policies of both sources that have one.
pub(super) fn move_comment_policies(edits: &mut Edits<'_>) -> Result<(), Refused> {
    move_comment_policy(edits, "githubIssues")?;
    move_comment_policy(edits, "githubPullRequests")
}

/// `triggerComment` and `excludeComments` are part of `commentPolicy`, whose own fields take precedence.
fn move_comment_policy(edits: &mut Edits<'_>, source: &str) -> Result<(), Refused> {
    let origin = edits.origin;
    let Some(map) = map_at(edits.root, &["spec", "when", source]) else { return Ok(()) };
    let keys = ["triggerComment", "excludeComments"];
    let Some(first) = keys.iter().filter_map(|key| map.position(key)).min() else {
        return Ok(());
    };
    let moved: Vec<_> = keys.iter().filter_map(|key| map.remove(key)).filter(is_set).collect();
    if moved.is_empty() {
        return Ok(());
    }
    if map.get("commentPolicy").is_none_or(Node::is_null) {
        map.remove("commentPolicy");
        let policy = Entry::new("commentPolicy", origin, Node::map(origin));
        map.edit(|entries| entries.insert(first.min(entries.len()), policy));
    }
    let Some(policy) = map.get_mut("commentPolicy").and_then(Node::as_map_mut) else {
        let span = edits.root.span().start_point();
        return Err(Refused::new(
            span,
            "`commentPolicy` is not a map",
            "correct it, and migrate again",
        ));
    };
    for entry in moved {
        if policy.get(&entry.key).is_none_or(|value| !is_set_value(value)) {
            policy.remove(&entry.key);
            policy.push(entry);
        }
    }
    Ok(())
}

fn is_set(entry: &Entry) -> bool {
    is_set_value(&entry.value)
}

fn is_set_value(node: &Node) -> bool {
    !node.is_null()
        && node.as_str() != Some("")
        && (node.as_str().is_some() || !node.items().is_empty())
}

/// The variables of MCP servers, a map, become a list that is sorted by name.
fn convert_server_variables(edits: &mut Edits<'_>) -> Result<(), Refused> {
    let origin = edits.origin;
    let Some(spec) = edits.root.get_mut("spec") else { return Ok(()) };
    let Some(Value::List(servers)) = spec.get_mut("mcpServers").map(|it| &mut it.value) else {
        return Ok(());
    };
    for server in servers {
        let Some(env) = server.get_mut("env").filter(|it| !it.is_null()) else { continue };
        let Value::Map(map) = &env.value else {
            let help = "write the variables as a map, and migrate again";
            return Err(Refused::new(env.span(), "`env` of an MCP server is not a map", help));
        };
        let mut entries = map.entries().to_vec();
        entries.compact_sort_by(|a, b| a.key.cmp(&b.key));
        *env =
            Node::list(entries.into_iter().map(|entry| variable_of_entry(entry, origin)), origin);
    }
    Ok(())
}

/// `{name, value}`; the value is at the place of the old entry.
fn variable_of_entry(entry: Entry, origin: Origin) -> Node {
    let mut item = Node::map(origin);
    item.set("name", Node::string(entry.key.text().clone(), origin));
    if let Some(map) = item.as_map_mut() {
        map.push(entry.renamed("value"));
    }
    item
}
