//! The rules of servers.

pub(super) mod restored;
pub(super) mod shadowed;

use crate::diag::{Rule, declare_rules};

mod declared {
    use super::declare_rules;

    declare_rules! {
        ENV_FROM_KEY_SHADOWED = "env-from-key-shadowed", Warning;
        MOUNT_PATH_INVALID = "mount-path-invalid", Error;
        NODE_PREFERENCE_MISSING = "node-preference-missing", Error, follows = [Misplaced];
        ORCHESTRATOR_FIELD_INVALID = "orchestrator-field-invalid", Error;
        ORCHESTRATOR_FIELD_NOT_COMPILED = "orchestrator-field-not-compiled", Note;
        OVERRIDE_REPLACES_FIELD = "override-replaces-field", Warning;
        OVERRIDE_WIDENS_SANDBOX = "override-widens-sandbox", Warning;
        POD_USER_WITHOUT_EFFECT = "pod-user-without-effect", Warning;
        PREPARATION_FIELD_IGNORED = "preparation-field-ignored", Warning;
        PREPARATION_WITHOUT_GVISOR = "preparation-without-gvisor", Error;
        SERVER_IMAGE_INVALID = "server-image-invalid", Error;
        SERVER_NAME_INVALID = "server-name-invalid", Error;
        SERVER_RESOURCE_UNSUPPORTED = "server-resource-unsupported", Error, follows = [SamePlace];
        SNAPSHOT_RESTORED_DIFFERENTLY = "snapshot-restored-differently", Warning;
        SNAPSHOT_TAG_WITHOUT_ID = "snapshot-tag-without-id", Error;
        SNAPSHOTS_NOT_ENABLED = "snapshots-not-enabled", Error, follows = [Project];
        START_REQUEST_INVALID = "start-request-invalid", Error;
        TRACING_SETTING_INVALID = "tracing-setting-invalid", Error;
        VOLUME_UNMOUNTED = "volume-unmounted", Warning, follows = [Structure];
        VOLUME_WITHOUT_SOURCE = "volume-without-source", Error;
    }
}

pub(super) use declared::*;

/// The rules of idegym.
pub(super) static RULES: &[&[&Rule]] = &[declared::RULES];
