//! Checks of the author's additions to the Pod of a Task.

use super::{
    AGENT_HOME_READ_ONLY, AGENT_MOUNT_HIDES_FILES, AGENT_USER_MISMATCH,
    CONTAINER_KEEPS_TASK_RUNNING, SKILLS_NEED_ROOT, TASK_NAME_DUPLICATE, TASK_VOLUME_MISSING,
    duplicates,
};
use crate::diag::{Diagnostic, Message, Sink, brief, message};
use crate::dialect::kelos::names::{
    AGENT_CONTAINER, AGENT_USER, CONDITIONAL_VOLUMES, INIT_CONTAINERS, MOUNTS, REPOSITORY_PATH,
    RESERVED_PREFIX, SKILLS_INSTALL,
};
use crate::dialect::kelos::plan::Plan;
use crate::merge::GUARDED_FIELD;
use crate::pod_security::Profile;
use crate::sorted::{CompactSort as _, SortedSet};
use crate::tree::{Node, items};
use crate::workload::{PodFields, PodTemplate};

/// Checks the author's fields.
pub(in crate::dialect::kelos) fn check(plan: &Plan, pod: &PodFields, sink: &mut Sink) {
    let overrides = pod.pod_overrides.as_ref().map(|it| &it.node);
    let containers = overrides.and_then(|it| it.get("containers")).map_or(&[][..], Node::items);
    for container in containers {
        check_extra_container(container, sink);
    }
    let agent = containers.iter().find(|it| it.str_at(&["name"]) == Some(AGENT_CONTAINER));
    let own = pod.container.volume_mounts.as_ref().map(|it| &it.node);
    let lists = [own, agent.and_then(|it| it.get("volumeMounts"))];
    let mounts: Vec<_> = lists.into_iter().flatten().flat_map(Node::items).collect();
    let contexts = [
        pod.spec.pod_security_context.as_ref().map(|it| &it.node),
        pod.container.container_security_context.as_ref().map(|it| &it.node),
        overrides.and_then(|it| it.get("securityContext")),
        agent.and_then(|it| it.get("securityContext")),
    ];
    let is_read_only = contexts.iter().flatten().any(|context| is_read_only(context));
    for mount in &mounts {
        check_mount(plan, mount, is_read_only, sink);
    }
    for context in contexts.into_iter().flatten() {
        check_users(plan, context, sink);
        check_home(plan, context, &mounts, sink);
    }
}

/// Checks that the Pod has a volume for each mount of its containers.
pub(in crate::dialect::kelos) fn check_volumes(plan: &Plan, spec: &Node, sink: &mut Sink) {
    let volumes: Vec<_> =
        items(spec, "volumes").iter().filter_map(|it| it.str_at(&["name"])).collect();
    let known: SortedSet<_> = volumes.iter().copied().collect();
    let lists = ["initContainers", "containers"].into_iter();
    for container in lists.flat_map(|list| items(spec, list)) {
        let mounts = ["volumeMounts", "volumeDevices"].into_iter();
        for mount in mounts.flat_map(|list| items(container, list)) {
            let Some(node) = mount.get("name") else { continue };
            if !known.contains(node.as_str().unwrap_or_default()) {
                let near = sink.near(volumes.iter().copied());
                sink.report(missing_volume(plan, container, node, near));
            }
        }
    }
}

fn missing_volume<'v>(
    plan: &Plan,
    container: &Node,
    node: &Node,
    volumes: impl Iterator<Item = &'v str>,
) -> Diagnostic {
    let name = node.as_str().unwrap_or_default();
    let owner = brief(container.text_at(&["name"]));
    let finding = |message: Message| {
        Diagnostic::new(&TASK_VOLUME_MISSING, node.span(), message)
            .at("no such volume")
            .note("the API server rejects the Job")
    };
    let Some((_, needs, field)) = CONDITIONAL_VOLUMES.into_iter().find(|row| row.0 == name) else {
        let message = message!(
            "container `{owner}` mounts volume `{name}`, which Task `{}` does not have",
            plan.name
        );
        return finding(message).suggest_near_or(node.span(), name, volumes, || {
            message!("add `{name}` to `volumes`, or remove the mount")
        });
    };
    finding(message!("container `{owner}` mounts volume `{name}`, but the Task has no {needs}"))
        .help(message!("set {field}, or remove the mount"))
}

/// Reports duplicate names of volumes and containers. No other check compares them in a custom
/// resource.
pub(in crate::dialect::kelos) fn check_names(pod: &PodFields, sink: &mut Sink) {
    let overrides = pod.pod_overrides.as_ref().map(|it| &it.node);
    let containers = overrides.and_then(|it| it.get("containers")).map_or(&[][..], Node::items);
    let init = pod.spec.init_containers.as_ref().map_or(&[][..], |list| list.node.items());
    let volumes = pod.spec.volumes.as_ref().map_or(&[][..], |volumes| volumes.node.items());
    let is_other = |container: &&Node| container.str_at(&["name"]) != Some(AGENT_CONTAINER);
    let others: Vec<_> = containers.iter().filter(is_other).chain(init).collect();
    for (what, items) in [("volume", volumes.iter().collect()), ("container", others)] {
        let mut nodes: Vec<_> = items.into_iter().filter_map(|it| it.get("name")).collect();
        nodes.compact_sort_by_key(|it| it.span());
        let names = nodes.iter().map(|name| (name.as_str().unwrap_or_default(), name.span()));
        for (name, span, first) in duplicates(names) {
            sink.report(
                Diagnostic::new(
                    &TASK_NAME_DUPLICATE,
                    span,
                    message!("duplicate {what} name `{name}`"),
                )
                .at("defined again here")
                .label(first, "first defined here")
                .note("the kelos controller does not create the Job")
                .help(message!("rename one of the {what}s")),
            );
        }
    }
}

/// Checks that root can install skills, whatever user the author sets for the Pod.
pub(in crate::dialect::kelos) fn check_skills(
    plan: &Plan,
    pod: &PodTemplate,
    profile: Profile,
    sink: &mut Sink,
) {
    let Some(first) = plan.config.skills.first() else { return };
    let context = |key: &str| pod.spec.at(&["securityContext", key]);
    let user = context("runAsUser").filter(|user| user.as_i64() != Some(0));
    let non_root = context("runAsNonRoot").filter(|flag| flag.as_bool() == Some(true));
    let cause = user.or(non_root);
    if profile != Profile::Restricted && cause.is_none() {
        return;
    }
    let finding = Diagnostic::new(
        &SKILLS_NEED_ROOT,
        first.source.span(),
        message!("`skills` requires root: init container `{SKILLS_INSTALL}` installs packages"),
    )
    .at("installed as root")
    .note("it installs git, and changes the owner of the files to the user of the agent")
    .help(
        "put the skills into `plugins`, or set `security: baseline` and no other user for the Pod",
    );
    let place = pod.security.as_ref().filter(|_| profile == Profile::Restricted);
    sink.report(match (place, cause) {
        (Some(place), _) => finding.label(place.span(), "does not allow root"),
        (None, Some(cause)) => finding.label(cause.span(), "does not allow root"),
        (None, None) => finding.note("`security` is `restricted` by default"),
    });
}

fn check_extra_container(container: &Node, sink: &mut Sink) {
    let Some(name) = container.get("name") else { return };
    let text = name.as_str().unwrap_or_default();
    if text == AGENT_CONTAINER {
        return;
    }
    if text.starts_with(RESERVED_PREFIX) || INIT_CONTAINERS.contains(&text) {
        let message = message!("container `{text}` cannot be set here: it is reserved for kelos");
        sink.report(
            Diagnostic::new(&GUARDED_FIELD, name.span(), message)
                .at("reserved for kelos")
                .help("rename the container"),
        );
        return;
    }
    sink.report(
        Diagnostic::new(
            &CONTAINER_KEEPS_TASK_RUNNING,
            name.span(),
            message!("container `{text}` keeps the Task running until it exits"),
        )
        .at("must exit too")
        .note("the Job completes after all containers have exited, not only the agent")
        .help("for a server, make it an init container with `restartPolicy: Always`"),
    );
}

/// Normalizes a path.
fn clean_path(path: &str) -> String {
    let segments = path.split('/').filter(|segment| !segment.is_empty() && *segment != ".");
    segments.fold(String::new(), |path, segment| path + "/" + segment)
}

fn is_below(path: &str, folder: &str) -> bool {
    path == folder || path.strip_prefix(folder).is_some_and(|it| it.starts_with('/'))
}

fn is_read_only(context: &Node) -> bool {
    context.get("readOnlyRootFilesystem").and_then(Node::as_bool) == Some(true)
}

fn check_mount(plan: &Plan, mount: &Node, is_read_only: bool, sink: &mut Sink) {
    let Some(node) = mount.get("mountPath") else { return };
    let written = node.as_str().unwrap_or_default();
    let path = clean_path(written);
    let is_mounted = |managed: &str| match managed {
        "/workspace" => plan.workspace.is_some(),
        "/kelos/plugin" => plan.has_plugin_volume(),
        _ => plan.token_secret.is_some(),
    };
    if let Some((managed, what)) = MOUNTS.into_iter().find(|(managed, _)| *managed == path)
        && is_mounted(managed)
    {
        // A path with the same spelling is reported by the guards of the layers.
        if written != managed {
            let message =
                message!("mount path `{written}` cannot be set here: it is reserved for {what}");
            sink.report(
                Diagnostic::new(&GUARDED_FIELD, node.span(), message)
                    .at(message!("reserved for {what}"))
                    .help("mount the volume elsewhere"),
            );
        }
        return;
    }
    // A read-only home requires a mount.
    let home = Some(plan.agent.home()).filter(|_| !is_read_only);
    let bundled = ["/kelos", "/kelos_entrypoint.sh", "/usr/bin"].into_iter().chain(home);
    let hidden = bundled.into_iter().find(|known| *known == path).filter(|_| !plan.is_own_image);
    let in_clone = plan.workspace.is_some() && is_below(&path, REPOSITORY_PATH);
    let (headline, reason) = match hidden {
        Some(folder) => (
            message!("the mount at `{folder}` hides files of the agent's image"),
            "this directory contains the entrypoint and the tools of the agent",
        ),
        None if in_clone => (
            message!("the mount at `{path}` is inside the clone"),
            "git sees the mount as a change, or fails to write there",
        ),
        None => return,
    };
    sink.report(
        Diagnostic::new(&AGENT_MOUNT_HIDES_FILES, node.span(), headline)
            .at("hides files")
            .note(reason)
            .help("mount the volume at another path"),
    );
}

fn check_users(plan: &Plan, context: &Node, sink: &mut Sink) {
    if plan.workspace.is_none() {
        return;
    }
    for field in ["fsGroup", "runAsUser"] {
        let Some(node) = context.get(field) else { continue };
        let Some(user) = node.as_i64().filter(|id| *id != AGENT_USER) else { continue };
        sink.report(
            Diagnostic::new(
                &AGENT_USER_MISMATCH,
                node.span(),
                message!("`{field}` {user} is not the user of the workspace, {AGENT_USER}"),
            )
            .at(message!("not {AGENT_USER}"))
            .note("the clone belongs to that user, and git rejects the repository of another user")
            .help(message!("set `{field}: {AGENT_USER}`, or remove it")),
        );
    }
}

fn check_home(plan: &Plan, context: &Node, mounts: &[&Node], sink: &mut Sink) {
    let Some(node) = context.get("readOnlyRootFilesystem") else { return };
    let home = plan.agent.home();
    let is_writable = |folder: &str| {
        let mut paths = mounts.iter().filter_map(|mount| mount.str_at(&["mountPath"]));
        paths.any(|path| clean_path(path) == folder)
    };
    if !is_read_only(context) || plan.is_own_image || is_writable(home) && is_writable("/tmp") {
        return;
    }
    sink.report(
        Diagnostic::new(
            &AGENT_HOME_READ_ONLY,
            node.span(),
            message!("the agent cannot write to `{home}` and `/tmp`"),
        )
        .at("makes them read-only")
        .note("the entrypoint writes instructions, settings and caches there")
        .help(message!("mount an `emptyDir` at `{home}` and at `/tmp`")),
    );
}
