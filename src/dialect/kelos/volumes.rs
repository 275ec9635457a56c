//! The volumes of a Task, and the mounts of its containers.

use k8s_openapi::api::core::v1::{
    ConfigMapVolumeSource, EmptyDirVolumeSource, KeyToPath, SecretVolumeSource, Volume, VolumeMount,
};

use super::names::{
    PLUGIN_PATH, PLUGIN_SOURCE_PATH, PLUGIN_SOURCE_VOLUME, PLUGIN_VOLUME, TOKEN_KEY, TOKEN_PATH,
    TOKEN_VOLUME, WORKSPACE_PATH, WORKSPACE_VOLUME, plugins_of,
};
use super::plan::Plan;
use super::plugins;

/// All volumes of a Task.
pub(super) fn of_task(plan: &Plan) -> Vec<Volume> {
    let mut all = Vec::new();
    if plan.workspace.is_some() {
        all.push(empty_volume(WORKSPACE_VOLUME));
    }
    if let Some(secret) = &plan.token_secret {
        let source = SecretVolumeSource {
            secret_name: Some(secret.as_str().to_owned()),
            items: Some(vec![key_item(TOKEN_KEY.to_owned(), TOKEN_KEY.to_owned())]),
            optional: Some(true),
            ..SecretVolumeSource::default()
        };
        let name = TOKEN_VOLUME.to_owned();
        all.push(Volume { name, secret: Some(source), ..Volume::default() });
    }
    if plan.has_plugin_volume() {
        all.push(empty_volume(PLUGIN_VOLUME));
    }
    if !plan.config.plugins.is_empty() {
        let items: Vec<_> = plugins::files(&plan.config.plugins)
            .map(|file| key_item(file.key, file.path))
            .collect();
        let source = ConfigMapVolumeSource {
            name: plugins_of(&plan.name),
            items: (!items.is_empty()).then_some(items),
            ..ConfigMapVolumeSource::default()
        };
        let name = PLUGIN_SOURCE_VOLUME.to_owned();
        all.push(Volume { name, config_map: Some(source), ..Volume::default() });
    }
    all
}

/// The mounts of the agent.
pub(super) fn agent_mounts(plan: &Plan) -> Vec<VolumeMount> {
    let mut mounts = Vec::new();
    if plan.workspace.is_some() {
        mounts.extend(workspace_mounts(plan));
    }
    if plan.has_plugin_volume() {
        mounts.push(plugin_mount());
    }
    mounts
}

/// The mounts of the workspace, and of the token if there is one.
pub(super) fn workspace_mounts(plan: &Plan) -> Vec<VolumeMount> {
    let token = plan.token_secret.as_ref().map(|_| read_only(TOKEN_VOLUME, TOKEN_PATH));
    std::iter::once(workspace_mount()).chain(token).collect()
}

pub(super) fn workspace_mount() -> VolumeMount {
    mount_at(WORKSPACE_VOLUME, WORKSPACE_PATH)
}

pub(super) fn plugin_mount() -> VolumeMount {
    mount_at(PLUGIN_VOLUME, PLUGIN_PATH)
}

pub(super) fn plugin_source_mount() -> VolumeMount {
    read_only(PLUGIN_SOURCE_VOLUME, PLUGIN_SOURCE_PATH)
}

fn mount_at(name: &str, path: &str) -> VolumeMount {
    VolumeMount { name: name.to_owned(), mount_path: path.to_owned(), ..VolumeMount::default() }
}

fn read_only(name: &str, path: &str) -> VolumeMount {
    VolumeMount { read_only: Some(true), ..mount_at(name, path) }
}

fn empty_volume(name: &str) -> Volume {
    let empty_dir = Some(EmptyDirVolumeSource::default());
    Volume { name: name.to_owned(), empty_dir, ..Volume::default() }
}

fn key_item(key: String, path: String) -> KeyToPath {
    KeyToPath { key, path, mode: None }
}
